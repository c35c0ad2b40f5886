/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * callers WAY - calls libgzstencil in a way that a program may, and compares what comes out with
 * plain loops, to the bit. Prints "same" or "different", then whether the device or the loops
 * computed it, and why.
 */
#define _GNU_SOURCE /* for feenableexcept */
#include "gzstencil.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __SSE__
#include <xmmintrin.h>
#endif

enum { N = 24, CELLS = N * N };

static const char *const mean[] = {"GZ_UPDATE\n{\n    return 0.25 * (AT(-1, 0, 0) + AT(1, 0, 0) + "
                                   "AT(0, -1, 0) + AT(0, 1, 0));\n}\n",
                                   0};
static const char *const sum[] = {
    "GZ_UPDATE\n{\n    return AT(-1, 0, 0) - AT(1, 0, 0) + AT(0, -1, 0) - AT(0, 1, 0);\n}\n", 0};

static struct gz_stencil stencil_of(const char *const *body, int edge)
{
    struct gz_stencil made;
    memset(&made, 0, sizeof made);
    made.file = "callers.c";
    made.line = 1;
    made.body = body;
    made.type = GZ_STENCIL_DOUBLE;
    made.edge[0] = made.edge[1] = edge;
    made.dimensions = 2;
    made.radius[0] = made.radius[1] = 1;
    made.operations = 4;
    made.buffers = 1;
    return made;
}

static int beyond(int i, int edge)
{
    if (edge == GZ_STENCIL_PERIODIC)
        return (i + N) % N;
    return i < 0 ? 0 : i >= N ? N - 1 : i;
}

static void plain(const struct gz_stencil *s, double *u, int loops)
{
    double next[CELLS];
    for (int t = 0; t < loops; t++) {
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                double w = u[y * N + beyond(x - 1, s->edge[0])];
                double e = u[y * N + beyond(x + 1, s->edge[0])];
                double n = u[beyond(y - 1, s->edge[0]) * N + x];
                double o = u[beyond(y + 1, s->edge[0]) * N + x];
                next[y * N + x] = s->body == mean ? 0.25 * (w + e + n + o) : w - e + n - o;
            }
        memcpy(u, next, sizeof next);
    }
}

static void start(double *u)
{
    for (int i = 0; i < CELLS; i++)
        u[i] = i * 7 % 11 + i % 13 / 13.0;
}

static const long extent[3] = {N, N, 1};

/* As a translated program does it. Returns whether the device computed. */
static int replaced(const struct gz_stencil *s, double *u, int loops, char *why)
{
    gz_stencil_run *run = gz_stencil_begin(s, extent, loops, 1);
    int done = 0;
    if (gz_stencil_ready(run)) {
        gz_stencil_span(run, u, u + CELLS - 1, sizeof *u, 1);
        if (gz_stencil_usable(run, 1)) {
            memcpy(gz_stencil_buffer(run, 0), u, CELLS * sizeof *u);
            done = gz_stencil_execute(run);
            if (done)
                memcpy(u, gz_stencil_result(run, 0), CELLS * sizeof *u);
        }
    }
    if (gz_stencil_original(run))
        plain(s, u, loops);
    snprintf(why, 200, "%s", gz_stencil_reason(run));
    if (gz_stencil_checking(run)) {
        if (getenv("SPOIL"))
            u[5] = u[5] * (1 + atof(getenv("SPOIL")));
        memcpy(gz_stencil_buffer(run, 0), u, CELLS * sizeof *u);
        gz_stencil_compare(run);
        int original = N, found = getenv("SPOIL_VARIABLE") ? N - 1 : N;
        gz_stencil_compare_variable(run, "x", &original, &found, sizeof original);
    }
    gz_stencil_end(run);
    return done;
}

static int compare(const struct gz_stencil *s)
{
    double u[CELLS], expected[CELLS];
    char why[200];
    start(u);
    start(expected);
    plain(s, expected, 10);
    errno = ERANGE;
    int device = replaced(s, u, 10, why);
    int same = memcmp(u, expected, sizeof u) == 0 && errno == ERANGE;
    printf("%s %s%s%s\n", same ? "same" : "different", device ? "device" : "loops",
           *why ? ": " : "", why);
    fflush(stdout);
    return same;
}

static struct gz_stencil usual(void)
{
    return stencil_of(mean, GZ_STENCIL_CLAMP);
}

static void in_child(void)
{
    struct gz_stencil s = usual();
    compare(&s);
    gz_stencil_run *run = gz_stencil_open(&s, extent, 10);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        compare(&s);
        printf("put: %d %s\n", gz_stencil_put(run), gz_stencil_reason(run));
        gz_stencil_close(run);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child ended with %d\n", status);
    compare(&s);
    gz_stencil_close(run);
}

static void with_rounding(int mode)
{
    struct gz_stencil s = usual();
    fesetround(mode);
    compare(&s);
    fesetround(FE_TONEAREST);
    compare(&s);
}

