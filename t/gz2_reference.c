/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_reference.h"

#include "tap.h"
#include "tile_reference.h"

#include <stdlib.h>

static gzi_tile tile_of(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return gzi_tile_make(&model->stencil, &config->way, config->grid, model->device.warp == 1);
}

static int fields_of(const gz_shape *s)
{
    return s->fields > 1 ? s->fields : 1;
}

static int loaded_of(const gz_shape *s)
{
    return s->arrays + s->older + fields_of(s);
}

static int reads_of(const gz_shape *s)
{
    return s->reads.state + s->reads.arrays;
}

/* What a tile commits, arrays. */
static int states_of(const gz_shape *s)
{
    return s->older ? 2 : fields_of(s);
}

int gz2_is_merged(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    static gzi_geometry g;
    const gzi_tile tile = tile_of(model, config);
    gzi_geometry_make(gzi_tiling_of(config->variant), &tile, &g);
    return g.axis[0].merged || g.axis[1].merged || g.axis[2].merged;
}

/* Random edges: padded in all dimensions, or others in each. */
static void random_edges(unsigned long long *state, gzi_edge edge[3])
{
    for (int i = 0; i < 3; i++)
        edge[i] = (gzi_edge)gz2_whole(state, 0, 2);
}

/* ceil(cells / threads) in every dimension. */
static long double trips_of(const gzi_gz2 *model, const gzi_gz2_config *config, int shrink)
{
    long double n = 1;
    for (int i = 0; i < model->stencil.dim; i++)
        n *= ceill((long double)(config->block[i] - 2 * shrink * model->stencil.radius[i]) /
                   config->threads[i]);
    return n;
}

static long double leaves_cache(const gzi_gz2 *model, const long double *value, long double bytes)
{
    return 1 / (1 + powl(value[GZI_GZ2_EFFECTIVE_CACHE] / bytes, model->device.sharpness));
}

/* The share of a run's stages that come after another: all but one, of loops / h. */
static long double later_stages(const gzi_gz2_config *config)
{
    long double first = config->height * (long double)config->run_share;
    return first < 1 ? 1 - first : 0;
}

/* What restarts pay in later stages for each byte of two states that another core's cache holds,
 * since the runtime deals the tiles out anew. */
static long double exchange_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                                 const long double *v, long double bytes, long double stage)
{
    long units = model->device.units;
    if (model->device.warp > 1 || config->sync == GZ_SYNC_FENCE)
        return 0;
    return v[GZI_GZ2_CORE_EXCHANGE] * 2 * bytes * (1 - leaves_cache(model, v, stage)) *
           (units - 1) / units * later_stages(config);
}

/* Cells of a row that are left over from whole groups of vectors, counted off. */
static long double rest_of(const gzi_gz2 *model, double cells, int vectors)
{
    double lanes = vectors * floor(model->device.vector / model->stencil.bytes);
    if (lanes <= vectors)
        return 0;
    while (lanes > 1 && cells >= lanes)
        cells -= lanes;
    return lanes > 1 ? cells : 0;
}

/* The share of a trapezoid's traffic with device memory that no prefetcher has fetched ahead: of
 * long rows, of many streams, and everywhere but on a core of a CPU. */
static long double waited_for(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gz_shape *s = &model->stencil;
    long double row = s->bytes * (config->block[0] - 2.0L * s->radius[0] * config->height);
    long double streams = loaded_of(s) + states_of(s) + s->step_arrays * config->height,
                threads = 1;
    for (int i = 0; i < s->dim; i++) {
        streams *= i > 0 ? config->block[i] : 1;
        threads *= config->threads[i];
    }
    if (model->device.warp > 1 || threads > 1)
        return 1;
    return 1 - 1 / ((1 + powl(row / 8192, 2)) * (1 + powl(streams / 10, 8)));
}

/* How far the rows of a core's tile are short ones, each in a page of 4 KiB of its own. */
static long double short_row(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    long double row = model->stencil.bytes *
                      (config->block[0] - 2.0L * model->stencil.radius[0] * config->height);
    long double next = model->stencil.bytes * (long double)config->grid[0];
    for (int i = 0; i < model->stencil.dim; i++)
        if (config->threads[i] > 1)
            return 0;
    if (model->device.warp > 1 || model->stencil.dim < 2)
        return 0;
    return fminl(1, next / 4096) / (1 + powl(row / 128, 2));
}

