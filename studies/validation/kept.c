/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kept.c - both models on a kept table of a CPU (studies/results/NAME/validation.tsv): the second
 * calibrated on a few of the table's own runs and judged on the rest, the 2011 model with the
 * factors of the table's device file.
 *
 * The runs fitted to, by a rule that does not look at times: all nearly empty stages (they give
 * launch and fence); and for each stencil the runs in the blocks with the shortest and the
 * longest rows: in both modes, height 2 on the smallest grid, heights 1 and the highest of at most
 * 6 on the next, and height 1 on the largest, which alone tells what device memory costs.
 * And of a stencil with arrays for every loop, the highest of at most 12 on the third grid, in the
 * shortest rows. gz-calibrate runs nearly the same. The cache's size is given on the command line,
 * as a microbenchmark measured it, or is that of the device file (effective_cache).
 *
 * Beside that, two harder choices of runs: "h <= 3", all at heights up to 3, judged on those from 5
 * on; and "a stencil left out", one after the other: the device from the others' runs, then the
 * stencil's own parameters from 6 of its runs (on the second grid in the shortest and in the
 * longest rows, the highest of at most 6 in both modes and 1 by restarts).
 *
 * The intervals: 95 % of the runs that compute were off by so much at most when they were left out
 * (gzi_gz2_half_width); of a stencil that is left out, 95 % of the others' when these were.
 *
 * What was chosen after seeing which table is said in history.md. Few of a table's runs are short
 * enough to tell what a run costs once, so its prior is as wide as its start, 20 us; in tables of
 * the formats before 3, whose runs had another number of loops at each height, it is left out.
 */
#include "gz2_fit.h"
#include "judge.h"
#include "second.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 6, MAX_APPS = MEASURED_MAX_APPS, MAX_UNKNOWNS = 14 + 4 * MAX_APPS };

/* What is left out of the model, one at a time. */
typedef enum ablation { WHOLE, NO_ROWS, NO_CACHE, SHEET_MEMORY, ABLATIONS } ablation;
static const char *const ablation_names[] = {"gz2", "without rows", "without the cache's level",
                                             "the device file's bandwidth"};

static void make_models(const measured *table, double cache, gzi_gz2 *model)
{
    for (int a = 0; a < table->n_apps; a++) {
        const gz_app *app = &table->apps[a].app;
        model[a] = (gzi_gz2){.device = {.units = (int)table->device.sm_count.value,
                                        .warp = 1,
                                        .blocks = table->device.blocks_per_sm.value,
                                        .local_group = table->device.shared_mem_per_block.value,
                                        .line = 64,
                                        .vector = GZI_GZ2_VECTOR,
                                        .sharpness = 4},
                             .stencil = {.dim = app->dim,
                                         .bytes = (int)app->element_size.value,
                                         .loaded = (int)app->stencil_arrays.value,
                                         .per_step = (int)app->elements_per_op.value,
                                         .reads = 1,
                                         .clears = 1,
                                         .edge = {GZI_EDGE_CLAMP}}};
        for (int i = 0; i < app->dim; i++)
            model[a].stencil.radius[i] = (int)(app->halo_width[i] / 2);
        model[a].value[GZI_GZ2_DRAM] =
            table->device.sm_count.value / table->device.mem_bandwidth.value;
        model[a].value[GZI_GZ2_AHEAD_DRAM] = model[a].value[GZI_GZ2_DRAM];
        model[a].value[GZI_GZ2_CACHE] = cache;
        model[a].value[GZI_GZ2_NORM] = 3;
    }
}

/* Whether a curve's heights ran different numbers of loops, so that what a run costs once cannot be
 * told from what a height costs. */
static int mixes_lengths(const measured *table)
{
    return table->format < 3;
}

