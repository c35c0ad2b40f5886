/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ways.h - every way in which a device computes a stencil, and runs that are compared with the
 * serial reference.
 */
#ifndef GZ_WAYS_H
#define GZ_WAYS_H

#include "config.h"
#include "device.h"

/* A way to compute a stencil. */
struct way {
    const char *name;
    gz_variant variant;
    gz_sync sync;
    int threads[3];            /* of a block; 0: one for each cell; -2: for two cells */
    bool cpu, bypass, columns; /* a streamed tile's layout, as in gzk_config */
};
extern const struct way ways[];
extern const int way_count;

/* Whether a device and a stencil have this way. */
bool way_applies(const struct way *way, const struct gzk_stencil *stencil,
                 const struct gzk_device_info *info);

/* A configuration of this way with a tile that commits `inside` cells (of variants of one loop a
 * launch: a block of so many) at `height`; fewer in x if it would have more threads than the device
 * takes. */
struct gzk_config way_config(const struct way *way, const struct gzk_stencil *stencil, int height,
                             const int inside[3], const struct gzk_device_info *info);

/* Whether the device has the local memory for it. */
bool config_fits(struct gzk_config config, const struct gzk_device_info *info);

/* What was run, and how much of it was wrong. */
struct tally {
    int runs, wrong;
};

/* Runs a configuration, whose loops are left out, with each of the three numbers of loops, the last
 * of which is the largest, and compares with the reference: bit for bit unless config->contract.
 * The first three that are wrong are noted. */
void tally_grid(struct gzk_device *device, struct gzk_config config, const long loops[3],
                uint64_t seed, struct tally *tally);

#endif
