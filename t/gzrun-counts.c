/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzrun-counts APP|FILE.so SIZE BLOCK HEIGHT LOOPS [VARIANT [cpu|columns [THREADS]]] - what one run
 * should load and store, for 340-oclgrind.t: a line "accesses LOADS STORES", for a stencil in
 * double also "flops N", and as a comment how that compares with the model's fractional tiles; with
 * columns in registers, of a built-in star and whole stages, "local ACCESSES BARRIERS", which the
 * second model counts: the groups' accesses to local memory, and barriers, each as often as its
 * threads.
 */
#include "data.h"
#include "gz2_contract.h"
#include "registry.h"
#include "tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void extents(const char *text, int values[3])
{
    values[0] = values[1] = values[2] = 1;
    sscanf(text, "%dx%dx%d", &values[0], &values[1], &values[2]);
}

/* The product over the dimensions of the starting tile less `loops` halo widths. */
static double tile(const struct gzk_config *config, int loops)
{
    int outside = gzk_variants[config->variant].ghost_in_block ? 0 : 1;
    double cells = 1;
    for (int i = 0; i < 3; i++)
        cells *= config->block[i] - 2 * config->stencil->radius[i] * (loops - outside);
    return cells;
}

/* Seconds of a stage by gz2 on one multiprocessor with one group at a time, where
 * `parameter` is a second and nothing else takes time: how often that is counted. */
static double counted(gzi_gz2 *model, const gzi_gz2_config *config, gzi_gz2_parameter parameter)
{
    gzi_gz2_prediction p;
    memset(model->value, 0, sizeof model->value);
    model->value[parameter] = 1;
    return gzi_gz2_predict(model, config, &p) == GZI_GZ2_OK ? p.seconds * config->height : -1;
}

static void print_local(const struct gzk_config *config)
{
    gz_device dev = {.warp_size = {32, 0, GZ_ORIGIN_QUERY}, .sm_count = {1, 0, GZ_ORIGIN_QUERY}};
    gz_app app = {.dim = 0};
    gzi_gz2 model;
    gzi_gz2_config own = {
        .height = config->height, .loops = config->height, .variant = GZ_VARIANT_STREAM};
    int last = config->stencil->dim - 1;
    double stages = (double)(config->loops / config->height), threads = 1, tiles = 1;

    gzk_stencil_describe(config->stencil, &app);
    gzi_gz2_of_files(&dev, &app, &model);
    model.device.blocks = 1;
    for (int i = 0; i < 3; i++) {
        int inside = config->block[i] - 2 * config->stencil->radius[i] * config->height;
        own.grid[i] = config->size[i];
        own.block[i] = config->block[i];
        own.threads[i] = config->threads[i];
        threads *= config->threads[i];
        tiles *= (config->size[i] - 1) / inside + 1;
        if (i == last)
            own.piece = inside;
    }
    /* The load and store unit serves device memory's requests, too; each group begins with one
     * barrier more. */
    printf("local %.0f %.0f\n",
           stages *
               (counted(&model, &own, GZI_GZ2_SHARED_BANDWIDTH) -
                counted(&model, &own, GZI_GZ2_CACHE_BANDWIDTH)) /
               model.stencil.bytes,
           stages * threads * (counted(&model, &own, GZI_GZ2_BARRIER_LATENCY) + tiles));
}

int main(int argc, char **argv)
{
    struct gzk_config config = {0};
    struct gzk_error error;
    double t = 1, stages;

    if (argc < 6 || argc > 9)
        return 2;
    config.stencil = gzk_stencil_find(argv[1]);
    int built_in = config.stencil != NULL;
    if (!config.stencil && gzk_stencil_load(argv[1], &config.stencil, &error) != 0)
        return 2;
    for (int k = 0; argc > 6 && k < gzk_variant_count; k++)
        if (strcmp(argv[6], gzk_variants[k].name) == 0)
            config.variant = (gz_variant)k;
    config.columns = argc > 7 && strcmp(argv[7], "columns") == 0;
    config.cpu = argc > 7 && !config.columns;
    memcpy(config.threads, (int[]){1, 1, 1}, sizeof config.threads);
    if (argc > 8)
        extents(argv[8], config.threads);
    extents(argv[2], config.size);
    extents(argv[3], config.block);
    config.height = atoi(argv[4]);
    config.loops = atol(argv[5]);

    struct gzk_counts counts = gzk_count(&config);
    stages = (double)((config.loops - 1) / config.height + 1);
    for (int i = 0; i < 3; i++)
        t *= config.size[i];
    t /= tile(&config, config.height);
    printf("accesses %.0f %.0f\n", counts.loaded + counts.step, counts.committed);
    if (config.columns && argc > 8 && built_in && config.loops % config.height == 0)
        print_local(&config);
    /* In double, in which all operations are flops; of several fields, what two have in common may
     * be computed for each. */
    if (gzi_fields(&config.stencil->shape) == 1 && config.stencil->type == GZK_DOUBLE)
        printf("flops %.0f\n", counts.operations * config.stencil->operations /
                                   (config.stencil->red_black ? 2 : 1));
    printf("# counted/model: loaded %.0f/%.0f, per-step %.0f/%.0f, operations %.0f/%.0f, committed "
           "%.0f/%.0f, redundant work %.2f\n",
           counts.loaded, stages * gzi_loaded(&config.stencil->shape) * t * tile(&config, 0),
           counts.step, (double)config.loops * config.stencil->step_arrays * t * tile(&config, 1),
           counts.operations, (double)config.loops * t * tile(&config, 1), counts.committed,
           stages * t * tile(&config, config.height),
           counts.operations / (counts.committed / stages * (double)config.loops));
    return 0;
}