/* Bytes that a tile exchanges with device memory, if `again` cells are read twice unless the cache
 * holds two layers of blocks. */
static long double memory_bytes(const gzi_gz2 *model, const gzi_gz2_config *config,
                                const long double *v, long double committed, long double cells,
                                long double again)
{
    const gz_shape *s = &model->stencil;
    long double x = s->bytes, a = loaded_of(s), n = 1, layer = config->block[s->dim - 1];
    for (int i = 0; i < s->dim; i++) {
        n *= config->grid[i];
        layer *= i < s->dim - 1 ? config->grid[i] : 1;
    }
    int naive = config->variant == GZ_VARIANT_NAIVE, states = states_of(s), fields = fields_of(s);
    /* What is read, and where else states are written to. */
    long double stage =
        x * n * (a + (naive ? fields - s->older : states) + s->step_arrays * config->height);
    long double run = x * n * (2 * fields + (long double)config->loops);
    long double layers = 2 * layer * x * (a + fields + s->step_arrays), bytes = 0;
    bytes += (a + (naive ? fields : states)) * committed * leaves_cache(model, v, stage);
    if (s->step_arrays)
        bytes += s->step_arrays * cells * leaves_cache(model, v, run);
    if (again > 0)
        bytes += again * leaves_cache(model, v, layers);
    return x * bytes;
}

static long double stage_bytes(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gz_shape *s = &model->stencil;
    long double written =
        config->variant == GZ_VARIANT_NAIVE ? fields_of(s) - s->older : states_of(s);
    long double n = s->bytes * (written + loaded_of(s) + s->step_arrays * config->height);
    for (int i = 0; i < s->dim; i++)
        n *= config->grid[i];
    return n;
}

/* What a tile holds, cells; `rows` without dimension 0. */
struct cells {
    long double loaded, committed, computed, loaded_rows, committed_rows, computed_rows, rest;
};

static struct cells cells_of(const gzi_gz2 *model, const gzi_gz2_config *config,
                             const counted_tile *t)
{
    struct cells c = {.loaded_rows = t->loaded[1] * t->loaded[2],
                      .committed_rows = t->committed[1] * t->committed[2]};
    c.loaded = t->loaded[0] * c.loaded_rows;
    c.committed = t->committed[0] * c.committed_rows;
    for (int j = 0; j < config->height; j++) {
        int level = config->variant == GZ_VARIANT_STREAM ? j : 0;
        long double rows = 1;
        for (int i = 1; i < model->stencil.dim; i++)
            rows *= t->level[i][level];
        if (config->variant == GZ_VARIANT_NAIVE)
            rows = c.committed_rows;
        double row = config->variant == GZ_VARIANT_NAIVE ? t->committed[0] : t->level[0][level];
        c.computed_rows += rows;
        c.computed += rows * row;
        c.rest += rows * rest_of(model, row, config->variant == GZ_VARIANT_STREAM ? 4 : 1);
    }
    return c;
}

