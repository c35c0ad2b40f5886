/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multigrid on a device equals the serial reference to the last bit, whatever the depth of the
 * ghost zones, the variant, the tile, the cycle and the level from which the host computes.
 */
#include "data.h"
#include "solve.h"
#include "test_device.h"

#include <stdlib.h>

/* A few cycles into `u`, `cells` elements, of random data; 0 if it went well. */
static int cycles(struct gzk_device *device, const struct gzm_setup *setup, gz_cycle cycle,
                  bool full, void *u, double *norm, struct gzk_error *error)
{
    const struct gzm_problem *p = &setup->problem;
    size_t cells = gzk_cells(p->size);
    size_t bytes = GZK_BYTES(p->type);
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
    if (status == 0) {
        gzm_put(mg, f, guess);
        for (int k = 0; k < 2; k++)
            if (full && k == 0)
                gzm_full(mg, cycle);
            else
                gzm_cycle(mg, cycle);
        gzm_norm(mg, norm);
        status = gzm_get(mg, u);
    }
    gzm_close(mg);
    free(f);
    free(guess);
    free(beta);
    return status;
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

static void give(struct gzm_setup *setup, int depth, gz_variant variant, const int block[3])
{
    for (int k = 0; k < GZM_MAX_LEVELS; k++) {
        setup->way[k] = (struct gzm_way){.height = depth, .has_variant = true, .variant = variant};
        memcpy(setup->way[k].block, block, sizeof setup->way[k].block);
    }
}

enum { V = GZ_CYCLE_V, W = GZ_CYCLE_W, F = GZ_CYCLE_F };
/* By `make check-all` alone; a start by full multigrid; types; all levels on the host, or on the
 * device, where values are interpolated as constants. */
enum { BULK = 1, FULL = 2, FLOAT = 4, HOST = 8, DEVICE = 16 };

static const struct a_case {
    enum gzm_operator op;
    enum gzm_edges edges;
    int size[3], depth; /* 0: as the model chooses */
    gz_variant variant;
    int block[3], cycle, sweeps[2];
    unsigned flags;
} cases[] = {
    {GZM_7_POINT, GZM_DIRICHLET, {20, 12, 16}, 1, GZK_TRAPEZOID, {12, 8, 9}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {20, 12, 16}, 3, GZK_TRAPEZOID, {13, 12, 11}, V, {2, 1}, 0},
    {GZM_7_POINT, GZM_DIRICHLET, {20, 12, 16}, 2, GZK_STREAM, {14, 10, 12}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {20, 12, 16}, 4, GZK_STREAM, {24, 12, 16}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {20, 12, 16}, 1, GZK_NAIVE, {7, 5, 3}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_PERIODIC, {16, 20, 12}, 2, GZK_TRAPEZOID, {12, 11, 10}, V, {2, 1}, BULK},
    {GZM_VARIABLE, GZM_PERIODIC, {16, 20, 12}, 2, GZK_TRAPEZOID, {12, 11, 10}, V, {2, 1}, BULK},
    {GZM_13_POINT, GZM_PERIODIC, {16, 20, 12}, 1, GZK_TRAPEZOID, {12, 12, 12}, V, {2, 1}, 0},
    {GZM_27_POINT, GZM_PERIODIC, {16, 20, 12}, 2, GZK_TRAPEZOID, {12, 11, 10}, V, {2, 1}, BULK},
    {GZM_125_POINT, GZM_PERIODIC, {16, 20, 12}, 1, GZK_TRAPEZOID, {12, 12, 12}, V, {2, 1}, BULK},
    {GZM_VARIABLE, GZM_DIRICHLET, {20, 12, 16}, 2, GZK_TRAPEZOID, {12, 11, 10}, V, {2, 1}, BULK},
    {GZM_VARIABLE, GZM_NEUMANN, {20, 12, 16}, 2, GZK_STREAM, {14, 10, 12}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_PERIODIC, {24, 16, 20}, 0, GZK_NAIVE, {0}, V, {2, 1}, BULK},
    {GZM_7_POINT, GZM_PERIODIC, {24, 16, 20}, 0, GZK_NAIVE, {0}, V, {2, 1}, FLOAT},
    {GZM_7_POINT, GZM_DIRICHLET, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, W, {2, 1}, DEVICE},
    {GZM_7_POINT, GZM_NEUMANN, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, W, {2, 1}, DEVICE | BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, F, {2, 1}, FULL},
    {GZM_7_POINT, GZM_NEUMANN, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, F, {2, 1}, FULL | BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, V, {0, 1}, FULL | BULK},
    {GZM_7_POINT, GZM_DIRICHLET, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, V, {0, 1}, 0},
    {GZM_7_POINT, GZM_DIRICHLET, {32, 16, 16}, 1, GZK_NAIVE, {16, 8, 8}, V, {0, 1}, HOST},
    /* Restriction, interpolation and norm as parts of smoothing launches, with stages before and
     * after these, uneven tiles, and tiles that repeat the grid. */
    {GZM_7_POINT, GZM_DIRICHLET, {36, 20, 24}, 4, GZK_STREAM, {22, 15, 17}, V, {2, 2}, 0},
    {GZM_7_POINT, GZM_PERIODIC, {12, 16, 24}, 3, GZK_STREAM, {18, 16, 14}, W, {2, 1}, 0},
    {GZM_13_POINT, GZM_PERIODIC, {24, 16, 20}, 2, GZK_STREAM, {26, 22, 24}, V, {3, 3}, BULK},
    {GZM_7_POINT, GZM_NEUMANN, {20, 24, 16}, 1, GZK_STREAM, {16, 12, 10}, W, {2, 1}, BULK},
    {GZM_VARIABLE, GZM_DIRICHLET, {28, 12, 20}, 3, GZK_STREAM, {20, 14, 16}, V, {1, 2}, BULK},
    {GZM_27_POINT, GZM_PERIODIC, {16, 20, 24}, 2, GZK_STREAM, {16, 12, 14}, W, {2, 0}, BULK},
    {GZM_125_POINT, GZM_PERIODIC, {16, 20, 16}, 1, GZK_STREAM, {20, 14, 16}, V, {0, 1}, BULK},
    {GZM_VARIABLE, GZM_NEUMANN, {28, 12, 20}, 2, GZK_TRAPEZOID, {9, 9, 9}, W, {2, 1}, FLOAT | FULL},
};

/* With sixteen threads between levels, or as many as there are cores. */
static void check(struct gzk_device *device, const struct a_case *c, int threads)
{
    struct gzm_setup setup = setup_of(c->op, c->edges, c->size[0], c->size[1], c->size[2]);
    struct gzm_problem *p = &setup.problem;
    size_t bytes = gzk_cells(p->size) * sizeof(double);
    void *u = calloc(1, bytes), *want = calloc(1, bytes);
    struct gzk_error error = {0};
    double norm = 0, reference = 1;
    bool full = c->flags & FULL;
    if (c->depth > 0)
        give(&setup, c->depth, c->variant, c->block);
    if (c->flags & FLOAT) {
        p->type = GZK_FLOAT;
        p->smoother = GZM_JACOBI;
    }
    if (c->flags & (HOST | DEVICE))
        setup.tail = c->flags & HOST ? 1 << 20 : 0;
    memcpy(setup.sweeps, c->sweeps, sizeof setup.sweeps);
    setup.threads = threads;
    bool ran = u && want &&
               cycles(NULL, &setup, (gz_cycle)c->cycle, full, want, &reference, &error) == 0 &&
               cycles(device, &setup, (gz_cycle)c->cycle, full, u, &norm, &error) == 0;
    tap_ok(ran && memcmp(u, want, bytes) == 0 && norm == reference,
           "%s, %s, %s, %s: %s, depth %d, tiles of %s, flags %u: %s", gzm_operator_names[p->op],
           gzm_edge_names[p->edges], gzm_smoother_names[p->smoother], gzk_type_name(p->type),
           gzk_variants[c->variant].name, c->depth, gzk_extents_text(c->block, 3).text, c->flags,
           ran ? "the same bits" : error.text);
    free(u);
    free(want);
}

int main(void)
{
    struct gzk_device *device = test_device_open_for_bits();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (tap_bulk(!(cases[k].flags & BULK), true))
            check(device, &cases[k], k % 2 ? 16 : 0);
    gzk_device_close(device);
    return tap_done();
}
