/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * child.h - another program's output.
 */
#ifndef GZC_CHILD_H
#define GZC_CHILD_H

#include "error.h"

#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

/* A command that runs. */
struct gzc_child {
    const char *what; /* names it in errors */
    pid_t pid;
    int from;   /* where its output comes from; -1 if it was not started */
    int failed; /* an error number, if it was not */
};

/* Starts a command; to be ended by gzc_child_end, also if it does not start. */
struct gzc_child gzc_child_start(const char *what, char *const *words);

/* Lets the command run to its end, for at most `limit_s` seconds, and gives what it printed on both
 * of its outputs, to be freed. NULL after `error` was filled if it did not start, failed, took
 * longer, or *stop became nonzero; then it and what it started are ended. */
char *gzc_child_end(struct gzc_child *child, double limit_s, const volatile sig_atomic_t *stop,
                    struct gzk_error *error);

/* Both in one. */
char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error);

#endif
