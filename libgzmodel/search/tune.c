/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.c - the best tile, height, synchronisation and variant together, as a ranked list.
 */
#include "check.h"
#include "ending.h"
#include "fail.h"
#include "quantities.h"
#include "search.h"
#include "tiling.h"
#include "uncertainty.h"

#include <math.h>
#include <string.h>

/* Intervals of 95 % of a normal distribution unless the request says otherwise. */
#define USUAL_Z 1.96

/* All tiles of the variant and synchronisation in s->cfg. */
static gz_status try_combination(gzi_search *s, const gz_tune_request *request, gz_error *error)
{
    memcpy(s->cfg.threads, request->threads, sizeof s->cfg.threads);
    s->cfg.stream_len = s->cfg.variant == GZ_VARIANT_STREAM ? request->stream_len : 0;
    gz_status status = gzi_check_grid(s->dev, s->app, &s->cfg, error);
    if (status)
        return status;
    return request->block_len[0] > 0 ? gzi_search_block(s, request->block_len)
                                     : gzi_search_tiles(s, error);
}

/* Adds the intervals. */
static gz_status add_intervals(gzi_search *s, const gz_tune_request *request, gz_error *error)
{
    double z = request->z > 0 ? request->z : USUAL_Z;
    gz_status status = GZ_OK;
    for (size_t k = 0; k < s->found && !status; k++) {
        gz_candidate *c = s->out + k;
        double relative = 0;
        const gz_config cfg = gz_config_of(request, c);
        status = gzi_relative_sd(s->model, s->dev, s->app, &cfg, c->way.height, c->seconds_per_loop,
                                 &relative, error);
        gzi_interval(c->seconds_per_loop, relative, z, c->interval);
    }
    return status;
}

unsigned gzi_syncs_of(const gz_device *dev, const gz_tune_request *request)
{
    unsigned syncs = request->syncs;
    for (int sync = 0; !request->syncs && gz_name(GZ_SYNCS, (gz_sync)sync); sync++)
        if (gzi_has_sync(dev, (gz_sync)sync))
            syncs |= 1u << sync;
    return syncs;
}

static unsigned variants_of(const gzi_model *model, const gz_tune_request *request)
{
    unsigned variants = request->variants;
    for (int v = 0; !request->variants && v < 32; v++)
        if (model->variants & 1u << v && gzi_tiling_of((gz_variant)v))
            variants |= 1u << v;
    return variants;
}

gz_status gzi_check_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                         const gz_candidate *out, size_t n, const size_t *found, gz_error *error)
{
    gz_status status = gzi_check_model(dev, app, NULL, error);
    if (status)
        return status;
    if (!request || !out || !found)
        return gzi_fail_null(error, request ? "room for the candidates" : "request");
    if (n < 1)
        return gzi_fail(error, GZ_EARGUMENT, "room for 0 candidates: must be at least 1");
    if (!gz_name(GZ_MODELS, request->model))
        return gzi_fail(error, GZ_EARGUMENT, "there is no model of number %d", (int)request->model);
    if (!(request->z >= 0 && isfinite(request->z)))
        return gzi_fail(error, GZ_EARGUMENT, "z is %g: must be a number of at least 0", request->z);
    for (int i = 1; i < app->dim; i++)
        if ((request->block_len[i] > 0) != (request->block_len[0] > 0))
            return gzi_fail(error, GZ_ECONFIG, "a tile must be given in all dimensions or in none");
    return GZ_OK;
}

gz_tile_limits gzi_tune_limits(const gz_device *dev, const gz_app *app,
                               const gz_tune_request *request)
{
    gz_tile_limits limits = request->limits;
    double threads = dev->max_threads_per_block.value;
    if (limits.threads == 0 || limits.threads > threads)
        limits.threads = threads;
    if (limits.shared_bytes == 0 && gzi_stated(&dev->shared_mem_per_block))
        limits.shared_bytes = dev->shared_mem_per_block.value;
    /* Rows of whole warps: others leave threads idle. */
    double row = fmax(request->data_length[0], request->block_len[0]), warp = dev->warp_size.value;
    if (limits.block_max[0] > 0)
        row = fmin(row, limits.block_max[0]);
    if (limits.block_step[0] == 0 && warp > 1 && floor(row / warp) * warp > app->halo_width[0])
        limits.block_step[0] = warp;
    return limits;
}

