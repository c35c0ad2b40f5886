/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 160-tile - the first of gz_tune equals trying every shape at every height, in 1, 2 and 3
 * dimensions, under every kind of limit, by a model of which a larger tile is never worse.
 */
#include "cases.h"
#include "shapes.h"
#include "tap.h"
#include "tolerance.h"

struct best {
    double cpl;
    double block_len[GZ_MAX_DIM];
    int height, shapes, ties; /* ties: shapes whose CPL is the best one's but for rounding */
};

/* The limits in plain words: what a shape may be. */
static int allowed(const test_case *c, const gz_tile_limits *limits, const double *block_len)
{
    double volume = 1, held = limits->arrays_held;
    if (held == 0)
        held = c->app.stencil_arrays.value + 1;
    for (int i = 0; i < c->app.dim; i++) {
        volume *= block_len[i];
        if (block_len[i] > c->cfg.data_length[i] || block_len[i] <= c->app.halo_width[i])
            return 0;
        if (limits->block_max[i] > 0 && block_len[i] > limits->block_max[i])
            return 0;
        if (limits->block_step[i] > 0 && fmod(block_len[i], limits->block_step[i]) != 0)
            return 0;
    }
    return limits->shared_bytes == 0
               ? volume <= limits->threads
               : volume * held * c->app.element_size.value <= limits->shared_bytes;
}

/* The best tile by the library. */
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

static void try_shape(const test_case *c, const double *block_len, struct best *best)
{
    test_case shaped = *c;
    shaped.cfg.beyond = 1;
    memcpy(shaped.cfg.block_len, block_len, sizeof shaped.cfg.block_len);
    best->shapes++;
    double least = HUGE_VAL;
    int height = 0;
    for (int h = 1; h <= gz_height_max(&shaped.app, &shaped.cfg); h++) {
        gz_prediction p;
        if (gz_predict(&shaped.dev, &shaped.app, &shaped.cfg, h, &p, NULL) == GZ_OK &&
            p.cpl < least) {
            least = p.cpl;
            height = h;
        }
    }
    if (fabs(least - best->cpl) <= TOL_TIE * least)
        best->ties++;
    if (least < best->cpl) {
        if (best->cpl - least > TOL_TIE * least)
            best->ties = 1;
        best->cpl = least;
        best->height = height;
        memcpy(best->block_len, block_len, sizeof best->block_len);
    }
}

/* Every shape up to `longest` in each dimension. */
static struct best exhaust(const test_case *c, const gz_tile_limits *limits, int longest)
{
    struct best best = {.cpl = HUGE_VAL};
    int dim = c->app.dim;
    for (int x = 1; x <= longest; x++)
        for (int y = 1; y <= (dim > 1 ? longest : 1); y++)
            for (int z = 1; z <= (dim > 2 ? longest : 1); z++) {
                double block_len[GZ_MAX_DIM] = {x, y, z};
                if (allowed(c, limits, block_len))
                    try_shape(c, block_len, &best);
            }
    return best;
}

struct tally {
    int cases, infeasible, wrong, unlike, anisotropic;
    long shapes;
};

static void try_case(struct tally *tally, const test_case *c, const gz_tile_limits *limits,
                     int longest)
{
    struct best want = exhaust(c, limits, longest);
    gz_candidate got = {.height = 0};
    gz_status status = tune(c, limits, &got);
    const double *block = got.config.block_len;
    tally->cases++;
    if (want.shapes == 0) {
        tally->infeasible++;
        tally->wrong += status != GZ_ELIMITS;
        return;
    }
    tally->shapes += want.shapes;
    int same = 1;
    for (int i = 0; i < c->app.dim; i++) {
        same &= block[i] == want.block_len[i];
        tally->anisotropic += block[i] != block[0];
    }
    same &= got.height == want.height;
    int as_good = status == GZ_OK && allowed(c, limits, block) &&
                  fabs(got.cpl - want.cpl) <= TOL_TIE * want.cpl;
    if (!as_good && !tally->wrong) {
        tap_note("%s: %gx%gx%g, height %d, CPL %.17g; want %gx%gx%g, %d, %.17g",
                 gz_strerror(status), block[0], block[1], block[2], got.height, got.cpl,
                 want.block_len[0], want.block_len[1], want.block_len[2], want.height, want.cpl);
        show_case(c);
    }
    tally->wrong += !as_good;
    tally->unlike += !same && want.ties <= 1;

    /* Its height is the best one of that block. */
    gz_optimum alone;
    if (gz_optimize(&c->dev, &c->app, &got.config, NULL, &alone, NULL) != GZ_OK ||
        alone.integer != got.height || alone.prediction.cpl != got.cpl)
        tally->wrong++;
}

