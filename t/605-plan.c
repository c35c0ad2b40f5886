/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sweep's plan as a pure function of its design, and the schedule on it: no device, no clock.
 * The same design gives the same plan; another seed the same points in another order; every height
 * is there once in each block and mode, and is one that the model is defined for; more room gives
 * larger grids; the slices of the groups fill the time and nothing more.
 */
#include "defaults.h"
#include "numbers.h"
#include "schedule.h"
#include "tap.h"
#include "tiles.h"

#include <math.h>
#include <stdlib.h>

static plan_design design;

static void start(void)
{
    static const char *const names[] = {"pathfinder", "hotspot", "poisson", "cell"};
    design = (plan_design){.max_height = 32,
                           .seed = 1,
                           .cache_bytes = 6 << 20,
                           .memory_bytes = 1e9,
                           .sync_count = 2,
                           .syncs = {GZ_SYNC_RESTART, GZ_SYNC_FENCE},
                           .n_apps = 4};
    gz_error error;
    if (gz_device_open("gtx280", &design.model, &error))
        exit(1);
    for (int k = 0; k < 4; k++) {
        design.apps[k].stencil = gzk_stencil_find(names[k]);
        if (!design.apps[k].stencil || gz_app_open(names[k], NULL, &design.apps[k].app, &error))
            exit(1);
    }
}

/* Bytes that a loop touches at least on a grid of that extent, over the cache's. */
static double cache_share(const struct gzk_stencil *stencil, int edge)
{
    return pow(edge, stencil->dim) * gzk_bytes_per_cell(stencil, 1) / design.cache_bytes;
}

static int compare_rows(const void *a, const void *b)
{
    const measured_row *x = a, *y = b;
    for (int i = 0; i < GZ_MAX_DIM; i++) {
        if (x->cfg.data_length[i] != y->cfg.data_length[i])
            return x->cfg.data_length[i] < y->cfg.data_length[i] ? -1 : 1;
        if (x->cfg.block_len[i] != y->cfg.block_len[i])
            return x->cfg.block_len[i] < y->cfg.block_len[i] ? -1 : 1;
    }
    if (x->cfg.sync != y->cfg.sync)
        return x->cfg.sync < y->cfg.sync ? -1 : 1;
    return (x->height > y->height) - (x->height < y->height);
}

static bool same_rows(const plan_group *a, const plan_group *b)
{
    bool same = a->n == b->n && a->edge == b->edge && a->a == b->a;
    for (size_t k = 0; same && k < a->n; k++)
        same = compare_rows(&a->rows[k], &b->rows[k]) == 0 && a->rows[k].loops == b->rows[k].loops;
    return same;
}

static void sort_plan(plan *p)
{
    for (int k = 0; k < p->n_groups; k++)
        qsort(p->groups[k].rows, p->groups[k].n, sizeof(measured_row), compare_rows);
}

/* How many groups of `a` are the same, row by row, as the group of that place, or of any, in `b`.
 */
static int groups_alike(const plan *a, const plan *b, bool same_place)
{
    int alike = 0;
    for (int k = 0; k < a->n_groups; k++) {
        bool found = same_place && same_rows(&a->groups[k], &b->groups[k]);
        for (int i = 0; i < b->n_groups && !same_place && !found; i++)
            found = same_rows(&a->groups[k], &b->groups[i]);
        alike += found;
    }
    return alike;
}

static void order(void)
{
    plan one, again, other;
    plan_make(&design, &one);
    plan_make(&design, &again);
    tap_ok(one.n_groups == again.n_groups && groups_alike(&one, &again, true) == one.n_groups,
           "the same design gives the same plan: %d groups, %ld points", one.n_groups, one.planned);
    design.seed = 2;
    plan_make(&design, &other);
    tap_ok(groups_alike(&one, &other, true) < one.n_groups / 2 + 1, "another seed another order");
    sort_plan(&one);
    sort_plan(&other);
    tap_ok(other.n_groups == one.n_groups && groups_alike(&one, &other, false) == one.n_groups,
           "of the same groups and points");
    bool first = true;
    for (int k = 0; k < one.n_groups; k++)
        first = first && (one.groups[k].edge == 0) == (k < design.n_apps);
    tap_ok(first, "nearly empty kernels come first");
    plan_free(&one);
    plan_free(&again);
    plan_free(&other);
    design.seed = 1;
}

/* The block as a trapezoid's, ghost zone included: a streamed tile's has it too, and one without
 * local memory none. */
static gz_config with_ghosts(const gz_app *app, const measured_row *row)
{
    gz_config cfg = row->cfg;
    cfg.variant = GZ_VARIANT_TRAPEZOID;
    cfg.stream_len = 0;
    for (int i = 0; i < app->dim && row->kind == MEASURED_NAIVE; i++)
        cfg.block_len[i] += app->halo_width[i];
    return cfg;
}

