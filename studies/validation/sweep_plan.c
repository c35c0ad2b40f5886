/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep_plan.h"

#include "defaults.h"
#include "numbers.h"
#include "output.h"
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
    double arrays = array_bytes(d) / (cells * stencil->bytes);
    return stencil->step_arrays > 0
               ? (long)fmin((arrays - stencil->coefficient_arrays) / stencil->step_arrays,
                            (double)most_loops)
               : most_loops;
}

int plan_edge(const plan_design *d, const struct gzk_stencil *stencil, int g)
{
    int dim = stencil->dim, step = edge_steps[dim];
    double each = stencil->bytes;
    double most = array_bytes(d) / each /
                  fmax(1, stencil->coefficient_arrays + (double)least_loops * stencil->step_arrays);
    if (d->small)
        return small_edges[dim][g];
    double cells = cache_shares[g] * cache_bytes(d) / gzk_bytes_per_cell(stencil, 1);
    int up = (int)ceil(pow(cells, 1. / dim) / step), down = (int)floor(pow(most, 1. / dim) / step);
    return step * (up < down ? up : down > 1 ? down : 1);
}

/* Whether a loop touches so much that it lasts long, and that the next finds little of it near. */
static bool is_large(const plan_design *d, const plan_app *a, const gz_config *cfg)
{
    return cells_of(&a->app, cfg) * gzk_bytes_per_cell(a->stencil, 1) > cache_bytes(d) / 8;
}

/* Loops of one run, the same for all heights of a curve, each of which divides them, so that no
 * shorter last stage blurs it. */
