/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * -laplace u = 1 on a cube of 64^3 cells, u = 0 at its faces; in the middle u is 0.0562.
 */
#include <gzmg.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { N = 64, CELLS = N * N * N };
    struct gz_mg_request request = {
        .size = {N, N, N}, .edges = "dirichlet", .device = argc > 1 ? argv[1] : NULL};
    double *f = malloc(CELLS * sizeof *f), *u = malloc(CELLS * sizeof *u);
    gz_mg *mg = NULL;
    char why[1000] = "";

    for (int i = 0; i < CELLS && f; i++)
        f[i] = 1;
    int bad = !f || !u || gz_mg_open(&request, NULL, &mg, why, sizeof why) ||
              gz_mg_put(mg, f, NULL, why, sizeof why) ||
              gz_mg_solve(mg, 1e-10, NULL, why, sizeof why) || gz_mg_get(mg, u, why, sizeof why);
    if (bad)
        fprintf(stderr, "%s\n", why);
    else
        printf("u in the middle: %.4f\n", u[((N / 2) * N + N / 2) * N + N / 2]);
    gz_mg_close(mg);
    free(f);
    free(u);
    return bad;
}
