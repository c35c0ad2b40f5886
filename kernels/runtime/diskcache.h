/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diskcache.h - keeps compiled kernels and what was measured between runs, in a folder of
 * $XDG_CACHE_HOME or $HOME/.cache. A cache that cannot be read or written is not an error: the
 * kernel is compiled again.
 *
 * What is read back is executed, so only what this user wrote is taken: the folder must belong to
 * the user and be writable by nobody else, and so must the file, which is not a link; its length
 * and its checksum must be right. Whatever else lies in its place is removed.
 */
#ifndef GZK_DISKCACHE_H
#define GZK_DISKCACHE_H

#include <stddef.h>
#include <stdint.h>

enum {
    GZK_CACHE_ENTRY_BYTES = 32 << 20, /* the largest file that is read or written */
    GZK_CACHE_BYTES = 256 << 20       /* of all files; the least recently used go first */
};

/* The folder, and what the names of its files end in. */
struct gzk_cache {
    const char *folder, *ending;
};

/* What was stored under `key`, all of which is compared; NULL if nothing was. To be freed. */
void *gzk_cache_get(const struct gzk_cache *cache, const char *key, size_t *size);

/* Stores `size` bytes under `key`; the file appears whole or not at all. */
void gzk_cache_put(const struct gzk_cache *cache, const char *key, const void *bytes, size_t size);

/* FNV-1a, of 64 bits, of `size` bytes more than `sum` is of. */
#define GZK_SUM_OF_NONE UINT64_C(0xcbf29ce484222325)
uint64_t gzk_sum(uint64_t sum, const void *bytes, size_t size);

#endif