static void config_of(const measured *table, const measured_row *r, gzi_gz2_config *c)
{
    static const gzi_gz2_mode modes[] = {[GZ_SYNC_RESTART] = GZI_GZ2_RESTARTS,
                                         [GZ_SYNC_FENCE] = GZI_GZ2_FENCES,
                                         [GZ_SYNC_GRAPH] = GZI_GZ2_GRAPHS};
    *c = (gzi_gz2_config){.grid = {1, 1, 1},
                          .block = {1, 1, 1},
                          .threads = {1, 1, 1},
                          .height = r->height,
                          .loops = (double)r->loops,
                          .run_share = mixes_lengths(table) ? 0 : 1 / (double)r->loops,
                          .mode = modes[r->cfg.sync]};
    for (int i = 0; i < table->apps[r->app].app.dim; i++) {
        c->grid[i] = (long)r->cfg.data_length[i];
        c->block[i] = (int)r->cfg.block_len[i];
    }
}

/* The order of a row's grid among its stencil's measured grids, and the shortest and longest rows
 * of its stencil's measured blocks. */
static int grid_rank(const measured *table, const measured_row *r)
{
    double seen[16];
    int n = 0, rank = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const measured_row *other = &table->rows[i];
        double length = other->cfg.data_length[0];
        int known = 0;
        if (other->kind != MEASURED_SWEEP || other->app != r->app ||
            !(length < r->cfg.data_length[0]))
            continue;
        for (int k = 0; k < n; k++)
            known |= seen[k] == length;
        if (!known && n < 16) {
            seen[n++] = length;
            rank++;
        }
    }
    return rank;
}

static int on_largest_grid(const measured *table, const measured_row *r)
{
    for (size_t i = 0; i < table->n_rows; i++)
        if (table->rows[i].kind == MEASURED_SWEEP && table->rows[i].app == r->app &&
            table->rows[i].cfg.data_length[0] > r->cfg.data_length[0])
            return 0;
    return 1;
}

static int extreme_rows(const measured *table, const measured_row *r)
{
    int shorter = 0, longer = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const measured_row *other = &table->rows[i];
        if (other->kind == MEASURED_SWEEP && other->app == r->app) {
            shorter |= other->cfg.block_len[0] < r->cfg.block_len[0];
            longer |= other->cfg.block_len[0] > r->cfg.block_len[0];
        }
    }
    return !shorter || !longer;
}

static int same_curve(const measured *table, const measured_row *a, const measured_row *b,
                      int any_mode)
{
    int same = a->app == b->app && a->kind == b->kind && (any_mode || a->cfg.sync == b->cfg.sync);
    for (int i = 0; i < table->apps[a->app].app.dim; i++)
        same &= a->cfg.data_length[i] == b->cfg.data_length[i] &&
                a->cfg.block_len[i] == b->cfg.block_len[i];
    return same;
}

/* The highest measured height of a row's curve that is at most 6. */
static int high(const measured *table, const measured_row *r)
{
    int height = 1;
    for (size_t i = 0; i < table->n_rows; i++)
        if (same_curve(table, r, &table->rows[i], 0) && table->rows[i].height <= 6 &&
            table->rows[i].height > height)
            height = table->rows[i].height;
    return height;
}

/* Whether a row is the highest measured one of at most 12 in the shortest rows, of a stencil with
 * arrays for every loop: only many such arrays tell how many streams are fetched ahead. */
static int many_streams(const measured *table, const measured_row *r)
{
    int most = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const measured_row *other = &table->rows[i];
        if (other->kind == MEASURED_SWEEP && other->app == r->app &&
            other->cfg.block_len[0] < r->cfg.block_len[0])
            return 0;
        if (same_curve(table, r, other, 0) && other->height <= 12 && other->height > most)
            most = other->height;
    }
    return table->apps[r->app].app.elements_per_op.value > 0 && r->height == most;
}

/* Which runs are fitted to. */
typedef enum selection {
    FEW, /* 16 a stencil, 18 of one with arrays for every loop */
    LOW, /* all up to height 3 */
    OWN  /* 6 of a stencil that is otherwise left out */
} selection;
enum { LOW_HEIGHT = 3, HIGH_HEIGHT = 5 };

/* A point that was measured in one process alone counts unless it is noisy. */
static int counts(const measured *table, const measured_row *r)
{
    return r->kind == MEASURED_SWEEP && (table->format > 1 || r->quality != MEASURED_NOISY);
}

