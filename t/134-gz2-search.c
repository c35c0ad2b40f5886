/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The searches of gz2: the time alone is the whole prediction's; no prediction is less
 * than the lower bounds, which are close; gz_optimize and gz_tune, which leave out what the bounds
 * exclude, find what trying everything finds, with fewer predictions, or, of too many tiles or
 * heights to try, what is nearly as good.
 */
#include "gz2_cases.h"
#include "gzmodel.h"
#include "tap.h"

enum { CASES = 300, HEIGHTS = 24, WANTED = 5 };

/* Times that differ by less are equal. */
static const double EQUAL = 1e-10;

/* The exact model without derivatives, of random variants. */
static void seconds_alone(void)
{
    unsigned long long state = gz2_seed(15);
    int same = 1, compared = 0, refused = 0;
    for (int k = 0; k < 20 * CASES; k++) {
        gzi_gz2 model;
        gzi_gz2_config c;
        gzi_gz2_prediction whole;
        double seconds = 0;
        gz2_random_model(&state, &model);
        gz2_random_config(&state, &model, 1000, &c);
        gz2_random_variant(&state, &model, &c);
        gzi_gz2_status status = gzi_gz2_predict(&model, &c, &whole);
        same = same && gzi_gz2_seconds(&model, &c, &seconds) == status;
        same = same && (status != GZI_GZ2_OK || seconds == whole.seconds);
        compared += status == GZI_GZ2_OK;
        refused += status != GZI_GZ2_OK;
    }
    tap_ok(same && compared > 10 * CASES && refused > 0,
           "the time alone is the prediction's to the last bit, %d of them, as are %d refusals",
           compared, refused);
}

/* Bounds of random models on random grids, at single heights and at several. */
static void bounds(void)
{
    unsigned long long state = gz2_seed(14);
    int compared = 0, above = 1, below = 1, below_all = 1, none = 1, close = 0, waves = 0;
    for (int k = 0; k < CASES; k++) {
        gzi_gz2 model;
        gzi_gz2_config c;
        double exact[HEIGHTS + 1];
        gz2_random_model(&state, &model);
        gz2_random_config(&state, &model, 10, &c);
        c.variant = GZ_VARIANT_TRAPEZOID;
        c.loops = HEIGHTS;
        for (int i = 0; i < model.stencil.dim; i++) {
            c.grid[i] = (long)gz2_logarithmic(&state, 100, model.stencil.dim == 1 ? 1e6 : 600);
            c.block[i] = (int)gz2_logarithmic(&state, 8, 300);
        }
        for (int h = 1; h <= HEIGHTS; h++) {
            gzi_gz2_prediction p;
            c.height = h;
            double bound = gzi_gz2_bound(&model, &c, h);
            int refused = gzi_gz2_predict(&model, &c, &p) != GZI_GZ2_OK;
            exact[h] = refused ? (double)INFINITY : p.seconds;
            none = none && refused == isinf(bound);
            if (refused)
                continue;
            compared++;
            below = below && bound <= p.seconds * (1 + 1e-12);
            if (p.resident > 1) {
                waves++;
                close += bound > 0.98 * p.seconds;
            }
        }
        for (int low = 1; low < HEIGHTS; low++)
            for (c.height = low + 1; c.height <= HEIGHTS; c.height += 3) {
                double bound = gzi_gz2_bound(&model, &c, low), least = (double)INFINITY;
                for (int h = low; h <= c.height; h++)
                    least = fmin(least, exact[h]);
                /* What the highest leaves nothing of is asked of nobody. */
                if (!isinf(exact[c.height]))
                    below_all = below_all && bound <= least * (1 + 1e-12);
                above = above && bound >= 0;
            }
        c.variant = GZ_VARIANT_STREAM;
        none = none && gzi_gz2_bound(&model, &c, 1) == 0;
    }
    tap_ok(below && compared > CASES * HEIGHTS / 4, "none of %d predictions is below its bound",
           compared);
    tap_ok(below_all && above, "nor below the bound of several heights");
    tap_ok(4 * close > 3 * waves && waves > 0,
           "%d of %d that go in waves are at most 2 %% above it", close, waves);
    tap_ok(none, "it is infinite where nothing is predicted, and 0 for streamed tiles");
}

