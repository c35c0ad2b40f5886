/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stencils and the serial references: what Table 2 of the paper says, cases small
 * enough to work out by hand, and properties that hold whatever the data.
 */
#include "config.h"
#include "memory.h"
#include "registry.h"
#include "tap.h"
#include "timing.h"

#include <string.h>

static void table(void)
{
    static const struct {
        const char *name;
        int dimensions, arrays, per_op;
    } paper[] = {
        {"pathfinder", 1, 1, 1}, {"hotspot", 2, 2, 0}, {"poisson", 2, 1, 0}, {"cell", 3, 1, 0}};

    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++) {
        const struct gzk_stencil *s = gzk_stencil_find(paper[i].name);
        int halo = s != NULL;
        for (int d = 0; s && d < 3; d++)
            halo = halo && s->radius[d] == (d < s->dim ? 1 : 0);
        tap_ok(s && s->dim == paper[i].dimensions && halo &&
                   gzi_loaded(&s->shape) == paper[i].arrays && s->step_arrays == paper[i].per_op,
               "%s has the dimensions, halo, arrays and elements per operation of Table 2",
               paper[i].name);
    }
    tap_ok(gzk_stencil_find("no such") == NULL, "an unknown name finds nothing");
    struct gzk_error error = {0};
    int whole = 1;
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        const struct gzk_stencil *s = gzk_stencils[i];
        whole = whole && gzk_stencil_find(s->name) == s &&
                gzk_stencil_check(s, "built in", &error) == 0 &&
                gzk_max_height(s, s->default_block) > 0 &&
                (i == 0 || strcmp(gzk_stencils[i - 1]->name, s->name) < 0);
    }
    tap_ok(whole,
           "every stencil is complete and in its place, and its default block fits a trapezoid");
}

static void by_hand(void)
{
    const struct gzk_stencil *s = gzk_stencil_find("pathfinder");
    struct gzk_data data;
    int after[27];

    gzk_data_new(&data, s, (int[]){4, 1, 1}, 1, 1);
    memcpy(data.state, (int[]){5, 1, 7, 2}, sizeof(int[4]));
    memcpy(data.aux, (int[]){1, 2, 3, 4}, sizeof(int[4]));
    s->reference(&data, 0, data.state, after);
    tap_ok(memcmp(after, (int[]){2, 3, 4, 6}, sizeof(int[4])) == 0,
           "pathfinder: four cells by hand");
    gzk_data_free(&data);

    s = gzk_stencil_find("cell");
    gzk_data_new(&data, s, (int[]){3, 3, 3}, 1, 1);
    memset(data.state, 0, sizeof after);
    for (int i = 0; i < 5; i++)
        ((int *)data.state)[i] = 1;
    s->reference(&data, 0, data.state, after);
    tap_ok(after[13] == 1, "cell: five live neighbours bring the middle of a cube to life");
    ((int *)data.state)[4] = 0;
    s->reference(&data, 0, data.state, after);
    tap_ok(after[13] == 0, "cell: four do not");
    ((int *)data.state)[13] = 1;
    s->reference(&data, 0, data.state, after);
    tap_ok(after[13] == 1, "cell: four keep it alive");
    gzk_data_free(&data);
}

