/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * styles.c - loops written in the many ways in which programs are: temporaries, functions that
 * number the elements, copies by memcpy, loops by while, for t/723-gzc-programs.t. Prints a sum
 * over the bits of every array that a loop writes. Arguments: the extents and the number of loops.
 */
#include "values.h"

#include <stdbool.h>

/* A temporary of each cell, declared where it is set. */
static void temporaries(int n, int m, int T)
{
    double *u = doubles(n, m, 1), *v = doubles(n, m, 2), *old;
    double r = 0.2;
#pragma scop
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j) {
            const double here = u[i * m + j];
            double across = u[i * m + j - 1] - 2 * here + u[i * m + j + 1], along;
            along = u[(i - 1) * m + j] + u[(i + 1) * m + j];
            along -= 2 * here;
            float rounded = across * r;
            v[i * m + j] = here + rounded + r * along;
        }
        old = u;
        u = v;
        v = old;
    }
#pragma endscop
    SHOW(u, v);
}

/* Declared far away, set in branches, used for nothing else. */
static void declared_outside(int n, int m, int T)
{
    float(*a)[n][m] = floats(2 * n, m, 3);
    float up, down, left, right;
    int count;
    bool high;
    int i, j, t;
#pragma scop
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
#pragma endscop
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
#pragma scop
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
#pragma endscop
    SHOW(life);
}

static inline int at(int columns, int row, int column)
{
    return row * columns + column;
}

/* A function that numbers the elements, and the number in a temporary. */
static void numbered(int n, int m, int T)
{
    double *u = doubles(n, m, 4), *v = doubles(n, m, 5), *k = doubles(n, m, 6);
#pragma scop
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j) {
            int here = i * m + j, below = here + m;
            v[at(m, i, j)] = 0.2 * (u[here - 1] + u[here + 1] + u[at(m, i - 1, j)] + u[below] +
                                    k[here] * u[here]) -
                             k[at(m, i, j + 1)];
        }
        double *w = u;
        u = v;
        v = w;
    }
#pragma endscop
    SHOW(u, v);
}

/* A copy back by memcpy, of more than the sweep writes. */
static void copied_back(int n, int m, int T)
{
    double(*u)[m] = doubles(n, m, 7), (*v)[m] = doubles(n, m, 7);
    int t = 0;
    u[0][0] = v[0][0] + 1; /* which is too far away to be read */
#pragma scop
    while (t < T) {
        int i, j;
        for (i = 2; i < n - 1; i++)
            for (j = 2; j < m - 1; j++)
                v[i][j] = 0.2 * (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j] + u[i][j]);
        memcpy(u, v, sizeof(double) * n * m);
        t++;
    }
#pragma endscop
    printf("%d\n", t);
    SHOW(u, v);
}

/* Another border comes with the copy: the first step reads one, the others another. */
static void another_border(int n, int m, int T)
{
    float *u = floats(n, m, 8), *v = floats(n, m, 9);
#pragma scop
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            v[i * m + j] =
                0.25f * (u[i * m + j - 1] + u[i * m + j + 1] + u[i * m + j - m] + u[i * m + j + m]);
        memmove(u, v, (size_t)n * m * sizeof *u);
    }
#pragma endscop
    SHOW(u, v);
}

/* A copy back by loops over all cells. */
static void copied_wholly(int n, int m, int T)
{
    double *u = doubles(n, m, 10), *v = doubles(n, m, 10);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < m - 2; j++)
                v[i * m + j] = u[i * m + j] + 0.1 * (u[i * m + j - 1] - u[(i - 2) * m + j + 2]);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                u[i * m + j] = v[i * m + j];
    }
#pragma endscop
    SHOW(u, v);
}

/* Copied first, by memcpy and by loops, over all cells and over those that are written. */
static void copied_first(int n, int m, int T)
{
    double *old = doubles(n, m, 11), *new = doubles(n, m, 12);
    int i = 0, j = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        memcpy(old, new, (size_t)(n * m) * sizeof(double));
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                new[i * m + j] += 0.1 * (old[i * m + j - 1] + old[(i - 1) * m + j] -
                                         old[i * m + j + 1] * old[(i + 1) * m + j]);
    }
#pragma endscop
    SHOW(old, new);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (i = 0; i < n; i++)
            for (j = 1; j < m; j++)
                old[i * m + j] = new[i * m + j];
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < m - 1; j++)
                if (i + j > 4)
                    new[i * m + j] =
                        0.3 * (old[i * m + j - 1] + old[(i - 1) * m + j] + old[i * m + j + 1]);
    }
