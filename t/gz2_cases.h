/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_cases.h - random devices, stencils and configurations for the model gz2.
 */
#ifndef GZ2_CASES_H
#define GZ2_CASES_H

#include "gz2.h"

/* A sequence of random numbers from its state. */
double gz2_uniform(unsigned long long *state, double lo, double hi);
int gz2_whole(unsigned long long *state, int lo, int hi);
double gz2_logarithmic(unsigned long long *state, double lo, double hi);

/* The seed: of the environment's GZ_SEED, or `usual`; printed. */
unsigned long long gz2_seed(unsigned long long usual);

/* A random device with a random stencil and random parameters: a CPU or a GPU. */
void gz2_random_model(unsigned long long *state, gzi_gz2 *model);

/* A random configuration for it that commits something, with at most about `tiles` tiles. */
void gz2_random_config(unsigned long long *state, const gzi_gz2 *model, double tiles,
                       gzi_gz2_config *config);

/* Makes it one of a random variant: a trapezoid, a streamed tile (not in one dimension) or a block
 * without local memory. */
void gz2_random_variant(unsigned long long *state, const gzi_gz2 *model, gzi_gz2_config *config);

#endif
