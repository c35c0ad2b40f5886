/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tolerance.h - every tolerance of the library's tests, in one ladder; t/README explains it. All
 * are relative to the scale stated with each, unless they say otherwise. Raise one only with
 * a reason that belongs in its comment.
 */
#ifndef GZ_TOLERANCE_H
#define GZ_TOLERANCE_H

/* A value of the model: some thirty roundings, none of them cancelling. */
#define TOL_VALUE 2e-14

/* A derivative, relative to the sum of the magnitudes of what it adds up. */
#define TOL_DERIVATIVE 1e-13

/* The continuous minimiser: what the interface promises. */
#define TOL_MINIMISER 1e-12

/* |d ln CPL / d ln h| at an interior minimiser: what the interface promises. */
#define TOL_OPTIMALITY 1e-9

/* The derivative of the minimiser by a parameter: two derivatives, divided. */
#define TOL_IMPLICIT 1e-13

/* CPL of two heights or shapes that count as equal: choices between them are not judged. */
#define TOL_TIE 1e-13

/* Monte Carlo: standard errors of a mean or of a standard deviation; five of them are exceeded once
 * in 1.7 million checks. */
#define TOL_MONTE_CARLO_ERRORS 5.0

#endif