#pragma endscop
    printf("%d %d\n", i, j);
    SHOW(old, new);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int a = 1; a < n - 1; a++)
            for (int b = 1; b < m - 1; b++)
                old[a * m + b] = new[a * m + b];
        for (int a = 1; a < n - 1; a++)
            for (int b = 1; b < m - 1; b++)
                new[a * m + b] = old[a * m + b - 1] - 0.3 * old[(a + 1) * m + b];
    }
#pragma endscop
    SHOW(old, new);
}

#define SWAP(TYPE, a, b)                                                                           \
    do {                                                                                           \
        TYPE *third = a;                                                                           \
        a = b;                                                                                     \
        b = third;                                                                                 \
    } while (0)

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

/* Pointers exchanged by a macro, by a function, and as members. */
static void exchanged(int n, int m, int T)
{
    double *u = doubles(n, m, 13), *v = doubles(n, m, 14);
    struct planes planes = {doubles(n, m, 15), doubles(n, m, 16), n, m}, *p = &planes;
    double *other;
#pragma gz trapezoid
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            v[i * m + j] = 0.5 * u[i * m + j - 1] + 0.25 * u[(i + 1) * m + j];
        SWAP(double, u, v);
    }
    SHOW(u, v);
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
    float *a = floats(n + EXTRA, m + EXTRA, 19), *b = floats(n + EXTRA, m + EXTRA, 20);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                const int here = PLACE(i, j);
                v[here] =
                    0.25 * (u[here - 2] + u[PLACE(i + 1, j)] + u[PLACE(i - 2, j)] + u[here + 1]);
            }
        double *w = u;
        u = v;
        v = w;
    }
#pragma endscop
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                b[i * (m + 2) + j] = a[(i - 1) * (m + EXTRA) + j] - 0.5f * a[i * (m + 2) + j + 1];
        float *c = a;
        a = b;
        b = c;
    }
#pragma endscop
    SHOW(u, v, a, b);
}

/* Planes by number, chosen by variables that each loop sets, by one that changes between 0 and 1,
 * and by variables in the loop's header. */
static void planes(int n, int m, int T)
{
    double(*u)[n][m] = doubles(2 * n, m, 21);
    float(*w)[n][m] = floats(2 * n, m, 22);
    double d = 0.125;
    int now = 5, next = 6, which = 1;
#pragma scop
    for (int t = 0; t < T; t += 2) {
        EACH_INNER (i, j)
            u[1][i][j] = 0.25 * (u[0][i - 1][j] + u[0][i][j + 1]) + t;
        EACH_INNER (i, j)
            u[0][i][j] = 0.25 * (u[1][i - 1][j] + u[1][i][j + 1]) - t;
    }
#pragma endscop
    SHOW(u);
#pragma scop
    for (int t = 3; t < T + 3; t++) {
        const double c = d * 0.5 + t;
        int last = n - 1;
        now = t & 1;
        next = 1 - now;
        for (int i = 1; i < last; i++)
            for (int j = 1; j < m - 1; j++)
                u[next][i][j] = u[now][i][j] + c * (u[now][i - 1][j] - u[now][i][j + 1]);
    }
#pragma endscop
    printf("%d %d\n", now, next);
    SHOW(u);
#pragma scop
    for (int t = 0; t < T; t++) {
        int other = 1 - which;
        EACH_INNER (i, j)
            w[other][i][j] = 0.5f * w[which][i][j] + 0.25f * w[which][i + 1][j];
        which = 1 - which;
    }
#pragma endscop
    printf("%d\n", which);
    SHOW(w);
    int cur = 1, aside = 9;
    next = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        EACH_INNER (i, j)
            u[next][i][j] = u[cur][i][j - 1] + 0.5 * u[cur][i + 1][j] - 0.25 * u[next][i][j];
        aside = cur;
        cur = next;
        next = aside;
    }
#pragma endscop
    printf("%d %d %d\n", cur, next, aside);
    SHOW(u);
#pragma scop
    for (int t = 0; t < T; t++) {
        const int new = cur ^ 1;
        EACH_INNER (i, j)
            w[new][i][j] = 0.5f * w[cur][i][j] + 0.25f * w[!new][i + 1][j];
        cur = new;
    }
#pragma endscop
    printf("%d\n", cur);
    SHOW(w);
