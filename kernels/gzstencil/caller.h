/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * caller.h - what in the calling thread forbids to compute in its place.
 */
#ifndef GZS_CALLER_H
#define GZS_CALLER_H

#include <stdbool.h>

/* Why the original loops must run in this thread, NULL if they need not: it belongs to a child of
 * the process that opened the device; it runs in an active parallel region of OpenMP; or its
 * arithmetic rounds otherwise than to nearest, or flushes small numbers to 0. */
const char *gzs_caller_forbids(void);

/* Whether it runs in an active parallel region of OpenMP. */
bool gzs_in_parallel(void);

/* The same for a child alone, which must not use the device nor the lock around it. */
const char *gzs_is_child(void);

#endif
