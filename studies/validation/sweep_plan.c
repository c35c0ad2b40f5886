/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_plan.h"

#include "defaults.h"
#include "numbers.h"
#include "tiles.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grids, by the bytes that a loop touches at least over the device's last cache. */
static const double cache_shares[PLAN_GRIDS] = {1 / 256., 1 / 24., 1 / 3., 3};

/* Extents are multiples of these, in one, two and three dimensions. */
static const int edge_steps[4] = {0, 1024, 32, 8};

/* If the driver does not say. */
static const double usual_cache_bytes = 32 << 20, usual_memory_bytes = 1 << 30;

/* The largest array may take this share of the device's memory (OpenCL promises a quarter). What a
 * stencil reads afresh in each loop lies there for all loops of a run, so on the largest grid it
 * limits the loops, or if not even `least_loops` fit, the grid. */
static const double array_share = 0.24;
static const long least_loops = 12;

/* Loops of one run, at most. */
static const long most_loops = 4096;

/* All heights of a curve run the same number of loops: on a grid within an eighth of the cache, on
 * one within it or with something fresh in each loop, and on one beyond it. Heights are divisors of
 * it, so that every run is of whole stages. */
static const long loops_small = 120, loops_middle = 24, loops_large = 12;

static const int small_edges[4][PLAN_GRIDS] = {
    {0}, {4096, 8192, 16384, 32768}, {64, 96, 128, 192}, {16, 20, 24, 32}};

/* Starting tiles. A CPU's rows are long, because they are what it vectorises; with a radius of 1,
 * some commit whole vectors at height 1, others at heights 2 or 4, so that rows have other
 * remainders. */
static const int gpu_blocks[4][PLAN_BLOCKS][3] = {{{0}},
                                                  {{256, 1, 1}, {512, 1, 1}, {1024, 1, 1}},
                                                  {{16, 16, 1}, {32, 16, 1}, {32, 32, 1}},
                                                  {{8, 8, 4}, {8, 8, 8}, {16, 8, 8}}};
static const int cpu_blocks[4][PLAN_BLOCKS][3] = {{{0}},
                                                  {{512, 1, 1}, {1026, 1, 1}, {4100, 1, 1}},
                                                  {{32, 32, 1}, {66, 66, 1}, {260, 32, 1}},
                                                  {{8, 8, 8}, {34, 32, 32}, {66, 16, 16}}};

/* Tiles of three cells in each dimension, of which one is committed: as good as empty. */
static const int sync_tiles[PLAN_SYNC_COUNTS] = {1, 8, 64, 512, 4096};

static double cache_bytes(const plan_design *d)
{
    return d->cache_bytes > 0 ? d->cache_bytes : usual_cache_bytes;
}

/* Bytes of the largest array that the device surely takes. */
static double array_bytes(const plan_design *d)
{
    return array_share * (d->memory_bytes > 0 ? d->memory_bytes : usual_memory_bytes);
}

static const int *block_of(const plan_design *d, int dim, int number)
{
    return (d->is_cpu ? cpu_blocks : gpu_blocks)[dim][number];
}

static double cells_of(const gz_app *app, const gz_config *cfg)
{
    return cli_product(app->dim, cfg->data_length);
}

/* Loops for which there is room on a grid of `cells`. */
static long room_for(const plan_design *d, const struct gzk_stencil *stencil, double cells)
{
    double arrays = array_bytes(d) / (cells * (double)gzk_type_bytes(stencil->type));
    return stencil->step_arrays > 0
               ? (long)fmin((arrays - stencil->coefficient_arrays) / stencil->step_arrays,
                            (double)most_loops)
               : most_loops;
}

int plan_edge(const plan_design *d, const struct gzk_stencil *stencil, int g)
{
    int dim = stencil->dimensions, step = edge_steps[dim];
    double each = (double)gzk_type_bytes(stencil->type);
    double most = array_bytes(d) / each /
                  fmax(1, stencil->coefficient_arrays + (double)least_loops * stencil->step_arrays);
    if (d->small)
        return small_edges[dim][g];
    double cells = cache_shares[g] * cache_bytes(d) / (double)gzk_stencil_bytes_per_cell(stencil);
    int up = (int)ceil(pow(cells, 1. / dim) / step), down = (int)floor(pow(most, 1. / dim) / step);
    return step * (up < down ? up : down > 1 ? down : 1);
}

double plan_cache_share(const plan_design *d, const struct gzk_stencil *stencil, int edge)
{
    return pow(edge, stencil->dimensions) * (double)gzk_stencil_bytes_per_cell(stencil) /
           cache_bytes(d);
}

