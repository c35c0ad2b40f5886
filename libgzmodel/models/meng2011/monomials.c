/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * monomials.c - the table of monomials (see monomials.h), and CPL reduced to its dependence on h.
 */
#include "monomials.h"
#include "quantities.h"

#include <math.h>

#define NONE GZI_NO_PARAM

/* The synchronisation term comes first, MiscComp's last: with fences it is left out. */
static const gzi_monomial sync_terms[] = {
    [GZ_SYNC_RESTART] = {GZ_TERM_GLB_SYNC, {GZ_P_LAUNCH_OVERHEAD, NONE}, {NONE}, .per_h = 1},
    [GZ_SYNC_FENCE] = {GZ_TERM_GLB_SYNC,
                       {GZ_P_FENCE_EXPOSURE, GZ_P_FENCE_OVERHEAD, NONE},
                       {NONE},
                       .grid = 1,
                       .per_h = 1,
                       .per_p = 1},
    [GZ_SYNC_GRAPH] = {GZ_TERM_GLB_SYNC, {GZ_P_GRAPH_OVERHEAD, NONE}, {NONE}, .per_h = 1},
};

static const gzi_monomial other_terms[] = {
    /* LoadSten*: latency, bandwidth */
    {GZ_TERM_LOAD_STEN,
     {GZ_P_STENCIL_ARRAYS, GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_h = 1,
     .per_p = 1},
    {GZ_TERM_LOAD_STEN,
     {GZ_P_STENCIL_ARRAYS, GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .tile = GZI_STARTING_TILE,
     .per_h = 1,
     .per_p = 1},
    /* Commit*: latency, bandwidth */
    {GZ_TERM_COMMIT,
     {GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_h = 1,
     .per_p = 1},
    {GZ_TERM_COMMIT,
     {GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .per_h = 1},
    /* IterMem*: latency, bandwidth */
    {GZ_TERM_ITER_MEM,
     {GZ_P_ELEMENTS_PER_OP, GZ_P_UNCONTENDED_LATENCY, NONE},
     {GZ_P_BLOCKS_PER_SM, GZ_P_SM_COUNT, NONE},
     .grid = 1,
     .per_p = 1},
    {GZ_TERM_ITER_MEM,
     {GZ_P_ELEMENTS_PER_OP, GZ_P_ELEMENT_SIZE, GZ_P_CLOCK_RATE, NONE},
     {GZ_P_MEM_BANDWIDTH, NONE},
     .alpha = 1,
     .grid = 1,
     .tile = GZI_OPERATED_TILE,
     .per_p = 1},
    /* IterComp*: M of Eq. 14, in Eq. 16, over M of Eq. 29 */
    {GZ_TERM_ITER_COMP,
     {GZ_P_INSTS_PER_SM_ITER, GZ_P_CPI, NONE},
     {GZ_P_PROFILE_ELEMENTS, NONE},
     .sms = 1,
     .tau = 1,
     .grid = 1,
     .tile = GZI_OPERATED_TILE,
     .per_p = 1},
    /* MiscComp*: likewise */
    {GZ_TERM_MISC_COMP,
     {GZ_P_INSTS_PER_SM_MISC, GZ_P_CPI, NONE},
     {GZ_P_PROFILE_ELEMENTS, NONE},
     .sms = 1,
     .tau = 1,
     .grid = 1,
     .tile = GZI_STARTING_TILE,
     .per_h = 1,
     .per_p = 1},
};

int gzi_monomials(gz_sync sync, const gzi_monomial *terms[GZI_MONOMIALS])
{
    int n = 0, others = sizeof other_terms / sizeof *other_terms;
    terms[n++] = sync_terms + sync;
    for (int k = 0; k < others - (sync == GZ_SYNC_FENCE); k++)
        terms[n++] = other_terms + k;
    return n;
}

gzi_point gzi_point_of(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    gzi_point at = {
        .dim = app->dim,
        .alpha = gzi_alpha(dev, app),
        .tau = gzi_tau(dev, app, cfg),
        .grid = gzi_grid_elements(app, cfg),
        .sms = gzi_profile_sms(dev, app) / dev->sm_count.value,
        .tile = {[GZI_NO_TILE] = 1,
                 [GZI_STARTING_TILE] = gzi_starting_tile(app, cfg),
                 [GZI_OPERATED_TILE] = gzi_operated_tile(app, cfg)},
        .tau_scaled = cfg->tau == GZ_TAU_SCALED,
        .has_profile_sms = gzi_stated(&app->profile_sm_count),
    };
    for (const short *read = gzi_meng2011.reads; *read >= 0; read++) {
        const gzi_spec *spec = gzi_quantities + *read;
        const void *owner = spec->place == GZI_DEVICE ? (const void *)dev : app;
        at.p[*read] = gzi_quantity_in(owner, spec)->value;
    }
    for (int i = 0; i < app->dim; i++) {
        at.p[GZ_P_HALO_WIDTH + i] = app->halo_width[i];
        at.p[GZ_P_DATA_LENGTH + i] = cfg->data_length[i];
        at.p[GZ_P_BLOCK_LEN + i] = cfg->block_len[i];
    }
    return at;
}

double gzi_coefficient(const gzi_monomial *term, const gzi_point *at, int skip, int with_tau)
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
    gzi_point at = gzi_point_of(dev, app, cfg);
    const gzi_monomial *terms[GZI_MONOMIALS];
    int n = gzi_monomials(cfg->sync, terms);
    gzi_reduced form = {.dim = app->dim};
    for (int i = 0; i < app->dim; i++) {
        form.block_len[i] = cfg->block_len[i];
        form.halo_width[i] = app->halo_width[i];
    }
    for (int k = 0; k < n; k++) {
        double c = gzi_coefficient(terms[k], &at, NONE, 1);
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
