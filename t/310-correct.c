/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stencils of the table against the serial reference, in every way to compute: odd sizes, grids
 * smaller than a block and one cell wide, fewer loops than the height, pieces of one plane, of a
 * few and of all. Without contraction every bit must agree, with it the stencil's own tolerance
 * holds. The array that a run writes first is filled with NaN (-1) beforehand, so that a cell which
 * is never written shows. `make check` takes of each stencil a way with tiles and of every fourth
 * one without, by turns, `make check-all` every fifth way, their heights by turns, some with large
 * tiles, of which PoCL optimises every fourth; GZ_EVERY=1 takes all ways. A new stencil needs no
 * change here.
 */
#include "registry.h"
#include "test_device.h"
#include "tiles.h"
#include "ways.h"

enum { GRIDS = 5 };

/* What tiles commit, by the number of dimensions; streamed ones along their stream one of
 * `pieces`. */
static const int small[4][3] = {{0}, {11, 1, 1}, {9, 5, 1}, {6, 5, 3}};
static const int large[4][3] = {{0}, {90, 1, 1}, {47, 13, 1}, {21, 8, 5}};
static const int pieces[3] = {1, 7, 100};
static const int grids[4][GRIDS][3] = {
    {{0}},
    {{101, 1, 1}, {7, 1, 1}, {1, 1, 1}, {21, 1, 1}, {131, 1, 1}},
    {{29, 37, 1}, {5, 3, 1}, {1, 23, 1}, {131, 1, 1}, {66, 20, 1}},
    {{13, 17, 11}, {2, 3, 4}, {1, 1, 9}, {67, 1, 6}, {35, 19, 1}},
};

/* One configuration on all grids, with loops below, at, and above the height. */
static void check_grids(struct gzk_device *device, struct gzk_config config, struct tally *tally)
{
    const long loops[3] = {1, config.height, 2L * config.height + 1};
    for (int g = 0; g < GRIDS; g++) {
        memcpy(config.size, grids[config.stencil->dim][g], sizeof config.size);
        tally_grid(device, config, loops, (uint64_t)g, tally);
    }
}

/* One stencil in one way at one height, if the device has room. */
static void check_way(struct gzk_device *device, const struct gzk_stencil *stencil,
                      const struct way *way, const int sizes[4][3], int height, struct tally *tally)
{
    int inside[3];
    memcpy(inside, sizes[stencil->dim], sizeof inside);
    if (gzk_variants[way->variant].streamed)
        inside[stencil->dim - 1] = pieces[(height + (int)(way - ways)) % 3];
    struct gzk_config config = way_config(way, stencil, height, inside, &device->info);
    if (config_fits(config, &device->info))
        check_grids(device, config, tally);
}

/* One stencil: of the ways that it has, one with tiles of some height and, of every fourth, one
 * without, by turns; or, in bulk, every `every`-th from one of the first on, by turns. */
static void check_stencil(struct gzk_device *device, const struct gzk_stencil *stencil, int turn)
{
    struct tally tally = {0};
    const char *given = getenv("GZ_EVERY");
    int of[2] = {0}, seen[2] = {0}, every = given && atoi(given) > 0 ? atoi(given) : 5;
    for (int w = 0; w < way_count; w++)
        of[gzk_variants[ways[w].variant].any_height] +=
            way_applies(&ways[w], stencil, &device->info);
    int all = of[0] + of[1], first = turn % (all > every ? every : all > 0 ? all : 1), at = 0;
    for (int w = 0; w < way_count; w++) {
        if (!way_applies(&ways[w], stencil, &device->info))
            continue;
        bool tiled = gzk_variants[ways[w].variant].any_height;
        int its = tiled ? turn : turn % 4 == 3 ? turn / 4 : -1;
        if (tap_bulk(its < 0 || seen[tiled]++ != its % of[tiled], at++ % every != first))
            continue;
        test_device_compile(tap_bulk(false, (w + turn) % 4 == 0));
        int height = tiled ? tap_bulk(2, 1 + (w + turn) % 4) : 1;
        check_way(device, stencil, &ways[w], small, height, &tally);
        if (tiled && tap_bulk(0, (w + turn) % 9 == 0))
            check_way(device, stencil, &ways[w], large, 3, &tally);
    }
    tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: bit for bit (%d runs)", stencil->name,
           tally.runs);
}

static void check_contracted(struct gzk_device *device, const struct gzk_stencil *stencil)
{
    struct tally tally = {0};
    test_device_compile(tap_bulk(false, true));
    struct gzk_config config = way_config(ways, stencil, 2, small[stencil->dim], &device->info);
    config.threads[0] = config.threads[1] = config.threads[2] = 1;
    config.contract = true;
    check_grids(device, config, &tally);
    tap_ok(tally.runs > 0 && tally.wrong == 0, "%s: contracted, within %g ULP a loop (%d runs)",
           stencil->name, stencil->ulp_per_loop, tally.runs);
}

/* More tiles in y than a launch may have blocks there, in the first way of each variant, or by
 * `make check` without tiles only, since so many take a while. */
static void check_tall(struct gzk_device *device)
{
    const struct gzk_stencil *stencil = gzk_stencil_find("poisson");
    const int inside[3] = {3, 1, 1};
    const long loops[3] = {1, 1, 2};
    struct tally tally = {0};
    bool flat = true;
    for (int w = 0; w < way_count; w++) {
        bool again = w > 0 && ways[w].variant == ways[w - 1].variant;
        bool tiled = ways[w].variant != GZK_NAIVE;
        if (again || tap_bulk(tiled, false) || !way_applies(&ways[w], stencil, &device->info))
            continue;
        struct gzk_config config = way_config(&ways[w], stencil, 1, inside, &device->info);
        memcpy(config.size, (int[]){4, 70000, 1}, sizeof config.size);
        flat &= gzk_is_flat(&config);
        tally_grid(device, config, loops, 1, &tally);
    }
    tap_ok(flat && tally.runs > 0 && tally.wrong == 0, "70000 tiles in y (%d runs)", tally.runs);
}

int main(void)
{
    struct gzk_device *device = test_device_open();
    int stencils = (int)gzk_stencil_count, first = tap_bulk(1, 0);

    tap_note("on %s", device->info.name);
    for (int i = 0; i < stencils; i++)
        check_stencil(device, gzk_stencils[i], i);
    for (int i = first; i < stencils; i += tap_bulk(9, 4))
        check_contracted(device, gzk_stencils[i]);
    check_tall(device);
    gzk_device_close(device);
    return tap_done();
}
