/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "embedded.h"
#include "kernel_text.h"
#include "multigrid_texts.h"
#include "numbers.h"
#include "operators.h"

#include <stdio.h>

/* Levels of a launch that are no loops. */
static int levels_behind(enum gzm_behind behind)
{
    return behind != GZM_NOTHING_BEHIND;
}

/* Local memory besides the tile: rows of fused_stage.knl, each at most the block's and two lines of
 * the cache. */
static size_t bytes_of(const struct gzk_config *config, const struct gzk_geometry *geometry)
{
    enum { LINES = 32 };
    double row = (double)(config->block[0] + LINES) * config->stencil->bytes;
    return geometry->local_bytes + 2 * gzk_local_array(row);
}

/* A tile with `more` levels that commits as much, evenly; smaller across the stream until it fits.
 */
static bool make_tile(const struct gzk_device *device, int more, struct gzk_config *config,
                      struct gzk_geometry *geometry)
{
    enum { LEAST = 8 };
    struct gzk_error error;

    config->height += more;
    for (int i = 0; i < 3; i++) {
        int ghost = 2 * config->stencil->radius[i];
        config->block[i] += ghost * more;
        config->block[i] += (config->block[i] - ghost * config->height) % 2;
    }
    while (gzk_geometry_make(config, geometry, &error) == 0) {
        if (bytes_of(config, geometry) <= device->info.local_bytes)
            return true;
        if (geometry->committed[1] <= LEAST)
            return false;
        config->block[1] -= 2;
    }
    return false;
}

/* What a backend compiles for it. The text is to be freed; NULL if memory is short. */
static struct gzk_program_spec spec_of(const struct gzm *mg, const struct gzk_config *config,
                                       bool corrects, const struct gzm_fused *fused)
{
    char defines[200];
    snprintf(defines, sizeof defines,
             "#define GZM_CORRECTS %d\n#define GZM_FUSED_RESIDUAL %d\n"
             "#define GZM_FUSED_RESTRICT %d\n#define gz_update gz_update_behind\n",
             corrects, levels_behind(fused->behind), fused->behind == GZM_RESTRICT_BEHIND);
    const struct gzk_part parts[] = {
        {"operators.h", gzm_operators_h}, {"fused", defines},
        {"residual", mg->residual.body},  {"smoother", "#undef gz_update\n"},
        {"coarse.knl", gzm_coarse_knl},   {"fused.knl", gzm_fused_knl},
        {"stream.knl", gzk_stream_knl},   {"fused_stage.knl", gzm_fused_stage_knl}};
    return (struct gzk_program_spec){.text =
                                         gzk_kernel_text_of(config, mg->device->backend->prelude,
                                                            parts, sizeof parts / sizeof *parts),
                                     .name = "gz_fused_stage",
                                     .threads = 1,
                                     .local_bytes = bytes_of(config, &fused->geometry)};
}

void gzm_fused_make(struct gzm *mg, const struct gzm_level *level, bool corrects,
                    enum gzm_behind behind, struct gzm_fused *fused)
{
    struct gzk_stencil smoother = *level->config.stencil;
    struct gzk_config config = level->config;
    const int *threads = config.threads;
    const gzi_tile tile = gzk_tile_of(&config);

    *fused = (struct gzm_fused){.behind = behind};
    if (mg->status != 0 || config.variant != GZK_STREAM || !config.cpu || config.columns ||
        threads[0] * threads[1] * threads[2] != 1 || !gzi_stream_layout(&tile).compact)
        return;
    smoother.coefficients = mg->residual.coefficients; /* all of a level's */
    config.stencil = &smoother;
    if (make_tile(mg->device, levels_behind(behind), &config, &fused->geometry))
        mg->status = gzk_device_build(mg->device, spec_of(mg, &config, corrects, fused),
                                      &fused->program, mg->error);
}

void gzm_smooth_fused(struct gzm *mg, struct gzm_level *level, const struct gzm_fused *fused,
                      long loop, long loops)
{
    const struct gzk_arrays coarse = gzk_session_arrays((level + 1)->session);
    bool down = fused->behind == GZM_RESTRICT_BEHIND;
    double begin = cli_now();
    struct gzk_launch launch = gzk_launch_of(&fused->geometry);

    gzk_session_arguments(level->session, &launch);
    launch.args[launch.count++] = gzk_arg_long(loop);
    launch.args[launch.count++] = gzk_arg_int((int)loops + levels_behind(fused->behind));
    launch.args[launch.count++] = gzk_arg_buffer(down ? coarse.aux : coarse.state);
    launch.args[launch.count++] = gzk_arg_buffer(down ? coarse.state : mg->maxima);
    gzm_run(mg, level, fused->program, &launch);
    gzk_session_turn(level->session);
    mg->maxima_there = fused->behind == GZM_NORM_BEHIND ? (size_t)fused->geometry.tile_count : 0;
    level->spent.seconds[GZM_SMOOTH] += cli_now() - begin;
}
