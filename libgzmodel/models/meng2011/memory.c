/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory.c - device memory: Eqs. 4 to 10, and 31. Requests of all concurrent blocks are assumed to
 * arrive in bulk and to queue for the bandwidth (Section 4.2).
 */
#include "fail.h"
#include "meng2011.h"

/* CyclesPerReq(p), cycles for a request of p bytes [Eq. 4]. */
static double cycles_per_req(const gz_device *dev, double bytes)
{
    return bytes / (dev->mem_bandwidth.value / dev->clock_rate.value); /* [Eq. 4] */
}

double gzi_concur_blks(const gz_device *dev)
{
    return dev->blocks_per_sm.value * dev->sm_count.value; /* [Eq. 5] */
}

gz_jet gzi_passes(const gz_device *dev, gz_jet trapezoids)
{
    return gzi_jet_scale(1 / gzi_concur_blks(dev), trapezoids); /* [Eq. 6] */
}

double gzi_alpha(const gz_device *dev, const gz_app *app)
{
    double alpha = 1;
    for (int i = 1; i < app->dim; i++)
        alpha *= dev->dimension_penalty.value;
    return alpha;
}

/* MemCycles(n), cycles to access n elements in `passes` passes [Eq. 7]. */
static gz_jet mem_cycles(const gz_device *dev, const gz_app *app, gz_jet passes, gz_jet n)
{
    /* CoalesceDegree cancels within Eq. 7, so a request may as well be one element. */
    double per_element = gzi_alpha(dev, app) * cycles_per_req(dev, app->element_size.value);
    return gzi_jet_add(gzi_jet_scale(dev->uncontended_latency.value, passes),
                       gzi_jet_scale(per_element, n)); /* [Eq. 7] */
}

gz_jet gzi_load_sten(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t)
{
    gz_jet loaded = gzi_jet_scale(gzi_starting_tile(app, cfg), t);
    return gzi_jet_scale(app->stencil_arrays.value,
                         mem_cycles(dev, app, gzi_passes(dev, t), loaded)); /* [Eq. 8] */
}

gz_jet gzi_commit(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_jet t)
{
    /* T P(h) is the grid, whatever h is. */
    gz_jet stored = gzi_jet(gzi_grid_elements(app, cfg));
    return mem_cycles(dev, app, gzi_passes(dev, t), stored); /* [Eq. 9] */
}

gz_jet gzi_iter_mem_per_loop(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             gz_jet t)
{
    gz_jet touched = gzi_jet_scale(gzi_operated_tile(app, cfg), t);
    return gzi_jet_scale(app->elements_per_op.value,
                         mem_cycles(dev, app, gzi_passes(dev, t), touched)); /* [Eq. 10] */
}

gz_status gz_mem_cycles_per_element(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                    double *latency, double *bandwidth, gz_error *error)
{
    gz_status status = gz_check(dev, app, cfg, error);
    if (!status && (!latency || !bandwidth))
        status = gzi_fail_null(error, "room for a coefficient");
    if (status)
        return status;
    double blocks = gzi_concur_blks(dev);
    double per_element = cycles_per_req(dev, app->element_size.value);
    *latency =
        dev->uncontended_latency.value / (gzi_starting_tile(app, cfg) * blocks); /* [Eq. 31] */
    *bandwidth = gzi_alpha(dev, app) * per_element; /* [Eq. 31]; in numbers, [Eq. 32] */
    return GZ_OK;
}
