/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice.h - which variant, tile and height a grid gets.
 */
#ifndef GZK_CHOICE_H
#define GZK_CHOICE_H

#include "plan.h"

struct gzk_choice {
    struct gzk_config config;
    double measured_s;  /* per loop; 0 if nothing was measured */
    double predicted_s; /* per loop, by the model; 0 without a prediction */
    gz_error by;        /* which model, and why */
    double tried_s;     /* per loop, when a few were tried; 0 if none was */
    bool from_cache;    /* they were tried by an earlier process */
};

/* Chooses for a grid. GZ_VARIANT, GZ_HEIGHT and GZ_BLOCK in the environment, then `height` if it is
 * not 0, decide; a height without a variant is a trapezoid's. Otherwise: the plan GZ_PLAN; what an
 * earlier process found by trying (gzk_recall); a few ways tried on a copy of the arrays, if the
 * run is long enough for that to be short against it; the model, for the device file
 * GZ_DEVICE_FILE; or streamed tiles by defaults.h (a trapezoid in one dimension, no tile for a
 * short run). For another run of the same grid, the same choice is used again; of a run that its
 * data end, one of nearly as many loops, for which the model chooses or defaults.h alone, by what
 * such a run recomputes; `ending` are the loops that are expected of one, 0 of others. GZ_TRY in
 * the environment: 1 to try however short the run, 0 neither to try nor to use what was kept. If
 * cells are watched, it is a tile, whatever else is chosen. */
int gzs_choose(struct gzk_device *device, const struct gzk_stencil *stencil,
               const struct gzk_data *data, int height, bool contract, bool watches, long ending,
               struct gzk_choice *choice, struct gzk_error *error);

#endif
