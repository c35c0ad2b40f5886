/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ghost.c - what tilings with ghost zones share, see ghost.h.
 */
#include "ghost.h"

#include "fail.h"

#include <math.h>

/* The dimensions in which tiles have ghost zones: all but the last of streamed ones, none where a
 * stage is one loop. */
static int ghost_dims(const gz_app *app, const gzi_tiling *tiling)
{
    return tiling->most_loops == 1 ? 0 : app->dim - tiling->streamed;
}

gz_status gzi_check_tile(const gz_app *app, const gz_config *cfg, gz_error *error)
{
    const gzi_tiling *tiling = gzi_tiling_of(cfg->variant);
    if (app->dim < tiling->least_dim)
        return gzi_fail(error, GZ_ECONFIG,
                        "variant %s: the application has one dimension: must have two or three",
                        tiling->name);
    for (int i = 0; i < ghost_dims(app, tiling); i++)
        if (!(cfg->block_len[i] > app->halo_width[i]))
            return gzi_fail(error, GZ_EBLOCK,
                            "block: extent %d is %g elements: must exceed the halo's %g, or no "
                            "tile is left at height 1",
                            i, cfg->block_len[i], app->halo_width[i]);
    return GZ_OK;
}

double gzi_pole(const gz_app *app, const gz_config *cfg)
{
    const gzi_tiling *tiling = gzi_tiling_of(cfg->variant);
    double least = tiling->most_loops == 1 ? 2 : HUGE_VAL;
    for (int i = 0; i < ghost_dims(app, tiling); i++)
        if (app->halo_width[i] > 0)
            least =
                fmin(least, cfg->block_len[i] / app->halo_width[i]); /* [Eq. 20], solved for h */
    return least;
}

int gzi_feasible(const gz_app *app, const gz_config *cfg, double h)
{
    const gzi_tiling *tiling = gzi_tiling_of(cfg->variant);
    for (int i = 0; i < ghost_dims(app, tiling); i++)
        if (!(fma(-app->halo_width[i], h, cfg->block_len[i]) > 0)) /* [Eq. 20] */
            return 0;
    return tiling->most_loops > 1 || h < 2;
}

double gzi_height_max(const gz_app *app, const gz_config *cfg)
{
    double h = ceil(gzi_pole(app, cfg));
    while (h > 1 && !gzi_feasible(app, cfg, h))
        h--;
    return h;
}
