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

/* A pulse in time. */
static double pulse_at(double t, double middle)
{
    return exp(-(t - middle) * (t - middle) / 10.);
}

/* A line of two fields, with borders, points and numbers set between the sweeps. */
static void line(int n, int T)
{
    double *ez = doubles(1, n, 12), *hy = doubles(1, n, 13), *pulse = doubles(1, T + 1, 14);
    const double imp0 = 377;
    float late = 0;
    int time, mm = 0;
#pragma gz trapezoid
    for (time = 0; time < T; time++) {
        hy[n - 1] = hy[n - 2];
        for (mm = 0; mm < n - 1; mm++)
            hy[mm] = hy[mm] + (ez[mm + 1] - ez[mm]) / imp0;
        hy[n / 2 - 1] -= pulse[time] / imp0;
        hy[1] -= exp(-(time - 3.) * (time - 3.) / 10.) * cos(pulse[time]) / imp0;
        double kick = exp(-(time - 4.) * (time - 4.) / 7.);
        late = kick * sin(0.3 * time);
        ez[0] = ez[1];
        for (mm = 1; mm < n; mm++)
            ez[mm] = ez[mm] + (hy[mm] - hy[mm - 1]) * imp0 + late * 1e-3;
        ez[n / 2] += pulse[time] + late - kick;
        ez[2] = pulse_at(time, n > 8 ? 4. : 1.) + sin(imp0) * hy[2];
    }
    SHOW(ez, hy);
    printf("%d %d %a\n", time, mm, late);
}

/* Whole numbers in a box; loops within loops, one array read in order, a guard, an if now and then.
 */
static void box(int n, int m, int T)
{
    int(*a)[m][5] = ints(n, m * 5, 15, 100), (*b)[m][5] = ints(n, m * 5, 16, 100);
    int(*mask)[m][5] = ints(n, m * 5, 17, 100);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++) {
                for (int k = 0; k < 5; k++)
                    a[i][j][k] = (a[i][j][k] + a[i + 1][j][k] * 3) % 1000;
                for (int k = 1; k < 4; k++)
                    if ((mask[i][j][k] + t) % 3 == 0)
                        b[i][j][k] =
                            (a[i][j][k - 1] - b[i][j][k]) % 1000 + k + (int)(9 * cos(t * 0.3));
            }
        if (t % 3 == 2)
            show("box", a, (size_t)n * (size_t)m * 5 * sizeof(int));
    }
    SHOW(a, b);
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

/* Yee's fields in place on a cylinder: the domain repeats along its rows alone, and what is needed
 * beyond that edge is set in the same loop. */
static void cylinder(int n, int m, int T)
{
    float(*ex)[m] = floats(n, m, 23), (*ey)[m] = floats(n, m, 24);
    float(*hz)[m] = floats(n, m, 25), (*loss)[m] = floats(n, m, 26);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                ex[i][j] = ex[i][j] * loss[i][j] - 0.5F * (hz[i][j] - hz[i][(j + m - 1) % m]);
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                ey[i][j] = ey[i][j] - 0.5F * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                hz[i][j] -= 0.7F * (ex[i][(j + 1) % m] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
    SHOW(ex, ey, hz);
}

/* A reaction whose neighbours beyond the plate are a number, or the cell itself. */
static void insulated(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 44), (*v)[m] = doubles(n, m, 45);
    double(*un)[m] = doubles(n, m, 46), (*vn)[m] = doubles(n, m, 47);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double up = i > 0 ? u[i - 1][j] : 0.0, down = i < n - 1 ? u[i + 1][j] : u[i][j];
                double left = j > 0 ? u[i][j - 1] : 1.0, right = j + 1 < m ? u[i][j + 1] : up;
                un[i][j] = 0.2 * (up + down + left + right) + 0.1 * u[i][j] * v[i][j];
                vn[i][j] = 0.5 * v[i][j] + (i > 0 && j > 0 ? 0.2 * v[i - 1][j - 1] : 0.25);
            }
        SWAP(u, un);
        SWAP(v, vn);
    }
    SHOW(u, v, un, vn);
}

/* Yee's fields in place with such edges, a temporary array, and a row of its own at an end. */
static void shielded(int n, int m, int T)
{
    double(*e)[m] = doubles(n, m, 48), (*h)[m] = doubles(n, m, 49);
    double(*w)[m] = doubles(n, m, 50);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int j = 0; j < m; j++)
            e[0][j] = 0.5 * h[0][j];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                e[i][j] += 0.5 * (h[i][j] - h[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                w[i][j] = e[i][j] - (j < m - 1 ? e[i][j + 1] : e[i][j]) + (i > 0 ? e[i - 1][j] : 0);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                if (i == n - 1)
                    h[i][j] -= 0.3 * w[i][j];
                else
                    h[i][j] -= 0.3 * (w[i + 1][j] - w[i][j]);
            }
    }
    SHOW(e, h, w);
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

/* Planes that the time chooses, of rows and of a linear array, beside a field in place, which reads
 * the new ones; an if now and then. */
static void planes(int n, int m, int T)
{
    size_t count = (size_t)n * (size_t)m;
    double(*u)[n][m] = doubles(2 * n, m, 31);
    double(*v)[count] = doubles(2 * n, m, 32), (*h)[m] = doubles(n, m, 33);
    memcpy(u[1], u[0], sizeof *u);
    memcpy(v[1], v[0], sizeof *v);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        const int now = t % 2, next = 1 - now;
        EACH_INNER (i, j)
            u[(t + 1) % 2][i][j] = 0.5 * (u[now][i - 1][j] + v[t % 2][i * m + j + 1]);
        EACH_INNER (i, j) {
            h[i][j] += 0.25 * (u[next][i][j + 1] - u[now][i][j]);
            v[next][i * m + j] = 0.5 * (v[now][(i + 1) * m + j] - h[i][j]);
        }
        if (t % 5 == 4)
            show("planes", h, count * sizeof(double));
    }
    SHOW(u, v, h);
}

/* Yee's fields with a source that ends, of which no value stands behind its last, and a cell that
 * is set in other loops. */
static void sources(int n, int m, int T)
{
    double(*ez)[m] = doubles(n, m, 36), (*hx)[m] = doubles(n, m, 37);
    double(*hy)[m] = doubles(n, m, 38), *pulse = doubles(1, 3, 39);
    const int sx = n / 2, sy = m / 3;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m - 1; j++)
                hx[i][j] -= 0.5 * (ez[i][j + 1] - ez[i][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                hy[i][j] += 0.5 * (ez[i + 1][j] - ez[i][j]);
        if (t % 4 == 1)
            hy[0][m - 1] = 0.25 * t;
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                ez[i][j] += 0.5 * (hy[i][j] - hy[i - 1][j] - hx[i][j] + hx[i][j - 1]);
        if (t < 3) {
            ez[sx][sy] += pulse[t];
            ez[sx][sy + 1] = exp(-0.1 * t) * ez[sx][sy];
        }
    }
    SHOW(ez, hx, hy);
}

int main(int argc, char **argv)
{
    SIZES
    yee(n, m, T), reaction(n, m, T), line(n, T), box(n, m, T), remainders(n, m, T),
        cylinder(n, m, T), insulated(n, m, T), shielded(n, m, T), copied_first(n, m, T),
        copied_back(n, m, T), planes(n, m, T), sources(n, m, T);
    return 0;
}
