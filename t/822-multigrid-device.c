/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multigrid on a device equals the serial reference to the last bit, whatever the depth of the
 * ghost zones, the variant, the tile, the cycle and the level from which the host computes.
 */
#include "data.h"
#include "fastest.h"
#include "solve.h"
#include "test_device.h"

#include <stdlib.h>

/* A few cycles into `u`, `cells` elements, of random data; 0 if it went well. */
static int cycles(struct gzk_device *device, const struct gzm_setup *setup, gz_cycle cycle,
                  bool full, void *u, double *norm, struct gzk_error *error)
{
    const struct gzm_problem *p = &setup->problem;
    size_t cells = (size_t)p->size[0] * (size_t)p->size[1] * (size_t)p->size[2];
    size_t bytes = gzk_type_bytes(p->type);
    void *f = calloc(cells, bytes), *guess = calloc(cells, bytes), *beta = calloc(cells, bytes);
    struct gzm *mg = NULL;
    for (size_t i = 0; i < cells; i++)
        if (p->type == GZK_FLOAT) {
            ((float *)f)[i] = gzk_random_float(1, i);
            ((float *)guess)[i] = gzk_random_float(2, i);
            ((float *)beta)[i] = 0.5F + gzk_random_float(3, i);
        } else {
            ((double *)f)[i] = gzk_random_double(1, i);
            ((double *)guess)[i] = gzk_random_double(2, i);
            ((double *)beta)[i] = 0.5 + gzk_random_double(3, i);
        }
    int status = gzm_open(device, setup, beta, &mg, error);
    status = status == 0 ? gzm_put(mg, f, guess, error) : status;
    for (int k = 0; k < 2 && status == 0; k++)
        status = full && k == 0 ? gzm_full(mg, cycle, error) : gzm_cycle(mg, cycle, error);
    status = status == 0 ? gzm_norm(mg, norm, error) : status;
    status = status == 0 ? gzm_get(mg, u, error) : status;
    gzm_close(mg);
    free(f);
    free(guess);
    free(beta);
    return status;
}

static void check(struct gzk_device *device, const struct gzm_setup *setup, gz_cycle cycle,
                  bool full, const char *what)
{
    const struct gzm_problem *p = &setup->problem;
    size_t bytes =
        (size_t)p->size[0] * (size_t)p->size[1] * (size_t)p->size[2] * gzk_type_bytes(p->type);
    void *u = calloc(1, bytes), *want = calloc(1, bytes);
    struct gzk_error error = {0};
    double norm = 0, reference = 1;
    bool ran = u && want && cycles(NULL, setup, cycle, full, want, &reference, &error) == 0 &&
               cycles(device, setup, cycle, full, u, &norm, &error) == 0;
    tap_ok(ran && memcmp(u, want, bytes) == 0 && norm == reference, "%s, %s, %s, %s: %s",
           gzm_operator_names[p->op], gzm_edge_names[p->edges], gzm_smoother_names[p->smoother],
           setup->mixed ? "mixed" : gzk_type_name(p->type), ran ? what : error.text);
    free(u);
    free(want);
}

static struct gzm_setup setup_of(enum gzm_operator op, enum gzm_edges edges, int x, int y, int z)
{
    return (struct gzm_setup){
        .problem = {.op = op,
                    .edges = edges,
                    .smoother = op > GZM_VARIABLE ? GZM_JACOBI : GZM_RED_BLACK,
                    .type = GZK_DOUBLE,
                    .size = {x, y, z}},
        .sweeps = {2, 1},
        .tail = 200};
}

static const double *random_of(int cells)
{
    static double values[20 * 12 * 16];
    for (int i = 0; i < cells; i++)
        values[i] = gzk_random_double(2, (uint64_t)i);
    return values;
}

static void give(struct gzm_setup *setup, int depth, gz_variant variant, const int block[3])
{
    for (int k = 0; k < GZM_MAX_LEVELS; k++) {
        setup->way[k] = (struct gzm_way){.height = depth, .has_variant = true, .variant = variant};
        if (block)
            memcpy(setup->way[k].block, block, sizeof setup->way[k].block);
    }
}

/* Restriction, interpolation and norm as parts of smoothing launches, with stages before and after
 * these, uneven tiles, and tiles that repeat the grid. */