static void with_traps(void)
{
    struct gz_stencil s = usual();
#if defined __GLIBC__
    feenableexcept(FE_DIVBYZERO);
    compare(&s);
    fedisableexcept(FE_DIVBYZERO);
#endif
    compare(&s);
}

static void with_flushing(int bits)
{
    struct gz_stencil s = usual();
#if defined __SSE__
    _mm_setcsr(_mm_getcsr() | (unsigned)bits);
    compare(&s);
    _mm_setcsr(_mm_getcsr() & ~(unsigned)bits);
#else
    (void)bits;
#endif
    compare(&s);
}

static void in_parallel(void)
{
    struct gz_stencil s = usual();
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        compare(&s);
    }
    compare(&s);
}

static void at_one_address(void)
{
    static const char *const *const bodies[] = {mean, sum, mean, sum};
    static const int edges[] = {GZ_STENCIL_CLAMP, GZ_STENCIL_CLAMP, GZ_STENCIL_PERIODIC,
                                GZ_STENCIL_PERIODIC};
    static char text[400];
    static const char *const pieces[] = {text, 0};
    struct gz_stencil s;
    for (int i = 0; i < 8; i++) {
        static double u[CELLS], expected[CELLS];
        char why[200];
        s = stencil_of(bodies[i % 4], edges[i % 4]);
        start(u);
        start(expected);
        plain(&s, expected, 10);
        snprintf(text, sizeof text, "%s", bodies[i % 4][0]);
        s.body = pieces;
        int device = replaced(&s, u, 10, why);
        printf("%s %s\n", memcmp(u, expected, sizeof u) == 0 ? "same" : "different",
               device ? "device" : "loops");
    }
}

static void *hammer(void *of)
{
    gz_stencil_run *run = of;
    int refused = 0;
    for (int i = 0; i < 300; i++)
        if (!gz_stencil_put(run) || !gz_stencil_advance(run, 5) || !gz_stencil_get(run))
            refused++;
    return refused ? run : NULL;
}

static void by_two_threads(void)
{
    struct gz_stencil s = usual();
    gz_stencil_run *run = gz_stencil_open(&s, extent, 5);
    pthread_t other;
    void *refused = NULL;
    start(gz_stencil_buffer(run, 0));
    pthread_create(&other, NULL, hammer, run);
    int here = hammer(run) != NULL;
    pthread_join(other, &refused);
    printf("%s: %s\n", here || refused ? "refused" : "not refused", gz_stencil_reason(run));
    gz_stencil_close(run);
}

/* A run each: that is what threads may do. */
static void *alone(void *of)
{
    struct gz_stencil s = usual();
    (void)of;
    compare(&s);
    return NULL;
}

static void by_own_threads(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, alone, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void try_facts(const struct gz_stencil *s)
{
    gz_stencil_run *run = gz_stencil_begin(s, extent, 3, 1);
    printf("%s %s\n", gz_stencil_original(run) ? "loops" : "accepted", gz_stencil_reason(run));
    gz_stencil_end(run);
}

/* Facts that cannot be, one at a time. */
static void with_absurd_facts(void)
{
    static const char *const none[] = {0};
    static const int wrong[] = {-1, 1000000, -2147483647 - 1};
    struct gz_stencil s = usual();
    int *const members[] = {&s.dimensions,  &s.radius[0],    &s.radius[1],       &s.type,
                            &s.edge[0],     &s.coefficients, &s.constant_arrays, &s.step_arrays,
                            &s.step_values, &s.operations,   &s.buffers,         &s.guarded,
                            &s.contract,    &s.reads.state};
    try_facts(NULL);
    for (size_t m = 0; m < sizeof members / sizeof *members; m++)
        for (int w = 0; w < 3; w++) {
            int kept = *members[m];
            if (wrong[w] > 0 &&
                (m == 9 || m == 13)) /* many operations or reads are none too many */
                continue;
            *members[m] = wrong[w];
            try_facts(&s);
            *members[m] = kept;
        }
    s.body = NULL;
    try_facts(&s);
    s.body = none;
    try_facts(&s);
}

/* Every function with no run, and with numbers out of range: nothing happens. */
static void with_nothing(void)
{
    static const long bad[] = {-1, 2, 1L << 40, -9223372036854775807L - 1};
    struct gz_stencil s = usual();
    gz_stencil_run *runs[] = {NULL, gz_stencil_begin(&s, extent, 3, 1),
                              gz_stencil_open(&s, extent, 3), gz_stencil_begin(&s, NULL, 3, 1),
                              gz_stencil_begin(&s, extent, -1, 1)};
    double d = 0;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        gz_stencil_run *run = runs[r];
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            int k = (int)bad[i];
            if (gz_stencil_buffer(run, k == 0 ? 7 : k) || gz_stencil_constant(run, k) ||
                gz_stencil_step(run, k, 0) || gz_stencil_step(run, 0, bad[i]) ||
                (k != 0 && gz_stencil_result(run, k)) ||
                (bad[i] != 2 && gz_stencil_values(run, bad[i])))
                printf("something is there\n");
            if (!gz_stencil_go(run))
                printf("original loops stop\n");
            gz_stencil_row(run, NULL, NULL, &d, &d);
            gz_stencil_row(run, &d, NULL, NULL, &d);
        }
        gz_stencil_copied(run);
        gz_stencil_span(run, NULL, NULL, 8, 1);
        gz_stencil_compare(run);
        gz_stencil_checking(run);
        gz_stencil_advance(run, 1);
        gz_stencil_get(run);
        gz_stencil_double(run, -1, 1);
        gz_stencil_int(run, 1 << 30, 1);
        gz_stencil_long(run, 0, 1);
        gz_stencil_ulong(run, 0, 1);
        gz_stencil_float(run, 0, 1);
        gz_stencil_execute(run);
        gz_stencil_usable(run, 1);
        gz_stencil_put(run);
        if (!gz_stencil_reason(run))
            printf("no reason\n");
        gz_stencil_end(run);
    }
    gz_stencil_close(NULL);
    printf("nothing happened\n");
}

