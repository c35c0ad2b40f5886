/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * heads.c - time loops whose condition changes what it counts by. Prints what is left, and sums
 * over all arrays.
 *
 *     heads N M T
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

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20, m = argc > 2 ? atoi(argv[2]) : 20;
    int T = argc > 3 ? atoi(argv[3]) : 10, k = T + 6;
    size_t bytes = (size_t)n * (size_t)m * sizeof(double);
    double(*u)[m] = (double(*)[m])doubles(n, m, 1), (*v)[m] = (double(*)[m])doubles(n, m, 2);
#pragma scop
    while (k-- > 0) {
        SWEEP;
    }
#pragma endscop
    printf("%d\n", k);
    show("while", u, bytes);
    k = T + 7;
#pragma scop
    do {
        SWEEP;
    } while (--k > 0);
#pragma endscop
    printf("%d\n", k);
    show("do", u, bytes);
#pragma scop
    for (k = T + 8; k-- > 1;) {
        SWEEP;
    }
#pragma endscop
    printf("%d\n", k);
    show("for", u, bytes);
    double most;
    k = 4 * T;
#pragma scop
    do {
        most = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                v[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j + 1];
                most = fmax(most, fabs(v[i][j] - u[i][j]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    } while (--k > 0 && most > 0.01);
#pragma endscop
    printf("%d %a\n", k, most);
    show("most", u, bytes);
    return 0;
}
