/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * solve.h - cycles until the residual is small enough, or until it is plain that it will not be.
 */
#ifndef GZM_SOLVE_H
#define GZM_SOLVE_H

#include "multigrid.h"

enum { GZM_MOST_CYCLES = 100 };

struct gzm_history;
struct gzm_effort {
    gz_cycle cycle;
    bool full;        /* begins with full multigrid, which counts as the first cycle */
    double tolerance; /* of the residual's largest magnitude, over that of the right-hand side (if
                         that is 0, over the first residual's); */
    bool absolute;    /* or as it is */
    int most;         /* cycles, 1 to GZM_MOST_CYCLES */
    /* Called with `of` before each cycle; or NULL. */
    void (*show)(void *of, const struct gzm_history *so_far);
    void *of;
};

struct gzm_history {
    int cycles;
    double residual[1 + GZM_MOST_CYCLES]; /* largest magnitude, before each cycle and at the end */
    double seconds;                       /* of the cycles and their norms */
    bool converged,
        at_rounding;      /* at_rounding: not to the tolerance, but as far as rounding lets */
    struct gzk_error why; /* that it did not converge: one line */
};

/* Solves what gzm_put has put. A solution that is not found is no failure: `converged` is false.
 * GZK_FAILED if the device computes another residual of 0 than the right-hand side. */
int gzm_solve(struct gzm *mg, const struct gzm_effort *effort, struct gzm_history *history);

/* The same from beginning to end: opens the levels, puts `f`, solves, and gets the solution unless
 * `u` is NULL. */
int gzm_solve_from(struct gzk_device *device, const struct gzm_setup *setup,
                   const struct gzm_effort *effort, const void *f, const void *beta, void *u,
                   struct gzm_history *history, struct gzk_error *error);

/* The mean factor of the residual over the last cycles, five at most, of those whose residual is
 * above `floor` times the first, and the first cycle; NaN without cycles. */
double gzm_factor(const struct gzm_history *history, double floor);
/* The share of the first residual below which rounding of that type disturbs factors. */
double gzm_floor(enum gzk_type type);

enum { GZM_MOST_SWEEPS = 4 };

/* What so many sweeps before the correction and as many after it give. */
struct gzm_rate {
    double factor;    /* of a cycle, from cycles of a problem of this kind and at most 32 elements
                         along each axis, on the host: factors do not depend on the size */
    double seconds;   /* of a cycle, expected */
    double per_digit; /* seconds / -log10(factor) */
};

/* Sets setup->sweeps to the best of 1,1 to GZM_MOST_SWEEPS,GZM_MOST_SWEEPS for cycles of that kind
 * by seconds per decimal digit of the residual, and fills `rates`, from one sweep on. A cycle's
 * time is that of gzm_expect at the depths of setup->way, with what the small problem took, by the
 * elements, for the levels on the host. The variable operator is tried with gzm_known's beta. */
int gzm_choose_sweeps(struct gzk_device *device, gz_cycle cycle, struct gzm_setup *setup,
                      struct gzm_rate rates[GZM_MOST_SWEEPS], struct gzk_error *error);

/* A problem whose solution is known: the product of sin(2 pi x) (periodic), sin(pi x) (Dirichlet)
 * or cos(pi x) (Neumann) over the axes, x running from 0 to 1 along each, with beta = 1 + product
 * of cos(2 pi x) / 2. Fills arrays of the problem's type; NULL is not filled. */
void gzm_known(const struct gzm_problem *problem, void *u, void *f, void *beta);

/* The largest difference of a solution from the known one. */
double gzm_error_of(const struct gzm_problem *problem, const void *u, const void *known);

#endif
