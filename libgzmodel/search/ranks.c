/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.c - a loop on a grid that is divided among ranks (ranks.md has the equations).
 */
#include "check.h"
#include "fail.h"
#include "gzmodel/searches.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Layouts that are tried, and the best tiles of each depth whose last, lower stages are looked at.
 */
enum { LAYOUTS = 8, TILES = 4, LOOPS = 30, MOST_RANKS = 1 << 24 };

/* A division: its dimensions, the longest box, and the grid's sides. */
typedef struct division {
    int dim, ranks[GZ_MAX_DIM];
    double length[GZ_MAX_DIM]; /* N_i */
    double box[GZ_MAX_DIM];    /* n_i */
    double sides[GZ_MAX_DIM];  /* s_i */
    double all[GZ_MAX_DIM];    /* S_i */
    double radius[GZ_MAX_DIM]; /* r_i */
} division;

static int is_periodic(const gz_app *app, int i)
{
    const gz_quantity *rules[GZ_MAX_DIM] = {&app->edge_rule, &app->edge_rule_1, &app->edge_rule_2};
    const gz_quantity *rule = gz_quantity_stated(rules[i]) ? rules[i] : &app->edge_rule;
    return rule->value == 2;
}

static division divide(const gz_app *app, const double length[GZ_MAX_DIM],
                       const int ranks[GZ_MAX_DIM])
{
    division d = {.dim = app->dim};
    for (int i = 0; i < GZ_MAX_DIM; i++) {
        int has = i < app->dim, n = has ? ranks[i] : 1, round = has && is_periodic(app, i);
        d.ranks[i] = n;
        d.length[i] = has ? length[i] : 1;
        d.radius[i] = n > 1 ? ceil(app->halo_width[i] / 2.0) : 0;
        d.box[i] = ceil(d.length[i] / n); /* [ranks 1] */
        d.sides[i] = d.radius[i] > 0 ? round || n > 2 ? 2 : 1 : 0;
        d.all[i] = d.radius[i] > 0 ? round ? 2.0 * n : 2.0 * (n - 1) : 0;
    }
    return d;
}

/* The most loops whose halo the shortest box holds. */
static double most_depth(const division *d)
{
    double most = GZ_MAX_RANK_DEPTH;
    for (int i = 0; i < d->dim; i++) {
        double shortest = floor(d->length[i] / d->ranks[i]);
        if (shortest < 1)
            return 0;
        if (d->radius[i] > 0)
            most = fmin(most, floor(shortest / d->radius[i]));
    }
    return most;
}

/* ------------------------------------------------------------------------------------ exchanges */

/* What goes in a phase: of one rank. */
typedef struct traffic {
    double messages, elements;
} traffic;

static traffic phase_of(const division *d, double depth, int i)
{
    traffic t = {d->sides[i], d->sides[i] * d->radius[i] * depth}; /* [ranks 3] */
    for (int j = 0; j < GZ_MAX_DIM; j++)
        if (j != i)
            t.elements *= d->box[j] + (j < i ? d->sides[j] * d->radius[j] * depth : 0);
    return t;
}

/* Of three time levels both states of an element travel. */
static double bytes_of(const gz_app *app)
{
    return app->element_size.value * (gz_app_get(app, "older_state") > 0 ? 2 : 1);
}

static double phase_s(const gz_network *net, traffic t, double element_bytes)
{
    double bytes = t.elements * element_bytes;
    double pack =
        gz_quantity_stated(&net->pack_bandwidth) ? 2 * bytes / net->pack_bandwidth.value : 0;
    if (t.messages <= 0)
        return 0;
    return net->latency.value + (t.messages - 1) * net->message_cost.value +
           bytes / net->bandwidth.value + pack; /* [ranks 4] */
}

static double exchange_s(const gz_network *net, const division *d, double depth,
                         double element_bytes)
{
    double seconds = 0;
    for (int i = 0; i < d->dim; i++)
        seconds += phase_s(net, phase_of(d, depth, i), element_bytes);
    return seconds;
}

/* Messages and elements of all ranks. */
static traffic total_of(const division *d, double depth)
{
    traffic sum = {0, 0};

    for (int i = 0; i < GZ_MAX_DIM; i++) {
        traffic t = {d->all[i], d->all[i] * d->radius[i] * depth}; /* [ranks 6] */
        for (int j = 0; j < GZ_MAX_DIM; j++) {
            t.messages *= j == i ? 1 : d->ranks[j];
            t.elements *=
                j == i ? 1 : d->length[j] + (j < i ? d->all[j] * d->radius[j] * depth : 0);
        }
        sum.messages += t.messages;
        sum.elements += t.elements;
    }
    return sum;
}

/* ------------------------------------------------------------------------------------- interior */

