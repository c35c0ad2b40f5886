/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "variants.h"

#include "embedded.h"

const struct gzk_variant_info gzk_variants[] = {
    [GZK_TRAPEZOID] = {.name = "trapezoid",
                       .summary = "tiles with ghost zones in local memory, any height",
                       .device = {"trapezoid.knl", gzk_trapezoid_knl},
                       .local_states = 2,
                       .ghost_in_block = true,
                       .any_height = true},
    [GZK_STREAM] = {.name = "stream",
                    .summary = "tiles that walk along the slowest dimension, any height",
                    .device = {"stream.knl", gzk_stream_knl},
                    .local_states = 1,
                    .ghost_in_block = true,
                    .any_height = true,
                    .streamed = true,
                    .tiling = GZ_VARIANT_STREAM},
    [GZK_NAIVE] = {.name = "naive",
                   .summary = "neighbours read from device memory, threads as suits the device",
                   .device = {"naive.knl", gzk_naive_knl},
                   .kernel = "gz_naive",
                   .tiling = GZ_VARIANT_NAIVE},
    [GZK_COLUMN] = {.name = "column",
                    .summary = "naive, a thread for each line of elements along x",
                    .device = {"naive.knl", gzk_naive_knl},
                    .kernel = "gz_naive",
                    .tiling = GZ_VARIANT_NAIVE,
                    .whole_rows = true},
    [GZK_CELL] = {.name = "cell",
                  .summary = "naive, a thread for each element",
                  .device = {"naive.knl", gzk_naive_knl},
                  .kernel = "gz_naive",
                  .tiling = GZ_VARIANT_NAIVE,
                  .thread_per_cell = true},
    [GZK_SHARED] = {.name = "shared",
                    .summary = "a thread for each element, block and ghost cells in local memory",
                    .device = {"shared.knl", gzk_shared_knl},
                    .kernel = "gz_shared_loop",
                    .local_states = 1,
                    .thread_per_cell = true},
    [GZK_SERIAL] = {.name = "serial",
                    .summary = "the serial reference on the host, no device",
                    .on_host = true,
                    .tiling = GZ_VARIANT_NAIVE},
};
const int gzk_variant_count = sizeof gzk_variants / sizeof *gzk_variants;

const struct gzk_sync_info gzk_syncs[] = {
    [GZ_SYNC_RESTART] = {GZK_LAUNCH_EACH, {"restart.knl", gzk_restart_knl}, "gz_stage"},
    [GZ_SYNC_FENCE] = {GZK_LAUNCH_RESIDENT, {"fence.knl", gzk_fence_knl}, "gz_stages"},
    [GZ_SYNC_GRAPH] = {GZK_LAUNCH_RECORDED, {"restart.knl", gzk_restart_knl}, "gz_stage"},
};
const int gzk_sync_count = sizeof gzk_syncs / sizeof *gzk_syncs;

const struct gzk_edge_info gzk_edges[] = {
    [GZ_EDGE_CLAMP] = {.name = "clamp",
                       .device = {"edge_clamp.knl", gzk_edge_clamp_knl},
                       .follows = {"edge_copy.knl", gzk_edge_copy_knl},
                       .streamed = {"edge_stream_copy.knl", gzk_edge_stream_copy_knl}},
    [GZ_EDGE_ZERO] = {.name = "zero",
                      .device = {"edge_zero.knl", gzk_edge_zero_knl},
                      .follows = {"edge_copy.knl", gzk_edge_copy_knl},
                      .streamed = {"edge_stream_copy.knl", gzk_edge_stream_copy_knl},
                      .known = true},
    [GZ_EDGE_PERIODIC] = {.name = "periodic",
                          .device = {"edge_periodic.knl", gzk_edge_periodic_knl},
                          .streamed = {"edge_stream_periodic.knl", gzk_edge_stream_periodic_knl},
                          .images = true},
    [GZ_EDGE_KEEP] = {.name = "keep",
                      .device = {"edge_zero.knl", gzk_edge_zero_knl},
                      .follows = {"edge_keep.knl", gzk_edge_keep_knl},
                      .streamed = {"edge_stream_keep.knl", gzk_edge_stream_keep_knl},
                      .borders = true,
                      .known = true},
};
const int gzk_edge_count = sizeof gzk_edges / sizeof *gzk_edges;
