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

/* The product of n lengths: elements of a grid or a block. 1 if n is 0. */
double cli_product(int n, const double *lengths);

/* Lengths as people write them: "20x20". What does not fit into `size` bytes is cut. */
void cli_lengths_text(int n, const double *lengths, char *text, size_t size);

#endif
