/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fitted.h"

#include "figures.h"
#include "output.h"
#include "tables.h"
#include "unknowns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDS = 6, LOW_HEIGHT = 3, HIGH_HEIGHT = 5, HIGHEST = 6, MANY = 12 };

/* Which runs are fitted to. */
typedef enum selection { FEW, OWN, LOW } selection;

/* What is fitted: gz2, less one part, or the 2011 model. A part is left out by quantities that are
 * given a value and not fitted. */
typedef struct form {
    const char *name;
    bool cpu, gpu;
    gz_model model;
    struct {
        const char *name; /* of a quantity; NULL: no more */
        double value;
    } fixed[2];
} form;
static const form forms[] = {
    {"gz2", true, true, GZ_MODEL_GZ2, {{NULL, 0}}},
    {"gz2 without rows", true, false, GZ_MODEL_GZ2, {{"copy_row", 0}}},
    {"gz2 without the cache's level", true, false, GZ_MODEL_GZ2, {{"effective_cache", 1}}},
    {"gz2 without occupancy", false, true, GZ_MODEL_GZ2, {{"shared_mem_per_sm", 1e12}}},
    {"gz2 without the latency chain",
     false,
     true,
     GZ_MODEL_GZ2,
     {{"load_latency", 0}, {"instruction_latency", 0}}},
    {"gz2 without issue", false, true, GZ_MODEL_GZ2, {{"issue_rate", 1e18}}},
    {"gz2 without device memory", false, true, GZ_MODEL_GZ2, {{"effective_bandwidth", 1e18}}},
    {"meng2011", true, true, GZ_MODEL_MENG2011, {{NULL, 0}}}};
enum { FORMS = sizeof forms / sizeof *forms };

/* What the 2011 model is fitted by, from what its files state. */
static const struct {
    int param;
    bool of_stencil;
} of_2011[] = {{GZ_P_UNCONTENDED_LATENCY, false},
               {GZ_P_DIMENSION_PENALTY, false},
               {GZ_P_LAUNCH_OVERHEAD, false},
               {GZ_P_INSTS_PER_SM_MISC, true},
               {GZ_P_INSTS_PER_SM_ITER, true}};

/* All that is at work on one table. */
typedef struct work {
    const measured *table;
    bool is_cpu;
    gz_device dev;                                           /* without what was fitted */
    gz_app apps[MEASURED_MAX_APPS], base[MEASURED_MAX_APPS]; /* as fitted, and before */
    size_t n;                                                /* points */
    judge_point *points;
    struct gzc_fit fit;
    struct gzc_fit_run *run;
    const measured_row **row; /* of the runs */
    double *residual;         /* of the runs or the points */
    bool *use, *chosen[LOW];  /* of the runs; of the points, by FEW and OWN */
} work;

/* ------------------------------------------------------------------------------------ selection */

/* The highest measured height of a row's curve that is at most `most`. */
static int high(const measured *t, const measured_row *r, int most)
{
    int height = 1;
    for (size_t i = 0; i < t->n_rows; i++)
        if (t->rows[i].kind == r->kind && judge_same(JUDGE_CURVE, r, &t->rows[i]) &&
            t->rows[i].height <= most && t->rows[i].height > height)
            height = t->rows[i].height;
    return height;
}

/* The order of grids, and of a CPU's tiles: the length of their rows; of a GPU's tiles, cells. */
static double size_of(const measured_row *r, enum judge_set set, bool is_cpu)
{
    double cells = 1;
    for (int i = 0; i < GZ_MAX_DIM; i++)
        cells *= r->tile[i] > 0 ? r->tile[i] : 1;
    return set == JUDGE_GRID ? r->cfg.data_length[0] : is_cpu ? r->tile[0] : cells;
}

/* How many of its stencil's grids, or of the tiles on its grid, are smaller than a row's, and
 * larger. */
static void rank_in(const measured *t, const measured_row *r, enum judge_set set, bool is_cpu,
                    int rank[2])
{
    rank[0] = rank[1] = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const measured_row *other = &t->rows[i];
        double size = size_of(other, set, is_cpu), own = size_of(r, set, is_cpu);
        bool counts = other->kind == MEASURED_SWEEP && !judge_same(set, other, r) &&
                      (set == JUDGE_GRID ? other->app == r->app : judge_same(JUDGE_GRID, other, r));
        for (size_t k = 0; k < i && counts; k++)
            counts = t->rows[k].kind != MEASURED_SWEEP || !judge_same(set, &t->rows[k], other);
        if (counts)
            rank[size > own || (size == own && other->tile[0] > r->tile[0])]++;
    }
}

