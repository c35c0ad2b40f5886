/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ideas.c - what is worth measuring: the best tiles of every variant and synchronisation at several
 * heights, those included that the model cannot predict, and different ones first.
 */
#include "check.h"
#include "fail.h"
#include "model.h"
#include "quantities.h"
#include "search.h"
#include "tiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Candidates of a variant and synchronisation, the tiles of them that get other heights, and how
 * many times slower than the best a candidate may be predicted to be. */
enum { EACH = 100, VARIED = 12, HEIGHTS = 5, SLOWER = 3 };

/* Tiles at each of some heights, for a variant without predictions. */
enum { BLIND_TILES = 6, BLIND_HEIGHTS = 4 };

typedef struct collection {
    const gz_device *dev;
    const gz_app *app;
    gz_tune_request request;
    gz_candidate *all; /* room for all that are looked for */
    size_t n, blind;   /* of one height: tiles */
    gz_error *why;     /* by gz_variant */
} collection;

/* ----------------------------------------------------------------------------------- predicted */

/* The tiles of the best candidates at other heights than their best. */
static void vary_heights(collection *c, size_t first)
{
    size_t tiles = c->n - first < VARIED ? c->n - first : VARIED;
    for (size_t k = first; k < first + tiles; k++) {
        const gz_config cfg = gz_config_of(&c->request, &c->all[k]);
        int best = c->all[k].way.height;
        const int other[HEIGHTS] = {best - 1, best + 1, best / 2, 2 * best, 1};
        for (int j = 0; j < HEIGHTS; j++) {
            gz_candidate *to = &c->all[c->n];
            gz_prediction p;
            gz_uncertainty sure;
            int seen = other[j] < 1 || other[j] == best;
            for (int i = 0; i < j && !seen; i++)
                seen = other[i] == other[j];
            if (seen ||
                (c->request.limits.height_max > 0 && other[j] > c->request.limits.height_max))
                continue;
            *to = c->all[k];
            to->way.height = other[j];
            if (gz_predict(c->dev, c->app, &cfg, other[j], &p, NULL) ||
                gz_propagate(c->dev, c->app, &cfg, other[j], c->request.z > 0 ? c->request.z : 1.96,
                             &sure, NULL))
                continue;
            to->cpl = p.cpl;
            to->seconds_per_loop = p.seconds_per_loop;
            memcpy(to->interval, sure.seconds, sizeof to->interval);
            c->n++;
        }
    }
}

/* What a model predicts of one variant, for each synchronisation; or why it does not. */
static gz_status predict_variant(collection *c, gz_variant variant, gz_model model, unsigned syncs)
{
    gz_tune_request one = c->request;
    gz_status worst = GZ_EMODEL;
    one.variants = 1u << variant;
    one.model = model;
    /* For a variant that gz2 alone describes, its own lack says more. */
    gz_config any = {.variant = variant};
    memcpy(any.data_length, c->request.data_length, sizeof any.data_length);
    if (!c->request.model && !(gzi_model_of(model)->variants & 1u << variant))
        gzi_gz2_can(c->dev, c->app, &any, &c->why[variant]);
    for (int sync = 0; sync < 32; sync++) {
        size_t found, first = c->n;
        gz_error why = {{0}};
        if (!(syncs & 1u << sync))
            continue;
        one.syncs = 1u << sync;
        gz_status status = gz_tune(c->dev, c->app, &one, c->all + c->n, EACH, &found, &why);
        if (status == GZ_ENOMEM)
            return status;
        if (status && !c->why[variant].text[0])
            c->why[variant] = why;
        if (status)
            continue;
        worst = GZ_OK;
        c->n += found;
        if (variant == GZ_VARIANT_TRAPEZOID)
            vary_heights(c, first);
    }
    if (!worst)
        c->why[variant] = (gz_error){{0}};
    return worst;
}

/* --------------------------------------------------------------------------------------- blind */

static void add_blind(collection *c, const gz_config *cfg, int height, unsigned syncs)
{
    for (int sync = 0; sync < 32; sync++)
        if (syncs & 1u << sync) {
            gz_candidate *to = &c->all[c->n++];
            *to =
                (gz_candidate){.way = gzi_way_of(c->dev, c->app, cfg, height), .model = cfg->model};
            to->way.sync = (gz_sync)sync;
            to->cpl = to->seconds_per_loop = to->interval[0] = to->interval[1] = (double)NAN;
        }
}

/* The arguments of a search for streamed tiles. */
struct blind_pieces {
    collection *c;
    unsigned syncs;
    gz_config cfg;
};

static gz_status add_piece(void *with, const gzi_tile *tile)
{
    struct blind_pieces *b = with;
    gzi_set_piece(tile, &b->cfg);
    add_blind(b->c, &b->cfg, tile->height, b->syncs);
    return ++b->c->blind < BLIND_TILES ? GZ_OK : GZ_ELIMITS;
}

