/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact model. What was chosen after seeing which data: the form (terms, their norm with DRAM
 * outside it, the launch added, the cache's share) was prototyped on validation tables of two CPUs
 * and on the W7800 table of HotSpot, and is therefore not tested independently by any of the three;
 * their parameters are fitted to a few points each, and judged on the others. Of three readings of
 * "cache lines that requests touch" (all requests; distinct lines read and requests that write;
 * requests that write), the last was taken after seeing the judged points of the W7800 table: it
 * alone explains that height 1 takes as long on narrow tiles as on wide ones, and follows from
 * first-level caches that write through. Equal groups wait for the slowest unit by restarts; the
 * prototype had sum / W + (1 - 1 / W) max there, which for many tiles is the same.
 *
 * Chosen after seeing all points of the kept table of the two-core EPYC, where fits to folds of the
 * table itself erred as much as predictions, and which therefore judges no more: on a CPU, what the
 * cells of a row take more that fill no vector (REST); what cells outside the grid take more that
 * are loaded one by one (COPY_EDGE); and who takes which tiles: by restarts the runtime's
 * deal, by fences adjoining ones, as the kernels do since. Tried and left out there: rows from
 * device memory, the caches below the last, blocks that a first-level cache does not hold, copies
 * and rows of each stencil's own.
 *
 * Chosen after seeing all points of the next table of the same machine (studies/results/
 * pocl-epyc-2core), and of the two older ones beside it: what restarts cost a CPU's caches. By
 * fences a core keeps its tiles from stage to stage; the runtime deals them anew, so that a
 * (W - 1) / W of the old and of the new state is in another core's caches (EXCHANGE; beyond the
 * last cache, nowhere). There, few tiles, 32 W^2 at most, seemed to find their cores again, and
 * were left out; see below. It was seen with two cores only, whose virtual machine moved between
 * states of fast and of slow exchange. Each tile that is dealt costs (DEAL), which nearly empty
 * stages show. What a row takes more by fences (ROW_FENCE) is fitted no more: it came from cores
 * that took every W-th tile, and where there was no such cost, noise in few runs gave one, and the
 * wrong mode with it. Tried and left out: the arrays that stay among the bytes exchanged, a cost of
 * each piece, a launch that depends on the grid, cells or rows by fences.
 *
 * Chosen after seeing all three kept tables of CPUs, which were judged before: that a CPU's core
 * waits for device memory less where its prefetchers are ahead of it (AHEAD_DRAM). While a core
 * computes a tile, they fetch on where each of its rows ended, and the next tile begins there, if
 * it adjoins: on the EPYC, PathFinder's rows of 2 or 4 KB beyond the cache cost a fourth of what
 * rows of 16 KB do, of which only the beginning is fetched, and of what tiles of several dimensions
 * do, whose rows are more streams than prefetchers follow; as do rows of 2 KB from 12 loops' arrays
 * on. With x t_x bytes to a row, and streams to a tile
 *
 *     n = (A + 1 + constant + F h) prod_{i > 0} b_i,
 *     e = 1 - 1 / ((1 + (x t_x / 8 KB)^2) (1 + (n / 10)^8)),
 *     dram_k = x { tau_M e + tau_a (1 - e) } { (A + 1) P_k a(Z_stage) + F h Q_k a(Z_run) }.
 *
 * 8 KB and 10 are the EPYC's; the Xeon's prefetchers follow twice as many streams at least, and
 * there tau_a and tau_M differ little. Tried and left out there: a bandwidth of per-step arrays'
 * own, of one-dimensional tiles' own, rows from device memory, other sizes and sharpnesses of the
 * cache.
 *
 * Chosen after seeing all points of the table of the second Xeon (studies/results/
 * pocl-xeon-2core-second), and of the four older ones of CPUs beside it: that a byte which is not
 * fetched ahead takes the longer the shorter the row, since a prefetcher follows a row only from
 * its third line on, and what it has not asked for waits for a core's few line buffers. With x t_x
 * bytes to a row,
 *
 *     s = 1 / (1 + (x t_x / 128 B)^2),    tau_M e  becomes  tau_M e (1 + 2 s):
 *
 * tiles of 32 x 32 cells beyond the cache took twice what they were predicted at, those of 260 x 32
 * a fifth more. Fitted freely, the 2 is 2.9, 1.4, 2.0 and 1.9, and 0 on the first Xeon. And that
 * few tiles are exchanged between cores as well as many: there restarts took 15 to 75 us a stage
 * longer than fences and nearly empty launches explain, by the state's bytes, whether of 6 tiles
 * or of 400. A parameter of few tiles' own fits each table a little better, but is not the
 * same twice. Tried and left out there: rows from device memory, a second cache below the last,
 * rows in every mode.
 *
 * Chosen after seeing all points of the table of the fourth Xeon (studies/results/
 * pocl-xeon-2core-fourth), and of the older ones of the same format beside it, by leaving out grids
 * and blocks of each in turn (errors fell from 9.0 to 7.7, 10.3 to 9.4, 9.5 to 7.9 and 6.2 to 6.2 %
 * in the median, from 31 to 27, 42 to 32, 33 to 27 and 22 to 22 % at the 95th percentile):
 *
 * - Of a run's loops / h stages the first comes after none: what synchronises stages, and what is
 *   exchanged between cores, counts 1 - h / loops times, and once a run the first stage's own
 *   launch does (RUN; by fences RUN_FENCE more, since all cores must have woken up). Before, runs
 *   of 12 to 24 loops made a launch of 9 to 11 us of one that takes 4 to 6.
 * - What is exchanged is in another core's own caches (EXCHANGE) as long as all cores' together
 *   hold a stage, Z_stage <= W S with S the bytes of local memory, which PoCL gives the size of a
 *   core's own cache; beyond that, in the last one (FAR_EXCHANGE).
 * - A byte of a short row takes a time of its own, SHORT_DRAM, which was 3 tau_M before and is 2.5
 *   to 9 tau_M by these tables: the latency of memory, which changes with who else uses it. And
 *   rows are short only as far as the next lies in another page, since prefetchers follow pages:
 *
 *     s = min(1, x N_0 / 4 KiB) / (1 + (x t_x / 128 B)^2),  tau_M e  becomes
 *     tau_M e (1 - s) + tau_s e s.
 *
 * - Clearing a tile's rim stores, but does not load: it counts as half a copy. A cell is copied by
 *   its bytes: one of 8 takes as long as two of 4.
 *
 * Tried and left out there: arrays of every loop or states that only the last cache holds, rows or
 * tiles in each step, tiles that a first-level cache does not hold, a body that takes longer by
 * fences since nobody helps the slower core (2 to 5 % on the Xeons, 0 on the EPYC, and the wrong
 * mode as often as without).
 *
 * Streamed tiles on a CPU ("one group a unit, in order"), of a tile k that loads L_k cells (L'_k
 * rows) and computes Q_k cells in Q'_k rows in all its levels together, E_k of them left over from
 * four vectors, with `reads` elements read for each cell:
 *
 *     u_k = k_b x A L_k + c_S Q_k + e_S E_k + k_S sqrt(reads) (Q'_k + A L'_k) + dram_k,
 *     dram_k = x tau_S { (A + 1) P_k a(Z_stage) + F Q_k a(Z_run) }.
 *
 * c_S is not the trapezoid's c_s, since these rows are vectors; nor is copying, which goes row by
 * row; nor tau, since the next plane is fetched ahead and large states are stored past the cache.
 * Without tiles (naive), with Q = P:  u_k = c_n P_k + k_n sqrt(reads) P'_k + dram_k, dram_k with
 * tau_n, since what is read is computed with at once and not copied before. Chosen after seeing the
 * same four tables, and that fits to the calibration's runs transfer to them: E_k, and rows by one
 * parameter of the device instead of one for each stencil, which few runs hardly told from its
 * cells (the root stands between one time for all rows and one for each row read). Files of before
 * state rows by stencil (STREAM_ROW, NAIVE_ROW: rho_S, rho_n).
 *
 * On a GPU a streamed tile is a group whose chain is that of its planes. A box's, whose planes lie
 * in rings, waits for each plane's loads and for a barrier after every level; R follows from the
 * rings' bytes and from the registers that compilers then take (columns.c):
 *
 *     Lambda = t_0 + t_ld planes trips(b) + t_bar (walked + sum_k planes_k)
 *            + t_cp sum_k planes_k trips(q_k).
 *
 * A star's columns lie in registers. There is one barrier a step for all levels; a plane is loaded
 * a step ahead, all of a thread's columns at once, and is waited for as far as the steps take less
 * time than that; and one latency of computing serves all columns of a thread, which do not depend
 * on each other and are unrolled:
 *
 *     Lambda = t_0 + t_ld (1 + F planes)
 *            + max( t_ld (planes - 1), t_bar steps + t_cp sum_k planes_k ),
 *
 * R follows from two planes a level and from the registers that the columns take (columns.c); local
 * memory is read by neighbours in the cell's own plane that lie in other threads' registers. A
 * block without a tile has Lambda = t_0 + (t_ld (1 + F) + t_cp) trips(b). Nothing of this has been
 * measured on a GPU: neither that issuing costs as much as in a trapezoid, nor how far the loads
 * are hidden, nor that the first-level cache serves all neighbours that a block without a tile
 * reads. What is counted of local memory and barriers is what the kernels do under Oclgrind.
 */
