/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2.h"

#include <math.h>
#include <stdlib.h>

typedef struct entry {
    double bound; /* of its time, from below */
    size_t index;
} entry;

static int ascending(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound < y->bound ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* The fastest found so far, in order. */
typedef struct podium {
    gzi_gz2_candidate *best;
    size_t *index;
    int wanted, found;
} podium;

static void offer(podium *p, const gzi_gz2_config *config, size_t index, double seconds)
{
    int at = p->found;
    while (at > 0 && (seconds < p->best[at - 1].seconds ||
                      (seconds == p->best[at - 1].seconds && index < p->index[at - 1])))
        at--;
    if (at >= p->wanted)
        return;
    if (p->found < p->wanted)
        p->found++;
    for (int i = p->found - 1; i > at; i--) {
        p->best[i] = p->best[i - 1];
        p->index[i] = p->index[i - 1];
    }
    p->best[at] = (gzi_gz2_candidate){*config, seconds};
    p->index[at] = index;
}

/* The relaxation at a configuration; infinite if nothing would be committed. Streamed tiles and
 * blocks without local memory have no relaxation: 0 bounds them. */
static double bound_of(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    double tile[3] = {1, 1, 1};
    gzi_gz2_relaxed relaxed;
    if (config->height < 1)
        return (double)INFINITY;
    if (config->variant != GZI_GZ2_TRAPEZOID)
        return 0;
    for (int i = 0; i < model->stencil.dim; i++) {
        tile[i] = config->block[i] - 2.0 * model->stencil.radius[i] * config->height;
        if (tile[i] < 1)
            return (double)INFINITY;
    }
    gzi_gz2_relax(model, config, config->height, tile, &relaxed);
    return relaxed.seconds;
}

int gzi_gz2_search(const gzi_gz2 *model, const gzi_gz2_config *all, size_t n, int wanted,
                   int best_first, gzi_gz2_candidate *best, size_t *evaluations)
{
    /* A bound may be rounded upwards. */
    static const double rounding = 1 + 1e-12;
    entry *order = malloc((n ? n : 1) * sizeof *order);
    size_t *index = malloc((size_t)(wanted > 0 ? wanted : 1) * sizeof *index), spent = 0;
    podium p = {best, index, wanted, 0};

    if (!order || !index || wanted < 1) {
        free(order);
        free(index);
        return -1;
    }
    for (size_t k = 0; k < n; k++)
        order[k] = (entry){best_first ? bound_of(model, &all[k]) : 0, k};
    if (best_first)
        qsort(order, n, sizeof *order, ascending);
    for (size_t k = 0; k < n; k++) {
        gzi_gz2_prediction prediction;
        if (isinf(order[k].bound) ||
            (p.found == wanted && order[k].bound > rounding * best[wanted - 1].seconds))
            break;
        spent++;
        if (gzi_gz2_predict(model, &all[order[k].index], &prediction) == GZI_GZ2_OK)
            offer(&p, &all[order[k].index], order[k].index, prediction.seconds);
    }
    free(order);
    free(index);
    if (evaluations)
        *evaluations = spent;
    return p.found;
}
