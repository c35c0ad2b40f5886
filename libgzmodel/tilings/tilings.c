/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tilings.c - the table of tilings, and what follows from any of them.
 */
#include "quantities.h"
#include "tiling.h"

const gzi_tiling *const gzi_tilings[GZI_TILINGS] = {
    [GZ_VARIANT_TRAPEZOID] = &gzi_trapezoid,
    [GZ_VARIANT_STREAM] = &gzi_stream,
    [GZ_VARIANT_NAIVE] = &gzi_naive,
};

/* A length as a whole number, even one that is out of range. */
static long whole(double value)
{
    return value > 0 ? (long)(value < GZI_DATA_LENGTH_MAX ? value : GZI_DATA_LENGTH_MAX) : 0;
}

/* One that an int can hold. */
static int whole_int(double value)
{
    return value > 0 ? (int)(value < GZI_BLOCK_LEN_MAX ? value : GZI_BLOCK_LEN_MAX) : 0;
}

/* Elements that computing a cell reads of the state, of `all`: at most a star's or a box's. */
static int state_reads(const gz_shape *s, int all)
{
    int box = 1, star = 1;
    for (int i = 0; i < s->dim; i++) {
        box *= 2 * s->radius[i] + 1;
        star += 2 * s->radius[i];
    }
    int most = gzi_fields(s) * (s->reads.own_column ? star : box);
    return all < most ? all : most;
}

double gzi_tile_reads(const gz_app *app)
{
    double star = app->stencil_arrays.value;
    for (int i = 0; i < app->dim; i++)
        star += app->halo_width[i];
    return gzi_stated_or(&app->tile_reads, star);
}

gz_shape gzi_shape_of(const gz_app *app)
{
    const gz_quantity *edge[GZ_MAX_DIM] = {&app->edge_rule, &app->edge_rule_1, &app->edge_rule_2};
    int all = whole_int(gzi_tile_reads(app));
    gz_shape s = {.dim = app->dim,
                  .bytes = whole_int(app->element_size.value),
                  .fields = whole_int(gzi_own(NULL, app, GZI_GZ2_FIELDS)->value),
                  .older = gzi_own(NULL, app, GZI_GZ2_OLDER_STATE)->value > 0,
                  .step_arrays = whole_int(app->elements_per_op.value),
                  .coefficients = whole_int(app->coefficients.value),
                  .reads = {.own_column = app->own_column.value > 0}};
    for (int i = 0; i < app->dim; i++) {
        s.edge[i] = (gz_edge)whole_int(gzi_stated_or(edge[i], app->edge_rule.value));
        s.radius[i] = whole_int(app->halo_width[i] / 2);
    }
    s.coefficient_arrays = whole_int(app->stencil_arrays.value) - gzi_states(&s);
    s.reads.state = state_reads(&s, all);
    s.reads.arrays = all - s.reads.state;
    s.reads.column =
        whole_int(gzi_stated_or(&app->column_reads, app->halo_width[app->dim - 1] + 1));
    return s;
}

gz_way gzi_way_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h)
{
    gz_way way = {.variant = cfg->variant,
                  .sync = cfg->sync,
                  .height = h,
                  .block = {1, 1, 1},
                  .threads = {1, 1, 1},
                  .piece = whole(cfg->stream_len)};
    for (int i = 0; i < app->dim; i++) {
        way.block[i] = whole_int(cfg->block_len[i]);
        way.threads[i] = whole_int(gzi_threads_in(dev, app, cfg, i));
    }
    return way;
}

void gzi_take_way(gz_config *cfg, const gz_way *way)
{
    cfg->variant = way->variant;
    cfg->sync = way->sync;
    cfg->stream_len = (double)way->piece;
    for (int i = 0; i < GZ_MAX_DIM; i++) {
        cfg->block_len[i] = way->block[i];
        cfg->threads[i] = way->threads[i];
    }
}

gzi_tile gzi_tile_make(const gz_shape *shape, const gz_way *way, const long size[GZ_MAX_DIM],
                       int cpu)
{
    gzi_tile tile = {.shape = *shape, .way = *way, .states = 2, .cpu = cpu};
    for (int i = 0; i < shape->dim; i++)
        tile.size[i] = size[i];
    tile.columns = way->variant == GZ_VARIANT_STREAM && gzi_takes_columns(&tile);
    return tile;
}

gzi_tile gzi_tile_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, int h)
{
    const gz_shape shape = gzi_shape_of(app);
    const gz_way way = gzi_way_of(dev, app, cfg, h);
    long size[GZ_MAX_DIM] = {1, 1, 1};
    for (int i = 0; i < app->dim; i++)
        size[i] = whole(cfg->data_length[i]);
    return gzi_tile_make(&shape, &way, size, gzi_is_cpu(dev));
}
