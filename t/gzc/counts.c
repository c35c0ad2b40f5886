/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counts.c - time loops that count in many ways: down, by other steps, in a double, in memory, in
 * several variables at once, for t/723-gzc-programs.t. Prints what every loop leaves. Arguments:
 * the extents, which are multiplied, and the number of loops.
 */
#include "values.h"

#include <math.h>

struct grid {
    double *u, *v, end, now;
    int n, time, most;
};

#define SWEEP                                                                                      \
    for (int i = 1; i < n - 1; i++)                                                                \
        v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#define EXCHANGE                                                                                   \
    old = u;                                                                                       \
    u = v;                                                                                         \
    v = old;

static void tell(const char *name, const double *u, int n, double a, double b)
{
    const double numbers[] = {a, b};
    show(name, u, (size_t)n * sizeof *u);
    show(name, numbers, sizeof numbers);
}

static void down(double *u, double *v, int n, int T)
{
    double *old;
    int t, left = T;
#pragma scop
    for (t = T; t > 0; t--) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + 1.0 / t;
        EXCHANGE
    }
#pragma endscop
    tell("down", u, n, t, 0);
#pragma scop
    while (left-- > 0) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("down in the condition", u, n, left, 0);
    left = T;
#pragma scop
    while (left) {
        SWEEP
        EXCHANGE
        left -= 1;
    }
#pragma endscop
    tell("to zero", u, n, left, 0);
}

static void steps(double *u, double *v, int n, int T)
{
    double *old;
    unsigned char small;
    long far, end = 3000000000L + T;
    int t, s, by = 1 + T / 3;
    double most = T - 0.5;
#pragma scop
    for (t = 0; t != 3 * T; t += 3) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + t;
        EXCHANGE
    }
#pragma endscop
    tell("until it is met", u, n, t, 0);
#pragma scop
    for (t = 1, s = 0; t < 1 << T; t *= 2, s += 2) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("doubled", u, n, t, s);
#pragma scop
    for (t = 0; t < 2 * T; t += by) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("by a variable", u, n, t, by);
#pragma scop
    for (small = 250; small > 5; small++) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("around", u, n, small, 0);
#pragma scop
    for (far = 3000000000L; far < end; far++) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("beyond int", u, n, (double)far, 0);
#pragma scop
    for (t = 0; t < most; t++) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("below a double", u, n, t, 0);
}

static void doubles_count(double *u, double *v, int n, int T)
{
    double *old, dt = 0.1, end = T * dt, s;
    int loops = 0;
    float f = 0;
#pragma scop
    for (double t = 0; t < end; t += dt) {
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("a double", u, n, 0, 0);
    s = dt;
#pragma scop
    while (s < end) {
        s += dt;
        SWEEP
        EXCHANGE
        loops++;
        f += 0.1f;
    }
#pragma endscop
    tell("a double before the sweep", u, n, s, loops + f);
    dt = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        SWEEP
        EXCHANGE
        dt += 0.3;
        loops = loops + 2;
    }
#pragma endscop
    tell("beside it", u, n, dt, loops);
#pragma scop
    for (double t = 1, w = 0.5; t < end + 1; t += 0.1) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + w / t - 0.25 * (u[i - 1] + u[i + 1]) * sqrt(t);
        EXCHANGE
        w *= 0.9;
    }
#pragma endscop
    tell("used in the sweep", u, n, 0, 0);
    s = 0;
#pragma scop
    for (int t = 0; t < T; t++) {
        const double half = 0.5 * s;
        for (int i = 1; i < n - 1; i++)
            v[i] = half * u[i - 1] + t;
        EXCHANGE
        if (t % 3 == 1)
            f += (float)u[1];
        s += dt;
    }
#pragma endscop
    tell("used in the sweep, with looks", u, n, s, f);
    s = 0;
#pragma scop
    while (s < end) {
        s += 0.1;
        for (int i = 1; i < n - 1; i++)
            if (s > 0.3)
                u[i] = u[i] * s + 1;
    }
#pragma endscop
    tell("set before the sweep, in a guard", u, n, s, 0);
    s = 0.25;
#pragma scop
    for (int t = 0; t < T; t++, s *= 1.1) {
        for (int i = 1; i < n - 1; i++)
            u[i] = u[i] + s * (v[i + 1] - v[i]);
        for (int i = 1; i < n - 1; i++)
            v[i] = v[i] + s * (u[i] - u[i - 1]);
    }