/* What is particular to a row of its kind. */
static bool kind_is_sound(const gz_app *app, const measured_row *row)
{
    gz_config cfg = row->cfg;
    bool sound = cfg.variant == measured_variant(row->kind);
    if (row->kind == MEASURED_NAIVE)
        return sound && row->height == 1;
    if (row->kind != MEASURED_STREAM)
        return sound && cfg.stream_len == 0;
    return sound && app->dim > 1 && cfg.stream_len >= 1 &&
           cfg.stream_len == measured_piece(app, &cfg, row->height);
}

/* Every row of a group is one that can run and that the model is defined for. */
static bool rows_are_sound(const plan_group *g)
{
    bool sound = true;
    for (size_t k = 0; k < g->n; k++) {
        const measured_row *row = &g->rows[k];
        const gz_config cfg = with_ghosts(&g->a->app, row);
        gz_error why;
        sound = sound && kind_is_sound(&g->a->app, row) && row->runs == 0 &&
                row->loops % row->height == 0 &&
                gz_check(&design.model, &g->a->app, &cfg, &why) == GZ_OK &&
                row->height <= gz_height_max(&g->a->app, &cfg);
    }
    return sound;
}

/* How many rows of a kind there are; -1 if a configuration is there twice. */
static int rows_of(const plan_group *g, measured_kind kind)
{
    int n = 0;
    for (size_t k = 0; k < g->n; k++) {
        n += g->rows[k].kind == kind;
        for (size_t i = 0; i < k; i++)
            if (g->rows[i].kind == kind && g->rows[k].kind == kind &&
                compare_rows(&g->rows[i], &g->rows[k]) == 0)
                return -1;
    }
    return n;
}

/* In each block and mode the heights are those up to plan_highest that divide the loops, which all
 * heights of a curve share, each once. */
static bool heights_are_whole(plan_group *g)
{
    /* Those of other variants go to the end; the group keeps all. */
    size_t n = 0, all = g->n;
    for (size_t k = 0; k < all; k++)
        if (g->rows[k].kind == MEASURED_SWEEP) {
            measured_row swap = g->rows[n];
            g->rows[n++] = g->rows[k];
            g->rows[k] = swap;
        }
    qsort(g->rows, n, sizeof(measured_row), compare_rows);
    for (size_t k = 0; k < n;) {
        int highest = plan_highest(&design, g->a, &g->rows[k].cfg);
        long loops = g->rows[k].loops;
        for (int h = 1; h <= highest; h++) {
            if (loops % h != 0)
                continue;
            if (k >= n || g->rows[k].height != h || g->rows[k].loops != loops)
                return false;
            k++;
        }
    }
    return true;
}

static void points(void)
{
    for (int cpu = 0; cpu < 2; cpu++) {
        plan p;
        long sweep = 0;
        double room = design.model.shared_mem_per_block.value;
        design.is_cpu = cpu;
        /* Whole rows need more than the GPU has. */
        if (cpu)
            design.model.shared_mem_per_block.value = 1 << 20;
        plan_make(&design, &p);
        bool sound = true, whole = true, others = true;
        for (int k = 0; k < p.n_groups; k++) {
            plan_group *g = &p.groups[k];
            sound = sound && rows_are_sound(g);
            whole = whole && (g->edge == 0 || heights_are_whole(g));
            int streams = rows_of(g, MEASURED_STREAM), naive = rows_of(g, MEASURED_NAIVE);
            others = others &&
                     (g->edge == 0 ? streams == 0 && naive == 0
                                   : naive > 0 && (g->a->app.dim > 1 ? streams > 0 : streams == 0));
            for (size_t i = 0; i < g->n; i++)
                sweep += measured_is_point(g->rows[i].kind);
        }
        tap_ok(sound, "%s: the model is defined for every point, of whole stages",
               cpu ? "CPU" : "GPU");
        tap_ok(whole, "in each block and mode, every height that divides the curve's loops, once");
        tap_ok(others, "streamed tiles on every grid of two or three dimensions, blocks without "
                       "local memory on all, each once");
        tap_ok(sweep == p.planned && sweep > 0, "%ld points, as counted", sweep);
        plan_free(&p);
        design.model.shared_mem_per_block.value = room;
    }
    design.is_cpu = false;
}