static int is_fitted(const measured *table, const measured_row *r, selection which)
{
    if (r->kind == MEASURED_SYNC)
        return 1;
    if (which == LOW && counts(table, r))
        return r->height <= LOW_HEIGHT;
    if (which == OWN)
        return counts(table, r) && extreme_rows(table, r) && grid_rank(table, r) == 1 &&
               (r->height == high(table, r) || (r->height == 1 && r->cfg.sync == GZ_SYNC_RESTART));
    if (!counts(table, r) || !extreme_rows(table, r))
        return 0;
    int rank = grid_rank(table, r);
    int end = r->height == 1 || r->height == high(table, r);
    return (rank == 0 && r->height == 2) || (rank == 1 && end) ||
           (which == FEW && rank == 2 && many_streams(table, r)) ||
           (which == FEW && r->height == 1 && on_largest_grid(table, r));
}

/* The rows that count, as points. */
static size_t set_points(const measured *table, second_point *points, const measured_row **row)
{
    size_t n = 0;
    int curves = 0, pairs = 0, problems = 0;
    for (size_t i = 0; i < table->n_rows; i++) {
        const measured_row *r = &table->rows[i];
        if (!counts(table, r))
            continue;
        second_point p = {.curve = -1,
                          .pair = -1,
                          .problem = -1,
                          .height = r->height,
                          .mode = (int)r->cfg.sync,
                          .seconds = r->seconds,
                          .predicted = (double)NAN,
                          .used = is_fitted(table, r, FEW)};
        for (size_t k = 0; k < n; k++) {
            if (same_curve(table, row[k], r, 0))
                p.curve = points[k].curve;
            if (same_curve(table, row[k], r, 1))
                p.pair = points[k].pair;
            if (row[k]->app == r->app && row[k]->cfg.data_length[0] == r->cfg.data_length[0])
                p.problem = points[k].problem;
        }
        p.curve = p.curve < 0 ? curves++ : p.curve;
        p.pair = p.pair < 0 ? pairs++ : p.pair;
        p.problem = p.problem < 0 ? problems++ : p.problem;
        row[n] = r;
        points[n++] = p;
    }
    return n;
}

static int make_unknowns(const measured *table, ablation what, gzi_gz2_unknown *u)
{
    static const struct {
        gzi_gz2_parameter parameter;
        double start;
        int of_stencil;
    } all[] = {
        {GZI_GZ2_LAUNCH, 5e-6, 0},     {GZI_GZ2_FENCE, 1e-7, 0}, {GZI_GZ2_COPY_CELL, 3e-10, 0},
        {GZI_GZ2_COPY_ROW, 1e-8, 0},   {GZI_GZ2_DRAM, 0, 0},     {GZI_GZ2_AHEAD_DRAM, 0, 0},
        {GZI_GZ2_EXCHANGE, 2e-11, 0},  {GZI_GZ2_RUN, 2e-5, 0},   {GZI_GZ2_RUN_FENCE, 5e-6, 0},
        {GZI_GZ2_COPY_EDGE, 3e-10, 0}, {GZI_GZ2_REST, 5e-10, 1}, {GZI_GZ2_CELL, 5e-10, 1}};
    int n = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        gzi_gz2_parameter p = all[k].parameter;
        /* Few of a table's runs are short enough to tell what a run costs once. */
        int once = p == GZI_GZ2_RUN || p == GZI_GZ2_RUN_FENCE;
        int memory = p == GZI_GZ2_DRAM || p == GZI_GZ2_AHEAD_DRAM;
        double start = table->device.sm_count.value / table->device.mem_bandwidth.value;
        if ((what == NO_ROWS && p == GZI_GZ2_COPY_ROW) || (once && mixes_lengths(table)) ||
            (what == SHEET_MEMORY && memory))
            continue;
        for (int a = 0; a < (all[k].of_stencil ? table->n_apps : 1); a++)
            u[n++] = (gzi_gz2_unknown){.parameter = p,
                                       .stencil = all[k].of_stencil ? a : -1,
                                       .start = memory ? start : all[k].start,
                                       .prior = memory ? 0.5
                                                : once ? 1
                                                       : 10,
                                       .like = p == GZI_GZ2_REST ? GZI_GZ2_CELL : 0};
    }
    return n;
}

