/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "variants.h"

#include "numbers.h"
#include "output.h"
#include "sheet.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------- points */

static void predict(variants *v, size_t i)
{
    const measured_row *r = v->row[i];
    gz_config cfg = r->cfg;
    gz_prediction p;
    gz_error why;
    cfg.model = GZ_MODEL_GZ2;
    cfg.loops = (double)r->loops;
    gz_status status =
        gz_predict(&v->table->device, &v->table->apps[r->app].app, &cfg, r->height, &p, &why);
    v->predicted[i] = status ? (double)NAN : p.seconds_per_loop;
    if (status && !v->missing[cfg.variant].text[0])
        v->missing[cfg.variant] = why;
}

static bool same_problem(const measured_row *a, const measured_row *b)
{
    return a->app == b->app &&
           memcmp(a->cfg.data_length, b->cfg.data_length, sizeof a->cfg.data_length) == 0;
}

/* -------------------------------------------------------------------------------------- errors */

static void spread(double *values, size_t n, double out[2])
{
    out[0] = out[1] = (double)NAN;
    if (n == 0)
        return;
    cli_sort(values, n);
    out[0] = cli_quantile(values, n, 0.5);
    out[1] = cli_quantile(values, n, 0.95);
}

static void judge_errors(variants *v, double *work)
{
    for (int k = 0; k < VARIANTS; k++) {
        size_t n = 0;
        for (size_t i = 0; i < v->n; i++)
            if ((int)v->row[i]->cfg.variant == k && !isnan(v->predicted[i]))
                work[n++] = fabs(v->predicted[i] / v->row[i]->seconds - 1);
        v->points[k] = n;
        spread(work, n, v->error[k]);
    }
}

/* The regret of the choice on the grid of point `first`; NaN unless two variants are described.
 * `*right`: the fastest variant was chosen. */
static double regret(const variants *v, size_t first, int *right)
{
    size_t best = v->n, chosen = v->n;
    unsigned seen = 0;
    for (size_t i = first; i < v->n; i++) {
        if (!same_problem(v->row[first], v->row[i]) || isnan(v->predicted[i]))
            continue;
        seen |= 1u << v->row[i]->cfg.variant;
        if (best == v->n || v->row[i]->seconds < v->row[best]->seconds)
            best = i;
        if (chosen == v->n || v->predicted[i] < v->predicted[chosen])
            chosen = i;
    }
    if ((seen & (seen - 1)) == 0)
        return (double)NAN;
    *right = v->row[best]->cfg.variant == v->row[chosen]->cfg.variant;
    return v->row[chosen]->seconds / v->row[best]->seconds - 1;
}

static void judge_choices(variants *v, double *work)
{
    size_t right = 0;
    for (size_t i = 0; i < v->n; i++) {
        bool seen = false;
        int chosen = 0;
        for (size_t k = 0; k < i && !seen; k++)
            seen = same_problem(v->row[k], v->row[i]);
        double lost = seen ? (double)NAN : regret(v, i, &chosen);
        if (isnan(lost))
            continue;
        work[v->problems++] = lost;
        right += chosen != 0;
    }
    v->right = v->problems ? (double)right / (double)v->problems : (double)NAN;
    spread(work, v->problems, v->joint);
}

gz_status variants_judge(const measured *table, variants *out)
{
    size_t others = 0;
    *out = (variants){.table = table};
    for (size_t i = 0; i < table->n_rows; i++)
        others += measured_is_point(table->rows[i].kind) && table->rows[i].kind != MEASURED_SWEEP;
    if (others == 0)
        return GZ_OK;
    out->row = calloc(table->n_rows, sizeof *out->row);
    out->predicted = calloc(table->n_rows, sizeof *out->predicted);
    double *work = calloc(table->n_rows, sizeof *work);
    if (!out->row || !out->predicted || !work) {
        free(work);
        variants_free(out);
        return GZ_ENOMEM;
    }
    for (size_t i = 0; i < table->n_rows; i++)
        if (measured_is_point(table->rows[i].kind))
            out->row[out->n++] = &table->rows[i];
    for (size_t i = 0; i < out->n; i++)
        predict(out, i);
    judge_errors(out, work);
    judge_choices(out, work);
    free(work);
    return GZ_OK;
}

