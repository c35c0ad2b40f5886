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
    gz_variant variant;
    int block[3];   /* a block of 0 is chosen; else a variant must be given */
    int threads[3]; /* of a given block; 0: those that go with it */
};

/* Fills the rest of `config`, of which stencil, size, loops of a visit and `contract` are given. Of
 * a depth beyond the loops only these count. GZK_INVALID if nothing fits. */
int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error);

/* The way that gives such a configuration. */
struct gzm_way gzm_way_of(const struct gzk_config *config);

/* What is worth measuring on a level. */
struct gzm_ideas {
    gz_device device; /* as the model has it */
    gz_app app;
    size_t count;
    gz_candidate *found;       /* the best of the model first */
    struct gzk_config *config; /* each as the device runs it */
};

/* At most `room` of them; `way` and `config` are as for gzm_choose, but no block may be given.
 * GZK_INVALID if there is none. Ended by gzm_ideas_free, also if it failed. */
int gzm_ideas_new(const struct gzk_device *device, const struct gzm_way *way,
                  const struct gzk_config *config, size_t room, struct gzm_ideas *ideas,
                  struct gzk_error *error);
void gzm_ideas_free(struct gzm_ideas *ideas);

#endif
