/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 131-tilings - the exact geometry of all tilings against cells counted one by one, on random
 * grids, tiles and stencils with every kind of edge, rows as on a CPU and as on a GPU, columns in
 * registers and stages of fewer loops: the classes of each axis laid end to end, the sums, barriers
 * and local memory; a trapezoid's mean tile and the least of several heights; tiles of each class
 * before a number, and the remainders by which a fence's workers divide them; threads and
 * registers; and if the tiles divide the grid, the 2011 model's smooth geometry is the one in whole
 * numbers.
 */
#include "cases.h"
#include "tap.h"
#include "tile_reference.h"

enum { CASES = 1500 };

static const gzi_tiling *const tilings[] = {&gzi_trapezoid, &gzi_stream, &gzi_naive};

static gzi_tile random_tile(gsl_rng *rng, const gzi_tiling *tiling)
{
    int streamed = tiling == &gzi_stream, naive = tiling == &gzi_naive;
    gzi_tile tile = {.dim = (int)whole(rng, streamed ? 2 : 1, 3),
                     .height = naive ? 1 : (int)whole(rng, 1, 8),
                     .bytes = whole(rng, 0, 1) > 0 ? 4 : 8,
                     .states = (int)whole(rng, 1, 2),
                     .coefficient_arrays = (int)whole(rng, 0, 3),
                     .older = whole(rng, 1, 3) > 2,
                     .coefficients = (int)whole(rng, 0, 20),
                     .fields = (int)whole(rng, 0, 3),
                     .cpu = streamed && whole(rng, 0, 2) < 1};
    for (int i = 0; i < tile.dim; i++) {
        int radius = (int)whole(rng, 0, 3), ghosts = naive ? 0 : 2 * radius * tile.height;
        tile.edge[i] = (gz_edge)whole(rng, 0, 3);
        tile.size[i] = (long)log_uniform(rng, 1, 300);
        tile.radius[i] = radius;
        tile.block[i] = ghosts + (int)log_uniform(rng, 1, 60);
        tile.threads[i] = 1;
    }
    if (streamed) {
        int last = tile.dim - 1;
        tile.piece = whole(rng, 0, 3) > 0 ? (long)log_uniform(rng, 1, 60) : 0;
        tile.columns = !tile.cpu && tile.radius[last] > 0 && whole(rng, 0, 1) > 0;
        if (tile.columns)
            tile.fields = 0;
        for (int i = 0; i < last; i++)
            tile.threads[i] = tile.cpu && i == 0 ? 1 : (int)whole(rng, 1, 9);
        /* Columns in registers are described in whole stages. */
        if (!tile.columns && whole(rng, 0, 3) < 1)
            tile.loops = (int)whole(rng, 1, tile.height);
    }
    return tile;
}

static int loops_of(const gzi_tile *tile)
{
    return tile->loops ? tile->loops : tile->height;
}

/* Whether a class has the extents of a tile that was counted. */
static int is_class(const gzi_tiling *tiling, const gzi_tile *tile, int i, const gzi_class *c,
                    const counted_tile *t)
{
    int streamed = tiling == &gzi_stream, last = tile->dim - 1, holds;
    double planes = 0;
    holds = c->loaded == t->loaded[i] && c->committed == t->committed[i] &&
            c->computed == t->level[i][0];
    if (tiling == &gzi_trapezoid)
        return holds && c->outside == t->outside[i];
    for (int k = 0; streamed && k < loops_of(tile); k++) {
        holds = holds && c->level[k] == t->level[i][k];
        planes += t->level[i][k];
    }
    if (streamed && i == last)
        holds = holds && c->planes == planes && c->walked == t->walked &&
                c->barriers == t->walked + (tile->columns ? 0 : planes);
    for (int k = 0; tile->columns && i == 1 && i < last && k < loops_of(tile); k++)
        holds = holds && c->beside[k] == t->beside[k];
    return holds && (!tile->columns || i == last ||
                     (c->held == t->held[i] && c->copies == t->copies[i] && c->ends == t->ends[i]));
}

