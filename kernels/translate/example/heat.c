/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * heat.c - heat in a plate of two materials: explicit Euler steps of the heat equation with a
 * diffusivity that differs from cell to cell. The rim of the plate keeps its temperature, hot on
 * one side and cold on the others. Prints the temperature along the middle. Arguments: cells along
 * an edge, and steps.
 */
#include <stdio.h>
#include <stdlib.h>

/* A copper disc in a plate of steel, mm^2/s; a cell is a millimetre wide, a step 2 ms long. */
static const double copper = 117, steel = 4.2, step = 0.002;

static void heat(int n, int steps, double plate[2][n][n], double diffusivity[n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
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
    int n = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 500;
    if (n < 3 || n > 20000 || steps < 0) {
        fprintf(stderr, "heat: cells must be from 3 to 20000, steps at least 0\n");
        return 2;
    }
    double(*plate)[n][n] = malloc(2 * sizeof *plate);
    double(*diffusivity)[n] = malloc((size_t)n * sizeof *diffusivity);
    if (!plate || !diffusivity)
        return 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double y = 2.0 * i / (n - 1) - 1, x = 2.0 * j / (n - 1) - 1;
            diffusivity[i][j] = x * x + y * y < 0.25 ? copper : steel;
            plate[0][i][j] = plate[1][i][j] = i == 0 ? 100 : 20;
        }
    heat(n, steps, plate, diffusivity);
    for (int i = 0; i < n; i += (n + 19) / 20)
        printf("%d %.17g\n", i, plate[steps % 2][i][n / 2]);
    free(plate);
    free(diffusivity);
    return 0;
}