#pragma endscop
    tell("used for two arrays", u, n, s, v[n / 2]);
}

static void in_memory(struct grid *g, double *u, double *v, int *k)
{
    double *old;
    int n = g->n;
    g->most = *k;
#pragma scop
    for (*k = 0; *k < g->most; (*k)++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + *k;
        EXCHANGE
    }
#pragma endscop
    tell("behind a pointer", u, n, *k, 0);
#pragma scop
    for (g->time = 0; g->time < g->most; ++g->time) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + g->time;
        EXCHANGE
    }
#pragma endscop
    tell("a member", u, n, g->time, 0);
    g->now = 0;
#pragma scop
    while (g->now < g->end) {
        SWEEP
        EXCHANGE
        g->now += 0.25;
    }
#pragma endscop
    tell("a double in a structure", u, n, g->now, 0);
}

/* The time loop stays in the program for what stands beside the sweep. */
static void beside(double *u, double *v, int n, int T)
{
    double *old, t, sum = 0;
    int left, loops = 0;
#pragma scop
    for (left = T; left > 0; left--) {
        SWEEP
        EXCHANGE
        if (left % 3 == 0)
            sum += u[n / 2] + left;
    }
#pragma endscop
    tell("looks while it counts down", u, n, left, sum);
    t = 0;
#pragma scop
    while (t < 0.1 * T) {
        SWEEP
        EXCHANGE
        if (loops % 2 == 1)
            sum += u[n / 3] * t;
        t += 0.1;
        loops++;
    }
#pragma endscop
    tell("looks by another number", u, n, t, sum + loops);
#pragma scop
    for (double s = 0; s < T; s += 1.5) {
        if (s > 3 && s < 5)
            sum += u[2];
        SWEEP
        EXCHANGE
    }
#pragma endscop
    tell("looks by a double", u, n, 0, sum);
    t = 0;
#pragma scop
    for (int k = 0; k < T; k++) {
        if (k == T / 2)
            sum += t;
        t += 0.5;
        if (t == 2.5)
            sum += u[3];
        loops++;
        SWEEP
        EXCHANGE
        sum *= 0.75;
        if (k % 4 == 1)
            sum += u[1] + t;
        left += k;
        if (left % 5 == 0)
            sum += u[2];
    }
#pragma endscop
    tell("looks among what is set", u, n, t, sum + left + loops);
#pragma scop
    for (double s = T; s > 0.5; s--) {
        SWEEP
        EXCHANGE
        u[0] = u[1];
        u[n - 1] = u[n - 2];
    }
#pragma endscop
    tell("a border", u, n, 0, 0);
    left = T;
#pragma scop
    while (left > 0) {
        for (int i = 1; i < n - 1; i++)
            u[i] = u[i] + 0.5 * (v[i + 1] - v[i]);
        for (int i = 1; i < n - 1; i++)
            v[i] = v[i] + 0.5 * (u[i] - u[i - 1]);
        left--;
    }
#pragma endscop
    tell("two arrays", u, n, left, v[n / 2]);
}

/* What stays in the program: the loop has no end, or its counter lies in what it sets. */
static void stays(int *a, int *b, int n, int T)
{
    int *old, *k = &a[n / 2];
#pragma scop
    for (*k = 0; *k < T; (*k) += 2) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2 + 1;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
    old = a;
    SHOW(old);
}

/* Prints numbers in each loop, which the sweeps use, too. */
static void prints(double *u, double *v, int n, int T)
{
    double *old, now = 0;
    FILE *out = stdout;
#pragma scop
    for (int t = 0; t < T; t++) {
        fprintf(out, "loop %d  of %d,", t, T);
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]) + t * now;
        now += 0.125;
        printf(" now %a\n", now);
        EXCHANGE
    }
#pragma endscop
    tell("printed", u, n, now, 0);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int n = atoi(argv[1]) * atoi(argv[2]), T = atoi(argv[3]), k = T;
    double *u = doubles(n, 1, 1), *v = doubles(n, 1, 2);
    int *a = made((size_t)n, sizeof *a), *b = made((size_t)n, sizeof *b);
    struct grid grid = {.n = n, .end = T};
    for (int i = 0; i < n; i++)
        a[i] = i % 7, b[i] = 0;
    down(u, v, n, T), steps(u, v, n, T), doubles_count(u, v, n, T), in_memory(&grid, u, v, &k),
        beside(u, v, n, T), prints(u, v, n, T), stays(a, b, n, T);
    return 0;
}