/* u of a tile on a CPU's core. */
static long double core_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                             const long double *v, const counted_tile *t)
{
    const gz_shape *s = &model->stencil;
    const struct cells c = cells_of(model, config, t);
    long double x = s->bytes, a = loaded_of(s), root = sqrtl(reads_of(s)), work, tau;
    long double states = states_of(s);
    int streamed = config->variant == GZ_VARIANT_STREAM,
        tiled = config->variant == GZ_VARIANT_TRAPEZOID;

    if (tiled) {
        work = v[GZI_GZ2_COPY_CELL] * x / 4 * (a * c.loaded + states * c.committed) +
               v[GZI_GZ2_COPY_ROW] * (a * c.loaded_rows + states * c.committed_rows) +
               v[GZI_GZ2_COPY_EDGE] * a * t->outside[0] * c.loaded_rows +
               v[GZI_GZ2_CELL_TIME] * c.computed + v[GZI_GZ2_REST_TIME] * c.rest;
    } else if (streamed) {
        work = v[GZI_GZ2_STREAM_COPY] * x * a * c.loaded +
               v[GZI_GZ2_STREAM_CELL_TIME] * c.computed + v[GZI_GZ2_STREAM_REST_TIME] * c.rest +
               v[GZI_GZ2_STREAM_ROW] * root * (c.computed_rows + a * c.loaded_rows);
    } else {
        work =
            v[GZI_GZ2_NAIVE_CELL_TIME] * c.computed + v[GZI_GZ2_NAIVE_ROW] * root * c.computed_rows;
    }
    if (tiled && config->sync != GZ_SYNC_FENCE) {
        long double whole = 1, inner = 1;
        for (int i = 0; i < s->dim; i++) {
            whole *= config->block[i];
            inner *= config->block[i] - 2 * s->radius[i];
        }
        work += (v[GZI_GZ2_COPY_CELL] * x / 4 * (whole - inner) +
                 v[GZI_GZ2_COPY_ROW] * whole / config->block[0]) /
                2;
    }
    long double waited = waited_for(model, config), in_short = short_row(model, config);
    if (tiled)
        tau = v[GZI_GZ2_EFFECTIVE_BANDWIDTH] * waited * (1 - in_short + 3 * in_short) +
              v[GZI_GZ2_AHEAD_BANDWIDTH] * (1 - waited);
    else
        tau = v[streamed ? GZI_GZ2_STREAM_BANDWIDTH : GZI_GZ2_NAIVE_BANDWIDTH];
    return work + tau * memory_bytes(model, config, v, c.committed, c.computed, 0) +
           exchange_time(model, config, v, states * x * c.committed, stage_bytes(model, config));
}

/* Of the elements that a cell reads, the state's, at most. */
static long state_reads(const gz_shape *s)
{
    long most = 1;
    for (int i = 0; i < s->dim; i++)
        most = s->reads.own_column ? most + 2 * s->radius[i] : most * (2 * s->radius[i] + 1);
    most *= fields_of(s);
    return reads_of(s) < most ? reads_of(s) : most;
}

/* Rows of a ring's plane that a thread computes together: at most four that it has, and that are
 * committed, while what they read of a plane takes less than half of the registers but 16, of 65536
 * for four warps at a time. */
static long rows_together(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gz_shape *s = &model->stencil;
    long n = 1, r = s->radius[1],
         four_warps = (config->threads[0] * config->threads[1] + 127) / 128;
    long registers = 65536 / (four_warps * 128) / 8 * 8;
    for (long next = 2; s->dim == 3 && next <= 4; next *= 2) {
        int held = next * config->threads[1] < config->block[1] + config->threads[1] &&
                   next <= config->block[1] - 2 * r * config->height;
        long double words = (long double)(s->bytes / 4 * state_reads(s) * (2 * r + next)) /
                            ((2 * s->radius[2] + 1) * (2 * r + 1));
        if (!held || 2 * words >= (registers > 255 ? 255 : registers) - 16)
            break;
        n = next;
    }
    return n;
}

/* Of what a cell reads, what the cell before it along a dimension of radius r reads, too. */
static long double common_reads(const gz_shape *s, int r)
{
    long double state = state_reads(s);
    long double beside = 2 * r * fields_of(s);
    return !s->reads.own_column ? state * 2 * r / (2 * r + 1)
           : state - 1 < beside ? state - 1
                                : beside;
}

/* Elements that a thread without local memory reads for a cell: of at most eight of its cells along
 * the last dimension together, unless they have too few registers. */
static long double naive_reads(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gz_shape *s = &model->stencil;
    int last = s->dim - 1, together = 8;
    long threads = 1, own = config->block[last] / config->threads[last];
    long double common = common_reads(s, s->radius[last]);
    for (int i = 0; i <= last; i++)
        threads *= config->threads[i];
    if (last == 0 || own * config->threads[last] != config->block[last] ||
        s->bytes / 4 * state_reads(s) / 2 * threads > 65536)
        return reads_of(s);
    while (own % together > 0)
        together /= 2;
    return reads_of(s) - common + common / together;
}

