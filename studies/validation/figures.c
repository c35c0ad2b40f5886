/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "numbers.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *quality(const measured_row *row)
{
    return row->quality == MEASURED_NOISY ? "noisy" : "sound";
}

/* The quartiles, as if they were as far from the median. */
static double lower(const measured_row *row)
{
    return row->seconds * fmax(1 - row->spread / 2, 0.01);
}

static double upper(const measured_row *row)
{
    return row->seconds * (1 + row->spread / 2);
}

static gz_status predict(const measured *t, const measured_row *r, gz_model model, gz_prediction *p)
{
    gz_config cfg = r->cfg;
    cfg.model = model;
    return gz_predict(&t->device, &t->apps[r->app].app, &cfg, r->height, p, NULL);
}

/* Seconds per loop; NaN if the files lack what the model needs. */
static double predicted(const measured *t, const measured_row *r, gz_model model)
{
    gz_prediction p;
    return predict(t, r, model, &p) ? (double)NAN : p.seconds_per_loop;
}

/* By application, mode, grid, tile and height, and the noisy ones last. */
static int compare_rows(const void *a, const void *b)
{
    const measured_row *x = *(const measured_row *const *)a, *y = *(const measured_row *const *)b;
    int noisy = (x->quality == MEASURED_NOISY) - (y->quality == MEASURED_NOISY);
    if (noisy || x->app != y->app)
        return noisy ? noisy : x->app - y->app;
    for (int i = 0; i < GZ_MAX_DIM; i++)
        if (x->cfg.data_length[i] != y->cfg.data_length[i])
            return x->cfg.data_length[i] < y->cfg.data_length[i] ? -1 : 1;
    for (int i = 0; i < GZ_MAX_DIM; i++)
        if (x->cfg.block_len[i] != y->cfg.block_len[i])
            return x->cfg.block_len[i] < y->cfg.block_len[i] ? -1 : 1;
    if (x->cfg.sync != y->cfg.sync)
        return (int)x->cfg.sync - (int)y->cfg.sync;
    return x->height - y->height;
}

/* A table's trapezoids in that order, to be freed; how many. */
static const measured_row **trapezoids(const measured *t, size_t *n)
{
    const measured_row **rows = calloc(t->n_rows + 1, sizeof *rows);
    if (!rows)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    *n = 0;
    for (size_t k = 0; k < t->n_rows; k++)
        if (t->rows[k].kind == MEASURED_SWEEP)
            rows[(*n)++] = &t->rows[k];
    qsort(rows, *n, sizeof *rows, compare_rows);
    return rows;
}

/* 95 % interval of the 2011 model's time, of whose prediction `p` is; its ends are NaN without one.
 */
static void interval(const measured *t, const measured_row *r, double ends[2])
{
    static const double z95 = 1.959963984540054;
    gz_uncertainty sure;
    bool known = gz_propagate(&t->device, &t->apps[r->app].app, &r->cfg, r->height, z95, &sure,
                              NULL) == GZ_OK;
    for (int k = 0; k < 2; k++)
        ends[k] = known ? sure.seconds[k] : (double)NAN;
}

static int write_points(const measured *t, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"size", "text", "grid, elements"},
        {"block", "text", "starting tile, elements"},
        {"quality", "text", "sound, or noisy"},
        {"h", "loops", "trapezoid height"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop, by the 2011 model"},
        {"predicted_low", "s", "95 % interval, lower end"},
        {"predicted_high", "s", "95 % interval, upper end"},
        {"sync_share", "1", "predicted share of GlbSync*"},
        {"memory_share", "1", "predicted share of LoadSten*, Commit* and IterMem*"},
        {"second", "s", "time per loop, by gz2; nan if the files lack what it needs"}};
    sheet s;
    size_t n;
    const measured_row **rows = trapezoids(t, &n);
    sheet_head(&s, t, "points: measured beside predicted, one configuration in each row", columns,
               SHEET_COLUMNS(columns));
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k];
        const measured_app *a = &t->apps[r->app];
        char size[96], block[96];
        double ends[2];
        gz_prediction p;
        if (predict(t, r, GZ_MODEL_MENG2011, &p))
            continue;
        const double *term = p.term;
        interval(t, r, ends);
        cli_lengths_text(a->app.dim, r->cfg.data_length, size, sizeof size);
        cli_lengths_text(a->app.dim, r->cfg.block_len, block, sizeof block);
        fprintf(s.to,
                "%s\t%s\t%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.4f\t%.4f\t%.6g\n",
                a->name, gz_name(GZ_SYNCS, r->cfg.sync), size, block, quality(r), r->height,
                r->seconds, lower(r), upper(r), p.seconds_per_loop, ends[0], ends[1],
                term[GZ_TERM_GLB_SYNC] / p.cpl,
                (term[GZ_TERM_LOAD_STEN] + term[GZ_TERM_COMMIT] + term[GZ_TERM_ITER_MEM]) / p.cpl,
                predicted(t, r, GZ_MODEL_GZ2));
    }
    free(rows);
    return sheet_write(&s, folder, "points.tsv");
}