static void equilibria(void)
{
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    struct gzk_data data;
    float after[6 * 5], heat = 0;
    int flat = 1;

    gzk_data_new(&data, s, (int[]){6, 5, 1}, 1, 1);
    for (int i = 0; i < 30; i++) {
        ((float *)data.state)[i] = 80.0F;
        ((float *)data.aux)[i] = 0.0F;
    }
    s->reference(&data, 0, data.state, after);
    for (int i = 0; i < 30; i++)
        flat = flat && after[i] == 80.0F;
    tap_ok(flat, "hotspot: without power, the ambient temperature stays");
    ((float *)data.aux)[7] = 1.0F;
    s->reference(&data, 0, data.state, after);
    for (int i = 0; i < 30; i++)
        heat += after[i] - 80.0F;
    tap_ok(after[7] > 80.0F && heat == after[7] - 80.0F, "hotspot: power heats its own cell first");
    gzk_data_free(&data);

    s = gzk_stencil_find("poisson");
    gzk_data_new(&data, s, (int[]){6, 5, 1}, 1, 1);
    for (int i = 0; i < 30; i++)
        ((float *)data.state)[i] = 3.0F;
    s->reference(&data, 0, data.state, after);
    flat = 1;
    for (int i = 0; i < 30; i++)
        flat = flat && fabsf(after[i] - 3.0F - 1.0F / 144.0F) < 1e-6F;
    tap_ok(flat, "poisson: a flat state rises by the source's quarter square spacing");
    gzk_data_free(&data);
}

static void data_is_reproducible(void)
{
    struct gzk_data a, b, c;
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");

    gzk_data_new(&a, s, (int[]){33, 7, 1}, 1, 5);
    gzk_data_new(&b, s, (int[]){33, 7, 1}, 1, 5);
    gzk_data_new(&c, s, (int[]){33, 7, 1}, 1, 6);
    tap_ok(memcmp(a.state, b.state, a.cells * sizeof(float)) == 0 &&
               memcmp(a.aux, b.aux, a.cells * sizeof(float)) == 0,
           "the same seed gives the same arrays");
    tap_ok(memcmp(a.state, c.state, a.cells * sizeof(float)) != 0, "another seed gives others");
    gzk_data_free(&a);
    gzk_data_free(&b);
    gzk_data_free(&c);
}

static void geometry(void)
{
    struct gzk_error error = {0};
    struct gzk_geometry g;
    struct gzk_config config = {.stencil = gzk_stencil_find("hotspot"),
                                .size = {2000, 2000, 1},
                                .block = {20, 20, 1},
                                .threads = {20, 20, 1},
                                .height = 2,
                                .loops = 5};
    struct gzk_counts counts;

    tap_ok(gzk_geometry_make(&config, &g, &error) == 0 && g.committed[0] == 16 &&
               g.tiles[1] == 125 && g.tile_count == 15625 && g.local_bytes == 38 * 128,
           "hotspot 2000x2000, block 20x20, height 2: committed 16x16, 125x125 tiles");
    counts = gzk_count(&config);
    tap_ok(counts.committed == 3.0 * 2000 * 2000, "every stage commits every cell once");
    tap_ok(counts.loaded == 3.0 * 2 * 15625 * 400,
           "whole tiles: loaded is stages arrays T V [Eq. 8]");
    tap_ok(counts.operations < 5.0 * 15625 * 18 * 18 && counts.operations > 5.0 * 2000 * 2000,
           "operations lie between the grid and loops T Q [Eq. 10]");
    config.height = 10;
    tap_ok(gzk_geometry_make(&config, &g, &error) == GZK_INVALID && strstr(error.text, "at most 9"),
           "a height that leaves nothing to commit is refused, and the largest is named");
    config.height = 2147483647;
    tap_ok(gzk_geometry_make(&config, &g, &error) == GZK_INVALID, "a huge height is refused too");
    config.height = 1;
    config.size[0] = config.size[1] = 40000;
    tap_ok(gzk_geometry_make(&config, &g, &error) == GZK_INVALID,
           "a grid beyond the kernels' indices is refused");
}

static void memory(void)
{
    struct gzk_config config = {.stencil = gzk_stencil_find("fdtd3d"), .size = {10, 10, 10}};
    struct gzk_memory needed = gzk_memory_needed(&config, 3);
    tap_ok(needed.host == (4 * 6 + 1) * 4e3 && needed.device == (2 * 6 + 1) * 4e3 &&
               needed.buffer == 6 * 4e3,
           "each of several fields needs memory");
    config.stencil = gzk_stencil_find("wave3d");
    needed = gzk_memory_needed(&config, 3);
    tap_ok(needed.host == (5 + 1) * 4e3 && needed.device == (4 + 1) * 4e3,
           "and each of three time levels");
}

