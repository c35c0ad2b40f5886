/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second model's geometry against cells counted one by one, on random tilings of every kind of
 * edge: each tile's extents, the classes laid end to end, the sums, the mean tile and the least of
 * several heights, and the remainders that a fence's workers divide the tiles by.
 */
#include "gz2_reference.h"
#include "tap.h"

enum { CASES = 4000 };

static void random_tiling(unsigned long long *state, gzi_gz2_tiling *tiling)
{
    *tiling = (gzi_gz2_tiling){.dim = gz2_whole(state, 1, 3), .height = gz2_whole(state, 1, 9)};
    gz2_random_edges(state, tiling->edge);
    for (int i = 0; i < tiling->dim; i++) {
        tiling->radius[i] = gz2_whole(state, 0, 3);
        tiling->block[i] =
            2 * tiling->radius[i] * tiling->height + (int)gz2_logarithmic(state, 1, 60);
        tiling->grid[i] = (long)gz2_logarithmic(state, 1, 300);
    }
}

/* Whether an axis' classes are its tiles, in order; of merged ones only the sums are. */
static int axis_holds(const gzi_gz2_tiling *tiling, int i, const gzi_axis *axis)
{
    double loaded = 0, computed = 0, committed = 0;
    int c = 0, holds = 1;
    for (long k = 0; k < axis->tiles; k++) {
        double l, q, p;
        gz2_count_cells(tiling, i, k, &l, &q, &p);
        loaded += l;
        computed += q;
        committed += p;
        while (c < axis->classes && k >= axis->of[c].first + axis->of[c].tiles)
            c++;
        holds &= c < axis->classes && k >= axis->of[c].first;
        holds &= axis->merged || (axis->of[c].loaded == l && axis->of[c].computed == q &&
                                  axis->of[c].committed == p);
    }
    return holds && axis->loaded == loaded && axis->computed == computed &&
           axis->committed == committed && committed == (double)tiling->grid[i];
}

/* Whether the mean tile has the axis' sums, and whether the least of heights from `tiling`'s on has
 * no more than those at each. */
static int means_hold(const gzi_gz2_tiling *tiling, int i, const gzi_axis *axis, int *least_holds)
{
    gzi_axis mean, least, next;
    gzi_gz2_tiling higher = *tiling;
    int highest = tiling->radius[i] ? (tiling->block[i] - 1) / (2 * tiling->radius[i]) : 9;
    double n = (double)axis->tiles, outside = 0, mean_outside;

    for (int c = 0; c < axis->classes; c++)
        outside += (double)axis->of[c].tiles * axis->of[c].outside;
    gzi_axis_mean(tiling, i, &mean);
    mean_outside = n * mean.of[0].outside;
    int holds = mean.tiles == axis->tiles && mean.loaded == axis->loaded &&
                mean.computed == axis->computed && mean.committed == axis->committed &&
                fabs(mean_outside - outside) <= 1e-9 * (1 + outside) &&
                fabs(n * mean.of[0].loaded - axis->loaded) <= 1e-12 * axis->loaded;
    for (int high = tiling->height + 1; high <= highest && high < tiling->height + 8; high++) {
        gzi_axis_least(tiling, i, high, &least);
        for (higher.height = tiling->height; higher.height <= high; higher.height++) {
            gzi_axis_mean(&higher, i, &next);
            *least_holds &= least.tiles <= next.tiles && least.loaded <= next.loaded &&
                            least.computed <= next.computed && least.committed == next.committed &&
                            (double)least.tiles * least.of[0].outside <=
                                (double)next.tiles * next.of[0].outside * (1 + 1e-12);
        }
    }
    return holds;
}

int main(void)
{
    unsigned long long state = gz2_seed(11);
    int axes = 0, merged = 0, wrong = 0, most = 0, products = 1, refused = 1, remain = 1;
    int means = 1, least = 1;

    tap_plan(8);
    for (int k = 0; k < CASES; k++) {
        gzi_gz2_tiling tiling;
        gzi_geometry g;
        random_tiling(&state, &tiling);
        if (gzi_geometry_make(&tiling, &g)) {
            wrong++;
            continue;
        }
        for (int i = 0; i < tiling.dim; i++) {
            axes++;
            merged += g.axis[i].merged;
            most = g.axis[i].classes > most ? g.axis[i].classes : most;
            wrong += !axis_holds(&tiling, i, &g.axis[i]);
            means &= means_hold(&tiling, i, &g.axis[i], &least);
        }
        products &= g.loaded == g.axis[0].loaded * g.axis[1].loaded * g.axis[2].loaded &&
                    g.computed_rows * g.axis[0].computed == g.computed * (double)g.axis[0].tiles;
        int h = gzi_geometry_height_max(tiling.dim, tiling.block, tiling.radius);
        refused &= h >= 1;
        if (h < 1 << 20) { /* else no radius is more than 0 */
            tiling.height = h + 1;
            refused &= gzi_geometry_make(&tiling, &g) != 0;
        }
    }
    tap_ok(wrong == 0, "%d axes, %d of them with merged classes: %d differ from counted cells",
           axes, merged, wrong);
    tap_ok(most <= GZI_AXIS_CLASSES, "at most %d classes", most);
    tap_ok(merged < axes / 4, "few axes need merging");
    tap_ok(products, "sums over tiles are products of the axes' sums");
    tap_ok(means, "the mean tile has the sums of all, and of what lies outside the grid");
    tap_ok(least, "no height above has less than the least of several");
    tap_ok(refused, "one loop above the greatest height is refused");
    for (int k = 0; k < CASES; k++) {
        double got[40] = {0}, want[40] = {0};
        int workers = gz2_whole(&state, 1, 40);
        long first = gz2_whole(&state, 0, 100), n = gz2_whole(&state, 0, 300);
        long stride = gz2_whole(&state, 0, 500);
        gzi_remainders(first, n, stride, workers, got);
        for (long i = first; i < first + n; i++)
            want[i * stride % workers]++;
        for (int w = 0; w < workers; w++)
            remain &= got[w] == want[w];
    }
    tap_ok(remain, "remainders modulo workers equal those counted one by one");
    return tap_done();
}
