/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * setup.h - a problem and how it is solved.
 */
#ifndef GZM_SETUP_H
#define GZM_SETUP_H

#include "config.h"
#include "problem.h"

/* What is given of a level's way; the rest is chosen. */
struct gzm_way {
    bool has_variant;
    gz_variant variant;
    int height;   /* loops of the smoother in a launch; 0 to choose */
    int block[3]; /* 0 to choose; a given one needs a variant */
};

struct gzm_division;

struct gzm_setup {
    struct gzm_problem problem;
    int sweeps[2]; /* before the coarse level's correction and after it, 0 to 100, not both 0 */
    struct gzm_way way[GZM_MAX_LEVELS]; /* how each level is smoothed, as far as it is given */
    long tail;     /* levels of at most so many elements are computed on the host */
    int threads;   /* of a block of the kernels between levels; 0: what suits the device */
    bool separate; /* restriction, interpolation and norm get launches of their own everywhere */
    bool mixed; /* of a problem in double: cycles in float, of the residual in double, whose results
                   are added to the state in double (iterative refinement) */
    const struct gzm_division *division; /* among ranks, on each of which all of this is called;
                                            or NULL. What a rank gives and gets is the whole grid */
    const volatile sig_atomic_t *stop;   /* work ends with GZK_FAILED once it is not 0; or NULL */
};

/* The levels of such a setup: all extents are halved while they are even and each half has two
 * elements or more. */
struct gzm_sizes gzm_sizes(const struct gzm_setup *setup, bool has_device);

/* Loops of a visit before the correction or after it, and the more of both. */
long gzm_visit_loops(const struct gzm_setup *setup, int after);
long gzm_most_loops(const struct gzm_setup *setup);

#endif