#include "gz2_terms.h"
#include "tiling.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double product(const int *values, int n)
{
    double result = 1;
    for (int i = 0; i < n; i++)
        result *= values[i];
    return result;
}

/* The dimensions in which a group has threads: a streamed tile walks along the last. */
static int thread_dim(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->stencil.dim - (config->variant == GZI_GZ2_STREAM);
}

/* Columns that a thread of a streamed tile owns in dimension i across the stream. */
static double own_columns(const gzi_gz2_config *config, int i)
{
    return ceil((double)config->block[i] / config->threads[i]);
}

static const gzi_tiling *tiling_of(const gzi_gz2_config *config)
{
    static const gzi_tiling *const tilings[] = {[GZI_GZ2_TRAPEZOID] = &gzi_trapezoid,
                                                [GZI_GZ2_STREAM] = &gzi_stream,
                                                [GZI_GZ2_NAIVE] = &gzi_naive};
    return tilings[config->variant];
}

/* The tile as the kernels lay it out. */
static gzi_tile tile_of(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    int cpu = model->device.warp <= 1;
    gzi_tile tile = {.dim = s->dim,
                     .height = config->height,
                     .piece = config->piece,
                     .bytes = s->bytes,
                     .states = 2,
                     .arrays = s->loaded - 1,
                     .coefficients = s->coefficients,
                     .own_column = !cpu && s->star,
                     .whole_rows = cpu};
    for (int i = 0; i < s->dim; i++) {
        tile.edge[i] = s->edge[i];
        tile.size[i] = config->grid[i];
        tile.block[i] = config->block[i];
        tile.radius[i] = s->radius[i];
        tile.threads[i] = config->threads[i];
    }
    if (config->variant == GZI_GZ2_STREAM)
        tile.columns = gzi_takes_columns(&tile);
    return tile;
}

int gzi_gz2_columns(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    gzi_tile tile = tile_of(model, config);
    return tile.columns;
}

double gzi_gz2_local_bytes(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    gzi_tile tile = tile_of(model, config);
    return tile.dim < tiling_of(config)->least_dim
               ? 0
               : tile.bytes * tiling_of(config)->local_elements(&tile);
}

/* How often `need` fits into `limit`; at most `most`. A limit of 0 is none. */
static double fits(double limit, double need, double most)
{
    return limit > 0 && need > 0 ? fmin(most, floor(limit / need)) : most;
}