/* One row of the tables below, sorted so that what is one line in a figure stands together. */
typedef struct shown {
    const measured_row *row;
    int kind;
    double x, whole, other; /* what is varied, and two predictions */
} shown;

static int compare_shown(const void *a, const void *b)
{
    const shown *p = a, *q = b;
    if (p->row->app != q->row->app)
        return p->row->app - q->row->app;
    if (p->kind != q->kind)
        return p->kind - q->kind;
    if (p->row->cfg.sync != q->row->cfg.sync)
        return (int)p->row->cfg.sync - (int)q->row->cfg.sync;
    return (p->x > q->x) - (p->x < q->x);
}

/* Room for three rows of a table for each of `n`. */
static shown *shown_new(size_t n)
{
    shown *rows = calloc(3 * n, sizeof *rows);
    if (!rows)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    return rows;
}

/* Sorts the rows, writes them under their kinds' names, and frees them. */
static int write_shown(sheet *s, const measured *t, shown *rows, size_t n, const char *const *kinds,
                       const char *folder, const char *name)
{
    qsort(rows, n, sizeof *rows, compare_shown);
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s->to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n",
                t->apps[r->app].name, gz_name(GZ_SYNCS, r->cfg.sync), kinds[rows[k].kind],
                quality(r), rows[k].x, r->seconds, lower(r), upper(r), rows[k].whole,
                rows[k].other);
    }
    free(rows);
    return sheet_write(s, folder, name);
}

static bool same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

/* The grid and block about which the curves vary one thing: those with the most sound points, the
 * first in the table if several have as many. NULL if there are no points. */
static const gz_config *centre_of(const measured *t, int app)
{
    const gz_config *found = NULL;
    int most = -1;
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        int sound = 0;
        if (r->app != app || r->kind != MEASURED_SWEEP)
            continue;
        for (size_t i = 0; i < t->n_rows; i++) {
            const measured_row *other = &t->rows[i];
            sound += other->kind == MEASURED_SWEEP && other->quality != MEASURED_NOISY &&
                     judge_same_tile(other, r);
        }
        if (sound > most) {
            most = sound;
            found = &r->cfg;
        }
    }
    return found;
}

/* The centre of every application. */
static void centres_of(const measured *t, const gz_config *centre[MEASURED_MAX_APPS])
{
    for (int a = 0; a < t->n_apps; a++)
        centre[a] = centre_of(t, a);
}

