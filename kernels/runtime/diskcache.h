/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diskcache.h - keeps compiled kernels between runs, in $XDG_CACHE_HOME/gzmodel or
 * $HOME/.cache/gzmodel. A cache that cannot be read or written is not an error: the kernel is
 * compiled again.
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

/* What was stored under `key`, all of which is compared; NULL if nothing was. To be freed. */
void *gzk_cache_get(const char *key, size_t *size);

/* Stores `size` bytes under `key`; the file appears whole or not at all. */
void gzk_cache_put(const char *key, const void *bytes, size_t size);

/* Another cache, made and checked in the same way: its folder beside gzmodel, and what its files'
 * names end in. */
struct gzk_cache {
    const char *folder, *ending;
};
void *gzk_cache_get_from(const struct gzk_cache *cache, const char *key, size_t *size);
void gzk_cache_put_into(const struct gzk_cache *cache, const char *key, const void *bytes,
                        size_t size);

/* FNV-1a, of 64 bits, of `size` bytes more than `sum` is of. */
#define GZK_SUM_OF_NONE UINT64_C(0xcbf29ce484222325)
uint64_t gzk_sum(uint64_t sum, const void *bytes, size_t size);

/* Forgets what was stored under `key`. */
void gzk_cache_drop(const char *key);

#endif
