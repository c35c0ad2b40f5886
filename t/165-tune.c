/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 165-tune - gz_tune's list equals what trying every tile, height and kind of synchronisation
 * finds, in 1, 2 and 3 dimensions under every kind of limit, by a model of which a larger tile is
 * never worse; its order is that of the time, then of the enums; each candidate predicts what it
 * says; absurd limits cost no time; and requests that nothing can meet are refused.
 */
#include "cases.h"
#include "shapes.h"
#include "tap.h"
#include "tolerance.h"

#define TOP 12

struct entry {
    double block_len[GZ_MAX_DIM], seconds;
    gz_sync sync;
    int height;
};

struct list {
    struct entry *entry;
    int n;
};

static double volume(const double *length, int dim)
{
    double product = 1;
    for (int i = 0; i < dim; i++)
        product *= length[i];
    return product;
}

static double room_of(const test_case *c, const gz_tune_request *r)
{
    double held =
        r->limits.arrays_held > 0 ? r->limits.arrays_held : c->app.stencil_arrays.value + 1;
    return r->limits.shared_bytes > 0
               ? floor(r->limits.shared_bytes / (held * c->app.element_size.value))
               : r->limits.threads;
}

static double step_of(const gz_tune_request *r, int i)
{
    return r->limits.block_step[i] > 0 ? r->limits.block_step[i] : 1;
}

static int fits(const test_case *c, const gz_tune_request *r, const double *block_len)
{
    for (int i = 0; i < c->app.dim; i++)
        if (block_len[i] <= c->app.halo_width[i] || block_len[i] > r->data_length[i] ||
            (r->limits.block_max[i] > 0 && block_len[i] > r->limits.block_max[i]) ||
            fmod(block_len[i], step_of(r, i)) != 0)
            return 0;
    return volume(block_len, c->app.dim) <= room_of(c, r);
}

/* Whether a tile fits and none that is longer in one dimension does. */
static int is_largest(const test_case *c, const gz_tune_request *r, const double *block_len)
{
    if (!fits(c, r, block_len))
        return 0;
    for (int i = 0; i < c->app.dim; i++) {
        double longer[GZ_MAX_DIM] = {block_len[0], block_len[1], block_len[2]};
        longer[i] += step_of(r, i);
        if (fits(c, r, longer))
            return 0;
    }
    return 1;
}

static void add_best_height(const test_case *c, const gz_tune_request *r, const double *block_len,
                            gz_sync sync, struct list *list)
{
    struct entry best = {.sync = sync, .seconds = HUGE_VAL};
    gz_config cfg = {.sync = sync, .tau = r->tau, .beyond = 1};
    memcpy(cfg.data_length, r->data_length, sizeof cfg.data_length);
    memcpy(cfg.block_len, block_len, sizeof cfg.block_len);
    memcpy(best.block_len, block_len, sizeof best.block_len);
    double highest = gz_height_max(&c->app, &cfg);
    if (r->limits.height_max > 0)
        highest = fmin(highest, r->limits.height_max);
    for (int h = 1; h <= highest; h++) {
        gz_prediction p;
        if (gz_predict(&c->dev, &c->app, &cfg, h, &p, NULL) == GZ_OK &&
            p.seconds_per_loop < best.seconds) {
            best.seconds = p.seconds_per_loop;
            best.height = h;
        }
    }
    list->entry[list->n++] = best;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const struct entry *)a)->seconds, y = ((const struct entry *)b)->seconds;
    return (x > y) - (x < y);
}

static struct list exhaust(const test_case *c, const gz_tune_request *r, int longest,
                           int (*counts)(const test_case *, const gz_tune_request *,
                                         const double *))
{
    int dim = c->app.dim;
    struct list list = {malloc(sizeof(struct entry) * 3 * 40000), 0};
    for (int sync = 0; sync < 3; sync++)
        for (int x = 1; x <= longest; x++)
            for (int y = 1; y <= (dim > 1 ? longest : 1); y++)
                for (int z = 1; z <= (dim > 2 ? longest : 1); z++) {
                    double block_len[GZ_MAX_DIM] = {x, y, z};
                    if (r->syncs & 1u << sync && counts(c, r, block_len))
                        add_best_height(c, r, block_len, (gz_sync)sync, &list);
                }
    qsort(list.entry, (size_t)list.n, sizeof *list.entry, by_seconds);
    return list;
}

