/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gradient.c - derivatives of CPL by every parameter, from its monomials: a parameter's derivative
 * is the monomial without that factor.
 */
#include "fail.h"
#include "monomials.h"

#include <math.h>

/* How the h-dependent factor g(h) = 1 / (h^a P^b) of a term varies: the logarithmic derivatives. */
struct slope {
    double g;     /* g(h) */
    double dlog;  /* d ln g / dh */
    double d2log; /* d2 ln g / dh2 */
};

static struct slope slope_of(const gzi_monomial *term, const gzi_point *at, double h,
                             const double *rest)
{
    struct slope s = {1, 0, 0};
    if (term->per_h)
        s = (struct slope){1 / h, -1 / h, 1 / (h * h)};
    for (int i = 0; term->per_p && i < at->dim; i++) {
        double rate = at->p[GZ_P_HALO_WIDTH + i] / rest[i];
        s.g /= rest[i];
        s.dlog += rate;
        s.d2log += rate * rate;
    }
    return s;
}

/* Adds a term's part to the derivatives by block_len and halo_width in dimension i, which sit in
 * the tile and in g(h). `rest` is blk_len_i - HaloWidth_i h. */
static void add_lengths(const gzi_monomial *term, const gzi_point *at, int i, double h, double rest,
                        double value, double dlog, gz_gradient *out)
{
    int block = GZ_P_BLOCK_LEN + i, halo = GZ_P_HALO_WIDTH + i;
    double by_block = 0, by_halo = 0; /* d ln term / d length */
    if (term->tile == GZI_STARTING_TILE)
        by_block = 1 / at->p[block];
    if (term->tile == GZI_OPERATED_TILE) {
        by_block = 1 / (at->p[block] - at->p[halo]);
        by_halo = -by_block;
    }
    if (term->per_p) {
        by_block -= 1 / rest;
        by_halo += h / rest;
        out->d2cpl_dh_dp[block] -= value * at->p[halo] / (rest * rest);
        out->d2cpl_dh_dp[halo] += value * at->p[block] / (rest * rest);
    }
    out->dcpl_dp[block] += value * by_block;
    out->dcpl_dp[halo] += value * by_halo;
    out->d2cpl_dh_dp[block] += value * by_block * dlog;
    out->d2cpl_dh_dp[halo] += value * by_halo * dlog;
}

/* Adds `derivative` of a term by parameter p, whose h-dependence is g(h). */
static void add(gz_gradient *out, int p, double derivative, double dlog)
{
    out->dcpl_dp[p] += derivative;
    out->d2cpl_dh_dp[p] += derivative * dlog;
}

gz_status gzi_cpl_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                           gz_gradient *out, gz_error *error)
{
    gzi_point at = gzi_point_of(dev, app, cfg);
    const gzi_monomial *terms[GZI_MONOMIALS];
    int n = gzi_monomials(cfg->sync, terms);
    double rest[GZ_MAX_DIM];
    for (int i = 0; i < at.dim; i++)
        rest[i] = fma(-at.p[GZ_P_HALO_WIDTH + i], h, at.p[GZ_P_BLOCK_LEN + i]);

    *out = (gz_gradient){0};
    for (int k = 0; k < n; k++) {
        const gzi_monomial *term = terms[k];
        struct slope s = slope_of(term, &at, h, rest);
        double value = gzi_coefficient(term, &at, GZI_NO_PARAM, 1) * s.g;
        out->cpl += value;
        out->dcpl_dh += value * s.dlog;
        out->d2cpl_dh2 += value * (s.dlog * s.dlog + s.d2log);

        for (int j = 0; term->over[j] != GZI_NO_PARAM; j++)
            add(out, term->over[j], gzi_coefficient(term, &at, j, 1) * s.g, s.dlog);
        for (int j = 0; term->under[j] != GZI_NO_PARAM; j++)
            add(out, term->under[j], -value / at.p[term->under[j]], s.dlog);
        if (term->sms && at.has_profile_sms) {
            add(out, GZ_P_PROFILE_SM_COUNT, value / at.p[GZ_P_PROFILE_SM_COUNT], s.dlog);
            add(out, GZ_P_SM_COUNT, -value / at.p[GZ_P_SM_COUNT], s.dlog);
        }
        if (term->alpha)
            add(out, GZ_P_DIMENSION_PENALTY, value * (at.dim - 1) / at.p[GZ_P_DIMENSION_PENALTY],
                s.dlog);
        if (term->tau && at.tau_scaled) {
            double untaxed = gzi_coefficient(term, &at, GZI_NO_PARAM, 0) * s.g;
            add(out, GZ_P_LATENCY_HIDING, -untaxed * (1 + at.p[GZ_P_BANK_CONFLICT_RATE]), s.dlog);
            add(out, GZ_P_BANK_CONFLICT_RATE, untaxed * (1 - at.p[GZ_P_LATENCY_HIDING]), s.dlog);
        }
        for (int i = 0; i < at.dim; i++) {
            if (term->grid)
                add(out, GZ_P_DATA_LENGTH + i, value / at.p[GZ_P_DATA_LENGTH + i], s.dlog);
            add_lengths(term, &at, i, h, rest[i], value, s.dlog, out);
        }
    }
    int finite = isfinite(out->cpl) && isfinite(out->dcpl_dh) && isfinite(out->d2cpl_dh2);
    return finite ? GZ_OK : gzi_fail_overflow(error);
}
