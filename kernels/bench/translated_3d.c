/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translated_3d.c - what a user's program has: the heat equation in a cube, as an annotated loop in
 * double. Compiled, run and printed as translated.c. Arguments: cells along an edge, loops of a
 * call.
 */
#include "translated.h"

static void heat(int n, int steps, double cube[2][n][n][n], double step)
{
#pragma scop
    for (int t = 0; t < steps; t++)
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    cube[(t + 1) % 2][i][j][k] =
                        cube[t % 2][i][j][k] +
                        step * (cube[t % 2][i - 1][j][k] + cube[t % 2][i + 1][j][k] +
                                cube[t % 2][i][j - 1][k] + cube[t % 2][i][j + 1][k] +
                                cube[t % 2][i][j][k - 1] + cube[t % 2][i][j][k + 1] -
                                6 * cube[t % 2][i][j][k]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256, loops = argc > 2 ? atoi(argv[2]) : 48;
    double(*cube)[n][n][n] = malloc(2 * sizeof *cube), seconds[CALLS];
    if (!cube)
        return 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                cube[0][i][j][k] = cube[1][i][j][k] = i * 5 % 13 + j * 3 % 17 + k % 11;
    for (int call = 0; call < CALLS; call++) {
        double begin = now();
        heat(n, loops, cube, 0.125);
        seconds[call] = (now() - begin) / loops;
    }
    show(seconds);
    free(cube);
    return 0;
}
