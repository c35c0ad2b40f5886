/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * child.h - another program's output.
 */
#ifndef GZC_CHILD_H
#define GZC_CHILD_H

#include "error.h"

#include <signal.h>

/* Runs a command to its end, for at most `limit_s` seconds, and gives what it printed on both of
 * its outputs, to be freed. NULL after `error` was filled if it does not start, fails, takes
 * longer, or *stop becomes nonzero; then it and what it started are ended. `what` names it in
 * errors. */
char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error);

#endif
