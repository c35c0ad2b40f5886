/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * meng2011.h - the equations, shared inside the library; not installed.
 *
 * Every function here expects arguments that gz_check accepts and 0 < h < gz_pole; none fails.
 * A quantity that depends on the height is a jet: its value and its first and second derivative in
 * h. Units are those of gzmodel.h; `[Eq. n]` is on the line that computes equation n.
 */
#ifndef GZ_MODEL_H
#define GZ_MODEL_H

#include "gzmodel.h"

/* Threads of a warp. It cancels between Eqs. 11 and 14; a power of two, so it cancels exactly. */
#define GZI_WARP_SIZE 32.0

/* ---------------------------------------------------------------- jets: sums, products, quotients
 */

static inline gz_jet gzi_jet(double constant)
{
    return (gz_jet){constant, 0, 0};
}

static inline gz_jet gzi_jet_scale(double factor, gz_jet a)
{
    return (gz_jet){factor * a.v, factor * a.d1, factor * a.d2};
}

static inline gz_jet gzi_jet_add(gz_jet a, gz_jet b)
{
    return (gz_jet){a.v + b.v, a.d1 + b.d1, a.d2 + b.d2};
}

static inline gz_jet gzi_jet_mul(gz_jet a, gz_jet b)
{
    return (gz_jet){a.v * b.v, a.d1 * b.v + a.v * b.d1, a.d2 * b.v + 2 * a.d1 * b.d1 + a.v * b.d2};
}

static inline gz_jet gzi_jet_inverse(gz_jet a)
{
    double inverse = 1 / a.v, slope = -a.d1 * inverse * inverse;
    return (gz_jet){inverse, slope, -(a.d2 * inverse + 2 * a.d1 * slope) * inverse};
}

/* a(h) / h */
static inline gz_jet gzi_jet_per_h(gz_jet a, double h)
{
    double v = a.v / h, d1 = (a.d1 - v) / h;
    return (gz_jet){v, d1, (a.d2 - 2 * d1) / h};
}

/* ------------------------------------------------------------------- trapezoid.c: Eqs. 3, 19, 20
 */

/* prod_i DataLength_i, elements. */
double gzi_grid_elements(const gz_app *app, const gz_config *cfg);

/* V = prod_i blk_len_i, elements of the starting tile. */
double gzi_starting_tile(const gz_app *app, const gz_config *cfg);

/* Q = prod_i (blk_len_i - HaloWidth_i), elements on which a loop of the trapezoid operates. */
double gzi_operated_tile(const gz_app *app, const gz_config *cfg);

/* P(h) = prod_i (blk_len_i - HaloWidth_i h), elements of the committed tile. */
gz_jet gzi_committed_tile(const gz_app *app, const gz_config *cfg, double h);

/* T, trapezoids per stage [Eq. 3], from P(h). */
gz_jet gzi_trapezoids(const gz_app *app, const gz_config *cfg, gz_jet committed);

/* CostEffect = P(h) / Q [Eq. 19]. */
double gzi_cost_effect(const gz_app *app, const gz_config *cfg, gz_jet committed);

/* Whether a tile is left at whole height h [Eq. 20], decided without rounding h's product. */
int gzi_height_feasible(const gz_app *app, const gz_config *cfg, double h);

/* ------------------------------------------------------------------------ memory.c: Eqs. 4-10, 31
 */

/* CyclesPerReq(p), cycles for a request of p bytes [Eq. 4]. */
double gzi_cycles_per_req(const gz_device *dev, double bytes);

/* ConcurBlks [Eq. 5]. */
double gzi_concur_blks(const gz_device *dev);

/* passes, from T [Eq. 6]. */
gz_jet gzi_passes(const gz_device *dev, gz_jet trapezoids);

/* alpha = sigma^(D-1). */
double gzi_alpha(const gz_device *dev, const gz_app *app);

/* MemCycles(n), cycles to access n elements in `passes` passes [Eq. 7]. */
gz_jet gzi_mem_cycles(const gz_device *dev, const gz_app *app, gz_jet passes, gz_jet n);

/* LoadSten [Eq. 8] and Commit [Eq. 9], cycles per stage. */
gz_jet gzi_load_sten(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t);
gz_jet gzi_commit(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t);

/* IterMem / h, cycles per loop: Eq. 10's factor h and Eq. 30's 1/h cancel. */
gz_jet gzi_iter_mem_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             gz_jet t);

/* ------------------------------------------------------------------------- compute.c: Eqs. 11-16
 */

/* tau, by the reading of the configuration. */
double gzi_tau(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* M of Eq. 14: multiprocessors of the profiling run, the target's if none are stated. */
double gzi_profile_sms(const gz_device *dev, const gz_app *app);

/* IterInstsPerWarp, warp instructions of one warp in one loop, from InstsPerSM [Eq. 14]. */
double gzi_iter_insts_per_warp(const gz_device *dev, const gz_app *app, double insts_per_sm);

/* CompCycles, cycles of one block [Eq. 11]. */
double gzi_comp_cycles(const gz_device *dev, double stage_insts_per_warp, double tau,
                       double active_warps_per_block);

/* MiscComp, cycles per trapezoid [Eqs. 12, 15]. */
double gzi_misc_comp(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* IterComp / h, cycles per trapezoid and loop [Eqs. 13, 16]. */
double gzi_iter_comp_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* --------------------------------------------------------------------- sync.c: Eqs. 17, 18, 21-23
 */

/* GlbSync, cycles per stage, by the configuration's mode [Eqs. 17, 18]. */
gz_jet gzi_glb_sync(const gz_device *dev, const gz_config *cfg, gz_jet t);

/* delta, cycles per block [Eqs. 22, 23]. */
double gzi_delta(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* Overhead_MemFence, cycles per stage, at T trapezoids [Eqs. 21, 23]. */
double gzi_fence_overhead(const gz_device *dev, const gz_app *app, const gz_config *cfg, double t);

/* ----------------------------------------------------------------------- cpl.c: Eqs. 1, 2, 24-30
 */

/* gz_predict without its checks; returns GZ_OK or GZ_EOVERFLOW. */
gz_status gzi_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                      gz_prediction *out);

/* ----------------------------------------------------------------------------- gradient.c:
 * monomials */

/* CPL by its dependence on h alone: CPL(h) = per_h / h + per_p / P(h) + per_hp / (h P(h)). */
typedef struct gzi_reduced {
    int dim;
    double block_len[GZ_MAX_DIM], halo_width[GZ_MAX_DIM];
    double per_h, per_p, per_hp;
} gzi_reduced;

gzi_reduced gzi_reduce(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* CPL(h) from its reduced form. */
double gzi_reduced_cpl(const gzi_reduced *form, double h);

/* gz_predict_gradient without its checks. */
gz_status gzi_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       gz_gradient *out);

/* -------------------------------------------------------------------------------- check.c: ranges
 */

/* The parts of gz_check; `error` may be NULL. Device and application; the grid and the kind of
 * synchronisation; all of the configuration. */
gz_status gzi_check_model(const gz_device *dev, const gz_app *app, gz_error *error);
gz_status gzi_check_grid(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                         gz_error *error);
gz_status gzi_check_config(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           gz_error *error);

/* GZ_OK where 0 < h < pole, else GZ_EHEIGHT. */
gz_status gzi_check_height(const gz_app *app, const gz_config *cfg, double h);

/* Writes a message into `error` unless it is NULL; returns `status`. */
__attribute__((format(printf, 3, 4))) gz_status gzi_fail(gz_error *error, gz_status status,
                                                         const char *format, ...);

#endif
