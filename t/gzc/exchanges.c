/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exchanges.c - time loops that exchange the pointers of one array or two, in each of the ways that
 * people write it. Prints where all pointers lead behind them, and what lies there.
 *
 *     exchanges N M T
 */
#include "values.h"

#define SWAP(a, b)                                                                                 \
    {                                                                                              \
        double *a_##b = a;                                                                         \
        a = b;                                                                                     \
        b = a_##b;                                                                                 \
    }
#define SWAP_ONCE(a, b)                                                                            \
    do {                                                                                           \
        double *tmp = a;                                                                           \
        a = b;                                                                                     \
        b = tmp;                                                                                   \
    } while (0)

/* The sweep of one array, and that of two. */
#define DIFFUSE                                                                                    \
    for (int i = 1; i < n - 1; i++)                                                                \
        un[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
#define REACT                                                                                      \
    for (int i = 1; i < n - 1; i++) {                                                              \
        un[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) - 0.1 * u[i] * v[i] * v[i];          \
        vn[i] = v[i] + 0.1 * (v[i - 1] - 2 * v[i] + v[i + 1]) + 0.1 * u[i] * v[i];                 \
    }
#define WAVE                                                                                       \
    for (int i = 1; i < n - 1; i++)                                                                \
        vn[i] = 2 * u[i] - un[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);

static double *u, *un, *v, *vn, *given[4];
static int n;

/* Pairs of arrays with equal borders. */
static void make(int count)
{
    n = count;
    for (int k = 0; k < 4; k++) {
        free(given[k]);
        given[k] = doubles(n, 1, 70);
        for (int i = 1; i < n - 1; i++)
            given[k][i] = noise((size_t)(k * n + i));
    }
    u = given[0], un = given[1], v = given[2], vn = given[3];
}

static int number_of(const double *array)
{
    int k = 0;
    while (k < 4 && array != given[k])
        k++;
    return k;
}

static void tell(const char *name, const double *aside)
{
    printf("%s %d %d %d %d, %d\n", name, number_of(u), number_of(un), number_of(v), number_of(vn),
           number_of(aside));
    for (int k = 0; k < 4; k++)
        show(name, given[k], (size_t)n * sizeof(double));
}

static void blocks(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        REACT
        SWAP(u, un)
        SWAP(v, vn)
    }
#pragma endscop
    tell("blocks", NULL);
}

static void once(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        REACT
        SWAP_ONCE(u, un);
        SWAP_ONCE(v, vn);
    }
#pragma endscop
    tell("once", NULL);
}

static void block_and_plain(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        REACT
        SWAP(u, un)
        double *b = v;
        v = vn;
        vn = b;
    }
#pragma endscop
    tell("block and plain", NULL);
}

static void plain_and_once(int T)
{
    double *tmp = NULL;
#pragma scop
    for (int t = 0; t < T; t++) {
        REACT
        tmp = v;
        v = vn;
        vn = tmp;
        SWAP_ONCE(u, un);
    }
#pragma endscop
    tell("plain and once", tmp);
}

static void in_one_block(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        double *tmp;
        REACT
        {
            tmp = u;
            u = un;
            un = tmp;
            {
                double *b;
                b = v;
                v = vn;
                vn = b;
            }
        }
    }
#pragma endscop
    tell("in one block", NULL);
}

static void mixed(int T)
{
    double *a = NULL, *b = NULL;
#pragma scop
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
#pragma endscop
    tell("mixed", a);
    tell("mixed", b);
}

static void one_in_a_block(int T)
{
    double *tmp = NULL;
#pragma scop
    for (int t = 0; t < T; t++) {
        DIFFUSE
        {
            tmp = u;
            u = un;
            un = tmp;
        }
    }
#pragma endscop
    tell("one in a block", tmp);
}

static void one_half_in_a_block(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        double *tmp;
        DIFFUSE
        tmp = u;
        {
            u = un;
            un = tmp;
        }
    }
#pragma endscop
    tell("one, half in a block", NULL);
}

static void between_commas(int T)
{
    double *tmp = NULL;
#pragma scop
    for (int t = 0; t < T; t++) {
        REACT
        tmp = u, u = un, un = tmp;
        {
            tmp = v, v = vn, vn = tmp;
        }
    }
#pragma endscop
    tell("between commas", tmp);
}

/* Three levels: which array is the third changes, too. */
static void three(int T)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        WAVE
        {
            double *first = un;
            un = u;
            u = vn;
            {
                vn = first;
            }
        }
    }
#pragma endscop
    tell("three", NULL);
}

int main(int argc, char **argv)
{
    static void (*const loops[])(int) = {
        blocks, once,           block_and_plain,     plain_and_once, in_one_block,
        mixed,  one_in_a_block, one_half_in_a_block, between_commas, three};
    if (argc != 4)
        return 2;
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        make(atoi(argv[1]));
        loops[k](atoi(argv[3]));
    }
    return 0;
}