static const study_spec verdict_spec = {
    .name = "verdict",
    .what = "how good both models are on a kept table, on points that the second was not fitted to",
    .source = "table of `measure`; second model: see libgzmodel/models/gz2",
    .columns = {{"model", "text", "model, or what is changed in the second"},
                {"points", "1", "points judged"},
                {"error", "1", "|predicted / measured - 1|, median"},
                {"error_95", "1", "the same, 95th percentile"},
                {"height", "1", "regret of the height on a curve, median"},
                {"height_95", "1", "the same, 95th percentile"},
                {"pair", "1", "regret of mode and height of a grid and block, median"},
                {"pair_95", "1", "the same, 95th percentile"},
                {"mode_right", "1", "share of grids and blocks whose faster mode is chosen"},
                {"joint_95", "1", "regret of tile, mode and height on a grid, 95th percentile"},
                {"joint_five_95", "1", "the same of the best of the first five"},
                {"coverage", "1", "share of the judged points in their 95 % interval"}}};

static const study_spec points_spec = {
    .name = "points",
    .what = "measured beside predicted time per loop on a kept table",
    .source = "table of `measure`; second model: see libgzmodel/models/gz2",
    .columns = {{"model", "text", "model"},
                {"kind", "text", "fitted: used to calibrate the second model; judged: the others"},
                {"app", "text", "stencil"},
                {"sync", "text", "synchronisation between stages"},
                {"cells", "1", "cells of the grid"},
                {"block_x", "1", "cells of the starting tile, x"},
                {"h", "loops", "trapezoid height"},
                {"measured", "s", "time per loop, median"},
                {"predicted", "s", "time per loop"}}};

static const study_spec parameters_spec = {
    .name = "parameters",
    .what = "parameters of the second model, calibrated on a few runs of a kept table",
    .source = "table of `measure`; second model: see libgzmodel/models/gz2",
    .columns = {{"parameter", "text", "of the second model"},
                {"of", "text", "device, or the stencil that it is for"},
                {"unit", "text", "its unit"},
                {"alike", "text", "the parameter that the runs can hardly tell it from; - if none"},
                {"value", "the unit", "found"},
                {"sd", "the unit", "its standard deviation"},
                {"determined", "1", "share of the prior's variance that the runs removed"}}};

/* All that is at work on one table. */
typedef struct work {
    const char *path; /* of the table */
    measured table;
    double cache;
    size_t n, fitted;         /* points; runs fitted to */
    selection chosen;         /* which these are */
    second_point *points;     /* n */
    const measured_row **row; /* n */
    gzi_gz2_run *runs;
    double *residual;
    gzi_gz2 model[MAX_APPS];
    gzi_gz2_unknown unknowns[MAX_UNKNOWNS];
    int n_unknowns;
} work;

/* The runs fitted to; a grid and block, whatever the height and mode, is a group. */
static void make_runs(work *w, selection which)
{
    const measured_row *first[4096];
    int groups = 0;
    w->fitted = 0;
    w->chosen = which;
    for (size_t i = 0; i < w->table.n_rows; i++) {
        const measured_row *r = &w->table.rows[i];
        int group = -1;
        if (!is_fitted(&w->table, r, which))
            continue;
        for (int k = 0; k < groups && group < 0; k++)
            if (same_curve(&w->table, first[k], r, 1))
                group = k;
        if (group < 0 && groups < (int)(sizeof first / sizeof *first)) {
            group = groups;
            first[groups++] = r;
        }
        gzi_gz2_run *run = &w->runs[w->fitted++];
        *run = (gzi_gz2_run){.stencil = r->app, .seconds = r->seconds, .group = group};
        config_of(&w->table, r, &run->config);
    }
    if (w->fitted == 0)
        study_fail(2,
                   "the table has no runs to calibrate the second model on: nearly empty stages, "
                   "and sweeps on small grids");
}

