/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fences.c - global synchronisation: Eqs. 17 and 18, and the choice between the two, Eqs. 21 to 23.
 */
#include "meng2011.h"

gz_jet gzi_glb_sync(const gz_device *dev, const gz_config *cfg, gz_jet t)
{
    switch (cfg->sync) {
    case GZ_SYNC_FENCE:
        return gzi_jet_scale(dev->fence_exposure.value * dev->fence_overhead.value,
                             t); /* [Eq. 18] */
    case GZ_SYNC_GRAPH:
        return gzi_jet(dev->graph_overhead.value); /* [Eq. 17], measured within a graph */
    case GZ_SYNC_RESTART:
        break;
    }
    return gzi_jet(dev->launch_overhead.value); /* [Eq. 17] */
}

void gzi_fence_rule(const gz_device *dev, const gz_app *app, const gz_config *cfg, double t,
                    double *delta, double *overhead)
{
    double fence = dev->fence_exposure.value * dev->fence_overhead.value;
    double misc = gzi_misc_comp(dev, app, cfg) / dev->sm_count.value; /* of [Eq. 22] */
    *delta = fence - misc;                                            /* of [Eq. 23] */
    *overhead = t * *delta - dev->launch_overhead.value;              /* [Eq. 21] */
}
