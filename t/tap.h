/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tap.h - the Test Anything Protocol for the tests of this project, header only.
 *
 * A test program checks, and `return tap_done();` ends main and announces how many checks there
 * were. NaN never passes. A skipped check counts as passed unless GZ_NO_SKIP is set in the
 * environment, which is how a machine that must have the hardware turns skips into failures.
 */
#ifndef GZ_TAP_H
#define GZ_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_run, tap_failed, tap_last_failed;

/* Skips the whole file: prints why and exits (0, or 1 if skips are not allowed). */
static inline void tap_skip_all(const char *why)
{
    if (getenv("GZ_NO_SKIP")) {
        printf("1..1\nnot ok 1 - may not be skipped: %s\n", why);
        exit(1);
    }
    printf("1..0 # SKIP %s\n", why);
    exit(0);
}

/* A line of diagnostics; of a failed check as an error, which prove shows. */
__attribute__((format(printf, 1, 2))) static inline void tap_note(const char *format, ...)
{
    FILE *to = tap_last_failed ? stderr : stdout;
    va_list args;
    va_start(args, format);
    fprintf(to, "# ");
    vfprintf(to, format, args);
    fprintf(to, "\n");
    fflush(to); /* before the program forks or dies */
    va_end(args);
}

/* How many cases to take: `all` under `make check-all` (GZ_ALL=1), otherwise `few`. */
static inline int tap_bulk(int few, int all)
{
    return getenv("GZ_ALL") ? all : few;
}

/* Whether to take every combination of what `make check-all` takes by turns (GZ_ALL=2). */
static inline int tap_every(void)
{
    const char *all = getenv("GZ_ALL");
    return all && strcmp(all, "2") == 0;
}

/* One check: passes if `pass` is true. Returns `pass`. */
__attribute__((format(printf, 2, 3))) static inline int tap_ok(int pass, const char *format, ...)
{
    char name[400];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    printf("%sok %d - %s\n", pass ? "" : "not ", ++tap_run, name);
    fflush(stdout);
    tap_last_failed = !pass;
    if (!pass) {
        tap_failed++;
        tap_note("not passed: %s", name);
    }
    return pass;
}

/* One check that cannot be made here. */
static inline void tap_skip(const char *why)
{
    int allowed = getenv("GZ_NO_SKIP") == NULL;
    printf("%sok %d - skipped # SKIP %s\n", allowed ? "" : "not ", ++tap_run, why);
    if (!allowed)
        tap_failed++;
}

/* `got` is within `tolerance` (relative to the larger magnitude) of `want`; NaN never passes. */
static inline int tap_close(double got, double want, double tolerance, const char *what)
{
    double scale = fmax(fabs(got), fabs(want));
    int pass = got == want || fabs(got - want) <= tolerance * scale;
    tap_ok(pass, "%s", what);
    if (!pass)
        tap_note("got %.17g, want %.17g, relative difference %.3g, tolerance %.3g", got, want,
                 fabs(got - want) / scale, tolerance);
    return pass;
}

/* Two strings are equal; neither may be NULL. */
static inline int tap_string(const char *got, const char *want, const char *what)
{
    int pass = got && want && strcmp(got, want) == 0;
    tap_ok(pass, "%s", what);
    if (!pass)
        tap_note("got \"%s\", want \"%s\"", got ? got : "(null)", want ? want : "(null)");
    return pass;
}

/* Ends the program, and announces how many checks there were: 0 if every one passed. */
static inline int tap_done(void)
{
    printf("1..%d\n", tap_run);
    return tap_failed != 0;
}

#endif
