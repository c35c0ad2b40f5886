/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ends.c - time loops whose condition changes what it counts by, and such that end by breaks, flags
 * and what cells compute, in all places of a time step. Prints what is left, and sums over all
 * arrays.
 *
 *     ends N M T
 */
#include "values.h"

#include <math.h>

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
            v[i][j] = 0.5 * u[i - 1][j] + 0.25 * (u[i][j + 1] + k);                                \
    for (int i = 1; i < n - 1; i++)                                                                \
        for (int j = 1; j < m - 1; j++)                                                            \
    u[i][j] = v[i][j]

static void heads(int n, int m, int T)
{
    int k = T + 6;
    double(*u)[m] = doubles(n, m, 1), (*v)[m] = doubles(n, m, 2);
#pragma scop
    while (k-- > 0) {
        SWEEP;
    }
#pragma endscop
    printf("%d\n", k);
    SHOW(u);
    k = T + 7;
#pragma scop
    do {
        SWEEP;
    } while (--k > 0);
#pragma endscop
    printf("%d\n", k);
    SHOW(u);
#pragma scop
    for (k = T + 8; k-- > 1;) {
        SWEEP;
    }
#pragma endscop
    printf("%d\n", k);
    SHOW(u);
    double most;
    k = 4 * T;
#pragma scop
    do {
        most = 0;
        EACH_INNER (i, j) {
            v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
            most = fmax(most, fabs(v[i][j] - u[i][j]));
        }
        EACH_INNER (i, j)
            u[i][j] = v[i][j];
    } while (--k > 0 && most > 0.01);
#pragma endscop
    printf("%d %a\n", k, most);
    SHOW(u);
}

static void breaks(int n, int m, int T)
{
    int t, done;
    const double eps[3] = {1e30, 0.1, 1e-9};
    for (int e = 0; e < 3; e++) {
        double(*u)[m] = doubles(n, m, 1), (*v)[m] = doubles(n, m, 2), most = 7, low = 3;
        /* top break by time, copy back */
#pragma scop
        for (t = 0; t < 100; t++) {
            if (t == T + e)
                break;
            EACH_INNER (i, j)
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
        }
#pragma endscop
        printf("%d\n", t);
        SHOW(u, v);
        /* between */
#pragma scop
        for (t = 0; t < 100; t++) {
            EACH_INNER (i, j)
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
            if (t == T + e)
                break;
            EACH_INNER (i, j)
                u[i][j] = v[i][j] + t;
        }
#pragma endscop
        printf("%d\n", t);
        SHOW(u, v);
        /* measured, between: copy back left out */
#pragma scop
        for (t = 0; t < 100; t++) {
            most = 0;
            EACH_INNER (i, j) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
                most = fmax(most, fabs(v[i][j] - u[i][j]));
            }
            if (most < eps[e])
                break;
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
        }
#pragma endscop
        printf("%d %a\n", t, most);
        SHOW(u, v);
        u = doubles(n, m, 3);
        v = doubles(n, m, 4);
        /* user's flag, swap not made */
        done = 0;
        t = 0;
#pragma scop
        while (!done && t < 50) {
            most = 0;
            EACH_INNER (i, j) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
                most = v[i][j] - u[i][j] > most ? v[i][j] - u[i][j] : most;
            }
            if (most < eps[e])
                done = 1;
            else {
                double(*o)[m] = u;
                u = v;
                v = o;
            }
            t++;
        }
#pragma endscop
        printf("%d %a %d\n", t, most, done);
        SHOW(u, v);
        /* the least, guarded; a break by the turn before's number, at the top */
        low = 100;
        t = 0;
#pragma scop
        for (;;) {
            if (low < eps[e] || t > 30)
                break;
            low = 5;
            EACH_INNER (i, j) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + 0.01;
                if (u[i][j] > 0.2 && fabs(v[i][j]) < low)
                    low = fabs(v[i][j]);
            }
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
            t++;
        }
#pragma endscop
        printf("%d %a\n", t, low);
        SHOW(u, v);
        /* two nests, one number; columns narrower than the cells */
        t = 0;
        most = 50;
#pragma scop
        while (most > eps[e] * 0.5 && t < 40) {
            most = 0;
            EACH_INNER (i, j)
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + 0.01;
            for (int i = 2; i < n - 3; i++)
                for (int j = 1; j < m - 1; j++)
                    if (fabs(v[i][j] - u[i][j]) > most)
                        most = fabs(v[i][j] - u[i][j]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 2; j++)
                    most = fmax(most, 0.5 * fabs(v[i][j] - u[i][j + 1]));
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
            t++;
        }
#pragma endscop
        printf("%d %a\n", t, most);
        SHOW(u, v);
        /* sums kept over all time steps, and printed now and then */
        long all = 3;
        unsigned char few = 9;
#pragma scop
        for (t = 0; t < T + 9; t++) {
            EACH_INNER (i, j) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + 0.01;
                all += v[i][j] > u[i][j];
            }
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
            if (t % 4 == 1)
                printf("%d %ld\n", t, all);
        }
#pragma endscop
        printf("%d %ld\n", t, all);
        SHOW(u, v);
#pragma scop
        for (t = 0; t < T + 9; t++) {
            EACH_INNER (i, j) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1] + 0.01;
                if (v[i][j] > u[i][j])
                    few++;
            }
            EACH_INNER (i, j)
                u[i][j] = v[i][j];
        }
#pragma endscop
        printf("%d %d\n", t, few);
        SHOW(u, v);
    }
}

int main(int argc, char **argv)
{
    SIZES
    heads(n, m, T), breaks(n, m, T);
    return 0;
}