bool plan_is_large(const plan_design *d, const plan_app *a, const gz_config *cfg)
{
    return cells_of(&a->app, cfg) * (double)gzk_stencil_bytes_per_cell(a->stencil) >
           cache_bytes(d) / 8;
}

long plan_loops(const plan_design *d, const plan_app *a, const gz_config *cfg)
{
    double cells = cells_of(&a->app, cfg), room = (double)room_for(d, a->stencil, cells),
           share = cells * (double)gzk_stencil_bytes_per_cell(a->stencil) / cache_bytes(d);
    if (share > 1 || room < (double)loops_middle)
        return loops_large;
    return plan_is_large(d, a, cfg) || a->stencil->step_arrays > 0 ? loops_middle : loops_small;
}

bool plan_has_height(const plan_design *d, const plan_app *a, const gz_config *cfg, int height)
{
    return plan_loops(d, a, cfg) % height == 0;
}

/* Whether a quarter of the tile at least is committed. Higher trapezoids compute several times what
 * they keep: they take long and are never best. The lowest two are measured wherever they commit
 * anything, so that there is something to choose. */
static bool worth_it(const gz_app *app, const gz_config *cfg, int h)
{
    static const int always = 2;
    double share = 1;
    for (int i = 0; i < app->dim; i++)
        share *= fmax(0, 1 - app->halo_width[i] * h / cfg->block_len[i]);
    return share >= (h <= always ? DBL_MIN : 0.25);
}

int plan_highest(const plan_design *d, const plan_app *a, const gz_config *cfg)
{
    int most = 1;
    while (most < d->max_height && worth_it(&a->app, cfg, most + 1))
        most++;
    long loops = plan_loops(d, a, cfg);
    return most < loops ? most : (int)loops;
}

/* The model's, without its penalty for dimensions, which on machines with caches is many times too
 * large. */
double plan_guess_s(const plan_design *d, const plan_app *a, const gz_config *cfg, int height)
{
    gz_device plain = d->model;
    gz_config trapezoid = *cfg;
    gz_prediction p;
    plain.dimension_penalty.value = 1;
    trapezoid.variant = GZ_VARIANT_TRAPEZOID;
    trapezoid.stream_len = 0;
    for (int i = 0; i < a->app.dim && cfg->variant == GZ_VARIANT_NAIVE; i++)
        trapezoid.block_len[i] += a->app.halo_width[i];
    return gz_predict(&plain, &a->app, &trapezoid, height, &p, NULL) == GZ_OK ? p.seconds_per_loop
                                                                              : 0;
}

static bool add_row(measured_row **rows, size_t *n, const measured_row *row)
{
    measured_row *more = realloc(*rows, (*n + 1) * sizeof *more);
    if (!more)
        return false;
    *rows = more;
    more[(*n)++] = *row;
    return true;
}

/* -------------------------------------------------------------------------------------- order */

/* Random numbers of the order, and how many were drawn. */
typedef struct dice {
    uint64_t seed, drawn;
} dice;

/* The next random number below `n`. */
static size_t draw(dice *x, size_t n)
{
    return (size_t)(gzk_random(x->seed, x->drawn++) % n);
}

static void shuffle(dice *x, measured_row *rows, size_t n)
{
    for (size_t k = n; k > 1; k--) {
        size_t other = draw(x, k);
        measured_row swap = rows[k - 1];
        rows[k - 1] = rows[other];
        rows[other] = swap;
    }
}

/* Adds a point to a group, with what it needs at least: to compile, then six runs, each after its
 * arrays are filled. */
static bool plan_point(plan *p, plan_group *g, measured_row *row)
{
    static const double compile_s = 0.15, runs = 4, fill = 2;
    double loop_s = plan_guess_s(p->design, g->a, &row->cfg, row->height);
    g->planned_s += compile_s + runs * loop_s * ((double)row->loops + fill);
    p->planned += measured_is_point(row->kind);
    return add_row(&g->rows, &g->n, row);
}

/* A streamed tile of the row's height on the group's grid: rows that commit the grid's or a quarter
 * of them, of a GPU two warps of threads or one. False if none fits. */
