/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nothing.c - loops of which C evaluates nothing, for t/723-gzc-programs.t: each value that
 * they need lies behind a null pointer, or is a quotient by 0, where the time loop does not run or
 * where there are no cells. Arguments: the extents and the number of loops.
 */
#include "values.h"

#include <math.h>

struct ask {
    int n, m, two, every, x, y;
    size_t size;
    double k, eps, *w;
    const struct ask *in;
};

static void tell(const char *name, int n, int m, double (*u)[m], double (*v)[m], int a, int b)
{
    const int numbers[] = {a, b};
    show(name, u, (size_t)(n * m) * sizeof(double));
    show(name, v, (size_t)(n * m) * sizeof(double));
    show(name, numbers, sizeof numbers);
}

/* Two fields, of which one may have no cells. */
static void fields(int n, int h, int T, double *u, double *v, const struct ask *g,
                   const struct ask *other)
{
    int t, i;
    for (t = 0; t < 2; t++) {
        double *e = t ? u : v, *d = t ? v : u;
        int s;
#pragma gz trapezoid
        for (s = 0; s < T; s++) {
            for (i = 1; i < n; i++)
                e[i] = e[i] - g->k * (d[i] - d[i - 1]) * g->in->w[0];
            for (i = 0; i < h; i++)
                d[i] = d[i] - other->k * (e[i + 1] - e[i]) * other->in->w[0];
        }
        SHOW(e, d);
    }
}

static void beside(int n, int m, int T, double (*u)[m], double (*v)[m], const struct ask *run,
                   const struct ask *g, const struct ask *source, double *heard)
{
    double(*old)[m];
    int i = 71, j = 72, t, acts = source != NULL;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);
        v[run->in->x][run->in->y] += run->in->w[t] / run->two;
        if (acts)
            v[source->in->x][source->in->y] = source->in->w[t];
        EXCHANGE
    }
    tell("points", n, m, u, v, i, j);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);
        EXCHANGE
        heard[t] = u[run->in->x][run->in->y] * run->in->k;
        if (acts)
            heard[t] += u[source->in->x][source->in->y];
    }
    tell("receivers", n, m, u, v, i, j);
    SHOW(heard);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < (source ? (int)source->in->in->size : m) - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);
        EXCHANGE
        if (source && source->in->in->every > 0 && t % source->in->in->every == 0)
            printf("%d %a\n", t, n > 2 ? u[1][1] : 0);
    }
    tell("looks under conditions", n, m, u, v, i, j);
}

static void counted(int n, int m, int T, double (*u)[m], double (*v)[m], const struct ask *g)
{
    double(*old)[m], now = 0, err = T ? 1 : 0;
    int i = 71, j = 72, t = 0;
#pragma gz trapezoid
    while (now < 0.25 * T) {
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                v[i][j] = g->k * (u[i][j - 1] + u[i][j + 1]) + now;
        now += 0.25;
        EXCHANGE
    }
    tell("counts", n, m, u, v, i, j);
#pragma gz trapezoid
    for (t = 0;; t++) {
        if (t >= T)
            break;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]);
        EXCHANGE
    }
    tell("breaks", n, m, u, v, i, t);
    memcpy(v, u, (size_t)n * sizeof *v);
    if (n < 3) /* the largest change of no cells ends no loop */
        return;
#pragma gz trapezoid
    while (err > 0.05) {
        err = 0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++)
                err = fmax(err, fabs(v[i][j] - u[i][j]));
        EXCHANGE
    }
    tell("changes", n, m, u, v, i, err > 0);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        /* cppcheck-suppress oppositeInnerCondition */
        if (t > T)
            break;
        err = 0;
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < g->m - 1; j++) {
                v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]);
                err = fmax(err, fabs(v[i][j] - u[i][j]));
            }
        EXCHANGE
        if (err < 0.01)
            break;
    }
    tell("converges", n, m, u, v, t, err > 0);
}

/* What is asked for under conditions, of which some never hold. */
static void conditions(int n, int T, double *u, double *v, const struct ask *g, int zero)
{
    double *old;
    int i, t, has = g != NULL;
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + (has ? g->in->in->k : 1) +
                   (zero ? 100 / zero : 3) +
                   (has && g->in->in->k > 0.1 && 6 % g->two == 0 ? 0.5 : 0.25);
        EXCHANGE
    }
    SHOW(u);
#pragma gz trapezoid
    for (t = 0; t < T; t++) {
        for (i = 1; i < n - 1; i++)
            v[i] = 0.5 * (u[i - 1] + u[i + 1]) + (has ? i + 0u < g->in->in->size ? 0.5 : 0.25 : 1) +
                   (has && (int)g->in->in->size > i + 100 / g->two ? 0.5 : 0.25);
        EXCHANGE
    }
    SHOW(u);
}

int main(int argc, char **argv)
{
    SIZES
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2), *heard = doubles(T, 1, 3);
    struct ask grid = {n, m, 2, 2, 1, 1, (size_t)m, 0.375, 0.05, doubles(T + 2, 1, 4), NULL};
    grid.in = &grid;
    const struct ask *g = T > 0 && n > 2 ? &grid : NULL;
    const struct ask *run = T > 0 ? &grid : NULL;
    for (int half = 0; half < 2; half++) {
        int h = half && n > 1 ? n - 1 : 0;
        const struct ask *other = h > 0 ? run : NULL, *source = half && n > 2 ? run : NULL;
        fields(n, h, T, u, v, n > 1 ? run : NULL, other);
        beside(n, m, T, (double(*)[m])u, (double(*)[m])v, run, g, source, heard);
        conditions(n * m, T, u, v, half ? run : NULL, 0);
    }
    counted(n, m, T, (double(*)[m])u, (double(*)[m])v, g);
    return 0;
}
