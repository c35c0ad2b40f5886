/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes.c - see shapes.h.
 */
#include "shapes.h"
#include "check.h"
#include "quantities.h"

#include <math.h>

/* The largest multiple of `step` that is at most `length`. */
static double multiple(double length, double step)
{
    return floor(length / step) * step;
}

static int whole_limit(double value)
{
    return value >= 0 && value <= GZI_DATA_LENGTH_MAX && value == floor(value);
}

static int limits_are_whole(const gz_app *app, const gz_tile_limits *limits)
{
    int whole = whole_limit(limits->threads) && whole_limit(limits->shared_bytes) &&
                whole_limit(limits->arrays_held) && whole_limit(limits->height_max);
    for (int i = 0; i < app->dim; i++)
        whole = whole && whole_limit(limits->block_max[i]) && whole_limit(limits->block_step[i]);
    return whole;
}

/* Elements a tile may have. */
static double room_of(const gz_app *app, const gz_tile_limits *limits, double threads)
{
    double room = threads > 0 ? threads : HUGE_VAL;
    double held = limits->arrays_held > 0 ? limits->arrays_held : app->stencil_arrays.value + 1;
    if (limits->shared_bytes > 0)
        room = fmin(room, floor(limits->shared_bytes / (app->element_size.value * held)));
    return room;
}

/* An upper bound on the number of tiles: all combinations of feasible lengths. */
static double count_of(const gzi_shapes *shapes)
{
    double count = 1;
    for (int i = 0; i < shapes->dim; i++)
        count *= floor(fmin(shapes->cap[i], shapes->room) / shapes->step[i]) -
                 floor(shapes->halo[i] / shapes->step[i]);
    return count;
}

gz_status gzi_shapes_of(const gz_app *app, const gz_config *cfg, const gz_tile_limits *limits,
                        double threads, int largest_only, gzi_shapes *shapes, gz_error *error)
{
    *shapes = (gzi_shapes){.dim = app->dim, .largest_only = largest_only};
    if (!limits_are_whole(app, limits))
        return gzi_fail(error, GZ_ELIMITS, "limits on the tile: must be whole numbers from 0 to %g",
                        GZI_DATA_LENGTH_MAX);
    shapes->room = room_of(app, limits, threads);
    if (!isfinite(shapes->room))
        return gzi_fail(
            error, GZ_ELIMITS,
            "limits on the tile: threads and shared_bytes are both 0 (no limit): one of "
            "them must limit it");
    double all = 1;
    for (int i = app->dim - 1; i >= 0; i--) {
        shapes->halo[i] = cfg->variant == GZ_VARIANT_NAIVE ? 0 : app->halo_width[i];
        shapes->step[i] = fmax(1, limits->block_step[i]);
        shapes->cap[i] = fmin(floor(cfg->data_length[i]), GZI_BLOCK_LEN_MAX);
        if (limits->block_max[i] > 0)
            shapes->cap[i] = fmin(shapes->cap[i], limits->block_max[i]);
        shapes->rest[i] = all;
        all *= multiple(shapes->cap[i], shapes->step[i]);
    }
    int many = largest_only ? shapes->room < all && shapes->room > GZ_TILE_MAX && app->dim > 1
                            : count_of(shapes) > GZ_SHAPES_MAX;
    if (many)
        return gzi_fail(error, GZ_ELIMITS,
                        "the limits (%.15g elements of a tile) leave more tiles than can be "
                        "searched: lower them, or set block_step or block_max",
                        shapes->room);
    return GZ_OK;
}

typedef gz_status visitor(void *with, const double block_len[GZ_MAX_DIM]);

/* Tries the lengths of dimension i and those after it, with room for `volume` elements. The last
 * dimension takes all that is left. If only the largest count, a length that leaves the others no
 * more than a longer one does, or no more than they can use, would lose to that one, so it is
 * passed over. */
static gz_status visit_from(const gzi_shapes *shapes, int i, double volume,
                            double block_len[GZ_MAX_DIM], visitor *visit, void *with)
{
    double step = shapes->step[i];
    int last = i == shapes->dim - 1;
    double length = multiple(fmin(shapes->cap[i], volume), step);
    while (length > shapes->halo[i] && length >= 1) {
        double left = floor(volume / length);
        block_len[i] = length;
        gz_status status =
            last ? visit(with, block_len) : visit_from(shapes, i + 1, left, block_len, visit, with);
        if (status)
            return status;
        if (shapes->largest_only && (last || left >= shapes->rest[i]))
            return GZ_OK;
        length -= step;
        if (shapes->largest_only)
            length = fmin(length, multiple(floor(volume / (left + 1)), step));
    }
    return GZ_OK;
}

gz_status gzi_visit_shapes(const gzi_shapes *shapes, visitor *visit, void *with)
{
    double block_len[GZ_MAX_DIM] = {0};
    return visit_from(shapes, 0, shapes->room, block_len, visit, with);
}

int gzi_shape_is_largest(const gzi_shapes *shapes, const double block_len[GZ_MAX_DIM])
{
    double volume = 1;
    for (int i = 0; i < shapes->dim; i++)
        volume *= block_len[i];
    for (int i = 0; i < shapes->dim; i++) {
        double longer = block_len[i] + shapes->step[i];
        if (longer <= shapes->cap[i] && volume / block_len[i] * longer <= shapes->room)
            return 0;
    }
    return 1;
}
