/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * defaults.h - tiles that suit a device, for variants whose tiles are not the stencil's own.
 */
#ifndef GZK_DEFAULTS_H
#define GZK_DEFAULTS_H

#include "backend.h"

enum { GZK_MAX_STREAM_HEIGHT = 24 };

/* Whether `variant` has tiles that follow from the device; those of the others are the stencil's.
 */
bool gzk_has_device_tiles(enum gzk_variant variant);

/* Sets config->block to what suits the device, for config->size and config->height: for variant
 * stream the tile and piece with the least estimated cost that fit its local memory, for variant
 * naive long rows on a CPU and few cells per thread on a GPU. A streamed tile of which nothing fits
 * is left as small as it can be, and a plan will refuse it. `piece`, unless 0, is the number of
 * planes that a streamed tile commits. */
void gzk_default_tile(struct gzk_config *config, const struct gzk_device_info *device, int piece);

/* The height of variant stream with the least estimated cost, each height with its default tile; 1
 * for other variants. */
int gzk_default_height(const struct gzk_config *config, const struct gzk_device_info *device);

/* Sets how the rows of a streamed tile are laid out and stored: for a CPU, its lines; past its
 * cache, if that does not hold both states. Follows the choice of threads. */
void gzk_default_layout(struct gzk_config *config, const struct gzk_device_info *device);

/* Sets config->block to a streamed tile of config->height whose rows commit `columns` cells, with
 * planes of as many rows as the local memory takes, and pieces such that every unit has two tiles;
 * for a plan of measurements, which looks at no cost. False if nothing fits. */
bool gzk_stream_by_rows(struct gzk_config *config, const struct gzk_device_info *device,
                        int columns);

/* Sets the extent of a streamed tile along its stream so that it commits `piece` planes. */
void gzk_set_piece(struct gzk_config *config, int piece);

#endif