/* A candidate is in order behind the one before it. */
static int in_order(const gz_candidate *a, const gz_candidate *b, int dim)
{
    /* Times that differ by rounding are equal: which of them is less says nothing. */
    if (fabs(a->seconds_per_loop - b->seconds_per_loop) > 1e-10 * b->seconds_per_loop)
        return a->seconds_per_loop < b->seconds_per_loop;
    if (a->way.sync != b->way.sync)
        return a->way.sync < b->way.sync;
    for (int i = 0; i < dim; i++)
        if (a->way.block[i] != b->way.block[i])
            return a->way.block[i] > b->way.block[i];
    return 0;
}

/* What a candidate says of itself. */
static int is_true(const test_case *c, const gz_tune_request *r, const gz_candidate *one)
{
    gz_prediction p;
    gz_uncertainty u;
    const gz_config cfg = gz_config_of(r, one);
    double threads = volume(cfg.threads, c->app.dim);
    double limit = fmin(c->dev.max_threads_per_block.value,
                        r->limits.threads > 0 ? r->limits.threads : HUGE_VAL);
    int good = gz_predict(&c->dev, &c->app, &cfg, one->way.height, &p, NULL) == GZ_OK &&
               p.seconds_per_loop == one->seconds_per_loop && p.cpl == one->cpl;
    good = good && threads >= 1 && threads <= limit &&
           gz_propagate(&c->dev, &c->app, &cfg, one->way.height, 1.96, &u, NULL) == GZ_OK &&
           fabs(u.seconds[0] - one->interval[0]) <= TOL_VALUE * u.seconds[1] &&
           fabs(u.seconds[1] - one->interval[1]) <= TOL_VALUE * u.seconds[1];
    for (int i = 0; i < c->app.dim; i++)
        good = good && one->way.threads[i] >= 1 && one->way.threads[i] <= one->way.block[i];
    return good;
}

