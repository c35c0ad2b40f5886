/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tile.c - the best tile and its best height together (Section 5.4.1).
 */
#include "check.h"
#include "search.h"

#include <math.h>
#include <string.h>

gz_tile_limits gz_tile_limits_of(const gz_device *dev)
{
    gz_tile_limits limits = {.threads = 0};
    if (!dev)
        return limits;
    limits.threads = dev->max_threads_per_block.value;
    if (gz_quantity_stated(&dev->shared_mem_per_block))
        limits.shared_bytes = dev->shared_mem_per_block.value;
    return limits;
}

/* The threads of a block if the configuration states them in every dimension; 0: one per element.
 */
static double stated_threads(const gz_app *app, const gz_config *cfg)
{
    double threads = 1;
    for (int i = 0; i < app->dim; i++)
        threads *= cfg->threads[i];
    return threads;
}

/* A search for the one best tile. Of the threads of shapes there may be as many as the limits say,
 * and they stay as they are stated; those of streamed tiles follow from the tile. */
static gzi_search search_of(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                            const gz_tile_limits *limits, gz_candidate *best)
{
    int streamed = cfg->variant == GZ_VARIANT_STREAM, stated = stated_threads(app, cfg) > 0;
    double most = dev->max_threads_per_block.value;
    gzi_search s = {.model = gzi_model_of(cfg->model),
                    .dev = dev,
                    .app = app,
                    .cfg = *cfg,
                    .limits = *limits,
                    .own_threads = stated || !streamed,
                    .cell_threads = stated ? 0 : limits->threads,
                    .out = best,
                    .n = 1};
    if (!streamed)
        s.cfg.beyond = 1;
    else if (!(limits->threads > 0 && limits->threads <= most))
        s.limits.threads = most;
    return s;
}

/* Fills in the best tile, with the best height of its block and piece. */
static gz_status finish(gzi_search *s, const gz_config *cfg, gz_tile *out, gz_error *error)
{
    const gz_bounds bounds = {0, s->limits.height_max};
    int last = s->app->dim - 1;
    if (!s->found && s->refused && s->refused != GZ_EHEIGHT)
        return gzi_fail(error, s->refused, "%s", s->why.text);
    if (!s->found && s->cfg.variant == GZ_VARIANT_STREAM)
        return gzi_fail(error, GZ_ELIMITS, "%s",
                        s->refused ? s->why.text
                                   : "no streamed tile within the grid and the limits leaves "
                                     "anything to commit at height 1");
    if (!s->found)
        return gzi_fail(error, GZ_ELIMITS,
                        "no tile of at most %.15g elements within the grid and the limits "
                        "leaves anything to commit at height 1",
                        s->shapes.room);
    gz_config *best = &s->out->config;
    best->beyond = cfg->beyond;
    *out = (gz_tile){.shapes = s->tried, .stream_len = best->stream_len};
    memcpy(out->block_len, best->block_len, sizeof out->block_len);
    memcpy(out->threads, best->threads, sizeof out->threads);
    gz_status status =
        gzi_optimize(s->model, s->dev, s->app, best, &bounds, s->work, &out->optimum, error);
    if (s->cfg.variant == GZ_VARIANT_STREAM)
        out->block_len[last] = best->stream_len + s->app->halo_width[last] * out->optimum.integer;
    else
        out->stream_len = 0;
    return status;
}

gz_status gz_optimize_tile(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           const gz_tile_limits *limits, gz_tile *out, gz_error *error)
{
    gz_candidate best;
    gz_config room;
    cfg = gzi_settle(dev, app, cfg, &room);
    gz_status status = gzi_check_model(dev, app, NULL, error);
    if (!status && !cfg)
        status = gzi_fail_null(error, "configuration");
    if (!status && !(limits && out))
        status = gzi_fail_null(error, limits ? "room for the tile" : "limits");
    if (!status)
        status = gzi_check_grid(dev, app, cfg, error);
    if (status)
        return status;

    double stated = stated_threads(app, cfg);
    if (stated > 0 && limits->threads > 0 && stated > limits->threads)
        return gzi_fail(error, GZ_ETHREADS, "%.17g threads: the limit is %.17g", stated,
                        limits->threads);
    gzi_search search = search_of(dev, app, cfg, limits, &best);
    /* Checks the limits, too. */
    status = gzi_shapes_of(app, cfg, limits, search.cell_threads,
                           search.model->larger_tile_never_worse, &search.shapes, error);
    if (!status)
        status = gzi_work_new(search.model, dev, app, &search.work, error);
    if (status)
        return status;
    status = gzi_search_tiles(&search, error);
    if (!status)
        status = finish(&search, cfg, out, error);
    gzi_work_free(search.model, search.work);
    return status;
}
