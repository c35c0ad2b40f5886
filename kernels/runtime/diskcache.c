/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cached file is its key, a zero byte, and the contents; its name is the key's hash, so that two
 * keys of one hash only take the place from each other.
 */
#include "diskcache.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t fnv1a(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* Makes the folders of the cache's path as needed; -1 where there is no place for a cache. */
static int cache_path(const char *key, char *path, size_t room)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length;

    /* The base directory specification says that a relative path is to be ignored. */
    if (base && base[0] == '/')
        length = snprintf(path, room, "%s", base);
    else if (home && home[0] == '/')
        length = snprintf(path, room, "%s/.cache", home);
    else
        return -1;
    if (length < 0 || (size_t)length >= room)
        return -1;
    mkdir(path, 0700);
    length += snprintf(path + length, room - (size_t)length, "/gzmodel");
    if ((size_t)length >= room)
        return -1;
    mkdir(path, 0700);
    length += snprintf(path + length, room - (size_t)length, "/%016llx.cubin",
                       (unsigned long long)fnv1a(key));
    return (size_t)length < room ? 0 : -1;
}

void *gzk_cache_get(const char *key, size_t *size)
{
    char path[4096];
    size_t head = strlen(key) + 1;
    struct stat status;
    char *bytes = NULL;
    FILE *file;

    if (cache_path(key, path, sizeof path) != 0 || !(file = fopen(path, "rb")))
        return NULL;
    if (fstat(fileno(file), &status) == 0 && (size_t)status.st_size > head) {
        size_t length = (size_t)status.st_size;
        bytes = malloc(length);
        if (bytes && (fread(bytes, 1, length, file) != length || memcmp(bytes, key, head) != 0)) {
            free(bytes);
            bytes = NULL;
        }
        if (bytes) {
            *size = length - head;
            memmove(bytes, bytes + head, *size);
        }
    }
    fclose(file);
    return bytes;
}

void gzk_cache_put(const char *key, const void *bytes, size_t size)
{
    char path[4096], temporary[4096 + 32];
    size_t head = strlen(key) + 1;
    FILE *file;

    if (cache_path(key, path, sizeof path) != 0)
        return;
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    file = fopen(temporary, "wb");
    if (!file)
        return;
    int written = fwrite(key, 1, head, file) == head && fwrite(bytes, 1, size, file) == size;
    if (fclose(file) != 0 || !written || rename(temporary, path) != 0)
        remove(temporary);
}
