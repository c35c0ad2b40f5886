/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verbs.h - the verbs of multigrid in plain C on one thread: the reference that the devices'
 * results equal bit by bit, and what computes the coarsest levels, where a launch costs more than
 * its work.
 */
#ifndef GZM_VERBS_H
#define GZM_VERBS_H

#include "stencil.h"

/* By the order of GZM_EACH_OPERATOR. */
enum gzm_form {
    GZM_STAR7,
    GZM_STAR7_WALLS,
    GZM_STAR13,
    GZM_BOX27,
    GZM_BOX125,
    GZM_STAR7VC,
    GZM_STAR7VC_WALLS,
    GZM_FORMS
};

enum gzm_verb { GZM_DO_APPLY, GZM_DO_RESIDUAL, GZM_DO_JACOBI, GZM_DO_RED_BLACK, GZM_VERBS };

/* A level in host memory: `data` with its right-hand side (and beta), and what else its operator
 * needs. */
struct gzm_grid {
    const struct gzk_data *data;
    enum gzm_form form;
    int radius;
    bool periodic;     /* else the elements outside are 0, */
    const void *zeros; /* as are those of this row, as long as the finest level's */
};

/* What filters a right-hand side: weights of the elements at three distances along the axes,
 * `reach` in all at most, in any order and direction; each a polynomial in lambda h^2, which is
 * evaluated as its first coefficient. */
struct gzm_filter {
    int reach, count;
    struct {
        int distance[3];
        double weight[5];
    } points[11];
};

/* The verbs for one type. Arrays have data->cells elements. */
struct gzm_verbs {
    /* Loop number `loop` of a verb, from one array to another. */
    void (*sweep)(const struct gzm_grid *grid, enum gzm_verb verb, long loop, const void *from,
                  void *to);
    /* The weighted sums of one array around each element, into another. */
    void (*filter)(const struct gzm_grid *grid, const struct gzm_filter *filter, const void *from,
                   void *to);
    /* The means of a residual's eight elements each. */
    void (*restrict_to)(const struct gzm_grid *grid, const void *residual, void *coarse);
    /* Adds the interpolated coarse array. */
    void (*prolong)(const struct gzm_grid *grid, const void *coarse, void *state);
    /* The largest magnitude; NaN if there is one. */
    double (*norm)(const void *array, size_t count);
    /* Solves A u = f to a thousandth; of a singular operator up to a constant. `work` has room for
     * three arrays. */
    void (*solve)(const struct gzm_grid *grid, bool singular, void *state, void *work);
    /* Takes the mean away. */
    void (*centre)(void *array, size_t count);
};

extern const struct gzm_verbs gzm_verbs_float, gzm_verbs_double;

#endif
