/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corners.c - loops that treat each corner and each side of the grid in a branch of its own, with
 * indices that are right only there, for t/723-gzc-programs.t. Prints a sum over the bits of every
 * array that a loop writes. Arguments: the extents and the number of loops.
 */
#include "values.h"

/* Heat in a plate: what flows into a cell, by its place. */
static void plate(int n, int m, int T)
{
    double *a = doubles(n, m, 1), *q = doubles(n, m, 2), *b = doubles(n, m, 3);
    double d, x = 0.11, y = 0.07;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++) {
                if (r == 0 && c == 0)
                    d = q[0] + (a[1] - a[0]) * x + (a[m] - a[0]) * y;
                else if (r == 0 && c == m - 1)
                    d = q[c] + (a[c - 1] - a[c]) * x + (a[c + m] - a[c]) * y;
                else if (r == n - 1 && c == m - 1)
                    d = q[r * m + c] + (a[r * m + c - 1] - a[r * m + c]) * x +
                        (a[(r - 1) * m + c] - a[n * m - 1]) * y;
                else if (r == n - 1 && c == 0)
                    d = q[r * m] + (a[r * m + 1] - a[r * m]) * x +
                        (a[(r - 1) * m] - a[(n - 1) * m]) * y;
                else if (r == 0)
                    d = q[c] + (a[c + 1] + a[c - 1] - 2 * a[c]) * x + (a[m + c] - a[c]) * y;
                else if (c == m - 1)
                    d = q[r * m + c] +
                        (a[(r + 1) * m + c] + a[(r - 1) * m + c] - 2 * a[r * m + c]) * y +
                        (a[r * m + c - 1] - a[r * m + c]) * x;
                else if (r == n - 1)
                    d = q[r * m + c] +
                        (a[r * m + c + 1] + a[r * m + c - 1] - 2 * a[r * m + c]) * x +
                        (a[(r - 1) * m + c] - a[r * m + c]) * y;
                else if (c == 0)
                    d = q[r * m] + (a[(r + 1) * m] + a[(r - 1) * m] - 2 * a[r * m]) * y +
                        (a[r * m + 1] - a[r * m]) * x;
                else
                    d = q[r * m + c] +
                        (a[(r + 1) * m + c] + a[(r - 1) * m + c] - 2 * a[r * m + c]) * y +
                        (a[r * m + c + 1] + a[r * m + c - 1] - 2 * a[r * m + c]) * x;
                b[r * m + c] = a[r * m + c] + d;
            }
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++)
                a[r * m + c] = b[r * m + c];
    }
#pragma endscop
    SHOW(a, b);
}

/* The same with an assignment in each branch. */
static void written_plate(int n, int m, int T)
{
    double *a = doubles(n, m, 1), *q = doubles(n, m, 2), *b = doubles(n, m, 3);
    double x = 0.11, y = 0.07;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++) {
                if (r == 0 && c == 0)
                    b[0] = a[0] + q[0] + (a[1] - a[0]) * x + (a[m] - a[0]) * y;
                else if (r == 0 && c == m - 1)
                    b[c] = a[c] + q[c] + (a[c - 1] - a[c]) * x + (a[c + m] - a[c]) * y;
                else if (r == n - 1 && c == m - 1)
                    b[r * m + c] = a[r * m + c] + q[r * m + c] +
                                   (a[r * m + c - 1] - a[r * m + c]) * x +
                                   (a[(r - 1) * m + c] - a[n * m - 1]) * y;
                else if (r == n - 1 && c == 0)
                    b[r * m] = a[r * m] + q[r * m] + (a[r * m + 1] - a[r * m]) * x +
                               (a[(r - 1) * m] - a[(n - 1) * m]) * y;
                else if (r == 0)
                    b[c] =
                        a[c] + q[c] + (a[c + 1] + a[c - 1] - 2 * a[c]) * x + (a[m + c] - a[c]) * y;
                else if (c == m - 1)
                    b[r * m + c] =
                        a[r * m + c] + q[r * m + c] +
                        (a[(r + 1) * m + c] + a[(r - 1) * m + c] - 2 * a[r * m + c]) * y +
                        (a[r * m + c - 1] - a[r * m + c]) * x;
                else if (r == n - 1)
                    b[r * m + c] = a[r * m + c] + q[r * m + c] +
                                   (a[r * m + c + 1] + a[r * m + c - 1] - 2 * a[r * m + c]) * x +
                                   (a[(r - 1) * m + c] - a[r * m + c]) * y;
                else if (c == 0)
                    b[r * m] = a[(r)*m] + q[r * m] +
                               (a[(r + 1) * m] + a[(r - 1) * m] - 2 * a[r * m]) * y +
                               (a[r * m + 1] - a[r * m]) * x;
                else
                    b[r * m + c] =
                        a[r * m + c] + q[r * m + c] +
                        (a[(r + 1) * m + c] + a[(r - 1) * m + c] - 2 * a[r * m + c]) * y +
                        (a[r * m + c + 1] + a[r * m + c - 1] - 2 * a[r * m + c]) * x;
            }
        for (int r = 0; r < n; r++)
            for (int c = 0; c < m; c++)
                a[r * m + c] = b[r * m + c];
    }
#pragma endscop
    SHOW(a, b);
}

/* Arrays with sizes that are numbers, and rows and columns by number; two branches write by number,
 * too. */
#define N 37
static double A[N][N], B[N][N];
static void square(int T)
{
    for (int i = 0; i < N * N; i++)
        A[i / N][i % N] = noise((size_t)i);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                if (i == 0 && j == 0)
                    B[0][0] = 0.5 * (A[0][1] + A[1][0]);
                else if (i == 0 && j == N - 1)
                    B[i][j] = 0.5 * (A[0][N - 2] + A[1][N - 1]);
                else if (i == N - 1 && j == 0)
                    B[i][j] = 0.5 * (A[N - 1][1] + A[N - 2][0]);
                else if (i == N - 1 && j == N - 1)
                    B[i][j] = 0.5 * (A[N - 1][N - 2] + A[N - 2][N - 1]);
                else if (i == 0)
                    B[i][j] = 0.3 * (A[0][j - 1] + A[0][j + 1] + A[1][j]);
                else if (i == N - 1)
                    B[i][j] = 0.3 * (A[N - 1][j - 1] + A[N - 1][j + 1] + A[N - 2][j]);
                else if (j == 0)
                    B[i][0] = 0.3 * (A[i - 1][0] + A[i + 1][0] + A[i][1]);
                else if (j == N - 1)
                    B[i][j] = 0.3 * (A[i - 1][N - 1] + A[i + 1][N - 1] + A[i][N - 2]);
                else
                    B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
            }
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = B[i][j];
    }
#pragma endscop
    show("square", A, sizeof A);
}

int main(int argc, char **argv)
{
    SIZES
    plate(n, m, T), written_plate(n, m, T), square(T);
    return 0;
}
