/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.c - time loops that find the largest or least change of a loop, or a sum of whole
 * numbers, and end by it, in the ways that programs do. Prints how many loops there were, what they
 * found, and sums over all arrays.
 *
 *     measure N M T
 */
#include "values.h"

#include <math.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* The Laplace equation as courses have it: the change is found in the sweep, and printed now and
 * then. */
static void laplace(int n, int m, int T)
{
    double(*A)[m] = doubles(n, m, 1), (*Anew)[m] = doubles(n, m, 2);
    const double tol = 0.02;
    double error = 1.0;
    int iter = 0, i = -1, j = -1;
#pragma gz trapezoid
    while (error > tol && iter < T) {
        error = 0.0;
#pragma omp parallel for reduction(max : error)
        for (j = 1; j < n - 1; j++) {
            for (i = 1; i < m - 1; i++) {
                Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1] + A[j - 1][i] + A[j + 1][i]);
                error = fmax(error, fabs(Anew[j][i] - A[j][i]));
            }
        }
        for (j = 1; j < n - 1; j++) {
            for (i = 1; i < m - 1; i++) {
                A[j][i] = Anew[j][i];
            }
        }
        if (iter % 3 == 0)
            printf("%5d, %0.6f\n", iter, error);
        iter++;
    }
    printf("%d %a %d %d\n", iter, error, i, j);
    SHOW(A, Anew);
}

/* Two pointers in one dimension of memory, at least one loop, temporaries, float, and a break; the
 * larger of a change is relative. */
static void pointers(int n, int m, int T)
{
    float *now = floats(n, m, 5), *next = floats(n, m, 6), largest = 0;
    int t;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        largest = 0;
        EACH_INNER (i, j) {
            float v = 0.125f * (4 * now[i * m + j] + now[(i - 1) * m + j] + now[(i + 1) * m + j] +
                                now[i * m + j - 1] + now[i * m + j + 1]);
            float d = fabsf(v - now[i * m + j]) / (fabsf(v) + 1e-3f);
            largest = MAX(d, largest);
            next[i * m + j] = v;
        }
        SWAP(now, next);
        if (largest < 0.05f)
            break;
    }
    printf("%d %a\n", t, (double)largest);
    SHOW(now, next);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* do ... while, float cells compared in double, by a function of one's own, beside the copy back.
 */
static void mixed(int n, int m, int T)
{
    float(*u)[m] = floats(n, m, 7), (*v)[m] = floats(n, m, 8);
    float most;
    long count = 0;
    int going;
#pragma gz trapezoid
    do {
        most = 0;
        EACH_INNER (i, j)
            v[i][j] =
                (float)(0.2 * (u[i][j] + u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]));
        EACH_INNER (i, j) {
            most = larger(most, fabs(u[i][j] - v[i][j]));
            u[i][j] = v[i][j];
        }
        count += 1;
        if (most > 0.1 && count < T) {
            going = 1;
        } else {
            going = 0;
            puts("done");
        }
    } while (going);
    printf("%ld %a %d\n", count, (double)most, going);
    SHOW(u, v);
}

/* The least of what a loop changes, a sign and all; whole numbers; three dimensions; a border of
 * clamped indices; memcpy. */
static void least(int n, int m, int T)
{
    size_t bytes = (size_t)(n * m) * 7 * sizeof(int);
    int(*a)[m][7] = made((size_t)n, sizeof(int[m][7])),
    (*b)[m][7] = made((size_t)n, sizeof(int[m][7])), low = 0, t = 0;
    for (int i = 0; i < n * m * 7; i++)
        ((int *)a)[i] = (int)(noise((size_t)i) * 1e6);
#pragma gz trapezoid
    while (t < T && low < 1) {
        low = 1 << 20;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int k = 0; k < 7; k++) {
                    b[i][j][k] = (a[i > 0 ? i - 1 : 0][j][k] + a[i][j < m - 1 ? j + 1 : m - 1][k] +
                                  2 * a[i][j][k > 0 ? k - 1 : 0]) /
                                     4 -
                                 1;
                    int d = b[i][j][k] - a[i][j][k];
                    low = d < low ? d : low;
                }
        memcpy(a, b, bytes);
        t++;
    }
    printf("%d %d\n", t, low);
    SHOW(a, b);
}

/* A cell beyond all numbers, for one loop; what was found before is none. */
static void endless(int n, int m)
{
    double(*p)[m] = doubles(n, m, 11), (*q)[m] = doubles(n, m, 12);
    double found = NAN;
    int t = 0;
    p[1][0] = p[1][m > 2 ? 2 : 0] = 1.5e308;
    memcpy(q, p, (size_t)n * (size_t)m * sizeof(double));
#pragma gz trapezoid
    while (!(found <= 0.5) && t < 1) {
        EACH_INNER (i, j) {
            double far = (p[i][j - 1] + p[i][j + 1] + p[i + 1][j]) - p[i][j];
            q[i][j] = p[i][j] + far;
            found = fmax(q[i][j] - p[i][j], found);
        }
        memcpy(p, q, (size_t)n * (size_t)m * sizeof(double));
        t++;
    }
    printf("%d %a\n", t, found);
    SHOW(p);
}

/* These run the original loops: a cell is not a number, which the comparison passes over; the
 * largest change is zero, of either sign; and there is no loop. */
