/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search.c - see search.h.
 */
#include "search.h"

#include "check.h"
#include "ending.h"
#include "fail.h"
#include "quantities.h"
#include "tiling.h"

#include <math.h>
#include <string.h>

/* Times that differ by rounding only are equal: to this many bits. */
enum { EQUAL_BITS = 36 };
#define EQUAL 1e-10

static double to_equal_bits(double seconds)
{
    int exponent;
    double mantissa = frexp(seconds, &exponent);
    return ldexp(rint(ldexp(mantissa, EQUAL_BITS)), exponent - EQUAL_BITS);
}

/* Below 0, 0 or above 0: `a` comes before, is or comes after `b`. */
static int compare(const gz_candidate *a, const gz_candidate *b)
{
    const int *x = a->way.block, *y = b->way.block;
    double by[] = {to_equal_bits(a->seconds_per_loop) - to_equal_bits(b->seconds_per_loop),
                   (double)a->way.variant - (double)b->way.variant,
                   (double)a->way.sync - (double)b->way.sync,
                   y[0] - x[0],
                   y[1] - x[1],
                   y[2] - x[2],
                   a->way.height - b->way.height};
    for (size_t k = 0; k < sizeof by / sizeof *by; k++)
        if (by[k] != 0)
            return by[k] < 0 ? -1 : 1;
    return 0;
}

/* Keeps a candidate if it is among the best. A tile that the search comes back to is no second
 * candidate. */
static void keep(gzi_search *s, int height, const gzi_value *value)
{
    gz_candidate one = {.way = gzi_way_of(s->dev, s->app, &s->cfg, height),
                        .model = s->cfg.model,
                        .cpl = value->cpl,
                        .seconds_per_loop = value->seconds_per_loop};
    size_t at = s->found;
    while (at > 0 && compare(&one, s->out + at - 1) < 0)
        at--;
    if (at == s->n || (at > 0 && compare(&one, s->out + at - 1) == 0))
        return;
    s->found += s->found < s->n;
    memmove(s->out + at + 1, s->out + at, (s->found - at - 1) * sizeof *s->out);
    s->out[at] = one;
}

/* What is said of a tile that is left out: the reason of the first is kept. */
static gz_error *say(gzi_search *s)
{
    return s->refused ? NULL : &s->why;
}

static gz_status left_out(gzi_search *s, gz_status status)
{
    if (!s->refused)
        s->refused = status;
    return status;
}

/* -------------------------------------------------------------------------------------- shapes */

static gz_status try_shape(void *with, const double block_len[GZ_MAX_DIM], double *cost)
{
    gzi_search *s = with;
    gzi_value best;
    int height = 0;
    /* A tile is of interest if it goes into the list, or if the search goes on from it. */
    double last = s->found < s->n ? HUGE_VAL : s->out[s->n - 1].seconds_per_loop;
    double worst = (1 + EQUAL) * fmax(*cost, last) * s->dev->clock_rate.value;
    if (s->shapes.largest_only && !gzi_shape_is_largest(&s->shapes, block_len))
        return GZ_OK;
    memcpy(s->cfg.block_len, block_len, sizeof s->cfg.block_len);
    if (!s->own_threads)
        gzi_set_threads(s->dev, s->app, s->limits.threads, 1, &s->cfg);
    gz_bounds bounds = {s->limits.height_min, s->limits.height_max};
    gz_status status = gzi_check_config(s->dev, s->app, &s->cfg, say(s));
    if (!status)
        status = gzi_optimize_below(s->model, s->dev, s->app, &s->cfg, &bounds, worst, s->work,
                                    &height, &best, say(s));
    if (status)
        left_out(s, status);
    if (!status && height) {
        *cost = best.seconds_per_loop;
        keep(s, height, &best);
    }
    return status == GZ_ENOMEM ? status : GZ_OK;
}

/* -------------------------------------------------------------------------------------- pieces */

/* The streamed tile in search->cfg at one height. GZ_EHEIGHT if the device has no room for it; what
 * the model refuses for another reason ends the search. */
