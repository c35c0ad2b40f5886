/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second model's geometry is the kernels': for every stencil and random grids, blocks and
 * heights, tiles and their sums equal gzk_geometry_make's, gzk_count's and the tiling's.
 */
#include "data.h"
#include "defaults.h"
#include "gz2_contract.h"
#include "gz2_reference.h"
#include "gzmodel.h"
#include "reads.h"
#include "registry.h"
#include "stream.h"
#include "tap.h"
#include "tiles.h"
#include "tiling.h"

enum { CASES = 300 };

static gzi_gz2_edge edge_of(const struct gzk_stencil *stencil, int i)
{
    static const gzi_gz2_edge edges[] = {[GZK_EDGE_CLAMP] = GZI_GZ2_EDGE_CLAMP,
                                         [GZK_EDGE_ZERO] = GZI_GZ2_EDGE_ZERO,
                                         [GZK_EDGE_PERIODIC] = GZI_GZ2_EDGE_PERIODIC};
    return edges[stencil->edge[i]];
}

/* The stencil, half of the times with an edge rule of its own in each dimension. */
static struct gzk_stencil vary(unsigned long long *state, const struct gzk_stencil *stencil)
{
    struct gzk_stencil varied = *stencil;
    int mixed = gz2_whole(state, 0, 1);
    for (int i = 0; i < 3 && mixed; i++)
        varied.edge[i] = (enum gzk_edge)gz2_whole(state, 0, 2);
    return varied;
}

static void set_edges(const struct gzk_stencil *stencil, gzi_gz2_tiling *tiling)
{
    for (int i = 0; i < stencil->dimensions; i++)
        tiling->edge[i] = edge_of(stencil, i);
}

/* Few enough columns for each thread to keep them in registers, in an otherwise random way. */
static void set_columns(unsigned long long *state, struct gzk_config *config,
                        gzi_gz2_tiling *tiling)
{
    const struct gzk_stencil *stencil = config->stencil;
    int last = stencil->dimensions - 1;
    config->columns = !config->cpu && gzk_reads_own_column(stencil) && gz2_whole(state, 0, 3);
    for (int i = 0; i < last && config->columns; i++) {
        int own = gz2_whole(state, 1, i == 0 ? 2 : 4);
        config->threads[i] = (config->block[i] - 1) / own + 1;
        tiling->columns = i == 0 ? 1 : (config->block[i] - 1) / config->threads[i] + 1;
    }
}

/* A random way to run a stencil by streamed tiles, with rows as on a CPU or as on a GPU. */
static void random_stream(unsigned long long *state, const struct gzk_stencil *stencil,
                          struct gzk_config *config, gzi_gz2_tiling *tiling, long *piece)
{
    int last = stencil->dimensions - 1, height = gz2_whole(state, 1, 8);
    *config = (struct gzk_config){.stencil = stencil,
                                  .variant = GZK_STREAM,
                                  .size = {1, 1, 1},
                                  .block = {1, 1, 1},
                                  .threads = {1, 1, 1},
                                  .height = height,
                                  .loops = height,
                                  .cpu = gz2_whole(state, 0, 1)};
    *tiling = (gzi_gz2_tiling){.dim = stencil->dimensions, .height = height};
    set_edges(stencil, tiling);
    for (int i = 0; i <= last; i++) {
        config->size[i] = gz2_whole(state, 1, 200);
        config->block[i] = 2 * stencil->radius[i] * height + gz2_whole(state, 1, 60);
        tiling->grid[i] = config->size[i];
        tiling->block[i] = config->block[i];
        tiling->radius[i] = stencil->radius[i];
    }
    if (last == 2)
        config->threads[1] = gz2_whole(state, 1, 4);
    set_columns(state, config, tiling);
    *piece = config->block[last] - 2L * stencil->radius[last] * height;
}

