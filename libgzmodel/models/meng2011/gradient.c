/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gradient.c - CPL as a sum of monomials, for derivatives with respect to every parameter.
 *
 * Multiplied out, each of Eqs. 25 to 30 is one or two products of powers,
 *
 *     term = prod(over) / prod(under) x [alpha] [tau] [M_profile / M] [prod_i DataLength_i]
 *            x [V or Q] / (h^a P(h)^b)
 *
 * with a and b 0 or 1. So a parameter's derivative is the term without that factor, and all of CPL
 * depends on h only through the sums of the terms with the same a and b, which is the form the
 * optimiser works on. The equations one by one are in the other files; the tests hold the two
 * against each other.
 */
#include "meng2011.h"
#include "quantities.h"

#include <math.h>

#define NONE (-1) /* ends a list of parameters */

enum tile { NO_TILE, STARTING_TILE, OPERATED_TILE };

struct term {
    int over[4], under[3]; /* parameters in numerator and denominator */
    int alpha, tau, grid;  /* whether the factor is there */
    int sms;               /* whether M of Eq. 14 over M of Eq. 29 is there */
    enum tile tile;        /* V, Q or neither */
    int per_h, per_p;      /* a and b */
};

#define MAX_TERMS 9

/* The synchronisation term comes first, MiscComp's last: with fences it is left out. */
static const struct term sync_terms[] = {
    [GZ_SYNC_RESTART] = {{GZ_P_LAUNCH_OVERHEAD, NONE}, {NONE}, .per_h = 1},
    [GZ_SYNC_FENCE] = {{GZ_P_FENCE_EXPOSURE, GZ_P_FENCE_OVERHEAD, NONE},
                       {NONE},
                       .grid = 1,
                       .per_h = 1,
                       .per_p = 1},
    [GZ_SYNC_GRAPH] = {{GZ_P_GRAPH_OVERHEAD, NONE}, {NONE}, .per_h = 1},
};

