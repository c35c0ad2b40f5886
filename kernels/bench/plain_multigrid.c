/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiled with -O3 -march=native and OpenMP. Cells of one colour lie two apart, so a sweep
 * computes no others.
 */
#include "plain_multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 16, BOTTOM_SWEEPS = 16, PAD = 8 };

struct level {
    int n;
    long row, plane;   /* elements from one to the next; a row's first ghost cell is at PAD - 1 */
    double *u, *f, *r; /* with ghost cells */
};

struct plain_multigrid {
    int count;
    struct level levels[MOST_LEVELS];
};

#define FOR_ROWS(l)                                                                                \
    _Pragma("omp parallel for collapse(2) schedule(static)") for (int z = 0; z < (l)->n;           \
                                                                  z++) for (int y = 0; y < (l)->n; \
                                                                            y++)

/* The first element of row (y, z). */
static inline long at(const struct level *l, int y, int z)
{
    return (z + 1) * l->plane + (y + 1) * l->row + PAD;
}

/* The ghost cells beyond a wall hold -u; faces are enough for 7 points, interpolation reads edges
 * and corners, too. One axis after the other. */
static void fill_ghosts(const struct level *l, double *u)
{
    int n = l->n;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++) {
            double *row = u + at(l, y, z);
            row[-1] = -row[0];
            row[n] = -row[n - 1];
        }
#pragma omp parallel for schedule(static)
    for (int z = 0; z < n; z++)
        for (int x = -1; x <= n; x++) {
            u[at(l, -1, z) + x] = -u[at(l, 0, z) + x];
            u[at(l, n, z) + x] = -u[at(l, n - 1, z) + x];
        }
#pragma omp parallel for schedule(static)
    for (int y = -1; y <= n; y++)
        for (int x = -1; x <= n; x++) {
            u[at(l, y, -1) + x] = -u[at(l, y, 0) + x];
            u[at(l, y, n) + x] = -u[at(l, y, n - 1) + x];
        }
}

static inline double others(const double *u, long row, long plane)
{
    return u[-1] + u[1] + u[-row] + u[row] + u[-plane] + u[plane];
}

/* With the ghost cells' -u, the diagonal of a cell is 6 and one more for each wall; those in z and
 * y. */
static inline double weight(int n, int y, int z)
{
    return 6 + (y == 0) + (y == n - 1) + (z == 0) + (z == n - 1);
}

static void smooth(const struct level *l, int sweeps)
{
    int n = l->n;
    const double h2 = 1. / ((double)n * n);
    for (int s = 0; s < 2 * sweeps; s++) {
        fill_ghosts(l, l->u);
        FOR_ROWS(l)
        {
            double *restrict u = l->u + at(l, y, z);
            const double *restrict f = l->f + at(l, y, z);
            const double edge = weight(n, y, z), inverse = 1 / edge, at_wall = 1 / (edge + 1);
            const long row = l->row, plane = l->plane;
            int first = (y + z + s) % 2;
#define NEXT(x, by) (u[x] + (by) * (h2 * f[x] + others(u + (x), row, plane) - 6 * u[x]))
            if (first == 0)
                u[0] = NEXT(0, at_wall);
            for (int x = 2 - first; x < n - 1; x += 2)
                u[x] = NEXT(x, inverse);
            if (first == 1)
                u[n - 1] = NEXT(n - 1, at_wall);
        }
    }
}

/* Into l->r; returns the largest magnitude. */
static double residual(const struct level *l, bool with_norm)
{
    int n = l->n;
    const double per_h2 = (double)n * n;
    double most = 0;
    fill_ghosts(l, l->u);
#pragma omp parallel for collapse(2) schedule(static) reduction(max : most)
    for (int z = 0; z < n; z++)
        for (int y = 0; y < n; y++) {
            long row = at(l, y, z);
            const double *restrict u = l->u + row, *restrict f = l->f + row;
            double *restrict r = l->r + row;
            for (int x = 0; x < n; x++)
                r[x] = f[x] - per_h2 * (6 * u[x] - others(u + x, l->row, l->plane));
            for (int x = 0; x < n && with_norm; x++)
                most = fabs(r[x]) > most ? fabs(r[x]) : most;
        }
    return most;
}