/* Cells, tiles, local memory and barriers of streamed tiles. */
static void streams(unsigned long long *state, const struct gzk_stencil *built_in)
{
    int wrong = 0, made = 0, cpus = 0, columns = 0, star = gzk_reads_own_column(built_in);
    for (int k = 0; k < CASES; k++) {
        const struct gzk_stencil varied = vary(state, built_in), *stencil = &varied;
        static gzi_levels stream;
        struct gzk_config config;
        struct gzk_geometry geometry;
        struct gzk_error error;
        gzi_gz2_tiling tiling;
        gzi_geometry g;
        long piece;
        random_stream(state, stencil, &config, &tiling, &piece);
        int bytes = (int)gzk_type_bytes(stencil->type), align = config.cpu ? 64 / bytes : 1;
        if (gzk_geometry_make(&config, &geometry, &error) ||
            gzi_stream_make(&tiling, piece, align, &g, &stream))
            continue;
        made++;
        cpus += config.cpu;
        columns += config.columns;
        struct gzk_counts counts = gzk_count(&config);
        int last = stencil->dimensions - 1;
        double across = g.tiles / (double)g.axis[last].tiles, barriers = 0;
        for (int c = 0; c < g.axis[last].classes; c++)
            barriers += across * (double)g.axis[last].of[c].tiles *
                        (config.columns ? stream.steps[c] : stream.walked[c] + stream.planes[c]);
        double elements =
            gzi_stream_elements(&tiling, align, stencil->coefficient_arrays, config.threads[1]);
        wrong += counts.loaded != gzk_stencil_arrays(stencil) * g.loaded ||
                 counts.operations != g.computed || counts.committed != g.committed ||
                 geometry.tile_count != (int)g.tiles ||
                 fabs(barriers / gzk_stream_barriers(&config) - 1) > 1e-12 ||
                 elements * bytes != (double)geometry.local_bytes;
    }
    tap_ok(made == CASES && cpus > 0 && wrong == 0 && (columns > CASES / 5) == star,
           "%s, streamed, %d with columns in registers: %d of %d configurations differ",
           built_in->name, columns, wrong, made);
}

static gz_quantity counted(double value)
{
    return (gz_quantity){value, 0, GZ_ORIGIN_COUNTED};
}

/* A stencil's application as its description has it, on a GPU with room for everything, in the
 * second model. */
static void model_of(const struct gzk_stencil *stencil, gz_device *dev, gz_app *app, gzi_gz2 *model)
{
    *dev = (gz_device){.warp_size = counted(32), .sm_count = counted(1)};
    dev->max_blocks_per_sm = counted(32);
    *app = (gz_app){.dim = 0};
    gzk_stencil_describe(stencil, app);
    gzi_gz2_of_files(dev, app, model);
}

/* A random tile on a GPU: its threads, where its columns lie, and the room that they take, as the
 * kernels have them and as the library has them. */
static void layouts(unsigned long long *state, const struct gzk_stencil *stencil)
{
    enum { MOST_THREADS = 1024, REGISTERS = 65536 };
    int wrong = 0, columns = 0, dim = stencil->dimensions, star = gzk_reads_own_column(stencil);
    for (int k = 0; k < CASES; k++) {
        gz_device dev;
        gz_app app;
        gzi_gz2 model;
        struct gzk_config config;
        gzi_gz2_tiling tiling;
        long piece;
        model_of(stencil, &dev, &app, &model);
        random_stream(state, stencil, &config, &tiling, &piece);
        config.cpu = config.columns = false;
        config.height = gz2_whole(state, 1, dim == 2 ? 60 : 5);
        for (int i = 0; i < dim; i++)
            config.block[i] =
                2 * stencil->radius[i] * config.height + gz2_whole(state, 1, dim == 2 ? 3000 : 90);
        gzk_default_threads(&config, MOST_THREADS, false);
        bool theirs = gzk_stream_takes_columns(&config, false);

        gz_config cfg = {.variant = GZ_VARIANT_STREAM};
        gzi_gz2_config own = {.height = config.height, .variant = GZI_GZ2_STREAM};
        for (int i = 0; i < 3; i++) {
            cfg.block_len[i] = own.block[i] = config.block[i];
            own.grid[i] = config.size[i];
            own.threads[i] = config.threads[i];
        }
        gzi_set_threads(&dev, &app, MOST_THREADS, config.height, &cfg);
        for (int i = 0; i < dim; i++)
            wrong += cfg.threads[i] != config.threads[i];
        gzi_columns mine = gzi_columns_of(&dev, &app, &cfg, config.height);
        model.device.registers = REGISTERS;
        double threads = 32 * ceil((double)config.threads[0] * config.threads[1] / 32);
        wrong += gzi_takes_columns(&mine) != theirs || gzi_gz2_columns(&model, &own) != theirs ||
                 config.columns != theirs;
        config.columns = theirs;
        wrong += gzi_gz2_local_bytes(&model, &own) != gzk_stream_local_bytes(&config);
        double needed = theirs ? gzk_stream_registers(&config) : gzk_ring_registers(&config);
        wrong += needed != (theirs ? gzi_column_registers(&mine) : gzi_ring_registers(&mine)) ||
                 gzi_gz2_resident(&model, &own) !=
                     fmin(32, floor(REGISTERS / (threads * 8 * ceil(needed / 8))));
        columns += theirs;
        /* The height that is named where the tile does not fit. */
        model.device.registers = 0;
        model.device.local_group =
            floor((double)gzk_stream_local_bytes(&config) * gz2_uniform(state, 0.2, 1));
        wrong += gzi_gz2_lower_height(&model, &own) !=
                 gzk_stream_max_height(&config, (size_t)model.device.local_group, false);
    }
    tap_ok(wrong == 0 && (columns > 0) == star && columns < CASES,
           "%s on a GPU: %d of %d tiles with columns in registers, threads, layout, room and the "
           "height that fits as the kernels have them",
           stencil->name, columns, (int)CASES);
}