/* Predicts the points of one application, or of all (-1). */
static void predict_points(work *w, int app)
{
    for (size_t i = 0; i < w->n; i++) {
        const measured_row *r = w->row[i];
        gzi_gz2_config config;
        gzi_gz2_prediction p;
        if (app >= 0 && r->app != app)
            continue;
        config_of(&w->table, r, &config);
        w->points[i].predicted =
            gzi_gz2_predict(&w->model[r->app], &config, &p) ? (double)NAN : p.seconds;
    }
}

/* Refuses runs that cannot tell the unknowns apart. */
static void check_runs(const work *w, size_t runs, int unknowns)
{
    if (runs < (size_t)unknowns)
        study_fail(2,
                   "%s: %zu runs for %d parameters of gz2, too few to tell them apart: must be a "
                   "table of more grids, tiles, heights and modes (gz-measure)",
                   w->path, runs, unknowns);
}

/* Leaves nearly empty stages out of the residuals: they say nothing of runs that compute. */
static void only_computing(work *w)
{
    for (size_t i = 0, k = 0; i < w->table.n_rows && k < w->fitted; i++) {
        const measured_row *r = &w->table.rows[i];
        if (!is_fitted(&w->table, r, w->chosen))
            continue;
        if (r->kind == MEASURED_SYNC)
            w->residual[k] = (double)NAN;
        k++;
    }
}

/* Calibrates the second model, less what is left out, and predicts; half the width of its
 * intervals. */
static double second_model(work *w, ablation what, selection which)
{
    gzi_gz2_fitted fitted;

    make_models(&w->table, what == NO_CACHE ? 1 : w->cache, w->model);
    w->n_unknowns = make_unknowns(&w->table, what, w->unknowns);
    make_runs(w, which);
    check_runs(w, w->fitted, w->n_unknowns);
    if (gzi_gz2_left_out(w->model, w->table.n_apps, w->runs, w->fitted, w->unknowns, w->n_unknowns,
                         FOLDS, w->residual) ||
        gzi_gz2_fit(w->model, w->table.n_apps, w->runs, w->fitted, NULL, w->unknowns, w->n_unknowns,
                    &fitted))
        study_fail(1, "the fit of the second model failed");
    predict_points(w, -1);
    only_computing(w);
    return gzi_gz2_half_width(w->residual, w->fitted, 0);
}

/* Fits to the runs of one application (`own` non-zero) or of all others, by the unknowns of it, or
 * by all others. */
static void fit_part(work *w, int app, int own)
{
    gzi_gz2_fitted fitted;
    gzi_gz2_unknown unknowns[MAX_UNKNOWNS];
    int *use = calloc(w->fitted + 1, sizeof *use), n = 0;
    size_t runs = 0;
    for (int k = 0; k < w->n_unknowns; k++)
        if ((w->unknowns[k].stencil == app) == (own != 0))
            unknowns[n++] = w->unknowns[k];
    for (size_t i = 0; i < w->fitted && use; i++)
        runs += (size_t)(use[i] = (w->runs[i].stencil == app) == (own != 0));
    check_runs(w, runs, n);
    if (!use ||
        gzi_gz2_fit(w->model, w->table.n_apps, w->runs, w->fitted, use, unknowns, n, &fitted))
        study_fail(1, "the fit of the second model failed");
    free(use);
}

/* Gives the points of each application an interval from what the others' were off by when they were
 * left out, on runs that a calibration has and that were not fitted to then. Nothing of its own is
 * in its interval, but for the device that the others were predicted with. */
static void intervals_from_others(work *w)
{
    double half[MAX_APPS] = {0};
    for (int app = 0; app < w->table.n_apps; app++) {
        for (size_t i = 0; i < w->n; i++) {
            const second_point *p = &w->points[i];
            const measured_row *r = w->row[i];
            int tells = r->app != app && !p->used && is_fitted(&w->table, r, FEW);
            w->residual[i] = tells ? log(p->predicted / p->seconds) : (double)NAN;
        }
        half[app] = gzi_gz2_half_width(w->residual, w->n, 0);
    }
    for (size_t i = 0; i < w->n; i++) {
        second_point *p = &w->points[i];
        p->low = p->predicted / exp(half[w->row[i]->app]);
        p->high = p->predicted * exp(half[w->row[i]->app]);
    }
}