double gzi_gz2_resident(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_device *device = &model->device;
    double bytes = gzi_gz2_local_bytes(model, config), groups = device->blocks;
    double threads = product(config->threads, thread_dim(model, config));
    double warps = ceil(threads / device->warp), registers = model->stencil.registers;

    /* They are given to a thread eight at a time. */
    if (config->variant == GZI_GZ2_STREAM) {
        gzi_tile tile = tile_of(model, config);
        registers = tile.columns ? gzi_column_registers(&tile) : gzi_ring_registers(&tile);
        registers = 8 * ceil(registers / 8);
    }
    if (device->local_group > 0 && bytes > device->local_group)
        return 0;
    if (device->local_step > 0)
        bytes = ceil(bytes / device->local_step) * device->local_step;
    groups = fits(device->local_unit, bytes, groups);
    groups = fits(device->threads, warps * device->warp, groups);
    return fits(device->registers, warps * device->warp * registers, groups);
}

int gzi_gz2_lower_height(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    gzi_gz2_config lower = *config;
    for (lower.height = config->height - 1; lower.height > 0; lower.height--)
        if (gzi_gz2_resident(model, &lower) >= 1)
            break;
    return lower.height;
}

/* Trips of a group's threads over a block, less 2 `shrink` radii in every dimension in which it has
 * threads. */
static double trips(const gzi_gz2 *model, const gzi_gz2_config *config, int shrink)
{
    double n = 1;
    for (int i = 0; i < thread_dim(model, config); i++) {
        int cells = config->block[i] - 2 * model->stencil.radius[i] * shrink;
        n *= (cells + config->threads[i] - 1) / config->threads[i];
    }
    return n;
}

/* Cells of a block less 2 j radii in the dimensions from `from` on. */
static double shrunk(const gzi_gz2 *model, const gzi_gz2_config *config, int j, int from)
{
    double n = 1;
    for (int i = from; i < model->stencil.dim; i++)
        n *= config->block[i] - 2 * model->stencil.radius[i] * j;
    return n;
}

/* Cache lines written by requests for a row of `cells` cells by segments of `threads` neighbours,
 * each segment anywhere in its first line. Of the `mean` of several rows at most as many as these
 * have in the mean. */
static double lines(const gzi_gz2 *model, const gzi_gz2_config *config, int mean, double cells)
{
    double share = fmin(1, model->stencil.bytes / model->device.line);
    double segments = cells / config->threads[0];
    segments = mean ? fmax(1, segments) : ceil(segments);
    return segments * (1 - share) + cells * share;
}

/* What a stage touches, and what a run touches that is new in every loop, bytes. */
static double stage_bytes(const gzi_gz2 *model, double cells, double height)
{
    const gzi_gz2_stencil *s = &model->stencil;
    return s->bytes * cells * (1.0 + s->loaded + s->per_step * height);
}

/* Cells of a row of `cells` that are left over from whole groups of so many vectors. */
static double left_over(const gzi_gz2 *model, double cells, int vectors)
{
    double lanes = floor(model->device.vector / model->stencil.bytes);
    return lanes > 1 ? fmod(floor(cells), lanes * vectors) : 0;
}

/* Counts of a group that are the same for all tiles. */
typedef struct common {
    double load_trips, step_trips; /* trips that load, and that compute, of a stage */
    double warps;
    gzi_gz2_level stage, run;
    double level_trips[GZI_LEVELS]; /* of a plane of each level, of streamed tiles */
    int columns;                    /* whether theirs lie in registers */
    gzi_gz2_parameter dram;         /* the parameter of device memory */
    double strayed;                 /* share of the state in the caches that another core holds */
    double ahead;                   /* 1 - e, the share of its traffic that is fetched ahead */
    double short_share;             /* s, how far the tile's rows are short ones */
    int mean;                       /* whether tiles are means of several */
    const gzi_gz2_ready *ready;     /* where only seconds are needed; else NULL */
} common;

/* Trips of a streamed tile's threads over a plane of each level: of rows all that the first level
 * computes, across them what the level does. */
static void make_level_trips(const gzi_gz2 *model, const gzi_gz2_config *config, common *c)
{
    const int *radius = model->stencil.radius;
    double row = ceil((config->block[0] - 2.0 * radius[0]) / config->threads[0]);
    for (int k = 1; k <= config->height; k++)
        c->level_trips[k - 1] =
            model->stencil.dim < 3
                ? row
                : row * ceil((config->block[1] - 2.0 * radius[1] * k) / config->threads[1]);
}

/* 1 - e: the share of a tile's traffic with device memory that a prefetcher has fetched ahead. */
static double fetched_ahead(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double streams = 1.0 + s->loaded + (double)s->per_step * config->height;
    double row = s->bytes * (config->block[0] - 2.0 * s->radius[0] * config->height);
    if (config->variant != GZI_GZ2_TRAPEZOID || !gzi_gz2_is_core(model, config))
        return 0;
    for (int i = 1; i < s->dim; i++)
        streams *= config->block[i];
    return gzi_gz2_row_ahead(row).value * gzi_gz2_streams_ahead(streams).value;
}

/* s: how far a tile's rows are short ones, of which a byte from device memory takes longer. */
static double short_rows(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double row = s->bytes * (config->block[0] - 2.0 * s->radius[0] * config->height);
    if (config->variant != GZI_GZ2_TRAPEZOID || !gzi_gz2_is_core(model, config))
        return 0;
    return gzi_gz2_row_short(row, gzi_gz2_rows_apart(model, config)).value;
}

/* The most tiles that a CPU's runtime deals to a core at once, for each core. */
enum { DEAL_MOST = 32 };

/* Whether the runtime deals the tiles to a CPU's cores, stage by stage. */
static int is_dealt(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return model->device.warp == 1 && config->mode != GZI_GZ2_FENCES;
}

/* The share of what a core's tiles touch that another core took in the stage before, if there was
 * one: who comes first takes the next piece. */
static double strayed_share(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return is_dealt(model, config)
               ? (1 - 1.0 / model->device.units) * gzi_gz2_between(config, config->height)
               : 0;
}