static void check_fused(struct gzk_device *device)
{
    static const struct {
        enum gzm_operator op;
        enum gzm_edges edges;
        int size[3], sweeps[2], depth, block[3];
        bool always; /* else by `make check-all` only */
    } cases[] = {
        {GZM_7_POINT, GZM_DIRICHLET, {36, 20, 24}, {2, 2}, 4, {22, 15, 17}, true},
        {GZM_7_POINT, GZM_PERIODIC, {12, 16, 24}, {2, 1}, 3, {18, 16, 14}, true},
        {GZM_13_POINT, GZM_PERIODIC, {24, 16, 20}, {3, 3}, 2, {26, 22, 24}, false},
        {GZM_7_POINT, GZM_NEUMANN, {20, 24, 16}, {2, 1}, 1, {16, 12, 10}, false},
        {GZM_VARIABLE, GZM_DIRICHLET, {28, 12, 20}, {1, 2}, 3, {20, 14, 16}, false},
        {GZM_27_POINT, GZM_PERIODIC, {16, 20, 24}, {2, 0}, 2, {16, 12, 14}, false},
        {GZM_125_POINT, GZM_PERIODIC, {16, 20, 16}, {0, 1}, 1, {20, 14, 16}, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (!cases[k].always && !tap_bulk(0, 1))
            continue;
        const int *size = cases[k].size;
        struct gzm_setup setup = setup_of(cases[k].op, cases[k].edges, size[0], size[1], size[2]);
        memcpy(setup.sweeps, cases[k].sweeps, sizeof setup.sweeps);
        give(&setup, cases[k].depth, GZK_STREAM, cases[k].block);
        check(device, &setup, k % 2 ? GZ_CYCLE_W : GZ_CYCLE_V, false, "in smoothing launches");
        setup.separate = true;
        if (tap_bulk(k == 0, 1))
            check(device, &setup, k % 2 ? GZ_CYCLE_W : GZ_CYCLE_V, false,
                  "in launches of their own");
    }
}

/* Cycles in float around a state in double. */
static void check_mixed(struct gzk_device *device)
{
    struct gzm_setup setup = setup_of(GZM_7_POINT, GZM_DIRICHLET, 28, 12, 20);
    setup.mixed = true;
    give(&setup, 3, GZK_STREAM, (int[]){20, 14, 16});
    check(device, &setup, GZ_CYCLE_V, false, "in smoothing launches");
    setup.problem.op = GZM_VARIABLE;
    setup.problem.edges = GZM_NEUMANN;
    setup.threads = 16;
    give(&setup, 2, GZK_TRAPEZOID, (int[]){12, 11, 10});
    check(device, &setup, GZ_CYCLE_W, true,
          "full multigrid and a W-cycle in launches of their own");
    setup.tail = 1 << 20;
    check(device, &setup, GZ_CYCLE_V, false, "all levels on the host");
}

/* Levels that are smoothed in another way after a cycle, and after a way that was refused. */
static void check_other_way(struct gzk_device *device)
{
    struct gzm_setup setup = setup_of(GZM_7_POINT, GZM_DIRICHLET, 20, 12, 16);
    const struct gzm_way bad = {.height = 4, .has_variant = true, .block = {5, 5, 5}},
                         other = {.height = 3,
                                  .has_variant = true,
                                  .variant = GZK_STREAM,
                                  .block = {14, 10, 12},
                                  .threads = {1, 1, 1}};
    double u[2][20 * 12 * 16], norm[2];
    struct gzm *mg = NULL;
    struct gzk_error error = {0}, refused = {0};
    bool ran = true;

    give(&setup, 1, GZK_TRAPEZOID, (int[]){12, 8, 9});
    for (int k = 0; k < 2 && ran; k++) {
        ran = gzm_open(k == 0 ? device : NULL, &setup, NULL, &mg, &error) == 0 &&
              gzm_put(mg, NULL, random_of(20 * 12 * 16), &error) == 0 &&
              gzm_cycle(mg, GZ_CYCLE_V, &error) == 0;
        if (ran && k == 0)
            ran = gzm_set_way(mg, 0, &bad, &refused) == GZK_INVALID &&
                  gzm_set_way(mg, 0, &other, &error) == 0;
        ran = ran && gzm_cycle(mg, GZ_CYCLE_V, &error) == 0 &&
              gzm_norm(mg, &norm[k], &error) == 0 && gzm_get(mg, u[k], &error) == 0;
        gzm_close(mg);
    }
    tap_ok(ran && memcmp(u[0], u[1], sizeof u[0]) == 0 && norm[0] == norm[1],
           "another way between two cycles: %s", ran ? "the same bits" : error.text);
}

/* Refuses programs that the device has not compiled yet, `to_refuse` of them. */
static int to_refuse, refused;
static int refuse(struct gzk_device *device, const struct gzk_config *config,
                  struct gzk_error *error)
{
    (void)device;
    return refused < to_refuse && ++refused
               ? gzk_fail(error, GZK_FAILED, "depth %d does not compile", config->height)
               : 0;
}
static void refuse_from_now(void *of, double share, const struct gzk_config *next)
{
    (void)share;
    (void)next;
    ((struct gzk_device *)of)->before_program = refuse;
}

/* Ways that do not compile are counted, and the fastest of the others is taken; the model's own has
 * run before. */
static void check_tuning(struct gzk_device *device, int most_refused)
{
    struct gzm_setup setup = setup_of(GZM_7_POINT, GZM_DIRICHLET, 16, 12, 16);
    struct gzm_tuning tuning = {.most = 3, .show = refuse_from_now, .of = device};
    struct gzk_error error = {0};
    double norm, u[16 * 12 * 16];

    setup.separate = true;
    to_refuse = most_refused;
    refused = 0;
    bool ran = gzm_tune(device, GZ_CYCLE_V, &setup, NULL, NULL, &tuning, &error) == 0;
    device->before_program = NULL;
    int failed = 0;
    for (int k = 0; k < tuning.levels && ran; k++) {
        const struct gzk_ways *ways = &tuning.level[k];
        ran = ways->runs > 0 && setup.way[k].height == gzk_ways_best(ways)->config.height;
        for (size_t i = 0; i < ways->runs; i++)
            failed += ways->way[ways->measured[i]].failed != NULL;
    }
    gzm_tuning_free(&tuning);
    tap_ok(ran && failed == refused && refused > 0 &&
               cycles(device, &setup, GZ_CYCLE_V, false, u, &norm, &error) == 0,
           "ways that do not compile: %d, %s", failed,
           ran ? "the fastest of the others" : error.text);
}

int main(void)
{
    static const struct {
        gz_variant variant;
        int depth, block[3];
    } ways[] = {{GZK_TRAPEZOID, 1, {12, 8, 9}},
                {GZK_TRAPEZOID, 3, {13, 12, 11}},
                {GZK_STREAM, 2, {14, 10, 12}},
                {GZK_STREAM, 4, {24, 12, 16}},
                {GZK_NAIVE, 1, {7, 5, 3}}};
    struct gzk_device *device = test_device_open_for_bits();
    char what[100];

    bool all = tap_bulk(false, true);
    struct gzm_setup setup = setup_of(GZM_7_POINT, GZM_DIRICHLET, 20, 12, 16);
    for (int k = all ? 0 : 1; k < 5; k += all ? 1 : 2) {
        give(&setup, ways[k].depth, ways[k].variant, ways[k].block);
        snprintf(what, sizeof what, "%s, depth %d, tiles of %s", gzk_variants[ways[k].variant].name,
                 ways[k].depth, gzk_extents_text(ways[k].block, 3).text);
        check(device, &setup, GZ_CYCLE_V, false, what);
    }
    for (int op = all ? GZM_7_POINT : GZM_13_POINT; op <= (all ? GZM_125_POINT : GZM_13_POINT);
         op++) {
        bool wide = op == GZM_13_POINT || op == GZM_125_POINT;
        setup = setup_of((enum gzm_operator)op, GZM_PERIODIC, 16, 20, 12);
        give(&setup, wide ? 1 : 2, GZK_TRAPEZOID, wide ? (int[]){12, 12, 12} : (int[]){12, 11, 10});
        check(device, &setup, GZ_CYCLE_V, false, "a tile");
    }
    if (all) {
        setup = setup_of(GZM_VARIABLE, GZM_DIRICHLET, 20, 12, 16);
        give(&setup, 2, GZK_TRAPEZOID, (int[]){12, 11, 10});
        check(device, &setup, GZ_CYCLE_V, false, "a tile");
    }
    setup = setup_of(GZM_VARIABLE, GZM_NEUMANN, 20, 12, 16);
    give(&setup, 2, GZK_STREAM, (int[]){14, 10, 12});
    check(device, &setup, GZ_CYCLE_V, false, "a stream");

    setup = setup_of(GZM_7_POINT, GZM_PERIODIC, 24, 16, 20);
    if (all)
        check(device, &setup, GZ_CYCLE_V, false, "as the model chooses");
    setup.problem.type = GZK_FLOAT;
    setup.problem.smoother = GZM_JACOBI;
    check(device, &setup, GZ_CYCLE_V, false, "as the model chooses");
    setup = setup_of(GZM_7_POINT, all ? GZM_NEUMANN : GZM_DIRICHLET, 32, 16, 16);
    give(&setup, 1, GZK_NAIVE, (int[]){16, 8, 8});
    setup.tail = 0;
    setup.problem.constant = true;
    check(device, &setup, GZ_CYCLE_W, false, "W-cycles, three levels on the device");
    setup.tail = 200;
    setup.problem.constant = false;
    check(device, &setup, GZ_CYCLE_F, true, "full multigrid and an F-cycle");
    setup.sweeps[0] = 0;
    check(device, &setup, GZ_CYCLE_V, true, "no sweeps before the correction");
    setup.threads = 16;
    check(device, &setup, GZ_CYCLE_V, false, "sixteen threads between levels");
    check_fused(device);
    check_mixed(device);
    check_other_way(device);
    check_tuning(device, 1000);
    check_tuning(device, 1);
    setup.tail = 1 << 20;
    check(device, &setup, GZ_CYCLE_V, false, "all levels on the host");
    gzk_device_close(device);
    return tap_done();
}
