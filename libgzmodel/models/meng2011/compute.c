/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compute.c - computation: Eqs. 11 to 16. Eqs. 15 and 16 as printed leave out the tau of Eq. 11;
 * the configuration states which reading applies.
 */
#include "meng2011.h"
#include "quantities.h"

double gzi_tau(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    if (cfg->tau == GZ_TAU_PRINTED)
        return 1;
    return (1 - dev->latency_hiding.value) *
           (1 + app->bank_conflict_rate.value); /* tau of [Eq. 11] */
}

double gzi_profile_sms(const gz_device *dev, const gz_app *app)
{
    return gzi_stated(&app->profile_sm_count) ? app->profile_sm_count.value : dev->sm_count.value;
}

/* IterInstsPerWarp, warp instructions of one warp in one loop, from InstsPerSM [Eq. 14]. */
static double iter_insts_per_warp(const gz_device *dev, const gz_app *app, double insts_per_sm)
{
    double warps_per_sm = app->profile_elements.value / (GZI_WARP_SIZE * gzi_profile_sms(dev, app));
    return insts_per_sm / warps_per_sm; /* [Eq. 14] */
}

/* CompCycles, cycles of one block [Eq. 11]. */
static double comp_cycles(const gz_device *dev, double stage_insts_per_warp, double tau,
                          double active_warps_per_block)
{
    return stage_insts_per_warp * tau * active_warps_per_block * dev->cpi.value; /* [Eq. 11] */
}

double gzi_misc_comp(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    double stage_insts = iter_insts_per_warp(dev, app, app->insts_per_sm_misc.value); /* [Eq. 12] */
    double warps = gzi_starting_tile(app, cfg) / GZI_WARP_SIZE;
    return comp_cycles(dev, stage_insts, gzi_tau(dev, app, cfg), warps); /* [Eq. 15] */
}

double gzi_iter_comp_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    /* Eq. 13's factor h is left to the caller, since Eq. 29 divides by it again. */
    double loop_insts = iter_insts_per_warp(dev, app, app->insts_per_sm_iter.value); /* [Eq. 13] */
    double warps = gzi_operated_tile(app, cfg) / GZI_WARP_SIZE;
    return comp_cycles(dev, loop_insts, gzi_tau(dev, app, cfg), warps); /* [Eq. 16] */
}