/* Opens a built-in device and its application; a failed check if they are not there. */
static int opens(const char *device, const char *stencil, gz_device *dev, gz_app *app)
{
    gz_error error = {""};
    int open = !gz_device_open(device, dev, &error) && !gz_app_open(stencil, device, app, &error);
    if (!open)
        tap_ok(0, "%s, %s: %s", device, stencil, error.text);
    return open;
}

/* Every height of a tile by its predictions; how many there were. */
static int try_heights(const gz_device *dev, const gz_app *app, const gz_config *cfg, int most,
                       gz_prediction *best, int *height)
{
    int tried = 0;
    *height = 0;
    for (int h = 1; h <= most && h < gz_pole(app, cfg); h++) {
        gz_prediction p;
        tried++;
        if (gz_predict(dev, app, cfg, h, &p, NULL) == GZ_OK &&
            (!*height || p.seconds_per_loop < best->seconds_per_loop)) {
            *best = p;
            *height = h;
        }
    }
    return tried;
}

static int is_same(const gz_way *a, const gz_way *b)
{
    return a->height == b->height && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->threads, b->threads, sizeof a->threads) == 0;
}

typedef struct list {
    gz_candidate best[WANTED];
    int found;
    long tried;
} list;

static void offer(list *l, const gz_candidate *tile, int height, double seconds)
{
    int at = l->found;
    while (at > 0 && seconds < (1 - EQUAL) * l->best[at - 1].seconds_per_loop)
        at--;
    if (at == WANTED)
        return;
    l->found += l->found < WANTED;
    memmove(l->best + at + 1, l->best + at, (size_t)(l->found - at - 1) * sizeof *l->best);
    l->best[at] = *tile;
    l->best[at].way.height = height;
    l->best[at].seconds_per_loop = seconds;
}

/* gz_optimize in the tiles of a list and gz_tune over them, against every tile at every height. */
static void searches(const char *device, const char *stencil, double size)
{
    enum { STEP = 16, CAP = 160, MOST = 40 };
    gz_device dev;
    gz_app app;
    gz_error error = {""};
    gz_candidate found[WANTED];
    size_t n = 0;
    list all = {.found = 0};
    long evaluations = 0;
    int same_height = 1;
    gz_tune_request request = {.model = GZ_MODEL_GZ2,
                               .syncs = 1u << GZ_SYNC_RESTART | 1u << GZ_SYNC_FENCE,
                               .variants = 1u << GZ_VARIANT_TRAPEZOID,
                               .limits = {.height_max = MOST, .shared_bytes = 120000}};
    if (!opens(device, stencil, &dev, &app))
        return;
    for (int i = 0; i < app.dim; i++) {
        request.data_length[i] = size;
        request.limits.block_step[i] = STEP;
        request.limits.block_max[i] = CAP;
    }
    for (int sync = GZ_SYNC_RESTART; sync <= GZ_SYNC_FENCE; sync++)
        for (double x = CAP; x >= STEP; x -= STEP)
            for (double y = app.dim > 1 ? CAP : 1; y >= 1; y -= STEP)
                for (double z = app.dim > 2 ? CAP : 1; z >= 1; z -= STEP) {
                    gz_tune_request one = request;
                    gz_candidate tile;
                    gz_prediction p = {.cpl = 0};
                    gz_optimum best;
                    size_t some;
                    int height;
                    one.syncs = 1u << sync;
                    one.block_len[0] = x;
                    one.block_len[1] = app.dim > 1 ? y : 0;
                    one.block_len[2] = app.dim > 2 ? z : 0;
                    if (x * y * z * (app.stencil_arrays.value + 1) * app.element_size.value >
                            request.limits.shared_bytes ||
                        gz_tune(&dev, &app, &one, &tile, 1, &some, NULL))
                        continue;
                    const gz_config cfg = gz_config_of(&one, &tile);
                    all.tried += try_heights(&dev, &app, &cfg, MOST, &p, &height);
                    if (height)
                        offer(&all, &tile, height, p.seconds_per_loop);
                    gz_bounds to = {.upper = MOST};
                    if (gz_optimize(&dev, &app, &cfg, &to, &best, NULL) == GZ_OK) {
                        evaluations += best.evaluations;
                        same_height =
                            same_height && best.integer == height && best.prediction.cpl == p.cpl;
                    } else {
                        same_height = same_height && !height;
                    }
                }
    tap_ok(same_height && evaluations > 0 && 2 * evaluations < all.tried,
           "%s, %s: the best height in every tile, by %ld predictions of %ld", device, stencil,
           evaluations, all.tried);
    gz_status status = gz_tune(&dev, &app, &request, found, WANTED, &n, &error);
    int same = !status && (int)n == all.found && n == WANTED;
    for (size_t k = 0; k < n && same; k++)
        same = found[k].seconds_per_loop == all.best[k].seconds_per_loop &&
               is_same(&found[k].way, &all.best[k].way);
    tap_ok(same, "%s, %s: the five fastest of all are tuned", device, stencil);
    for (size_t k = 0; k < n && !same; k++)
        tap_note("%dx%dx%d at %d: %.17g; %dx%dx%d at %d: %.17g", found[k].way.block[0],
                 found[k].way.block[1], found[k].way.block[2], found[k].way.height,
                 found[k].seconds_per_loop, all.best[k].way.block[0], all.best[k].way.block[1],
                 all.best[k].way.block[2], all.best[k].way.height, all.best[k].seconds_per_loop);
}