static void make_common(const gzi_gz2 *model, const gzi_gz2_config *config,
                        const gzi_gz2_ready *ready, common *c)
{
    const gzi_gz2_stencil *s = &model->stencil;
    double cells = 1;

    memset(c, 0, offsetof(common, level_trips));
    c->ready = ready;
    c->mean = 0;
    c->columns = gzi_gz2_columns(model, config);
    c->dram = config->variant == GZI_GZ2_STREAM  ? GZI_GZ2_STREAM_DRAM
              : config->variant == GZI_GZ2_NAIVE ? GZI_GZ2_NAIVE_DRAM
                                                 : GZI_GZ2_DRAM;
    c->strayed = strayed_share(model, config);
    c->ahead = fetched_ahead(model, config);
    c->short_share = short_rows(model, config);
    if (config->variant == GZI_GZ2_STREAM)
        make_level_trips(model, config, c);
    for (int i = 0; i < s->dim; i++)
        cells *= (double)config->grid[i];
    c->load_trips = trips(model, config, 0) + s->per_step * trips(model, config, 1);
    if (config->variant == GZI_GZ2_NAIVE) {
        c->step_trips = trips(model, config, 0);
    } else {
        c->step_trips = config->height * trips(model, config, 1);
    }
    c->warps = ceil(product(config->threads, thread_dim(model, config)) / model->device.warp);
    c->stage = gzi_gz2_level_make(stage_bytes(model, cells, config->height),
                                  model->value[GZI_GZ2_CACHE], model->device.sharpness);
    if (s->per_step > 0)
        c->run = gzi_gz2_level_make(s->bytes * cells * (2.0 + config->loops),
                                    model->value[GZI_GZ2_CACHE], model->device.sharpness);
}

/* Device memory's traffic of a tile that commits `committed` cells, `computed` in all loops. */
static void count_memory(const gzi_gz2 *model, const common *c, double committed, double computed,
                         double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double x = s->bytes, moved = (s->loaded + 1.0) * committed;
    double read = s->per_step * computed;
    double bytes = x * (moved * c->stage.value + read * c->run.value);
    double longer = 1 + c->short_share * (GZI_GZ2_SHORT_TIMES - 1), rest = (1 - c->ahead) * longer;
    double tau = model->value[c->dram] * rest + model->value[GZI_GZ2_AHEAD_DRAM] * c->ahead;
    count[c->dram] = bytes * rest;
    count[GZI_GZ2_AHEAD_DRAM] = bytes * c->ahead;
    count[GZI_GZ2_CACHE] = tau * x * (moved * c->stage.by_cache + read * c->run.by_cache);
}

/* What it costs that a tile that commits `committed` cells is dealt to whichever core is free: the
 * old state and the new are in another one's caches, where there is room, or in the last cache. */
static void count_dealt(const gzi_gz2 *model, const common *c, double committed,
                        double count[GZI_GZ2_PARAMETERS])
{
    enum { STATES = 2 };
    double bytes = STATES * model->stencil.bytes * committed * c->strayed;
    count[GZI_GZ2_EXCHANGE] = bytes * (1 - c->stage.value);
    count[GZI_GZ2_CACHE] -= model->value[GZI_GZ2_EXCHANGE] * bytes * c->stage.by_cache;
}

/* What a streamed tile with columns in registers accesses in local memory, elements: its planes are
 * written, and cells outside the grid that follow from others copied, in every step; neighbours in
 * the cell's own plane are read, those in rows of the same thread's excepted, unless rows are
 * copied. */
static double column_accesses(const gzi_gz2 *model, const gzi_gz2_config *config,
                              const gzi_class *const tile[3])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *x = tile[0], *y = tile[1], *along = tile[s->dim - 1];
    int three = s->dim == 3;
    double arrays = along->loaded * (s->loaded - 1), held = x->held;
    double rows = three ? y->held : 1, row_copies = three ? y->copies : 0;
    double row_ends = three ? y->ends : 0;
    double copied = (held + x->copies) * (rows + row_copies) - held * rows;
    double copied_from = held * rows - (held - x->ends) * (rows - row_ends);
    double accesses = held * rows * (along->planes + arrays) +
                      (copied + copied_from) * (along->steps * config->height + arrays);
    double reads = fmax(0, s->reads - s->column_reads);

    for (int k = 0; k < config->height; k++) {
        double planes = along->level[k], row = x->level[k];
        double of_plane = three ? y->level[k] : 1;
        double beside = three ? y->beside[k] : 0;
        accesses += planes * row * fmax(0, of_plane * reads - beside);
    }
    return accesses;
}

/* As count_streamed, with columns in registers: what differs from rings. */
static void count_columns(const gzi_gz2 *model, const gzi_gz2_config *config, const common *c,
                          const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *along = tile[s->dim - 1];
    double planes = along->loaded, steps = along->steps, issued = 0, x = s->bytes;
    double per_row = own_columns(config, 0);

    for (int k = 0; k < config->height; k++)
        issued +=
            along->level[k] * per_row * (s->dim == 3 ? tile[1]->level[k] / config->threads[1] : 1);
    count[GZI_GZ2_LOAD] = 1 + s->per_step * planes;
    count[GZI_GZ2_BARRIER] = count[GZI_GZ2_BARRIER_WARP] = count[GZI_GZ2_CHAIN] = 0;
    double barrier =
        model->value[GZI_GZ2_BARRIER] + model->value[GZI_GZ2_BARRIER_WARP] * (c->warps - 1);
    if (model->value[GZI_GZ2_LOAD] * (planes - 1) >
        barrier * steps + model->value[GZI_GZ2_CHAIN] * along->planes) {
        count[GZI_GZ2_LOAD] += planes - 1;
    } else {
        count[GZI_GZ2_BARRIER] = steps;
        count[GZI_GZ2_BARRIER_WARP] = steps * (c->warps - 1);
        count[GZI_GZ2_CHAIN] = along->planes;
    }
    count[GZI_GZ2_ISSUE] = issued * c->warps;
    count[GZI_GZ2_SHARED] = x * column_accesses(model, config, tile);
}

/* Vectors that a streamed tile's rows are computed by at once: what compilers unroll them to. */
enum { STREAM_VECTORS = 4 };

