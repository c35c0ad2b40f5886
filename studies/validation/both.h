/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * both.h - the models side by side on the same measured points, each by the device and application
 * files of the table, and beside each regret the noise floor: what a perfect model would have.
 * Pure: it neither measures nor prints.
 *
 * No point of the table was used to calibrate: the device file was written before. All points of
 * kind sweep count; of a table of format 1, in which a point was measured once, the noisy ones do
 * not.
 */
#ifndef GZ_BOTH_H
#define GZ_BOTH_H

#include "second.h"
#include "table.h"

enum { BOTH_MODELS = 2 };

/* Draws of the noise floor, and the seed of its random numbers. */
enum { BOTH_DRAWS = 200, BOTH_SEED = 1 };

/* A perfect model predicts each point's median exactly, and is judged on medians that scatter as
 * the tries did (measured_scatter), normally in the logarithm: means over BOTH_DRAWS draws of what
 * second_judge says of it. Members as there. */
typedef struct both_floor {
    int known;      /* zero: less than half of the points have two tries, so no floor is stated */
    size_t one_try; /* points with fewer than two: the median scatter of the others is taken */
    double scatter[2]; /* of a point's median: median, 95th percentile */
    double error[2], height[2], mode_within_2, joint[2], joint_five[2];
} both_floor;

/* One model's verdicts, or why it has none. */
typedef struct both_model {
    gz_model model;
    gz_error missing;  /* empty, or one line that says what the files lack */
    double *predicted; /* per point, s per loop */
    second_verdict all, app[MEASURED_MAX_APPS];
} both_model;

typedef struct both {
    const measured *table;
    size_t n;                 /* points */
    const measured_row **row; /* theirs */
    second_point *points;     /* theirs, numbered over the whole table; predicted by no model */
    both_floor all, app[MEASURED_MAX_APPS];
    both_model of[BOTH_MODELS];
    int n_models;
} both;

/* Judges `model`, or if it is negative every model that there is, on `table`, which must outlive
 * the result. Returns GZ_OK, GZ_ENOMEM, or, only if `model` is given, what it returns, with
 * `error`. Ended by both_free. */
gz_status both_judge(const measured *table, int model, both *out, gz_error *error);
void both_free(both *b);

#endif
