/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vcycle.c - a multigrid cycle's time by level (vcycle.md has the equations).
 */
#include "check.h"
#include "fail.h"
#include "gzmodel/parameters.h"
#include "gzmodel/searches.h"
#include "quantities.h"
#include "uncertainty.h"

#include <math.h>
#include <string.h>

/* A time, s: in all, for launches, and the standard deviation. */
typedef struct duration {
    double s, launch, sd;
} duration;

typedef struct cycle {
    const gz_device *dev;
    const gz_app *app;
    const gz_vcycle_request *request;
    gz_vcycle_time *out;
    double sd;     /* so far, s */
    double launch; /* of a plain loop, s */
    int most;      /* loops of the longer visit */
} cycle;

/* What runs between levels, each in one pass. */
typedef enum verb { RESTRICT, PROLONG, NORM, VERBS } verb;

/* What a plain loop and the verbs take on a level. */
typedef struct plain_times {
    duration loop, verb[VERBS];
} plain_times;

static void add(duration *sum, double times, duration part)
{
    sum->s += times * part.s;
    sum->launch += times * part.launch;
    sum->sd += fabs(times) * part.sd;
}

static double cells_of(const gz_app *app, const double length[GZ_MAX_DIM])
{
    double cells = 1;
    for (int i = 0; i < app->dim; i++)
        cells *= length[i];
    return cells;
}

/* `loops` loops at height h of a run of cfg->loops. */
static gz_status predict(const gz_device *dev, const gz_app *app, gz_config cfg, int h,
                         double loops, duration *out, gz_error *error)
{
    gz_prediction p;
    double relative = 0;
    gz_status status = gz_predict(dev, app, &cfg, h, &p, error);
    if (status)
        return status;
    cfg.model = p.model;
    status = gzi_relative_sd(gzi_model_of(p.model), dev, app, &cfg, h, p.seconds_per_loop,
                             &relative, error);
    *out = (duration){loops * p.seconds_per_loop, loops * p.term[0] / dev->clock_rate.value,
                      loops * p.seconds_per_loop * relative};
    return status;
}

/* ------------------------------------------------------------------------------------- levels */

static int halves(const gz_app *app, const double length[GZ_MAX_DIM])
{
    for (int i = 0; i < app->dim; i++)
        if (!(length[i] >= 4) || fmod(length[i], 2) != 0)
            return 0;
    return 1;
}

/* Sizes, visits and which levels are in the tail. */
static void make_levels(const cycle *c)
{
    const gz_vcycle_request *r = c->request;
    gz_vcycle_level *l = c->out->level;
    int most = r->levels > 0 ? r->levels : GZ_MAX_LEVELS, n = 1;
    double by_f = 1; /* F-cycles among the visits of a level */

    memcpy(l[0].data_length, r->smoother.data_length, sizeof l[0].data_length);
    for (; n < most && halves(c->app, l[n - 1].data_length); n++)
        for (int i = 0; i < c->app->dim; i++)
            l[n].data_length[i] = l[n - 1].data_length[i] / 2;
    l[0].visits = 1;
    for (int k = 1; k < n; k++) { /* [cycle 1] */
        int twice = k + 1 < n && r->cycle != GZ_CYCLE_V;
        l[k].visits =
            l[k - 1].visits + (twice ? r->cycle == GZ_CYCLE_W ? l[k - 1].visits : by_f : 0);
    }
    for (int k = 0; k < n; k++)
        l[k].tail = k == n - 1 || cells_of(c->app, l[k].data_length) <= r->tail;
    c->out->levels = n;
}

/* ----------------------------------------------------------------------------------- smoothing */

/* Whether a failure means that no tile fits. */
static int no_tile(gz_status status)
{
    return status == GZ_EBLOCK || status == GZ_ELIMITS || status == GZ_EHEIGHT ||
           status == GZ_ETHREADS;
}