static void hostile(int n, int m, int T)
{
    double(*p)[m] = doubles(n, m, 13), (*q)[m] = doubles(n, m, 14);
    double most = 1;
    int t = 0;
    p[n / 2][m / 2] = NAN;
#pragma gz trapezoid
    while (most > 1e-3 && t < T) {
        most = 0;
        EACH_INNER (i, j) {
            q[i][j] = 0.5 * (p[i - 1][j] + p[i + 1][j]);
            if (fabs(q[i][j] - p[i][j]) > most)
                most = fabs(q[i][j] - p[i][j]);
        }
        EACH_INNER (i, j)
            p[i][j] = q[i][j];
        t++;
    }
    printf("%d %a\n", t, most);
    for (int i = 0; i < n * m; i++)
        ((double *)p)[i] = i % 3 ? 0. : -0.;
#pragma gz trapezoid
    do {
        most = -1;
        EACH_INNER (i, j) {
            q[i][j] = p[i][j] + 0 * p[i - 1][j] + p[i + 1][j];
            most = q[i][j] * p[i][j] > most ? q[i][j] * p[i][j] : most;
        }
        EACH_INNER (i, j)
            p[i][j] = q[i][j];
    } while (most > 0);
    printf("%a\n", most);
#pragma gz trapezoid
    for (t = 0; t < 10 && most > 5; t++) {
        most = 0;
        EACH_INNER (i, j) {
            q[i][j] = 0.5 * p[i + 1][j];
            most = fmax(most, fabs(q[i][j] - p[i][j]));
        }
        SWAP(p, q);
    }
    printf("%d %a\n", t, most);
    SHOW(p);
}

/* How many cells change, under a condition; a sum of what the copy has brought. */
static void counts(int n, int m, int T)
{
    size_t bytes = (size_t)n * (size_t)m * sizeof(double);
    double(*u)[m] = doubles(n, m, 15), (*v)[m] = doubles(n, m, 16);
    memcpy(v, u, bytes);
    long changed;
    unsigned long high = 1;
    int i = -1, j = -1, t = 0;
#pragma gz trapezoid
    do {
        changed = 0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                double d = v[i][j] - u[i][j];
                if (d > 0.01 || d < -0.01)
                    ++changed;
            }
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
        t++;
    } while (changed > n && t < T);
    printf("%d %d %d %ld\n", t, i, j, changed);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                v[i][j] = 0.5 * (u[i - 1][j] + u[i][j + 1]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++) {
                u[i][j] = v[i][j];
                high += (unsigned long)(long)(u[i][j] * 1e15) * 99999999977UL;
            }
    }
    printf("%d %lu\n", t, high);
    SHOW(u);
}

/* The largest residual, of what the sweep reads around the cell and where it lies; loops are
 * counted in memory. */
static void residual(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 17), (*w)[m] = doubles(n, m, 18), (*f)[m] = doubles(n, m, 19),
    ax = 0.3, b = -1.7, most = 1;
    int loops = 1, *k = &loops;
#pragma gz trapezoid
    while (*k <= T && most > 0.05) {
        most = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                w[i][j] = u[i][j];
        EACH_INNER (i, j) {
            double r;
            if (i == 1 || j == m - 2)
                r = w[i][j] - f[i][j + 1];
            else
                r = (ax * (w[i - 1][j] + w[i][j + 1]) + w[i + 1][j] + b * w[i][j] - f[i][j]) / b;
            u[i][j] = w[i][j] - 0.5 * r;
            if (fabs(r) * (i + 1) > most)
                most = fabs(r) * (i + 1);
        }
        (*k)++;
        most = sqrt(most) / 3;
    }
    printf("%d %a\n", *k, most);
    SHOW(u);
}

/* Loops that find nothing and end in their midst. */
static void uncounted(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 20), (*w)[m] = doubles(n, m, 21);
    int k = 0, left = 2 * T;
#pragma gz trapezoid
    for (;;) {
        if (left == k)
            break;
        EACH_INNER (i, j)
            w[i][j] = u[i - 1][j] - 0.5 * u[i][j + 1];
        SWAP(u, w);
        if (--left <= T / 2)
            break;
        if (left % 3 == 0)
            printf("%d left\n", left);
    }
    printf("%d\n", left);
    SHOW(u, w);
}

static double sweep(const double *u, double *v, int n, int m)
{
    int i, j;
    double diff = 0, d;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++) {
            v[i * m + j] = 0.25 * (u[i * m + j - 1] + u[i * m + j + 1] + u[(i - 1) * m + j] +
                                   u[(i + 1) * m + j]);
            d = fabs(v[i * m + j] - u[i * m + j]);
            if (d > diff)
                diff = d;
        }
    return diff;
}

/* A number that a function of the file finds and returns. */
static void returned(int n, int m, int T)
{
    double *u = doubles(n, m, 6), *v = doubles(n, m, 6);
    float rounded;
    int k = T;
#pragma gz trapezoid
    do {
        rounded = sweep(v, u, n, m);
        SWAP(u, v);
    } while (--k > 0 && rounded > 0.01f);
    printf("%d %a\n", k, (double)rounded);
    SHOW(u, v);
}

int main(int argc, char **argv)
{
    SIZES
    laplace(n, m, T), pointers(n, m, T), mixed(n, m, T), least(n, m, T), endless(n, m),
        counts(n, m, T), residual(n, m, T), uncounted(n, m, T), returned(n, m, T), hostile(n, m, T);
    return 0;
}
