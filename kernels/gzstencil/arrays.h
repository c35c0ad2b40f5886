/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arrays.h - the large arrays of runs, which a run leaves to the next: new pages take the system
 * longer to clear than a run takes to fill them. What is left may be taken by the system whenever
 * it is short of memory. Safe for any thread; no call waits for another.
 */
#ifndef GZS_ARRAYS_H
#define GZS_ARRAYS_H

#include <stddef.h>

/* At least `bytes`, on a boundary of 64, which hold anything; NULL if memory is short. Pages are
 * there already, as far as they are new by up to `threads` threads. */
void *gzs_array_new(size_t bytes, int threads);

/* Leaves what gzs_array_new(bytes) returned, or frees it: if it is small, or the process may have
 * so much memory only (setrlimit). At most GZS_ARRAYS_LEFT are left, the newest. NULL is harmless.
 */
enum { GZS_ARRAYS_LEFT = 6 };
void gzs_array_free(void *array, size_t bytes);

/* Frees all that are left. */
void gzs_arrays_drop(void);

#endif