/* Whether an axis' classes are its tiles, in order; of merged ones only the sums are. */
static int axis_holds(const gzi_tiling *tiling, const gzi_tile *tile, int i, const gzi_axis *axis)
{
    double loaded = 0, computed = 0, committed = 0, level[GZI_LEVELS] = {0};
    int c = 0, holds = axis->tiles == count_tiles(tiling, tile, i);
    static counted_tile t;
    for (long k = 0; k < axis->tiles; k++) {
        count_tile(tiling, tile, i, k, &t);
        loaded += t.loaded[i];
        computed += t.level[i][0];
        committed += t.committed[i];
        for (int n = 0; tiling->streamed && n < loops_of(tile); n++)
            level[n] += t.level[i][n];
        while (c < axis->classes && k >= axis->of[c].first + axis->of[c].tiles)
            c++;
        holds = holds && c < axis->classes && k >= axis->of[c].first &&
                (axis->merged || is_class(tiling, tile, i, &axis->of[c], &t));
    }
    for (int n = 0; tiling->streamed && n < loops_of(tile); n++)
        holds = holds && axis->level[n] == level[n];
    return holds && axis->loaded == loaded && axis->computed == computed &&
           axis->committed == committed && committed == (double)tile->size[i];
}

/* Whether a stage's sums are those of its tiles one by one. */
static int stage_holds(const gzi_tiling *tiling, const gzi_tile *tile, const gzi_geometry *g)
{
    double loaded = 1, committed = 1, computed = 0, barriers = 0, tiles = 1;
    gzi_counts counts = gzi_stage_counts(tiling, tile, g);
    static counted_tile t;
    for (int i = 0; i < tile->dim; i++) {
        loaded *= g->axis[i].loaded;
        committed *= g->axis[i].committed;
        tiles *= (double)g->axis[i].tiles;
    }
    for (int n = 0; n < loops_of(tile); n++) {
        double product = 1;
        for (int i = 0; i < tile->dim; i++) {
            double sum = 0;
            for (long k = 0; k < g->axis[i].tiles; k++) {
                count_tile(tiling, tile, i, k, &t);
                sum += t.level[i][tiling->streamed ? n : 0];
            }
            product *= sum;
        }
        computed += product;
    }
    const gzi_axis *last = &g->axis[tile->dim - 1];
    for (int c = 0; c < last->classes; c++)
        barriers += (double)last->of[c].tiles * last->of[c].barriers;
    barriers *= tiles / (double)last->tiles;
    return counts.loaded == loaded && counts.committed == committed &&
           counts.computed == computed && tiles == g->tiles &&
           fabs(counts.barriers - barriers) <= 1e-12 * barriers;
}

static void exact(gsl_rng *rng, const gzi_tiling *tiling)
{
    int axes = 0, merged = 0, wrong = 0, most = 0, sums = 0, elements = 0, columns = 0, shorter = 0;
    static gzi_geometry g;
    for (int k = 0; k < CASES; k++) {
        gzi_tile tile = random_tile(rng, tiling);
        columns += tile.columns;
        shorter += tile.loops > 0 && tile.loops < tile.height;
        if (gzi_geometry_make(tiling, &tile, &g)) {
            wrong++;
            continue;
        }
        for (int i = 0; i < tile.dim; i++) {
            axes++;
            merged += g.axis[i].merged;
            most = g.axis[i].classes > most ? g.axis[i].classes : most;
            wrong += !axis_holds(tiling, &tile, i, &g.axis[i]);
        }
        sums += !stage_holds(tiling, &tile, &g);
        elements += tiling->local_elements(&tile) != count_elements(tiling, &tile);
    }
    tap_ok(wrong == 0 && most <= GZI_CLASSES && merged < axes / 4,
           "%s: %d of %d axes differ from counted cells (at most %d classes, %d merged)",
           tiling->name, wrong, axes, most, merged);
    tap_ok(sums == 0, "%s: sums over all tiles (%d stages of fewer loops)", tiling->name, shorter);
    tap_ok(elements == 0, "%s: local memory (%d with columns in registers)", tiling->name, columns);
    if (tiling == &gzi_stream)
        tap_ok(columns > CASES / 5 && shorter > CASES / 20,
               "with and without columns in registers");
}