/* Loops of the own grid between two exchanges, in that tile, s. */
static gz_status stage_s(const gz_device *dev, const gz_app *app, const gz_config *cfg, int height,
                         double *seconds, gz_error *error)
{
    gz_prediction p;
    double loops = cfg->loops, rest = fmod(loops, height);
    gz_status status = gz_predict(dev, app, cfg, height, &p, error);
    if (status)
        return status;
    *seconds = (loops - rest) * p.seconds_per_loop; /* [ranks 2] */
    if (rest > 0 && !(status = gz_predict(dev, app, cfg, rest, &p, error)))
        *seconds += rest * p.seconds_per_loop;
    return status;
}

static gz_status interior(const gz_device *dev, const gz_app *app, const gz_ranks_request *request,
                          const division *d, double loops, gz_ranks_time *out, gz_error *error)
{
    gz_tune_request search = request->run;
    gz_candidate tiles[TILES];
    size_t count;
    double least = HUGE_VAL, seconds;

    memset(search.block_len, 0, sizeof search.block_len);
    for (int i = 0; i < d->dim; i++)
        search.data_length[i] = d->box[i] + d->sides[i] * d->radius[i] * loops; /* [ranks 1] */
    search.loops = loops;
    search.limits.height_max = loops;
    search.limits.height_min = 0;
    gz_status status = gz_tune(dev, app, &search, tiles, TILES, &count, error);
    for (size_t k = 0; k < count && !status; k++) {
        const gz_config cfg = gz_config_of(&search, &tiles[k]);
        status = stage_s(dev, app, &cfg, tiles[k].way.height, &seconds, error);
        if (!status && seconds < least) {
            least = seconds;
            out->config = cfg;
            out->height = tiles[k].way.height;
        }
    }
    out->interior_s = least / loops;
    return status;
}

/* ----------------------------------------------------------------------------------- prediction */

static gz_status check(const gz_app *app, const gz_network *net, const gz_ranks_request *request,
                       gz_error *error)
{
    if (!(net->latency.value >= 0) || !(net->message_cost.value >= 0) ||
        !(net->bandwidth.value > 0) || !(net->pack_bandwidth.value >= 0))
        return gzi_fail(error, GZ_ECONFIG,
                        "network: latency and message_cost must be at least 0, bandwidth greater "
                        "than 0");
    if (app->dim < 1 || app->dim > GZ_MAX_DIM)
        return gzi_fail(error, GZ_EAPP, "dim %d: must be from 1 to %d", app->dim, GZ_MAX_DIM);
    if (request->ranks < 1 || request->ranks > MOST_RANKS)
        return gzi_fail(error, GZ_ECONFIG, "%d ranks: must be from 1 to %d", request->ranks,
                        (int)MOST_RANKS);
    if (request->depth < 0 || request->depth > GZ_MAX_RANK_DEPTH)
        return gzi_fail(error, GZ_ECONFIG, "rank depth %d: must be from 1 to %d, or 0 to search it",
                        request->depth, GZ_MAX_RANK_DEPTH);
    for (int i = 0; i < app->dim; i++)
        if (!(request->run.data_length[i] >= 1 && isfinite(request->run.data_length[i])))
            return gzi_fail(error, GZ_ECONFIG, "data_length %g: must be at least 1",
                            request->run.data_length[i]);
    return GZ_OK;
}

static gz_status predict(const gz_device *dev, const gz_app *app, const gz_network *net,
                         const gz_ranks_request *request, const division *d, int depth,
                         gz_ranks_time *out, gz_error *error)
{
    double bytes = bytes_of(app), loops = depth;
    double usual = request->run.loops > 0 ? fmin(request->run.loops, INT_MAX) : LOOPS;

    *out = (gz_ranks_time){.depth = request->ranks > 1 ? depth : (int)usual};
    memcpy(out->layout, d->ranks, sizeof out->layout);
    gz_status status =
        interior(dev, app, request, d, request->ranks > 1 ? loops : usual, out, error);
    if (status)
        return status;
    out->exchange_s = exchange_s(net, d, loops, bytes) / loops;
    out->seconds_per_loop = out->interior_s + out->exchange_s; /* [ranks 5] */
    traffic all = total_of(d, loops);
    out->messages = all.messages;
    out->bytes = all.elements * bytes;
    return GZ_OK;
}

