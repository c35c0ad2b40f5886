/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ghost.c - what tilings with ghost zones share, see ghost.h.
 */
#include "ghost.h"

#include "fail.h"

#include <math.h>

gz_status gzi_ghost_check(const gz_app *app, const gz_config *cfg, int dims, gz_error *error)
{
    for (int i = 0; i < dims; i++)
        if (!(cfg->block_len[i] > app->halo_width[i]))
            return gzi_fail(error, GZ_EBLOCK,
                            "block: extent %d is %g elements: must exceed the halo's %g, or no "
                            "tile is left at height 1",
                            i, cfg->block_len[i], app->halo_width[i]);
    return GZ_OK;
}

double gzi_ghost_pole(const gz_app *app, const gz_config *cfg, int dims)
{
    double least = HUGE_VAL;
    for (int i = 0; i < dims; i++)
        if (app->halo_width[i] > 0)
            least =
                fmin(least, cfg->block_len[i] / app->halo_width[i]); /* [Eq. 20], solved for h */
    return least;
}

int gzi_ghost_feasible(const gz_app *app, const gz_config *cfg, int dims, double h)
{
    for (int i = 0; i < dims; i++)
        if (!(fma(-app->halo_width[i], h, cfg->block_len[i]) > 0)) /* [Eq. 20] */
            return 0;
    return 1;
}

double gzi_ghost_height_max(const gz_app *app, const gz_config *cfg, int dims)
{
    double h = ceil(gzi_ghost_pole(app, cfg, dims));
    while (h > 1 && !gzi_ghost_feasible(app, cfg, dims, h))
        h--;
    return h;
}