void variants_free(variants *v)
{
    free(v->row);
    free(v->predicted);
    *v = (variants){0};
}

/* ------------------------------------------------------------------------------------- results */

void variants_print(const variants *v)
{
    if (v->n == 0)
        return;
    puts("\nThe variants, by gz2:");
    for (int k = 0; k < VARIANTS; k++)
        if (v->points[k] > 0)
            printf("%-44s%zu points, error %.1f %% in the median, %.1f %% at the 95th percentile\n",
                   gz_name(GZ_VARIANTS, (gz_variant)k), v->points[k], 100 * v->error[k][0],
                   100 * v->error[k][1]);
        else if (v->missing[k].text[0])
            printf("%-44snot judged: %s\n", gz_name(GZ_VARIANTS, (gz_variant)k),
                   v->missing[k].text);
    if (v->problems > 0)
        printf("%-44s%zu grids, the right variant on %.0f %%; regret of variant, tile, height and "
               "mode %.1f %% in the median, %.1f %% at the 95th percentile\n",
               "choice among them", v->problems, 100 * v->right, 100 * v->joint[0],
               100 * v->joint[1]);
}

/* What is drawn of one grid, variant and height. */
typedef struct line {
    const measured_row *row;
    double cells, measured, predicted;
} line;

static int compare_lines(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->row->app != y->row->app)
        return x->row->app - y->row->app;
    if (x->cells != y->cells)
        return x->cells < y->cells ? -1 : 1;
    if (x->row->cfg.variant != y->row->cfg.variant)
        return (int)x->row->cfg.variant - (int)y->row->cfg.variant;
    return x->row->height - y->row->height;
}

/* Collects the lines: of each grid, variant and height the fastest tile and mode. */
static size_t make_lines(const variants *v, line *lines)
{
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        const measured_row *r = v->row[i];
        size_t k = 0;
        while (k < n && !(same_problem(lines[k].row, r) && r->height == lines[k].row->height &&
                          r->cfg.variant == lines[k].row->cfg.variant))
            k++;
        if (k == n)
            lines[n++] = (line){r, cli_product(v->table->apps[r->app].app.dim, r->cfg.data_length),
                                r->seconds, v->predicted[i]};
        lines[k].measured = fmin(lines[k].measured, r->seconds);
        lines[k].predicted = fmin(lines[k].predicted, v->predicted[i]);
    }
    qsort(lines, n, sizeof *lines, compare_lines);
    return n;
}

int variants_write(const variants *v, const judge *j, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application"},
        {"cells", "1", "elements of the grid"},
        {"variant", "text", "how tiles are computed"},
        {"h", "loops", "height"},
        {"measured", "s", "time per loop of the fastest tile and mode of those measured"},
        {"predicted", "s",
         "time per loop of the tile and mode that gz2 predicts to be fastest of those measured; "
         "nan "
         "if the files lack what it needs"}};
    sheet s;
    line *lines = v->n ? calloc(v->n, sizeof *lines) : NULL;
    if (v->n == 0)
        return CLI_DONE;
    if (!lines)
        return cli_fail(CLI_FAILED, "out of memory");
    size_t n = make_lines(v, lines);
    sheet_head(&s, j, "variants: trapezoids, streamed tiles and blocks without local memory",
               columns, SHEET_COLUMNS(columns));
    for (size_t i = 0; i < n; i++) {
        const line *l = &lines[i];
        fprintf(s.to, "%s\t%.15g\t%s\t%d\t%.6g\t", v->table->apps[l->row->app].name, l->cells,
                gz_name(GZ_VARIANTS, l->row->cfg.variant), l->row->height, l->measured);
        fprintf(s.to, isnan(l->predicted) ? "nan\n" : "%.6g\n", l->predicted);
    }
    free(lines);
    return sheet_write(&s, folder, "variants.tsv");
}