static void comparison(void)
{
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    float reference[] = {1, 2, 340}, result[] = {1, 2, 340};
    struct gzk_data data = {.cells = 3};
    struct gzk_serial serial = {s, &data, 1};
    struct gzk_comparison c;

    gzk_compare(&serial, result, reference, false, &c);
    tap_ok(c.wrong == 0 && c.max_error == 0, "equal states compare equal");
    result[2] = nextafterf(340, 400);
    gzk_compare(&serial, result, reference, false, &c);
    tap_ok(c.wrong == 1 && c.first_wrong == 2, "without contraction one ULP is wrong");
    gzk_compare(&serial, result, reference, true, &c);
    tap_ok(c.wrong == 0, "with contraction it is not");
    result[0] = NAN;
    gzk_compare(&serial, result, reference, true, &c);
    tap_ok(c.wrong == 1 && c.first_wrong == 0 && isnan(c.max_error), "NaN is always wrong");
}

/* Rodinia's time step if it is stable, else a shorter one; see hotspot.c. */
static void hotspot_is_stable(void)
{
    static const int sizes[][3] = {{64, 64, 1},     {512, 512, 1}, {1024, 1024, 1}, {1500, 1500, 1},
                                   {2000, 2000, 1}, {4000, 64, 1}, {1, 8192, 1}};
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    /* s, Rodinia's PRECISION / (MAX_PD / (FACTOR_CHIP t_chip SPEC_HEAT_SI)) */
    const double rodinia_s = 0.001 / (3.0e6 / (0.5 * 0.0005 * 1.75e6));

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float c[GZK_MAX_COEFFICIENTS] = {0};
        struct gzk_data data = {.size = {sizes[i][0], sizes[i][1], 1}, .coefficients = c};
        s->set_coefficients(&data);
        double sum =
            fabs(1 - (double)c[0] * (2.0 * (double)c[1] + 2.0 * (double)c[2] + (double)c[3])) +
            (double)c[0] * (2.0 * (double)c[1] + 2.0 * (double)c[2]);
        tap_ok(sum <= 1 + 1e-6, "hotspot %dx%d: the weights' magnitudes add up to %.9f",
               sizes[i][0], sizes[i][1], sum);
        if (i < 3) {
            double capacity = 0.5 * 1.75e6 * 0.0005 * 0.016 * 0.016 / sizes[i][0] / sizes[i][1];
            tap_ok(fabs((double)c[0] * capacity / rodinia_s - 1) < 1e-6,
                   "and the step is Rodinia's, %.4g s", rodinia_s);
        }
    }
}

/* On a grid so fine that Rodinia's step would make the values grow sevenfold with every loop. */
static void hotspot_stays_bounded(void)
{
    enum { LOOPS = 30 };
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    struct gzk_data data;
    float *last, least = 1e30F, most = 0;

    gzk_data_new(&data, s, (int[]){4000, 64, 1}, LOOPS, 1);
    last = malloc(data.cells * sizeof *last);
    gzk_reference_run(&(struct gzk_serial){s, &data, LOOPS}, last, NULL, NULL);
    for (size_t i = 0; i < data.cells; i++) {
        least = fminf(least, last[i]);
        most = isfinite(last[i]) ? fmaxf(most, last[i]) : INFINITY;
    }
    tap_ok(least > 319.0F && most < 346.0F, "after %d loops temperatures lie in [%g, %g]", LOOPS,
           (double)least, (double)most);
    free(last);
    gzk_data_free(&data);
}

int main(void)
{
    table();
    by_hand();
    equilibria();
    data_is_reproducible();
    geometry();
    memory();
    comparison();
    hotspot_is_stable();
    hotspot_stays_bounded();
    return tap_done();
}
