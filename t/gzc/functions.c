/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * functions.c - loops whose sweeps, elements and exchanges stand in functions and structures, for
 * t/723-gzc-programs.t. Prints a sum over the bits of every array that a loop writes. Arguments:
 * the extents and the number of loops.
 */
#include "values.h"

/* Loops over the cells in a function, called twice with its arrays the other way round. The
 * parameter `r` is a float, the argument a double; `i` is the caller's, too. */
#define AT(i, j) ((i)*m + (j))
static void sweep(int n, int m, const double *restrict in, double *restrict out, float r)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[AT(i, j)] = in[AT(i, j)] + r * (in[AT(i - 1, j)] + in[AT(i + 1, j)] +
                                                in[AT(i, j - 1)] - 3 * in[AT(i, j + 1)]);
}

static void back_and_forth(int n, int m, int T)
{
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2);
    int i = n;
#pragma scop
    for (int t = 0; t < T; t++) {
        sweep(i, m, u, v, 0.1);
        sweep(i, m, v, u, 0.1);
    }
#pragma endscop
    SHOW(u, v);
}

/* The pointers change places behind the call; the argument is computed for each loop. */
static void call_then_swap(int n, int m, int T)
{
    double *u = doubles(n, m, 3), *v = doubles(n, m, 4), *tmp, r = 0.02;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        sweep(n, m, u, v, r * 2 + t);
        tmp = u;
        u = v;
        v = tmp;
    }
    SHOW(u, v);
}

/* Arrays with sizes as parameters; the copy back in a function of its own. */
static void relax(int rows, int columns, float from[rows][columns], float to[rows][columns])
{
    int i, j;
    for (i = 1; i < rows - 1; i++) {
        for (j = 1; j < columns - 1; j++)
            to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
    return;
}

static int copied(int rows, int columns, float to[rows][columns], float from[rows][columns])
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++)
            to[i][j] = from[i][j];
    return rows * columns;
}

static void call_and_copy(int n, int m, int T)
{
    float(*u)[m] = floats(n, m, 5), (*v)[m] = floats(n, m, 6);
    int t = 0;
#pragma scop
    while (t < T) {
        relax(n, m, u, v);
        copied(n, m, u, v);
        t++;
    }
#pragma endscop
    SHOW(u, v);
}

/* A function for each cell, which reads and writes by functions, too. */
struct field {
    int rows, columns;
    double *data;
};
static double get(const struct field *f, int i, int j)
{
    const int k = i * f->columns + j;
    return f->data[k];
}
static void set(struct field *f, int i, int j, double value)
{
    f->data[i * f->columns + j] = value;
}
static void cell(struct field *to, const struct field *from, int i, int j)
{
    double here = get(from, i, j);
    double around = get(from, i - 1, j) + get(from, i + 1, j);
    set(to, i, j, here + 0.125 * (around - 2 * here));
}

static void cell_by_cell(int n, int m, int T)
{
    struct field u = {n, m, doubles(n, m, 7)}, v = {n, m, doubles(n, m, 8)};
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < u.rows - 1; i++)
            for (int j = 0; j < u.columns; j++)
                cell(&v, &u, i, j);
        for (int j = 1; j < u.rows - 1; j++)
            for (int i = 0; i < u.columns; i++)
                cell(&u, &v, j, i);
    }
#pragma endscop
    SHOW(u.data, v.data);
}

/* A function that tells where a cell is; what is swapped are members of a structure. */
struct grid {
    int n, m;
    double *cur, *prev;
};
static inline double *at(const struct grid *g, double *plane, int i, int j)
{
    return plane + i * g->m + j;
}
static double *next(struct grid *g, int i, int j)
{
    return &g->prev[i * g->m + j];
}
static void flip(struct grid *g)
{
    double *tmp = g->cur;
    g->cur = g->prev;
    g->prev = tmp;
}
static void step(struct grid *g, double k)
{
    for (int i = 1; i < g->n - 1; i++)
        for (int j = 1; j < g->m - 1; j++)
            *next(g, i, j) = *at(g, g->cur, i, j) + k * *at(g, g->cur, i - 1, j + 1);
}

static void members(int n, int m, int T)
{
    struct grid g = {n, m, doubles(n, m, 9), doubles(n, m, 10)};
#pragma scop
    for (int t = 0; t < T; t++) {
        step(&g, 0.7);
        flip(&g);
    }
#pragma endscop
    SHOW(g.cur, g.prev);
}

/* The same in one function behind a pointer, with variables for what the structure holds. */
static void advance(struct grid *g, double k)
{
    const int n = g->n, m = g->m;
    const double *from = g->cur;
    double *to = g->prev, *tmp;
    for (int i = 2; i < n; ++i)
        for (int j = 1; j < m; ++j)
            to[AT(i, j)] = from[AT(i, j)] + k * (from[AT(i - 2, j)] - from[AT(i, j - 1)]);
    tmp = g->cur;
    g->cur = g->prev;
    g->prev = tmp;
}

static void one_function(int n, int m, int T)
{
    struct grid *g = made(1, sizeof *g);
    *g = (struct grid){n, m, doubles(n, m, 11), doubles(n, m, 12)};
#pragma scop
    for (int t = 0; t < T; t++)
        advance(g, 0.3);
#pragma endscop
    SHOW(g->cur, g->prev);
}

/* Pointers to rows, and elements by sums of pointers. */
static void rows(int n, int m, int T)
{
    double *u = doubles(n, m, 13), *v = doubles(n, m, 14);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
            const double *above = u + (i - 1) * m, *here = &u[i * m], *below = u + (i + 1) * m;
            double *out = v + i * m;
            for (int j = 1; j < m - 1; j++)
                out[j] = 0.3 * above[j] + 0.3 * below[j] + 0.2 * (here[j - 1] + *(here + j + 1));
        }
        double *old = u;
        u = v;
        v = old;
    }
#pragma endscop
    SHOW(u, v);
}

/* A row by a function, whose result is indexed; a global in what the function computes. */
static double weight = 0.6;
static float *row(float *plane, int m, int i)
{
    return plane + i * m;
}
static float mixed(const float *a, int k, int m)
{
    return weight * a[k] + (a[k - m] - a[k + m]);
}

static void row_by_row(int n, int m, int T)
{
    float *u = floats(n, m, 15), *v = floats(n, m, 15);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                row(v, m, i)[j] = mixed(u, i * m + j, m);
        memcpy(u, v, sizeof *u * (size_t)n * (size_t)m);
    }
#pragma endscop
    SHOW(u, v);
}

/* A function that is defined behind its callers, of variables of the file. */
static double (*room)[40], (*other_room)[40], warmth = 0.2;
static void warm(int n, int m);

static void defined_later(int n, int m, int T)
{
    m = m < 40 ? m : 40;
    room = doubles(n, 40, 16);
    other_room = doubles(n, 40, 17);
#pragma scop
    for (int t = 0; t < T; t++)
        warm(n, m);
#pragma endscop
    SHOW(room, other_room);
}

static void warm(int n, int m)
{
    int i, j;
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            other_room[i][j] = room[i][j] + warmth * (room[i - 1][j] - room[i][j + 1]);
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            room[i][j] = other_room[i][j];
}

int main(int argc, char **argv)
{
    SIZES
    back_and_forth(n, m, T), call_then_swap(n, m, T), call_and_copy(n, m, T), cell_by_cell(n, m, T),
        members(n, m, T), one_function(n, m, T), rows(n, m, T), row_by_row(n, m, T),
        defined_later(n, m, T);
    return 0;
}