static bool set_stream(const plan_design *d, const plan_group *g, bool whole, measured_row *row)
{
    enum { GPU_WIDTH = 64, THREADS = 512 };
    const struct gzk_stencil *stencil = g->a->stencil;
    const struct gzk_device_info device = {.is_cpu = d->is_cpu,
                                           .units = (int)d->model.sm_count.value,
                                           .local_bytes =
                                               (size_t)d->model.shared_mem_per_block.value,
                                           .max_threads = THREADS};
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_STREAM,
                                .size = {1, 1, 1},
                                .block = {1, 1, 1},
                                .threads = {1, 1, 1},
                                .height = row->height,
                                .loops = row->height};
    int line = 64 / (int)gzk_type_bytes(stencil->type), dim = stencil->dimensions;
    int columns = whole ? g->edge : (g->edge / 4 + line - 1) / line * line;

    if (!d->is_cpu)
        columns = (whole ? 2 * GPU_WIDTH : GPU_WIDTH) - 2 * stencil->radius[0] * row->height;
    if (columns < 1 || (!whole && d->is_cpu && columns >= g->edge))
        return false;
    for (int i = 0; i < dim; i++)
        config.size[i] = g->edge;
    bool fits = gzk_stream_by_rows(&config, &device, columns);
    for (int i = 0; i < dim; i++)
        row->cfg.block_len[i] = config.block[i];
    row->cfg.stream_len = measured_piece(&g->a->app, &row->cfg, row->height);
    return fits;
}

/* Streamed tiles at heights that divide the loops; of whole rows in every mode. */
static bool plan_streams(plan *p, plan_group *g, measured_row row)
{
    static const int heights[] = {2, 1, 3, 4, 6, 12};
    const plan_design *d = p->design;
    enum { HEIGHTS = sizeof heights / sizeof *heights };
    row.kind = MEASURED_STREAM;
    row.cfg.variant = GZ_VARIANT_STREAM;
    for (int whole = 1; whole >= (d->small ? 1 : 0); whole--)
        for (int k = 0; k < (d->small ? 1 : HEIGHTS); k++) {
            row.height = heights[k];
            if (row.height > d->max_height || !set_stream(d, g, whole, &row))
                continue;
            for (int y = 0; y < (whole && !d->small ? d->sync_count : 1); y++) {
                row.cfg.sync = d->syncs[y];
                row.loops = plan_loops(d, g->a, &row.cfg);
                if (plan_has_height(d, g->a, &row.cfg, row.height) && !plan_point(p, g, &row))
                    return false;
            }
        }
    return true;
}

/* Blocks without local memory: those that suit the device, and shorter ones. */
static bool plan_naive(plan *p, plan_group *g, measured_row row)
{
    const plan_design *d = p->design;
    const struct gzk_device_info info = {.is_cpu = d->is_cpu, .max_threads = 1024};
    struct gzk_config config = {.stencil = g->a->stencil, .variant = GZK_NAIVE, .height = 1};
    double last = 0;
    row.kind = MEASURED_NAIVE;
    row.cfg.variant = GZ_VARIANT_NAIVE;
    row.cfg.sync = GZ_SYNC_RESTART;
    row.height = 1;
    for (int i = 0; i < 3; i++)
        config.size[i] = i < g->a->app.dim ? g->edge : 1;
    gzk_default_tile(&config, &info, 0);
    for (int k = 0; k < (d->small ? 1 : 2); k++) {
        for (int i = 0; i < g->a->app.dim; i++)
            row.cfg.block_len[i] = config.block[i];
        if (k == 1)
            row.cfg.block_len[0] = ceil(row.cfg.block_len[0] / 4);
        row.loops = plan_loops(d, g->a, &row.cfg);
        if (row.cfg.block_len[0] != last && !plan_point(p, g, &row))
            return false;
        last = row.cfg.block_len[0];
    }
    return true;
}

static bool plan_grid(plan *p, dice *x, plan_group *g)
{
    const plan_design *d = p->design;
    const plan_app *a = g->a;
    measured_row row = {.kind = MEASURED_SWEEP, .cfg.beyond = 1};
    for (int i = 0; i < a->app.dim; i++)
        row.cfg.data_length[i] = g->edge;
    for (int b = 0; b < (d->small ? 1 : PLAN_BLOCKS); b++) {
        const int *block = block_of(d, a->app.dim, b);
        for (int i = 0; i < a->app.dim; i++)
            row.cfg.block_len[i] = block[i];
        int most = plan_highest(d, a, &row.cfg);
        for (int y = 0; y < d->sync_count; y++)
            for (row.height = 1; row.height <= most; row.height++) {
                row.cfg.sync = d->syncs[y];
                row.loops = plan_loops(d, a, &row.cfg);
                if (plan_has_height(d, a, &row.cfg, row.height) && !plan_point(p, g, &row))
                    return false;
            }
    }
    bool others = !d->small || g->edge == small_edges[a->app.dim][0];
    if (others && ((a->app.dim > 1 && !plan_streams(p, g, row)) || !plan_naive(p, g, row)))
        return false;
    /* Arrays are filled on the host, then copied. */
    static const double fill_bytes_s = 5e8;
    row.loops = 0;
    for (size_t k = 0; k < g->n; k++)
        row.loops = g->rows[k].loops > row.loops ? g->rows[k].loops : row.loops;
    g->planned_s +=
        cells_of(&a->app, &row.cfg) * (double)gzk_type_bytes(a->stencil->type) *
        (3 + a->stencil->coefficient_arrays + (double)row.loops * a->stencil->step_arrays) /
        fill_bytes_s;
    shuffle(x, g->rows, g->n);
    return true;
}

