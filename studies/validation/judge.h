/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judge.h - how good the model's predictions and choices are on a table of measurements. Pure: it
 * neither measures nor prints.
 *
 * A curve is one application, grid, block and synchronisation over the heights measured, two at
 * least. What the model chooses is its best whole height up to the highest measured; if that
 * height has no sound measurement, the nearest that has one is taken for it, and the curve counts
 * as `moved`.
 */
#ifndef GZ_JUDGE_H
#define GZ_JUDGE_H

#include "table.h"

/* Loops over which adaptive selection is simulated, as in the paper's Section 5.4.2. */
enum { JUDGE_LOOPS = 30 };

/* Which points count. */
typedef enum judge_rule {
    JUDGE_STRICT,  /* quiet ones only: an interquartile range under 2 % of the median */
    JUDGE_RELAXED, /* averaged ones too, whose median's standard error is under 2 % */
    JUDGE_RULES
} judge_rule;

/* How a table is judged. */
typedef struct judge_options {
    judge_rule rule;
    int by_cache; /* non-zero, an experiment: a grid whose loop touches no more than the cache holds
                     is predicted with the cache's bandwidth in the place of the memory's, where the
                     device file records both */
} judge_options;

/* The strict rule if it leaves at least half of the points of kind sweep, else the relaxed one,
 * so that a busy machine has a verdict too, which says by which rule. */
judge_rule judge_rule_of(const measured *table);

/* One sound or noisy point beside its prediction. */
typedef struct judge_point {
    const measured_row *row;
    int left_out;            /* non-zero: noisy by the rule */
    gz_prediction predicted; /* at the row's height */
    double seconds[2];       /* 95 % interval of the predicted time, s per loop */
} judge_point;

typedef struct judge_curve {
    size_t first, n;        /* its sound points among judge.points, ascending in height */
    const measured_row *at; /* its first point, for its configuration */
    int best, chosen;       /* heights: of the smallest measured time; the model's */
    int moved;              /* non-zero: a neighbour is taken for the model's height */
    double best_s;          /* smallest measured time, s per loop */
    /* Regrets: time over best_s, less 1. */
    double regret;      /* at the model's height */
    double one;         /* height 1; NaN if it was not measured */
    double random;      /* expected for a height drawn evenly from 1 to the highest measured */
    double from_one;    /* adaptive selection from 1, over JUDGE_LOOPS loops, simulated */
    double from_model;  /* the same from the model's height */
    double correlation; /* Spearman's, predicted with measured; NaN for fewer than four points */
    int height_covered; /* non-zero: the best height is in the model's 95 % interval */
} judge_curve;

/* Where one component of the model stands out. */
typedef enum judge_part {
    JUDGE_MEMORY,      /* height 1 on the application's largest grid */
    JUDGE_COMPUTATION, /* heights above 1 on its smallest */
    JUDGE_SYNC,        /* nearly empty kernels */
    JUDGE_PARTS
} judge_part;

/* Verdict over the curves of one application, or over all. NaN if there is nothing to count. */
typedef struct judge_verdict {
    size_t curves, moved;
    size_t points, noisy;                  /* sound; left out because noisy */
    double regret[3];                      /* of the model: median, 95th percentile, largest */
    double within_5;                       /* share of curves with a regret of at most 5 % */
    double one, fixed, random;             /* the rivals' median regrets */
    double from_one, from_model;           /* adaptive selection's, simulated */
    double real_from_one, real_from_model; /* run on the device, median time over best, less 1; a
                                              run's spread is of its choices too, so all count */
    double error[2];                       /* |predicted / measured - 1|: median, 95th percentile */
    double ratio;                          /* predicted / measured, median: the bias */
    double part[JUDGE_PARTS];              /* predicted / measured, medians, by judge_part */
    double correlation;                    /* median over the curves */
    double sync_hits;       /* share of configurations whose cheaper mode was chosen */
    size_t sync_choices;    /* configurations with both modes */
    double coverage;        /* share of sound points in the predicted 95 % interval */
    double height_coverage; /* share of curves whose best height is in its interval */
} judge_verdict;

typedef struct judge {
    const measured *table;
    judge_options options;
    judge_point *points; /* of kind sweep, curve after curve, ascending in height; noisy ones last
                            of all */
    size_t n_points, n_sound;
    judge_curve *curves;
    size_t n_curves;
    int fixed_height; /* that with the least mean logarithm of time over best, over all curves */
    judge_verdict all, app[MEASURED_MAX_APPS];
} judge;

/* Judges `table`, which must outlive the result. Returns GZ_OK; GZ_ENOMEM; or what the model
 * returns, with `error`, for a configuration that it is not defined for. Ended by judge_free. */
gz_status judge_table(const measured *table, judge_options options, judge *out, gz_error *error);
void judge_free(judge *j);

/* The device that a row is predicted with: the table's, or if options say so with the cache's
 * bandwidth. */
gz_device judge_device(const measured *table, judge_options options, const measured_row *row);

/* Whether a row is one of those that a part looks at. */
int judge_shows(const measured *table, const measured_row *row, judge_part part);

/* Time per loop on a curve at any height within its range: measured, or interpolated between
 * neighbours in logarithms. */
double judge_time(const judge *j, const judge_curve *curve, double height);

#endif
