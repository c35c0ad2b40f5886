/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * smoothers.h - the smoothers of P. Basu's dissertation (Compiler Optimizations and Autotuning for
 * Stencils and Geometric Multigrid, University of Utah, 2016): what its Table 1.1 states of each.
 */
#ifndef GZ_SMOOTHERS_H
#define GZ_SMOOTHERS_H

#include "gzmodel.h"

enum { SMOOTHERS = 6 };

typedef struct smoother {
    const char *app; /* built-in application */
    int points;      /* cells that one update reads */
    int flops;       /* per update of a cell, printed */
    int flops_here;  /* what our kernels take */
    int bytes; /* per update of a cell, printed: a line is allocated for every write to another
                  array, and an update in place takes two loops */
    double intensity;     /* flops per byte, printed */
    int loops_per_smooth; /* sweeps of half the cells in place: 2 */
} smoother;

extern const smoother smoothers[SMOOTHERS];

/* Bytes per update of a cell as Table 1.1 counts them, from the application's own quantities. */
double smoother_bytes(const smoother *of, const gz_app *app);

/* The levels of its V-cycle, cells a side of a box, fine to coarse; a domain has as many boxes at
 * each (Section 3.2: 256 cells a side in boxes of 64 at the finest). */
enum { SMOOTHER_LEVELS = 5, SMOOTHER_BOXES = 4 }; /* boxes a side of the domain */
extern const int smoother_levels[SMOOTHER_LEVELS];

#endif