gz_model gzi_tune_model(const gz_device *dev, const gz_app *app, const gz_tune_request *request)
{
    unsigned syncs = gzi_syncs_of(dev, request);
    unsigned variants = variants_of(&gzi_gz2_model, request);
    gz_config cfg = {.tau = request->tau, .loops = request->loops};
    memcpy(cfg.data_length, request->data_length, sizeof cfg.data_length);
    memcpy(cfg.block_len, request->block_len, sizeof cfg.block_len);
    if (request->model != GZ_MODEL_AUTO || request->tau != GZ_TAU_PRINTED)
        return request->model ? request->model : GZ_MODEL_MENG2011;
    for (int v = 0; v < 32; v++)
        for (int sync = 0; sync < 32; sync++) {
            cfg.variant = (gz_variant)v;
            cfg.sync = (gz_sync)sync;
            if (!(variants & 1u << v && syncs & 1u << sync))
                continue;
            if (gzi_gz2_can(dev, app, &cfg, NULL) == GZ_OK &&
                app->dim >= gzi_tiling_of(cfg.variant)->least_dim)
                return GZ_MODEL_GZ2;
        }
    return variants & gzi_meng2011.variants ? GZ_MODEL_MENG2011 : GZ_MODEL_GZ2;
}

/* Every combination of variant and synchronisation. */
static gz_status try_all(gzi_search *s, const gz_tune_request *request, gz_error *error)
{
    unsigned syncs = gzi_syncs_of(s->dev, request), variants = variants_of(s->model, request);
    for (int v = 0; v < 32; v++)
        for (int sync = 0; sync < 32; sync++)
            if (variants & 1u << v && syncs & 1u << sync) {
                s->cfg.variant = (gz_variant)v;
                s->cfg.sync = (gz_sync)sync;
                gz_status status = try_combination(s, request, error);
                if (status)
                    return status;
            }
    if (!s->found && s->refused)
        return gzi_fail(error, s->refused, "%s", s->why.text);
    if (!s->found)
        return gzi_fail(error, GZ_ELIMITS,
                        "no tile within the grid and the limits (%.15g threads, %.15g bytes of "
                        "local memory) leaves anything to commit",
                        s->limits.threads, s->limits.shared_bytes);
    return add_intervals(s, request, error);
}

gz_status gzi_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                   int states, gz_candidate *out, size_t n, size_t *found, gz_error *error)
{
    gz_status status = gzi_check_tune(dev, app, request, out, n, found, error);
    if (status)
        return status;
    gz_model model = gzi_tune_model(dev, app, request);
    gzi_search s = {.model = gzi_model_of(model),
                    .dev = dev,
                    .app = app,
                    .limits = gzi_tune_limits(dev, app, request),
                    .cfg = {.model = model, .tau = request->tau, .loops = request->loops},
                    .states = states,
                    .own_threads = 1,
                    .out = out,
                    .n = n};
    for (int i = 0; i < app->dim; i++)
        s.own_threads &= request->threads[i] > 0;
    if (!(s.limits.shared_bytes > 0) && !s.own_threads)
        s.cell_threads = s.limits.threads;
    memcpy(s.cfg.data_length, request->data_length, sizeof s.cfg.data_length);
    status = gzi_work_new(s.model, dev, app, &s.work, error);
    if (status)
        return status;
    status = try_all(&s, request, error);
    gzi_work_free(s.model, s.work);
    *found = status ? 0 : s.found;
    return status;
}

gz_config gz_config_of(const gz_tune_request *request, const gz_candidate *candidate)
{
    if (!request || !candidate)
        return (gz_config){.loops = (double)NAN};
    gz_config cfg = {.model = candidate->model, .tau = request->tau, .loops = request->loops};
    memcpy(cfg.data_length, request->data_length, sizeof cfg.data_length);
    gzi_take_way(&cfg, &candidate->way);
    return cfg;
}

gz_status gz_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                  gz_candidate *out, size_t n, size_t *found, gz_error *error)
{
    return gzi_tune(dev, app, request, 0, out, n, found, error);
}
