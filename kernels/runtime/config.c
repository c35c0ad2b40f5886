/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tiles.h"

void gzk_default_block(struct gzk_config *config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    for (int i = 0; i < 3; i++)
        if (variant->on_host || (variant->whole_rows && i == 0))
            config->block[i] = config->size[i];
}

/* The threads that go with a streamed tile, and where its columns lie. */
static void set_stream_threads(struct gzk_config *config, int most)
{
    gzi_tile tile = gzk_tile_of(config);
    tile.own_column =
        !config->cpu && config->layout == GZK_LAYOUT_DEVICE && config->stencil->reads.own_column;
    gzi_set_stream_threads(&tile, most);
    for (int i = 0; i < config->stencil->dimensions; i++)
        config->threads[i] = tile.threads[i];
    config->columns = tile.columns;
}

void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    double threads[3];

    is_cpu &= config->layout != GZK_LAYOUT_COLUMNS || !variant->streamed;
    for (int i = 0; i < 3; i++) {
        bool alone = variant->on_host || (variant->whole_rows && i == 0) ||
                     (is_cpu && !variant->thread_per_cell && !variant->whole_rows);
        threads[i] = alone ? 1 : config->block[i];
    }
    if (!variant->thread_per_cell && !variant->streamed)
        gzi_limit_threads(3, max_threads, threads);
    for (int i = 0; i < 3; i++)
        config->threads[i] = (int)threads[i];
    config->cpu = is_cpu && variant->streamed;
    config->columns = false;
    if (variant->streamed)
        set_stream_threads(config, max_threads);
}
