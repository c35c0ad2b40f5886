/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sync.c - global synchronisation: Eqs. 17 and 18, and the choice between the two, Eqs. 21 to 23.
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

double gzi_delta(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    double fence = dev->fence_exposure.value * dev->fence_overhead.value;
    return fence - gzi_misc_comp(dev, app, cfg) / dev->sm_count.value; /* [Eqs. 22, 23] */
}

double gzi_fence_overhead(const gz_device *dev, const gz_app *app, const gz_config *cfg, double t)
{
    return t * gzi_delta(dev, app, cfg) - dev->launch_overhead.value; /* [Eqs. 21, 23] */
}
