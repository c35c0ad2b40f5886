/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file is a head, the key, and the contents. Its name is the key's hash, so that two keys of one
 * hash only replace each other. Every access goes through a descriptor of the folder that was
 * checked, so that nobody can exchange the folder in between.
 */
#include "diskcache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct head {
    char magic[16];
    uint64_t key_bytes, bytes;
    uint64_t sum; /* of the contents */
};

static const char magic[16 + 1] = "gzmodel kernel 1";
static const char temporary[] = "writing-";

enum { NAME_SIZE = 64 };

uint64_t gzk_sum(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static void entry_name(const struct gzk_cache *cache, const char *key, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "%016llx%s",
             (unsigned long long)gzk_sum(GZK_SUM_OF_NONE, key, strlen(key)), cache->ending);
}

/* Whether what was opened is this user's and nobody else can write to it. */
static bool is_own(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the cache's folder, which is made if need be; -1 if there is none to be trusted. */
static int open_folder(const struct gzk_cache *cache)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[4096];
    struct stat status;
    int length, folder;

    /* The base directory specification says that a relative path is to be ignored. */
    if (base && base[0] == '/')
        length = snprintf(path, sizeof path, "%s", base);
    else if (home && home[0] == '/')
        length = snprintf(path, sizeof path, "%s/.cache", home);
    else
        return -1;
    if (length < 0 || (size_t)length + strlen(cache->folder) + 2 > sizeof path)
        return -1;
    mkdir(path, 0700);
    path[length] = '/';
    strcpy(path + length + 1, cache->folder);
    mkdir(path, 0700);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && (fstat(folder, &status) != 0 || !is_own(&status))) {
        close(folder);
        return -1;
    }
    return folder;
}

/* The stream of an open file; NULL if there is none. */
static FILE *stream_of(int file, const char *mode)
{
    FILE *stream = file >= 0 ? fdopen(file, mode) : NULL;
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

/* The contents of an open file, if it is an entry of this key. */
static void *read_entry(FILE *file, const char *key, size_t *size)
{
    struct stat status;
    struct head head;
    size_t key_bytes = strlen(key);
    char *stored_key = NULL, *bytes = NULL;

    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) || !is_own(&status) ||
        status.st_size < (off_t)sizeof head || status.st_size > GZK_CACHE_ENTRY_BYTES ||
        fread(&head, sizeof head, 1, file) != 1)
        return NULL;
    /* Lengths are compared before they are added, so that no sum can overflow. */
    if (memcmp(head.magic, magic, sizeof head.magic) != 0 || head.key_bytes != key_bytes ||
        head.bytes == 0 || head.bytes > GZK_CACHE_ENTRY_BYTES ||
        sizeof head + key_bytes + head.bytes != (uint64_t)status.st_size)
        return NULL;
    stored_key = malloc(key_bytes + 1);
    bytes = malloc((size_t)head.bytes);
    if (!stored_key || !bytes || fread(stored_key, 1, key_bytes, file) != key_bytes ||
        memcmp(stored_key, key, key_bytes) != 0 ||
        fread(bytes, 1, (size_t)head.bytes, file) != head.bytes ||
        gzk_sum(GZK_SUM_OF_NONE, bytes, (size_t)head.bytes) != head.sum) {
        free(bytes);
        bytes = NULL;
    }
    free(stored_key);
    *size = (size_t)head.bytes;
    return bytes;
}

void *gzk_cache_get(const struct gzk_cache *cache, const char *key, size_t *size)
{
    char name[NAME_SIZE];
    struct stat status;
    void *bytes = NULL;
    int folder = open_folder(cache);

    *size = 0;
    if (folder < 0)
        return NULL;
    entry_name(cache, key, name);
    /* Not blocking, since a FIFO without a writer would wait forever. */
    FILE *file =
        stream_of(openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), "rb");
    if (file) {
        bytes = read_entry(file, key, size);
        if (bytes)
            futimens(fileno(file), NULL); /* the time of its last use */
        fclose(file);
    }
    if (!bytes && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
        unlinkat(folder, name, 0);
    close(folder);
    return bytes;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The bytes of all files of the cache, and the name of the one that was used longest ago, other
 * than `spared`. What an interrupted writer left behind counts as well. */
static int64_t survey(const struct gzk_cache *cache, int folder, const char *spared,
                      char oldest[NAME_SIZE])
{
    int again = dup(folder);
    DIR *listing = again >= 0 ? fdopendir(again) : NULL;
    struct dirent *entry;
    struct stat status;
    time_t least = 0;
    int64_t total = 0;

    oldest[0] = '\0';
    if (!listing) {
        if (again >= 0)
            close(again);
        return 0;
    }
    rewinddir(listing);
    while ((entry = readdir(listing))) {
        bool ours = ends_with(entry->d_name, cache->ending) ||
                    strncmp(entry->d_name, temporary, sizeof temporary - 1) == 0;
        if (!ours || strlen(entry->d_name) >= NAME_SIZE ||
            fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        total += status.st_size;
        if (strcmp(entry->d_name, spared) != 0 && (!oldest[0] || status.st_mtime < least)) {
            least = status.st_mtime;
            memcpy(oldest, entry->d_name, strlen(entry->d_name) + 1);
        }
    }
    closedir(listing);
    return total;
}

static void keep_bounded(const struct gzk_cache *cache, int folder, const char *spared)
{
    char oldest[NAME_SIZE];
    while (survey(cache, folder, spared, oldest) > GZK_CACHE_BYTES && oldest[0])
        if (unlinkat(folder, oldest, 0) != 0)
            return;
}

/* A new file of a name that nobody else has; NULL if there can be none. */
static FILE *open_temporary(int folder, char name[NAME_SIZE])
{
    for (int attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(name, NAME_SIZE, "%s%ld-%ld-%d", temporary, (long)getpid(), (long)now.tv_nsec,
                 attempt);
        int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0)
            return stream_of(file, "wb");
    }
    return NULL;
}

void gzk_cache_put(const struct gzk_cache *cache, const char *key, const void *bytes, size_t size)
{
    char name[NAME_SIZE], made[NAME_SIZE];
    struct head head = {
        .key_bytes = strlen(key), .bytes = size, .sum = gzk_sum(GZK_SUM_OF_NONE, bytes, size)};

    memcpy(head.magic, magic, sizeof head.magic);
    if (size == 0 || size > GZK_CACHE_ENTRY_BYTES - sizeof head ||
        head.key_bytes > GZK_CACHE_ENTRY_BYTES - sizeof head - size)
        return;
    int folder = open_folder(cache);
    if (folder < 0)
        return;
    entry_name(cache, key, name);
    FILE *file = open_temporary(folder, made);
    if (file) {
        bool written = fwrite(&head, sizeof head, 1, file) == 1 &&
                       fwrite(key, 1, (size_t)head.key_bytes, file) == head.key_bytes &&
                       fwrite(bytes, 1, size, file) == size;
        if (fclose(file) != 0 || !written || renameat(folder, made, folder, name) != 0)
            unlinkat(folder, made, 0);
        else
            keep_bounded(cache, folder, name);
    }
    close(folder);
}
