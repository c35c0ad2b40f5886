/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * translated.c - what a user's program has: the heat equation in a plate whose diffusivity differs
 * from cell to cell, as an annotated loop. translated.sh compiles it as it stands with OpenMP, and
 * after gzc. Arguments: cells along an edge, loops of a call.
 */
#include "translated.h"

static void heat(int n, int steps, float plate[2][n][n], float diffusivity[n][n], float step)
{
#pragma scop
    for (int t = 0; t < steps; t++)
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                plate[(t + 1) % 2][i][j] =
                    plate[t % 2][i][j] +
                    step * diffusivity[i][j] *
                        (plate[t % 2][i - 1][j] + plate[t % 2][i + 1][j] + plate[t % 2][i][j - 1] +
                         plate[t % 2][i][j + 1] - 4 * plate[t % 2][i][j]);
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096, loops = argc > 2 ? atoi(argv[2]) : 48;
    float(*plate)[n][n] = malloc(2 * sizeof *plate);
    float(*diffusivity)[n] = malloc((size_t)n * sizeof *diffusivity);
    double seconds[CALLS];
    if (!plate || !diffusivity)
        return 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            diffusivity[i][j] = (float)(i * 7 % 11) / 11;
            plate[0][i][j] = plate[1][i][j] = (float)(i * 5 % 13 + j * 3 % 17);
        }
    for (int call = 0; call < CALLS; call++) {
        double begin = now();
        heat(n, loops, plate, diffusivity, 0.2F);
        seconds[call] = (now() - begin) / loops;
    }
    show(seconds);
    free(plate);
    free(diffusivity);
    return 0;
}
