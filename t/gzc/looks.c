/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * looks.c - time loops that do something now and then: they print the state, change it or what the
 * loops read, stop, and set points and sides. Prints what they see and sums over all arrays.
 *
 *     looks N M T
 */
#include "values.h"

static void cell(const char *name, int t, double a, double b)
{
    printf("%s %d: %a %a\n", name, t, a, b);
}

/* Two arrays: the first is read before the sweep, both behind it, and both are changed. */
static void plates(int n, int m, int T)
{
    size_t bytes = (size_t)n * (size_t)m * sizeof(double);
    double(*u)[m] = doubles(n, m, 41), (*v)[m] = doubles(n, m, 42);
    double rate = 0.2;
    int every = T > 4 ? 3 : 2, i = 0, j = 0, t;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        if (t % every == 1) {
            cell("plate", t, u[n / 2][m / 2], v[n - 1][0]);
            u[n / 2][m / 2] += 0.5;
            rate *= 0.75;
        }
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                v[i][j] = u[i][j] + rate * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] - 3 * u[i][j]);
        SWAP(u, v);
        if ((t + 1) % every == 0) {
            for (int k = 0; k < n; k++)
                u[k][0] = u[k][m > 1];
            show("plate u", u, bytes);
            show("plate v", v, bytes);
        }
        if (t == T - 2)
            printf("%d %d\n", i, j);
    }
    printf("%d %a\n", t, rate);
    SHOW(u, v);
}

/* Two planes; every fourth loop tells whether it goes on. */
static void planes(int n, int T)
{
    double(*p)[n] = doubles(2, n, 43), change = 1, least = 0.05;
    long t;
    p[1][0] = p[0][0];
    p[1][n - 1] = p[0][n - 1];
#pragma gz trapezoid
    for (t = 0; t < 20 * T; t++) {
        for (int i = 1; i < n - 1; i++)
            p[(t + 1) % 2][i] = 0.5 * (p[t % 2][i - 1] + p[t % 2][i + 1]);
        if (t % 4 == 3) {
            change = 0;
            for (int i = 1; i < n - 1; i++) {
                double d = p[0][i] - p[1][i];
                change += d * d;
            }
            if (change < least)
                break;
        }
    }
    printf("%ld %a\n", t, change);
    SHOW(p);
}

/* Three arrays, of which the annotation says that one is read behind the loops, but an if reads
 * another, and the next loops do; a source that ends, and a receiver; the loop counts by itself. */
static void wave(int n, int T)
{
    float *last = floats(n, 1, 44), *now = floats(n, 1, 45), *next = floats(n, 1, 46), *spare;
    last[0] = next[0] = now[0];
    last[n - 1] = next[n - 1] = now[n - 1];
    int t = 0;
/* clang-format off */
#pragma gz trapezoid live-out(now)
    /* clang-format on */
    while (t < T) {
        if (t < 2) {
            float more = 1.f;
            now[n / 2] += more;
        }
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.5f * (now[i - 1] + now[i + 1]) + now[i] - (1 - 0.01f * i) * last[i];
        spare = last;
        last = now;
        now = next;
        next = spare;
        if (t % 3 == 2)
            cell("wave", t, now[n / 3], last[n / 3]);
        t++;
    }
    SHOW(now, last, next);
}

static void half(double *to, const double *from, int n)
{
    for (int i = 1; i < n - 1; i++)
        to[i] = from[i] - 0.25 * (from[i + 1] - from[i - 1]);
}

static double mean(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum / n;
}

/* Sweeps in a function, what is printed in another. */
static void functions(int n, int T, const int *every)
{
    double *a = doubles(n, 1, 47), *b = doubles(n, 1, 48);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        half(b, a, n);
        half(a, b, n);
        if (every && t % *every == 0)
            cell("functions", t, mean(a, n), mean(b, n));
    }
    SHOW(a, b);
}

/* Between the sweep and the exchange: the loops in which it prints stay whole. */
static void among(int n, int T)
{
    float *a = floats(n, 1, 49), *b = floats(n, 1, 50), *swap;
    int t;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i] + 0.25f * (a[i - 1] - a[i + 1]);
        if (t % 4 == 1) {
            cell("among", t, a[1], b[1]);
            b[1] = 0.5f;
        }
        swap = a;
        a = b;
        b = swap;
    }
    SHOW(a, b);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]), T = atoi(argv[3]), three = 3;
    plates(n, m, T), planes(n, T), wave(n, T), functions(n, T, &three), among(n, T);
    return 0;
}