/* The best tile at height h alone. */
static gz_status best_tile(const gz_device *dev, const gz_app *app, gz_tune_request search,
                           const double length[GZ_MAX_DIM], int h, double loops, gz_config *cfg,
                           gz_error *error)
{
    gz_candidate found;
    size_t count;
    memcpy(search.data_length, length, sizeof search.data_length);
    memset(search.block_len, 0, sizeof search.block_len);
    search.limits.height_min = search.limits.height_max = h;
    search.loops = loops;
    gz_status status = gz_tune(dev, app, &search, &found, 1, &count, error);
    if (!status)
        *cfg = gz_config_of(&search, &found);
    return status;
}

/* Smoothing in all visits of a cycle: stages of `depth`, and a last one of what is left. */
static gz_status smooth(const cycle *c, double visits, const gz_config *way, int depth,
                        duration *out, gz_error *error)
{
    gz_config cfg = *way;
    gz_status status = GZ_OK;
    *out = (duration){0};
    for (int side = 0; side < 2 && !status; side++) {
        int loops = c->request->loops[side], h = depth < loops ? depth : loops;
        int rest = h > 0 ? loops % h : 0;
        duration part;
        cfg.loops = loops;
        if (loops > 0 && !(status = predict(c->dev, c->app, cfg, h, loops - rest, &part, error)))
            add(out, visits, part);
        if (rest > 0 && !status &&
            !(status = predict(c->dev, c->app, cfg, rest, rest, &part, error)))
            add(out, visits, part); /* [cycle 2] */
    }
    return status;
}

/* Fills smooth_at, and takes the fastest depth, or the `wanted` one if that is not 0. */
static gz_status try_depths(const cycle *c, gz_vcycle_level *l, int wanted, duration *best,
                            gz_error *error)
{
    best->s = HUGE_VAL;
    for (int d = 1; d <= c->most && d <= GZ_MAX_DEPTH; d++) {
        gz_config cfg;
        gz_error why;
        duration took;
        gz_status status =
            best_tile(c->dev, c->app, c->request->smoother, l->data_length, d, c->most, &cfg, &why);
        if (!status)
            status = smooth(c, l->visits, &cfg, d, &took, &why);
        if (status && (d == (wanted > 0 ? wanted : 1) || !no_tile(status)))
            return gzi_fail(error, status, "depth %d: %s", d, why.text);
        if (status)
            continue;
        l->smooth_at[d - 1] = took.s;
        if (wanted > 0 ? d == wanted : took.s < best->s) {
            *best = took;
            l->depth = d;
            l->config = cfg;
        }
    }
    return GZ_OK;
}

/* Smooths a level in the way that is given, or the best one. */
static gz_status smooth_level(cycle *c, int k, gz_error *error)
{
    gz_vcycle_level *l = &c->out->level[k];
    const gz_vcycle_request *r = c->request;
    int given = r->way[k].block_len[0] > 0, wanted = r->depth[k] < c->most ? r->depth[k] : c->most;
    duration took = {0};

    if (c->most == 0)
        return GZ_OK;
    gz_status status = try_depths(c, l, given ? 0 : wanted, &took, error);
    if (given && !status) {
        l->config = r->way[k];
        l->depth = wanted;
        memcpy(l->config.data_length, l->data_length, sizeof l->config.data_length);
        status = smooth(c, l->visits, &l->config, wanted, &took, error);
    }
    l->seconds[GZ_PART_SMOOTH] = took.s;
    c->sd += took.sd;
    return status;
}

/* ------------------------------------------------------------------------------- between levels */

/* The smoother with `arrays` loaded and `reads` times the elements read, with what computes them in
 * proportion. */
static gz_app with(const gz_app *app, double arrays, double reads)
{
    static const char *const work[] = {"tile_reads",    "cell_time",           "naive_cell_time",
                                       "compute_insts", "naive_compute_insts", "insts_per_sm_iter"};
    gz_app changed = *app;
    changed.stencil_arrays.value = arrays;
    for (size_t k = 0; k < sizeof work / sizeof *work; k++)
        gz_param_quantity(NULL, &changed, gz_param_by_name(work[k]))->value *= reads;
    changed.tile_reads.value = ceil(changed.tile_reads.value);
    return changed;
}

/* Elements that the smoother reads for a cell. */
static double own_reads(const gz_app *app)
{
    double star = 1;
    for (int i = 0; i < app->dim; i++)
        star += app->halo_width[i];
    return app->tile_reads.value > 0 ? app->tile_reads.value : star;
}