/* One application after the other: the device by the others, then its own parameters by six runs of
 * its own.
 */
static void stencil_left_out(work *w)
{
    for (int app = 0; app < w->table.n_apps; app++) {
        make_models(&w->table, w->cache, w->model);
        w->n_unknowns = make_unknowns(&w->table, WHOLE, w->unknowns);
        make_runs(w, FEW);
        fit_part(w, app, 0);
        make_runs(w, OWN);
        fit_part(w, app, 1);
        predict_points(w, app);
    }
    intervals_from_others(w);
}

/* Marks what was fitted to, or is between what was and what is judged. */
static void mark(work *w, selection which)
{
    for (size_t i = 0; i < w->n; i++)
        w->points[i].low = w->points[i].high = 0;
    for (size_t i = 0; i < w->n; i++)
        w->points[i].used = is_fitted(&w->table, w->row[i], which) ||
                            (which == LOW && w->row[i]->height < HIGH_HEIGHT);
}

/* The 2011 model by the table's device file; its intervals come from the quantities' deviations,
 * which `validate` judges: here it has none. */
static void first_model(work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const measured_row *r = w->row[i];
        gz_prediction p;
        gz_status status =
            gz_predict(&w->table.device, &w->table.apps[r->app].app, &r->cfg, r->height, &p, NULL);
        w->points[i].predicted = status ? (double)NAN : p.seconds_per_loop;
    }
}

static void add_verdict(study *s, const char *name, const work *w, double half)
{
    second_verdict v;
    if (second_judge(w->points, w->n, half, &v))
        study_fail(1, "out of memory");
    if (v.points == 0 && s->n_rows == 0)
        study_fail(2, "all points of the table are fitted to: it is too small to judge on");
    if (v.points == 0 || v.pairs == 0) {
        study_note(s, "%s: left out, the table has no points for it", name);
        return;
    }
    study_row(s, STUDY_TEXT(name),
              STUDY_NUMBERS((double)v.points, v.error[0], v.error[1], v.height[0], v.height[1],
                            v.mode[0], v.mode[1], v.mode_right, v.joint[1], v.joint_five[1],
                            isnan(v.coverage) ? 0 : v.coverage));
}

static void add_points(study *s, const char *name, const work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const measured_row *r = w->row[i];
        const measured_app *app = &w->table.apps[r->app];
        if (isnan(w->points[i].predicted))
            continue;
        study_row(s,
                  STUDY_TEXT(name, w->points[i].used ? "fitted" : "judged", app->name,
                             gz_name(GZ_SYNCS, r->cfg.sync)),
                  STUDY_NUMBERS(study_elements(&app->app, &r->cfg), r->cfg.block_len[0], r->height,
                                r->seconds, w->points[i].predicted));
    }
}

static void add_parameters(study *s, const work *w)
{
    for (int k = 0; k < w->n_unknowns; k++) {
        const gzi_gz2_unknown *u = &w->unknowns[k];
        study_row(s,
                  STUDY_TEXT(gzi_gz2_name(u->parameter),
                             u->stencil < 0 ? "device" : w->table.apps[u->stencil].name,
                             gzi_gz2_unit(u->parameter),
                             u->alike < 0 ? "-" : gzi_gz2_name(w->unknowns[u->alike].parameter)),
                  STUDY_NUMBERS(u->value, u->sd, u->determined));
    }
}

static void begin(study *s, const study_spec *spec, const work *w, const char *folder, char *path,
                  size_t size)
{
    study_begin(s, spec);
    snprintf(s->device.name, sizeof s->device.name, "%s", w->table.device.name);
    snprintf(path, size, "%s/%s.tsv", folder, spec->name);
    s->out_path = path;
    study_note(s, "the cache's effective size: %g MB", w->cache / 1e6);
}

