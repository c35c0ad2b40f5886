/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * numbers.h - small arithmetic that several programs need: quantiles of samples, lengths of grids
 * and blocks, time.
 */
#ifndef GZ_CLI_NUMBERS_H
#define GZ_CLI_NUMBERS_H

#include <stddef.h>

/* Monotonic time, s; only differences mean something. */
double cli_now(void);

/* Sorts n values ascending; there must be no NaN among them. */
void cli_sort(double *values, size_t n);

/* The q-quantile, 0 <= q <= 1, of n ascending values, interpolated between neighbours [Hyndman and
 * Fan 1996, type 7]; NaN if n is 0. */
double cli_quantile(const double *ascending, size_t n, double q);

/* The interquartile range over the median of n ascending values; NaN if n is 0. */
double cli_spread(const double *ascending, size_t n);

/* The time of something that was tried n times, from the times in ascending order: their lower
 * quartile. Other load on a machine, or on its host, only lengthens a try,
 * often for minutes; so the faster half of the tries says most about what they would take
 * undisturbed, and the quartile is less of an accident than the smallest. NaN if n is 0. */
double cli_tried(const double *ascending, size_t n);

/* Relative standard deviation of one undisturbed try, from the range of the faster half in the
 * logarithm over what it is expected to be of normal variables; and that of cli_tried of so many.
 * NaN for fewer than two; more than 16 count as 16. */
double cli_try_scatter(const double *ascending, size_t n);
double cli_tried_scatter(const double *ascending, size_t n);

/* The product of n lengths: elements of a grid or a block. 1 if n is 0. */
double cli_product(int n, const double *lengths);

/* Lengths as people write them: "20x20". */
struct cli_lengths_text {
    char text[96];
};
struct cli_lengths_text cli_lengths_text(int n, const double *lengths);

#endif
