/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.c - the best tile, height, synchronisation and variant together, as a ranked list.
 */
#include "check.h"
#include "model.h"
#include "pieces.h"
#include "quantities.h"
#include "shapes.h"
#include "tiling.h"
#include "uncertainty.h"

#include <math.h>
#include <string.h>

/* Intervals of 95 % of a normal distribution unless the request says otherwise. */
#define USUAL_Z 1.96

struct tuning {
    const gzi_model *model;
    const gz_device *dev;
    const gz_app *app;
    const gz_tile_limits limits;
    gz_config cfg; /* the combination being looked at */
    gzi_shapes shapes;
    void *work;
    gz_candidate *out; /* the best `found` so far, sorted */
    size_t n, found;
    gz_status refused; /* why the first combination that was left out was */
    gz_error why;
};

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
    const double *x = a->config.block_len, *y = b->config.block_len;
    double by[] = {to_equal_bits(a->seconds_per_loop) - to_equal_bits(b->seconds_per_loop),
                   (double)a->config.variant - (double)b->config.variant,
                   (double)a->config.sync - (double)b->config.sync,
                   y[0] - x[0],
                   y[1] - x[1],
                   y[2] - x[2],
                   a->height - b->height};
    for (size_t k = 0; k < sizeof by / sizeof *by; k++)
        if (by[k] != 0)
            return by[k] < 0 ? -1 : 1;
    return 0;
}

/* Keeps a candidate if it is among the best. A tile that the search comes back to is no second
 * candidate. */
static void keep(struct tuning *t, int height, const gzi_value *value)
{
    gz_candidate one = {.config = t->cfg,
                        .height = height,
                        .cpl = value->cpl,
                        .seconds_per_loop = value->seconds_per_loop};
    size_t at = t->found;
    while (at > 0 && compare(&one, t->out + at - 1) < 0)
        at--;
    if (at == t->n || (at > 0 && compare(&one, t->out + at - 1) == 0))
        return;
    t->found += t->found < t->n;
    memmove(t->out + at + 1, t->out + at, (t->found - at - 1) * sizeof *t->out);
    t->out[at] = one;
}

static gz_status try_tile(void *with, const double block_len[GZ_MAX_DIM], double *cost)
{
    struct tuning *t = with;
    gzi_value best;
    int height = 0;
    /* A tile is of interest if it goes into the list, or if the search goes on from it. */
    double last = t->found < t->n ? HUGE_VAL : t->out[t->n - 1].seconds_per_loop;
    double worst = (1 + EQUAL) * fmax(*cost, last) * t->dev->clock_rate.value;
    gz_error *say = t->refused ? NULL : &t->why;
    if (t->shapes.largest_only && !gzi_shape_is_largest(&t->shapes, block_len))
        return GZ_OK;
    memcpy(t->cfg.block_len, block_len, sizeof t->cfg.block_len);
    gzi_set_threads(t->dev, t->app, t->limits.threads, 1, &t->cfg);
    gz_bounds bounds = {0, t->limits.height_max};
    gz_status status = gzi_check_config(t->dev, t->app, &t->cfg, say);
    if (!status)
        status = gzi_optimize_below(t->model, t->dev, t->app, &t->cfg, &bounds, worst, t->work,
                                    &height, &best, say);
    if (!status && height) {
        *cost = best.seconds_per_loop;
        keep(t, height, &best);
    } else if (status && !t->refused)
        t->refused = status;
    return status == GZ_ENOMEM ? status : GZ_OK;
}

/* A streamed tile at one height. GZ_EHEIGHT if the device has no room for it; what the model
 * refuses for another reason is left out, too, and ends the search. */
static gz_status try_piece(void *with, const double block_len[GZ_MAX_DIM], double stream_len,
                           int height)
{
    struct tuning *t = with;
    gzi_value value;
    gz_error *say = t->refused ? NULL : &t->why;
    memcpy(t->cfg.block_len, block_len, sizeof t->cfg.block_len);
    t->cfg.stream_len = stream_len;
    gzi_set_threads(t->dev, t->app, t->limits.threads, height, &t->cfg);
    gz_status status = gzi_check_config(t->dev, t->app, &t->cfg, say);
    if (!status && !gzi_tiling_of(t->cfg.variant)->feasible(t->app, &t->cfg, height))
        status = gzi_fail(say, GZ_EHEIGHT, "height %d leaves no tile of this block", height);
    if (!status)
        status = gzi_value_at(t->model, t->dev, t->app, &t->cfg, height, t->work, &value, say);
    if (!status)
        keep(t, height, &value);
    else if (!t->refused)
        t->refused = status;
    return status;
}

/* A given block, ghost zone included, whose piece is what each height leaves of its last length. */
static void try_given_piece(struct tuning *t, const double block_len[GZ_MAX_DIM])
{
    enum { HIGHEST = 64 };
    int last = t->app->dim - 1;
    double length = block_len[last], halo = t->app->halo_width[last];
    double most = t->limits.height_max > 0 ? fmin(t->limits.height_max, HIGHEST) : HIGHEST;
    for (int h = 1; h <= most && length - halo * h >= 1; h++)
        try_piece(t, block_len, floor(length - halo * h), h);
}

/* All streamed tiles that are worth trying, or the one that is given. */
static void try_pieces(struct tuning *t, const gz_tune_request *request)
{
    gzi_pieces pieces = gzi_pieces_of(t->dev, t->app, &t->limits);
    if (t->app->dim < 2) {
        if (!t->refused)
            t->refused = gzi_fail(&t->why, GZ_ECONFIG,
                                  "variant stream: the application has one dimension: must have "
                                  "two or three");
    } else if (request->block_len[0] > 0) {
        try_given_piece(t, request->block_len);
    } else {
        gzi_visit_pieces(&pieces, t->app, &t->cfg, try_piece, t);
    }
    t->cfg.stream_len = 0;
}