/* Curves over the block, the grid and the height, each about the centre. */
static int write_curves(const measured *t, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"kind", "text", "what varies: block or size, at height 1, or height"},
        {"quality", "text", "sound, or noisy"},
        {"x", "1", "elements of the block, elements of the grid, or loops"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop, by the 2011 model"},
        {"second", "s", "the same by gz2; nan if the files lack what it needs"}};
    static const char *const kinds[] = {"block", "size", "height"};
    const gz_config *centre[MEASURED_MAX_APPS];
    shown *rows = shown_new(t->n_rows);
    size_t n = 0;
    sheet s;
    centres_of(t, centre);
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        const gz_app *a = &t->apps[r->app].app;
        const gz_config *c = r->kind == MEASURED_SWEEP ? centre[r->app] : NULL;
        const double x[] = {cli_product(a->dim, r->cfg.block_len),
                            cli_product(a->dim, r->cfg.data_length), r->height};
        const bool fixed[] = {c && same_lengths(c->block_len, r->cfg.block_len),
                              c && same_lengths(c->data_length, r->cfg.data_length),
                              r->height == 1};
        for (int kind = 0; kind < 3 && c; kind++)
            if ((kind == 0 || fixed[0]) && (kind == 1 || fixed[1]) && (kind == 2 || fixed[2]))
                rows[n++] = (shown){r, kind, x[kind], predicted(t, r, GZ_MODEL_MENG2011),
                                    predicted(t, r, GZ_MODEL_GZ2)};
    }
    sheet_head(&s, t, "curves: measured over predicted, one thing varied at a time", columns,
               SHEET_COLUMNS(columns));
    return write_shown(&s, t, rows, n, kinds, folder, "curves.tsv");
}

/* Whether a stencil was measured on a grid that is larger (`sign` 1) or smaller (-1) than a row's.
 */
static bool has_grid_beyond(const measured *t, const measured_row *row, int sign)
{
    int dim = t->apps[row->app].app.dim;
    double here = cli_product(dim, row->cfg.data_length);
    for (size_t k = 0; k < t->n_rows; k++)
        if (t->rows[k].app == row->app && t->rows[k].kind == MEASURED_SWEEP &&
            sign * (cli_product(dim, t->rows[k].cfg.data_length) - here) > 0)
            return true;
    return false;
}

/* The 2011 model component by component: where one of them stands out, the measured time beside it.
 */
static int write_components(const measured *t, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"kind", "text",
         "memory: over the grid's elements at h = 1; computation: over the height "
         "on the smallest grid; sync: over the blocks of nearly empty kernels"},
        {"quality", "text", "sound, or noisy"},
        {"x", "1", "elements, loops or blocks"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop"},
        {"part", "s", "that component's share of the prediction"}};
    static const char *const kinds[] = {"memory", "computation", "sync"};
    enum { KINDS = 3 };
    const gz_config *centre[MEASURED_MAX_APPS];
    shown *rows = shown_new(t->n_rows);
    size_t n = 0;
    sheet s;
    centres_of(t, centre);
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        const gz_config *c = centre[r->app];
        gz_prediction p;
        if (predict(t, r, GZ_MODEL_MENG2011, &p))
            continue;
        bool central =
            r->kind == MEASURED_SWEEP && c && same_lengths(c->block_len, r->cfg.block_len);
        const bool wanted[KINDS] = {central && r->height == 1,
                                    central && r->height > 1 && !has_grid_beyond(t, r, -1),
                                    r->kind == MEASURED_SYNC};
        const double x[] = {cli_product(t->apps[r->app].app.dim, r->cfg.data_length), r->height,
                            p.t};
        const double part[] = {
            p.term[GZ_TERM_LOAD_STEN] + p.term[GZ_TERM_COMMIT] + p.term[GZ_TERM_ITER_MEM],
            p.term[GZ_TERM_MISC_COMP] + p.term[GZ_TERM_ITER_COMP], p.term[GZ_TERM_GLB_SYNC]};
        for (int kind = 0; kind < KINDS; kind++)
            if (wanted[kind])
                rows[n++] = (shown){r, kind, x[kind], p.seconds_per_loop,
                                    part[kind] / t->device.clock_rate.value};
    }
    sheet_head(&s, t, "components: which part of the prediction is off", columns,
               SHEET_COLUMNS(columns));
    return write_shown(&s, t, rows, n, kinds, folder, "components.tsv");
}

void figures_begin_points(sheet *s, const measured *table, const char *what)
{
    static const sheet_column columns[] = {
        {"model", "text", "model"},
        {"kind", "text", "fitted: used to fit the model; judged: the others"},
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"cells", "1", "elements of the grid"},
        {"block_x", "1", "elements of the starting tile, x"},
        {"h", "loops", "trapezoid height"},
        {"measured", "s", "time per loop"},
        {"predicted", "s", "time per loop"}};
    sheet_head(s, table, what, columns, SHEET_COLUMNS(columns));
}