/* As count_tile, of a streamed tile of these classes. */
static void count_streamed(const gzi_gz2 *model, const gzi_gz2_config *config, const common *c,
                           const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    const gzi_class *along = tile[s->dim - 1];
    int read = s->per_step;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded, loaded = tile[0]->loaded * loaded_rows;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = s->loaded, x = s->bytes;
    double rows = 0, cells = 0, computing = 0, rest = 0;
    double barriers = along->walked + along->planes;

    for (int k = 0; k < config->height; k++) {
        double row = tile[0]->level[k];
        double rows_of_level = tile[1]->level[k] * (s->dim == 3 ? tile[2]->level[k] : 1);
        computing += along->level[k] * c->level_trips[k];
        rows += rows_of_level;
        cells += row * rows_of_level;
        rest += left_over(model, row, STREAM_VECTORS) * rows_of_level;
    }
    count[GZI_GZ2_STREAM_COPY] = x * a * loaded;
    count[GZI_GZ2_STREAM_CELL] = cells;
    count[GZI_GZ2_STREAM_REST] = rest;
    count[GZI_GZ2_STREAM_ROWS] = sqrt(s->reads) * (rows + a * loaded_rows);
    count[GZI_GZ2_GROUP] = 1;
    count[GZI_GZ2_LOAD] =
        along->loaded * (trips(model, config, 0) + read * trips(model, config, 1));
    count[GZI_GZ2_BARRIER] = barriers;
    count[GZI_GZ2_BARRIER_WARP] = barriers * (c->warps - 1);
    count[GZI_GZ2_LINE] = committed_rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_SHARED] = x * (a * loaded + committed + cells * (s->reads + 1.0));
    count[GZI_GZ2_L2] = x * (a * loaded + committed + read * cells);
    count[GZI_GZ2_CHAIN] = computing;
    count[GZI_GZ2_ISSUE] = computing * c->warps;
    count_memory(model, c, committed, cells, count);
    count_dealt(model, c, committed, count);
    if (c->columns)
        count_columns(model, config, c, tile, count);
}

/* As count_tile, of a block without local memory: the state's neighbours are read once, since the
 * first-level cache has them for the others. */
static void count_naive(const gzi_gz2 *model, const gzi_gz2_config *config, const common *c,
                        const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double rows = tile[1]->committed * tile[2]->committed, cells = tile[0]->committed * rows;
    double loaded = tile[0]->loaded * tile[1]->loaded * tile[2]->loaded;
    int read = s->loaded - 1 + s->per_step;

    count[GZI_GZ2_NAIVE_CELL] = cells;
    count[GZI_GZ2_NAIVE_ROWS] = sqrt(s->reads) * rows;
    count[GZI_GZ2_GROUP] = 1;
    count[GZI_GZ2_LOAD] = (1 + s->per_step) * c->step_trips;
    count[GZI_GZ2_LINE] = rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_L2] = s->bytes * (loaded + (read + 1) * cells);
    count[GZI_GZ2_CHAIN] = c->step_trips;
    count[GZI_GZ2_ISSUE] = c->step_trips * c->warps;
    count_memory(model, c, cells, cells, count);
    count_dealt(model, c, cells, count);
}

/* What is counted of one tile, by parameter: the model is the sum of value times count in each
 * term. Counts of latency are of one group, not yet over R. CACHE's is d time / d C. */
static void count_tile(const gzi_gz2 *model, const gzi_gz2_config *config, const common *c,
                       const gzi_class *const tile[3], double count[GZI_GZ2_PARAMETERS])
{
    const gzi_gz2_stencil *s = &model->stencil;
    double loaded_rows = tile[1]->loaded * tile[2]->loaded;
    double computed_rows = tile[1]->computed * tile[2]->computed;
    double committed_rows = tile[1]->committed * tile[2]->committed;
    double committed = tile[0]->committed * committed_rows, a = s->loaded, h = config->height;
    double loaded = tile[0]->loaded * loaded_rows;
    double steps = h * tile[0]->computed * computed_rows, x = s->bytes;
    int read = s->per_step;

    double words = gzi_gz2_words(s);

    count[GZI_GZ2_COPY_CELL] = words * (a * loaded + committed);
    count[GZI_GZ2_COPY_ROW] = a * loaded_rows + committed_rows;
    count[GZI_GZ2_COPY_EDGE] = a * tile[0]->outside * loaded_rows;
    if (s->clears && config->mode != GZI_GZ2_FENCES) {
        count[GZI_GZ2_COPY_CELL] +=
            GZI_GZ2_CLEARING * words * (shrunk(model, config, 0, 0) - shrunk(model, config, 1, 0));
        count[GZI_GZ2_COPY_ROW] += GZI_GZ2_CLEARING * shrunk(model, config, 0, 1);
    }
    count[GZI_GZ2_GROUP] = 1;
    count[GZI_GZ2_LOAD] = c->load_trips;
    count[GZI_GZ2_BARRIER] = h;
    count[GZI_GZ2_BARRIER_WARP] = h * (c->warps - 1);
    count[GZI_GZ2_LINE] = committed_rows * lines(model, config, c->mean, tile[0]->committed);
    count[GZI_GZ2_SHARED] = x * (a * loaded + committed + steps * (s->reads + 1.0));
    count[GZI_GZ2_L2] = x * (a * loaded + committed + read * steps);
    count[GZI_GZ2_CELL] = steps;
    count[GZI_GZ2_REST] = c->mean ? 0 : h * left_over(model, tile[0]->computed, 1) * computed_rows;
    count[GZI_GZ2_CHAIN] = c->step_trips;
    count[GZI_GZ2_ISSUE] = c->step_trips * c->warps;
    count_memory(model, c, committed, steps, count);
    count_dealt(model, c, committed, count);
}

/* A tile's u(R) alone. */
static double group_seconds(const gzi_gz2_ready *ready, const double count[GZI_GZ2_PARAMETERS],
                            double resident)
{
    double term[GZI_GZ2_TERMS + 1] = {0};
    for (int k = 0; k < ready->used; k++)
        term[ready->of[k].term] +=
            ready->model.value[ready->of[k].parameter] * count[ready->of[k].parameter];
    term[GZI_GZ2_LATENCY] /= resident;
    return gzi_gz2_norm_value(term, ready->model.value[GZI_GZ2_NORM]);
}

