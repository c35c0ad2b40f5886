/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "numbers.h"
#include "output.h"
#include "tables.h"

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

/* What is particular to one of these tables: its columns and its kinds. */
typedef struct figure {
    const char *name, *what, *columns, *kinds[3];
} figure;

/* Sorts the rows, writes them under their kinds' names, and frees them. */
static int write_shown(const figure *f, const measured *t, shown *rows, size_t n,
                       const char *folder)
{
    sheet s;
    sheet_head(&s, t, f->what, f->columns);
    qsort(rows, n, sizeof *rows, compare_shown);
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", t->apps[r->app].name,
                gz_name(GZ_SYNCS, r->cfg.sync), f->kinds[rows[k].kind], quality(r), rows[k].x,
                r->seconds, lower(r), upper(r), rows[k].whole, rows[k].other);
    }
    free(rows);
    return sheet_write(&s, folder, f->name);
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
                     judge_same(JUDGE_TILE, other, r);
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
    static const figure curves = {"curves.tsv",
                                  "curves: measured over predicted, one thing varied at a time",
                                  gzs_validate_curves_txt,
                                  {"block", "size", "height"}};
    const gz_config *centre[MEASURED_MAX_APPS];
    shown *rows = cli_room(3 * t->n_rows, sizeof *rows); /* three figures of a row */
    size_t n = 0;
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
    return write_shown(&curves, t, rows, n, folder);
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
    static const figure components = {"components.tsv",
                                      "components: which part of the prediction is off",
                                      gzs_validate_components_txt,
                                      {"memory", "computation", "sync"}};
    enum { KINDS = 3 };
    const gz_config *centre[MEASURED_MAX_APPS];
    shown *rows = cli_room(3 * t->n_rows, sizeof *rows); /* three figures of a row */
    size_t n = 0;
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
    return write_shown(&components, t, rows, n, folder);
}

static void add_point(sheet *s, const char *model, const judge_point *p)
{
    const measured_row *r = p->row;
    const measured_app *a = &p->table->apps[r->app];
    fprintf(s->to, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%.6g\n", model, a->name,
            gz_name(GZ_SYNCS, r->cfg.sync), cli_lengths_text(a->app.dim, r->cfg.data_length).text,
            cli_lengths_text(a->app.dim, r->cfg.block_len).text, quality(r), r->height, r->seconds,
            lower(r), upper(r), p->predicted);
}

static void add_points(sheet *s, const char *model, const judge_point *points, size_t n)
{
    for (int app = 0; app < MEASURED_MAX_APPS; app++)
        for (size_t i = 0; i < n; i++)
            if (points[i].row->app == app && points[i].row->kind == MEASURED_SWEEP &&
                !isnan(points[i].predicted))
                add_point(s, model, &points[i]);
}

static int write_points(const report *r, const char *folder)
{
    sheet s;
    sheet_head(&s, &r->tables[0], "points: predicted and measured, all models on the same points",
               gzs_validate_points_txt);
    for (int k = 0; k < r->n_models; k++)
        add_points(&s, gz_name(GZ_MODELS, r->of[k].model), r->of[k].points, r->n);
    return sheet_write(&s, folder, "points.tsv");
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
        double gz2 = predicted(t, r, GZ_MODEL_GZ2);
        while (k < n &&
               !(judge_same(JUDGE_GRID, lines[k].row, r) && r->height == lines[k].row->height &&
                 r->cfg.variant == lines[k].row->cfg.variant))
            k++;
        if (k == n)
            lines[n++] = (shown){.row = r,
                                 .x = cli_product(t->apps[r->app].app.dim, r->cfg.data_length),
                                 .whole = r->seconds,
                                 .other = gz2};
        lines[k].whole = fmin(lines[k].whole, r->seconds);
        lines[k].other = fmin(lines[k].other, gz2);
    }
    qsort(lines, n, sizeof *lines, compare_variants);
    return n;
}

static int write_variants(const measured *t, const char *folder)
{
    size_t others = 0;
    sheet s;
    for (size_t i = 0; i < t->n_rows; i++)
        others += measured_is_point(t->rows[i].kind) && t->rows[i].kind != MEASURED_SWEEP;
    if (others == 0)
        return CLI_DONE;
    shown *lines = cli_room(t->n_rows, sizeof *lines);
    size_t n = fastest_of_variants(t, lines);
    sheet_head(&s, t, "variants: trapezoids, streamed tiles and blocks without local memory",
               gzs_validate_variants_txt);
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
    int status = write_points(r, folder);
    if (!status)
        status = write_curves(t, folder);
    if (!status)
        status = write_components(t, folder);
    return status ? status : write_variants(t, folder);
}