/* Elements that a verb reads for a cell, over what the smoother reads, which residuals also read.
 */
static double reads_of(const gz_app *app, verb which)
{
    return which == PROLONG ? (3 + ldexp(1, app->dim - 2)) / own_reads(app) : 1;
}

/* Arrays that a verb is taken to load. */
static double arrays_of(const gz_app *app, const gz_config *cfg, verb which)
{
    double a = app->stencil_arrays.value, part = ldexp(1, -app->dim);
    const double arrays[] = {[RESTRICT] = a - 1 + 2 * part,             /* [cycle 3] */
                             [PROLONG] = 1 + part,                      /* [cycle 4] */
                             [NORM] = a - 1 + 1 / cfg->data_length[0]}; /* [cycle 5] */
    return arrays[which];
}

/* A verb's pass over a level: a plain loop with other arrays, whose number need not be whole, and
 * other reads. */
static gz_status time_verb(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           verb which, duration *out, gz_error *error)
{
    double arrays = arrays_of(app, cfg, which), reads = reads_of(app, which);
    double least = fmax(1, floor(arrays));
    duration low, high;
    gz_app loaded = with(app, least, reads);
    gz_status status = predict(dev, &loaded, *cfg, 1, 1, &low, error);
    loaded.stencil_arrays.value = least + 1;
    if (!status)
        status = predict(dev, &loaded, *cfg, 1, 1, &high, error);
    if (status)
        return status;
    double share = arrays - least; /* [cycle 6] */
    *out = (duration){fmax(low.launch, low.s + share * (high.s - low.s)), low.launch,
                      low.sd + share * (high.sd - low.sd)};
    return GZ_OK;
}

/* A plain loop, in the best block without local memory where the model has that, and the verbs in
 * the same one. */
static gz_status time_plain(const cycle *c, const gz_device *dev, const gz_app *app,
                            const double length[GZ_MAX_DIM], plain_times *out, gz_error *error)
{
    gz_tune_request search = c->request->smoother;
    gz_config cfg;
    search.syncs = 1u << GZ_SYNC_RESTART;
    search.variants = 1u << GZ_VARIANT_NAIVE;
    gz_status status = best_tile(dev, app, search, length, 1, 1, &cfg, error);
    search.variants = 0;
    if (status)
        status = best_tile(dev, app, search, length, 1, 1, &cfg, error);
    if (!status)
        status = predict(dev, app, cfg, 1, 1, &out->loop, error);
    for (int v = 0; v < VERBS && !status; v++)
        status = time_verb(dev, app, &cfg, (verb)v, &out->verb[v], error);
    return status;
}

/* What the verbs add to smoothing launches in streamed tiles of a CPU, in place of passes of their
 * own: what a stage of one more loop takes more, and the coarse arrays. */
static gz_status time_fused(const cycle *c, const gz_vcycle_level *l, plain_times *t,
                            gz_error *error)
{
    const int *loops = c->request->loops;
    gz_config cfg = l->config, wider = l->config;
    duration low, high, coarse = t->verb[RESTRICT];

    if (!c->request->fused || l->depth == 0 || l->config.variant != GZ_VARIANT_STREAM ||
        !gzi_is_cpu(c->dev))
        return GZ_OK;
    for (int i = 0; i < c->app->dim; i++)
        wider.block_len[i] += c->app->halo_width[i];
    cfg.loops = l->depth;
    wider.loops = l->depth + 1;
    gz_status status = predict(c->dev, c->app, cfg, l->depth, l->depth, &low, error);
    if (!status)
        status = predict(c->dev, c->app, wider, l->depth + 1, l->depth + 1, &high, error);
    if (status) /* There is no room for it: passes of their own. */
        return no_tile(status) ? GZ_OK : status;
    duration more = {high.s - low.s, high.launch - low.launch, fabs(high.sd - low.sd)};
    add(&coarse, -1, t->verb[NORM]);
    coarse.launch = 0;
    for (int v = 0; v < VERBS; v++) { /* [cycle 9] */
        int before = v == RESTRICT;
        if (loops[before ? 0 : 1] == 0 || (v == NORM && loops[1] > l->depth))
            continue;
        t->verb[v] = (duration){0};
        add(&t->verb[v], reads_of(c->app, (verb)v), more);
        add(&t->verb[v], before ? 1 : v == PROLONG ? 0.5 : 0, coarse);
    }
    return GZ_OK;
}

