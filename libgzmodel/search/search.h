/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search.h - the one search for tiles: over the shapes that limits leave or, of streamed tiles, the
 * pieces that are worth trying, each with its heights, into a ranked list.
 */
#ifndef GZI_SEARCH_H
#define GZI_SEARCH_H

#include "model.h"
#include "shapes.h"

typedef struct gzi_search {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    gz_config cfg; /* grid, variant, synchronisation and what all tiles share; with the tile being
                      looked at */
    gz_tile_limits limits;
    int own_threads; /* whether cfg's threads are those of all tiles; else each has those that go
                        with it, at most limits.threads */
    int states;      /* of a run that its data end, those that are results; else 0 */
    double cell_threads; /* at most so many cells of a tile, one thread each; 0: no limit */
    gz_candidate *out;   /* room for `n`, the best `found` so far */
    size_t n, found;
    gz_status refused; /* why the first tile that was left out was */
    gz_error why;
    void *work; /* the model's */
    gzi_shapes shapes;
} gzi_search;

/* All tiles of the variant and synchronisation in search->cfg, of a grid that gzi_check_grid
 * accepts. Tiles that the model refuses are left out. */
gz_status gzi_search_tiles(gzi_search *search, gz_error *error);

/* Only the block that is given, ghost zone included, at all heights; a streamed one with the piece
 * that each height leaves of its last length. */
gz_status gzi_search_block(gzi_search *search, const double block_len[GZ_MAX_DIM]);

/* The limits of a request, the device's own if it states none; never more threads than the
 * device's. */
gz_tile_limits gzi_tune_limits(const gz_device *dev, const gz_app *app,
                               const gz_tune_request *request);

/* What gz_tune refuses, whatever the model; the kinds of synchronisation of a request, bits, or all
 * that the device has if it names none; and the one model of a list: gz2 if the files suffice for
 * any combination. */
gz_status gzi_check_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                         const gz_candidate *out, size_t n, const size_t *found, gz_error *error);
unsigned gzi_syncs_of(const gz_device *dev, const gz_tune_request *request);
gz_model gzi_tune_model(const gz_device *dev, const gz_app *app, const gz_tune_request *request);

#endif