/* Few runs of a GPU: the end and the middle tiles. */
static bool is_few_of_gpu(const measured *t, const measured_row *r)
{
    int tile[2];
    rank_in(t, r, JUDGE_TILE, false, tile);
    bool of_three = tile[0] == 0 || tile[1] == 0 || tile[0] == (tile[0] + tile[1]) / 2;
    return of_three && (r->height == 1 || r->height == high(t, r, HIGHEST));
}

static bool is_few_of_cpu(const measured *t, const measured_row *r, selection which)
{
    int grid[2], tile[2];
    rank_in(t, r, JUDGE_TILE, true, tile);
    rank_in(t, r, JUDGE_GRID, true, grid);
    bool end = r->height == 1 || r->height == high(t, r, HIGHEST);
    bool streams = t->apps[r->app].app.elements_per_op.value > 0;
    if (tile[0] > 0 && tile[1] > 0)
        return false;
    if (which == OWN)
        return grid[0] == 1 && end && (r->height > 1 || r->cfg.sync == GZ_SYNC_RESTART);
    return (grid[0] == 0 && r->height == 2) || (grid[0] == 1 && end) ||
           (grid[0] == 2 && streams && tile[0] == 0 && r->height == high(t, r, MANY)) ||
           (grid[1] == 0 && r->height == 1);
}

static bool is_fitted(const work *w, size_t i, selection which)
{
    return which == LOW ? w->points[i].row->height <= LOW_HEIGHT : w->chosen[which][i];
}

/* Chooses the runs, once. */
static void choose(work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const measured_row *r = w->points[i].row;
        w->chosen[FEW][i] =
            w->is_cpu ? is_few_of_cpu(w->table, r, FEW) : is_few_of_gpu(w->table, r);
        w->chosen[OWN][i] = w->is_cpu && is_few_of_cpu(w->table, r, OWN);
    }
}

/* ----------------------------------------------------------------------------------------- fits */

static struct gzc_fit_run run_of(const measured_row *r, gz_model model)
{
    struct gzc_fit_run run = {
        .app = r->app, .cfg = r->cfg, .height = r->height, .seconds = r->seconds};
    run.cfg.model = model;
    return run;
}

/* The runs fitted to; a tile, whatever the height and mode, is a group, and a nearly empty stage
 * one. */
static void make_runs(work *w, selection which, gz_model model)
{
    int n = 0;
    for (size_t i = 0; i < w->table->n_rows; i++)
        if (w->table->rows[i].kind == MEASURED_SYNC)
            w->row[n++] = &w->table->rows[i];
    for (size_t i = 0; i < w->n; i++)
        if (is_fitted(w, i, which))
            w->row[n++] = w->points[i].row;
    for (int i = 0, groups = 0; i < n; i++) {
        int same = 0;
        while (same < i && !(w->row[same]->kind == w->row[i]->kind &&
                             judge_same(JUDGE_TILE, w->row[same], w->row[i])))
            same++;
        w->run[i] = run_of(w->row[i], model);
        w->run[i].group = same < i ? w->run[same].group : groups++;
    }
    w->fit.run_count = n;
}

/* The unknowns of the 2011 model. */
static void make_2011(work *w)
{
    struct gzc_fit *fit = &w->fit;
    fit->unknown_count = 0;
    for (size_t k = 0; k < sizeof of_2011 / sizeof *of_2011; k++)
        for (int a = 0; a < (of_2011[k].of_stencil ? fit->app_count : 1); a++) {
            int app = of_2011[k].of_stencil ? a : -1;
            double value = gz_param_value(&fit->dev, &fit->apps[a], NULL, of_2011[k].param);
            if (value > 0)
                fit->unknown[fit->unknown_count++] = (struct gzc_unknown){
                    .param = of_2011[k].param, .app = app, .like = -1, .start = value, .prior = 10};
        }
}

/* Few of a table's runs tell what a bandwidth is or what a run takes once: their priors are
 * narrower than calibrate's, whose runs are made for that. */
static void narrow_priors(work *w)
{
    static const double of_bandwidth = 0.5, of_run = 1;
    for (int j = 0; j < w->fit.unknown_count; j++) {
        struct gzc_unknown *u = &w->fit.unknown[j];
        if (u->inverse)
            u->prior = of_bandwidth;
        if (strncmp(gz_param_about(u->param)->name, "run_", 4) == 0)
            u->prior = of_run;
    }
}

/* Gives the quantities that a form fixes their values; they are not fitted. */
static void fix(work *w, const form *f)
{
    for (int k = 0; k < 2 && f->fixed[k].name; k++) {
        int param = gz_param_by_name(f->fixed[k].name);
        for (int j = w->fit.unknown_count - 1; j >= 0; j--)
            if (w->fit.unknown[j].param == param)
                gzc_unknowns_drop(&w->fit, j);
        for (int a = 0; a < w->fit.app_count; a++) {
            gz_quantity *q = gz_param_quantity(&w->fit.dev, &w->apps[a], param);
            *q = (gz_quantity){f->fixed[k].value, 0, GZ_ORIGIN_DEFAULT};
        }
    }
}