static void put(cycle *c, int k, gz_part part, double times, duration took)
{
    c->out->level[k].seconds[part] += times * took.s;
    c->sd += times * took.sd;
}

/* ------------------------------------------------------------------------------------- the tail */

static duration less_launch(duration took)
{
    took.s -= took.launch;
    took.launch = 0;
    return took;
}

/* Loops that conjugate gradients to a thousandth take, two loops' work an iteration. */
static double bottom_loops(const cycle *c, const double length[GZ_MAX_DIM])
{
    static const double pi = 3.14159265358979323846, share = 1e-3;
    double most = 0;
    for (int i = 0; i < c->app->dim; i++)
        most = fmax(most, length[i]);
    double iterations = fmin(ceil(most / pi * log(2 / share)), cells_of(c->app, length));
    return 2 * iterations; /* [cycle 8] */
}

/* What the tail's levels take on one worker: of one too small for a tile, by its elements what the
 * one before takes. */
static gz_status time_tail_levels(cycle *c, int first, const gz_device *one, const gz_app *app,
                                  gz_error *error)
{
    const gz_vcycle_request *r = c->request;
    plain_times t = {0};
    double cells = 0;

    for (int k = first; k < c->out->levels; k++) {
        const gz_vcycle_level *l = &c->out->level[k];
        plain_times fresh;
        gz_error why;
        gz_status status = time_plain(c, one, app, l->data_length, &fresh, &why);
        if (status && (k == first || !no_tile(status)))
            return gzi_fail(error, status, "%s", why.text);
        if (!status) {
            t = fresh;
            cells = cells_of(app, l->data_length);
        }
        double share = cells_of(app, l->data_length) / cells * l->visits; /* [cycle 7] */
        int last = k == c->out->levels - 1;
        put(c, k, GZ_PART_TAIL,
            share * (last ? bottom_loops(c, l->data_length) : r->loops[0] + r->loops[1]),
            less_launch(t.loop));
        for (int v = RESTRICT; v <= PROLONG && !last; v++)
            put(c, k, GZ_PART_TAIL, share, less_launch(t.verb[v]));
    }
    return GZ_OK;
}

/* The levels from `first` on: as known, or one launch and what they take. */
static gz_status time_tail(cycle *c, int first, gz_error *error)
{
    double known = c->request->tail_s, visits = c->out->level[first].visits;
    gz_device one = *c->dev;
    gz_app app = *c->app;

    put(c, first, GZ_PART_TAIL, visits, (duration){.s = known > 0 ? known : c->launch});
    if (known > 0)
        return GZ_OK;
    one.sm_count.value = 1;
    if (!gz_quantity_stated(&app.profile_sm_count))
        app.profile_sm_count = c->dev->sm_count;
    return time_tail_levels(c, first, &one, &app, error);
}

/* -------------------------------------------------------------------------------------- a cycle */

/* Smoothing with one depth on every level: at the deepest that fits up to it. */
static double smooth_fixed(const gz_vcycle_time *out, int depth)
{
    double sum = 0;
    for (int k = 0; k < out->levels; k++) {
        int d = depth;
        while (d > 1 && isnan(out->level[k].smooth_at[d - 1]))
            d--;
        sum += isnan(out->level[k].smooth_at[d - 1]) ? 0 : out->level[k].smooth_at[d - 1];
    }
    return sum;
}

static void sum_up(const cycle *c)
{
    gz_vcycle_time *out = c->out;
    double z = c->request->z > 0 ? c->request->z : 1.96, chosen = 0;

    for (int k = 0; k < out->levels; k++) {
        chosen += out->level[k].seconds[GZ_PART_SMOOTH];
        for (int part = 0; part < GZ_PART_COUNT; part++)
            out->seconds += out->level[k].seconds[part];
    }
    double rest = out->seconds - chosen;
    gzi_interval(out->seconds, c->sd / out->seconds, z, out->interval);
    out->shallow_s = rest + smooth_fixed(out, 1);
    out->fixed_s = HUGE_VAL;
    for (int d = 1; d <= GZ_MAX_DEPTH; d++)
        if (rest + smooth_fixed(out, d) < out->fixed_s) {
            out->fixed_s = rest + smooth_fixed(out, d);
            out->fixed = c->most > 0 && !out->level[0].tail ? d : 0;
        }
}