/* All tiles of the variant and synchronisation in t->cfg. */
static gz_status try_combination(struct tuning *t, const gz_tune_request *request, gz_error *error)
{
    gz_status status = gzi_check_grid(t->dev, t->app, &t->cfg, error);
    if (status)
        return status;
    if (t->cfg.variant == GZ_VARIANT_STREAM) {
        try_pieces(t, request);
        return GZ_OK;
    }
    if (request->block_len[0] > 0) {
        t->shapes.largest_only = 0;
        double cost = HUGE_VAL;
        return try_tile(t, request->block_len, &cost);
    }
    int one_per_element = !(t->limits.shared_bytes > 0);
    status = gzi_shapes_of(t->app, &t->cfg, &t->limits, one_per_element ? t->limits.threads : 0,
                           t->model->larger_tile_never_worse, &t->shapes, error);
    if (!status && gzi_visit_shapes(&t->shapes, try_tile, t))
        status = gzi_fail(error, GZ_ENOMEM, "out of memory");
    return status;
}

/* Adds the intervals. */
static gz_status add_intervals(struct tuning *t, double z, gz_error *error)
{
    gz_status status = GZ_OK;
    for (size_t k = 0; k < t->found && !status; k++) {
        gz_candidate *c = t->out + k;
        double sd = 0;
        if (gzi_states_sd(t->dev, t->app))
            status = gzi_seconds_sd(t->model, t->dev, t->app, &c->config, c->height, &sd, error);
        c->interval[0] = fmax(0, c->seconds_per_loop - z * sd);
        c->interval[1] = c->seconds_per_loop + z * sd;
    }
    return status;
}

/* The request's sets, or all that exist if they are empty. */
static unsigned syncs_of(const gz_device *dev, const gz_tune_request *request)
{
    unsigned syncs = request->syncs;
    for (int sync = 0; !request->syncs && gz_name(GZ_SYNCS, (gz_sync)sync); sync++)
        if (gzi_has_sync(dev, (gz_sync)sync))
            syncs |= 1u << sync;
    return syncs;
}

static unsigned variants_of(const gzi_model *model, const gz_tune_request *request)
{
    unsigned variants = request->variants;
    for (int v = 0; !request->variants && v < 32; v++)
        if (model->variants & 1u << v && gzi_tiling_of((gz_variant)v))
            variants |= 1u << v;
    return variants;
}

static gz_status check_request(const gz_device *dev, const gz_app *app,
                               const gz_tune_request *request, const gz_candidate *out, size_t n,
                               const size_t *found, gz_error *error)
{
    gz_status status = gzi_check_model(dev, app, NULL, error);
    if (status)
        return status;
    if (!request || !out || !found)
        return gzi_fail_null(error, request ? "room for the candidates" : "request");
    if (n < 1)
        return gzi_fail(error, GZ_EARGUMENT, "room for 0 candidates: must be at least 1");
    if (!gzi_model_of(request->model))
        return gzi_fail(error, GZ_EARGUMENT, "there is no model of number %d", (int)request->model);
    if (!(request->z >= 0 && isfinite(request->z)))
        return gzi_fail(error, GZ_EARGUMENT, "z is %g: must be a number of at least 0", request->z);
    for (int i = 1; i < app->dim; i++)
        if ((request->block_len[i] > 0) != (request->block_len[0] > 0))
            return gzi_fail(error, GZ_ECONFIG, "a tile must be given in all dimensions or in none");
    return GZ_OK;
}

/* The limits of the request, the device's own if it states none; never more threads than the
 * device's. */
static gz_tile_limits limits_of(const gz_device *dev, const gz_tune_request *request)
{
    gz_tile_limits own = gz_tile_limits_of(dev), limits = request->limits;
    if (limits.threads == 0 || limits.threads > own.threads)
        limits.threads = own.threads;
    limits.shared_bytes = limits.shared_bytes != 0 ? limits.shared_bytes : own.shared_bytes;
    return limits;
}

gz_status gz_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                  gz_candidate *out, size_t n, size_t *found, gz_error *error)
{
    gz_status status = check_request(dev, app, request, out, n, found, error);
    if (status)
        return status;
    struct tuning t = {
        .model = gzi_model_of(request->model),
        .dev = dev,
        .app = app,
        .limits = limits_of(dev, request),
        .cfg = {.model = request->model, .tau = request->tau, .loops = request->loops},
        .out = out,
        .n = n};
    memcpy(t.cfg.data_length, request->data_length, sizeof t.cfg.data_length);
    status = gzi_work_new(t.model, dev, app, &t.work, error);
    if (status)
        return status;
    unsigned syncs = syncs_of(dev, request), variants = variants_of(t.model, request);
    for (int v = 0; v < 32 && !status; v++)
        for (int sync = 0; sync < 32 && !status; sync++)
            if (variants & 1u << v && syncs & 1u << sync) {
                t.cfg.variant = (gz_variant)v;
                t.cfg.sync = (gz_sync)sync;
                status = try_combination(&t, request, error);
            }
    gzi_work_free(t.model, t.work);
    if (!status && t.found == 0)
        status = t.refused ? gzi_fail(error, t.refused, "%s", t.why.text)
                           : gzi_fail(error, GZ_ELIMITS,
                                      "no tile within the grid and the limits (%.15g threads, "
                                      "%.15g bytes of local memory) leaves anything to commit",
                                      t.limits.threads, t.limits.shared_bytes);
    if (!status)
        status = add_intervals(&t, request->z > 0 ? request->z : USUAL_Z, error);
    *found = status ? 0 : t.found;
    return status;
}