/* Cells that a thread of a streamed tile computes in the plane of a level; of level 0 loads. */
static long double plane_trips(const gzi_gz2 *model, const gzi_gz2_config *config, int level)
{
    const gz_shape *s = &model->stencil;
    long together = level > 0 ? rows_together(model, config) : 1, rows = 0;
    long double wide = config->block[0] - 2 * s->radius[0] * level;
    if (s->dim < 3)
        return ceill(wide / config->threads[0]);
    /* The first thread row's. */
    for (long u = 0; u < config->block[1] - 2 * s->radius[1] * level;
         u += together * config->threads[1])
        rows += together;
    return rows * ceill(wide / config->threads[0]);
}

/* Elements that a thread of a streamed tile in rings accesses in local memory. */
static long double ring_accesses(const gzi_gz2 *model, const gzi_gz2_config *config,
                                 const counted_tile *t)
{
    const gz_shape *s = &model->stencil;
    int last = s->dim - 1, h = config->height;
    long double n = t->loaded[last] * loaded_of(s) * plane_trips(model, config, 0);
    long double together = rows_together(model, config), own = common_reads(s, s->radius[1]);
    for (int j = 0; j < h; j++)
        n += t->level[last][j] * plane_trips(model, config, j + 1) *
             (reads_of(s) - own + own / together + (j + 1 < h ? fields_of(s) : 0));
    return n;
}

/* Elements of local memory that a streamed tile accesses whose columns lie in registers. */
static long double accesses_of(const gzi_gz2 *model, const gzi_gz2_config *config,
                               const counted_tile *t)
{
    const gz_shape *s = &model->stencil;
    int last = s->dim - 1, three = s->dim == 3;
    long double planes = t->loaded[last], rows = three ? t->held[1] : 1, n;
    long double reads = reads_of(s) > s->reads.column ? reads_of(s) - s->reads.column : 0;

    n = planes * (loaded_of(s) - states_of(s)) * t->held[0] * rows; /* the coefficient arrays' */
    for (int j = 0; j < config->height; j++) {
        long double of_row =
            (three ? t->level[1][j] : 1) * reads - (three ? fields_of(s) * t->beside[j] : 0);
        n += t->level[last][j] *
             (fields_of(s) * t->held[0] * rows + (of_row > 0 ? t->level[0][j] * of_row : 0));
    }
    /* The copies of each level in each step. */
    long double turns =
        fields_of(s) * t->walked * config->height + planes * (loaded_of(s) - states_of(s));
    n += turns *
         ((t->held[0] + t->copies[0]) * (rows + (three ? t->copies[1] : 0)) - t->held[0] * rows);
    return n + turns * (t->held[0] * rows -
                        (t->held[0] - t->ends[0]) * (rows - (three ? t->ends[1] : 0)));
}

