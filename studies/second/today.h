/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * today.h - what the second model's studies share: the paper's stencils on grids and in blocks of
 * today, whose tiles have more elements than threads.
 */
#ifndef GZ_TODAY_H
#define GZ_TODAY_H

#include "study.h"

/* A stencil of the study's device with the configuration that its studies start from. */
typedef struct today {
    gz_app app;
    gz_config cfg;
} today;

enum { TODAY_APPS = 4 };

/* The k-th of the paper's four stencils, on 2^24 elements, in the middle of the blocks below. */
void today_open(study *s, int k, today *out);

/* The k-th block of a set by powers of two, from the smallest that a GPU's warps fill to the
 * largest that local memory may hold, with at most 256 threads; zero past the last. */
int today_block(const today *t, int k, gz_config *cfg);

/* The fastest block and whole height on a device by cfg's model and mode; zero if none fits. */
int today_best(const gz_device *dev, const today *t, gz_config *best, gz_optimum *out);

/* Ends the program, with status 2, if the second model does not describe the study's device. */
void today_check(study *s, const today *t);

/* The grid of the stencil with about that many elements. */
void today_grid(const gz_app *app, double elements, gz_config *cfg);

#endif
