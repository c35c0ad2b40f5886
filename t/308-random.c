/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random kernels against the serial reference, bit for bit: every way to compute in turn, in one
 * to three dimensions, with random bodies of every type, radii from 0, all edge rules, equal or
 * unlike by dimension, arrays, coordinates, red and black cells; with random tiles, pieces, heights
 * and threads, on random grids with random loops.
 *
 * GZ_CASES in the environment sets how many kernels are drawn, GZ_SEED the first one's seed; each
 * of the others has the next seed, so that GZ_CASES=1 repeats any.
 */
#include "generic.h"
#include "test_device.h"
#include "ways.h"

enum { GRIDS = 3 };

/* ---------------------------------------------------------------------------------------- draws */

static uint64_t seed, drawn;

static int draw(int least, int most)
{
    return least + (int)(gzk_random(seed, drawn++) % (uint64_t)(most - least + 1));
}

static bool one_in(int n)
{
    return draw(1, n) == 1;
}

/* Random distances within the radius; of the state, if the stencil is to be a star along the
 * stream, not both along it and across. */
static struct generic_term draw_term(int array, bool star)
{
    const struct gzk_stencil *s = &generic.stencil;
    struct generic_term t = {.array = array, .weight = draw(1, 9)};
    bool along = one_in(2);

    for (int i = 0; i < 3; i++) {
        bool none = array < 0 && star && (i == s->dim - 1) != along;
        /* Often as far as it goes. */
        int end = one_in(2) ? s->radius[i] : -s->radius[i];
        int any = draw(-s->radius[i], s->radius[i]);
        t.d[i] = none ? 0 : one_in(2) ? end : any;
    }
    return t;
}

/* The edge rules follow from the seed, so that each way has each of them soon. */
static void draw_stencil(int dimensions, bool star)
{
    static const int likely_radii[8] = {0, 1, 1, 1, 1, 2, 2, 3};
    struct gzk_stencil *s = &generic.stencil;
    bool alike = one_in(3);
    enum gzk_type type = (enum gzk_type)draw(GZK_INT, GZK_DOUBLE);

    *s = (struct gzk_stencil){.dim = dimensions,
                              GZK_TYPE(type),
                              .coefficients = draw(0, 2),
                              .coefficient_arrays = draw(0, 2),
                              .step_arrays = one_in(3) ? draw(1, 2) : 0,
                              .red_black = one_in(5)};
    for (int i = 0; i < 3; i++) {
        s->edge[i] = (gz_edge)((seed + (alike ? 0 : (uint64_t)i)) % (uint64_t)gzk_edge_count);
        s->radius[i] = i < dimensions ? likely_radii[draw(0, 7)] : 0;
    }
    if (s->radius[dimensions - 1] == 0)
        s->radius[dimensions - 1] = 1;
    s->older = one_in(3);
    s->fields = !s->older && one_in(3) ? draw(2, 3) : 1;
    generic.position = draw(0, 3);
    generic.count = draw(3, 9);
    for (int k = 0; k < generic.count; k++)
        generic.terms[k] =
            draw_term(s->coefficient_arrays > 0 && one_in(3) ? draw(0, s->coefficient_arrays - 1)
                                                             : -draw(1, s->fields),
                      star);
    generic_finish();
}

static struct gzk_config draw_config(const struct way *way, const struct gzk_device_info *info)
{
    const struct gzk_stencil *s = &generic.stencil;
    int most = s->radius[0] > 1 || s->radius[1] > 1 || s->radius[2] > 1 ? 3 : 6, inside[3];
    int length = gzk_variants[way->variant].any_height ? s->dim == 3 ? 8 : 20 : 8;

    /* What is unrolled for a CPU's compiler has to be short. */
    if (way->columns && most * (2 * s->radius[s->dim - 1] + 1) > 9)
        most = 9 / (2 * s->radius[s->dim - 1] + 1);
    for (int i = 0; i < 3; i++)
        inside[i] = one_in(4) ? draw(1, 3) : draw(s->radius[i] + 1, length);
    return way_config(way, s, gzk_variants[way->variant].any_height ? draw(1, most) : 1, inside,
                      info);
}

static void draw_grid(int size[3])
{
    for (int i = 0; i < 3; i++) {
        int kind = draw(0, 5);
        size[i] = i >= generic.stencil.dim ? 1
                  : kind == 0              ? 1
                  : kind == 1              ? draw(2, 5)
                                           : draw(6, generic.stencil.dim == 3 ? 18 : 60);
    }
}

/* --------------------------------------------------------------------------------------- one case
 */

/* What was drawn. */
static struct {
    struct tally tally;
    int programs;
    int types[3], red_black, step_arrays, older, fields, edges[4];
} made;

/* A way in `dimensions`, with a tile that fits. */
static void check(struct gzk_device *device, const struct way *way, int dimensions)
{
    const struct gzk_stencil *s = &generic.stencil;
    int wrong = made.tally.wrong;
    struct gzk_config config;

    drawn = 0;
    draw_stencil(dimensions, way->columns || one_in(2));
    if (!way_applies(way, s, &device->info))
        return;
    do
        config = draw_config(way, &device->info);
    while (!config_fits(config, &device->info));
    made.programs++;
    made.types[s->type]++;
    made.red_black += s->red_black;
    made.step_arrays += s->step_arrays > 0;
    made.older += s->older;
    made.fields += s->fields > 1;
    for (int i = 0; i < dimensions; i++)
        made.edges[s->edge[i]]++;
    for (int g = 0; g < GRIDS; g++) {
        const long loops[3] = {1, draw(1, config.height),
                               draw(config.height, 3 * config.height + 1)};
        draw_grid(config.size);
        tally_grid(device, config, loops, seed, &made.tally);
    }
    if (made.tally.wrong > wrong)
        tap_note("GZ_SEED=%llu, %s: %s", (unsigned long long)seed, way->name, s->body);
}

int main(void)
{
    const char *first = getenv("GZ_SEED"), *number = getenv("GZ_CASES");
    /* From the 7th on, a program for each way is enough for all types. */
    uint64_t begin = first ? strtoull(first, NULL, 10) : 7;
    /* PoCL 3.1's optimiser gets a few of a hundred such kernels wrong. */
    test_device_compile(false);
    struct gzk_device *device = test_device_open();
    int cases = number ? atoi(number) : tap_bulk(1, 2) * way_count;

    tap_note("GZ_SEED=%llu GZ_CASES=%d on %s", (unsigned long long)begin, cases, device->info.name);
    for (int k = 0; k < cases; k++) {
        /* In three dimensions and in two; what does not stream, in one as well. */
        seed = begin + (uint64_t)k;
        const struct way *way = &ways[seed % (uint64_t)way_count];
        int turn = (int)((seed + seed / (uint64_t)way_count) % 6);
        check(device, way, 3 - turn % (gzk_variants[way->variant].streamed ? 2 : 3));
    }
    tap_ok(made.tally.runs > 0 && made.tally.wrong == 0, "bit for bit: %d runs of %d programs",
           made.tally.runs, made.programs);
    if (!number)
        tap_ok(made.types[0] && made.types[1] && made.types[2] && made.red_black &&
                   made.step_arrays && made.fields && made.edges[0] && made.edges[1] &&
                   made.edges[2] && made.edges[3],
               "all types, edges, red-black sweeps, several fields and per-step arrays are among "
               "them");
    gzk_device_close(device);
    return tap_done();
}