/* u of a tile on a GPU's multiprocessor, with R resident. */
static long double block_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                              const long double *v, const counted_tile *t, long double resident)
{
    const gz_shape *s = &model->stencil;
    const struct cells c = cells_of(model, config, t);
    int last = s->dim - 1, h = config->height, three = s->dim == 3, f = s->step_arrays;
    long double x = s->bytes, a = loaded_of(s), threads = 1, loads, steps, trips = 0, n, again = 0;
    long double states = states_of(s), fields = fields_of(s);
    long double moved = a * c.loaded + states * c.committed + f * c.computed;
    long double barriers, waits = 2, lsu;

    for (int i = 0; i < s->dim; i++)
        threads *= config->variant == GZ_VARIANT_STREAM && i == last ? 1 : config->threads[i];
    long double warps = ceill(threads / model->device.warp), lanes = warps * model->device.warp;
    /* Rows of the grid that a warp's threads lie in. */
    long double apart = ceill((long double)model->device.warp / config->threads[0]);
    if (config->variant == GZ_VARIANT_TRAPEZOID) {
        long double each = trips_of(model, config, 1);
        loads = trips_of(model, config, 0);
        steps = barriers = h;
        trips = h * each;
        waits += f > 0 ? h : 0;
        lsu = lanes * (a * loads + (reads_of(s) + fields) * trips + states * each +
                       apart * (a * loads + f * trips + states * each));
        n = v[GZI_GZ2_STAGE_INSTS] + v[GZI_GZ2_LOAD_INSTS] * loads + v[GZI_GZ2_STEP_INSTS] * steps +
            v[GZI_GZ2_COMPUTE_INSTS] * trips;
    } else if (config->variant == GZ_VARIANT_NAIVE) {
        barriers = 0;
        trips = trips_of(model, config, 0);
        lsu = lanes * apart * (naive_reads(model, config) + f + fields) * trips;
        moved = fields * c.loaded + (a + f) * c.committed;
        again = fields * (t->loaded[last] - t->committed[last]) * c.committed / t->committed[last];
        n = v[GZI_GZ2_NAIVE_STAGE_INSTS] + v[GZI_GZ2_NAIVE_COMPUTE_INSTS] * trips;
    } else {
        int columns = gzi_gz2_columns(model, config);
        long double planes = t->loaded[last], wide;
        wide = ceill((long double)config->block[0] / config->threads[0]);
        loads = planes * (columns ? wide * (three ? t->held[1] / config->threads[1] : 1)
                                  : plane_trips(model, config, 0));
        steps = 0;
        for (int j = 0; j < h; j++) {
            long double of_level = t->level[last][j];
            steps += of_level;
            trips +=
                of_level *
                (columns ? wide * (three ? (long double)t->level[1][j] / config->threads[1] : 1)
                         : plane_trips(model, config, j + 1));
        }
        /* Of each plane, after it is loaded and after all levels but, mostly, the last. */
        int spared = h > 1 && a < fields + 1;
        barriers = t->walked * (columns ? 1 : 1 + h - spared);
        waits += columns ? (f > 0 ? planes : 0) : planes;
        lsu = moved +
              (columns ? accesses_of(model, config, t) : lanes * ring_accesses(model, config, t));
        n = v[GZI_GZ2_STREAM_STAGE_INSTS] + v[GZI_GZ2_STREAM_LOAD_INSTS] * loads +
            v[GZI_GZ2_STREAM_STEP_INSTS] * steps + v[GZI_GZ2_STREAM_COMPUTE_INSTS] * trips;
    }
    long double chain = v[GZI_GZ2_LOAD_LATENCY] * waits + v[GZI_GZ2_INSTRUCTION_LATENCY] * n +
                        v[GZI_GZ2_BARRIER_LATENCY] * barriers;
    long double dram = memory_bytes(model, config, v, c.committed, c.computed, again);
    gzi_gz2_parameter memory = config->variant == GZ_VARIANT_STREAM  ? GZI_GZ2_STREAM_BANDWIDTH
                               : config->variant == GZ_VARIANT_NAIVE ? GZI_GZ2_NAIVE_BANDWIDTH
                                                                     : GZI_GZ2_EFFECTIVE_BANDWIDTH;
    const long double term[] = {chain / resident,
                                v[GZI_GZ2_ISSUE_RATE] * warps * n,
                                v[GZI_GZ2_FP64_RATE] * warps * v[GZI_GZ2_FP64_INSTS] * trips,
                                v[GZI_GZ2_SHARED_BANDWIDTH] * x * lsu,
                                v[GZI_GZ2_CACHE_BANDWIDTH] * x * moved,
                                v[memory] * dram};
    long double sum = 0;
    for (size_t k = 0; k < sizeof term / sizeof *term; k++)
        sum += powl(term[k], 2);
    return sqrtl(sum);
}

static long double tile_time(const gzi_gz2 *model, const gzi_gz2_config *config,
                             const long double *v, const counted_tile *t, long double resident)
{
    return model->device.warp > 1 ? block_time(model, config, v, t, resident)
                                  : core_time(model, config, v, t);
}

