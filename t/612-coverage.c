/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 612-coverage - the 95 % intervals of both models hold 90 to 98 % of the kept times, by class of
 * device and variant; cross-validated, each table judged by the scale that the others of its class
 * would have given. Less than ENOUGH points or ENOUGH_TABLES tables are printed only.
 */
#include "judge.h"
#include "tap.h"

#include <stdlib.h>

enum { ENOUGH = 30, ENOUGH_TABLES = 4, TABLES = 8, VARIANTS = 3, MODELS = 2 };

/* The table of the first simulated kernels, which issued more instructions, is left out. */
static const struct {
    const char *class, *tables[TABLES];
} classes[] = {
    {"CPUs",
     {"pocl-epyc-2core", "pocl-epyc-2core-first", "pocl-epyc-2core-disturbed", "pocl-xeon-2core",
      "pocl-xeon-2core-second", "pocl-xeon-2core-third", "pocl-xeon-2core-fourth",
      "pocl-xeon-2core-fifth"}},
    {"GPUs", {"amd-w7800", "simulated-gt200", "simulated-qv100"}},
};

/* Distances of measured times from predictions, in half widths of the interval, logarithmic. */
typedef struct group {
    size_t n;
    double *z;
} group;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percent(size_t part, size_t n)
{
    return 100.0 * (double)part / (double)n;
}

static bool holds(size_t inside, size_t n)
{
    return 100 * inside >= 90 * n && 100 * inside <= 98 * n;
}

static size_t within(const group *g, double scale)
{
    size_t n = 0;
    for (size_t k = 0; k < g->n; k++)
        n += g->z[k] <= scale;
    return n;
}

static void add(judge_point *points, size_t n, gz_model model, group out[VARIANTS])
{
    gz_error missing[VARIANTS];
    judge_predict(points, n, model, missing);
    for (int v = 0; v < VARIANTS; v++)
        out[v] = (group){.z = malloc((n + 1) * sizeof *out->z)};
    for (size_t k = 0; k < n; k++) {
        group *g = &out[points[k].row->cfg.variant];
        double half = log(points[k].high / points[k].predicted);
        if (half > 0)
            g->z[g->n++] = fabs(log(points[k].seconds / points[k].predicted)) / half;
    }
    for (int v = 0; v < VARIANTS; v++)
        qsort(out[v].z, out[v].n, sizeof *out[v].z, compare);
}

static void read_table(const char *name, group out[MODELS][VARIANTS])
{
    char path[512];
    gz_error error;
    measured table;
    snprintf(path, sizeof path, "%s/studies/results/%s/validation.tsv", getenv("GZ_SOURCE"), name);
    if (measured_read(path, &table, &error)) {
        tap_ok(0, "%s: %s", path, error.text);
        exit(tap_done());
    }
    judge_point *points = malloc((table.n_rows + 1) * sizeof *points);
    size_t n = judge_points(&table, points);
    for (int m = 0; m < MODELS; m++)
        add(points, n, (gz_model)(GZ_MODEL_MENG2011 + m), out[m]);
    free(points);
    measured_free(&table);
}

/* The scale of the intervals by which each table but `held` would have 95 %. */
static double scale_of_others(group (*of)[MODELS][VARIANTS], int held, int m, int v)
{
    double scale = 0;
    for (int t = 0; t < TABLES; t++)
        if (t != held && of[t][m][v].n > 0)
            scale = fmax(scale, of[t][m][v].z[(size_t)(0.95 * (double)(of[t][m][v].n - 1))]);
    return scale;
}

static void judge_group(const char *class, group (*of)[MODELS][VARIANTS], int m, int v)
{
    size_t tables = 0, n = 0, inside = 0, held = 0;
    for (int t = 0; t < TABLES; t++) {
        tables += of[t][m][v].n > 0;
        n += of[t][m][v].n;
        inside += within(&of[t][m][v], 1);
        held += within(&of[t][m][v], scale_of_others(of, t, m, v));
    }
    const char *model = gz_name(GZ_MODELS, (gz_model)(GZ_MODEL_MENG2011 + m)),
               *variant = gz_name(GZ_VARIANTS, (gz_variant)v);
    if (n >= ENOUGH)
        tap_ok(holds(inside, n), "%s, %s, %s: %zu tables, %zu times, %.1f %% in their intervals",
               class, model, variant, tables, n, percent(inside, n));
    else if (n > 0)
        tap_note("%s, %s, %s: %zu of %zu times in their intervals", class, model, variant, inside,
                 n);
    if (tables >= ENOUGH_TABLES)
        tap_ok(holds(held, n), "... %.1f %%, cross-validated", percent(held, n));
    else if (tables > 1)
        tap_note("... %.1f %%, cross-validated by %zu tables", percent(held, n), tables);
}

int main(void)
{
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        static group of[TABLES][MODELS][VARIANTS];
        memset(of, 0, sizeof of);
        for (int t = 0; t < TABLES && classes[c].tables[t]; t++)
            read_table(classes[c].tables[t], of[t]);
        for (int m = 0; m < MODELS; m++)
            for (int v = 0; v < VARIANTS; v++)
                judge_group(classes[c].class, of, m, v);
        for (size_t i = 0; i < sizeof of / sizeof of[0][0][0]; i++)
            free((&of[0][0][0])[i].z);
    }
    return tap_done();
}