static void grids(void)
{
    static const int steps[4] = {0, 1024, 32, 8};
    static const double shares[PLAN_GRIDS] = {1 / 256., 1 / 24., 1 / 3., 3};
    for (int k = 0; k < design.n_apps; k++) {
        const struct gzk_stencil *stencil = design.apps[k].stencil;
        int step = steps[stencil->dim];
        bool right = true, ascending = true, grows = true;
        for (int g = 0, before = 0; g < PLAN_GRIDS; g++) {
            int edge = plan_edge(&design, stencil, g);
            plan_design more = design;
            more.memory_bytes *= 4;
            /* The least multiple of the step that reaches the share, or what the memory allows. */
            right = right && edge % step == 0 &&
                    (edge == step || cache_share(stencil, edge - step) < shares[g]);
            ascending = ascending && edge >= before;
            grows = grows && plan_edge(&more, stencil, g) >= edge;
            before = edge;
        }
        tap_ok(right && ascending, "%s: grids of whole steps, none larger than it need be",
               stencil->name);
        tap_ok(grows, "and none smaller with more memory");
    }
    design.small = true;
    plan p;
    plan_make(&design, &p);
    tap_ok(p.planned > 0 && p.planned < 400, "the small plan has %ld points", p.planned);
    long small = p.planned;
    plan_free(&p);
    design.max_height = 2;
    plan_make(&design, &p);
    tap_ok(p.planned < small, "and fewer with heights up to 2: %ld", p.planned);
    plan_free(&p);
    design.max_height = 32;
    design.small = false;
}

/* What is read afresh in each loop takes memory twice, on host and device: arrays for as many loops
 * as the group runs. */
static void session_loops(void)
{
    bool fits = true, suffices = true;
    plan p;
    double before = design.memory_bytes;
    design.memory_bytes = 1e8;
    plan_make(&design, &p);
    for (int k = 0; k < p.n_groups; k++) {
        const plan_group *g = &p.groups[k];
        long most = 0, loops = plan_session_loops(&design, g->a, g->rows, g->n);
        for (size_t i = 0; i < g->n; i++)
            most = g->rows[i].loops > most ? g->rows[i].loops : most;
        suffices = suffices && loops >= most;
        if (g->a->stencil->step_arrays == 0 || g->edge == 0)
            continue;
        double bytes = (double)loops * g->edge * g->a->stencil->bytes;
        fits = fits && bytes <= 0.24 * design.memory_bytes;
    }
    tap_ok(suffices && fits, "arrays for the loops of all runs, within a quarter of the memory");
    plan_free(&p);
    design.memory_bytes = before;
}

/* Groups one after the other, each of which takes its whole slice. */
static void slices(double total_s, const char *what)
{
    plan p;
    long missing;
    plan_make(&design, &p);
    double now = 1000, end = now + total_s, need = schedule_needs_s(&p, &missing);
    bool ascending = true;
    for (int k = 0; k < p.n_groups; k++) {
        double slice_end = schedule_slice_end(&p, k, 0, now, end);
        ascending = ascending && slice_end >= now && slice_end <= end * (1 + 1e-12);
        now = slice_end;
    }
    tap_ok(ascending, "%s (%.0f s for %.0f s): no slice ends before it begins, or after the end",
           what, total_s, need);
    tap_close(now, end, 1e-9, "and together they take all the time");
    plan_free(&p);
}

static void schedule(void)
{
    measured_row row = {.quality = MEASURED_NOISY};
    tap_ok(schedule_wants(&row, 0), "a point that was not measured is wanted");
    row.runs = 5;
    row.tries = 1;
    tap_ok(!schedule_wants(&row, 0) && schedule_wants(&row, 1), "each pass adds one try");
    row.quality = MEASURED_QUIET;
    tap_ok(schedule_wants(&row, 1) && !schedule_wants(&row, 0), "of a quiet point too");
    slices(10, "too little time");
    slices(1e6, "time in plenty");
    plan p;
    plan_make(&design, &p);
    for (size_t k = 0; k < p.groups[0].n; k++)
        p.groups[0].rows[k].runs = p.groups[0].rows[k].tries = 1;
    tap_ok(!schedule_lacks(&p.groups[0], 0) && schedule_lacks(&p.groups[1], 0),
           "a group that was measured lacks nothing");
    tap_close(schedule_slice_end(&p, 0, 0, 5, 100), 5, 1e-12, "and gets no time");
    schedule_count count = schedule_tally(&p, 3);
    tap_ok(count.rows == (long)p.groups[0].n && count.done == 0 && count.quiet == count.rows,
           "%ld rows, none of the sweep", count.rows);
    plan_free(&p);
}

/* Of every stencil, whatever its radius. */
static void empty_stages(void)
{
    int sound = 0, all = (int)gzk_stencil_count * GZK_EMPTY_STAGES;
    for (int k = 0; k < all; k++) {
        struct gzk_config config = {.stencil = gzk_stencils[k / GZK_EMPTY_STAGES],
                                    .threads = {1, 1, 1},
                                    .height = 1,
                                    .loops = 1};
        struct gzk_geometry geometry;
        struct gzk_error error;
        gzk_empty_stage(&config, k % GZK_EMPTY_STAGES);
        if (gzk_geometry_make(&config, &geometry, &error) == 0)
            sound += geometry.tile_count == (int)pow(8, k % GZK_EMPTY_STAGES) &&
                     geometry.committed[0] == 1;
    }
    tap_ok(sound == all, "nearly empty stages have as many tiles as they say: %d of %d", sound,
           all);
}

int main(void)
{
    start();
    empty_stages();
    order();
    points();
    grids();
    session_loops();
    schedule();
    return tap_done();
}
