/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrays.h"

#include "host.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

struct array {
    void *memory;
    size_t bytes;
};

/* Those that are left, the oldest first. */
static struct array left[GZS_ARRAYS_LEFT];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Takes one out of those left. */
static struct array take(int i)
{
    struct array taken = left[i];
    memmove(left + i, left + i + 1, (size_t)(--count - i) * sizeof *left);
    return taken;
}

static void *take_of(size_t bytes)
{
    void *memory = NULL;
    if (pthread_mutex_trylock(&lock) != 0)
        return NULL;
    for (int i = count - 1; i >= 0 && !memory; i--)
        if (left[i].bytes == bytes)
            memory = take(i).memory;
    pthread_mutex_unlock(&lock);
    return memory;
}

void *gzs_array_new(size_t bytes, int threads)
{
    void *array = take_of(bytes);
    if (array)
        return array;
    array = gzk_host_new(bytes);
    if (!array) {
        gzs_arrays_drop();
        array = gzk_host_new(bytes);
    }
    gzk_host_huge(array, bytes);
    gzk_host_touch(array, bytes, threads);
    return array;
}

/* Whether memory that this process keeps may be missed by the rest of its program. */
static bool is_limited(void)
{
    struct rlimit all, data;
    return getrlimit(RLIMIT_AS, &all) != 0 || all.rlim_cur != RLIM_INFINITY ||
           getrlimit(RLIMIT_DATA, &data) != 0 || data.rlim_cur != RLIM_INFINITY;
}

void gzs_array_free(void *array, size_t bytes)
{
    struct array oldest = {array, bytes};
    if (array && !is_limited() && gzk_host_leave(array, bytes) &&
        pthread_mutex_trylock(&lock) == 0) {
        oldest = count == GZS_ARRAYS_LEFT ? take(0) : (struct array){NULL, 0};
        left[count++] = (struct array){array, bytes};
        pthread_mutex_unlock(&lock);
    }
    gzk_host_free(oldest.memory, oldest.bytes);
}

void gzs_arrays_drop(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    while (count > 0) {
        struct array oldest = take(0);
        gzk_host_free(oldest.memory, oldest.bytes);
    }
    pthread_mutex_unlock(&lock);
}