static void refused(gsl_rng *rng)
{
    int wrong = 0;
    static gzi_geometry g;
    for (int k = 0; k < CASES; k++) {
        const gzi_tiling *tiling = tilings[k % 3];
        const gzi_tile good = random_tile(rng, tiling);
        gzi_tile tile = good;
        tile.height = tiling == &gzi_naive ? 2 : GZI_LEVELS + (tiling == &gzi_stream ? 1 : 1000);
        tile.radius[0] += tiling == &gzi_trapezoid;
        wrong += gzi_geometry_make(tiling, &tile, &g) == 0;
        tile = good;
        tile.size[0] = 0;
        wrong += gzi_geometry_make(tiling, &tile, &g) == 0;
        tile = good;
        tile.block[0] = 2 * tile.radius[0] * (tiling == &gzi_naive ? 0 : tile.height);
        wrong += gzi_geometry_make(tiling, &tile, &g) == 0;
        tile = good;
        tile.dim = tiling == &gzi_stream ? 1 : 4;
        wrong += gzi_geometry_make(tiling, &tile, &g) == 0;
    }
    tap_ok(wrong == 0, "a height that leaves nothing, an empty grid, other dimensions are refused");
}

/* The sums of the mean tile, and whether the least of several heights has no more than each. */
static void means(gsl_rng *rng)
{
    int wrong = 0, least_wrong = 0;
    static gzi_geometry g;
    static gzi_axis mean, least, next;
    for (int k = 0; k < CASES; k++) {
        gzi_tile tile = random_tile(rng, &gzi_trapezoid), higher = tile;
        int i = (int)whole(rng, 0, tile.dim - 1), radius = tile.radius[i];
        int highest = radius ? (int)(tile.block[i] - 1) / (2 * radius) : 9;
        tile.edge[i] = (gz_edge)whole(rng, 0, 2);
        if (gzi_geometry_make(&gzi_trapezoid, &tile, &g)) {
            wrong++;
            continue;
        }
        const gzi_axis *axis = &g.axis[i];
        double n = (double)axis->tiles, outside = 0;
        for (int c = 0; c < axis->classes; c++)
            outside += (double)axis->of[c].tiles * axis->of[c].outside;
        gzi_axis_mean(&tile, i, &mean);
        wrong += mean.tiles != axis->tiles || mean.loaded != axis->loaded ||
                 mean.computed != axis->computed || mean.committed != axis->committed ||
                 fabs(n * mean.of[0].outside - outside) > 1e-9 * (1 + outside) ||
                 fabs(n * mean.of[0].loaded - axis->loaded) > 1e-12 * axis->loaded;
        for (int high = tile.height + 1; high <= highest && high < tile.height + 8; high++) {
            gzi_axis_least(&tile, i, high, &least);
            higher.edge[i] = tile.edge[i];
            for (higher.height = tile.height; higher.height <= high; higher.height++) {
                gzi_axis_mean(&higher, i, &next);
                least_wrong += least.tiles > next.tiles || least.loaded > next.loaded ||
                               least.computed > next.computed ||
                               least.committed != next.committed ||
                               (double)least.tiles * least.of[0].outside >
                                   (double)next.tiles * next.of[0].outside * (1 + 1e-12);
            }
        }
    }
    tap_ok(wrong == 0, "the mean tile has the sums of all, and of what lies outside the grid");
    tap_ok(least_wrong == 0, "no height above has less than the least of several");
}

static int class_of(const gzi_axis *axis, long k)
{
    int c = 0;
    while (k >= axis->of[c].first + axis->of[c].tiles)
        c++;
    return c;
}

/* Tiles in their order, and their remainders. */
static void numbers(gsl_rng *rng)
{
    int wrong = 0, remain = 0;
    static gzi_geometry g;
    for (int k = 0; k < CASES / 10; k++) {
        gzi_tile tile = random_tile(rng, tilings[k % 3]);
        if (gzi_geometry_make(tilings[k % 3], &tile, &g) || g.tiles > 2000)
            continue;
        const gzi_axis *a = g.axis;
        const int class[3] = {(int)whole(rng, 0, a[0].classes - 1),
                              (int)whole(rng, 0, a[1].classes - 1),
                              (int)whole(rng, 0, a[2].classes - 1)};
        double end = whole(rng, 0, g.tiles), before = 0;
        for (long n = 0; (double)n < end; n++)
            before += class_of(&a[0], n % a[0].tiles) == class[0] &&
                      class_of(&a[1], n / a[0].tiles % a[1].tiles) == class[1] &&
                      class_of(&a[2], n / a[0].tiles / a[1].tiles) == class[2];
        wrong += gzi_geometry_before(&g, class, end) != before;
    }
    tap_ok(wrong == 0, "tiles of a class with numbers below any");
    for (int k = 0; k < CASES; k++) {
        double got[40] = {0}, want[40] = {0};
        int workers = (int)whole(rng, 1, 40);
        long first = (long)whole(rng, 0, 100), n = (long)whole(rng, 0, 300);
        long stride = (long)whole(rng, 0, 500);
        gzi_remainders(first, n, stride, workers, got);
        for (long i = first; i < first + n; i++)
            want[i * stride % workers]++;
        for (int w = 0; w < workers; w++)
            remain += got[w] != want[w];
    }
    tap_ok(remain == 0, "remainders modulo workers equal those counted one by one");
}

