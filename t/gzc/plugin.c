/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plugin.c - a loop in a shared object of its own, which unload.c loads and unloads.
 */
#ifndef FACTOR
#define FACTOR 0.25
#endif

void advance(double *u, double *v, int n, int loops);

void advance(double *u, double *v, int n, int loops)
{
#pragma scop
    for (int t = 0; t < loops; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = FACTOR * (u[(i - 1) * n + j] + u[(i + 1) * n + j] +
                                         u[i * n + j - 1] + u[i * n + j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i * n + j] = v[i * n + j];
    }
#pragma endscop
}
