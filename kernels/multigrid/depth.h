/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * depth.h - how a level is smoothed: depth of its ghost zone, variant and tile, by the library's
 * one chooser for a device of this kind.
 */
#ifndef GZM_DEPTH_H
#define GZM_DEPTH_H

#include "device.h"

/* What is given of a level's way; the rest is chosen. */
struct gzm_way {
    int depth; /* loops of the smoother in a launch; 0: chosen */
    bool has_variant;
    enum gzk_variant variant;
    int block[3]; /* a block of 0 is chosen; else a variant must be given */
};

/* Fills the rest of `config`, of which stencil, size, loops of a visit and `contract` are given. Of
 * a depth beyond the loops only these count. GZK_INVALID if nothing fits. */
int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error);

#endif