/* Makes the problem of a form fitted to a selection. */
static void prepare(work *w, const form *f, selection which)
{
    memcpy(w->apps, w->base, sizeof w->apps);
    w->fit = (struct gzc_fit){
        .dev = w->dev, .apps = w->apps, .app_count = w->table->n_apps, .runs = w->run};
    make_runs(w, which, f->model);
    if (f->model == GZ_MODEL_GZ2) {
        gzc_unknowns_make(&w->fit, w->is_cpu);
        narrow_priors(w);
    } else {
        make_2011(w);
    }
    fix(w, f);
}

/* Predicts the points of one application, or of all (-1), within a factor of exp(half). */
static void predict(work *w, gz_model model, int app, double half)
{
    for (size_t i = 0; i < w->n; i++) {
        judge_point *p = &w->points[i];
        struct gzc_fit_run run = run_of(p->row, model);
        if (app >= 0 && p->row->app != app)
            continue;
        p->predicted = gzc_fit_predict(&w->fit, &run, NULL);
        p->low = p->predicted / exp(half);
        p->high = p->predicted * exp(half);
    }
}

/* Marks what was fitted to, or is between what was and what is judged. */
static void mark(work *w, selection which)
{
    for (size_t i = 0; i < w->n; i++)
        w->points[i].used =
            is_fitted(w, i, which) || (which == LOW && w->points[i].row->height < HIGH_HEIGHT);
}

/* Fits a form to a selection and predicts all points. False, and why, if it cannot. */
static bool fit_form(work *w, const form *f, selection which, char *why, size_t size)
{
    prepare(w, f, which);
    if (w->fit.run_count < w->fit.unknown_count) {
        snprintf(why, size, "%d runs for %d parameters of %s, too few to tell them apart",
                 w->fit.run_count, w->fit.unknown_count, gz_name(GZ_MODELS, f->model));
        return false;
    }
    if (!gzc_fit_left_out(&w->fit, FOLDS, w->residual) || !gzc_fit_solve(&w->fit, NULL)) {
        snprintf(why, size, "the fit of %s failed", f->name);
        return false;
    }
    /* Nearly empty stages, which come first, say nothing of runs that compute. */
    for (int i = 0; i < w->fit.run_count && w->row[i]->kind == MEASURED_SYNC; i++)
        w->residual[i] = (double)NAN;
    predict(w, f->model, -1, gzc_fit_half_width(w->residual, w->fit.run_count, 0));
    mark(w, which);
    return true;
}

/* Fits the unknowns of one application (`own`) or all others to the runs that tell them. */
static bool fit_part(work *w, int app, bool own)
{
    int n = 0, runs = 0;
    for (int j = 0; j < w->fit.unknown_count; j++)
        if ((w->fit.unknown[j].app == app) == own)
            w->fit.unknown[n++] = w->fit.unknown[j];
    w->fit.unknown_count = n;
    for (int i = 0; i < w->fit.run_count; i++)
        runs += w->use[i] = (w->run[i].app == app) == own;
    return runs >= n && gzc_fit_solve(&w->fit, w->use);
}

/* Gives the points of each application an interval from what the others' were off by when they were
 * left out, on runs that a calibration has and that were not fitted to then. */
static void intervals_from_others(work *w)
{
    for (int app = 0; app < w->table->n_apps; app++) {
        for (size_t i = 0; i < w->n; i++) {
            const judge_point *p = &w->points[i];
            bool tells = p->row->app != app && !p->used && is_fitted(w, i, FEW);
            w->residual[i] = tells ? log(p->predicted / p->seconds) : (double)NAN;
        }
        double half = gzc_fit_half_width(w->residual, (int)w->n, 0);
        for (size_t i = 0; i < w->n; i++)
            if (w->points[i].row->app == app) {
                w->points[i].low = w->points[i].predicted / exp(half);
                w->points[i].high = w->points[i].predicted * exp(half);
            }
    }
}

/* One application after the other: the device by the others, then its own quantities by six runs of
 * its own. */
static bool leave_out_stencils(work *w)
{
    const form *f = &forms[0];
    for (int app = 0; app < w->table->n_apps; app++) {
        prepare(w, f, FEW);
        if (!fit_part(w, app, false))
            return false;
        gz_device found = w->fit.dev;
        prepare(w, f, FEW); /* for the unknowns of all */
        make_runs(w, OWN, f->model);
        w->fit.dev = found;
        if (!fit_part(w, app, true))
            return false;
        predict(w, f->model, app, (double)NAN);
    }
    mark(w, OWN);
    intervals_from_others(w);
    return true;
}