/* Who takes each of the `count` tiles that take times[k], in order; `busy` is empty. */
static void share_out(const gzi_gz2_config *config, int core, const long double *times, long count,
                      int workers, long double *busy)
{
    if (config->sync == GZ_SYNC_FENCE)
        for (long k = 0; k < count; k++) {
            int w = 0;
            /* A core's first tile is number floor(w count / workers). */
            while (core && w + 1 < workers && k >= (w + 1) * count / workers)
                w++;
            busy[core ? w : k % workers] += times[k];
        }
    else
        for (long k = 0; k < count;) {
            long take = (count - k + workers - 1) / workers;
            int idle = 0;
            for (int w = 1; w < workers; w++)
                idle = (double)busy[w] < (double)busy[idle] * (1 - 1e-13) ? w : idle;
            for (long end = k + (take < 32 * workers ? take : 32 * workers); k < end; k++)
                busy[idle] += times[k];
        }
}

long double gz2_reference(const gzi_gz2 *model, const gzi_gz2_config *config,
                          const long double value[GZI_GZ2_PARAMETERS])
{
    const gz_shape *s = &model->stencil;
    const gzi_tiling *tiling = gzi_tiling_of(config->variant);
    const gzi_tile tile = tile_of(model, config);
    long tiles[3] = {1, 1, 1}, count;
    int units = model->device.units;
    long double resident = (long double)gzi_gz2_resident(model, config), sync = 0, body = 0;
    long double mean = 0, mean_last = 0, *busy = calloc((size_t)units, sizeof *busy), *times;

    if (!busy || resident < 1) {
        free(busy);
        return NAN;
    }
    for (int i = 0; i < s->dim; i++)
        tiles[i] = count_tiles(tiling, &tile, i);
    count = tiles[0] * tiles[1] * tiles[2];
    times = calloc((size_t)count, sizeof *times);
    long double full = floorl(count / (units * resident));
    long double last = ceill((count - full * units * resident) / units);
    int workers = count < units ? (int)count : units;
    for (long k = 0; k < count; k++) {
        long at[3] = {k % tiles[0], k / tiles[0] % tiles[1], k / tiles[0] / tiles[1]};
        counted_tile t = {.loaded = {1, 1, 1}, .committed = {1, 1, 1}};
        for (int i = 0; i < s->dim; i++)
            count_tile(tiling, &tile, i, at[i], &t);
        mean += tile_time(model, config, value, &t, resident) / count;
        mean_last += last > 0 ? tile_time(model, config, value, &t, last) / count : 0;
        times[k] = tile_time(model, config, value, &t, 1);
    }
    int core = model->device.warp == 1;
    for (int i = 0; i < s->dim - (config->variant == GZ_VARIANT_STREAM); i++)
        core = core && config->threads[i] == 1;
    if (resident <= 1 && workers <= 32 &&
        (config->sync == GZ_SYNC_FENCE || (core && count <= 512L * workers))) {
        share_out(config, core, times, count, workers, busy);
        for (int w = 0; w < workers; w++)
            body = fmaxl(body, busy[w]);
    } else {
        body = full * resident * mean + last * mean_last;
    }
    free(busy);
    free(times);
    if (config->sync == GZ_SYNC_RESTART)
        sync = value[GZI_GZ2_STAGE_LAUNCH];
    else if (config->sync == GZ_SYNC_GRAPH)
        sync = value[GZI_GZ2_STAGE_GRAPH];
    else if (fminl(count, units * resident) > 1)
        sync = value[GZI_GZ2_STAGE_FENCE];
    long double later = later_stages(config), first = value[GZI_GZ2_RUN_LAUNCH];
    if (config->sync == GZ_SYNC_FENCE)
        first += value[GZI_GZ2_RUN_FENCE];
    sync = sync * later + first * (1 - later);
    return (sync + body) / config->height;
}

