/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * styles.c - loops written in the many ways in which programs are, for t/723-gzc-programs.t:
 * temporaries, branches, functions that number the elements, sweep or exchange, planes, structures.
 * Prints a sum over the bits of every array that a loop writes. Arguments: the extents and the
 * number of loops.
 */
#include "values.h"

#include <stdbool.h>

/* Declared far away, set in branches, used for nothing else. */
static void declared_outside(int n, int m, int T)
{
    float(*a)[n][m] = floats(2 * n, m, 3);
    float up, down, left, right;
    int count;
    bool high;
    int i, j, t;
#pragma gz trapezoid
    for (t = 0; t < T; t++)
        for (i = 0; i < n; i++)
            for (j = 0; j < m; j++) {
                if (i == 0)
                    up = 0.25f;
                else
                    up = a[t % 2][i - 1][j];
                down = i == n - 1 ? 0.5f : a[t % 2][i + 1][j];
                left = 0;
                right = 0;
                if (j > 0)
                    left = a[t % 2][i][j - 1];
                if (j < m - 1)
                    right = a[t % 2][i][j + 1];
                count = 0;
                if (up > left)
                    count++;
                if (down > right) {
                    count += 2;
                }
                high = count > 1;
                a[(t + 1) % 2][i][j] =
                    high ? 0.25f * (up + left + right - down) : 0.5f * up + count;
            }
    SHOW(a);
}

/* Temporaries that are subscripts: neighbours on a torus, a linear index, one name used twice. */
static void torus(int n, int m, int T)
{
    int(*life)[m] = made((size_t)n * (size_t)m, sizeof(int));
    int(*next)[m] = made((size_t)n * (size_t)m, sizeof(int));
    int(*weight)[m] = made((size_t)n * (size_t)m, sizeof(int));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            life[i][j] = noise((size_t)(i * m + j)) > 0.5;
            weight[i][j] = (int)(3 * noise((size_t)(7 + i * m + j)));
        }
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                int up = (i - 1 + n) % n, down = (i + 1) % n, k = j - 1;
                if (k < 0)
                    k = m - 1;
                int sum = life[up][k] + life[i][k] + life[down][k] + weight[i][k];
                k = j + 1;
                if (k == m)
                    k = 0;
                sum += life[up][k] + life[i][k] + life[down][k] - weight[i][k];
                sum = sum + life[up][j] + life[down][j];
                if (life[i][j])
                    next[i][j] = sum == 2 || sum == 3;
                else
                    next[i][j] = sum == 3;
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                life[i][j] = next[i][j];
    }
    SHOW(life);
}

/* Another border comes with the copy: the first step reads one, the others another. */
static void another_border(int n, int m, int T)
{
    float *u = floats(n, m, 8), *v = floats(n, m, 9);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            v[i * m + j] =
                0.25f * (u[i * m + j - 1] + u[i * m + j + 1] + u[i * m + j - m] + u[i * m + j + m]);
        memmove(u, v, (size_t)n * m * sizeof *u);
    }
    SHOW(u, v);
}

/* Copied first, by memcpy and by loops, over all cells and over those that are written. */
static void copied_first(int n, int m, int T)
{
    double *old = doubles(n, m, 11), *new = doubles(n, m, 12);
    int i = 0, j = 0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        memcpy(old, new, (size_t)(n * m) * sizeof(double));
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                new[i * m + j] += 0.1 * (old[i * m + j - 1] + old[(i - 1) * m + j] -
                                         old[i * m + j + 1] * old[(i + 1) * m + j]);
    }
    SHOW(old, new);
}

static void exchange(double **x, double **y)
{
    double *old = *x;
    *x = *y;
    *y = old;
}

struct planes {
    double *now, *next;
    int n, m;
};

static void exchanged(int n, int m, int T)
{
    double *u = doubles(n, m, 13), *v = doubles(n, m, 14);
    struct planes planes = {doubles(n, m, 15), doubles(n, m, 16), n, m}, *p = &planes;
    double *other;
    {
#pragma gz trapezoid
#pragma omp for ordered
        for (int t = 0; t < T; t++) {
            EACH_INNER (i, j)
                v[i * m + j] = 0.5 * u[i * m + j + 1] + 0.25 * u[(i - 1) * m + j];
            exchange(&v, &u);
        }
    }
    for (int i = 0; i < n * m; i++)
        u[i] += 1;
    SHOW(u, v);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < p->n - 1; i++)
            for (int j = 1; j < p->m - 1; j++)
                p->next[i * p->m + j] =
                    0.5 * p->now[i * p->m + j + 1] + 0.25 * p->now[(i - 1) * p->m + j];
        other = p->now;
        p->now = p->next;
        p->next = other;
    }
    SHOW(planes.now, planes.next);
}

