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
    /* A height, the loops of the smoother in a launch, of 0 is chosen; so is a block, else a
     * variant must be given; threads of 0 go with the block. Of sync and piece nothing is read. */
    GZI_HAS(gz_way, way, GZI_WAY)
};

/* That to the chooser, for a visit of `loops` loops. Of a depth beyond these only they count. */
struct gzk_given gzm_given(const struct gzm_way *way, long loops);

/* Fills the rest of `config`, of which stencil, size and loops of a visit are given. GZK_INVALID if
 * nothing fits. */
int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error);

/* The way that gives such a configuration. */
struct gzm_way gzm_way_of(const struct gzk_config *config);

#endif
