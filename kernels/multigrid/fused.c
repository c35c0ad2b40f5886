/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fused.h"

#include "data.h"
#include "embedded.h"
#include "kernel_text.h"
#include "multigrid_texts.h"
#include "operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Levels of a launch that are no loops. */
static int levels_behind(enum gzm_behind behind)
{
    return behind != GZM_NOTHING_BEHIND;
}

/* Local memory besides the tile: rows of fused_stage.knl, each at most the block's and two lines of
 * the cache. */
static size_t bytes_of(const struct gzm_fused *fused)
{
    enum { LINES = 32 };
    double row = (double)(fused->config.block[0] + LINES) * fused->smoother.bytes;
    return fused->geometry.local_bytes + 2 * gzk_local_array(row);
}

/* A tile of a level more that commits as much, evenly; smaller across the stream until it fits. */
static bool make_tile(const struct gzk_device *device, struct gzm_fused *fused)
{
    enum { LEAST = 8 };
    struct gzk_config *config = &fused->config;
    struct gzk_error error;
    int more = levels_behind(fused->behind);

    config->height += more;
    for (int i = 0; i < 3; i++) {
        int ghost = 2 * fused->smoother.radius[i];
        config->block[i] += ghost * more;
        config->block[i] += (config->block[i] - ghost * config->height) % 2;
    }
    while (gzk_geometry_make(config, &fused->geometry, &error) == 0) {
        if (bytes_of(fused) <= device->info.local_bytes)
            return true;
        if (fused->geometry.committed[1] <= LEAST)
            return false;
        config->block[1] -= 2;
    }
    return false;
}

/* What a backend compiles for it. The text is to be freed; NULL if memory is short. */
static struct gzk_program_spec spec_of(const struct gzm_fused *fused,
                                       const struct gzk_stencil *residual, bool corrects,
                                       const char *prelude)
{
    char defines[200];
    snprintf(defines, sizeof defines,
             "#define GZM_CORRECTS %d\n#define GZM_FUSED_RESIDUAL %d\n"
             "#define GZM_FUSED_RESTRICT %d\n#define gz_update gz_update_behind\n",
             corrects, levels_behind(fused->behind), fused->behind == GZM_RESTRICT_BEHIND);
    const struct gzk_part parts[] = {
        {"operators.h", gzm_operators_h}, {"fused", defines},
        {"residual", residual->body},     {"smoother", "#undef gz_update\n"},
        {"coarse.knl", gzm_coarse_knl},   {"fused.knl", gzm_fused_knl},
        {"stream.knl", gzk_stream_knl},   {"fused_stage.knl", gzm_fused_stage_knl}};
    return (struct gzk_program_spec){
        .text = gzk_kernel_text_of(&fused->config, prelude, parts, sizeof parts / sizeof *parts),
        .name = "gz_fused_stage",
        .threads = 1,
        .local_bytes = bytes_of(fused)};
}

int gzm_fused_new(struct gzk_device *device, const struct gzk_config *config,
                  const struct gzk_stencil *residual, bool corrects, enum gzm_behind behind,
                  struct gzm_fused *fused, struct gzk_error *error)
{
    const int *threads = config->threads;
    const gzi_tile tile = gzk_tile_of(config);

    *fused = (struct gzm_fused){.smoother = *config->stencil, .config = *config, .behind = behind};
    if (config->variant != GZK_STREAM || !config->cpu || config->columns ||
        threads[0] * threads[1] * threads[2] != 1 || !gzi_stream_layout(&tile).compact)
        return 0;
    fused->smoother.coefficients = residual->coefficients;
    fused->config.stencil = &fused->smoother;
    if (!make_tile(device, fused))
        return 0;
    const struct gzk_program_spec spec =
        spec_of(fused, residual, corrects, device->backend->prelude);
    int status = spec.text ? device->backend->program_new(device, &spec, &fused->program, error)
                           : gzk_fail(error, GZK_FAILED, "out of host memory");
    free((char *)spec.text);
    return status;
}

void gzm_fused_free(struct gzk_device *device, struct gzm_fused *fused)
{
    if (device && fused->program)
        device->backend->program_free(device, fused->program);
    fused->program = NULL;
}

size_t gzm_fused_maxima(const struct gzm_fused *fused)
{
    return (size_t)fused->geometry.tile_count;
}

int gzm_fused_run(struct gzk_device *device, const struct gzm_fused *fused,
                  struct gzk_session *session, long loop, int loops, struct gzk_buffer *first,
                  struct gzk_buffer *second, const volatile sig_atomic_t *stop,
                  struct gzk_error *error)
{
    const struct gzk_geometry *geometry = &fused->geometry;
    struct gzk_launch launch = {.groups = geometry->tiles[0],
                                .groups_y = geometry->tiles[1],
                                .groups_z = geometry->tiles[2]};
    double seconds;

    if (geometry->flat)
        launch = (struct gzk_launch){.groups = geometry->tile_count};
    gzk_session_arguments(session, &launch);
    const struct gzk_arg more[] = {gzk_arg_long(loop),
                                   gzk_arg_int(loops + levels_behind(fused->behind)),
                                   gzk_arg_buffer(first), gzk_arg_buffer(second)};
    memcpy(launch.args + launch.count, more, sizeof more);
    launch.count += (int)(sizeof more / sizeof *more);
    int status = device->backend->run(device, fused->program, &launch, 1, GZ_SYNC_RESTART, stop,
                                      &seconds, error);
    gzk_session_turn(session);
    return status;
}