/* A tile's u(R), its norm's derivatives in `norm`. */
static double group_time(const gzi_gz2 *model, const double count[GZI_GZ2_PARAMETERS],
                         double resident, gzi_gz2_norm *norm)
{
    double term[GZI_GZ2_TERMS + 1] = {0};
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        if (j != GZI_GZ2_CACHE && j != GZI_GZ2_NORM)
            term[gzi_gz2_term_of((gzi_gz2_parameter)j)] += model->value[j] * count[j];
    term[GZI_GZ2_SYNC] = 0;
    term[GZI_GZ2_LATENCY] /= resident;
    gzi_gz2_norm_make(term, model->value[GZI_GZ2_NORM], norm);
    return norm->value;
}

/* Adds `weight` such groups to the prediction of a stage. */
static void add_groups(const gzi_gz2 *model, const double count[GZI_GZ2_PARAMETERS],
                       double resident, double weight, gzi_gz2_prediction *out)
{
    gzi_gz2_norm norm;
    out->seconds += weight * group_time(model, count, resident, &norm);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        if (j == GZI_GZ2_CACHE || j == GZI_GZ2_NORM)
            continue;
        gzi_gz2_term term = gzi_gz2_term_of((gzi_gz2_parameter)j);
        double part = term == GZI_GZ2_LATENCY ? count[j] / resident : count[j];
        if (term != GZI_GZ2_SYNC)
            out->slope[j] += weight * norm.by[term] * part;
    }
    out->slope[GZI_GZ2_CACHE] += weight * count[GZI_GZ2_CACHE];
    out->slope[GZI_GZ2_NORM] += weight * norm.by_p;
}

/* Workers that are looked at one by one; more are averaged over. */
enum { EXACT_WORKERS = 32 };

/* Tiles of each remainder modulo W, by class of each axis. */
typedef struct shifts {
    double of[3][GZI_CLASSES][EXACT_WORKERS];
} shifts;

static void make_shifts(const gzi_geometry *g, int workers, shifts *out)
{
    long stride = 1;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < g->axis[i].classes; c++)
            gzi_remainders(g->axis[i].of[c].first, g->axis[i].of[c].tiles, stride, workers,
                           out->of[i][c]);
        stride = stride * (g->axis[i].tiles % workers) % workers;
    }
}

/* How many tiles of the classes (x, y, z) each worker has: a cyclic convolution of the axes'. */
static void convolve(const shifts *s, int workers, int x, int y, int z, double *tiles)
{
    double plane[EXACT_WORKERS] = {0};
    for (int i = 0; i < workers; i++)
        for (int j = 0; s->of[2][z][i] > 0 && j < workers; j++)
            plane[(i + j) % workers] += s->of[2][z][i] * s->of[1][y][j];
    memset(tiles, 0, (size_t)workers * sizeof *tiles);
    for (int i = 0; i < workers; i++)
        for (int j = 0; plane[i] > 0 && j < workers; j++)
            tiles[(i + j) % workers] += plane[i] * s->of[0][x][j];
}

/* Calls for every class of tiles. */
#define EACH_CLASS(g, x, y, z)                                                                     \
    for (int z = 0; z < (g)->axis[2].classes; z++)                                                 \
        for (int y = 0; y < (g)->axis[1].classes; y++)                                             \
            for (int x = 0; x < (g)->axis[0].classes; x++)

/* What is counted of a tile of the classes x, y, z. */
static void count_class(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                        const common *c, int x, int y, int z, double count[GZI_GZ2_PARAMETERS])
{
    const gzi_class *tile[3] = {&g->axis[0].of[x], &g->axis[1].of[y], &g->axis[2].of[z]};
    switch (config->variant) {
    case GZI_GZ2_TRAPEZOID:
        count_tile(model, config, c, tile, count);
        break;
    case GZI_GZ2_STREAM:
        count_streamed(model, config, c, tile, count);
        break;
    case GZI_GZ2_NAIVE:
        count_naive(model, config, c, tile, count);
        break;
    }
}

/* The time of a tile of each class. */
typedef struct class_times {
    double of[GZI_CLASSES][GZI_CLASSES][GZI_CLASSES];
} class_times;

static void time_classes(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                         const common *c, class_times *u)
{
    double count[GZI_GZ2_PARAMETERS] = {0};
    gzi_gz2_norm norm;
    EACH_CLASS(g, x, y, z)
    {
        count_class(model, config, g, c, x, y, z, count);
        u->of[z][y][x] =
            c->ready ? group_seconds(c->ready, count, 1) : group_time(model, count, 1, &norm);
    }
}

/* Adds `tiles` tiles of a class, one after the other, to the prediction of a stage. */
static void add_class(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                      const common *c, const class_times *u, const int class[3], double tiles,
                      gzi_gz2_prediction *out)
{
    double count[GZI_GZ2_PARAMETERS] = {0};
    if (c->ready) {
        out->seconds += tiles * u->of[class[2]][class[1]][class[0]];
        return;
    }
    count_class(model, config, g, c, class[0], class[1], class[2], count);
    add_groups(model, count, 1, tiles, out);
}

/* The time of the tiles with numbers from `from` to before `end`. */
static double range_time(const gzi_geometry *g, const class_times *u, double from, double end)
{
    double sum = 0;
    EACH_CLASS(g, x, y, z)
    {
        const int class[3] = {x, y, z};
        sum += u->of[z][y][x] *
               (gzi_geometry_before(g, class, end) - gzi_geometry_before(g, class, from));
    }
    return sum;
}

/* Groups of several threads take tiles w, w + W, w + 2 W, ... by fences. */
static void cyclic(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                   const common *c, int workers, gzi_gz2_prediction *out)
{
    static const class_times none;
    shifts s;
    class_times u = none;
    double busy[EXACT_WORKERS] = {0}, tiles[EXACT_WORKERS];
    int busiest = 0;

    make_shifts(g, workers, &s);
    time_classes(model, config, g, c, &u);
    EACH_CLASS(g, x, y, z)
    {
        convolve(&s, workers, x, y, z, tiles);
        for (int w = 0; w < workers; w++)
            busy[w] += tiles[w] * u.of[z][y][x];
    }
    for (int w = 1; w < workers; w++)
        if (busy[w] > busy[busiest])
            busiest = w;
    EACH_CLASS(g, x, y, z)
    {
        convolve(&s, workers, x, y, z, tiles);
        if (tiles[busiest] > 0)
            add_class(model, config, g, c, &u, (const int[]){x, y, z}, tiles[busiest], out);
    }
}

