/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain_multigrid.h - a multigrid as one writes it in C with OpenMP, and as HPGMG-FV is: a ghost
 * cell around each level, filled before every sweep, red and black in place, a loop for each verb.
 */
#ifndef GZK_PLAIN_MULTIGRID_H
#define GZK_PLAIN_MULTIGRID_H

#include <stdbool.h>

/* -laplace u = f in double on n^3 cells, n a power of two, u = 0 on the faces at the ends, 7-point.
 */
struct plain_multigrid;

/* NULL if memory is short. Ended by plain_multigrid_free. */
struct plain_multigrid *plain_multigrid_new(int n);
void plain_multigrid_free(struct plain_multigrid *mg);

/* Sets f (x fastest) and u = 0. */
void plain_multigrid_put(struct plain_multigrid *mg, const double *f);

/* The largest magnitude of the residual; one V-cycle with so many sweeps before and after, or full
 * multigrid with one at each level. */
double plain_multigrid_norm(struct plain_multigrid *mg);
void plain_multigrid_cycle(struct plain_multigrid *mg, int sweeps, bool full);

#endif