/* Bytes of local memory that the second model counts in a stage on one multiprocessor. */
static double local_traffic(gzi_gz2 *model, const gzi_gz2_config *config)
{
    gzi_gz2_prediction p;
    memset(model->value, 0, sizeof model->value);
    model->value[GZI_GZ2_SHARED] = model->value[GZI_GZ2_NORM] = 1;
    return gzi_gz2_predict(model, config, &p) == GZI_GZ2_OK ? p.seconds * config->height
                                                            : (double)NAN;
}

/* What a tile reads of local memory is what the body's text has it read, for each cell computed:
 * the rest is copying in and out and a store for each cell. */
static void traffic(unsigned long long *state, const struct gzk_stencil *stencil)
{
    int wrong = 0, height = gz2_whole(state, 1, 4);
    struct gzk_config config = {.stencil = stencil,
                                .variant = GZK_TRAPEZOID,
                                .size = {1, 1, 1},
                                .block = {1, 1, 1},
                                .threads = {1, 1, 1},
                                .height = height,
                                .loops = height};
    gzi_gz2_config own = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .threads = {1, 1, 1}, .height = height};
    gz_device dev;
    gz_app app;
    gzi_gz2 model;
    model_of(stencil, &dev, &app, &model);
    for (int i = 0; i < stencil->dimensions; i++) {
        own.grid[i] = config.size[i] = gz2_whole(state, 1, 100);
        own.block[i] = config.block[i] = 2 * stencil->radius[i] * height + gz2_whole(state, 1, 20);
    }
    struct gzk_counts counts = gzk_count(&config);
    double bytes = (double)gzk_type_bytes(stencil->type);
    double rest = counts.loaded + counts.committed + counts.operations;
    double reads = local_traffic(&model, &own) / bytes - rest;
    struct gzk_reads found;
    wrong += !gzk_count_reads(stencil, &found) ||
             !(fabs(reads / ((found.state + found.arrays) * counts.operations) - 1) < 1e-9);
    tap_ok(!wrong, "%s: %.6g elements read from tiles are %.6g for each cell computed",
           stencil->name, reads, reads / counts.operations);
}

