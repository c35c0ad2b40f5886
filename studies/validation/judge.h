/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge.h - how good a model's predictions and choices are on measured points: of any model, any
 * variant, calibrated or fitted, of one table or of several. Pure: it neither measures nor prints.
 *
 * Every point of a table counts, however noisy: what the noise does to a verdict is stated beside
 * it, as the floor. Only where most points have a single try, which no floor can be had from, are
 * the noisy ones left out, unless all are.
 *
 * A curve is one stencil, grid, tile and mode over the heights; a tile has a curve for each mode; a
 * grid has tiles. They are of trapezoids; a streamed tile's extent changes with its height, so such
 * points belong to a grid alone.
 *
 * Regret is the measured time of what the model would choose among the points over the best
 * measured, less 1. The least of many noisy times is too small, so regret counts the noise against
 * every model. Cross-fitted it does not: the best is chosen by half of the tries, and it and the
 * model's choice are timed by the other half, and vice versa; the mean of both, which may be
 * negative.
 */
#ifndef GZ_JUDGE_H
#define GZ_JUDGE_H

#include "table.h"

#include <stdbool.h>

/* Grids, at least, over which a 95th percentile of regrets is stated: of fewer it is an accident of
 * three. */
enum { JUDGE_ENOUGH = 96 };

/* Loops over which adaptive selection is simulated [Meng and Skadron, Section 5.4.2]. */
enum { JUDGE_LOOPS = 30 };

/* Draws of the noise floor, and the seed of its random numbers. */
enum { JUDGE_DRAWS = 200, JUDGE_SEED = 1 };

/* A measured point beside its prediction. */
typedef struct judge_point {
    const measured *table;
    const measured_row *row;
    int curve, tile, grid; /* numbers, as judge_number gives them; -1: of none */
    double seconds;        /* per loop, measured */
    double predicted;      /* per loop; NaN: the model does not describe it */
    double low, high;      /* its 95 % interval; NaN: it has none */
    bool used;             /* to fit: its error does not count */
} judge_point;

/* What is said of points: medians and 95th percentiles, in this order. NaN if there is nothing to
 * count, and for a percentile of regrets on fewer than JUDGE_ENOUGH grids. */
typedef struct judge_verdict {
    size_t points;   /* whose errors count */
    double error[2]; /* |predicted / measured - 1| */
    double ratio;    /* predicted / measured, median: the bias */
    double coverage; /* share of the counted points in their intervals */
    double width;    /* the factor from an interval's middle to its ends, median */
    size_t curves;
    double height[2];   /* regret of the height */
    double within_5;    /* share of curves with a regret of at most 5 % */
    double one;         /* regret of height 1, median */
    double constant[2]; /* of the best constant height, or the highest below where it is missing */
    double
        correlation; /* Spearman's of predicted and measured on a curve of four at least, median */
    double from_one, from_model; /* regret of adaptive selection from height 1 and from the
                                    model's, simulated, median */
    double real_from_one, real_from_model; /* the same run on the device, which of a model's is that
                                              of 2011 */
    size_t tiles;
    double mode_within_2; /* share of tiles on which the mode, each at its best height by
                             measurement, loses at most 2 % */
    size_t grids;
    double joint[2];      /* regret of variant, tile, mode and height on each grid */
    double joint_five[2]; /* the same of the best measured of the model's first five */
    double joint_cross, joint_five_cross; /* cross-fitted, mean */
    double variant_right; /* share of the grids with several variants whose fastest was chosen */
} judge_verdict;

/* What a perfect model would have, which predicts each point's time exactly and is judged on times
 * that scatter as the point's tries did (measured_scatter), normally in the logarithm: means over
 * JUDGE_DRAWS draws. */
typedef struct judge_floor {
    bool known;        /* false: less than half of the points have two tries */
    size_t one_try;    /* points with fewer than two: the median scatter of the others is taken */
    double scatter[2]; /* of a point's time */
    judge_verdict verdict;
} judge_floor;

/* The points of a table, none predicted: of trapezoids alone, or of all variants. `out` has room
 * for one a row. How many. */
size_t judge_points(const measured *table, bool all_variants, judge_point *out);

/* Numbers curves, tiles and grids. */
void judge_number(judge_point *points, size_t n);

/* Predicts the points by a model, with their intervals. What it does not describe is NaN, and
 * `missing`, by gz_variant, says why of the first; how many it describes. */
size_t judge_predict(judge_point *points, size_t n, gz_model model, gz_error *missing);

/* Judges points that are numbered. GZ_OK or GZ_ENOMEM. */
gz_status judge(const judge_point *points, size_t n, judge_verdict *out);
gz_status judge_noise(const judge_point *points, size_t n, judge_floor *out);

/* Whether two rows are of the same grid; of the same tile; of the same curve. */
bool judge_same_grid(const measured_row *a, const measured_row *b);
bool judge_same_tile(const measured_row *a, const measured_row *b);
bool judge_same_curve(const measured_row *a, const measured_row *b);

#endif