/* Bytes from the command line, or for "-" those of the table's device file. */
static double cache_of(const measured *table, const char *path, const char *cache)
{
    char *end;
    double bytes = strtod(cache, &end);
    if (strcmp(cache, "-") == 0) {
        if (table->device.effective_cache.origin == GZ_ORIGIN_NONE)
            study_fail(2,
                       "%s: its device file has no effective_cache: give the cache's size in bytes",
                       path);
        return table->device.effective_cache.value;
    }
    if (*end || end == cache || !(bytes > 0) || isinf(bytes))
        study_fail(2, "cache size \"%s\": expected a number of bytes, for example 60e6", cache);
    return bytes;
}

static void open_table(work *w, const char *path, const char *cache)
{
    gz_error error;

    if (measured_read(path, &w->table, &error))
        study_fail(2, "%s", error.text);
    if (w->table.device.warp_size.origin != GZ_ORIGIN_NONE && w->table.device.warp_size.value > 1)
        study_fail(2, "%s: a table of a GPU: this program fits the form for CPUs", path);
    w->path = path;
    w->cache = cache_of(&w->table, path, cache);
    w->points = calloc(w->table.n_rows + 1, sizeof *w->points);
    w->row = calloc(w->table.n_rows + 1, sizeof *w->row);
    w->runs = calloc(w->table.n_rows + 1, sizeof *w->runs);
    w->residual = calloc(w->table.n_rows + 1, sizeof *w->residual);
    if (!w->points || !w->row || !w->runs || !w->residual)
        study_fail(1, "out of memory");
    w->n = set_points(&w->table, w->points, w->row);
    if (w->n == 0)
        study_fail(2, "%s: no rows of kind sweep that are not noisy", path);
}

int main(int argc, char **argv)
{
    static const char *const usage =
        "usage: kept TABLE CACHE FOLDER\n"
        "Judges both models on a kept table of a CPU whose last cache effectively holds CACHE "
        "bytes\n"
        "(-: effective_cache of the device file inside);\n"
        "writes verdict.tsv, points.tsv and parameters.tsv into FOLDER.\n";
    static work w;
    study verdict, points, parameters;
    char path[3][1024];

    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc != 4) {
        fputs(usage, stderr);
        return 2;
    }
    open_table(&w, argv[1], argv[2]);
    begin(&verdict, &verdict_spec, &w, argv[3], path[0], sizeof path[0]);
    begin(&points, &points_spec, &w, argv[3], path[1], sizeof path[1]);
    begin(&parameters, &parameters_spec, &w, argv[3], path[2], sizeof path[2]);
    for (int what = 0; what < ABLATIONS; what++) {
        double half = second_model(&w, (ablation)what, FEW);
        add_verdict(&verdict, ablation_names[what], &w, half);
        if (what == WHOLE) {
            add_points(&points, ablation_names[what], &w);
            add_parameters(&parameters, &w);
        }
    }
    mark(&w, LOW);
    double low = second_model(&w, WHOLE, LOW);
    add_verdict(&verdict, "gz2, h <= 3, judged at h >= 5", &w, low);
    first_model(&w);
    add_verdict(&verdict, "meng2011, judged at h >= 5", &w, (double)NAN);
    if (w.table.n_apps > 1) {
        mark(&w, OWN);
        stencil_left_out(&w);
        add_verdict(&verdict, "gz2, a stencil left out", &w, (double)NAN);
    }
    mark(&w, FEW);
    first_model(&w);
    add_verdict(&verdict, "meng2011", &w, (double)NAN);
    add_points(&points, "meng2011", &w);
    study_note(&verdict, "meng2011: intervals are not judged here (0), see `validate`");
    study_write(&verdict);
    study_write(&points);
    study_write(&parameters);
    study_close(&verdict);
    study_close(&points);
    study_close(&parameters);
    free(w.points);
    free(w.row);
    free(w.runs);
    free(w.residual);
    measured_free(&w.table);
    return 0;
}
