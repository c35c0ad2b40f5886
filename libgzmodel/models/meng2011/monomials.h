/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * monomials.h - CPL as a sum of monomials. Multiplied out, each of Eqs. 25 to 30 is one or two
 * products of powers,
 *
 *     prod(over) / prod(under) x [alpha] [tau] [M_profile / M] [prod_i DataLength_i]
 *                           x [V or Q] / (h^a P(h)^b)
 *
 * with a and b 0 or 1. So a parameter's derivative is the monomial without that factor
 * (gradient.c), and all of CPL depends on h only through the sums of the monomials with the same a
 * and b, which is the form that the optimiser works on (newton.c). The equations one by one are in
 * cpl.c and the files that it calls; t/020-values.c and t/110-derivatives.c compare both with the
 * reference, term by term.
 */
#ifndef GZI_MONOMIALS_H
#define GZI_MONOMIALS_H

#include "meng2011.h"

#define GZI_NO_PARAM (-1) /* ends a list of parameters */

typedef enum gzi_tile_factor { GZI_NO_TILE, GZI_STARTING_TILE, GZI_OPERATED_TILE } gzi_tile_factor;

typedef struct gzi_monomial {
    int term;              /* GZ_TERM_GLB_SYNC, ...: the one that this is a part of */
    int over[4], under[3]; /* parameters in numerator and denominator */
    int alpha, tau, grid;  /* whether the factor is there */
    int sms;               /* whether M of Eq. 14 over M of Eq. 29 is there */
    gzi_tile_factor tile;  /* V, Q or neither */
    int per_h, per_p;      /* a and b */
} gzi_monomial;

/* Most monomials of a mode. */
#define GZI_MONOMIALS 9

/* Parameters and the factors made of them. */
typedef struct gzi_point {
    int dim;
    double p[GZ_P_COUNT];
    double alpha, tau, grid, sms, tile[3];
    int tau_scaled, has_profile_sms;
} gzi_point;

gzi_point gzi_point_of(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* The monomials of a mode; returns how many. */
int gzi_monomials(gz_sync sync, const gzi_monomial *terms[GZI_MONOMIALS]);

/* The monomial's factors that do not depend on h, except the parameter over[skip] and, if
 * `with_tau` is 0, tau; skip = GZI_NO_PARAM leaves none out. */
double gzi_coefficient(const gzi_monomial *term, const gzi_point *at, int skip, int with_tau);

/* CPL by its dependence on h alone: CPL(h) = per_h / h + per_p / P(h) + per_hp / (h P(h)). */
typedef struct gzi_reduced {
    int dim;
    double block_len[GZ_MAX_DIM], halo_width[GZ_MAX_DIM];
    double per_h, per_p, per_hp;
} gzi_reduced;

gzi_reduced gzi_reduce(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* CPL(h) from its reduced form. */
double gzi_reduced_cpl(const gzi_reduced *form, double h);

#endif
