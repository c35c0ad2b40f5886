/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tile.c - the best tile and its best height together (Section 5.4.1).
 */
#include "check.h"
#include "model.h"
#include "pieces.h"
#include "quantities.h"
#include "shapes.h"
#include "tiling.h"

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

/* The search; `best->optimum` holds the best so far. */
struct search {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    gz_config cfg; /* with the tile being looked at */
    gz_bounds bounds;
    void *work;
    gz_tile *best;
    gz_error *error;
    gzi_pieces pieces; /* of streamed tiles */
    int height;        /* of the best streamed tile */
    double cpl;        /* and its CPL */
    gz_status refused; /* why a streamed tile was left out */
    gz_error why;
};

/* Optimises the height of one tile and keeps it if it is better. */
static gz_status try_shape(void *with, const double block_len[GZ_MAX_DIM], double *cost)
{
    struct search *s = with;
    gz_optimum optimum;
    for (int i = 0; i < s->app->dim; i++)
        s->cfg.block_len[i] = block_len[i];
    gz_status status =
        gzi_optimize(s->model, s->dev, s->app, &s->cfg, &s->bounds, s->work, &optimum, s->error);
    if (status == GZ_EHEIGHT)
        return GZ_OK; /* this tile has no height */
    if (status)
        return status;
    *cost = optimum.prediction.cpl;
    if (!s->best->shapes++ || optimum.prediction.cpl < s->best->optimum.prediction.cpl) {
        s->best->optimum = optimum;
        for (int i = 0; i < s->app->dim; i++)
            s->best->block_len[i] = block_len[i];
    }
    return GZ_OK;
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

/* Predicts a streamed tile and keeps it if it is better. */
static gz_status try_piece(void *with, const double block_len[GZ_MAX_DIM], double stream_len,
                           int height)
{
    struct search *s = with;
    gz_prediction prediction;
    gz_error why, *say = &why;
    memcpy(s->cfg.block_len, block_len, sizeof s->cfg.block_len);
    s->cfg.stream_len = stream_len;
    if (!(s->pieces.given_threads[0] > 0))
        gzi_set_threads(s->dev, s->app, s->pieces.threads, height, &s->cfg);
    gz_status status = gzi_check_config(s->dev, s->app, &s->cfg, say);
    if (!status)
        status = gzi_predict(s->model, s->dev, s->app, &s->cfg, height, &prediction, say);
    if (status) {
        /* What ends the search is the reason; else the first tile that the device has no room for.
         */
        if (!s->refused || status != GZ_EHEIGHT) {
            s->refused = status;
            s->why = why;
        }
        return status;
    }
    if (!s->best->shapes++ || prediction.cpl < s->cpl) {
        s->cpl = prediction.cpl;
        s->height = height;
        memcpy(s->best->block_len, block_len, sizeof s->best->block_len);
        memcpy(s->best->threads, s->cfg.threads, sizeof s->best->threads);
        s->best->stream_len = stream_len;
    }
    return GZ_OK;
}

/* Height, tile and piece together: the best tile that is worth trying, and then the best height of
 * that block and piece. */
static gz_status optimize_stream(struct search *s, const gz_tile_limits *limits, int threads_stated)
{
    gzi_pieces *pieces = &s->pieces;
    gz_tile *best = s->best;
    int last = s->app->dim - 1;
    gz_error *error = s->error;

    *pieces = gzi_pieces_of(s->dev, s->app, limits);
    if (!(pieces->threads > 0) || pieces->threads > s->dev->max_threads_per_block.value)
        pieces->threads = s->dev->max_threads_per_block.value;
    pieces->length = s->cfg.stream_len;
    if (threads_stated)
        memcpy(pieces->given_threads, s->cfg.threads, sizeof pieces->given_threads);
    if (last < 1)
        return gzi_tiling_of(s->cfg.variant)->check(s->app, &s->cfg, error);
    gz_status status = gzi_visit_pieces(pieces, s->app, &s->cfg, try_piece, s);
    if (status && status != GZ_EHEIGHT)
        return gzi_fail(error, status, "%s", s->why.text);
    if (!best->shapes)
        return gzi_fail(error, GZ_ELIMITS, "%s",
                        s->refused ? s->why.text
                                   : "no streamed tile within the grid and the limits leaves "
                                     "anything to commit at height 1");
    memcpy(s->cfg.block_len, best->block_len, sizeof s->cfg.block_len);
    memcpy(s->cfg.threads, best->threads, sizeof s->cfg.threads);
    s->cfg.stream_len = best->stream_len;
    status =
        gzi_optimize(s->model, s->dev, s->app, &s->cfg, &s->bounds, s->work, &best->optimum, error);
    best->block_len[last] = best->stream_len + s->app->halo_width[last] * best->optimum.integer;
    return status;
}

gz_status gz_optimize_tile(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           const gz_tile_limits *limits, gz_tile *out, gz_error *error)
{
    gz_status status = gzi_check_model(dev, app, NULL, error);
    if (!status && !cfg)
        status = gzi_fail_null(error, "configuration");
    if (!status && !(limits && out))
        status = gzi_fail_null(error, limits ? "room for the tile" : "limits");
    if (!status)
        status = gzi_check_grid(dev, app, cfg, error);
    if (status)
        return status;

    const gzi_model *model = gzi_model_of(cfg->model);
    double stated = stated_threads(app, cfg);
    if (stated > 0 && limits->threads > 0 && stated > limits->threads)
        return gzi_fail(error, GZ_ETHREADS, "%.17g threads: the limit is %.17g", stated,
                        limits->threads);
    gzi_shapes shapes;
    int streamed = cfg->variant == GZ_VARIANT_STREAM;
    /* Checks the limits, too. */
    status = gzi_shapes_of(app, cfg, limits, stated > 0 ? 0 : limits->threads,
                           model->larger_tile_never_worse, &shapes, error);
    struct search search = {.model = model,
                            .dev = dev,
                            .app = app,
                            .cfg = *cfg,
                            .bounds = {0, limits->height_max},
                            .best = out,
                            .error = error};
    if (!status)
        status = gzi_work_new(model, dev, app, &search.work, error);
    if (status)
        return status;
    *out = (gz_tile){.shapes = 0};
    memcpy(out->threads, cfg->threads, sizeof out->threads);
    status = streamed ? optimize_stream(&search, limits, stated > 0)
                      : gzi_visit_shapes(&shapes, try_shape, &search);
    gzi_work_free(model, search.work);
    if (!status && !out->shapes)
        status = gzi_fail(error, GZ_ELIMITS,
                          "no tile of at most %.15g elements within the grid and the limits "
                          "leaves anything to commit at height 1",
                          shapes.room);
    return status;
}