static gz_status try_height(gzi_search *s, int height)
{
    gzi_value value;
    gz_status status = gzi_check_config(s->dev, s->app, &s->cfg, say(s));
    if (!status && !gzi_feasible(s->app, &s->cfg, height))
        status = gzi_fail(say(s), GZ_EHEIGHT, "height %d leaves no tile of this block", height);
    if (!status)
        status = gzi_value_at(s->model, s->dev, s->app, &s->cfg, height, s->work, &value, say(s));
    if (status)
        return left_out(s, status);
    if (s->states) {
        value.seconds_per_loop =
            gzi_ending_seconds(s->dev, s->cfg.loops, height, s->states, value.seconds_per_loop);
        value.cpl = value.seconds_per_loop * s->dev->clock_rate.value;
    }
    keep(s, height, &value);
    return GZ_OK;
}

static gz_status try_piece(void *with, const gzi_tile *tile)
{
    gzi_search *s = with;
    gzi_set_piece(tile, &s->cfg);
    return try_height(s, tile->height);
}

/* The height after `h`: in three dimensions few are sensible, in two the optimum is flat. */
static int height_after(int h)
{
    return h < 8 ? h + 1 : h < 16 ? h + 2 : h + 4;
}

static int lowest(const gzi_search *s)
{
    return (int)fmax(1, fmin(s->limits.height_min, GZI_LEVELS));
}

static double highest(const gzi_search *s, double most)
{
    return s->limits.height_max > 0 ? fmin(s->limits.height_max, most) : most;
}

static void search_pieces(gzi_search *s)
{
    enum { HIGHEST = 32 };
    gzi_pieces pieces = {.tile = gzi_tile_of(s->dev, s->app, &s->cfg, 1),
                         .units = s->dev->sm_count.value,
                         .threads = s->limits.threads,
                         .local_bytes = s->limits.shared_bytes,
                         .length = (long)s->cfg.stream_len,
                         .warp = (long)s->dev->warp_size.value};
    memcpy(pieces.block_max, s->limits.block_max, sizeof pieces.block_max);
    if (!s->own_threads)
        pieces.tile.threads[0] = 0;
    for (int h = lowest(s); h <= highest(s, HIGHEST); h = height_after(h))
        if (gzi_visit_pieces(&pieces, h, try_piece, s))
            break;
}

/* ----------------------------------------------------------------------------------------- all */

/* Whether there is no streamed tile at all. */
static int is_refused(gzi_search *s)
{
    return s->app->dim < gzi_stream.least_dim &&
           left_out(s, gzi_check_tile(s->app, &s->cfg, say(s))) != GZ_OK;
}

gz_status gzi_search_tiles(gzi_search *s, gz_error *error)
{
    if (s->cfg.variant == GZ_VARIANT_STREAM) {
        if (!is_refused(s))
            search_pieces(s);
        return GZ_OK;
    }
    gz_status status = gzi_shapes_of(s->app, &s->cfg, &s->limits, s->cell_threads,
                                     s->model->larger_tile_never_worse, &s->shapes, error);
    if (!status && gzi_visit_shapes(&s->shapes, try_shape, s))
        status = gzi_fail(error, GZ_ENOMEM, "out of memory");
    return status;
}

gz_status gzi_search_block(gzi_search *s, const double block_len[GZ_MAX_DIM])
{
    enum { HIGHEST = 64 };
    int last = s->app->dim - 1;
    double cost = HUGE_VAL, length = block_len[last], halo = s->app->halo_width[last];
    s->shapes.largest_only = 0;
    if (s->cfg.variant != GZ_VARIANT_STREAM)
        return try_shape(s, block_len, &cost);
    memcpy(s->cfg.block_len, block_len, sizeof s->cfg.block_len);
    for (int h = lowest(s); !is_refused(s) && h <= highest(s, HIGHEST) && length - halo * h >= 1;
         h++) {
        s->cfg.stream_len = floor(length - halo * h);
        if (!s->own_threads)
            gzi_set_threads(s->dev, s->app, s->limits.threads, h, &s->cfg);
        try_height(s, h);
    }
    return GZ_OK;
}
