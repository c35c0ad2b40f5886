/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * defaults.h - the tiles that a device gets without a calibration: the best by model gz2 with the
 * built-in file of the device, or generic-cpu or generic-gpu.
 */
#ifndef GZK_DEFAULTS_H
#define GZK_DEFAULTS_H

#include "backend.h"
#include "gzmodel.h"

enum { GZK_MAX_STREAM_HEIGHT = 24 };

/* Whether `variant` has tiles that follow from the device; those of the others are the stencil's.
 */
bool gzk_has_device_tiles(gz_variant variant);

/* The built-in file of a device without a calibration: of a GPU its own, if one lists the driver's
 * name; else generic-cpu or generic-gpu. */
const char *gzk_builtin_name(const struct gzk_device_info *device, bool is_cpu);

/* That file. A generic one takes what the driver states: units, threads, local memory, cache,
 * clock, and rates in proportion. False if memory is short. */
bool gzk_generic_device(const struct gzk_device_info *device, bool is_cpu, gz_device *dev);

/* Takes what a device file does not state from the generic one. False if memory is short. */
bool gzk_complete_device(const struct gzk_device_info *device, gz_device *dev);

/* What is given of a way; zeroed: nothing. */
struct gzk_given {
    gz_model model;           /* GZ_MODEL_AUTO: gz2 if the files have what it needs */
    unsigned variants, syncs; /* bits by gz_variant and gz_sync; 0: all */
    int height[2];            /* least and most; 0: 1, the loops of the run */
};

/* The search for ways of a run, of which stencil and size are read. */
gz_tune_request gzk_request(const struct gzk_config *run, const struct gzk_given *given);

/* gz_tune or, for a run that its data end, gz_tune_ending. */
gz_status gzk_search_tiles(const gz_device *model, const gz_app *app,
                           const gz_tune_request *request, const struct gzk_config *config,
                           gz_candidate *best, size_t room, size_t *found, gz_error *error);

/* Sets config->block, and config->height if that is 0, to the best for config->size: of variant
 * stream any tile and piece that gz_tune tries, of trapezoids and naive blocks those of usual
 * extents; on a GPU naive blocks are 256, 256x8 or 64x4x8, or smaller on small grids. A tile of
 * which nothing fits is left as small as it can be, and a plan will refuse it. `piece`, unless 0,
 * is the number of planes that a streamed tile commits. */
void gzk_default_tile(struct gzk_config *config, const struct gzk_device_info *device, int piece);

/* The height that it would set. */
int gzk_default_height(const struct gzk_config *config, const struct gzk_device_info *device);

/* Sets how the rows of a streamed tile are laid out and stored: for a CPU, its lines; past its
 * cache, if that does not hold both states. Follows the choice of threads. */
void gzk_default_layout(struct gzk_config *config, const struct gzk_device_info *device);

/* What plans of measurements time, for which no cost is looked at. A streamed tile of
 * config->height whose rows commit the grid's (`whole`) or a quarter of them, of a GPU 128 threads'
 * or 64, with planes of as many rows as the local memory takes, and pieces such that every unit has
 * two tiles; false if nothing fits. */
bool gzk_stream_by_rows(struct gzk_config *config, const struct gzk_device_info *device,
                        bool whole);

/* And a nearly empty stage: height 1, in tiles that commit one cell each, 8^number of them,
 * `number` below GZK_EMPTY_STAGES. */
enum { GZK_EMPTY_STAGES = 5 };
void gzk_empty_stage(struct gzk_config *config, int number);

/* Sets the extent of a streamed tile along its stream so that it commits `piece` planes. */
void gzk_set_piece(struct gzk_config *config, int piece);

#endif