/* Divides as the request says, if that fits. */
static gz_status divide_given(const gz_app *app, const gz_ranks_request *request, division *d,
                              gz_error *error)
{
    double product = 1, least = 1;
    for (int i = 0; i < app->dim; i++) {
        product *= request->layout[i];
        least = fmin(least, request->layout[i]);
    }
    if (least < 1 || product != request->ranks)
        return gzi_fail(error, GZ_ECONFIG, "a layout of %g ranks: must be of %d", product,
                        request->ranks);
    *d = divide(app, request->run.data_length, request->layout);
    double most = most_depth(d);
    if (request->ranks > 1 && fmax(request->depth, 1) > most)
        return gzi_fail(error, GZ_ECONFIG,
                        "rank depth %d: must be from 1 to %g, where the halo is as wide as a "
                        "neighbour's box",
                        request->depth, most);
    return GZ_OK;
}

/* --------------------------------------------------------------------------------------- search */

/* The layouts that send least, in that order; returns how many. */
static int find_layouts(const gz_app *app, const gz_ranks_request *request, division best[LAYOUTS])
{
    double bytes[LAYOUTS];
    int found = 0, n = request->ranks;

    for (int x = 1; x <= n; x++)
        for (int y = 1; n % x == 0 && y <= (app->dim > 1 ? n / x : 1); y++) {
            const int ranks[GZ_MAX_DIM] = {x, y, n / x / y};
            if (n / x % y != 0 || (app->dim < 3 && ranks[2] > 1))
                continue;
            division d = divide(app, request->run.data_length, ranks);
            double sent = total_of(&d, 1).elements;
            int k = found < LAYOUTS ? found : LAYOUTS;
            if (most_depth(&d) < fmax(request->depth, 1))
                continue;
            for (; k > 0 && sent < bytes[k - 1]; k--)
                if (k < LAYOUTS) {
                    best[k] = best[k - 1];
                    bytes[k] = bytes[k - 1];
                }
            if (k < LAYOUTS) {
                best[k] = d;
                bytes[k] = sent;
                found += found < LAYOUTS;
            }
        }
    return found;
}

/* The best of a layout's depths so far, and the requested one. */
typedef struct search {
    const gz_device *dev;
    const gz_app *app;
    const gz_network *net;
    const gz_ranks_request *request;
    gz_ranks_time best; /* no depth: none yet */
    gz_status status;   /* of what failed, if nothing succeeded */
    gz_error why;
} search;

static double try_depth(search *s, const division *d, int depth)
{
    gz_ranks_time time;
    gz_error why;
    gz_status status = predict(s->dev, s->app, s->net, s->request, d, depth, &time, &why);
    if (status) {
        s->status = status;
        s->why = why;
        return HUGE_VAL;
    }
    if (s->best.depth == 0 || time.seconds_per_loop < s->best.seconds_per_loop)
        s->best = time;
    return time.seconds_per_loop;
}

/* Depths 1, 2, 4, ..., the deepest, then between the neighbours of the best. */
static void try_layout(search *s, const division *d)
{
    int most = (int)most_depth(d), best = 1;
    double least = HUGE_VAL;

    if (s->request->depth > 0 || s->request->ranks == 1) {
        try_depth(s, d, s->request->depth > 0 ? s->request->depth : 1);
        return;
    }
    for (int depth = 1; depth <= most;
         depth = depth < most && 2 * depth > most ? most : 2 * depth) {
        double seconds = try_depth(s, d, depth);
        best = seconds < least ? depth : best;
        least = fmin(seconds, least);
    }
    for (int step = best / 2 > 0 ? best / 2 : 1, moved; step > 0; step = moved ? step : step / 2) {
        int from = best;
        for (int side = -1; side <= 1; side += 2) {
            int depth = from + side * step;
            double seconds = depth >= 1 && depth <= most ? try_depth(s, d, depth) : HUGE_VAL;
            best = seconds < least ? depth : best;
            least = fmin(seconds, least);
        }
        moved = best != from;
    }
}

gz_status gz_ranks_optimize(const gz_device *dev, const gz_app *app, const gz_network *net,
                            const gz_ranks_request *request, gz_ranks_time *out, gz_error *error)
{
    division layouts[LAYOUTS];
    if (!dev || !app || !net || !request || !out)
        return gzi_fail_null(error, "device, application, network, request or result");
    search s = {.dev = dev, .app = app, .net = net, .request = request};
    gz_status status = check(app, net, request, error);
    if (status)
        return status;
    int given = request->layout[0] != 0;
    if (given && (status = divide_given(app, request, &layouts[0], error)))
        return status;
    int count = given ? 1 : find_layouts(app, request, layouts);
    for (int k = 0; k < count; k++)
        try_layout(&s, &layouts[k]);
    if (s.best.depth > 0) {
        *out = s.best;
        return GZ_OK;
    }
    return s.status ? gzi_fail(error, s.status, "%s", s.why.text)
                    : gzi_fail(error, GZ_ELIMITS,
                               "%d ranks: no layout leaves each a box as wide as its halo",
                               request->ranks);
}
