/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 380-modelled - what a configuration of the kernels is to the models: for every stencil with
 * random edges, grids, blocks and heights, on CPUs and GPUs, its tile is the one that the library
 * makes of the stencil's application and the model's configuration, threads and layout included;
 * and a candidate comes back with the block, piece and threads that it has.
 */
#include "data.h"
#include "defaults.h"
#include "modelled.h"
#include "registry.h"
#include "tap.h"
#include "tiles.h"

enum { CASES = 300 };

static uint64_t seed = 65, drawn;

static int draw(int least, int most)
{
    double u = gzk_random_double(seed, drawn++);
    return least + (int)(u * (most - least + 1));
}

/* The stencil, half of the times with an edge rule of its own in each dimension. */
static struct gzk_stencil vary(const struct gzk_stencil *stencil)
{
    struct gzk_stencil varied = *stencil;
    int mixed = draw(0, 1);
    for (int i = 0; i < 3 && mixed; i++)
        varied.edge[i] = (gz_edge)draw(GZ_EDGE_CLAMP, GZ_EDGE_PERIODIC);
    return varied;
}

static gz_quantity stated(double value)
{
    return (gz_quantity){value, 0, GZ_ORIGIN_QUERY};
}

static struct gzk_device random_device(gz_device *model)
{
    static const struct gzk_backend backend = {.name = "test"};
    struct gzk_device device = {.backend = &backend};
    device.info.is_cpu = draw(0, 1) == 0;
    device.info.units = draw(1, 100);
    device.info.max_threads = device.info.is_cpu ? 4096 : 1024;
    device.info.local_bytes = (size_t)1 << 40;
    device.info.cache_bytes = (size_t)draw(0, 1 << 26);
    *model = (gz_device){.warp_size = stated(device.info.is_cpu ? 1 : 32)};
    return device;
}

static struct gzk_config random_config(const struct gzk_stencil *stencil)
{
    static const gz_variant variants[] = {GZK_TRAPEZOID, GZK_STREAM, GZK_NAIVE};
    struct gzk_config config = {.stencil = stencil,
                                .variant = variants[draw(stencil->dim > 1 ? 0 : 1, 2)],
                                .size = {1, 1, 1},
                                .block = {1, 1, 1},
                                .threads = {1, 1, 1},
                                .loops = draw(1, 100)};
    if (stencil->dim == 1 && config.variant == GZK_STREAM)
        config.variant = GZK_TRAPEZOID;
    config.height = config.variant == GZK_NAIVE ? 1 : draw(1, 12);
    for (int i = 0; i < stencil->dim; i++) {
        config.size[i] = draw(1, 200);
        config.block[i] =
            draw(1, 90) + (config.height > 1 ? 2 * stencil->radius[i] * config.height : 4);
    }
    return config;
}

/* What is the same to the kernels and to the models. KEEP is to models what ZERO is. */
static int is_same(const gzi_tile *a, const gzi_tile *b, gz_variant variant)
{
    int last = a->dim - 1,
        same = a->dim == b->dim && a->height == b->height && a->bytes == b->bytes;
    same = same && a->coefficient_arrays == b->coefficient_arrays &&
           a->coefficients == b->coefficients;
    for (int i = 0; i < a->dim; i++)
        same = same && a->size[i] == b->size[i] && a->radius[i] == b->radius[i] &&
               (a->edge[i] == b->edge[i] || variant == GZK_NAIVE) &&
               a->threads[i] == b->threads[i] &&
               ((variant == GZK_STREAM && i == last) || a->block[i] == b->block[i]);
    if (variant == GZK_TRAPEZOID)
        same = same && a->states == b->states;
    if (variant == GZK_STREAM)
        same = same && a->piece == b->piece && a->cpu == b->cpu &&
               a->columns == gzi_takes_columns(b) &&
               gzi_stream.local_elements(a) == gzi_stream.local_elements(b);
    return same;
}

static void compare(const struct gzk_stencil *built_in)
{
    int wrong = 0, back = 0, columns = 0, streams = 0;
    for (int k = 0; k < CASES; k++) {
        const struct gzk_stencil stencil = vary(built_in);
        gz_device model;
        gz_app app = {.dim = 0};
        gz_config cfg;
        struct gzk_device device = random_device(&model);
        struct gzk_config config = random_config(&stencil), again;
        gzk_default_threads(&config, device.info.max_threads, device.info.is_cpu);
        gzk_default_layout(&config, &device.info);
        gzk_stencil_describe(&stencil, &app);
        if (!gzk_to_model(&config, GZ_MODEL_GZ2, &cfg)) {
            wrong++;
            continue;
        }
        gzi_tile theirs = gzk_tile_of(&config);
        gzi_tile mine = gzi_tile_of(&model, &app, &cfg, config.height);
        wrong += !is_same(&theirs, &mine, config.variant);
        columns += config.columns;
        streams += config.variant == GZK_STREAM && !device.info.is_cpu;

        /* What the library would choose for this block is what the kernels do. */
        gz_config chosen = cfg;
        gzi_set_threads(&model, &app, device.info.max_threads, config.height, &chosen);
        for (int i = 0; i < app.dim; i++)
            wrong += chosen.threads[i] != config.threads[i];

        gz_candidate candidate = {.way = gzi_way_of(&model, &app, &cfg, config.height)};
        for (int i = 0; i < app.dim; i++)
            if (!device.info.is_cpu && i < app.dim - 1) /* in another way than the default one */
                candidate.way.threads[i] = (candidate.way.threads[i] + 1) / 2;
        again = config;
        again.variant = GZK_CELL;
        memset(again.block, 0, sizeof again.block);
        memset(again.threads, 0, sizeof again.threads);
        for (int i = app.dim; i < 3; i++)
            again.block[i] = again.threads[i] = 1;
        back += !gzk_from_model(&candidate, &device, &again) || again.variant != config.variant ||
                again.height != config.height || again.cpu != config.cpu ||
                again.bypass != config.bypass ||
                memcmp(again.block, config.block, sizeof again.block) != 0;
        for (int i = 0; i < app.dim; i++)
            back += again.threads[i] != candidate.way.threads[i];
    }
    /* Of radius 2, hardly any tile with coefficient arrays has registers for its columns. */
    int axis = built_in->dim - 1;
    bool few = built_in->radius[axis] > 1 && built_in->coefficient_arrays > 0;
    bool own = built_in->reads.own_column;
    tap_ok(wrong == 0 && (few ? own || columns == 0 : (columns > 0) == own) && columns <= streams,
           "%s: %d of %d tiles differ, %d with columns in registers", built_in->name, wrong,
           (int)CASES, columns);
    tap_ok(back == 0, "%s: %d candidates come back as others", built_in->name, back);
}

int main(void)
{
    int rules = 1;
    for (size_t s = 0; s < gzk_stencil_count; s++)
        compare(gzk_stencils[s]);
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        const struct gzk_stencil *stencil = gzk_stencils[s];
        gz_app app, described = {.dim = 0};
        gzk_stencil_describe(stencil, &described);
        rules = rules && gz_app_open(stencil->name, NULL, &app, NULL) == GZ_OK &&
                app.edge_rule.value == described.edge_rule.value &&
                !gz_quantity_stated(&app.edge_rule_1) && !gz_quantity_stated(&app.edge_rule_2) &&
                app.own_column.value == stencil->reads.own_column &&
                app.coefficients.value == stencil->coefficients;
    }
    tap_ok(rules, "built-in applications state edges, stars and coefficients of their stencils");
    return tap_done();
}