/* --------------------------------------------------------------------------------------- result */

static void add(report *r, const work *w, const char *name)
{
    report_fit *f = &r->fit[r->n_fits];
    judge(w->points, w->n, &f->verdict);
    if (f->verdict.of[JUDGE_points] == 0) {
        cli_fail(0, "%s: left out, since the table has no points for it", name);
        return;
    }
    snprintf(f->name, sizeof f->name, "%s", name);
    r->n_fits++;
}

static int write_parameters(const work *w, const char *folder)
{
    sheet s;
    sheet_head(&s, w->table, "parameters: gz2 fitted to a few runs of the table",
               gzs_validate_parameters_txt);
    for (int k = 0; k < w->fit.unknown_count; k++) {
        const struct gzc_unknown *u = &w->fit.unknown[k];
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.6g\t%.3g\t%.4g\n", gz_param_about(u->param)->name,
                u->app < 0 ? "device" : w->table->apps[u->app].name, gz_param_about(u->param)->unit,
                u->alike < 0 ? "-" : gz_param_about(w->fit.unknown[u->alike].param)->name, u->value,
                u->sd, u->determined);
    }
    return sheet_write(&s, folder, "parameters.tsv");
}

/* Every form fitted to few runs, the parameters and points of gz2 besides. */
static int add_forms(report *r, work *w, const char *folder)
{
    char why[200];
    sheet s;
    int status = CLI_DONE;
    if (folder)
        sheet_head(&s, w->table,
                   "fitted_points: gz2 and the 2011 model fitted to a few runs of the table, "
                   "judged on the others",
                   gzs_validate_points_txt);
    for (size_t k = 0; k < FORMS && !status; k++) {
        const form *f = &forms[k];
        if (!(w->is_cpu ? f->cpu : f->gpu))
            continue;
        if (!fit_form(w, f, FEW, why, sizeof why)) {
            cli_fail(0, "%s is not fitted: %s", f->name, why);
            continue;
        }
        add(r, w, f->name);
        if (folder && k == 0)
            status = write_parameters(w, folder);
        if (folder && !f->fixed[0].name)
            figures_add_points(&s, f->name, w->points, w->n);
    }
    return !folder ? status : status ? status : sheet_write(&s, folder, "fitted_points.tsv");
}

static void add_harder(report *r, work *w)
{
    static const char *const names[] = {"gz2, h <= 3, judged at h >= 5",
                                        "meng2011, h <= 3, judged at h >= 5"};
    char why[200];
    for (int k = 0; k < 2; k++)
        if (fit_form(w, &forms[k ? FORMS - 1 : 0], LOW, why, sizeof why))
            add(r, w, names[k]);
    if (w->is_cpu && w->table->n_apps > 1 && leave_out_stencils(w))
        add(r, w, "gz2, a stencil left out");
}

/* The device and the applications without what was fitted. False if gz2 cannot do without. */
static bool open_files(work *w, double cache)
{
    const gz_quantity one = {1, 0, GZ_ORIGIN_DEFAULT};
    w->dev = w->table->device;
    for (int a = 0; a < w->table->n_apps; a++)
        w->base[a] = w->table->apps[a].app;
    gzc_unknowns_forget(&w->dev, w->base, w->table->n_apps);
    if (!gz_quantity_stated(&w->dev.warp_size))
        w->dev.warp_size = one;
    if (isnan(gz_get(&w->dev, "effective_cache")) && cache > 0)
        gz_set(&w->dev, "effective_cache", cache);
    w->is_cpu = w->dev.warp_size.value <= 1;
    return !isnan(gz_get(&w->dev, "effective_cache"));
}

int fitted_add(report *r, double cache, const char *folder)
{
    size_t rows = r->tables[0].n_rows + 1;
    int status = CLI_DONE;
    work *w = cli_room(1, sizeof *w);
    w->table = &r->tables[0];
    w->points = cli_room(rows, sizeof *w->points);
    w->run = cli_room(rows, sizeof *w->run);
    w->row = cli_room(rows, sizeof *w->row);
    w->residual = cli_room(rows, sizeof *w->residual);
    w->use = cli_room(rows, sizeof *w->use);
    for (int k = 0; k < LOW; k++)
        w->chosen[k] = cli_room(rows, sizeof *w->chosen[k]);
    if (open_files(w, cache)) {
        w->n = judge_points(w->table, false, w->points);
        choose(w);
        status = add_forms(r, w, folder);
        if (!status)
            add_harder(r, w);
    } else {
        cli_fail(0, "nothing is fitted: the device file lacks effective_cache; --cache states it");
    }
    void *const all[] = {w->points, w->run,         w->row,         w->residual,
                         w->use,    w->chosen[FEW], w->chosen[OWN], w};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    return status;
}
