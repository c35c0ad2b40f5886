/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trial.h - kernels compiled and run once in a process of their own, before they are in the
 * caller's: the optimiser of an OpenCL driver for CPUs is a part of the process, and may end it.
 */
#ifndef GZK_TRIAL_H
#define GZK_TRIAL_H

#include "device.h"

#include <stdio.h>

/* For struct gzk_device's before_program: whether the program that gzstencil/compile beside this
 * library is has compiled and run the kernel on a small grid, now or for an earlier process. On a
 * GPU, or where there is no such program, that is not looked at. GZK_FAILED if it died. */
int gzk_try(struct gzk_device *device, const struct gzk_config *config, struct gzk_error *error);

/* Likewise, of blocks of many threads: how much of a driver's stacks their variables take,
 * nothing tells. */
int gzk_try_threads(struct gzk_device *device, const struct gzk_config *config,
                    struct gzk_error *error);

/* The other end: the exit status of that program, which reads from `stream` what to try. */
int gzk_try_here(FILE *stream);

#endif