double gz2_uniform(unsigned long long *state, double lo, double hi)
{
    unsigned long long z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return lo + (hi - lo) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int gz2_whole(unsigned long long *state, int lo, int hi)
{
    return lo + (int)gz2_uniform(state, 0, hi - lo + 1);
}

double gz2_logarithmic(unsigned long long *state, double lo, double hi)
{
    return exp(gz2_uniform(state, log(lo), log(hi)));
}

unsigned long long gz2_seed(unsigned long long usual)
{
    const char *given = getenv("GZ_SEED");
    unsigned long long seed = given ? strtoull(given, NULL, 10) : usual;
    tap_note("seed %llu", seed);
    return seed;
}

void gz2_random_model(unsigned long long *state, gzi_gz2 *model)
{
    static const double likely[GZI_GZ2_PARAMETERS] = {[GZI_GZ2_STAGE_LAUNCH] = 5e-6,
                                                      [GZI_GZ2_STAGE_GRAPH] = 1e-6,
                                                      [GZI_GZ2_STAGE_FENCE] = 1e-6,
                                                      [GZI_GZ2_COPY_CELL] = 1e-9,
                                                      [GZI_GZ2_COPY_ROW] = 1e-8,
                                                      [GZI_GZ2_LOAD_LATENCY] = 3e-7,
                                                      [GZI_GZ2_BARRIER_LATENCY] = 3e-8,
                                                      [GZI_GZ2_SHARED_BANDWIDTH] = 1e-11,
                                                      [GZI_GZ2_CACHE_BANDWIDTH] = 3e-11,
                                                      [GZI_GZ2_EFFECTIVE_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_CELL_TIME] = 1e-9,
                                                      [GZI_GZ2_STREAM_COPY] = 3e-11,
                                                      [GZI_GZ2_STREAM_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_NAIVE_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_STREAM_CELL_TIME] = 3e-10,
                                                      [GZI_GZ2_NAIVE_CELL_TIME] = 1e-9,
                                                      [GZI_GZ2_COPY_EDGE] = 1e-9,
                                                      [GZI_GZ2_REST_TIME] = 1e-9,
                                                      [GZI_GZ2_CORE_EXCHANGE] = 3e-11,
                                                      [GZI_GZ2_AHEAD_BANDWIDTH] = 1e-10,
                                                      [GZI_GZ2_RUN_LAUNCH] = 2e-5,
                                                      [GZI_GZ2_RUN_FENCE] = 5e-6,
                                                      [GZI_GZ2_STREAM_ROW] = 3e-9,
                                                      [GZI_GZ2_NAIVE_ROW] = 2e-9,
                                                      [GZI_GZ2_STREAM_REST_TIME] = 5e-10,
                                                      [GZI_GZ2_INSTRUCTION_LATENCY] = 3e-9,
                                                      [GZI_GZ2_ISSUE_RATE] = 2e-10,
                                                      [GZI_GZ2_FP64_RATE] = 1e-9,
                                                      [GZI_GZ2_STAGE_INSTS] = 100,
                                                      [GZI_GZ2_LOAD_INSTS] = 30,
                                                      [GZI_GZ2_STEP_INSTS] = 20,
                                                      [GZI_GZ2_COMPUTE_INSTS] = 30,
                                                      [GZI_GZ2_STREAM_STAGE_INSTS] = 200,
                                                      [GZI_GZ2_STREAM_LOAD_INSTS] = 10,
                                                      [GZI_GZ2_STREAM_STEP_INSTS] = 10,
                                                      [GZI_GZ2_STREAM_COMPUTE_INSTS] = 40,
                                                      [GZI_GZ2_NAIVE_STAGE_INSTS] = 50,
                                                      [GZI_GZ2_NAIVE_COMPUTE_INSTS] = 70,
                                                      [GZI_GZ2_FP64_INSTS] = 8};
    int gpu = gz2_whole(state, 0, 1);

    *model = (gzi_gz2){0};
    model->device = (gzi_gz2_device){
        .units = gpu ? gz2_whole(state, 2, 132) : gz2_whole(state, 1, 8),
        .warp = gpu ? 32 : 1,
        .blocks = gpu ? 32 : 1,
        .threads = gpu ? 2048 : 0,
        .registers = gpu ? 65536 : 0,
        .local_unit = gpu ? 2e5 : 0,
        .local_group = gpu ? 1e5 : 2e6,
        .local_step = gpu ? 128 : 0,
        .vector = gpu ? 0 : 32,
        .sharpness = gpu ? 8 : 4,
    };
    unsigned long long own = *state; /* a sequence beside the others' */
    model->stencil = (gz_shape){
        .dim = gz2_whole(state, 1, 3),
        .bytes = gz2_whole(state, 1, 2) * 4,
        .arrays = gz2_whole(state, 1, 3) - 1,
        .step_arrays = gz2_whole(state, 0, 2) == 0,
        .reads.state = gz2_whole(state, 1, 27),
        .coefficients = gz2_whole(&own, 0, 8),
    };
    model->registers = gz2_whole(state, 16, 64);
    model->stencil.reads.own_column = gz2_whole(&own, 1, 3) > 1;
    model->stencil.older = model->stencil.arrays > 0 && gz2_whole(&own, 1, 3) > 2;
    model->stencil.arrays -= model->stencil.older;
    if (!model->stencil.older && gz2_whole(&own, 1, 3) > 2)
        model->stencil.fields = gz2_whole(&own, 2, 3);
    random_edges(state, model->stencil.edge);
    for (int i = 0; i < model->stencil.dim; i++)
        model->stencil.radius[i] = gz2_whole(state, i == 0, 2);
    int reads = model->stencil.reads.state;
    model->stencil.reads.state = (int)state_reads(&model->stencil);
    model->stencil.reads.arrays = reads - model->stencil.reads.state;
    model->stencil.reads.column =
        gz2_whole(&own, 0, 2 * model->stencil.radius[model->stencil.dim - 1] + 1);
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        int on_cpu = gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_WORK ||
                     gzi_gz2_term_of((gzi_gz2_parameter)j) == GZI_GZ2_SYNC ||
                     j == GZI_GZ2_EFFECTIVE_BANDWIDTH || j == GZI_GZ2_STREAM_BANDWIDTH ||
                     j == GZI_GZ2_NAIVE_BANDWIDTH || j == GZI_GZ2_AHEAD_BANDWIDTH ||
                     j == GZI_GZ2_CORE_EXCHANGE;
        model->value[j] = (gpu || on_cpu) && gz2_whole(state, 0, 4)
                              ? likely[j] * gz2_logarithmic(state, 0.1, 10)
                              : 0;
    }
    model->value[GZI_GZ2_EFFECTIVE_CACHE] = gz2_logarithmic(state, 1e4, 1e7);
}