#pragma scop
    for (int t = 1, a = t % 2, b = (t + 1) % 2; t <= T; t += 1, a = t % 2, b = (t + 1) % 2)
        for (int i = 0; i < n - 1; i += 1)
            for (int j = 0; j < m; j += 1)
                w[b][i][j] = 0.5f * w[a][i][j] + 0.25f * w[a][i + 1][j];
#pragma endscop
    SHOW(w);
}

/* The pointers exchanged before the sweep; elements in brackets. */
#define OF(p, i) ((p)[(i)])
static void exchanged_first(int n, int m, int T)
{
    double *u = doubles(n, m, 23), *v = doubles(n, m, 24), *w = v;
#pragma scop
    for (int t = 0; t < T; t++) {
        w = u;
        u = v;
        v = w;
        for (int i = 1; i < n * m - 1; i++)
            OF(v, i) = 0.5 * (OF(u, i - 1) + OF(u, i + 1)) + t;
    }
#pragma endscop
    printf("%d\n", w == v);
    SHOW(u, v);
}

/* More scalars than one would think: a star of radius 4 with a coefficient each. */
static void scalars(int n, int m, int T, const float *c, double s, double r)
{
    float *u = floats(n, m, 25), *v = floats(n, m, 26);
#define U(di, dj) u[(i + (di)) * m + j + (dj)]
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 4; i < n - 4; i++)
            for (int j = 4; j < m - 4; j++)
                v[i * m + j] = c[0] * U(0, 0) + c[1] * U(-1, 0) + c[2] * U(-2, 0) +
                               c[3] * U(-3, 0) + c[4] * U(-4, 0) + c[5] * U(1, 0) + c[6] * U(2, 0) +
                               c[7] * U(3, 0) + c[8] * U(4, 0) + c[9] * U(0, -1) +
                               c[10] * U(0, -2) + c[11] * U(0, -3) + c[12] * U(0, -4) +
                               c[13] * U(0, 1) + c[14] * U(0, 2) + c[15] * U(0, 3) +
                               c[16] * U(0, 4) + s * r;
        float *w = u;
        u = v;
        v = w;
    }
#pragma endscop
    SHOW(u, v);
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
#pragma scop
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
#pragma endscop
    SHOW(u, v);
}

/* Rows of constant length in one dimension, which no loop fills; the border is never written. */
#define ROW 40
#define AT(i, j) ((j) + (i)*ROW)
static void rows(int n, int m, int T)
{
    int size = (n + 1) * ROW;
    float *u = floats(size, 1, 31), *v = floats(size, 1, 32), *k = floats(size, 1, 33);
#pragma scop
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
#pragma endscop
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
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < WIDE; i++)
            for (int j = 0; j < LONG; j++)
                v[i * LONG + j] = 0.25 * (u[i * LONG + (j + 1) % LONG] +
                                          u[(i + WIDE - 1) % WIDE * LONG + j] - u[i * LONG + j]);
        for (int i = 0; i < WIDE * LONG; i++)
            u[i] = v[i];
    }
#pragma endscop
    show("ring u", u, sizeof u);
    show("ring v", v, sizeof v);
}

/* A line in blocks, whose neighbours lie across their ends: one dimension, not two. */
static void blocks(int T)
{
    double *u = doubles(5 * 16, 1, 34), *v = doubles(5 * 16, 1, 35);
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int b = 0; b < 5; b++)
            for (int i = 0; i < 16; i++) {
                int at = b * 16 + i;
                if (at > 0 && at < 79)
                    v[at] = 0.25 * (u[at - 1] + u[at + 1]) + 0.5 * u[at];
            }
        for (int i = 1; i < 79; i++)
            u[i] = v[i];
    }
#pragma endscop
    show("blocks u", u, 80 * sizeof *u);
    show("blocks v", v, 80 * sizeof *v);
    free(u);
    free(v);
}

int main(int argc, char **argv)
{
    SIZES
    temporaries(n, m, T), declared_outside(n, m, T), torus(n, m, T), numbered(n, m, T),
        copied_back(n, m, T), another_border(n, m, T), copied_wholly(n, m, T),
        copied_first(n, m, T), exchanged(n, m, T), haloed(n, m, 3, T), planes(n, m, T),
        exchanged_first(n, m, T);
    float *c = floats(17, 1, 27);
    scalars(n, m, T, c, 1e-3, 0.1), switched(n, m, T), rows(n, m, T), ring(T), blocks(T);
    return 0;
}
