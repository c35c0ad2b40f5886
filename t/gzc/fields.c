/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fields.c - time loops that set several arrays: electric and magnetic fields, reactions, waters
 * and waves, in the shapes that programs give them. Prints sums over all arrays and what is left in
 * variables.
 *
 *     fields N M T
 */
#include "values.h"

#include <math.h>

/* PolyBench's FDTD: a row set by the time, three fields in place, domains of their own. */
static void yee(int n, int m, int T)
{
    double(*ex)[m] = doubles(n, m, 1), (*ey)[m] = doubles(n, m, 2);
    double(*hz)[m] = doubles(n, m, 3), *source = doubles(1, T + 1, 4);
    int t, i = 0, j = 0;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (j = 0; j < m; j++)
            ey[0][j] = source[t];
        for (i = 1; i < n; i++)
            for (j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (i = 0; i < n; i++)
            for (j = 1; j < m; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (i = 0; i < n - 1; i++)
            for (j = 0; j < m - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
    SHOW(ex, ey, hz);
    printf("%d %d %d\n", t, i, j);
}

/* Gray and Scott's reaction: both substances in one nest, both pairs of pointers exchanged. */
static void reaction(int n, int m, int T)
{
    float(*u)[m] = floats(n, m, 5), (*v)[m] = floats(n, m, 6);
    float(*un)[m] = floats(n, m, 5), (*vn)[m] = floats(n, m, 6);
    const float feed = 0.04F, kill = 0.06F;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j) {
            float lu = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j];
            float lv = v[i - 1][j] + v[i + 1][j] + v[i][j - 1] + v[i][j + 1] - 4 * v[i][j];
            float both = u[i][j] * v[i][j] * v[i][j];
            un[i][j] = u[i][j] + 0.16F * lu - both + feed * (1 - u[i][j]) * exp(-0.01 * t);
            vn[i][j] = v[i][j] + 0.08F * lv + both - (feed + kill) * v[i][j];
        }
        SWAP(u, un);
        SWAP(v, vn);
    }
    SHOW(u, v, un, vn);
}

/* A reaction on a plane in a structure, whose elements are read and set by the remainders of sizes
 * without a sign, and kept between bounds. */
static struct plane {
    size_t width, height;
    double *u, *v, *next_u, *next_v;
} plane;
#define ON(a, x, y)                                                                                \
    a[(((y) + plane.height) % plane.height) * plane.width + (((x) + plane.width) % plane.width)]
static double around(const double *from, int x, int y)
{
    return 0.05 * ON(from, x - 1, y - 1) + 0.2 * ON(from, x - 1, y) - ON(from, x, y) +
           0.2 * ON(from, x, y + 1) + 0.05 * ON(from, x + 1, y + 1);
}

static void react(double dt)
{
    double *swap;
    for (int x = 0; x < (int)plane.width; x++)
        for (int y = 0; y < (int)plane.height; y++) {
            double u = ON(plane.u, x, y), v = ON(plane.v, x, y);
            ON(plane.next_u, x, y) =
                fmin(1, fmax(-1, u + dt * (around(plane.u, x, y) - u * v * v)));
            ON(plane.next_v, x, y) =
                fmin(1, fmax(-1, v + dt * (around(plane.v, x, y) + u * v * v)));
        }
    swap = plane.u;
    plane.u = plane.next_u;
    plane.next_u = swap;
    swap = plane.v;
    plane.v = plane.next_v;
    plane.next_v = swap;
}

static void remainders(int n, int m, int T)
{
    plane = (struct plane){(size_t)m,         (size_t)n,         doubles(n, m, 31),
                           doubles(n, m, 32), doubles(n, m, 31), doubles(n, m, 32)};
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        react(0.5);
    SHOW(plane.u, plane.v, plane.next_u, plane.next_v);
}

/* Two substances and copies of them, whose memory a structure names. */
struct mixture {
    double *u, *v, *u_old, *v_old;
};

/* Copies before the sweep, which reads them alone, and one that nothing reads. */
static void copied_first(int n, int m, int T)
{
    size_t bytes = (size_t)n * (size_t)m * sizeof(double);
    struct mixture all = {doubles(n, m, 18), doubles(n, m, 19), doubles(n, m, 20),
                          doubles(n, m, 21)};
    struct mixture *g = &all;
    double *before = doubles(n, m, 22);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        memcpy(before, g->v, bytes / 2);
        memcpy(g->u_old, g->u, bytes);
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                g->v[i * m + j] += 0.25 * t;
        memcpy(g->v_old, g->v, bytes);
        EACH_INNER (i, j) {
            const double both = 0.1 * g->u_old[i * m + j] * g->v_old[i * m + j];
            g->u[i * m + j] = g->u_old[(i - 1) * m + j] - both;
            g->v[i * m + j] = g->v_old[i * m + j - 1] + both;
        }
    }
    SHOW(g->u, g->v, g->u_old, g->v_old, before);
}

/* Copies back, of which the first loop brings other borders, read before and behind. */
static void copied_back(int n, int m, int T)
{
    size_t bytes = (size_t)n * (size_t)m * sizeof(double);
    double(*u)[m] = doubles(n, m, 23), (*v)[m] = doubles(n, m, 24);
    double(*un)[m] = doubles(n, m, 25), (*w)[m] = doubles(n, m, 26);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            un[i][j] = 0.5 * u[i][j + 1] + 0.25 * (v[i][j] + u[i - 1][j]);
        memcpy(u, un, sizeof(double) * (size_t)n * (size_t)m);
        EACH_INNER (i, j)
            v[i][j] += 0.125 * u[i][j];
        memmove(w, v, bytes);
    }
    SHOW(u, v, un, w);
}

int main(int argc, char **argv)
{
    SIZES
    yee(n, m, T), reaction(n, m, T), remainders(n, m, T), copied_first(n, m, T),
        copied_back(n, m, T);
    return 0;
}
