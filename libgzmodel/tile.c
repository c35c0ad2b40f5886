/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tile.c - the best tile and its best height together (Section 5.4.1).
 */
#include "check.h"
#include "model.h"
#include "shapes.h"

#include <math.h>

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
    status = gzi_shapes_of(app, cfg, limits, stated > 0 ? 0 : limits->threads,
                           model->larger_tile_never_worse, &shapes, error);
    struct search search = {model, dev, app, *cfg, {0, limits->height_max}, NULL, out, error};
    if (!status)
        status = gzi_work_new(model, &search.work, error);
    if (status)
        return status;
    *out = (gz_tile){.shapes = 0};
    status = gzi_visit_shapes(&shapes, try_shape, &search);
    gzi_work_free(model, search.work);
    if (!status && !out->shapes)
        status = gzi_fail(error, GZ_ELIMITS,
                          "no tile of at most %.15g elements within the grid and the limits "
                          "leaves anything to commit at height 1",
                          shapes.room);
    return status;
}
