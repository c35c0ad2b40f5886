/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * elasticity.c - all parameters, ranked by how much they move the optimum.
 */
#include "gzmodel/parameters.h"
#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const study_own = gzs_elasticity_txt;

enum { SYNCS = 2, CASES = STUDY_BENCHMARKS * SYNCS };

/* Parameters of one symbol: the lengths of all dimensions count as one. */
typedef struct parameter {
    char symbol[40];
    int first, count; /* gz_param */
    double cpl[CASES], height[CASES];
    double largest; /* |cpl| */
} parameter;

/* Lists the parameters that the device has; returns how many. */
static int list_parameters(const study *s, parameter *list)
{
    const study_benchmark *b = s->benchmark;
    int n = 0, count;
    for (int p = 0; p < gz_param_count(); p += count) {
        count = strchr(gz_param_about(p)->name, '[') ? GZ_MAX_DIM : 1;
        if (gz_param_about(p)->group != GZ_GROUP_MODEL ||
            isnan(gz_param_value(&s->device, &b->app, &b->cfg, p)))
            continue;
        /* HaloWidth_0, _1 and _2 become HaloWidth. */
        const char *symbol = gz_param_about(p)->symbol;
        size_t length = strlen(symbol) - (count > 1 ? strlen("_0") : 0);
        list[n] = (parameter){.first = p, .count = count};
        snprintf(list[n++].symbol, sizeof list->symbol, "%.*s", (int)length, symbol);
    }
    return n;
}

/* Cases run over the benchmarks, each with both synchronisations. */
static gz_sync case_sync(int c)
{
    return c % SYNCS == 0 ? GZ_SYNC_RESTART : GZ_SYNC_FENCE;
}

/* Fills in case c; scaling all dimensions at once adds up their elasticities. */
static void fill_case(study *s, int n, parameter *list, int c)
{
    const study_benchmark *b = s->benchmark + c / SYNCS;
    gz_config cfg = b->cfg;
    cfg.sync = case_sync(c);
    gz_sensitivity at;
    gz_status status = gz_sensitivity_at_optimum(&s->device, &b->app, &cfg, &at, NULL);
    if (status)
        exit(cli_fail(CLI_FAILED, "%s: %s", b->app.name, gz_strerror(status)));
    for (parameter *q = list; q < list + n; q++) {
        for (int p = q->first; p < q->first + q->count; p++) {
            q->cpl[c] += at.cpl[p];
            q->height[c] += at.height_elasticity[p];
        }
        q->largest = fmax(q->largest, fabs(q->cpl[c]));
    }
}

/* Larger first; equals in the order of the library. */
static int by_size(const void *a, const void *b)
{
    const parameter *x = a, *y = b;
    if (x->largest != y->largest)
        return x->largest < y->largest ? 1 : -1;
    return x->first - y->first;
}

void study_rows(study *s)
{
    if (s->n_benchmarks == 0)
        return;
    parameter list[GZ_PARAM_CAPACITY];
    int n = list_parameters(s, list);
    for (int c = 0; c < s->n_benchmarks * SYNCS; c++)
        fill_case(s, n, list, c);
    qsort(list, (size_t)n, sizeof *list, by_size);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < s->n_benchmarks * SYNCS; c++)
            study_row(s,
                      STUDY_TEXT(list[k].symbol, s->benchmark[c / SYNCS].app.name,
                                 gz_name(GZ_SYNCS, case_sync(c))),
                      STUDY_NUMBERS(k + 1, list[k].cpl[c], list[k].height[c]));
}