#define EXTRA 2
#define PLACE(i, j) (((i) + halo) * (m + 2 * halo) + (j) + halo)

/* Rows as long as a sum, cells numbered from behind a halo whose width is a variable. */
static void haloed(int n, int m, int halo, int T)
{
    double *u = doubles(n + 2 * halo, m + 2 * halo, 17),
           *v = doubles(n + 2 * halo, m + 2 * halo, 18);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                const int here = PLACE(i, j);
                v[here] =
                    0.25 * (u[here - 2] + u[PLACE(i + 1, j)] + u[PLACE(i - 2, j)] + u[here + 1]);
            }
        SWAP(u, v);
    }
    SHOW(u, v);
}

/* Planes by number, chosen by variables that change places and by one that changes between 0 and
 * 1. */
static void planes(int n, int m, int T)
{
    double(*u)[n][m] = doubles(2 * n, m, 21);
    float(*w)[n][m] = floats(2 * n, m, 22);
#pragma gz trapezoid
    for (int t = 0; t < T; t += 2) {
        EACH_INNER (i, j)
            u[1][i][j] = 0.25 * (u[0][i - 1][j] + u[0][i][j + 1]) + t;
        EACH_INNER (i, j)
            u[0][i][j] = 0.25 * (u[1][i - 1][j] + u[1][i][j + 1]) - t;
    }
    SHOW(u);
    int cur = 1, next = 0, aside = 9;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            u[next][i][j] = u[cur][i][j - 1] + 0.5 * u[cur][i + 1][j] - 0.25 * u[next][i][j];
        aside = cur;
        cur = next;
        next = aside;
    }
    printf("%d %d %d\n", cur, next, aside);
    SHOW(u);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        const int new = cur ^ 1;
        EACH_INNER (i, j)
            w[new][i][j] = 0.5f * w[cur][i][j] + 0.25f * w[!new][i + 1][j];
        cur = new;
    }
    printf("%d\n", cur);
    SHOW(w);
}

/* Both pairs exchanged by a macro and in a block, in pieces, and the third of three levels. */
static void exchanged_in_pieces(int n, int T)
{
    double *u = doubles(n, 1, 70), *un = doubles(n, 1, 70), *v = doubles(n, 1, 71);
    double *vn = doubles(n, 1, 71), *a = NULL, *b = NULL;
#define REACT                                                                                      \
    for (int i = 1; i < n - 1; i++) {                                                              \
        un[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) - 0.1 * u[i] * v[i] * v[i];          \
        vn[i] = v[i] + 0.1 * (v[i - 1] - 2 * v[i] + v[i + 1]) + 0.1 * u[i] * v[i];                 \
    }
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        REACT
        SWAP(u, un);
        {
            double *third = v;
            v = vn, vn = third;
        }
    }
    SHOW(u, un, v, vn);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        REACT
        a = u;
        {
            b = v;
            u = un;
        }
        v = vn;
        un = a;
        vn = b;
    }
    SHOW(u, un, v, vn, a, b);
    memcpy(v, u, (size_t)n * sizeof *u);
    memcpy(un, u, (size_t)n * sizeof *u);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 2 * u[i] - un[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        {
            double *first = un;
            un = u;
            u = v;
            {
                v = first;
            }
        }
    }
    SHOW(u, un, v);
}

/* Cases that end in break, in blocks and not, several labels at one, a default among them; a switch
 * of a temporary's own beside it. */
static void switched(int n, int m, int T)
{
    size_t count = (size_t)n * (size_t)m;
    int *a = made(count, sizeof *a), *b = made(count, sizeof *b);
    int(*u)[m] = (int(*)[m])a, (*v)[m] = (int(*)[m])b;
    for (size_t k = 0; k < count; k++) {
        a[k] = (int)(k * 7 % 11);
        b[k] = (int)(k % 5);
    }
    enum { DEAD, BORN = 3 };
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j) {
            unsigned char around = (unsigned char)(u[i - 1][j] + u[i + 1][j] + u[i][j - 1]);
            int more = 0;
            if (u[i][j] != 7)
                switch (i % 2 - 1) {
                case -1:
                    more = u[i][j + 1];
                    break;
                }
            else
                more = 5;
            switch (around & 7) {
            case BORN: {
                int twice = 2 * more;
                v[i][j] = twice + 1;
                break;
            }
            default:
                v[i][j] = DEAD;
                break;
            case 2:
            case 1:
            case 5:
                v[i][j] = u[i][j] - more;
            }
        }
        EACH_INNER (i, j)
            u[i][j] = v[i][j];
    }
    SHOW(u, v);
}

