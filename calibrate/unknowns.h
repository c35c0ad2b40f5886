/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unknowns.h - which quantities of a model are fitted to which runs, from where (gz_param_fit).
 * Depends on gzmodel.h alone, so that what calibrate fits can be fitted to any runs.
 */
#ifndef GZC_UNKNOWNS_H
#define GZC_UNKNOWNS_H

#include "fit.h"

/* Gives `fit`, which has its device, applications and runs, its unknowns: those that its runs
 * depend on, with what the device states as starts and priors. They have their starts in device and
 * applications then, and runs that gz2 does not describe are dropped. */
void gzc_unknowns_make(struct gzc_fit *fit, bool is_cpu);

/* The quantity of a device whose measured value the fit of `param` starts from: itself, or what it
 * is a part of, or a microbenchmark's in cycles; -1: none, and the start is an order of magnitude.
 */
int gzc_unknowns_source(const gz_device *dev, int param);

/* Takes an unknown out; its quantity is what it was before. */
void gzc_unknowns_drop(struct gzc_fit *fit, int which);

#endif
