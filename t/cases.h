/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cases.h - configurations for the tests: the paper's, and random valid ones.
 */
#ifndef GZ_CASES_H
#define GZ_CASES_H

#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"

#include <gsl/gsl_rng.h>

typedef struct test_case {
    gz_device dev;
    gz_app app;
    gz_config cfg;
} test_case;

/* The paper's benchmarks as configured for its Fig. 7. */
enum { PATHFINDER, HOTSPOT, POISSON, CELL, BENCHMARKS };
extern const char *const benchmark_names[BENCHMARKS];
test_case benchmark_case(int benchmark, gz_sync sync);

/* A generator seeded with GZ_SEED from the environment, or with 2011; says so in a diagnostic line,
 * so that a failure can be run again. To be freed with gsl_rng_free. */
gsl_rng *seeded_rng(void);

/* Draws. `log_uniform` is uniform in the logarithm. `whole` is a whole number in low..high. */
double uniform(gsl_rng *rng, double low, double high);
double log_uniform(gsl_rng *rng, double low, double high);
double whole(gsl_rng *rng, double low, double high);

/* A valid case of ordinary size: a GPU somewhere between the paper's and ten generations on, a
 * stencil of 1 to 3 dimensions, halos that differ by dimension and may be 0 in some, blocks that
 * differ by dimension, all three kinds of synchronisation and both readings of tau. Some quantities
 * that may be 0 are. */
test_case random_case(gsl_rng *rng);

/* As random_case, but every quantity anywhere in its range between 1e-`decades` and 1e+`decades`;
 * block lengths up to 1e6 and halos up to nearly those. */
test_case extreme_case(gsl_rng *rng, double decades);

/* A height in (0, pole), anywhere between hardly any and nearly all of it. */
double random_height(gsl_rng *rng, const test_case *c);

/* Prints a case as diagnostics. */
void show_case(const test_case *c);

#endif
