/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tilings.c - the table of tilings, and what follows from any of them.
 */
#include "quantities.h"
#include "tiling.h"

#include <math.h>

const gzi_tiling *const gzi_tilings[GZI_TILINGS] = {
    [GZ_VARIANT_TRAPEZOID] = &gzi_trapezoid,
    [GZ_VARIANT_STREAM] = &gzi_stream,
    [GZ_VARIANT_NAIVE] = &gzi_naive,
};

/* A length as a whole number, even one that is out of range. */
static long whole(double value)
{
    return (long)fmin(fmax(value, 0), GZI_DATA_LENGTH_MAX);
}

/* One that an int can hold. */
static int whole_int(double value)
{
    return (int)whole(fmin(value, GZI_BLOCK_LEN_MAX));
}

int gzi_fields_of(const gz_device *dev, const gz_app *app)
{
    double fields = gzi_own(dev, app, GZI_GZ2_FIELDS)->value;
    return fields > 1 ? whole_int(fields) : 1;
}

gzi_tile gzi_tile_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h)
{
    const gz_quantity *edge[GZ_MAX_DIM] = {&app->edge_rule, &app->edge_rule_1, &app->edge_rule_2};
    int cpu = gzi_is_cpu(dev), older = gzi_own(dev, app, GZI_GZ2_OLDER_STATE)->value > 0;
    int fields = gzi_fields_of(dev, app);
    gzi_tile tile = {.dim = app->dim,
                     .height = h,
                     .piece = whole(cfg->stream_len),
                     .bytes = whole_int(app->element_size.value),
                     .states = 2,
                     .arrays = whole_int(app->stencil_arrays.value) - fields - older,
                     .older = older,
                     .fields = fields,
                     .coefficients = whole_int(app->coefficients.value),
                     .own_column = !cpu && app->own_column.value > 0,
                     .fences = cfg->sync == GZ_SYNC_FENCE,
                     .whole_rows = cpu};
    for (int i = 0; i < app->dim; i++) {
        tile.edge[i] =
            (gzi_edge)whole_int((gzi_stated(edge[i]) ? edge[i] : &app->edge_rule)->value);
        tile.size[i] = whole(cfg->data_length[i]);
        tile.block[i] = whole(cfg->block_len[i]);
        tile.radius[i] = whole_int(app->halo_width[i] / 2);
        tile.threads[i] = whole_int(gzi_threads_in(dev, app, cfg, i));
    }
    return tile;
}