/* A part of a stage's tiles, which a worker takes at once. */
typedef struct piece {
    int worker;
    double from, end;
} piece;

/* Pieces of a stage are at most these: more would be many tiles for each worker, which then all
 * have as much to do. */
enum { PIECES = 16 * EXACT_WORKERS };

/* By fences, a core takes a W-th of the tiles, in order. */
static int equal_pieces(double tiles, int workers, piece *pieces, double *busy,
                        const gzi_geometry *g, const class_times *u)
{
    for (int w = 0; w < workers; w++) {
        pieces[w] = (piece){w, floor(w * tiles / workers), floor((w + 1) * tiles / workers)};
        busy[w] = range_time(g, u, pieces[w].from, pieces[w].end);
    }
    return workers;
}

/* By restarts, the runtime deals the tiles out: whoever is free takes a W-th of what is left, 32 W
 * at most [guided self-scheduling, Polychronopoulos and Kuck 1987; as PoCL does up to 256 W^2
 * tiles]. -1: too many pieces. */
static int guided_pieces(double tiles, int workers, piece *pieces, double *busy,
                         const gzi_geometry *g, const class_times *u)
{
    int n = 0;
    for (double from = 0; from < tiles; n++) {
        int first = 0;
        if (n == PIECES)
            return -1;
        for (int w = 1; w < workers; w++)
            if (busy[w] < busy[first])
                first = w;
        double take = fmin(ceil((tiles - from) / workers), (double)DEAL_MOST * workers);
        pieces[n] = (piece){first, from, from + take};
        busy[first] += range_time(g, u, from, from + take);
        from += take;
    }
    return n;
}

/* The busiest of the cores that take tiles in pieces. 0, or -1 if there are too many. */
static int in_pieces(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                     const common *c, int workers, gzi_gz2_prediction *out)
{
    static const class_times none;
    piece pieces[PIECES];
    class_times u = none;
    double busy[EXACT_WORKERS] = {0};
    int busiest = 0, n;

    /* Not worth the search: each worker has many tiles, and the last are dealt out one by one. */
    if (config->mode != GZI_GZ2_FENCES && g->tiles > (double)PIECES * workers)
        return -1;
    time_classes(model, config, g, c, &u);
    n = (config->mode == GZI_GZ2_FENCES ? equal_pieces : guided_pieces)(g->tiles, workers, pieces,
                                                                        busy, g, &u);
    for (int w = 1; w < workers; w++)
        if (busy[w] > busy[busiest])
            busiest = w;
    EACH_CLASS(g, x, y, z)
    {
        const int class[3] = {x, y, z};
        double tiles = 0;
        for (int k = 0; k < n; k++)
            if (pieces[k].worker == busiest)
                tiles += gzi_geometry_before(g, class, pieces[k].end) -
                         gzi_geometry_before(g, class, pieces[k].from);
        if (tiles > 0)
            add_class(model, config, g, c, &u, class, tiles, out);
    }
    return n < 0 ? -1 : 0;
}

/* f whole waves of M R groups, and a last one of R' a unit, of groups that are the mean of all:
 * f R u(R) + R' u(R'). */
static void waves(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                  const common *c, gzi_gz2_prediction *out)
{
    double units = model->device.units, resident = out->resident;
    double full = floor(g->tiles / (units * resident));
    double last = ceil((g->tiles - full * units * resident) / units);
    double count[GZI_GZ2_PARAMETERS] = {0};

    EACH_CLASS(g, x, y, z)
    {
        double share = (double)g->axis[0].of[x].tiles * (double)g->axis[1].of[y].tiles *
                       (double)g->axis[2].of[z].tiles / g->tiles;
        count_class(model, config, g, c, x, y, z, count);
        if (c->ready) {
            double u = full > 0 ? group_seconds(c->ready, count, resident) : 0;
            double end = full > 0 && last == resident ? u : 0;
            if (last > 0 && !(end > 0))
                end = group_seconds(c->ready, count, last);
            out->seconds += full * resident * share * u;
            out->seconds += last * share * end;
            continue;
        }
        if (full > 0)
            add_groups(model, count, resident, full * resident * share, out);
        if (last > 0)
            add_groups(model, count, last, last * share, out);
    }
}

/* What a stage's synchronisation counts. */
static void count_sync(const gzi_gz2 *model, const gzi_gz2_config *config, gzi_gz2_prediction *out)
{
    double groups = fmin(out->tiles, model->device.units * out->resident);
    double between = gzi_gz2_between(config, config->height);
    switch (config->mode) {
    case GZI_GZ2_RESTARTS:
        out->slope[GZI_GZ2_LAUNCH] = between;
        break;
    case GZI_GZ2_GRAPHS:
        out->slope[GZI_GZ2_GRAPH] = between;
        break;
    case GZI_GZ2_FENCES:
        /* One group waits for nobody. */
        out->slope[GZI_GZ2_FENCE] = groups > 1 ? between : 0;
        out->slope[GZI_GZ2_RUN_FENCE] = 1 - between;
        break;
    }
    out->slope[GZI_GZ2_RUN] = 1 - between;
    for (int j = GZI_GZ2_LAUNCH; j <= GZI_GZ2_RUN_FENCE; j++)
        out->seconds += model->value[j] * out->slope[j];
}

/* Whether each worker is looked at on its own. A group of one thread is a CPU's core. */
static int one_by_one(const gzi_gz2 *model, const gzi_gz2_config *config, double resident,
                      double workers)
{
    return !(resident > 1) && workers <= EXACT_WORKERS &&
           (config->mode == GZI_GZ2_FENCES || gzi_gz2_is_core(model, config));
}

