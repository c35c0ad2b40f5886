/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corners.c - loops that treat each corner and each side of the grid in a branch of its own, with
 * indices that are right only there, for t/723-gzc-programs.t. Prints a sum over the bits of every
 * array that a loop writes. Arguments: the extents and the number of loops.
 */
#include "values.h"

/* Heat in a plate: what flows into a cell, by its place. */
static void plate(int rows, int cols, int T)
{
    double *temp = doubles(rows, cols, 1), *power = doubles(rows, cols, 2),
           *result = doubles(rows, cols, 3);
    double delta, kx = 0.11, ky = 0.07;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                if (r == 0 && c == 0)
                    delta = power[0] + (temp[1] - temp[0]) * kx + (temp[cols] - temp[0]) * ky;
                else if (r == 0 && c == cols - 1)
                    delta =
                        power[c] + (temp[c - 1] - temp[c]) * kx + (temp[c + cols] - temp[c]) * ky;
                else if (r == rows - 1 && c == cols - 1)
                    delta = power[r * cols + c] +
                            (temp[r * cols + c - 1] - temp[r * cols + c]) * kx +
                            (temp[(r - 1) * cols + c] - temp[rows * cols - 1]) * ky;
                else if (r == rows - 1 && c == 0)
                    delta = power[r * cols] + (temp[r * cols + 1] - temp[r * cols]) * kx +
                            (temp[(r - 1) * cols] - temp[(rows - 1) * cols]) * ky;
                else if (r == 0)
                    delta = power[c] + (temp[c + 1] + temp[c - 1] - 2 * temp[c]) * kx +
                            (temp[cols + c] - temp[c]) * ky;
                else if (c == cols - 1)
                    delta = power[r * cols + c] +
                            (temp[(r + 1) * cols + c] + temp[(r - 1) * cols + c] -
                             2 * temp[r * cols + c]) *
                                ky +
                            (temp[r * cols + c - 1] - temp[r * cols + c]) * kx;
                else if (r == rows - 1)
                    delta =
                        power[r * cols + c] +
                        (temp[r * cols + c + 1] + temp[r * cols + c - 1] - 2 * temp[r * cols + c]) *
                            kx +
                        (temp[(r - 1) * cols + c] - temp[r * cols + c]) * ky;
                else if (c == 0)
                    delta =
                        power[r * cols] +
                        (temp[(r + 1) * cols] + temp[(r - 1) * cols] - 2 * temp[r * cols]) * ky +
                        (temp[r * cols + 1] - temp[r * cols]) * kx;
                else
                    delta =
                        power[r * cols + c] +
                        (temp[(r + 1) * cols + c] + temp[(r - 1) * cols + c] -
                         2 * temp[r * cols + c]) *
                            ky +
                        (temp[r * cols + c + 1] + temp[r * cols + c - 1] - 2 * temp[r * cols + c]) *
                            kx;
                result[r * cols + c] = temp[r * cols + c] + delta;
            }
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++)
                temp[r * cols + c] = result[r * cols + c];
    }
#pragma endscop
    SHOW(temp, result);
}

/* The same with an assignment in each branch. */
static void written_plate(int rows, int cols, int T)
{
    double *temp = doubles(rows, cols, 1), *power = doubles(rows, cols, 2),
           *result = doubles(rows, cols, 3);
    double kx = 0.11, ky = 0.07;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                if (r == 0 && c == 0)
                    result[0] =
                        temp[0] + power[0] + (temp[1] - temp[0]) * kx + (temp[cols] - temp[0]) * ky;
                else if (r == 0 && c == cols - 1)
                    result[c] = temp[c] + power[c] + (temp[c - 1] - temp[c]) * kx +
                                (temp[c + cols] - temp[c]) * ky;
                else if (r == rows - 1 && c == cols - 1)
                    result[r * cols + c] = temp[r * cols + c] + power[r * cols + c] +
                                           (temp[r * cols + c - 1] - temp[r * cols + c]) * kx +
                                           (temp[(r - 1) * cols + c] - temp[rows * cols - 1]) * ky;
                else if (r == rows - 1 && c == 0)
                    result[r * cols] = temp[r * cols] + power[r * cols] +
                                       (temp[r * cols + 1] - temp[r * cols]) * kx +
                                       (temp[(r - 1) * cols] - temp[(rows - 1) * cols]) * ky;
                else if (r == 0)
                    result[c] = temp[c] + power[c] +
                                (temp[c + 1] + temp[c - 1] - 2 * temp[c]) * kx +
                                (temp[cols + c] - temp[c]) * ky;
                else if (c == cols - 1)
                    result[r * cols + c] = temp[r * cols + c] + power[r * cols + c] +
                                           (temp[(r + 1) * cols + c] + temp[(r - 1) * cols + c] -
                                            2 * temp[r * cols + c]) *
                                               ky +
                                           (temp[r * cols + c - 1] - temp[r * cols + c]) * kx;
                else if (r == rows - 1)
                    result[r * cols + c] =
                        temp[r * cols + c] + power[r * cols + c] +
                        (temp[r * cols + c + 1] + temp[r * cols + c - 1] - 2 * temp[r * cols + c]) *
                            kx +
                        (temp[(r - 1) * cols + c] - temp[r * cols + c]) * ky;
                else if (c == 0)
                    result[r * cols] =
                        temp[(r)*cols] + power[r * cols] +
                        (temp[(r + 1) * cols] + temp[(r - 1) * cols] - 2 * temp[r * cols]) * ky +
                        (temp[r * cols + 1] - temp[r * cols]) * kx;
                else
                    result[r * cols + c] =
                        temp[r * cols + c] + power[r * cols + c] +
                        (temp[(r + 1) * cols + c] + temp[(r - 1) * cols + c] -
                         2 * temp[r * cols + c]) *
                            ky +
                        (temp[r * cols + c + 1] + temp[r * cols + c - 1] - 2 * temp[r * cols + c]) *
                            kx;
            }
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++)
                temp[r * cols + c] = result[r * cols + c];
    }
#pragma endscop
    SHOW(temp, result);
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
