/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge.h - how good a model's predictions and choices are on measured points: of any model, any
 * variant, of one table or of several. It neither measures nor prints.
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

/* What points belong to. */
enum judge_set { JUDGE_CURVE, JUDGE_TILE, JUDGE_GRID, JUDGE_SETS };

/* A measured point beside its prediction. */
typedef struct judge_point {
    const measured *table;
    const measured_row *row;
    int number[JUDGE_SETS]; /* as judge_number gives them; -1: of none */
    double seconds;         /* per loop, measured */
    double predicted;       /* per loop; NaN: the model does not describe it */
    double low, high;       /* its 95 % interval; NaN: it has none */
} judge_point;

/* What is said of points, in the order of a verdict: of numbers of the points, curves, tiles or
 * grids their number, mean, median, or the 95th percentile of those of the measure before. Shares
 * and relative differences are printed in percent, those that also have a floor with it in
 * brackets. */
#define JUDGE_MEASURES(M)                                                                          \
    /* Whose errors count. */                                                                      \
    M(points, NUMBER, WHOLE, "points judged")                                                      \
    /* |predicted / measured - 1|. */                                                              \
    M(error, MEDIAN, FLOORED, "error of the predicted time, median")                               \
    M(error_95, 95, FLOORED, "  95th percentile")                                                  \
    M(ratio, MEDIAN, PLAIN, "predicted over measured, median")                                     \
    M(coverage, MEAN, PERCENT, "times within the 95 % interval")                                   \
    /* From its middle to its ends. */                                                             \
    M(width, MEDIAN, PLAIN, "  which reaches to a factor of, median")                              \
    M(curves, NUMBER, WHOLE, "curves over the height")                                             \
    M(height, MEDIAN, FLOORED, "regret of the height, median")                                     \
    M(height_95, REGRET_95, FLOORED, "  95th percentile")                                          \
    M(within_5, MEAN, PERCENT, "  curves with at most 5 %")                                        \
    M(one, MEDIAN, PERCENT, "regret of height 1, median")                                          \
    /* Or of the highest below, where that is missing. */                                          \
    M(constant, MEDIAN, PERCENT, "regret of the best constant height, median")                     \
    M(constant_95, REGRET_95, PERCENT, "  95th percentile")                                        \
    M(from_one, MEDIAN, PERCENT, "adaptive from 1, 30 loops, simulated")                           \
    M(from_model, MEDIAN, PERCENT, "adaptive from the model, simulated")                           \
    M(real_from_one, MEDIAN, PERCENT, "adaptive from 1, on the device")                            \
    M(real_from_model, MEDIAN, PERCENT, "adaptive from the 2011 model, on the device")             \
    /* Spearman's of predicted and measured, on curves of four points at least. */                 \
    M(correlation, MEDIAN, PLAIN, "rank correlation over heights, median")                         \
    M(tiles, NUMBER, WHOLE, "tiles, each in several modes")                                        \
    /* Each mode at its best height by measurement. */                                             \
    M(mode_within_2, MEAN, FLOORED, "mode's regret at most 2 %, share")                            \
    M(grids, NUMBER, WHOLE, "grids, to choose all for")                                            \
    /* Of variant, tile, mode and height. */                                                       \
    M(joint, MEDIAN, FLOORED, "regret of the joint choice, median")                                \
    M(joint_95, REGRET_95, FLOORED, "  95th percentile")                                           \
    M(joint_cross, MEAN, PERCENT, "  cross-fitted, mean")                                          \
    /* By measurement, of the model's first five. */                                               \
    M(joint_five, MEDIAN, FLOORED, "best of the first five, median")                               \
    M(joint_five_95, REGRET_95, FLOORED, "  95th percentile")                                      \
    M(joint_five_cross, MEAN, PERCENT, "  cross-fitted, mean")                                     \
    /* Grids with several variants. */                                                             \
    M(variant_right, MEAN, PERCENT, "fastest variant chosen")

/* JUDGE_points and so on. */
#define JUDGE_MEASURE(name, statistic, form, meaning) JUDGE_##name,
enum judge_measure { JUDGE_MEASURES(JUDGE_MEASURE) JUDGE_LINES };

extern const struct judge_about {
    const char *name, *meaning;
    enum { JUDGE_NUMBER, JUDGE_MEAN, JUDGE_MEDIAN, JUDGE_95, JUDGE_REGRET_95 } statistic;
    enum { JUDGE_WHOLE, JUDGE_PERCENT, JUDGE_FLOORED, JUDGE_PLAIN } form;
} judge_about[JUDGE_LINES];

/* By judge_measure. NaN if there is nothing to count, and for a percentile of regrets on fewer than
 * JUDGE_ENOUGH grids. */
typedef struct judge_verdict {
    double of[JUDGE_LINES];
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

/* The points of a table, none predicted. `out` has room for one a row. How many. */
size_t judge_points(const measured *table, judge_point *out);

/* Numbers curves, tiles and grids. */
void judge_number(judge_point *points, size_t n);

/* Predicts the points by a model, with their intervals. What it does not describe is NaN, and
 * `missing`, by gz_variant, says why of the first; how many it describes. */
size_t judge_predict(judge_point *points, size_t n, gz_model model, gz_error *missing);

/* Judges points that are numbered. */
void judge(const judge_point *points, size_t n, judge_verdict *out);
void judge_noise(const judge_point *points, size_t n, judge_floor *out);

/* Whether two rows are of the same curve, tile or grid. */
bool judge_same(enum judge_set set, const measured_row *a, const measured_row *b);

#endif