static void restrict_to(const struct level *l, const struct level *coarse)
{
    FOR_ROWS(coarse)
    {
        const double *restrict a = l->r + at(l, 2 * y, 2 * z);
        double *restrict f = coarse->f + at(coarse, y, z);
        for (int x = 0; x < coarse->n; x++) {
            const double *b = a + 2 * x;
            f[x] = 0.125 * (b[0] + b[1] + b[l->row] + b[l->row + 1] + b[l->plane] +
                            b[l->plane + 1] + b[l->plane + l->row] + b[l->plane + l->row + 1]);
        }
    }
    memset(coarse->u, 0, (size_t)(coarse->n + 2) * (size_t)coarse->plane * sizeof *coarse->u);
}

static void prolong(const struct level *l, const struct level *coarse)
{
    fill_ghosts(coarse, coarse->u);
    FOR_ROWS(l)
    {
        long dy = y % 2 ? coarse->row : -coarse->row, dz = z % 2 ? coarse->plane : -coarse->plane;
        const double *restrict c = coarse->u + at(coarse, y / 2, z / 2);
        double *restrict u = l->u + at(l, y, z);
        for (int x = 0; x < coarse->n; x++) {
            const double *b = c + x;
#define BETWEEN(i)                                                                                 \
    (0.5625 * b[i] + 0.1875 * (b[(i) + dy] + b[(i) + dz]) + 0.0625 * b[(i) + dy + dz])
            double here = 0.75 * BETWEEN(0);
            u[2 * x] += here + 0.25 * BETWEEN(-1);
            u[2 * x + 1] += here + 0.25 * BETWEEN(1);
        }
    }
}

static void cycle_at(struct plain_multigrid *mg, int k, int sweeps)
{
    const struct level *l = &mg->levels[k];
    if (k == mg->count - 1) {
        smooth(l, BOTTOM_SWEEPS);
        return;
    }
    smooth(l, sweeps);
    residual(l, false);
    restrict_to(l, l + 1);
    cycle_at(mg, k + 1, sweeps);
    prolong(l, l + 1);
    smooth(l, sweeps);
}

void plain_multigrid_cycle(struct plain_multigrid *mg, int sweeps, bool full)
{
    for (int k = 0; full && k + 1 < mg->count; k++) {
        residual(&mg->levels[k], false);
        restrict_to(&mg->levels[k], &mg->levels[k + 1]);
    }
    for (int k = full ? mg->count - 1 : 0; k >= 0; k--) {
        cycle_at(mg, k, sweeps);
        if (k > 0)
            prolong(&mg->levels[k - 1], &mg->levels[k]);
    }
}

double plain_multigrid_norm(struct plain_multigrid *mg)
{
    return residual(&mg->levels[0], true);
}

struct plain_multigrid *plain_multigrid_new(int n)
{
    struct plain_multigrid *mg = calloc(1, sizeof *mg);
    bool ok = mg != NULL;
    for (; ok && n >= 2 && mg->count < MOST_LEVELS; n /= 2) {
        struct level *l = &mg->levels[mg->count++];
        *l = (struct level){.n = n, .row = n + 2 * PAD, .plane = (long)(n + 2) * (n + 2 * PAD)};
        size_t bytes = (size_t)(n + 2) * (size_t)l->plane * sizeof(double);
        double **const arrays[] = {&l->u, &l->f, &l->r};
        for (int i = 0; i < 3; i++) {
            *arrays[i] = aligned_alloc(64, (bytes + 63) / 64 * 64);
            ok = ok && *arrays[i];
        }
        for (int i = 0; i < 3 && ok; i++) {
            /* By the threads that will compute there. */
#pragma omp parallel for schedule(static)
            for (int z = 0; z < n + 2; z++)
                memset(*arrays[i] + z * l->plane, 0, (size_t)l->plane * sizeof(double));
        }
    }
    if (ok)
        return mg;
    plain_multigrid_free(mg);
    return NULL;
}

void plain_multigrid_free(struct plain_multigrid *mg)
{
    for (int k = 0; mg && k < mg->count; k++) {
        free(mg->levels[k].u);
        free(mg->levels[k].f);
        free(mg->levels[k].r);
    }
    free(mg);
}

void plain_multigrid_put(struct plain_multigrid *mg, const double *f)
{
    const struct level *l = &mg->levels[0];
    FOR_ROWS(l)
    {
        memcpy(l->f + at(l, y, z), f + ((long)z * l->n + y) * l->n, (size_t)l->n * sizeof *f);
        memset(l->u + at(l, y, z), 0, (size_t)l->n * sizeof *f);
    }
}