/* Many numbers a loop take little memory; many arrays a loop are refused before they are taken. */
static void with_little_memory(void)
{
    struct gz_stencil s = usual();
    const long large[3] = {4000, 4000, 1};
    struct rlimit limit = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    setrlimit(RLIMIT_AS, &limit);
    s.step_values = 1;
    gz_stencil_run *run = gz_stencil_begin(&s, large, 500000, 1);
    printf("%s %s\n",
           gz_stencil_ready(run) && gz_stencil_values(run, 499999) ? "ready" : "not ready",
           gz_stencil_reason(run));
    gz_stencil_end(run);
    s.step_values = 0;
    s.step_arrays = 1;
    run = gz_stencil_begin(&s, large, 50, 1);
    printf("%s %s\n", gz_stencil_ready(run) ? "ready" : "not ready", gz_stencil_reason(run));
    gz_stencil_end(run);
}

static atomic_int signals; /* counted in whichever thread gets them */

static void on_signal(int number)
{
    (void)number;
    signals++;
}

/* Signals that come while the device computes are the program's own affair. */
static void with_signals(void)
{
    struct gz_stencil s = usual();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    ualarm(2000, 2000);
    for (int i = 0; i < 20; i++) {
        raise(SIGINT);
        compare(&s);
    }
    printf("%s\n", signals > 20 ? "signals came" : "none came");
}

/* The signal of a clock is blocked and ignored, as by programs that wait for it themselves. */
static void with_alarm_blocked(void)
{
    struct gz_stencil s = usual();
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarms, NULL);
    signal(SIGALRM, SIG_IGN);
    compare(&s);
}

static void of_sizes(void)
{
    struct gz_stencil s = usual();
    for (long n = N; n < N + 3; n++) {
        const long sizes[3] = {n, n, 1};
        gz_stencil_run *run = gz_stencil_begin(&s, sizes, 5, 1);
        printf("%s\n", gz_stencil_ready(run) && gz_stencil_execute(run) ? "device" : "loops");
        gz_stencil_end(run);
    }
}

/* Until it is killed. */
static void for_ever(void)
{
    static double u[CELLS];
    struct gz_stencil s = usual();
    char why[200];
    signal(SIGINT, SIG_DFL); /* a shell lets what runs in its background ignore it */
    start(u);
    for (int i = 0; i < 1000000; i++) {
        replaced(&s, u, 1000, why);
        if (i == 0)
            printf("running\n"), fflush(stdout);
    }
}

static void twice(void)
{
    struct gz_stencil s = usual();
    compare(&s);
    compare(&s);
}

static const struct {
    const char *name;
    void (*call)(void);
    void (*call_with)(int);
    int with;
} ways[] = {{"usual", twice, 0, 0},
            {"fork", in_child, 0, 0},
            {"upward", 0, with_rounding, FE_UPWARD},
            {"toward zero", 0, with_rounding, FE_TOWARDZERO},
            {"trap", with_traps, 0, 0},
            {"FTZ", 0, with_flushing, 0x8000},
            {"DAZ", 0, with_flushing, 0x0040},
            {"parallel", in_parallel, 0, 0},
            {"one address", at_one_address, 0, 0},
            {"two threads", by_two_threads, 0, 0},
            {"own threads", by_own_threads, 0, 0},
            {"facts", with_absurd_facts, 0, 0},
            {"nothing", with_nothing, 0, 0},
            {"memory", with_little_memory, 0, 0},
            {"signals", with_signals, 0, 0},
            {"alarm blocked", with_alarm_blocked, 0, 0},
            {"sizes", of_sizes, 0, 0},
            {"for ever", for_ever, 0, 0}};

int main(int argc, char **argv)
{
    for (size_t k = 0; k < sizeof ways / sizeof *ways && argc > 1; k++)
        if (strcmp(argv[1], ways[k].name) == 0) {
            if (ways[k].call)
                ways[k].call();
            else
                ways[k].call_with(ways[k].with);
            return 0;
        }
    return 2;
}