/* Tiles that suit the device by their geometry alone. */
static void add_blind_variant(collection *c, gz_variant variant, unsigned syncs)
{
    static const int heights[BLIND_HEIGHTS] = {4, 2, 8, 1};
    static const double cpu[GZ_MAX_DIM] = {4096, 16, 8}, gpu[GZ_MAX_DIM] = {64, 4, 2};
    const gz_tile_limits limits = gzi_tune_limits(c->dev, c->app, &c->request);
    gz_config cfg = {.model = GZ_MODEL_GZ2, .variant = variant, .loops = c->request.loops};
    memcpy(cfg.data_length, c->request.data_length, sizeof cfg.data_length);
    for (int i = 0; i < c->app->dim; i++) {
        if (!(cfg.data_length[i] >= 1 && cfg.data_length[i] <= GZI_DATA_LENGTH_MAX))
            return;
        cfg.block_len[i] = fmin(cfg.data_length[i], (gzi_is_cpu(c->dev) ? cpu : gpu)[i]);
    }
    if (c->request.block_len[0] > 0 || variant == GZ_VARIANT_TRAPEZOID ||
        gzi_check_tile(c->app, &cfg, NULL))
        return;
    if (variant == GZ_VARIANT_NAIVE) {
        gzi_set_threads(c->dev, c->app, limits.threads, 1, &cfg);
        add_blind(c, &cfg, 1, syncs);
        return;
    }
    for (int k = 0; k < BLIND_HEIGHTS && c->app->dim >= gzi_stream.least_dim; k++) {
        struct blind_pieces b = {.c = c, .syncs = syncs, .cfg = cfg};
        gzi_pieces pieces = {.tile = gzi_tile_of(c->dev, c->app, &cfg, heights[k]),
                             .units = c->dev->sm_count.value,
                             .threads = limits.threads,
                             .local_bytes = limits.shared_bytes,
                             .warp = (long)c->dev->warp_size.value};
        pieces.tile.threads[0] = 0;
        c->blind = 0;
        if (!(limits.height_max > 0 && heights[k] > limits.height_max))
            gzi_visit_pieces(&pieces, heights[k], add_piece, &b);
    }
}

/* --------------------------------------------------------------------------------------- order */

static int by_time(const void *a, const void *b)
{
    const gz_candidate *x = a, *y = b;
    double s = x->seconds_per_loop, t = y->seconds_per_loop;
    if (isnan(s) || isnan(t))
        return isnan(s) - isnan(t);
    return (s > t) - (s < t);
}

/* Whether two candidates are one idea: tiles that differ by less than a tenth, and nothing else. */
static int are_twins(const gz_candidate *a, const gz_candidate *b)
{
    const gz_way *x = &a->way, *y = &b->way;
    int twins = x->variant == y->variant && x->sync == y->sync && x->height == y->height &&
                fabs((double)(x->piece - y->piece)) <= 0.1 * (double)x->piece;
    for (int i = 0; i < GZ_MAX_DIM && twins; i++)
        twins = abs(x->block[i] - y->block[i]) <= 0.1 * x->block[i];
    return twins;
}

/* What is new in candidate `k` of a list by time: 0 the variant, 1 the height of it, 2 the
 * synchronisation, 3 the tile; 4: nothing is predicted. */
static int novelty(const gz_candidate *list, size_t k)
{
    int least = 0;
    if (isnan(list[k].seconds_per_loop))
        return 4;
    for (size_t j = 0; j < k; j++) {
        int same = list[j].way.variant == list[k].way.variant;
        same += same && list[j].way.height == list[k].way.height;
        same += same == 2 && list[j].way.sync == list[k].way.sync;
        least = same > least ? same : least;
    }
    return least;
}

/* Sorts by time and leaves out twins of faster ones and what is too slow, but for the best of a
 * variant; then copies different ones first. How many. */
static size_t arrange(collection *c, gz_candidate *out, size_t n)
{
    size_t kept = 0, copied = 0;
    qsort(c->all, c->n, sizeof *c->all, by_time);
    for (size_t k = 0; k < c->n; k++) {
        int out_of_it = c->all[k].seconds_per_loop > SLOWER * c->all[0].seconds_per_loop;
        for (size_t j = 0; j < kept && !out_of_it; j++)
            out_of_it = are_twins(&c->all[j], &c->all[k]);
        c->all[kept] = c->all[k];
        kept += !out_of_it || novelty(c->all, kept) == 0;
    }
    for (int level = 0; level <= 4; level++)
        for (size_t k = 0; k < kept && copied < n; k++)
            if (novelty(c->all, k) == level)
                out[copied++] = c->all[k];
    return copied;
}

gz_status gz_ideas(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                   gz_candidate *out, size_t n, size_t *found, gz_error *unpredicted,
                   gz_error *error)
{
    enum { VARIANTS = GZI_TILINGS, SYNCS = GZ_SYNC_GRAPH + 1 };
    gz_error why[GZ_VARIANT_CAPACITY] = {{{0}}};
    gz_status status = gzi_check_tune(dev, app, request, out, n, found, error);
    if (status)
        return status;
    collection c = {.dev = dev, .app = app, .request = *request, .why = why};
    unsigned syncs = gzi_syncs_of(dev, request);
    unsigned variants = request->variants ? request->variants : (1u << VARIANTS) - 1;
    gz_model model = gzi_tune_model(dev, app, request);
    c.all = malloc((size_t)VARIANTS * SYNCS *
                   (EACH + VARIED * HEIGHTS + BLIND_TILES * BLIND_HEIGHTS) * sizeof *c.all);
    status = c.all ? GZ_OK : GZ_ENOMEM;
    for (int v = 0; v < VARIANTS && status != GZ_ENOMEM; v++) {
        if (!(variants & 1u << v) || !gzi_tiling_of((gz_variant)v))
            continue;
        status = predict_variant(&c, (gz_variant)v, model, syncs);
        if (status && status != GZ_ENOMEM)
            add_blind_variant(&c, (gz_variant)v, syncs);
    }
    if (status == GZ_ENOMEM)
        gzi_fail(error, status, "out of memory");
    else if (c.n == 0)
        status = gz_tune(dev, app, request, out, n, found, error); /* which says why */
    else
        status = GZ_OK;
    *found = status ? 0 : arrange(&c, out, n);
    if (unpredicted)
        memcpy(unpredicted, why, sizeof why);
    free(c.all);
    return status;
}
