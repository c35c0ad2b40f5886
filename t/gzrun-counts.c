/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzrun-counts APP|FILE.so SIZE BLOCK HEIGHT LOOPS [VARIANT [cpu|columns]] - what one run should
 * load and store, for 340-oclgrind.t: a line "accesses LOADS STORES", for a stencil in double also
 * "flops N", and as a comment how that compares with the model's fractional tiles.
 */
#include "data.h"
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

int main(int argc, char **argv)
{
    struct gzk_config config = {0};
    struct gzk_error error;
    double t = 1, stages;

    if (argc < 6 || argc > 8)
        return 2;
    config.stencil = gzk_stencil_find(argv[1]);
    if (!config.stencil && gzk_stencil_load(argv[1], &config.stencil, &error) != 0)
        return 2;
    for (int k = 0; argc > 6 && k < gzk_variant_count; k++)
        if (strcmp(argv[6], gzk_variants[k].name) == 0)
            config.variant = (enum gzk_variant)k;
    config.columns = argc > 7 && strcmp(argv[7], "columns") == 0;
    config.cpu = argc > 7 && !config.columns;
    memcpy(config.threads, (int[]){1, 1, 1}, sizeof config.threads);
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
    /* In double, in which all operations are flops. */
    if (config.stencil->type == GZK_DOUBLE)
        printf("flops %.0f\n", counts.operations * config.stencil->operations /
                                   (config.stencil->red_black ? 2 : 1));
    printf("# counted/model: loaded %.0f/%.0f, per-step %.0f/%.0f, operations %.0f/%.0f, committed "
           "%.0f/%.0f, redundant work %.2f\n",
           counts.loaded, stages * gzk_stencil_arrays(config.stencil) * t * tile(&config, 0),
           counts.step, (double)config.loops * config.stencil->step_arrays * t * tile(&config, 1),
           counts.operations, (double)config.loops * t * tile(&config, 1), counts.committed,
           stages * t * tile(&config, config.height),
           counts.operations / (counts.committed / stages * (double)config.loops));
    return 0;
}
