/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * meng2011.h - the equations of Meng and Skadron, shared between the files of this folder.
 *
 * Every function here expects arguments that gz_check accepts and 0 < h < gz_pole. A quantity that
 * depends on the height is a jet: its value and its first and second derivative in h. Units are
 * those of gzmodel.h; `[Eq. n]` is on the line that computes equation n. The tile's geometry (V, Q,
 * P(h)) is that of tilings/trapezoid.c.
 */
#ifndef GZI_MENG2011_H
#define GZI_MENG2011_H

#include "gzmodel/parameters.h"
#include "jet.h"
#include "model.h"
#include "tiling.h"

/* The terms of Eq. 24. */
enum { GZI_TERMS = GZ_TERM_ITER_MEM + 1 };

/* Threads of a warp. It cancels between Eqs. 11 and 14; a power of two, so it cancels exactly. */
#define GZI_WARP_SIZE 32.0

/* ---------------------------------------------------------------------- memory.c: Eqs. 4-10, 31 */

/* ConcurBlks [Eq. 5]. */
double gzi_concur_blks(const gz_device *dev);

/* passes, from T [Eq. 6]. */
gz_jet gzi_passes(const gz_device *dev, gz_jet trapezoids);

/* alpha = sigma^(D-1). */
double gzi_alpha(const gz_device *dev, const gz_app *app);

/* LoadSten [Eq. 8] and Commit [Eq. 9], cycles per stage. */
gz_jet gzi_load_sten(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t);
gz_jet gzi_commit(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t);

/* IterMem / h, cycles per loop: Eq. 10's factor h and Eq. 30's 1/h cancel. */
gz_jet gzi_iter_mem_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             gz_jet t);

/* ------------------------------------------------------------------------ compute.c: Eqs. 11-16 */

/* tau, by the reading of the configuration. */
double gzi_tau(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* M of Eq. 14: multiprocessors of the profiling run, the target's if none are stated. */
double gzi_profile_sms(const gz_device *dev, const gz_app *app);

/* MiscComp, cycles per trapezoid [Eqs. 12, 15]. */
double gzi_misc_comp(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* IterComp / h, cycles per trapezoid and loop [Eqs. 13, 16]. */
double gzi_iter_comp_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg);

/* ------------------------------------------------------------------------ fences.c: Eqs. 17, 18,
 * 21-23
 */

/* GlbSync, cycles per stage, by the configuration's mode [Eqs. 17, 18]. */
gz_jet gzi_glb_sync(const gz_device *dev, const gz_config *cfg, gz_jet t);

/* delta, cycles per block, and Overhead_MemFence, cycles per stage, at T trapezoids [Eqs. 21-23].
 */
void gzi_fence_rule(const gz_device *dev, const gz_app *app, const gz_config *cfg, double t,
                    double *delta, double *overhead);

/* ----------------------------------------------------------------- cpl.c: Eqs. 1-3, 19, 24-30 */

/* The contract's predict and curve. */
gz_status gzi_cpl_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          gz_prediction *out, gz_error *error);
gz_status gzi_cpl_curve(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                        gz_curve *out, gz_error *error);

/* ------------------------------------------------------------------- gradient.c and newton.c */

/* The contract's gradient, and its minimise. */
gz_status gzi_cpl_gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                           gz_gradient *out, gz_error *error);
gz_status gzi_newton(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                     const gzi_heights *heights, void *work, gz_optimum *out, gz_error *error);
void *gzi_newton_new(const gz_device *dev, const gz_app *app);
void gzi_newton_free(void *work);

#endif
