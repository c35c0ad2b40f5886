/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diskcache.h - keeps compiled kernels between runs, in $XDG_CACHE_HOME/gzmodel or
 * $HOME/.cache/gzmodel. A cache that cannot be read or written is no error: the kernel is compiled
 * again.
 */
#ifndef GZK_DISKCACHE_H
#define GZK_DISKCACHE_H

#include <stddef.h>

/* What was stored under `key`, all of which is compared; NULL if nothing was. To be freed. */
void *gzk_cache_get(const char *key, size_t *size);

/* Stores `size` bytes under `key`; the file appears whole or not at all. */
void gzk_cache_put(const char *key, const void *bytes, size_t size);

#endif