static gz_status time_levels(cycle *c, gz_error *error)
{
    int n = c->out->levels;
    gz_status status = GZ_OK;
    for (int k = 0; k < n && !status; k++) {
        gz_vcycle_level *l = &c->out->level[k];
        plain_times t;
        gz_error why;
        if (k == 0 || !l->tail)
            status = time_plain(c, c->dev, c->app, l->data_length, &t, &why);
        if (!status && k == 0)
            c->launch = t.loop.launch;
        if (!status && !l->tail)
            status = smooth_level(c, k, &why);
        if (!status && !l->tail)
            status = time_fused(c, l, &t, &why);
        if (!status && k == 0)
            put(c, k, GZ_PART_NORM, 1, t.verb[NORM]);
        if (!status && !l->tail) {
            put(c, k, GZ_PART_RESTRICT, l->visits, t.verb[RESTRICT]);
            put(c, k, GZ_PART_PROLONG, l->visits, t.verb[PROLONG]);
        } else if (!status) {
            status = time_tail(c, k, &why);
            n = k;
        }
        if (status)
            return gzi_fail(error, status, "level %d: %s", k, why.text);
    }
    return status;
}

static gz_status check(const gz_vcycle_request *r, gz_error *error)
{
    if (!gz_name(GZ_CYCLES, r->cycle))
        return gzi_fail(error, GZ_EARGUMENT, "there is no cycle of number %d", (int)r->cycle);
    if (r->levels < 0 || r->levels > GZ_MAX_LEVELS)
        return gzi_fail(error, GZ_EARGUMENT, "%d levels: must be 0 to %d", r->levels,
                        GZ_MAX_LEVELS);
    for (int side = 0; side < 2; side++)
        if (r->loops[side] < 0 || r->loops[side] > 1000)
            return gzi_fail(error, GZ_EARGUMENT, "%d loops of a visit: must be 0 to 1000",
                            r->loops[side]);
    for (int k = 0; k < GZ_MAX_LEVELS; k++) {
        int given = r->way[k].block_len[0] > 0;
        if (r->depth[k] < given || (!given && r->depth[k] > GZ_MAX_DEPTH))
            return gzi_fail(error, GZ_EARGUMENT, "depth %d of level %d: must be %d to %d",
                            r->depth[k], k, given, GZ_MAX_DEPTH);
    }
    const double numbers[] = {r->tail, r->tail_s, r->z};
    static const char *const names[] = {"tail", "tail_s", "z"};
    for (int k = 0; k < 3; k++)
        if (!(numbers[k] >= 0 && isfinite(numbers[k])))
            return gzi_fail(error, GZ_EARGUMENT, "%s is %g: must be a number of at least 0",
                            names[k], numbers[k]);
    return GZ_OK;
}

gz_status gz_vcycle(const gz_device *dev, const gz_app *app, const gz_vcycle_request *request,
                    gz_vcycle_time *out, gz_error *error)
{
    if (!dev || !app || !request || !out)
        return gzi_fail_null(error, !dev       ? "device"
                                    : !app     ? "application"
                                    : !request ? "request"
                                               : "room for the result");
    gz_status status = check(request, error);
    if (!status)
        status = gzi_check_model(dev, app, NULL, error);
    if (status)
        return status;
    cycle c = {.dev = dev, .app = app, .request = request, .out = out};
    *out = (gz_vcycle_time){0};
    c.most = request->loops[0] > request->loops[1] ? request->loops[0] : request->loops[1];
    for (int k = 0; k < GZ_MAX_LEVELS; k++)
        for (int d = 0; d < GZ_MAX_DEPTH; d++)
            out->level[k].smooth_at[d] = (double)NAN;
    make_levels(&c);
    status = time_levels(&c, error);
    if (!status)
        sum_up(&c);
    return status;
}
