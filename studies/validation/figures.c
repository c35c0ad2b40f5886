/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures.h"

#include "numbers.h"
#include "output.h"
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *quality(const judge *j, const measured_row *row)
{
    return row->quality == MEASURED_QUIET ||
                   (j->options.rule == JUDGE_RELAXED && row->quality == MEASURED_AVERAGED)
               ? "sound"
               : "noisy";
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

/* What the second model predicts; NaN if the files lack what it needs. */
static double second_model(const judge *j, const measured_row *r)
{
    const gz_app *app = &j->table->apps[r->app].app;
    gz_config cfg = r->cfg;
    gz_prediction p;
    cfg.model = GZ_MODEL_GZ2;
    return gz_predict(&j->table->device, app, &cfg, r->height, &p, NULL) ? (double)NAN
                                                                         : p.seconds_per_loop;
}

static int write_points(const judge *j, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"size", "text", "grid, elements"},
        {"block", "text", "starting tile, elements"},
        {"quality", "text", "sound, or noisy and left out of the verdict"},
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
    sheet_head(&s, j, "points: measured beside predicted, one configuration in each row", columns,
               SHEET_COLUMNS(columns));
    for (size_t k = 0; k < j->n_points; k++) {
        const judge_point *p = &j->points[k];
        const measured_row *r = p->row;
        const double *term = p->predicted.term;
        const measured_app *a = &j->table->apps[r->app];
        char size[96], block[96];
        cli_lengths_text(a->app.dim, r->cfg.data_length, size, sizeof size);
        cli_lengths_text(a->app.dim, r->cfg.block_len, block, sizeof block);
        fprintf(s.to,
                "%s\t%s\t%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.4f\t%.4f\t%.6g\n",
                a->name, gz_name(GZ_SYNCS, r->cfg.sync), size, block, quality(j, r), r->height,
                r->seconds, lower(r), upper(r), p->predicted.seconds_per_loop, p->seconds[0],
                p->seconds[1], term[GZ_TERM_GLB_SYNC] / p->predicted.cpl,
                (term[GZ_TERM_LOAD_STEN] + term[GZ_TERM_COMMIT] + term[GZ_TERM_ITER_MEM]) /
                    p->predicted.cpl,
                second_model(j, r));
    }
    return sheet_write(&s, folder, "points.tsv");
}

/* One row of the two tables below, sorted so that what is one line in a figure stands together. */
typedef struct shown {
    const measured_row *row;
    int kind;
    double x, whole, part, second;
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

static int same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

/* The grid and block about which the curves vary one thing: those with the most sound points, the
 * first in the table if several have as many. NULL if there are no points. */
static const gz_config *centre_of(const judge *j, int app)
{
    const measured *t = j->table;
    const gz_config *found = NULL;
    int most = -1;
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        int sound = 0;
        if (r->app != app || r->kind != MEASURED_SWEEP)
            continue;
        for (size_t i = 0; i < t->n_rows; i++)
            sound += t->rows[i].app == app && t->rows[i].kind == MEASURED_SWEEP &&
                     strcmp(quality(j, &t->rows[i]), "sound") == 0 &&
                     same_lengths(r->cfg.data_length, t->rows[i].cfg.data_length) &&
                     same_lengths(r->cfg.block_len, t->rows[i].cfg.block_len);
        if (sound > most) {
            most = sound;
            found = &r->cfg;
        }
    }
    return found;
}

