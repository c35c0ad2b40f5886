/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * second.h - how good predictions and choices are on a table of measured points, whatever model
 * they come from. Pure: it neither measures nor prints.
 */
#ifndef GZ_SECOND_H
#define GZ_SECOND_H

#include <stddef.h>

/* A measured point beside a prediction. */
typedef struct second_point {
    int curve;   /* number of its curve: the same in all but the height */
    int pair;    /* number of its pair of curves, which differ in the mode; -1: no mode to choose */
    int problem; /* number of what is to be solved: tile, mode and height are free */
    int height;  /* loops */
    int mode;
    double seconds;   /* per loop, measured */
    double predicted; /* per loop; NaN: the model is not defined here */
    double low, high; /* its 95 % interval; 0, 0 or NaN: it has none of its own */
    int used;         /* non-zero: used to fit, so its error is not counted */
} second_point;

/* Medians and 95th percentiles; NaN if there is nothing to count. Regret: the measured time of what
 * the model chooses over the best measured, less 1. */
typedef struct second_verdict {
    size_t points;   /* whose errors count */
    double error[2]; /* |predicted / measured - 1| */
    double bias;     /* predicted / measured, median */
    size_t curves;
    double height[3];   /* regret of the height on each curve: median, 95th percentile, largest */
    double constant;    /* the median regret of the best constant height's */
    double constant_95; /* and its 95th percentile */
    size_t pairs;
    double mode[2];       /* regret of the mode and height on each pair: median, 95th percentile */
    double mode_right;    /* share of pairs whose faster mode was chosen */
    double mode_within_2; /* share of pairs on which the mode, each at its best height by
                             measurement, loses at most 2 % */
    size_t problems;
    double joint[2];      /* regret of tile, mode and height on each problem */
    double joint_five[2]; /* the same of the best measured of the model's first five */
    double coverage;      /* share of the counted points in their 95 % interval */
} second_verdict;

/* Judges `n` points; `half_width` is half of the 95 % interval of ln(predicted / measured) of
 * points without an interval of their own, NaN if there is none. Zero; -1 without memory. */
int second_judge(const second_point *points, size_t n, double half_width, second_verdict *out);

#endif
