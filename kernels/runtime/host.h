/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * host.h - large arrays in host memory: where a CPU is the device, the arrays that kernels work on.
 */
#ifndef GZK_HOST_H
#define GZK_HOST_H

#include <stddef.h>

/* Allocates at least `bytes`, all of them 0; NULL if memory is short. Large arrays begin on a
 * boundary of huge pages, small ones on one of 64 bytes. No page of a large one is touched, so that
 * it comes to lie near the thread that writes to it first. */
void *gzk_host_new(size_t bytes);

/* Frees what gzk_host_new(bytes) returned; NULL is harmless. */
void gzk_host_free(void *memory, size_t bytes);

/* Lets the system take the pages of a large array when it needs them, which hold anything from now
 * on until they are written to; 0 if it cannot be told so, or the array is small. */
int gzk_host_leave(void *memory, size_t bytes);

/* Requests huge pages for the first `bytes` of what gzk_host_new returned, and for what else the
 * last of them holds; fewer than one page are left small. Not for what only a few bytes will be
 * written to. */
void gzk_host_huge(void *memory, size_t bytes);

/* How many threads of this process it is worth preparing an array on: the processors that it may
 * use, but no more than fill the memory's bandwidth. */
int gzk_host_threads(void);

/* Has the system provide the pages of what gzk_host_new returned, as far as they are whole, on up
 * to `threads` threads: it takes as long as copying. What was written there is lost. */
void gzk_host_touch(void *memory, size_t bytes, int threads);

/* Copies `bytes` between arrays that do not overlap, or sets them to `byte`, on up to `threads`
 * threads if there are enough of them. */
void gzk_host_copy(void *to, const void *from, size_t bytes, int threads);
void gzk_host_set(void *to, int byte, size_t bytes, int threads);

/* Calls part(of, first, last) for all of [0, count) in up to `threads` parts of nearly the same
 * length, at the same time, and returns when all are done. Where threads are missing, in fewer. */
void gzk_host_parallel(void (*part)(void *of, size_t first, size_t last), void *of, size_t count,
                       int threads);

/* A list with room for `count` elements of so many bytes, as it is if *room are enough; NULL if
 * memory is short, and the list stays. */
void *gzk_host_grow(void *list, size_t count, size_t bytes, size_t *room);

#endif
