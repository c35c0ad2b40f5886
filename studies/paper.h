/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper.h - what the text of Meng and Skadron 2011 states as measured on its GeForce GTX 280.
 */
#ifndef GZ_PAPER_H
#define GZ_PAPER_H

#include "gzmodel.h"

/* Measured best height and its speedup over h = 1 in the configurations of Fig. 7 (Section
 * 5.4.2). */
typedef struct paper_measured {
    const char *app;
    gz_sync sync;
    int height;     /* loops */
    double speedup; /* 1 */
} paper_measured;

/* NULL if the paper states none. */
const paper_measured *paper_find(const char *app, gz_sync sync);

/* Speedups over h = 1 of adaptive selection in 30 loops, kernels restarted (Section 5.4.2). */
enum { PAPER_ADAPTIVE_LOOPS = 30 };
typedef struct paper_adaptive {
    const char *app;
    double from_model, from_one; /* started from the model's height, and from 1; 1 */
} paper_adaptive;

/* NULL if the paper states none. */
const paper_adaptive *paper_find_adaptive(const char *app);

/* System power while kernels run, above idle, W (Section 6.5). */
#define PAPER_DYNAMIC_POWER_W 84.0

#endif