/* Whether a candidate comes before another, by the documented rule. */
static int is_before(const gz_candidate *a, const gz_candidate *b)
{
    if (fabs(a->seconds_per_loop - b->seconds_per_loop) > EQUAL * b->seconds_per_loop)
        return a->seconds_per_loop < b->seconds_per_loop;
    for (int i = 0; i < GZ_MAX_DIM; i++)
        if (a->way.block[i] != b->way.block[i])
            return a->way.block[i] > b->way.block[i];
    return 0;
}

/* Blocks without local memory, many of which take the same time: in the documented order, from a
 * search of all as from trying them in the opposite order, and from a search of some. */
/* A device that is built in, or beside a kept table, and its application. */
static void ties(const char *device, const char *stencil, double size)
{
    enum { STEP = 8, CAP = 128, TOP = 60 };
    static gz_candidate found[TOP], tried[TOP + 1];
    gz_device dev;
    gz_app app;
    gz_error error = {""};
    size_t n = 0, count = 0;
    int equal = 0, ordered = 1;
    gz_tune_request request = {.model = GZ_MODEL_GZ2,
                               .data_length = {size, size},
                               .syncs = 1u << GZ_SYNC_RESTART,
                               .variants = 1u << GZ_VARIANT_NAIVE,
                               .limits = {.shared_bytes = 1e6}};
    if (!opens(device, stencil, &dev, &app))
        return;
    for (double x = STEP; x <= CAP; x += STEP)
        for (double y = STEP; y <= CAP; y += STEP) {
            gz_tune_request one = request;
            size_t some, at = count;
            one.block_len[0] = x;
            one.block_len[1] = y;
            if (gz_tune(&dev, &app, &one, &tried[TOP], 1, &some, NULL))
                continue;
            gz_candidate block = tried[TOP];
            while (at > 0 && is_before(&block, &tried[at - 1]))
                at--;
            count += count < TOP;
            for (size_t k = count - 1; k > at; k--)
                tried[k] = tried[k - 1];
            if (at < TOP)
                tried[at] = block;
        }
    gz_tune_request all = request;
    for (int i = 0; i < 2; i++) {
        all.limits.block_step[i] = STEP;
        all.limits.block_max[i] = CAP;
    }
    gz_status status = gz_tune(&dev, &app, &all, found, TOP, &n, &error);
    int same = !status && n == count && n == TOP;
    for (size_t k = 0; k < n && same; k++) {
        same = is_same(&found[k].way, &tried[k].way);
        equal += k > 0 && fabs(found[k].seconds_per_loop - found[k - 1].seconds_per_loop) <=
                              EQUAL * found[k].seconds_per_loop;
    }
    tap_ok(same, "%s, %s: the first %d blocks, %d of them as fast as the one before", device,
           stencil, TOP, equal);
    status = gz_tune(&dev, &app, &request, found, TOP, &n, &error);
    for (size_t k = 1; k < n; k++)
        ordered = ordered && is_before(&found[k - 1], &found[k]);
    tap_ok(!status && n == TOP && ordered, "%s, %s: so are some of all blocks", device, stencil);
}