static long loops_of(const plan_design *d, const plan_app *a, const gz_config *cfg)
{
    double cells = cells_of(&a->app, cfg), room = (double)room_for(d, a->stencil, cells),
           share = cells * gzk_bytes_per_cell(a->stencil, 1) / cache_bytes(d);
    if (share > 1 || room < (double)loops_middle)
        return loops_large;
    return is_large(d, a, cfg) || a->stencil->step_arrays > 0 ? loops_middle : loops_small;
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
    long loops = loops_of(d, a, cfg);
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

static measured_row row_of(const plan_app *a, measured_kind kind, const struct gzk_config *config)
{
    measured_row row = {
        .kind = kind,
        .cfg = {.sync = config->sync, .variant = measured_variant(kind), .beyond = 1},
        .height = config->height,
        .loops = config->loops};
    for (int i = 0; i < a->app.dim; i++) {
        row.cfg.data_length[i] = config->size[i];
        row.cfg.block_len[i] = config->block[i];
    }
    if (kind == MEASURED_STREAM)
        row.cfg.stream_len = measured_piece(&a->app, &row.cfg, row.height);
    return row;
}

/* Adds a point to a group, unless its height does not divide the loops, with what it needs at
 * least: to compile, then six runs, each after its arrays are filled. */
static void plan_point(plan *p, plan_group *g, measured_kind kind, const struct gzk_config *config)
{
    static const double compile_s = 0.15, runs = 4, fill = 2;
    measured_row row = row_of(g->a, kind, config);
    if (kind != MEASURED_SYNC)
        row.loops = loops_of(p->design, g->a, &row.cfg);
    if (row.loops % row.height != 0)
        return;
    g->rows = cli_more_room(g->rows, g->n + 1, sizeof *g->rows);
    g->rows[g->n++] = row;
    g->planned_s += compile_s + runs * plan_guess_s(p->design, g->a, &row.cfg, row.height) *
                                    ((double)row.loops + fill);
    p->planned += measured_is_point(kind);
}

/* Three blocks, in every mode. */
static void plan_trapezoids(plan *p, plan_group *g, struct gzk_config config)
{
    const plan_design *d = p->design;
    for (int b = 0; b < (d->small ? 1 : PLAN_BLOCKS); b++) {
        memcpy(config.block, block_of(d, g->a->app.dim, b), sizeof config.block);
        const measured_row row = row_of(g->a, MEASURED_SWEEP, &config);
        int most = plan_highest(d, g->a, &row.cfg);
        for (int y = 0; y < d->sync_count; y++)
            for (config.height = 1; config.height <= most; config.height++) {
                config.sync = d->syncs[y];
                plan_point(p, g, MEASURED_SWEEP, &config);
            }
    }
}

/* Streamed tiles: of whole rows in every mode, and of quarters. */
static void plan_streams(plan *p, plan_group *g, struct gzk_config config)
{
    static const int heights[] = {2, 1, 3, 4, 6, 12};
    enum { HEIGHTS = sizeof heights / sizeof *heights, THREADS = 512 };
    const plan_design *d = p->design;
    const struct gzk_device_info device = {.is_cpu = d->is_cpu,
                                           .units = (int)d->model.sm_count.value,
                                           .local_bytes =
                                               (size_t)d->model.shared_mem_per_block.value,
                                           .max_threads = THREADS};
    config.variant = GZK_STREAM;
    for (int whole = 1; whole >= (d->small ? 1 : 0); whole--)
        for (int k = 0; k < (d->small ? 1 : HEIGHTS); k++) {
            config.height = heights[k];
            if (config.height > d->max_height || !gzk_stream_by_rows(&config, &device, whole))
                continue;
            for (int y = 0; y < (whole && !d->small ? d->sync_count : 1); y++) {
                config.sync = d->syncs[y];
                plan_point(p, g, MEASURED_STREAM, &config);
            }
        }
}

/* Blocks without local memory: those that suit the device, and shorter ones. */
static void plan_naive(plan *p, plan_group *g, struct gzk_config config)
{
    const struct gzk_device_info device = {.is_cpu = p->design->is_cpu, .max_threads = 1024};
    config.variant = GZK_NAIVE;
    gzk_default_tile(&config, &device, 0);
    plan_point(p, g, MEASURED_NAIVE, &config);
    if (p->design->small || config.block[0] == 1)
        return;
    config.block[0] = (config.block[0] + 3) / 4;
    plan_point(p, g, MEASURED_NAIVE, &config);
}

static void plan_grid(plan *p, dice *x, plan_group *g)
{
    const plan_design *d = p->design;
    const plan_app *a = g->a;
    struct gzk_config config = {.stencil = a->stencil, .height = 1};
    long loops = 0;
    for (int i = 0; i < 3; i++) {
        config.size[i] = i < a->app.dim ? g->edge : 1;
        config.block[i] = config.threads[i] = 1;
    }
    bool others = !d->small || g->edge == small_edges[a->app.dim][0];
    plan_trapezoids(p, g, config);
    if (others && a->app.dim > 1)
        plan_streams(p, g, config);
    if (others)
        plan_naive(p, g, config);
    /* Arrays are filled on the host, then copied. */
    static const double fill_bytes_s = 5e8;
    for (size_t k = 0; k < g->n; k++)
        loops = g->rows[k].loops > loops ? g->rows[k].loops : loops;
    g->planned_s += cells_of(&a->app, &g->rows->cfg) * a->stencil->bytes *
                    (3 + a->stencil->coefficient_arrays + (double)loops * a->stencil->step_arrays) /
                    fill_bytes_s;
    shuffle(x, g->rows, g->n);
}

/* Nearly empty kernels, in every mode. */
static void plan_sync(plan *p, plan_group *g)
{
    struct gzk_config config = {.stencil = g->a->stencil, .height = 1, .loops = 16};
    for (int k = 0; k < GZK_EMPTY_STAGES; k++) {
        gzk_empty_stage(&config, k);
        for (int y = 0; y < p->design->sync_count; y++) {
            config.sync = p->design->syncs[y];
            plan_point(p, g, MEASURED_SYNC, &config);
        }
    }
}

void plan_make(const plan_design *d, plan *p)
{
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
    for (plan_group *g = p->groups; g < p->groups + p->n_groups; g++)
        if (g->edge > 0)
            plan_grid(p, &x, g);
        else
            plan_sync(p, g);
}

void plan_free(plan *p)
{
    for (int k = 0; k < p->n_groups; k++)
        free(p->groups[k].rows);
    *p = (plan){0};
}

long plan_session_loops(const plan_design *d, const plan_app *a, const measured_row *rows, size_t n)
{
    double cells = cells_of(&a->app, &rows->cfg), each = a->stencil->bytes;
    long loops = 1, room = room_for(d, a->stencil, cells);
    for (size_t k = 0; k < n; k++)
        loops = rows[k].loops > loops ? rows[k].loops : loops;
    /* Longer runs, as far as what is fresh in each loop fits into an eighth of the cache. */
    double more = a->stencil->step_arrays > 0 ? cache_bytes(d) / 8 / cells / each : HUGE_VAL;
    more = fmin(fmax(more, (double)loops), (double)most_loops);
    return (long)more < room ? (long)more : room;
}