/* Limits of all kinds, each there or not. */
static void draw_limits(gsl_rng *rng, int k, int longest, test_case *c, gz_tune_request *r)
{
    for (int i = 0; i < c->app.dim; i++) {
        r->data_length[i] = whole(rng, 6, longest);
        r->limits.block_step[i] = k % 3 == 0 ? whole(rng, 1, 4) : 0;
        r->limits.block_max[i] = k % 4 == 0 ? whole(rng, 3, longest) : 0;
    }
    r->limits.threads = c->dev.max_threads_per_block.value;
    if (k % 2)
        r->limits.shared_bytes = whole(rng, 64, 20000);
    else
        c->dev.shared_mem_per_block = (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    if (k % 8 == 1)
        r->limits.arrays_held = 2;
    r->limits.height_max = k % 5 == 0 ? whole(rng, 1, 4) : 0;
}

/* How many requests left no tile. */
static int dimension(gsl_rng *rng, int dim, int cases, int longest)
{
    int wrong = 0, disorder = 0, untrue = 0, compared = 0, wider = 0, modes = 0, smaller = 0;
    for (int k = 0; k < cases; k++) {
        test_case c = random_case(rng);
        while (c.app.dim != dim)
            c = random_case(rng);
        c.dev.graph_overhead =
            (gz_quantity){c.dev.launch_overhead.value / 2, 0, GZ_ORIGIN_MEASURED};
        c.dev.launch_overhead.sd = c.dev.launch_overhead.value / 10;
        c.dev.max_threads_per_block.value = whole(rng, 16, 512);
        for (int i = 0; i < dim; i++)
            c.app.halo_width[i] = whole(rng, i == 0, 4);
        gz_tune_request r = {.tau = c.cfg.tau, .syncs = (unsigned)whole(rng, 1, 7)};
        draw_limits(rng, k, longest, &c, &r);

        struct list want = exhaust(&c, &r, longest, is_largest);
        gz_candidate got[TOP];
        gz_error error = {""};
        size_t found = 0;
        gz_status status = gz_tune(&c.dev, &c.app, &r, got, TOP, &found, &error);
        if (want.n == 0) {
            wrong += status != GZ_ELIMITS || !error.text[0];
            free(want.entry);
            continue;
        }
        struct list all = exhaust(&c, &r, longest, fits);
        smaller += all.entry[0].seconds < (1 - TOL_TIE) * want.entry[0].seconds;
        free(all.entry);
        compared++;
        int expected = want.n < TOP ? want.n : TOP;
        wrong += status != GZ_OK || (int)found != expected;
        for (int j = 0; j < (int)found && j < want.n; j++) {
            const gz_config cfg = gz_config_of(&r, &got[j]);
            double seconds = want.entry[j].seconds;
            wrong += fabs(got[j].seconds_per_loop - seconds) > TOL_TIE * seconds ||
                     !is_largest(&c, &r, cfg.block_len);
            disorder += j > 0 && !in_order(got + j - 1, got + j, dim);
            untrue += !is_true(&c, &r, got + j);
            wider += volume(cfg.threads, dim) < volume(cfg.block_len, dim);
            modes |= 1 << got[j].way.sync;
        }
        free(want.entry);
    }
    tap_ok(!wrong && compared > cases / 2, "%d-D: as trying all, %d of %d cases", dim, compared,
           cases);
    tap_ok(!smaller, "%d-D: no smaller tile is faster", dim);
    tap_ok(!disorder, "%d-D: ranked, equal ones by mode and then by the longer tile", dim);
    tap_ok(!untrue, "%d-D: each candidate predicts what it says, with its interval", dim);
    tap_ok(wider > 0 && modes == 7, "%d-D: with fewer threads than elements, in all modes", dim);
    return cases - compared;
}

/* The best tile by the 2011 model. */
static gz_status tune(const test_case *c, const gz_tile_limits *limits, gz_candidate *out)
{
    size_t found;
    gz_tune_request request = {.model = GZ_MODEL_MENG2011,
                               .tau = c->cfg.tau,
                               .syncs = 1u << c->cfg.sync,
                               .limits = *limits};
    memcpy(request.data_length, c->cfg.data_length, sizeof request.data_length);
    return gz_tune(&c->dev, &c->app, &request, out, 1, &found, NULL);
}

static void limits_of_device(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    gz_candidate got;
    gz_tile_limits good = {.threads = 512, .shared_bytes = 16384}, none = {0};
    gz_candidate own;
    tap_ok(tune(&c, &good, &got) == GZ_OK && tune(&c, &none, &own) == GZ_OK &&
               memcmp(&got, &own, sizeof got) == 0 &&
               own.way.threads[0] * own.way.threads[1] <= 512,
           "without limits, the device's are: its threads and its shared memory");
    good.threads = 1e300;
    tap_ok(tune(&c, &good, &got) == GZ_OK && memcmp(&got, &own, sizeof got) == 0,
           "more threads than the device has are those that it has");
}

/* How many shapes are visited, of which only the largest count. */
static gz_status count(void *with, const double block_len[GZ_MAX_DIM], double *cost)
{
    (void)block_len;
    (void)cost;
    ++*(long *)with;
    return GZ_OK;
}

static long visited(const test_case *c, const gz_tile_limits *limits)
{
    gzi_shapes shapes;
    long visits = 0;
    if (gzi_shapes_of(&c->app, &c->cfg, limits, limits->threads, 1, &shapes, NULL) == GZ_OK)
        gzi_visit_shapes(&shapes, count, &visits);
    return visits;
}

/* Absurd limits cost no time: either nothing is to be searched for, or lengths are coarser. */
static void bounded_work(void)
{
    test_case c = benchmark_case(CELL, GZ_SYNC_RESTART);
    gz_candidate got = {.way = {.height = 0}};
    const int *block = got.way.block;
    gz_tile_limits limits = {.threads = 1e15};
    c.dev.max_threads_per_block.value = 1e15;
    c.dev.shared_mem_per_block = (gz_quantity){0};
    for (int i = 0; i < 3; i++)
        c.cfg.data_length[i] = 1e5;
    tap_ok(tune(&c, &limits, &got) == GZ_OK && visited(&c, &limits) == 1 && block[0] == 1e5 &&
               block[1] == 1e5 && block[2] == 1e5,
           "room for the whole grid: it is the tile, at once");
    limits.threads = 5e14;
    gz_status status = tune(&c, &limits, &got);
    long visits = visited(&c, &limits);
    double cells = 1.0 * block[0] * block[1] * block[2];
    tap_ok(status == GZ_OK && visits > 1 && visits < 100000 && cells <= 5e14 && cells > 4.9e14,
           "room for half of it: %ld shapes of coarser lengths, the best has %g cells", visits,
           cells);
    limits.block_step[0] = limits.block_step[1] = limits.block_step[2] = 3;
    tap_ok(tune(&c, &limits, &got) == GZ_ELIMITS, "refused if the lengths must be finer");
    limits = (gz_tile_limits){.threads = 1e15};
    limits.block_max[1] = 103;
    limits.block_step[1] = 8;
    limits.block_max[2] = 50;
    tap_ok(tune(&c, &limits, &got) == GZ_OK && visited(&c, &limits) == 1 && block[0] == 1e5 &&
               block[1] == 96 && block[2] == 50,
           "room for all that the caps leave: at once");
    limits.threads = 1e6;
    status = tune(&c, &limits, &got);
    visits = visited(&c, &limits);
    cells = 1.0 * block[0] * block[1] * block[2];
    tap_ok(status == GZ_OK && visits > 1 && visits < 100000 && cells <= 1e6 && cells > 9e5,
           "room for less, within the caps: %ld shapes for %g cells", visits, cells);
    c.app.dim = 1;
    limits = (gz_tile_limits){.threads = 1e9 - 1};
    c.cfg.data_length[0] = 1e12;
    tap_ok(tune(&c, &limits, &got) == GZ_OK && visited(&c, &limits) == 1 && block[0] == 1e9 - 1,
           "one dimension has one shape, however long");
}

/* Which modes are searched unless the request says. */
static void modes(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    gz_tune_request r = {.data_length = {2000, 2000}};
    gz_candidate got[500];
    size_t found = 0;
    unsigned seen = 0;
    int good = gz_tune(&c.dev, &c.app, &r, got, 500, &found, NULL) == GZ_OK;
    for (size_t k = 0; k < found; k++)
        seen |= 1u << got[k].way.sync;
    tap_ok(good && seen == 3, "without graph_overhead: restarts and fences");
    c.dev.graph_overhead = (gz_quantity){2000, 0, GZ_ORIGIN_MEASURED};
    c.dev.fence_overhead = (gz_quantity){0, 0, GZ_ORIGIN_NONE};
    good = gz_tune(&c.dev, &c.app, &r, got, 500, &found, NULL) == GZ_OK;
    seen = 0;
    for (size_t k = 0; k < found; k++)
        seen |= 1u << got[k].way.sync;
    tap_ok(good && seen == 5, "with it, and without fence_overhead: restarts and graphs");
}

static void refusals(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    const gz_tune_request sound = {.data_length = {2000, 2000}};
    gz_candidate got[3];
    size_t found;
    gz_error error;
#define REFUSED(want, members, about)                                                              \
    do {                                                                                           \
        gz_tune_request r = sound;                                                                 \
        members;                                                                                   \
        error.text[0] = '\0';                                                                      \
        gz_status status = gz_tune(&c.dev, &c.app, &r, got, 3, &found, &error);                    \
        tap_ok(status == (want) && found == 0 && strstr(error.text, about), "%s: %s", #members,    \
               error.text);                                                                        \
    } while (0)
    found = 0;
    REFUSED(GZ_ECONFIG, r.data_length[1] = 0, "size: extent 1");
    REFUSED(GZ_EARGUMENT, r.model = (gz_model)77, "model of number 77");
    REFUSED(GZ_EARGUMENT, r.tau = (gz_tau)7, "tau of number 7");
    REFUSED(GZ_EARGUMENT, r.syncs = 1u << 9, "synchronisation of number 9");
    REFUSED(GZ_EDEVICE, r.syncs = 1u << GZ_SYNC_GRAPH, "graph_overhead");
    REFUSED(GZ_EARGUMENT, r.variants = 1u << 9, "variant of number 9");
    REFUSED(GZ_EMODEL, (r.model = GZ_MODEL_MENG2011, r.variants = 1u << GZ_VARIANT_NAIVE),
            "does not describe variant naive: must be trapezoid, or model gz2");
    REFUSED(GZ_ELIMITS, r.limits.threads = -1, "whole numbers");
    REFUSED(GZ_ELIMITS, r.limits.shared_bytes = (double)NAN, "whole numbers");
    REFUSED(GZ_ELIMITS, r.limits.arrays_held = 0.5, "whole numbers");
    REFUSED(GZ_ELIMITS, r.limits.block_max[1] = -1, "whole numbers");
    REFUSED(GZ_ELIMITS, r.limits.block_step[0] = (double)NAN, "whole numbers");
    REFUSED(GZ_ELIMITS, r.limits.shared_bytes = 11, "leaves anything to commit");
    REFUSED(GZ_ECONFIG, r.block_len[0] = 20, "in all dimensions");
    REFUSED(GZ_EBLOCK, r.block_len[0] = r.block_len[1] = 2, "must exceed");
    REFUSED(GZ_ECONFIG, r.block_len[0] = r.block_len[1] = HUGE_VAL, "extent 0 is inf");
    REFUSED(GZ_EARGUMENT, r.z = -1, "z is -1");
#undef REFUSED
    tap_ok(gz_tune(&c.dev, &c.app, &sound, got, 0, &found, NULL) == GZ_EARGUMENT &&
               gz_tune(&c.dev, &c.app, &sound, NULL, 3, &found, NULL) == GZ_EARGUMENT,
           "no room is refused");
}

static void described(void)
{
    gz_error error = {""};
    int right = 1;
    for (int v = 0; v <= GZ_VARIANT_NAIVE; v++) {
        gz_status first = v == GZ_VARIANT_TRAPEZOID ? GZ_OK : GZ_EMODEL;
        right = right && !gz_model_describes(GZ_MODEL_GZ2, (gz_variant)v, NULL) &&
                gz_model_describes(GZ_MODEL_MENG2011, (gz_variant)v, &error) == first;
    }
    tap_ok(right && strstr(error.text, "variant naive: must be trapezoid, or model gz2"),
           "which variants a model describes: %s", error.text);
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    gz_prediction p;
    gz_gradient gradient;
    gz_optimum optimum;
    gz_choice choice;
    c.cfg.model = GZ_MODEL_MENG2011;
    c.cfg.variant = GZ_VARIANT_STREAM;
    tap_ok(gz_predict(&c.dev, &c.app, &c.cfg, 2, &p, NULL) == GZ_EMODEL &&
               gz_predict_gradient(&c.dev, &c.app, &c.cfg, 2, &gradient, NULL) == GZ_EMODEL &&
               gz_optimize(&c.dev, &c.app, &c.cfg, NULL, &optimum, NULL) == GZ_EMODEL &&
               gz_choose(&c.dev, &c.app, &c.cfg, &choice, NULL) == GZ_EMODEL,
           "which every function refuses to predict");
    tap_ok(gz_model_describes((gz_model)9, GZ_VARIANT_NAIVE, &error) == GZ_EARGUMENT &&
               strstr(error.text, "model of number 9") &&
               gz_model_describes(GZ_MODEL_GZ2, (gz_variant)9, &error) == GZ_EARGUMENT &&
               strstr(error.text, "variant of number 9"),
           "of values that exist: %s", error.text);
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    int none = dimension(rng, 1, 60, 400) + dimension(rng, 2, 60, 60) + dimension(rng, 3, 60, 24);
    tap_ok(none > 0, "%d requests, which left no tile, are refused", none);
    gsl_rng_free(rng);
    limits_of_device();
    bounded_work();
    modes();
    refusals();
    described();
    return tap_done();
}
