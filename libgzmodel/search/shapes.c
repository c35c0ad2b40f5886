/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shapes.c - see shapes.h.
 */
#include "shapes.h"
#include "fail.h"
#include "quantities.h"
#include "tiling.h"

#include <math.h>
#include <stdlib.h>

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
                whole_limit(limits->arrays_held) && whole_limit(limits->height_max) &&
                whole_limit(limits->height_min);
    for (int i = 0; i < app->dim; i++)
        whole = whole && whole_limit(limits->block_max[i]) && whole_limit(limits->block_step[i]);
    return whole;
}

/* Elements a tile may have. */
static double room_of(const gz_app *app, const gz_tile_limits *limits, double threads)
{
    double room = threads > 0 ? threads : HUGE_VAL;
    const gz_shape shape = gzi_shape_of(app);
    /* The older state lies in place of the second one. */
    double held = limits->arrays_held > 0
                      ? limits->arrays_held
                      : app->stencil_arrays.value + gzi_fields(&shape) - shape.older;
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

/* Doubles steps that the limits leave open, of the dimension with the most lengths first, until the
 * tiles that cannot grow are few enough; whether they are. */
static int coarsen(gzi_shapes *shapes, const gz_tile_limits *limits)
{
    double lengths = shapes->room;
    for (int i = 0; i < shapes->dim; i++)
        lengths /= shapes->step[i];
    for (; lengths > GZ_TILE_MAX; lengths /= 2) {
        int most = -1;
        double left = 2;
        for (int i = 0; i < shapes->dim; i++)
            if (limits->block_step[i] == 0 && shapes->cap[i] / shapes->step[i] >= left) {
                most = i;
                left = shapes->cap[i] / shapes->step[i];
            }
        if (most < 0)
            return 0;
        shapes->step[most] *= 2;
    }
    return 1;
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
        all *= multiple(shapes->cap[i], shapes->step[i]);
    }
    if (largest_only && shapes->room < all && app->dim > 1 && !coarsen(shapes, limits))
        return gzi_fail(error, GZ_ELIMITS,
                        "the limits (%.15g elements of a tile) leave more tiles than can be "
                        "searched: lower them, or leave block_step open",
                        shapes->room);
    double rest = 1;
    for (int i = app->dim - 1; i >= 0; i--) {
        shapes->rest[i] = rest;
        rest *= multiple(shapes->cap[i], shapes->step[i]);
    }
    return GZ_OK;
}

typedef gz_status visitor(void *with, const double block_len[GZ_MAX_DIM], double *cost);

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
        double cost = 0; /* none of these is of interest to the search itself */
        block_len[i] = length;
        gz_status status = last ? visit(with, block_len, &cost)
                                : visit_from(shapes, i + 1, left, block_len, visit, with);
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

/* ------------------------------------------------------ more tiles than can be tried one by one */

/* How many of the coarse tiles are refined, each into the best of its neighbourhood. */
enum { REFINED = 8 };

struct tile {
    double block_len[GZ_MAX_DIM], cost;
};

/* A tile that was visited, with its cost, or with what it is not below. */
struct visited {
    struct tile tile;
    int is_cost;
};

/* Places for visited tiles, each of which forgets the tile before. */
enum { VISITED = 2048 };

struct coarse {
    const gzi_shapes *shapes;
    visitor *visit;
    void *with;
    struct tile best[REFINED]; /* ascending in cost */
    int count;
    struct visited *visited;
};

static int same_tile(const struct coarse *c, const double *a, const double *b)
{
    int same = 1;
    for (int i = 0; i < c->shapes->dim; i++)
        same = same && a[i] == b[i];
    return same;
}

/* Visits a tile, unless it was visited before and `visit` would only say the same again. */
static gz_status visit_once(const struct coarse *c, const double *block_len, double *cost)
{
    unsigned long place = 0;
    double asked = *cost;
    for (int i = 0; i < c->shapes->dim; i++)
        place = place * 1000003 + (unsigned long)block_len[i];
    struct visited *v = &c->visited[(place ^ place >> 11) % VISITED];
    if (same_tile(c, v->tile.block_len, block_len) && (v->is_cost || asked <= v->tile.cost)) {
        *cost = v->is_cost && v->tile.cost < asked ? v->tile.cost : asked;
        return GZ_OK;
    }
    gz_status status = c->visit(c->with, block_len, cost);
    *v = (struct visited){.tile = {.cost = *cost}, .is_cost = *cost < asked};
    for (int i = 0; i < c->shapes->dim; i++)
        v->tile.block_len[i] = block_len[i];
    return status;
}

static gz_status try_coarse(struct coarse *c, const double block_len[GZ_MAX_DIM])
{
    const struct tile *last = &c->best[REFINED - 1];
    struct tile tile = {.cost = c->count < REFINED ? HUGE_VAL : last->cost};
    for (int i = 0; i < c->shapes->dim; i++)
        tile.block_len[i] = block_len[i];
    gz_status status = visit_once(c, block_len, &tile.cost);
    int at = c->count;
    while (at > 0 && tile.cost < c->best[at - 1].cost)
        at--;
    if (status || at == REFINED || !(tile.cost < HUGE_VAL))
        return status;
    c->count += c->count < REFINED;
    for (int k = c->count - 1; k > at; k--)
        c->best[k] = c->best[k - 1];
    c->best[at] = tile;
    return GZ_OK;
}