/* Nearly empty kernels: as many tiles as sync_tiles says, in one row. */
static bool plan_sync(plan *p, plan_group *g)
{
    for (int k = 0; k < PLAN_SYNC_COUNTS; k++)
        for (int y = 0; y < p->design->sync_count; y++) {
            measured_row row = {
                .kind = MEASURED_SYNC, .cfg.sync = p->design->syncs[y], .height = 1, .loops = 16};
            row.cfg.beyond = 1;
            for (int i = 0; i < g->a->app.dim; i++) {
                row.cfg.data_length[i] = i == 0 ? sync_tiles[k] : 1;
                row.cfg.block_len[i] = 3;
            }
            if (!plan_point(p, g, &row))
                return false;
        }
    return true;
}

bool plan_make(const plan_design *d, plan *p)
{
    bool enough = true;
    dice x = {.seed = d->seed};
    *p = (plan){.design = d};
    for (int k = 0; k < d->n_apps; k++)
        p->groups[p->n_groups++] = (plan_group){.a = &d->apps[k]};
    for (int k = 0; k < d->n_apps; k++)
        for (int grid = 0; grid < PLAN_GRIDS; grid++) {
            const plan_group *last = &p->groups[p->n_groups - 1];
            int edge = plan_edge(d, d->apps[k].stencil, grid);
            if (last->a != &d->apps[k] || last->edge != edge)
                p->groups[p->n_groups++] = (plan_group){.a = &d->apps[k], .edge = edge};
        }
    plan_group *grids = &p->groups[d->n_apps];
    for (int k = p->n_groups - d->n_apps; k > 1; k--) {
        size_t other = draw(&x, (size_t)k);
        plan_group swap = grids[k - 1];
        grids[k - 1] = grids[other];
        grids[other] = swap;
    }
    for (int k = 0; k < p->n_groups && enough; k++) {
        plan_group *g = &p->groups[k];
        enough = g->edge > 0 ? plan_grid(p, &x, g) : plan_sync(p, g);
        g->adapted = enough && !plan_has_adaptive(d, g);
    }
    return enough;
}

void plan_free(plan *p)
{
    for (int k = 0; k < p->n_groups; k++)
        free(p->groups[k].rows);
    *p = (plan){0};
}

/* ----------------------------------------------------------------------------------- adaptive */

bool plan_has_adaptive(const plan_design *d, const plan_group *g)
{
    return g->edge > 0 &&
           room_for(d, g->a->stencil, cells_of(&g->a->app, &g->rows->cfg)) >= PLAN_ADAPTIVE_LOOPS;
}

long plan_session_loops(const plan_design *d, const plan_app *a, const measured_row *rows, size_t n)
{
    double cells = cells_of(&a->app, &rows->cfg), each = (double)gzk_type_bytes(a->stencil->type);
    long loops = 1, room = room_for(d, a->stencil, cells);
    /* Arrays for adaptive selection's loops, if there is room for all of them. */
    if (room >= PLAN_ADAPTIVE_LOOPS)
        loops = PLAN_ADAPTIVE_LOOPS;
    for (size_t k = 0; k < n; k++)
        loops = rows[k].loops > loops ? rows[k].loops : loops;
    /* Longer runs, as far as what is fresh in each loop fits into an eighth of the cache. */
    double more = a->stencil->step_arrays > 0 ? cache_bytes(d) / 8 / cells / each : HUGE_VAL;
    more = fmin(fmax(more, (double)loops), (double)most_loops);
    return (long)more < room ? (long)more : room;
}

measured_row plan_adaptive_row(const plan_design *d, const plan_app *a, const measured_row *rows)
{
    const int *block = block_of(d, a->app.dim, d->small ? 0 : 1);
    measured_row row = *rows;
    row.cfg.variant = GZ_VARIANT_TRAPEZOID;
    row.cfg.stream_len = 0;
    for (int i = 0; i < a->app.dim; i++)
        row.cfg.block_len[i] = block[i];
    row.cfg.sync = GZ_SYNC_RESTART;
    return row;
}