/* In the manner of the paper's Figs. 5 to 7: one thing varies in each. */
static int write_curves(const judge *j, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"kind", "text", "what varies: block or size, at height 1, or height"},
        {"quality", "text", "sound, or noisy and left out of the verdict"},
        {"x", "1", "elements of the block, elements of the grid, or loops"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop, by the 2011 model"},
        {"second", "s", "the same by gz2; nan if the files lack what it needs"}};
    static const char *const kinds[] = {"block", "size", "height"};
    const measured *t = j->table;
    shown *rows = shown_new(j->n_points);
    size_t n = 0;
    sheet s;
    for (int app = 0; app < t->n_apps; app++) {
        const gz_app *a = &t->apps[app].app;
        const gz_config *c = centre_of(j, app);
        for (size_t k = 0; k < j->n_points; k++) {
            const measured_row *r = j->points[k].row;
            const double x[] = {cli_product(a->dim, r->cfg.block_len),
                                cli_product(a->dim, r->cfg.data_length), r->height};
            int fixed[] = {c && same_lengths(c->block_len, r->cfg.block_len),
                           c && same_lengths(c->data_length, r->cfg.data_length), r->height == 1};
            for (int kind = 0; kind < 3 && r->app == app; kind++)
                if ((kind == 0 || fixed[0]) && (kind == 1 || fixed[1]) && (kind == 2 || fixed[2]))
                    rows[n++] = (shown){.row = r,
                                        .kind = kind,
                                        .x = x[kind],
                                        .whole = j->points[k].predicted.seconds_per_loop,
                                        .second = second_model(j, r)};
        }
    }
    qsort(rows, n, sizeof *rows, compare_shown);
    sheet_head(&s, j, "curves: measured over predicted, one thing varied at a time", columns,
               SHEET_COLUMNS(columns));
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", t->apps[r->app].name,
                gz_name(GZ_SYNCS, r->cfg.sync), kinds[rows[k].kind], quality(j, r), rows[k].x,
                r->seconds, lower(r), upper(r), rows[k].whole, rows[k].second);
    }
    free(rows);
    return sheet_write(&s, folder, "curves.tsv");
}

/* Component by component: if one of them stands out, the measured time beside it. */
static int write_components(const judge *j, const char *folder)
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
    const measured *t = j->table;
    shown *rows = shown_new(t->n_rows);
    size_t n = 0;
    sheet s;
    for (int app = 0; app < t->n_apps; app++) {
        const gz_app *a = &t->apps[app].app;
        const gz_config *c = centre_of(j, app);
        for (size_t k = 0; k < t->n_rows; k++) {
            const measured_row *r = &t->rows[k];
            gz_prediction p;
            const gz_device device = judge_device(t, j->options, r);
            if (r->app != app || gz_predict(&device, a, &r->cfg, r->height, &p, NULL))
                continue;
            int central =
                r->kind == MEASURED_SWEEP && c && same_lengths(c->block_len, r->cfg.block_len);
            const int wanted[] = {central && r->height == 1,
                                  central && judge_shows(t, r, JUDGE_COMPUTATION),
                                  judge_shows(t, r, JUDGE_SYNC)};
            const double x[] = {cli_product(a->dim, r->cfg.data_length), r->height, p.t};
            const double part[] = {
                p.term[GZ_TERM_LOAD_STEN] + p.term[GZ_TERM_COMMIT] + p.term[GZ_TERM_ITER_MEM],
                p.term[GZ_TERM_MISC_COMP] + p.term[GZ_TERM_ITER_COMP], p.term[GZ_TERM_GLB_SYNC]};
            for (int kind = 0; kind < JUDGE_PARTS; kind++)
                if (wanted[kind])
                    rows[n++] = (shown){.row = r,
                                        .kind = kind,
                                        .x = x[kind],
                                        .whole = p.seconds_per_loop,
                                        .part = part[kind] / t->device.clock_rate.value};
        }
    }
    qsort(rows, n, sizeof *rows, compare_shown);
    sheet_head(&s, j, "components: which part of the prediction is off", columns,
               SHEET_COLUMNS(columns));
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", t->apps[r->app].name,
                gz_name(GZ_SYNCS, r->cfg.sync), kinds[rows[k].kind], quality(j, r), rows[k].x,
                r->seconds, lower(r), upper(r), rows[k].whole, rows[k].part);
    }
    free(rows);
    return sheet_write(&s, folder, "components.tsv");
}

int figures_write(const judge *j, const char *folder)
{
    int status = write_points(j, folder);
    if (!status)
        status = write_curves(j, folder);
    return status ? status : write_components(j, folder);
}
