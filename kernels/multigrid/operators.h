/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * operators.h - the verbs of multigrid on one page, each operator once, for every level, type and
 * device: these macros become the bodies of stencils (problem.c), the kernels between two levels
 * (restrict.knl, norm.knl, prolong.knl) and the serial reference (verbs.c), so that all of them
 * round alike. AT, COEF, COEF_AT, CELL_X, LOOP and GZ_T are those of kernels/stencils/stencil.h.
 *
 * The equation is A u = f on cells of width h, A = -div(beta grad) + lambda, u at the cells'
 * centres; array 0 is f, array 1 of a variable operator is beta. An operator is its CENTRE, which
 * declares the element's own weight, its OTHERS, the weighted sum of the neighbours, so that A u is
 * centre u - OTHERS, and its INVERSE, which declares 1 / centre. With walls (Dirichlet's u = 0 or
 * Neumann's u' = 0 on the faces at the grid's ends) the neighbours outside are 0, and the centre is
 * what remains: the image -u or u beyond the face adds or takes one neighbour's weight for each.
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
#define GZM_WALL 6 /* what a wall adds to the centre, times beta */
#define GZM_LAST_X 7
#define GZM_LAST_Y 8
#define GZM_LAST_Z 9
#define GZM_OUTSIDE 10  /* the image of a coarse element beyond a wall; 0: periodic */
#define GZM_MORE 11     /* of the 125-point operator, by distances: 002, 012, 112, 022, 122, 222 */
#define GZM_CENTRES 11  /* of the constant operator with walls, of cells that touch 0 to 3, */
#define GZM_INVERSES 15 /* and 1 over each */
#define GZM_PLACE 19    /* of a part of a level: the places of its elements (own_grid.h) */
#define GZM_COEFS 25

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

/* Walls that a cell touches along x, at most one, and along y and z, at most two, since every level
 * has two cells or more along each axis; the latter are the same in a row. */
#define GZM_AT_WALL ((CELL_X == 0) | (CELL_X == (int)COEF(GZM_LAST_X)))
#define GZM_ROW_WALLS                                                                              \
    ((CELL_Y == 0) + (CELL_Y == (int)COEF(GZM_LAST_Y)) + (CELL_Z == 0) +                           \
     (CELL_Z == (int)COEF(GZM_LAST_Z)))
/* Declares a coefficient by the number of walls, by one choice after the other between two values
 * that are there, which compilers make for a row; what they would have to compute from the number,
 * or branch to, they do for every cell. */
#define GZM_LET_BY_WALLS(name, k)                                                                  \
    const GZ_T name##0 = COEF(k), name##1 = COEF((k) + 1), name##2 = COEF((k) + 2),                \
               name##3 = COEF((k) + 3);                                                            \
    GZ_T name##_inside = GZM_ROW_WALLS == 1 ? name##1 : name##0;                                   \
    GZ_T name##_at_wall = GZM_ROW_WALLS == 1 ? name##2 : name##1;                                  \
    name##_inside = GZM_ROW_WALLS == 2 ? name##2 : name##_inside;                                  \
    name##_at_wall = GZM_ROW_WALLS == 2 ? name##3 : name##_at_wall;                                \
    const GZ_T name = GZM_AT_WALL ? name##_at_wall : name##_inside;

#define GZM_LET(name, value) const GZ_T name = value;
#define GZM_CONSTANT_CENTRE GZM_LET(centre, COEF(GZM_CENTRE))
#define GZM_CONSTANT_INVERSE GZM_LET(inverse, COEF(GZM_INVERSE))

#define GZM_STAR7_CENTRE GZM_CONSTANT_CENTRE
#define GZM_STAR7_OTHERS (COEF(GZM_NEAR) * GZM_AXES(1))
#define GZM_STAR7_INVERSE GZM_CONSTANT_INVERSE

#define GZM_STAR7_WALLS_CENTRE GZM_LET_BY_WALLS(centre, GZM_CENTRES)
#define GZM_STAR7_WALLS_OTHERS GZM_STAR7_OTHERS
#define GZM_STAR7_WALLS_INVERSE GZM_LET_BY_WALLS(inverse, GZM_INVERSES)

#define GZM_STAR13_CENTRE GZM_CONSTANT_CENTRE
#define GZM_STAR13_OTHERS (COEF(GZM_NEAR) * GZM_AXES(1) + COEF(GZM_FAR) * GZM_AXES(2))
#define GZM_STAR13_INVERSE GZM_CONSTANT_INVERSE

#define GZM_BOX27_CENTRE GZM_CONSTANT_CENTRE
#define GZM_BOX27_OTHERS                                                                           \
    (COEF(GZM_NEAR) * GZM_AXES(1) + COEF(GZM_FAR) * GZM_EDGES + COEF(GZM_CORNER) * GZM_CORNERS)
#define GZM_BOX27_INVERSE GZM_CONSTANT_INVERSE

#define GZM_BOX125_CENTRE GZM_CONSTANT_CENTRE
#define GZM_BOX125_OTHERS                                                                          \
    (GZM_BOX27_OTHERS + COEF(GZM_MORE) * GZM_AXES(2) + COEF(GZM_MORE + 1) * GZM_UNLIKE(1, 2) +     \
     COEF(GZM_MORE + 2) * GZM_TWO_AND_ONE(1, 2) + COEF(GZM_MORE + 3) * GZM_TWO(2) +                \
     COEF(GZM_MORE + 4) * GZM_TWO_AND_ONE(2, 1) + COEF(GZM_MORE + 5) * GZM_XYZ(2, 2, 2))
#define GZM_BOX125_INVERSE GZM_CONSTANT_INVERSE

/* Beta lies at the centres, and a face has the mean of its two cells'. */
#define GZM_BETA(dx, dy, dz) COEF_AT(1, dx, dy, dz)
#define GZM_FLOW(dx, dy, dz) ((GZM_BETA(0, 0, 0) + GZM_BETA(dx, dy, dz)) * AT(dx, dy, dz))
#define GZM_STAR7VC_WEIGHT                                                                         \
    (COEF(GZM_CENTRE) +                                                                            \
     COEF(GZM_NEAR) *                                                                              \
         (6 * GZM_BETA(0, 0, 0) + (GZM_BETA(-1, 0, 0) + GZM_BETA(1, 0, 0) + GZM_BETA(0, -1, 0) +   \
                                   GZM_BETA(0, 1, 0) + GZM_BETA(0, 0, -1) + GZM_BETA(0, 0, 1))))
#define GZM_STAR7VC_OTHERS                                                                         \
    (COEF(GZM_NEAR) * (GZM_FLOW(-1, 0, 0) + GZM_FLOW(1, 0, 0) + GZM_FLOW(0, -1, 0) +               \
                       GZM_FLOW(0, 1, 0) + GZM_FLOW(0, 0, -1) + GZM_FLOW(0, 0, 1)))
#define GZM_STAR7VC_CENTRE GZM_LET(centre, GZM_STAR7VC_WEIGHT)
#define GZM_STAR7VC_INVERSE GZM_LET(inverse, 1 / GZM_STAR7VC_WEIGHT)

#define GZM_STAR7VC_WALLS_WEIGHT                                                                   \
    (GZM_STAR7VC_WEIGHT + COEF(GZM_WALL) * (GZ_T)(GZM_ROW_WALLS + GZM_AT_WALL) * GZM_BETA(0, 0, 0))
#define GZM_STAR7VC_WALLS_CENTRE GZM_LET(centre, GZM_STAR7VC_WALLS_WEIGHT)
#define GZM_STAR7VC_WALLS_OTHERS GZM_STAR7VC_OTHERS
#define GZM_STAR7VC_WALLS_INVERSE GZM_LET(inverse, 1 / GZM_STAR7VC_WALLS_WEIGHT)

/* Each operator, as X(OPERATOR). */
#define GZM_EACH_OPERATOR(X)                                                                       \
    X(STAR7)                                                                                       \
    X(STAR7_WALLS) X(STAR13) X(BOX27) X(BOX125) X(STAR7VC) X(STAR7VC_WALLS)

/* -------------------------------------------------------------------------------------- verbs */

/* Each is a body. */
#define GZM_A_U(op) (centre * AT(0, 0, 0) - GZM_##op##_OTHERS)
#define GZM_APPLY(op) GZM_##op##_CENTRE return GZM_A_U(op)
#define GZM_RESIDUAL(op) GZM_##op##_CENTRE return COEF_AT(0, 0, 0, 0) - GZM_A_U(op)
/* One sweep. */
#define GZM_JACOBI(op)                                                                             \
    GZM_##op##_CENTRE GZM_##op##_INVERSE return AT(0, 0, 0) +                                      \
        COEF(GZM_OMEGA) * inverse * (COEF_AT(0, 0, 0, 0) - GZM_A_U(op))
/* One colour, red in even loops; without a condition, since what it guards is loaded by slower
 * instructions. */
#define GZM_RED_BLACK(op)                                                                          \
    GZM_##op##_INVERSE GZ_T here = AT(0, 0, 0);                                                    \
    GZ_T next = (COEF_AT(0, 0, 0, 0) + GZM_##op##_OTHERS) * inverse;                               \
    return ((CELL_X + (CELL_Y + CELL_Z + (int)LOOP)) & 1) != 0 ? here : next

/* Each verb of an operator, as X(OPERATOR, VERB). */
#define GZM_EACH_VERB(X, op) X(op, APPLY) X(op, RESIDUAL) X(op, JACOBI) X(op, RED_BLACK)

/* Restriction: the mean of eight residuals, two of each of four rows. */
#define GZM_FOUR(a, b, x) (((a)[x] + (a)[(x) + 1]) + ((b)[x] + (b)[(x) + 1]))
#define GZM_MEAN(four, others) (((four) + (others)) * (GZ_T)0.125)
#define GZM_RESTRICT(a, b, c, d, x) GZM_MEAN(GZM_FOUR(a, b, x), GZM_FOUR(c, d, x))
/* Interpolation along an axis, between the coarse element around and the next; and of four rows
 * along z, then y. */
#define GZM_MIX(own, next) ((GZ_T)0.75 * (own) + (GZ_T)0.25 * (next))
#define GZM_BETWEEN(own, next_z, next_y, next_yz)                                                  \
    GZM_MIX(GZM_MIX(own, next_z), GZM_MIX(next_y, next_yz))
/* Norm: the larger of a maximum so far and a magnitude; NaN if either is. */
#define GZM_LARGER(so_far, magnitude)                                                              \
    ((magnitude) <= (so_far) || (so_far) != (so_far) ? (so_far) : (magnitude))

#endif
