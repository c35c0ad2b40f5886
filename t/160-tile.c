/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 160-tile - the search for block shape and height together equals trying every shape at every
 * height, in 1, 2 and 3 dimensions, under every kind of limit.
 */
#include "cases.h"
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
    return (limits->threads == 0 || volume <= limits->threads) &&
           (limits->shared_bytes == 0 ||
            volume * held * c->app.element_size.value <= limits->shared_bytes);
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
    long shapes, searched;
};

static void try_case(struct tally *tally, const test_case *c, const gz_tile_limits *limits,
                     int longest)
{
    struct best want = exhaust(c, limits, longest);
    gz_tile got;
    gz_status status = gz_optimize_tile(&c->dev, &c->app, &c->cfg, limits, &got, NULL);
    tally->cases++;
    if (want.shapes == 0) {
        tally->infeasible++;
        tally->wrong += status != GZ_ELIMITS;
        return;
    }
    tally->shapes += want.shapes;
    tally->searched += got.shapes;
    int same = 1;
    for (int i = 0; i < c->app.dim; i++) {
        same &= got.block_len[i] == want.block_len[i];
        tally->anisotropic += got.block_len[i] != got.block_len[0];
    }
    same &= got.optimum.integer == want.height;
    int as_good = status == GZ_OK && allowed(c, limits, got.block_len) &&
                  fabs(got.optimum.prediction.cpl - want.cpl) <= TOL_TIE * want.cpl;
    if (!as_good && !tally->wrong) {
        tap_note("%s: %gx%gx%g, height %d, CPL %.17g; want %gx%gx%g, %d, %.17g",
                 gz_strerror(status), got.block_len[0], got.block_len[1], got.block_len[2],
                 got.optimum.integer, got.optimum.prediction.cpl, want.block_len[0],
                 want.block_len[1], want.block_len[2], want.height, want.cpl);
        show_case(c);
    }
    tally->wrong += !as_good;
    tally->unlike += !same && want.ties <= 1;

    /* The optimum it reports is the one of that block. */
    test_case shaped = *c;
    gz_optimum alone;
    shaped.cfg.beyond = 1;
    memcpy(shaped.cfg.block_len, got.block_len, sizeof got.block_len);
    if (gz_optimize(&shaped.dev, &shaped.app, &shaped.cfg, NULL, &alone, NULL) != GZ_OK ||
        alone.continuous != got.optimum.continuous || alone.integer != got.optimum.integer ||
        alone.prediction.cpl != got.optimum.prediction.cpl)
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
        limits.threads = 0;
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
        gz_tile_limits limits = draw_limits(rng, &c, room);
        try_case(&tally, &c, &limits, (int)room);
    }
    tap_note("%d-D: %d cases, %d without a tile; %ld shapes tried, %ld searched", dim, tally.cases,
             tally.infeasible, tally.shapes, tally.searched);
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
    gz_tile tile;
    gz_tile_limits good = gz_tile_limits_of(&c.dev);
    tap_ok(good.threads == 512 && good.shared_bytes == 16384,
           "the device's limits are its threads and its shared memory");
    static const double bad[] = {(double)NAN, HUGE_VAL, -1, 0.5, 1e300};
    int refused = 1;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double *where[] = {&good.threads, &good.shared_bytes, &good.arrays_held, &good.block_max[1],
                           &good.block_step[0]};
        for (size_t n = 0; n < sizeof where / sizeof *where; n++) {
            double was = *where[n];
            *where[n] = bad[k];
            refused &= gz_optimize_tile(&c.dev, &c.app, &c.cfg, &good, &tile, NULL) == GZ_ELIMITS;
            *where[n] = was;
        }
    }
    tap_ok(refused, "limits that are not whole numbers in range are refused");
    gz_tile_limits none = {0}, tight = {.threads = 8};
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &none, &tile, NULL) == GZ_ELIMITS,
           "no limit at all is refused");
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &tight, &tile, NULL) == GZ_ELIMITS,
           "a limit below the smallest feasible tile is refused");
    c.cfg.block_len[0] = (double)NAN;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &good, &tile, NULL) == GZ_OK,
           "the configuration's own block is not read");
    c.cfg.data_length[0] = 0;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &good, &tile, NULL) == GZ_ECONFIG,
           "its grid is");
}

/* Absurd limits cost no time: either nothing is to be searched for, or they are refused. */
static void bounded_work(void)
{
    test_case c = benchmark_case(CELL, GZ_SYNC_RESTART);
    gz_tile tile;
    gz_tile_limits limits = {.threads = 1e15};
    for (int i = 0; i < 3; i++)
        c.cfg.data_length[i] = 1e5;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL) == GZ_OK &&
               tile.shapes == 1 && tile.block_len[0] == 1e5 && tile.block_len[1] == 1e5 &&
               tile.block_len[2] == 1e5,
           "room for the whole grid: it is the tile, at once");
    limits.threads = 5e14;
    gz_status status = gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL);
    double cells = tile.block_len[0] * tile.block_len[1] * tile.block_len[2];
    tap_ok(status == GZ_OK && tile.shapes > 1 && tile.shapes < 100000 && cells <= 5e14 &&
               cells > 4.9e14,
           "room for half of it: %ld shapes of coarser lengths, the best has %g cells", tile.shapes,
           cells);
    limits.block_step[0] = limits.block_step[1] = limits.block_step[2] = 3;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL) == GZ_ELIMITS,
           "refused if the lengths must be finer");
    limits = (gz_tile_limits){.threads = 1e15};
    limits.threads = 1e15;
    limits.block_max[1] = 103;
    limits.block_step[1] = 8;
    limits.block_max[2] = 50;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL) == GZ_OK &&
               tile.shapes == 1 && tile.block_len[0] == 1e5 && tile.block_len[1] == 96 &&
               tile.block_len[2] == 50,
           "room for all that the caps leave: at once");
    limits.threads = 1e6;
    status = gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL);
    cells = tile.block_len[0] * tile.block_len[1] * tile.block_len[2];
    tap_ok(status == GZ_OK && tile.shapes > 1 && tile.shapes < 100000 && cells <= 1e6 &&
               cells > 9e5,
           "room for less, within the caps: %ld shapes for %g cells", tile.shapes, cells);
    c.app.dim = 1;
    limits = (gz_tile_limits){.threads = 1e9 - 1};
    c.cfg.data_length[0] = 1e12;
    tap_ok(gz_optimize_tile(&c.dev, &c.app, &c.cfg, &limits, &tile, NULL) == GZ_OK &&
               tile.shapes == 1 && tile.block_len[0] == 1e9 - 1,
           "one dimension has one shape, however long");
}

int main(void)
{
    tap_plan(3 + 4 + 4 + 6 + 6);
    gsl_rng *rng = seeded_rng();
    dimension(rng, 1, 300, 600);
    dimension(rng, 2, 300, 90);
    dimension(rng, 3, 200, 64);
    bad_limits();
    bounded_work();
    gsl_rng_free(rng);
    return tap_done();
}
