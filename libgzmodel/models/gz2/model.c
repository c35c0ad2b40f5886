/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * model.c - a tile's layout and memory on the device, and the prediction of a run (README.md has
 * the equations).
 */
#include "gz2_parts.h"
#include "tiling.h"

#include <math.h>
#include <string.h>

gzi_tile gzi_gz2_tile_of(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    return gzi_tile_make(&model->stencil, &config->way, config->grid, model->device.warp <= 1);
}

/* Local memory of a group with such a tile, bytes. */
static double bytes_of(const gzi_tile *tile)
{
    const gzi_tiling *tiling = gzi_tiling_of(tile->variant);
    return tile->dim < tiling->least_dim ? 0 : tile->bytes * tiling->local_elements(tile);
}

double gzi_gz2_local_bytes(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    const gzi_tile tile = gzi_gz2_tile_of(model, config);
    return bytes_of(&tile);
}

/* How often `need` fits into `limit`; at most `most`. A limit of 0 is none. */
static double fits(double limit, double need, double most)
{
    return limit > 0 && need > 0 ? fmin(most, floor(limit / need)) : most;
}

double gzi_gz2_resident(const gzi_gz2 *model, const gzi_gz2_config *config, const gzi_tile *tile)
{
    const gzi_gz2_device *device = &model->device;
    double bytes = bytes_of(tile), groups = device->blocks;
    double threads = product(config->threads, thread_dim(model, config));
    double warps = ceil(threads / device->warp), registers = model->registers;

    /* They are given to a thread eight at a time. */
    if (config->variant == GZ_VARIANT_STREAM)
        registers = 8 * ceil(gzi_stream_registers(tile) / 8);
    if (device->local_group > 0 && bytes > device->local_group)
        return 0;
    if (device->local_step > 0)
        bytes = ceil(bytes / device->local_step) * device->local_step;
    groups = fits(device->local_unit, bytes, groups);
    groups = fits(device->threads, warps * device->warp, groups);
    return fits(device->registers, warps * device->warp * registers, groups);
}

int gzi_gz2_lower_height(const gzi_gz2 *model, const gzi_gz2_config *config)
{
    gzi_gz2_config lower = *config;
    for (lower.height = config->height - 1; lower.height > 0; lower.height--) {
        const gzi_tile tile = gzi_gz2_tile_of(model, &lower);
        if (gzi_gz2_resident(model, &lower, &tile) >= 1)
            break;
    }
    return lower.height;
}

/* A stage's time in out->seconds, with its slopes unless `alone`. */
static gzi_gz2_status predict_stage(const gzi_gz2 *model, const gzi_gz2_config *config, int alone,
                                    gzi_gz2_prediction *out)
{
    gzi_geometry geometry;
    gzi_gz2_stage st;

    memset(out, 0, sizeof *out);
    const gzi_tile tile = gzi_gz2_tile_of(model, config);
    if (gzi_geometry_make(gzi_tiling_of(config->variant), &tile, &geometry))
        return GZI_GZ2_HEIGHT;
    out->local_bytes = bytes_of(&tile);
    out->resident = gzi_gz2_resident(model, config, &tile); /* [gz2 28] */
    out->tiles = geometry.tiles;
    if (!(out->resident >= 1))
        return GZI_GZ2_ROOM;
    gzi_gz2_make_stage(model, config, &tile, &geometry, alone, &st);
    gzi_gz2_count_sync(&st, out);
    gzi_gz2_share_out(&st, out);
    out->seconds /= config->height; /* [gz2 1] */
    return GZI_GZ2_OK;
}

gzi_gz2_status gzi_gz2_predict(const gzi_gz2 *model, const gzi_gz2_config *config,
                               gzi_gz2_prediction *out)
{
    gzi_gz2_status status = predict_stage(model, config, 0, out);
    if (status != GZI_GZ2_OK)
        return status;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        out->slope[j] /= config->height;
        if (gzi_gz2_term_of((gzi_gz2_parameter)j) != GZI_GZ2_TERMS)
            out->share[j] = model->value[j] * out->slope[j];
    }
    return GZI_GZ2_OK;
}

gzi_gz2_status gzi_gz2_seconds(const gzi_gz2 *model, const gzi_gz2_config *config, double *seconds)
{
    gzi_gz2_prediction p;
    gzi_gz2_status status = predict_stage(model, config, 1, &p);
    *seconds = p.seconds;
    return status;
}