void gz2_random_config(unsigned long long *state, const gzi_gz2 *model, double tiles,
                       gzi_gz2_config *config)
{
    int dim = model->stencil.dim, warp = model->device.warp;
    static const int most[] = {0, 12, 8, 3};
    double each = pow(tiles, 1.0 / dim);

    *config = (gzi_gz2_config){.grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = {1, 1, 1}};
    config->height = gz2_whole(state, 1, most[dim]);
    config->sync = (gz_sync)gz2_whole(state, 0, 2);
    config->loops = config->height * gz2_whole(state, 1, 20);
    config->run_share = gz2_whole(state, 0, 2) ? 1 / config->loops : 0;
    for (int i = 0; i < dim; i++) {
        int tile = gz2_whole(state, 1, dim == 1 ? 200 : dim == 2 ? 40 : 12);
        config->block[i] = tile + 2 * model->stencil.radius[i] * config->height;
        config->grid[i] = gz2_whole(state, 1, (int)(tile * gz2_uniform(state, 1, each)) + 1);
        if (warp > 1)
            config->threads[i] = i == 0 ? gz2_whole(state, 1, 64) : gz2_whole(state, 1, 6);
    }
}

void gz2_random_variant(unsigned long long *state, const gzi_gz2 *model, gzi_gz2_config *config)
{
    int last = model->stencil.dim - 1, which = gz2_whole(state, 0, 2);

    if (which == GZ_VARIANT_NAIVE) {
        for (int i = 0; i <= last; i++)
            config->block[i] -= 2 * model->stencil.radius[i] * config->height;
        config->height = 1;
        config->variant = GZ_VARIANT_NAIVE;
    } else if (which == GZ_VARIANT_STREAM && last > 0) {
        config->piece = gz2_whole(state, 0, (int)config->grid[last]);
        /* At most as many pieces as there were tiles, or so. */
        while (config->piece > 0 && config->grid[last] / config->piece > 30)
            config->piece *= 2;
        config->threads[last] = 1;
        config->variant = GZ_VARIANT_STREAM;
    }
}
