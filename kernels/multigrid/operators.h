/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * operators.h - the verbs of multigrid on one page, each operator once, for every level, type and
 * device: these macros become the bodies of stencils (problem.c), the kernels between two levels
 * (restrict.knl, norm.knl, prolong.knl) and the serial reference (verbs.c), so that all of them
 * round alike. AT, COEF, COEF_AT, CELL_X, LOOP and GZ_T are those of kernels/stencils/stencil.h.
 *
 * The equation is A u = f on cells of width h, A = -div(beta grad) + lambda, u at the cells'
 * centres; array 0 is f, array 1 of a variable operator is beta. An operator is its CENTRE, the
 * element's own weight, its OTHERS, the weighted sum of the neighbours, so that A u is CENTRE u -
 * OTHERS, and its INVERSE, 1 / CENTRE. With walls (Dirichlet's u = 0 or Neumann's u' = 0 on the
 * faces at the grid's ends) the neighbours outside are 0, and the centre is what remains: the image
 * -u or u beyond the face adds or takes one neighbour's weight for each.
 */
#ifndef GZM_OPERATORS_H
#define GZM_OPERATORS_H

/* The coefficients of a level: COEF(GZM_...). */
#define GZM_CENTRE 0  /* the element's own weight; of a variable operator lambda */
#define GZM_NEAR 1    /* of neighbours across faces; 1/(2 h^2) of a variable operator */
#define GZM_FAR 2     /* two elements away (13-point), or across edges (boxes) */
#define GZM_CORNER 3  /* across corners */
#define GZM_OMEGA 4   /* Jacobi's damping */
#define GZM_INVERSE 5 /* 1 / centre, of a constant operator without walls */
#define GZM_PLAIN_COEFS 6
#define GZM_WALL 6 /* what a wall adds to the centre; of a variable operator times beta */
#define GZM_LAST_X 7
#define GZM_LAST_Y 8
#define GZM_LAST_Z 9
#define GZM_WALL_COEFS 10
#define GZM_OWN 10     /* interpolation, along each axis: weight of the coarse element around, */
#define GZM_NEXT 11    /* and of the next one */
#define GZM_OUTSIDE 12 /* the image of a coarse element beyond a wall; 0: periodic */
#define GZM_MORE 13    /* of the 125-point operator, by distances: 002, 012, 112, 022, 122, 222 */
#define GZM_COEFS 19

/* ---------------------------------------------------------------------------------- operators */

/* The six elements at distance d along the axes; those across edges; those across corners. */
#define GZM_AXES(d)                                                                                \
    (AT(-d, 0, 0) + AT(d, 0, 0) + AT(0, -d, 0) + AT(0, d, 0) + AT(0, 0, -d) + AT(0, 0, d))
#define GZM_EDGES                                                                                  \
    (AT(-1, -1, 0) + AT(1, -1, 0) + AT(-1, 1, 0) + AT(1, 1, 0) + AT(-1, 0, -1) + AT(1, 0, -1) +    \
     AT(-1, 0, 1) + AT(1, 0, 1) + AT(0, -1, -1) + AT(0, 1, -1) + AT(0, -1, 1) + AT(0, 1, 1))
#define GZM_CORNERS                                                                                \
    (AT(-1, -1, -1) + AT(1, -1, -1) + AT(-1, 1, -1) + AT(1, 1, -1) + AT(-1, -1, 1) +               \
     AT(1, -1, 1) + AT(-1, 1, 1) + AT(1, 1, 1))
/* The four at distances a and b along two axes, and at z; the eight at three distances; the twelve
 * at distance a along two axes, the 24 at a and b, and those at a along two axes and b along one.
 */
#define GZM_XY(a, b, z) (AT(-a, -b, z) + AT(a, -b, z) + AT(-a, b, z) + AT(a, b, z))
#define GZM_XZ(a, c) (AT(-a, 0, -c) + AT(a, 0, -c) + AT(-a, 0, c) + AT(a, 0, c))
#define GZM_YZ(b, c) (AT(0, -b, -c) + AT(0, b, -c) + AT(0, -b, c) + AT(0, b, c))
#define GZM_XYZ(a, b, c) (GZM_XY(a, b, -c) + GZM_XY(a, b, c))
#define GZM_TWO(a) (GZM_XY(a, a, 0) + GZM_XZ(a, a) + GZM_YZ(a, a))
#define GZM_UNLIKE(a, b)                                                                           \
    (GZM_XY(a, b, 0) + GZM_XY(b, a, 0) + GZM_XZ(a, b) + GZM_XZ(b, a) + GZM_YZ(a, b) + GZM_YZ(b, a))
#define GZM_TWO_AND_ONE(a, b) (GZM_XYZ(a, a, b) + GZM_XYZ(a, b, a) + GZM_XYZ(b, a, a))

/* What holds for so many walls, at a cell that touches walls along x, at most one, and along y and
 * z, at most two, since every level has two cells or more along each axis; the latter are the same
 * in a row. */
#define GZM_ROW_WALLS                                                                              \
    ((CELL_Y == 0) + (CELL_Y == (int)COEF(GZM_LAST_Y)) + (CELL_Z == 0) +                           \
     (CELL_Z == (int)COEF(GZM_LAST_Z)))
#define GZM_WALLED(of)                                                                             \
    (((CELL_X == 0) | (CELL_X == (int)COEF(GZM_LAST_X))) ? of(GZM_ROW_WALLS + 1)                   \
                                                         : of(GZM_ROW_WALLS))

#define GZM_STAR7_CENTRE COEF(GZM_CENTRE)
#define GZM_STAR7_OTHERS (COEF(GZM_NEAR) * GZM_AXES(1))
#define GZM_STAR7_INVERSE COEF(GZM_INVERSE)

#define GZM_STAR7_WALLS_CENTRE_OF(walls) (COEF(GZM_CENTRE) + COEF(GZM_WALL) * (GZ_T)(walls))
#define GZM_STAR7_WALLS_INVERSE_OF(walls) (1 / GZM_STAR7_WALLS_CENTRE_OF(walls))
#define GZM_STAR7_WALLS_CENTRE GZM_WALLED(GZM_STAR7_WALLS_CENTRE_OF)
#define GZM_STAR7_WALLS_OTHERS GZM_STAR7_OTHERS
#define GZM_STAR7_WALLS_INVERSE GZM_WALLED(GZM_STAR7_WALLS_INVERSE_OF)

#define GZM_STAR13_CENTRE COEF(GZM_CENTRE)
#define GZM_STAR13_OTHERS (COEF(GZM_NEAR) * GZM_AXES(1) + COEF(GZM_FAR) * GZM_AXES(2))
#define GZM_STAR13_INVERSE COEF(GZM_INVERSE)

#define GZM_BOX27_CENTRE COEF(GZM_CENTRE)
#define GZM_BOX27_OTHERS                                                                           \
    (COEF(GZM_NEAR) * GZM_AXES(1) + COEF(GZM_FAR) * GZM_EDGES + COEF(GZM_CORNER) * GZM_CORNERS)
#define GZM_BOX27_INVERSE COEF(GZM_INVERSE)

#define GZM_BOX125_CENTRE COEF(GZM_CENTRE)
#define GZM_BOX125_OTHERS                                                                          \
    (GZM_BOX27_OTHERS + COEF(GZM_MORE) * GZM_AXES(2) + COEF(GZM_MORE + 1) * GZM_UNLIKE(1, 2) +     \
     COEF(GZM_MORE + 2) * GZM_TWO_AND_ONE(1, 2) + COEF(GZM_MORE + 3) * GZM_TWO(2) +                \
     COEF(GZM_MORE + 4) * GZM_TWO_AND_ONE(2, 1) + COEF(GZM_MORE + 5) * GZM_XYZ(2, 2, 2))
#define GZM_BOX125_INVERSE COEF(GZM_INVERSE)

/* Beta lies at the centres, and a face has the mean of its two cells'. */
#define GZM_BETA(dx, dy, dz) COEF_AT(1, dx, dy, dz)
#define GZM_FLOW(dx, dy, dz) ((GZM_BETA(0, 0, 0) + GZM_BETA(dx, dy, dz)) * AT(dx, dy, dz))
#define GZM_STAR7VC_CENTRE                                                                         \
    (COEF(GZM_CENTRE) +                                                                            \
     COEF(GZM_NEAR) *                                                                              \
         (6 * GZM_BETA(0, 0, 0) + (GZM_BETA(-1, 0, 0) + GZM_BETA(1, 0, 0) + GZM_BETA(0, -1, 0) +   \
                                   GZM_BETA(0, 1, 0) + GZM_BETA(0, 0, -1) + GZM_BETA(0, 0, 1))))
#define GZM_STAR7VC_OTHERS                                                                         \
    (COEF(GZM_NEAR) * (GZM_FLOW(-1, 0, 0) + GZM_FLOW(1, 0, 0) + GZM_FLOW(0, -1, 0) +               \
                       GZM_FLOW(0, 1, 0) + GZM_FLOW(0, 0, -1) + GZM_FLOW(0, 0, 1)))
#define GZM_STAR7VC_INVERSE (1 / GZM_STAR7VC_CENTRE)

#define GZM_STAR7VC_WALL_OF(walls) (COEF(GZM_WALL) * (GZ_T)(walls))
#define GZM_STAR7VC_WALLS_CENTRE                                                                   \
    (GZM_STAR7VC_CENTRE + GZM_WALLED(GZM_STAR7VC_WALL_OF) * GZM_BETA(0, 0, 0))
#define GZM_STAR7VC_WALLS_OTHERS GZM_STAR7VC_OTHERS
#define GZM_STAR7VC_WALLS_INVERSE (1 / GZM_STAR7VC_WALLS_CENTRE)

/* Each operator, as X(OPERATOR). */
#define GZM_EACH_OPERATOR(X)                                                                       \
    X(STAR7)                                                                                       \
    X(STAR7_WALLS) X(STAR13) X(BOX27) X(BOX125) X(STAR7VC) X(STAR7VC_WALLS)

/* -------------------------------------------------------------------------------------- verbs */

#define GZM_APPLY(op) (GZM_##op##_CENTRE * AT(0, 0, 0) - GZM_##op##_OTHERS)
#define GZM_RESIDUAL(op) (COEF_AT(0, 0, 0, 0) - GZM_APPLY(op))
/* One sweep. */
#define GZM_JACOBI(op) (AT(0, 0, 0) + COEF(GZM_OMEGA) * GZM_##op##_INVERSE * GZM_RESIDUAL(op))
/* One colour, red in even loops; statements, since what a condition guards is loaded by slower
 * instructions. */
#define GZM_RED_BLACK(op)                                                                          \
    GZ_T here = AT(0, 0, 0);                                                                       \
    GZ_T next = (COEF_AT(0, 0, 0, 0) + GZM_##op##_OTHERS) * GZM_##op##_INVERSE;                    \
    return (CELL_X + CELL_Y + CELL_Z + LOOP) % 2 != 0 ? here : next

/* Restriction: the mean of eight residuals, two of each of four rows. */
#define GZM_RESTRICT(a, b, c, d, x)                                                                \
    ((((a)[x] + (a)[(x) + 1]) + ((b)[x] + (b)[(x) + 1]) +                                          \
      (((c)[x] + (c)[(x) + 1]) + ((d)[x] + (d)[(x) + 1]))) *                                       \
     (GZ_T)0.125)
/* Interpolation along an axis, between the coarse element around and the next; and of four rows
 * along z, then y. */
#define GZM_MIX(own, next) (COEF(GZM_OWN) * (own) + COEF(GZM_NEXT) * (next))
#define GZM_BETWEEN(own, next_z, next_y, next_yz)                                                  \
    GZM_MIX(GZM_MIX(own, next_z), GZM_MIX(next_y, next_yz))
/* Norm: the larger of a maximum so far and a magnitude; NaN if either is. */
#define GZM_LARGER(so_far, magnitude)                                                              \
    ((magnitude) <= (so_far) || (so_far) != (so_far) ? (so_far) : (magnitude))

#endif