/* The next shorter length: shorter by a factor of sqrt(2), the halo's width apart. */
static double shorter(const gzi_shapes *shapes, int i, double length)
{
    double halo = shapes->halo[i];
    double next = multiple(halo + (length - halo) * 0.7071067811865476, shapes->step[i]);
    return fmin(next, length - shapes->step[i]);
}

static gz_status visit_coarse(struct coarse *c, int i, double volume, double block_len[GZ_MAX_DIM])
{
    const gzi_shapes *shapes = c->shapes;
    double length = multiple(fmin(shapes->cap[i], volume), shapes->step[i]);
    gz_status status = GZ_OK;
    for (; !status && length > shapes->halo[i] && length >= 1;
         length = shorter(shapes, i, length)) {
        block_len[i] = length;
        status = i == shapes->dim - 1 ? try_coarse(c, block_len)
                                      : visit_coarse(c, i + 1, floor(volume / length), block_len);
    }
    return status;
}

/* Moves a tile by `by` in dimension i if it then costs less and the limits allow it. */
static gz_status try_move(const struct coarse *c, struct tile *tile, int i, double by, int *moved)
{
    const gzi_shapes *shapes = c->shapes;
    struct tile other = *tile;
    double volume = 1;
    other.block_len[i] += by;
    for (int k = 0; k < shapes->dim; k++)
        volume *= other.block_len[k];
    for (int k = 0; k < shapes->dim; k++)
        if (!(other.block_len[k] > shapes->halo[k] && other.block_len[k] >= 1 &&
              other.block_len[k] <= shapes->cap[k]))
            return GZ_OK;
    if (volume > shapes->room)
        return GZ_OK;
    gz_status status = visit_once(c, other.block_len, &other.cost);
    if (!status && other.cost < tile->cost) {
        *tile = other;
        *moved = 1;
    }
    return status;
}

/* Compass search around a tile: by a quarter of its lengths, then by ever smaller steps. */
static gz_status refine(const struct coarse *c, struct tile *tile)
{
    gz_status status = GZ_OK;
    for (double share = 0.25; !status && share > 1e-3; share /= 2) {
        int moved = 1;
        for (int round = 0; moved && round < 8 && !status; round++) {
            moved = 0;
            for (int i = 0; i < c->shapes->dim && !status; i++) {
                double step = c->shapes->step[i];
                double by = fmax(step, multiple(share * tile->block_len[i], step));
                status = try_move(c, tile, i, by, &moved);
                if (!status)
                    status = try_move(c, tile, i, -by, &moved);
            }
        }
    }
    return status;
}

/* Tries all tiles up to a few steps from `centre` in each dimension: predictions go up and down
 * where rows and blocks fill warps and multiprocessors. */
static gz_status try_around(const struct coarse *c, const struct tile *centre)
{
    static const int reach[GZ_MAX_DIM] = {64, 10, 3}; /* steps, in 1, 2 and 3 dimensions */
    int dim = c->shapes->dim, most = reach[dim - 1], at[GZ_MAX_DIM] = {0}, unused;
    for (int i = 0; i < dim; i++)
        at[i] = -most;
    for (int i = 0; i < dim;) {
        struct tile tile = *centre;
        tile.cost = 0; /* nothing costs less, so it stays */
        for (int k = 1; k < dim; k++)
            tile.block_len[k] += at[k] * c->shapes->step[k];
        gz_status status = try_move(c, &tile, 0, at[0] * c->shapes->step[0], &unused);
        if (status)
            return status;
        for (i = 0; i < dim && ++at[i] > most; i++)
            at[i] = -most;
    }
    return GZ_OK;
}

static gz_status visit_some(const gzi_shapes *shapes, visitor *visit, void *with)
{
    struct coarse c = {.shapes = shapes, .visit = visit, .with = with};
    double block_len[GZ_MAX_DIM] = {0};
    c.visited = calloc(VISITED, sizeof *c.visited);
    if (!c.visited)
        return GZ_ENOMEM;
    gz_status status = visit_coarse(&c, 0, shapes->room, block_len);
    for (int k = 0; k < c.count && !status; k++)
        status = refine(&c, &c.best[k]);
    const struct tile *best = c.best;
    for (int k = 1; k < c.count; k++)
        best = c.best[k].cost < best->cost ? &c.best[k] : best;
    if (!status && c.count)
        status = try_around(&c, best);
    free(c.visited);
    return status;
}

gz_status gzi_visit_shapes(const gzi_shapes *shapes, visitor *visit, void *with)
{
    double block_len[GZ_MAX_DIM] = {0};
    if (!shapes->largest_only && count_of(shapes) > GZ_SHAPES_MAX)
        return visit_some(shapes, visit, with);
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
