/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pieces serial|open NX NY LOOPS ... - prints the state, to the bit, after each piece of so many
 * loops; a piece of -1 begins anew with another coefficient. `serial` computes them here, `open`
 * by an open run of libgzstencil. The stencil has a border in each of two buffers, cells that are
 * never written, a constant array, an array for each loop and a coefficient. If there is no device,
 * it says so and exits with 77.
 */
#include "gzstencil.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const body[] = {"GZ_UPDATE\n{\n",
                                   "    if (COEF_AT(0, 0, 0, 0) == 0)\n"
                                   "        return COEF_AT(1 + (int)((LOOP + 1) % 2), 0, 0, 0);\n",
                                   "    return 0.5 * AT(0, 0, 0) + COEF(0) * COEF_AT(0, 0, 0, 0) * "
                                   "(AT(-1, 0, 0) + AT(1, 0, 0) +\n",
                                   "        AT(0, -1, 0) + AT(0, 1, 0)) + STEP_AT(0);\n}\n", 0};
static const struct gz_stencil stencil = {.file = "pieces.c",
                                          .line = 1,
                                          .body = body,
                                          .type = GZ_STENCIL_DOUBLE,
                                          .edge = {GZ_STENCIL_KEEP, GZ_STENCIL_KEEP},
                                          .dimensions = 2,
                                          .radius = {1, 1, 0},
                                          .coefficients = 1,
                                          .constant_arrays = 1,
                                          .step_arrays = 1,
                                          .operations = 9,
                                          .buffers = 2,
                                          .guarded = 1};

enum { LOOPS = 40 };
static long nx, ny;
static double *state[2], *mask, *step[LOOPS];

static size_t cell(long x, long y)
{
    return (size_t)(y * (nx + 2) + x);
}

static double *grid(unsigned seed)
{
    double *made = malloc(cell(0, ny + 2) * sizeof *made);
    if (!made)
        exit(1);
    for (size_t i = 0; i < cell(0, ny + 2); i++) {
        seed = seed * 1103515245U + 12345U;
        made[i] = (double)(seed >> 8) / (double)(1U << 24);
    }
    return made;
}

static void make(void)
{
    for (unsigned b = 0; b < 2; b++) {
        free(state[b]);
        state[b] = grid(b + 1);
    }
}

/* Loop number `t` from state t % 2 to the other. */
static void serial(int t, double c)
{
    const double *a = state[t % 2];
    for (long y = 1; y <= ny; y++)
        for (long x = 1; x <= nx; x++)
            if (mask[cell(x, y)] != 0)
                state[(t + 1) % 2][cell(x, y)] = 0.5 * a[cell(x, y)] +
                                                 c * mask[cell(x, y)] *
                                                     (a[cell(x - 1, y)] + a[cell(x + 1, y)] +
                                                      a[cell(x, y - 1)] + a[cell(x, y + 1)]) +
                                                 step[t][cell(x, y)];
}

static void show(int at, const double *last)
{
    for (size_t i = 0; i < cell(0, ny + 2); i++)
        printf("%d %zu %a\n", at, i, last[i]);
}

static void copy(void *to, const double *from)
{
    memcpy(to, from, cell(0, ny + 2) * sizeof *from);
}

static gz_stencil_run *open_run(void)
{
    const long extent[3] = {nx, ny};
    gz_stencil_run *run = gz_stencil_open(&stencil, extent, LOOPS);
    if (!gz_stencil_ready(run)) {
        fprintf(stderr, "%s\n", gz_stencil_reason(run));
        exit(77);
    }
    copy(gz_stencil_buffer(run, 0), state[0]);
    copy(gz_stencil_buffer(run, 1), state[1]);
    copy(gz_stencil_constant(run, 0), mask);
    for (int t = 0; t < LOOPS; t++)
        copy(gz_stencil_step(run, 0, t), step[t]);
    return run;
}

static void put(gz_stencil_run *run, double c)
{
    gz_stencil_double(run, 0, c);
    if (!gz_stencil_put(run)) {
        fprintf(stderr, "put: %s\n", gz_stencil_reason(run));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    gz_stencil_run *run = NULL;
    double c = 0.1;
    int at = 0;

    if (argc < 4)
        return 2;
    nx = atol(argv[2]);
    ny = atol(argv[3]);
    make();
    mask = grid(3);
    for (size_t i = 0; i < cell(0, ny + 2); i++)
        mask[i] = i % 7 == 3 ? 0 : mask[i];
    for (unsigned t = 0; t < LOOPS; t++)
        step[t] = grid(t + 4);
    if (strcmp(argv[1], "open") == 0) {
        run = open_run();
        put(run, c);
    }
    for (int i = 4; i < argc; i++) {
        int loops = atoi(argv[i]);
        if (loops < 0) {
            c = 0.2;
            at = loops = 0;
            make();
            if (run)
                put(run, c);
        }
        for (int t = 0; t < loops && !run; t++)
            serial(at + t, c);
        at += loops;
        if (!run) {
            show(at, state[at % 2]);
        } else if (gz_stencil_advance(run, loops) && gz_stencil_get(run)) {
            show(at, gz_stencil_result(run, 0));
        } else {
            printf("%s\n", gz_stencil_reason(run));
        }
    }
    gz_stencil_close(run);
    for (int b = 0; b < 2; b++)
        free(state[b]);
    free(mask);
    for (int t = 0; t < LOOPS; t++)
        free(step[t]);
    return 0;
}
