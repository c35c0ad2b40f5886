/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "stream.h"

#include <string.h>

void gzk_default_block(struct gzk_config *config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    for (int i = 0; i < 3; i++)
        if (variant->on_host || (variant->whole_rows && i == 0))
            config->block[i] = config->size[i];
}

/* Threads of a streamed tile: more would leave each too few registers for the pointers to the rows
 * that it reads. */
enum { STREAM_THREADS = 512 };

/* Fewer have more registers each, for more columns of the tile. */
enum { LEAST_STREAM_THREADS = 128 };

/* Halves a work-group until it has at most `most` threads. */
static void limit_threads(struct gzk_config *config, int most)
{
    /* Rows keep their threads longest, because neighbours in x share memory transactions. */
    for (int i = 2; i >= 0;) {
        long long threads = (long long)config->threads[0] * config->threads[1];
        if (threads * config->threads[2] <= most)
            break;
        if (config->threads[i] > 1)
            config->threads[i] = (config->threads[i] + 1) / 2;
        else
            i--;
    }
}

/* The threads of a streamed tile on a GPU: those that leave enough registers for its columns, if
 * they may lie there. */
static void set_stream_threads(struct gzk_config *config, int most)
{
    int block[3];
    memcpy(block, config->threads, sizeof block);
    limit_threads(config, most);
    for (int fewer = most; fewer >= LEAST_STREAM_THREADS; fewer /= 2) {
        struct gzk_config tried = *config;
        memcpy(tried.threads, block, sizeof block);
        limit_threads(&tried, fewer);
        if (gzk_stream_takes_columns(&tried, false)) {
            *config = tried;
            config->columns = true;
            return;
        }
    }
}

void gzk_default_threads(struct gzk_config *config, int max_threads, bool is_cpu)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];
    is_cpu &= config->layout != GZK_LAYOUT_COLUMNS || !variant->streamed;
    for (int i = 0; i < 3; i++) {
        bool alone = variant->on_host || (variant->whole_rows && i == 0) ||
                     (is_cpu && !variant->thread_per_cell && !variant->whole_rows);
        config->threads[i] = alone ? 1 : config->block[i];
    }
    if (variant->thread_per_cell)
        return;
    config->cpu = is_cpu && variant->streamed;
    if (variant->streamed)
        config->threads[config->stencil->dimensions - 1] = 1;
    config->columns = false;
    if (variant->streamed && !is_cpu)
        set_stream_threads(config, max_threads < STREAM_THREADS ? max_threads : STREAM_THREADS);
    else
        limit_threads(config, max_threads);
}
