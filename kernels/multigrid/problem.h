/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * problem.h - what is solved: the equation -div(beta grad u) + lambda u = f on a grid of cubic
 * cells of width 1 / size[0], and the stencils and coefficients that this means on a level.
 */
#ifndef GZM_PROBLEM_H
#define GZM_PROBLEM_H

#include "error.h"
#include "verbs.h"

enum { GZM_MAX_LEVELS = 20 };

enum gzm_operator {
    GZM_7_POINT,   /* of order 2 */
    GZM_VARIABLE,  /* the same with beta, an array */
    GZM_13_POINT,  /* of order 4, periodic */
    GZM_27_POINT,  /* weights 14, 3 and 1 over 30 h^2, periodic; of order 2 unless f is filtered */
    GZM_125_POINT, /* periodic; of order 10 if f is filtered, else 2 */
    GZM_OPERATORS
};
enum gzm_edges { GZM_PERIODIC, GZM_DIRICHLET, GZM_NEUMANN };
enum gzm_smoother { GZM_RED_BLACK, GZM_JACOBI };

struct gzm_problem {
    enum gzm_operator op;
    enum gzm_edges edges; /* periodic, or u = 0 or u' = 0 on the faces at the grid's ends */
    enum gzm_smoother smoother;
    enum gzk_type type; /* float or double */
    int size[3];        /* elements, at least 2 */
    double lambda;      /* at least 0, over a squared unit of length */
    double omega;       /* damping of Jacobi sweeps; 0: what suits the operator */
    bool filter;        /* the right-hand side, for order 6 or 10: 27- or 125-point */
};

/* The extents of levels, finest first, and how many of these are on a device; the others are
 * computed on the host. */
struct gzm_sizes {
    int count, on_device, of[GZM_MAX_LEVELS][3];
};

/* Names by their values, ended by NULL. */
extern const char *const gzm_operator_names[], *const gzm_edge_names[], *const gzm_smoother_names[];

/* Whether any constant is a solution of A u = 0, to the type's rounding, so that f and u are known
 * up to their mean. */
bool gzm_is_singular(const struct gzm_problem *problem);

/* Refuses, with GZK_INVALID, what does not go together. */
int gzm_problem_check(const struct gzm_problem *problem, struct gzk_error *error);

/* What filters the right-hand side of an operator that has a filter. */
void gzm_filter_of(const struct gzm_problem *problem, struct gzm_filter *filter);

/* Loops of a smoothing step: 2 of red and black, 1 of Jacobi. */
int gzm_loops(const struct gzm_problem *problem);

/* What the problem is to verbs.h on every level, but for the data. */
struct gzm_grid gzm_grid_of(const struct gzm_problem *problem);

/* Fills the stencil of a verb, and the GZM_COEFS coefficients of a level, into an array of the
 * problem's type. */
void gzm_stencil_of(const struct gzm_problem *problem, enum gzm_verb verb,
                    struct gzk_stencil *stencil);
/* The same of its smoother. */
void gzm_smoother_of(const struct gzm_problem *problem, struct gzk_stencil *stencil);
void gzm_set_coefficients(const struct gzm_problem *problem, const int size[3], void *coefficients);

/* A bound of the maximum norm of A by such coefficients, its largest sum of a row's magnitudes;
 * `beta` is the largest of a variable operator. */
double gzm_operator_norm(const struct gzm_problem *problem, const void *coefficients, double beta);

#endif