/* Limits of all kinds, each there or not. */
static gz_tile_limits draw_limits(gsl_rng *rng, const test_case *c, double room)
{
    gz_tile_limits limits = {.threads = whole(rng, 8, room)};
    double bytes = c->app.element_size.value * (c->app.stencil_arrays.value + 1);
    switch (gsl_rng_uniform_int(rng, 3)) {
    case 0:
        limits.shared_bytes = floor(bytes * whole(rng, 1, room));
        break;
    case 1:
        limits.shared_bytes = floor(c->app.element_size.value * 2 * limits.threads);
        limits.arrays_held = 2;
        break;
    default:
        break;
    }
    for (int i = 0; i < c->app.dim; i++) {
        if (gsl_rng_uniform_int(rng, 3) == 0)
            limits.block_max[i] = whole(rng, 1, room / 2);
        if (gsl_rng_uniform_int(rng, 3) == 0)
            limits.block_step[i] = whole(rng, 1, 8);
    }
    return limits;
}

static void dimension(gsl_rng *rng, int dim, int cases, double room)
{
    struct tally tally = {0};
    for (int k = 0; k < cases; k++) {
        test_case c = random_case(rng);
        c.app.dim = dim;
        for (int i = 0; i < dim; i++) {
            c.app.halo_width[i] = whole(rng, i == 0, dim == 3 ? 2 : 4);
            c.cfg.data_length[i] = gsl_rng_uniform_int(rng, 4) ? 1000 : whole(rng, 1, 20);
        }
        c.dev.max_threads_per_block.value = room;
        c.dev.shared_mem_per_block = (gz_quantity){0};
        gz_tile_limits limits = draw_limits(rng, &c, room);
        try_case(&tally, &c, &limits, (int)room);
    }
    tap_note("%d-D: %d cases, %d without a tile; %ld shapes tried", dim, tally.cases,
             tally.infeasible, tally.shapes);
    tap_ok(tally.wrong == 0, "%d-D: as good as the best of all shapes and heights", dim);
    tap_ok(tally.unlike == 0, "%d-D: the same shape and height if there is one best", dim);
    tap_ok(tally.infeasible > 0 && tally.infeasible < tally.cases * 2 / 3,
           "%d-D: limits that leave no tile are said to", dim);
    if (dim > 1)
        tap_ok(tally.anisotropic > 0, "%d-D: some of the best tiles are not square", dim);
}

static void bad_limits(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    gz_candidate got;
    gz_tile_limits good = {.threads = 512, .shared_bytes = 16384}, none = {0};
    gz_candidate own;
    tap_ok(tune(&c, &good, &got) == GZ_OK && tune(&c, &none, &own) == GZ_OK &&
               memcmp(&got, &own, sizeof got) == 0 &&
               own.config.threads[0] * own.config.threads[1] <= 512,
           "without limits, the device's are: its threads and its shared memory");
    static const double bad[] = {(double)NAN, -1, 0.5};
    int refused = 1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double *where[] = {&good.threads, &good.shared_bytes, &good.arrays_held, &good.block_max[1],
                           &good.block_step[0]};
        for (size_t n = 0; n < sizeof where / sizeof *where; n++) {
            double was = *where[n];
            *where[n] = bad[k];
            refused &= tune(&c, &good, &got) == GZ_ELIMITS;
            *where[n] = was;
        }
    }
    tap_ok(refused, "limits that are not whole numbers in range are refused");
    good.threads = 1e300;
    tap_ok(tune(&c, &good, &got) == GZ_OK && memcmp(&got, &own, sizeof got) == 0,
           "more threads than the device has are those that it has");
    gz_tile_limits tight = {.shared_bytes = 8 * 12};
    tap_ok(tune(&c, &tight, &got) == GZ_ELIMITS,
           "a limit below the smallest feasible tile is refused");
    c.cfg.data_length[0] = 0;
    tap_ok(tune(&c, &none, &got) == GZ_ECONFIG, "a grid without elements is refused");
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
    gz_candidate got = {.height = 0};
    const double *block = got.config.block_len;
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
    double cells = block[0] * block[1] * block[2];
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
    cells = block[0] * block[1] * block[2];
    tap_ok(status == GZ_OK && visits > 1 && visits < 100000 && cells <= 1e6 && cells > 9e5,
           "room for less, within the caps: %ld shapes for %g cells", visits, cells);
    c.app.dim = 1;
    limits = (gz_tile_limits){.threads = 1e9 - 1};
    c.cfg.data_length[0] = 1e12;
    tap_ok(tune(&c, &limits, &got) == GZ_OK && visited(&c, &limits) == 1 && block[0] == 1e9 - 1,
           "one dimension has one shape, however long");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    dimension(rng, 1, 300, 600);
    dimension(rng, 2, 300, 90);
    dimension(rng, 3, 200, 64);
    bad_limits();
    bounded_work();
    gsl_rng_free(rng);
    return tap_done();
}