void figures_add_points(sheet *s, const char *model, const judge_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const judge_point *p = &points[i];
        const measured_app *a = &p->table->apps[p->row->app];
        if (p->row->kind == MEASURED_SWEEP && !isnan(p->predicted))
            fprintf(s->to, "%s\t%s\t%s\t%s\t%.15g\t%.15g\t%d\t%.6g\t%.6g\n", model,
                    p->used ? "fitted" : "judged", a->name, gz_name(GZ_SYNCS, p->row->cfg.sync),
                    cli_product(a->app.dim, p->row->cfg.data_length), p->row->cfg.block_len[0],
                    p->row->height, p->seconds, p->predicted);
    }
}

static int write_model_points(const report *r, const char *folder)
{
    sheet s;
    figures_begin_points(&s, &r->tables[0],
                         "model_points: predicted and measured, all models on the same points");
    for (int k = 0; k < r->n_models; k++)
        figures_add_points(&s, gz_name(GZ_MODELS, r->of[k].model), r->of[k].points, r->n);
    return sheet_write(&s, folder, "model_points.tsv");
}

/* ------------------------------------------------------------------------------------- variants */

static int compare_variants(const void *a, const void *b)
{
    const shown *p = a, *q = b;
    if (p->row->app != q->row->app)
        return p->row->app - q->row->app;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->row->cfg.variant != q->row->cfg.variant)
        return (int)p->row->cfg.variant - (int)q->row->cfg.variant;
    return p->row->height - q->row->height;
}

/* Of each grid, variant and height the fastest tile and mode: measured, and predicted by gz2. */
static size_t fastest_of_variants(const measured *t, shown *lines)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_rows; i++) {
        const measured_row *r = &t->rows[i];
        size_t k = 0;
        if (!measured_is_point(r->kind))
            continue;
        double second = predicted(t, r, GZ_MODEL_GZ2);
        while (k < n && !(judge_same_grid(lines[k].row, r) && r->height == lines[k].row->height &&
                          r->cfg.variant == lines[k].row->cfg.variant))
            k++;
        if (k == n)
            lines[n++] = (shown){.row = r,
                                 .x = cli_product(t->apps[r->app].app.dim, r->cfg.data_length),
                                 .whole = r->seconds,
                                 .other = second};
        lines[k].whole = fmin(lines[k].whole, r->seconds);
        lines[k].other = fmin(lines[k].other, second);
    }
    qsort(lines, n, sizeof *lines, compare_variants);
    return n;
}

static int write_variants(const measured *t, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"cells", "1", "elements of the grid"},
        {"variant", "text", "how tiles are computed"},
        {"h", "loops", "height"},
        {"measured", "s", "time per loop of the fastest tile and mode of those measured"},
        {"predicted", "s",
         "time per loop of the tile and mode that gz2 predicts to be fastest of those measured; "
         "nan if the files lack what it needs"}};
    size_t others = 0;
    sheet s;
    for (size_t i = 0; i < t->n_rows; i++)
        others += measured_is_point(t->rows[i].kind) && t->rows[i].kind != MEASURED_SWEEP;
    if (others == 0)
        return CLI_DONE;
    shown *lines = shown_new(t->n_rows);
    size_t n = fastest_of_variants(t, lines);
    sheet_head(&s, t, "variants: trapezoids, streamed tiles and blocks without local memory",
               columns, SHEET_COLUMNS(columns));
    for (size_t i = 0; i < n; i++) {
        const shown *l = &lines[i];
        fprintf(s.to, "%s\t%.15g\t%s\t%d\t%.6g\t%.6g\n", t->apps[l->row->app].name, l->x,
                gz_name(GZ_VARIANTS, l->row->cfg.variant), l->row->height, l->whole, l->other);
    }
    free(lines);
    return sheet_write(&s, folder, "variants.tsv");
}

int figures_write(const report *r, const char *folder)
{
    const measured *t = &r->tables[0];
    int status = write_points(t, folder);
    if (!status)
        status = write_curves(t, folder);
    if (!status)
        status = write_components(t, folder);
    if (!status)
        status = write_model_points(r, folder);
    return status ? status : write_variants(t, folder);
}
