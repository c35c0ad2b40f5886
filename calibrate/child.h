/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * child.h - another program's output.
 */
#ifndef GZC_CHILD_H
#define GZC_CHILD_H

#include "error.h"

#include <signal.h>

/* Runs a command to its end, for at most `limit_s` seconds, and gives what it printed on both of
 * its outputs, to be freed. NULL after `error`, in which `what` names it, was filled if it did not
 * start, failed, took longer, or *stop became nonzero; then it and what it started are ended. */
char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error);

#endif