/* More tiles or heights than are tried one by one: the search need not find the best of all; so
 * much worse it may be. */
static const double allowance = 0.02;

/* The best predicted time of every whole tile up to `cap` that is considered, each at its best
 * height. */
static double best_of_all(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                          double cap)
{
    double best = HUGE_VAL;
    double step = dev->warp_size.value; /* rows of whole warps */
    for (double x = step; x <= cap; x += step)
        for (double y = app->halo_width[1] + 1; y <= cap; y++) {
            gz_tune_request one = *request;
            gz_candidate found[1];
            size_t n = 0;
            if (x <= app->halo_width[0])
                continue;
            one.block_len[0] = x;
            one.block_len[1] = y;
            double held = app->stencil_arrays.value + 1;
            if (x * y * held * app->element_size.value > request->limits.shared_bytes)
                continue;
            if (!gz_tune(dev, app, &one, found, 1, &n, NULL) && n == 1)
                best = fmin(best, found[0].seconds_per_loop);
        }
    return best;
}

static void coarse_tiles(const char *name, const char *stencil)
{
    enum { CAP = 100 };
    gz_device dev;
    gz_app app;
    gz_candidate found[WANTED];
    size_t n = 0;
    gz_tune_request request = {
        .data_length = {1000, 700},
        .model = GZ_MODEL_GZ2,
        .syncs = 1u << GZ_SYNC_RESTART,
        .variants = 1u << GZ_VARIANT_TRAPEZOID, /* others have tiles of their own */
        .limits = {.shared_bytes = 48 * 1024, .block_max = {CAP, CAP}, .height_max = 12}};
    if (!opens(name, stencil, &dev, &app))
        return;
    gz_status status = gz_tune(&dev, &app, &request, found, WANTED, &n, NULL);
    double best = best_of_all(&dev, &app, &request, CAP);
    tap_ok(!status && found[0].seconds_per_loop <= (1 + allowance) * best &&
               found[0].seconds_per_loop >= best * (1 - 1e-12),
           "%s, %s: some of %d tiles, %.2f %% from the best of all", name, stencil, CAP * CAP,
           100 * (found[0].seconds_per_loop / best - 1));
    int distinct = n == WANTED;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            distinct = distinct &&
                       memcmp(found[i].way.block, found[k].way.block, sizeof found[i].way.block);
    tap_ok(distinct, "%s, %s: the candidates differ", name, stencil);
}

static void coarse_heights(const char *name)
{
    gz_device dev;
    gz_app app;
    gz_optimum best;
    gz_config cfg = {
        .data_length = {1000000}, .block_len = {6000}, .threads = {128}, .model = GZ_MODEL_GZ2};
    if (!opens(name, "pathfinder", &dev, &app))
        return;
    gz_status status = gz_optimize(&dev, &app, &cfg, NULL, &best, NULL);
    double least = HUGE_VAL;
    for (int h = 1; h <= best.height_max; h++) {
        gz_prediction p;
        if (!gz_predict(&dev, &app, &cfg, h, &p, NULL))
            least = fmin(least, p.cpl);
    }
    tap_ok(!status && best.prediction.cpl <= (1 + allowance) * least && best.evaluations < 600,
           "%s: %d of %d heights, %.3f %% from the best of all", name, best.evaluations,
           best.height_max, 100 * (best.prediction.cpl / least - 1));
}

int main(void)
{
    static const char *const devices[] = {"h200", "mi210", "pocl-xeon-2core"};
    seconds_alone();
    bounds();
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
        searches(devices[k], "pathfinder", 100000);
        searches(devices[k], "hotspot", 1000);
        searches(devices[k], "cell", 100);
    }
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k += 2) {
        coarse_tiles(devices[k], "hotspot");
        coarse_tiles(devices[k], "poisson");
        coarse_heights(devices[k]);
    }
    ties("h200", "hotspot", 1000);
    ties("pocl-xeon-2core", "hotspot", 1000);
    return tap_done();
}