/* Threads are at most as many as allowed, cover the block in no more rounds than halving rows last
 * needs, and have registers for their columns where the columns lie there; and nothing that the
 * device has room for is worth trying and left out. */
static void threads(gsl_rng *rng)
{
    int wrong = 0, columns = 0, rings = 0;
    for (int k = 0; k < CASES; k++) {
        gzi_tile tile = random_tile(rng, &gzi_stream), all;
        double most = pow(2, whole(rng, 5, 11)), product = 1;
        tile.reads.own_column = whole(rng, 0, 1) > 0;
        gzi_set_stream_threads(&tile, most);
        for (int i = 0; i < tile.dim; i++) {
            product *= tile.threads[i];
            wrong += tile.threads[i] < 1 || tile.threads[i] > tile.block[i] ||
                     (i == tile.dim - 1 && tile.threads[i] != 1);
        }
        wrong += product > fmin(most, 512) || (tile.cpu && product != 1);
        columns += tile.columns;
        rings += !tile.columns;
        wrong += tile.columns != gzi_takes_columns(&tile);
        wrong +=
            tile.columns && (!tile.reads.own_column || tile.cpu || gzi_thread_columns(&tile) > 8 ||
                             gzi_column_registers(&tile) > gzi_most_registers(&tile));
        /* A register file of 64 Ki, in units of eight to the threads of four warps. */
        wrong += gzi_most_registers(&tile) * ceil(product / 128) * 128 > 65536 ||
                 gzi_most_registers(&tile) > 255;
        all = tile;
        all.planes = GZI_PLANES_RING;
        wrong += gzi_takes_columns(&all) != 0;
        all.planes = GZI_PLANES_COLUMNS;
        wrong += gzi_takes_columns(&all) != 1;
        all = tile;
        all.height++;
        wrong += gzi_column_registers(&all) <= gzi_column_registers(&tile);
    }
    tap_ok(wrong == 0 && columns > 0 && rings > 0,
           "threads of streamed tiles, %d with columns in registers", columns);
}

/* Tiles that divide the grid: T, and V, Q, P per tile inside, are the same in both geometries. */
static void smooth(gsl_rng *rng)
{
    int wrong = 0;
    static gzi_geometry g;
    for (int k = 0; k < CASES; k++) {
        gzi_tile tile = random_tile(rng, &gzi_trapezoid);
        gz_app app = {.dim = tile.dim};
        gz_config cfg = {.beyond = 1};
        for (int i = 0; i < app.dim; i++) {
            tile.edge[i] = GZ_EDGE_PERIODIC; /* no tile is cut short */
            long committed = tile.block[i] - 2L * tile.radius[i] * tile.height;
            tile.size[i] = committed * (long)whole(rng, 1, 9);
            app.halo_width[i] = 2 * tile.radius[i];
            cfg.block_len[i] = (double)tile.block[i];
            cfg.data_length[i] = (double)tile.size[i];
        }
        if (gzi_geometry_make(&gzi_trapezoid, &tile, &g)) {
            wrong++;
            continue;
        }
        gzi_counts counts = gzi_stage_counts(&gzi_trapezoid, &tile, &g);
        double t = gzi_grid_elements(&app, &cfg) / gzi_committed_tile(&app, &cfg, tile.height).v;
        wrong += fabs(t - g.tiles) > 1e-9 * t ||
                 fabs(t * gzi_starting_tile(&app, &cfg) - counts.loaded) > 1e-9 * counts.loaded ||
                 fabs(t * gzi_operated_tile(&app, &cfg) * tile.height - counts.computed) >
                     1e-9 * counts.computed;
    }
    tap_ok(!wrong, "if tiles divide the grid, the smooth geometry is the whole one");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    for (size_t k = 0; k < sizeof tilings / sizeof *tilings; k++)
        exact(rng, tilings[k]);
    refused(rng);
    means(rng);
    numbers(rng);
    threads(rng);
    smooth(rng);
    gsl_rng_free(rng);
    return tap_done();
}
