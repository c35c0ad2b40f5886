/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * depth.h - how a level is smoothed: depth of its ghost zone, variant and tile, by the chooser.
 */
#ifndef GZM_DEPTH_H
#define GZM_DEPTH_H

#include "choose.h"

/* What is given of a level's way; the rest is chosen. */
struct gzm_way {
    bool has_variant;
    /* Height: loops of the smoother in a launch, 0 to choose. Block: 0 to choose; a given one
     * needs a variant. Threads: 0 to follow the block. sync and piece are unused. */
    GZI_HAS(gz_way, way, GZI_WAY)
};

/* That for the chooser, for a visit of `loops` loops, which bound the depth. */
struct gzk_given gzm_given(const struct gzm_way *way, long loops);

/* Fills the rest of `config`, of which stencil, size and loops of a visit are given. GZK_INVALID if
 * nothing fits. */
int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error);

/* The way that gives such a configuration. */
struct gzm_way gzm_way_of(const struct gzk_config *config);

#endif