static const struct term other_terms[] = {
    /* LoadSten*: latency, bandwidth */
    {{GZ_P_STENCIL_ARRAYS, GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_h = 1,
     .per_p = 1},
    {{GZ_P_STENCIL_ARRAYS, GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .tile = STARTING_TILE,
     .per_h = 1,
     .per_p = 1},
    /* Commit*: latency, bandwidth */
    {{GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_h = 1,
     .per_p = 1},
    {{GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .per_h = 1},
    /* IterMem*: latency, bandwidth */
    {{GZ_P_ELEMENTS_PER_OP, GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_p = 1},
    {{GZ_P_ELEMENTS_PER_OP, GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .tile = OPERATED_TILE,
     .per_p = 1},
    /* IterComp*: M of Eq. 14, in Eq. 16, over M of Eq. 29 */
    {{GZ_P_INSTS_PER_SM_ITER, GZ_P_CPI, NONE},
     {GZ_P_PROFILE_ELEMENTS, NONE},
     .sms = 1,
     .tau = 1,
     .grid = 1,
     .tile = OPERATED_TILE,
     .per_p = 1},
    /* MiscComp*: likewise */
    {{GZ_P_INSTS_PER_SM_MISC, GZ_P_CPI, NONE},
     {GZ_P_PROFILE_ELEMENTS, NONE},
     .sms = 1,
     .tau = 1,
     .grid = 1,
     .tile = STARTING_TILE,
     .per_h = 1,
     .per_p = 1},
};

/* The terms of a mode; returns how many. */
static int terms_of(gz_sync sync, const struct term *terms[MAX_TERMS])
{
    int n = 0, others = sizeof other_terms / sizeof *other_terms;
    terms[n++] = sync_terms + sync;
    for (int k = 0; k < others - (sync == GZ_SYNC_FENCE); k++)
        terms[n++] = other_terms + k;
    return n;
}

/* Parameters and the factors made of them. */
struct point {
    int dim;
    double p[GZ_P_LAST + 1];
    double alpha, tau, grid, sms, tile[3];
    int tau_scaled, has_profile_sms;
};

static struct point point_of(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    struct point at = {
        .dim = app->dim,
        .p = {[GZ_P_CLOCK_RATE] = dev->clock_rate.value,
              [GZ_P_MEM_BANDWIDTH] = dev->mem_bandwidth.value,
              [GZ_P_UNCONTENDED_LATENCY] = dev->uncontended_latency.value,
              [GZ_P_SM_COUNT] = dev->sm_count.value,
              [GZ_P_BLOCKS_PER_SM] = dev->blocks_per_sm.value,
              [GZ_P_CPI] = dev->cpi.value,
              [GZ_P_LAUNCH_OVERHEAD] = dev->launch_overhead.value,
              [GZ_P_FENCE_OVERHEAD] = dev->fence_overhead.value,
              [GZ_P_FENCE_EXPOSURE] = dev->fence_exposure.value,
              [GZ_P_LATENCY_HIDING] = dev->latency_hiding.value,
              [GZ_P_DIMENSION_PENALTY] = dev->dimension_penalty.value,
              [GZ_P_GRAPH_OVERHEAD] = dev->graph_overhead.value,
              [GZ_P_ELEMENT_SIZE] = app->element_size.value,
              [GZ_P_STENCIL_ARRAYS] = app->stencil_arrays.value,
              [GZ_P_ELEMENTS_PER_OP] = app->elements_per_op.value,
              [GZ_P_PROFILE_SM_COUNT] = app->profile_sm_count.value,
              [GZ_P_PROFILE_ELEMENTS] = app->profile_elements.value,
              [GZ_P_INSTS_PER_SM_MISC] = app->insts_per_sm_misc.value,
              [GZ_P_INSTS_PER_SM_ITER] = app->insts_per_sm_iter.value,
              [GZ_P_BANK_CONFLICT_RATE] = app->bank_conflict_rate.value},
        .alpha = gzi_alpha(dev, app),
        .tau = gzi_tau(dev, app, cfg),
        .grid = gzi_grid_elements(app, cfg),
        .sms = gzi_profile_sms(dev, app) / dev->sm_count.value,
        .tile = {[NO_TILE] = 1,
                 [STARTING_TILE] = gzi_starting_tile(app, cfg),
                 [OPERATED_TILE] = gzi_operated_tile(app, cfg)},
        .tau_scaled = cfg->tau == GZ_TAU_SCALED,
        .has_profile_sms = gzi_stated(&app->profile_sm_count),
    };
    for (int i = 0; i < app->dim; i++) {
        at.p[GZ_P_HALO_WIDTH + i] = app->halo_width[i];
        at.p[GZ_P_DATA_LENGTH + i] = cfg->data_length[i];
        at.p[GZ_P_BLOCK_LEN + i] = cfg->block_len[i];
    }
    return at;
}

/* The term's factors that do not depend on h, all but the parameter over[skip] and, where
 * `with_tau` is 0, but tau; skip = NONE leaves none out. */
static double coefficient(const struct term *term, const struct point *at, int skip, int with_tau)
{
    double c = at->tile[term->tile];
    /* cppcheck-suppress negativeIndex ; it takes k != skip to mean that k may be NONE */
    for (int k = 0; term->over[k] != NONE; k++)
        if (k != skip)
            c *= at->p[term->over[k]];
    if (term->grid)
        c *= at->grid;
    if (term->sms)
        c *= at->sms;
    for (int k = 0; term->under[k] != NONE; k++)
        c /= at->p[term->under[k]];
    if (term->alpha)
        c *= at->alpha;
    if (term->tau && with_tau)
        c *= at->tau;
    return c;
}

gzi_reduced gzi_reduce(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    struct point at = point_of(dev, app, cfg);
    const struct term *terms[MAX_TERMS];
    int n = terms_of(cfg->sync, terms);
    gzi_reduced form = {.dim = app->dim};
    for (int i = 0; i < app->dim; i++) {
        form.block_len[i] = cfg->block_len[i];
        form.halo_width[i] = app->halo_width[i];
    }
    for (int k = 0; k < n; k++) {
        double c = coefficient(terms[k], &at, NONE, 1);
        if (!terms[k]->per_p)
            form.per_h += c;
        else if (!terms[k]->per_h)
            form.per_p += c;
        else
            form.per_hp += c;
    }
    return form;
}

double gzi_reduced_cpl(const gzi_reduced *form, double h)
{
    double p = 1;
    for (int i = 0; i < form->dim; i++)
        p *= fma(-form->halo_width[i], h, form->block_len[i]);
    return (form->per_h + (form->per_p * h + form->per_hp) / p) / h;
}

/* How the h-dependent factor g(h) = 1 / (h^a P^b) of a term varies: the logarithmic derivatives. */
struct slope {
    double g;     /* g(h) */
    double dlog;  /* d ln g / dh */
    double d2log; /* d2 ln g / dh2 */
};

static struct slope slope_of(const struct term *term, const struct point *at, double h,
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
static void add_lengths(const struct term *term, const struct point *at, int i, double h,
                        double rest, double value, double dlog, gz_gradient *out)
{
    int block = GZ_P_BLOCK_LEN + i, halo = GZ_P_HALO_WIDTH + i;
    double by_block = 0, by_halo = 0; /* d ln term / d length */
    if (term->tile == STARTING_TILE)
        by_block = 1 / at->p[block];
    if (term->tile == OPERATED_TILE) {
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

gz_status gzi_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       gz_gradient *out)
{
    struct point at = point_of(dev, app, cfg);
    const struct term *terms[MAX_TERMS];
    int n = terms_of(cfg->sync, terms);
    double rest[GZ_MAX_DIM];
    for (int i = 0; i < at.dim; i++)
        rest[i] = fma(-at.p[GZ_P_HALO_WIDTH + i], h, at.p[GZ_P_BLOCK_LEN + i]);

    *out = (gz_gradient){0};
    for (int k = 0; k < n; k++) {
        const struct term *term = terms[k];
        struct slope s = slope_of(term, &at, h, rest);
        double value = coefficient(term, &at, NONE, 1) * s.g;
        out->cpl += value;
        out->dcpl_dh += value * s.dlog;
        out->d2cpl_dh2 += value * (s.dlog * s.dlog + s.d2log);

        for (int j = 0; term->over[j] != NONE; j++)
            add(out, term->over[j], coefficient(term, &at, j, 1) * s.g, s.dlog);
        for (int j = 0; term->under[j] != NONE; j++)
            add(out, term->under[j], -value / at.p[term->under[j]], s.dlog);
        if (term->sms && at.has_profile_sms) {
            add(out, GZ_P_PROFILE_SM_COUNT, value / at.p[GZ_P_PROFILE_SM_COUNT], s.dlog);
            add(out, GZ_P_SM_COUNT, -value / at.p[GZ_P_SM_COUNT], s.dlog);
        }
        if (term->alpha)
            add(out, GZ_P_DIMENSION_PENALTY, value * (at.dim - 1) / at.p[GZ_P_DIMENSION_PENALTY],
                s.dlog);
        if (term->tau && at.tau_scaled) {
            double untaxed = coefficient(term, &at, NONE, 0) * s.g;
            add(out, GZ_P_LATENCY_HIDING, -untaxed * (1 + at.p[GZ_P_BANK_CONFLICT_RATE]), s.dlog);
            add(out, GZ_P_BANK_CONFLICT_RATE, untaxed * (1 - at.p[GZ_P_LATENCY_HIDING]), s.dlog);
        }
        for (int i = 0; i < at.dim; i++) {
            if (term->grid)
                add(out, GZ_P_DATA_LENGTH + i, value / at.p[GZ_P_DATA_LENGTH + i], s.dlog);
            add_lengths(term, &at, i, h, rest[i], value, s.dlog, out);
        }
    }
    return isfinite(out->cpl) && isfinite(out->dcpl_dh) && isfinite(out->d2cpl_dh2) ? GZ_OK
                                                                                    : GZ_EOVERFLOW;
}