/* Rows of constant length in one dimension, which no loop fills; the border is never written. */
#define ROW 40
#define AT(i, j) ((j) + (i)*ROW)
static void rows(int n, int m, int T)
{
    int size = (n + 1) * ROW;
    float *u = floats(size, 1, 31), *v = floats(size, 1, 32), *k = floats(size, 1, 33);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                int at = j + i * ROW;
                v[at] = k[at] * (u[at - ROW] + u[at + ROW + 1] + u[AT(i, j - 1)] + u[AT(i - 1, j)]);
            }
        for (int i = 0; i <= n; i++)
            for (int j = 0; j < ROW; j++)
                u[AT(i, j)] = v[AT(i, j)];
    }
    show("rows u", u, (size_t)size * sizeof *u);
    show("rows v", v, (size_t)size * sizeof *v);
    free(u);
    free(v);
    free(k);
}

/* Constant extents, around the grid; the copy goes through all rows by one index. */
enum { WIDE = 70, LONG = 66 };
static void ring(int T)
{
    static double u[WIDE * LONG], v[WIDE * LONG];
    for (int i = 0; i < WIDE * LONG; i++)
        u[i] = v[i] = i * 37 % 101 / 7.0;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < WIDE; i++)
            for (int j = 0; j < LONG; j++)
                v[i * LONG + j] = 0.25 * (u[i * LONG + (j + 1) % LONG] +
                                          u[(i + WIDE - 1) % WIDE * LONG + j] - u[i * LONG + j]);
        for (int i = 0; i < WIDE * LONG; i++)
            u[i] = v[i];
    }
    show("ring u", u, sizeof u);
    show("ring v", v, sizeof v);
}

/* Loops over the cells in a function, called twice with its arrays the other way round. The
 * parameter `r` is a float, the argument a double; `i` is the caller's, too. */
#define CELL(i, j) ((i)*m + (j))
static void sweep(int n, int m, const double *restrict in, double *restrict out, float r)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            out[CELL(i, j)] = in[CELL(i, j)] + r * (in[CELL(i - 1, j)] + in[CELL(i + 1, j)] +
                                                    in[CELL(i, j - 1)] - 3 * in[CELL(i, j + 1)]);
}

static void back_and_forth(int n, int m, int T)
{
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2);
    int i = n;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        sweep(i, m, u, v, 0.1);
        sweep(i, m, v, u, 0.1);
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
#pragma gz trapezoid
    while (t < T) {
        relax(n, m, u, v);
        copied(n, m, u, v);
        t++;
    }
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
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < u.rows - 1; i++)
            for (int j = 0; j < u.columns; j++)
                cell(&v, &u, i, j);
        for (int j = 1; j < u.rows - 1; j++)
            for (int i = 0; i < u.columns; i++)
                cell(&u, &v, j, i);
    }
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
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        step(&g, 0.7);
        flip(&g);
    }
    SHOW(g.cur, g.prev);
}

static void row_pointers(int n, int m, int T)
{
    double *u = doubles(n, m, 13), *v = doubles(n, m, 14);
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++) {
            const double *above = u + (i - 1) * m, *here = &u[i * m], *below = u + (i + 1) * m;
            double *out = v + i * m;
            for (int j = 1; j < m - 1; j++)
                out[j] = 0.3 * above[j] + 0.3 * below[j] + 0.2 * (here[j - 1] + *(here + j + 1));
        }
        SWAP(u, v);
    }
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
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                row(v, m, i)[j] = mixed(u, i * m + j, m);
        memcpy(u, v, sizeof *u * (size_t)n * (size_t)m);
    }
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
#pragma gz trapezoid
    for (int t = 0; t < T; t++)
        warm(n, m);
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

/* Heat in a plate: what flows into a cell, by its place. */
static void plate(int n, int m, int T)
{
    double *a = doubles(n, m, 1), *q = doubles(n, m, 2), *b = doubles(n, m, 3);
    double d, x = 0.11, y = 0.07;
#pragma gz trapezoid
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
#pragma gz trapezoid
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
    show("square", A, sizeof A);
}

int main(int argc, char **argv)
{
    SIZES
    declared_outside(n, m, T), torus(n, m, T), another_border(n, m, T), copied_first(n, m, T),
        exchanged(n, m, T), haloed(n, m, 3, T), planes(n, m, T), exchanged_in_pieces(n, T),
        switched(n, m, T), rows(n, m, T), ring(T), back_and_forth(n, m, T), call_and_copy(n, m, T),
        cell_by_cell(n, m, T), members(n, m, T), row_pointers(n, m, T), row_by_row(n, m, T),
        defined_later(n, m, T), plate(n, m, T), square(T);
    return 0;
}
