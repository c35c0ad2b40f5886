/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * box_tile.c - the boxes of a multigrid level as tiles of the model (see box_tile.h).
 */
#include "box_tile.h"

#include <float.h>
#include <math.h>

double box_tile_room(const gz_device *dev, const gz_app *app)
{
    double threads = dev->max_threads_per_block.value, room = dev->shared_mem_per_block.value;
    double bytes = app->element_size.value * (app->stencil_arrays.value + 1);
    return room > 0 ? fmin(threads, floor(room / bytes)) : threads;
}

int box_tile_best(const gz_device *dev, const gz_app *app, const box_rules *rules, int box, int h,
                  box_tile *best)
{
    int shortest = rules->whole ? box : 1;
    best->prediction.cpl = DBL_MAX;
    for (int x = box; x >= shortest; x /= 2)
        for (int y = box; y >= shortest; y /= 2)
            for (int z = box; z >= shortest; z /= 2) {
                int committed[GZ_MAX_DIM] = {x, y, z};
                box_tile tile = {.cfg = {.beyond = 1, .model = GZ_MODEL_MENG2011}, .cells = 1};
                for (int i = 0; i < app->dim; i++) {
                    tile.cfg.data_length[i] = (double)rules->boxes * box;
                    tile.cfg.block_len[i] = committed[i] + app->halo_width[i] * h;
                    tile.cells *= tile.cfg.block_len[i];
                }
                if (!rules->whole && tile.cells > rules->max_cells)
                    continue;
                if (gz_predict(dev, app, &tile.cfg, h, &tile.prediction, NULL) == GZ_OK &&
                    tile.prediction.cpl < best->prediction.cpl)
                    *best = tile;
            }
    return best->prediction.cpl < DBL_MAX;
}

int box_tile_deepest(const gz_app *app, int box)
{
    double radius = 0;
    for (int i = 0; i < app->dim; i++)
        radius = fmax(radius, app->halo_width[i] / 2);
    return (int)(box / radius);
}

int box_tile_height(const gz_device *dev, const gz_app *app, const box_rules *rules, int box,
                    box_tile *one, box_tile *best)
{
    int height = 0;
    for (int h = 1; h <= box_tile_deepest(app, box); h++) {
        box_tile tile;
        if (!box_tile_best(dev, app, rules, box, h, &tile))
            break;
        if (h == 1)
            *one = tile;
        if (h == 1 || tile.prediction.cpl < best->prediction.cpl) {
            *best = tile;
            height = h;
        }
    }
    return height;
}