/* The body of a stage: who takes which tiles. */
static void share_out(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_geometry *g,
                      const common *c, gzi_gz2_prediction *out)
{
    int workers = (int)fmin(model->device.units, g->tiles), done = 0;
    if (one_by_one(model, config, out->resident, workers)) {
        done = 1;
        if (gzi_gz2_is_core(model, config))
            done = in_pieces(model, config, g, c, workers, out) == 0;
        else
            cyclic(model, config, g, c, workers, out);
    }
    if (!done)
        waves(model, config, g, c, out);
}

/* A stage's time in out->seconds, with `ready`; without, its slopes, too. */
static gzi_gz2_status predict_stage(const gzi_gz2 *model, const gzi_gz2_config *config,
                                    const gzi_gz2_ready *ready, gzi_gz2_prediction *out)
{
    gzi_geometry geometry;
    common c;

    memset(out, 0, sizeof *out);
    gzi_tile tile = tile_of(model, config);
    if (gzi_geometry_make(tiling_of(config), &tile, &geometry))
        return GZI_GZ2_HEIGHT;
    out->local_bytes = gzi_gz2_local_bytes(model, config);
    out->resident = gzi_gz2_resident(model, config);
    out->tiles = geometry.tiles;
    if (!(out->resident >= 1))
        return GZI_GZ2_ROOM;
    make_common(model, config, ready, &c);
    count_sync(model, config, out);
    share_out(model, config, &geometry, &c, out);
    out->seconds /= config->height;
    return GZI_GZ2_OK;
}

gzi_gz2_status gzi_gz2_predict(const gzi_gz2 *model, const gzi_gz2_config *config,
                               gzi_gz2_prediction *out)
{
    gzi_gz2_status status = predict_stage(model, config, NULL, out);
    if (status != GZI_GZ2_OK)
        return status;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        out->slope[j] /= config->height;
        if (j != GZI_GZ2_CACHE && j != GZI_GZ2_NORM)
            out->share[j] = model->value[j] * out->slope[j];
    }
    return GZI_GZ2_OK;
}

/* ------------------------------------------------------------------------ many of them, for
 * searches */

void gzi_gz2_make_ready(const gzi_gz2 *model, gzi_gz2_ready *out)
{
    out->model = *model;
    out->used = 0;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        gzi_gz2_term term = gzi_gz2_term_of((gzi_gz2_parameter)j);
        if (model->value[j] != 0 && term != GZI_GZ2_SYNC && term != GZI_GZ2_TERMS) {
            out->of[out->used].parameter = (unsigned char)j;
            out->of[out->used++].term = (unsigned char)term;
        }
    }
}

gzi_gz2_status gzi_gz2_seconds(const gzi_gz2_ready *ready, const gzi_gz2_config *config,
                               double *seconds)
{
    gzi_gz2_prediction p;
    gzi_gz2_status status = predict_stage(&ready->model, config, ready, &p);
    *seconds = p.seconds;
    return status;
}

/* The mean tile at the configuration's height, or the least at any from `low` on, and the number of
 * tiles at the largest; -1 if there is none. */
static int make_mean(const gzi_gz2 *model, const gzi_gz2_config *config, int low,
                     gzi_geometry *geometry, double *most)
{
    gzi_tile tile = tile_of(model, config);
    tile.height = low;
    geometry->tiles = *most = 1;
    for (int i = 0; i < 3; i++) {
        if (i >= tile.dim) {
            gzi_axis_none(&geometry->axis[i]);
            continue;
        }
        int radius = tile.radius[i];
        if (config->variant == GZI_GZ2_NAIVE) {
            /* What it reads, a cell's radius wider, is what a tile of one loop loads. */
            tile.block[i] += 2 * radius;
            if (tile.edge[i] != GZI_EDGE_PERIODIC)
                tile.edge[i] = GZI_EDGE_ZERO;
        }
        long step = tile.block[i] - 2L * radius * config->height;
        if (step < 1)
            return -1;
        if (low < config->height)
            gzi_axis_least(&tile, i, config->height, &geometry->axis[i]);
        else
            gzi_axis_mean(&tile, i, &geometry->axis[i]);
        geometry->tiles *= (double)geometry->axis[i].tiles;
        *most *= (double)((tile.size[i] - 1) / step + 1);
    }
    return 0;
}

double gzi_gz2_bound(const gzi_gz2_ready *ready, const gzi_gz2_config *config, int low)
{
    const gzi_gz2 *model = &ready->model;
    const gzi_gz2_stencil *s = &model->stencil;
    double count[GZI_GZ2_PARAMETERS] = {0}, most, workers, cells = 1;
    int several = low < config->height;
    gzi_gz2_prediction p;
    gzi_geometry mean;
    common c;

    /* Rows that are fetched ahead do not grow with the height. */
    if (config->variant == GZI_GZ2_STREAM || (several && gzi_gz2_is_core(model, config)))
        return 0;
    memset(&p, 0, sizeof p);
    p.resident = gzi_gz2_resident(model, config);
    if (!(p.resident >= 1) || (config->variant == GZI_GZ2_NAIVE && config->height != 1) ||
        make_mean(model, config, low, &mean, &most))
        return (double)INFINITY;
    p.tiles = mean.tiles;
    make_common(model, config, ready, &c);
    c.mean = 1;
    if (several && s->per_step > 0) {
        for (int i = 0; i < s->dim; i++)
            cells *= (double)config->grid[i];
        c.stage = gzi_gz2_level_make(stage_bytes(model, cells, low), model->value[GZI_GZ2_CACHE],
                                     model->device.sharpness);
        c.strayed = 0; /* what the caches hold falls with the height */
    }
    count_sync(model, config, &p);
    workers = fmin(model->device.units, most);
    if (mean.tiles < most || one_by_one(model, config, p.resident, workers)) {
        count_class(model, config, &mean, &c, 0, 0, 0, count);
        p.seconds += mean.tiles / workers * group_seconds(ready, count, p.resident);
    } else {
        waves(model, config, &mean, &c, &p);
    }
    return p.seconds / config->height;
}
