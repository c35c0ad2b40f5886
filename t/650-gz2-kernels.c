/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second model's geometry is the kernels': for every stencil and random grids, blocks and
 * heights, tiles and their sums equal gzk_geometry_make's, gzk_count's and the tiling's.
 */
#include "data.h"
#include "gz2_reference.h"
#include "gzmodel.h"
#include "registry.h"
#include "tap.h"
#include "tiles.h"
#include "tiling.h"

enum { CASES = 300 };

static gzi_gz2_edge edge_of(const struct gzk_stencil *stencil)
{
    static const gzi_gz2_edge edges[] = {[GZK_EDGE_CLAMP] = GZI_GZ2_EDGE_CLAMP,
                                         [GZK_EDGE_ZERO] = GZI_GZ2_EDGE_ZERO,
                                         [GZK_EDGE_PERIODIC] = GZI_GZ2_EDGE_PERIODIC};
    return edges[stencil->edge[0]];
}

int main(void)
{
    unsigned long long state = gz2_seed(65);

    tap_plan((int)gzk_stencil_count + 1);
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        const struct gzk_stencil *stencil = gzk_stencils[s];
        int wrong = 0, made = 0;
        for (int k = 0; k < CASES; k++) {
            struct gzk_config config = {.stencil = stencil,
                                        .variant = GZK_TRAPEZOID,
                                        .size = {1, 1, 1},
                                        .block = {1, 1, 1},
                                        .threads = {1, 1, 1},
                                        .height = gz2_whole(&state, 1, 8),
                                        .loops = 1};
            gzi_gz2_tiling tiling = {
                .dim = stencil->dimensions, .height = config.height, .edge = edge_of(stencil)};
            struct gzk_geometry geometry;
            struct gzk_error error;
            gzi_geometry g;
            for (int i = 0; i < stencil->dimensions; i++) {
                config.size[i] = gz2_whole(&state, 1, 200);
                config.block[i] = 2 * stencil->radius[i] * config.height + gz2_whole(&state, 1, 40);
                tiling.grid[i] = config.size[i];
                tiling.block[i] = config.block[i];
                tiling.radius[i] = stencil->radius[i];
            }
            config.loops = config.height;
            if (gzk_geometry_make(&config, &geometry, &error) || gzi_geometry_make(&tiling, &g))
                continue;
            struct gzk_counts counts = gzk_count(&config);
            made++;
            wrong += counts.loaded != gzk_stencil_arrays(stencil) * g.loaded ||
                     counts.operations != config.height * g.computed ||
                     counts.committed != g.committed || geometry.tile_count != (int)g.tiles;
            for (int i = 0; i < 3; i++)
                wrong +=
                    geometry.tiles[i] != g.axis[i].tiles || geometry.committed[i] != g.axis[i].step;
        }
        tap_ok(made == CASES && wrong == 0, "%s: %d of %d configurations differ", stencil->name,
               wrong, made);
    }
    int rules = 1;
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        gz_app app;
        rules &= gz_app_open(gzk_stencils[s]->name, NULL, &app, NULL) == GZ_OK &&
                 app.edge_rule.value == (double)edge_of(gzk_stencils[s]);
    }
    tap_ok(rules, "the built-in applications state the kernels' edges");
    return tap_done();
}
