/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "depth.h"

#include "data.h"
#include "defaults.h"
#include "modelled.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

/* What the model makes of heights from `least` to `most`, into ideas->found: the fastest ways, or
 * what is worth measuring. */
static void ask(const struct gzk_device *device, const struct gzm_way *way, int least, int most,
                const struct gzk_config *config, bool to_measure, size_t room,
                struct gzm_ideas *ideas)
{
    const struct gzk_stencil *stencil = config->stencil;
    gz_tune_request request = {.syncs = 1U << GZ_SYNC_RESTART,
                               .loops = (double)config->loops,
                               .limits = {.shared_bytes = (double)device->info.local_bytes,
                                          .arrays_held = gzk_arrays_held(stencil),
                                          .height_min = least,
                                          .height_max = most}};
    gz_status status = GZ_ENOMEM;

    if (way->has_variant)
        request.variants = gzk_model_variant(way->variant);
    for (int i = 0; i < 3; i++)
        request.data_length[i] = config->size[i];
    gzk_describe_uncounted(stencil, stencil->operations, &ideas->app);
    if (ideas->found && gzk_generic_device(&device->info, device->info.is_cpu, &ideas->device))
        status = to_measure ? gz_ideas(&ideas->device, &ideas->app, &request, ideas->found, room,
                                       &ideas->count, NULL, NULL)
                            : gz_tune(&ideas->device, &ideas->app, &request, ideas->found, room,
                                      &ideas->count, NULL);
    if (status != GZ_OK)
        ideas->count = 0;
}

/* The best by the model at heights from `least` to `most` that the device can run; false if there
 * is none. */
static bool by_model(const struct gzk_device *device, const struct gzm_way *way, int least,
                     int most, struct gzk_config *config)
{
    enum { CANDIDATES = 64 };
    struct gzm_ideas ideas = {.found = calloc(CANDIDATES, sizeof *ideas.found)};
    bool done = false;

    ask(device, way, least, most, config, false, CANDIDATES, &ideas);
    for (size_t k = 0; k < ideas.count && !done; k++) {
        struct gzk_config tried = *config;
        done = gzk_from_model(&ideas.found[k], device, &tried);
        if (done)
            *config = tried;
    }
    gzm_ideas_free(&ideas);
    return done;
}

/* The given block, with the threads and the layout that go with it. */
static void take(const struct gzk_device *device, const struct gzm_way *way, int depth,
                 struct gzk_config *config)
{
    config->variant = way->has_variant ? way->variant : GZK_NAIVE;
    config->height = gzk_variants[config->variant].any_height ? depth : 1;
    if (way->block[0] > 0)
        memcpy(config->block, way->block, sizeof config->block);
    else
        gzk_default_tile(config, &device->info, 0);
    if (way->threads[0] > 0)
        memcpy(config->threads, way->threads, sizeof config->threads);
    else
        gzk_default_threads(config, device->info.max_threads, device->info.is_cpu);
    gzk_default_layout(config, &device->info);
}

int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error)
{
    int loops = (int)config->loops, depth = way->depth < loops ? way->depth : loops;
    struct gzk_geometry geometry;

    if (way->block[0] > 0 ||
        !by_model(device, way, depth > 0 ? depth : 1, depth > 0 ? depth : loops, config))
        take(device, way, depth > 0 ? depth : 1, config);
    return gzk_geometry_make(config, &geometry, error);
}

struct gzm_way gzm_way_of(const struct gzk_config *config)
{
    struct gzm_way way = {.depth = config->height, .has_variant = true, .variant = config->variant};
    memcpy(way.block, config->block, sizeof way.block);
    memcpy(way.threads, config->threads, sizeof way.threads);
    return way;
}

int gzm_ideas_new(const struct gzk_device *device, const struct gzm_way *way,
                  const struct gzk_config *config, size_t room, struct gzm_ideas *ideas,
                  struct gzk_error *error)
{
    int loops = (int)config->loops, depth = way->depth < loops ? way->depth : loops;
    size_t n = 0;

    *ideas = (struct gzm_ideas){.found = calloc(room, sizeof *ideas->found),
                                .config = calloc(room, sizeof *ideas->config)};
    if (!ideas->found || !ideas->config)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    ask(device, way, depth > 0 ? depth : 1, depth > 0 ? depth : loops, config, true, room, ideas);
    for (size_t k = 0; k < ideas->count; k++) {
        ideas->config[n] = *config;
        if (gzk_from_model(&ideas->found[k], device, &ideas->config[n]))
            ideas->found[n++] = ideas->found[k];
    }
    ideas->count = n;
    return n > 0 ? 0
                 : gzk_fail(error, GZK_INVALID, "no tile of depth %d fits a grid of %s", depth,
                            gzk_extents_text(config->size, 3).text);
}

void gzm_ideas_free(struct gzm_ideas *ideas)
{
    free(ideas->found);
    free(ideas->config);
    *ideas = (struct gzm_ideas){.count = 0};
}
