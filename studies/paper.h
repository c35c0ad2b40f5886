/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper.h - what the text of Meng and Skadron 2011 states as measured on its GeForce GTX 280.
 */
#ifndef GZ_PAPER_H
#define GZ_PAPER_H

#include "gzmodel.h"

/* Loops of a run under adaptive selection. */
enum { PAPER_ADAPTIVE_LOOPS = 30 };

/* What was measured in the configurations of Fig. 7 (Section 5.4.2), by restarts and by fences. */
typedef struct paper_measured {
    const char *app;
    int height[GZ_SYNC_FENCE + 1];     /* the best, loops */
    double speedup[GZ_SYNC_FENCE + 1]; /* its, over h = 1 */
    double from_model, from_one; /* likewise of adaptive selection by restarts, started from the
                                    model's height, and from 1 */
} paper_measured;

/* NULL if the paper states none. */
const paper_measured *paper_find(const char *app);

/* System power while kernels run, above idle, W (Section 6.5). */
#define PAPER_DYNAMIC_POWER_W 84.0

#endif
