/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * host.h - large arrays in host memory: where a CPU is the device, the arrays that kernels work on.
 */
#ifndef GZK_HOST_H
#define GZK_HOST_H

#include <stddef.h>

/* Allocates at least `bytes`, at most SIZE_MAX - 4 MiB; NULL if memory is short. Large arrays begin
 * on a boundary of huge pages, which the system is asked for, small ones on one of 64 bytes. The
 * contents are undefined; no page is touched, so that it comes to lie near the thread that writes
 * it first. To be freed by free(). */
void *gzk_host_new(size_t bytes);

/* Copies `bytes` between arrays that do not overlap, or sets them to `byte`, on up to `threads`
 * threads if there are enough of them. */
void gzk_host_copy(void *to, const void *from, size_t bytes, int threads);
void gzk_host_set(void *to, int byte, size_t bytes, int threads);

/* Calls part(of, first, last) for all of [0, count) in up to `threads` parts of nearly the same
 * length, at the same time, and returns when all are done. Where threads are missing, in fewer. */
void gzk_host_parallel(void (*part)(void *of, size_t first, size_t last), void *of, size_t count,
                       int threads);

#endif