/* Blocks without local memory. */
static void naive(unsigned long long *state)
{
    int wrong = 0;
    for (int k = 0; k < CASES; k++) {
        const struct gzk_stencil varied =
            vary(state, gzk_stencils[gz2_whole(state, 0, (int)gzk_stencil_count - 1)]);
        const struct gzk_stencil *stencil = &varied;
        struct gzk_config config = {.stencil = stencil,
                                    .variant = GZK_NAIVE,
                                    .size = {1, 1, 1},
                                    .block = {1, 1, 1},
                                    .threads = {1, 1, 1},
                                    .height = 1,
                                    .loops = 1};
        gzi_gz2_tiling tiling = {.dim = stencil->dimensions, .height = 1};
        struct gzk_geometry geometry;
        struct gzk_error error;
        gzi_geometry g;
        set_edges(stencil, &tiling);
        for (int i = 0; i < stencil->dimensions; i++) {
            tiling.grid[i] = config.size[i] = gz2_whole(state, 1, 200);
            tiling.block[i] = config.block[i] = gz2_whole(state, 1, 60);
            tiling.radius[i] = stencil->radius[i];
        }
        double cells = (double)config.size[0] * config.size[1] * config.size[2];
        wrong += gzk_geometry_make(&config, &geometry, &error) || gzi_naive_make(&tiling, &g) ||
                 geometry.tile_count != (int)g.tiles || g.committed != cells || g.computed != cells;
    }
    tap_ok(wrong == 0, "without local memory: %d of %d configurations differ", wrong, (int)CASES);
}

static int streamable(void)
{
    int n = 0;
    for (size_t s = 0; s < gzk_stencil_count; s++)
        n += gzk_stencils[s]->dimensions > 1;
    return n;
}

/* An application with the edges of a stencil gives the second model the tiling's edges. */
static void described(unsigned long long *state)
{
    int wrong = 0, mixed = 0;
    gz_device dev = {0};
    for (int k = 0; k < CASES; k++) {
        const struct gzk_stencil stencil = vary(state, gzk_stencil_find("star7"));
        gz_app app = {0};
        gzi_gz2 model;
        gzk_stencil_describe(&stencil, &app);
        gzi_gz2_of_files(&dev, &app, &model);
        for (int i = 0; i < 3; i++)
            wrong += model.stencil.edge[i] != edge_of(&stencil, i);
        mixed += gz_quantity_stated(&app.edge_rule_1);
    }
    tap_ok(mixed > 0 && wrong == 0,
           "the edges of a stencil reach the model through its application");
}

int main(void)
{
    unsigned long long state = gz2_seed(65);

    tap_plan(2 * (int)gzk_stencil_count + 2 * streamable() + 4);
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        int wrong = 0, made = 0;
        for (int k = 0; k < CASES; k++) {
            const struct gzk_stencil varied = vary(&state, gzk_stencils[s]), *stencil = &varied;
            struct gzk_config config = {.stencil = stencil,
                                        .variant = GZK_TRAPEZOID,
                                        .size = {1, 1, 1},
                                        .block = {1, 1, 1},
                                        .threads = {1, 1, 1},
                                        .height = gz2_whole(&state, 1, 8),
                                        .loops = 1};
            gzi_gz2_tiling tiling = {.dim = stencil->dimensions, .height = config.height};
            struct gzk_geometry geometry;
            struct gzk_error error;
            gzi_geometry g;
            set_edges(stencil, &tiling);
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
        tap_ok(made == CASES && wrong == 0, "%s: %d of %d configurations differ",
               gzk_stencils[s]->name, wrong, made);
    }
    for (size_t s = 0; s < gzk_stencil_count; s++)
        if (gzk_stencils[s]->dimensions > 1) {
            streams(&state, gzk_stencils[s]);
            layouts(&state, gzk_stencils[s]);
        }
    for (size_t s = 0; s < gzk_stencil_count; s++)
        traffic(&state, gzk_stencils[s]);
    naive(&state);
    int rules = 1, stars = 1;
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        gz_app app;
        rules &= gz_app_open(gzk_stencils[s]->name, NULL, &app, NULL) == GZ_OK &&
                 app.edge_rule.value == (double)edge_of(gzk_stencils[s], 0) &&
                 !gz_quantity_stated(&app.edge_rule_1) && !gz_quantity_stated(&app.edge_rule_2);
        stars &= app.own_column.value == gzk_reads_own_column(gzk_stencils[s]) &&
                 app.coefficients.value == gzk_stencils[s]->coefficients;
    }
    tap_ok(stars, "and which of them are stars, and their coefficients");
    tap_ok(rules, "the built-in applications state the kernels' edges");
    described(&state);
    return tap_done();
}
