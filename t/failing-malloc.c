/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * failing-malloc - put before a program by LD_PRELOAD: lets the allocation number
 * GZ_FAIL_ALLOCATION (from 1) fail, and every later one if GZ_FAIL_FOREVER is set. Allocations are
 * counted from the moment that the program's own constructors have run. How many there were is
 * written to the descriptor GZ_COUNT_TO at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own names, so that nothing has to be looked up before the first allocation. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long failing, number;
static int forever, counting;

__attribute__((constructor)) static void begin(void)
{
    const char *which = getenv("GZ_FAIL_ALLOCATION");
    failing = which ? strtol(which, NULL, 10) : 0;
    forever = getenv("GZ_FAIL_FOREVER") != NULL;
    counting = 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *where = getenv("GZ_COUNT_TO");
    char text[32];
    counting = 0;
    if (where) {
        int length = snprintf(text, sizeof text, "%ld\n", number);
        if (write((int)strtol(where, NULL, 10), text, (size_t)length) < 0)
            _exit(99);
    }
}

static int spared(size_t size, void *caller)
{
    Dl_info info;
    return size >= 32 && (size & (size - 1)) == 0 && dladdr(caller, &info) && info.dli_fname &&
           strstr(info.dli_fname, "libjansson");
}

static int fails(size_t size, void *caller)
{
    if (!counting || spared(size, caller))
        return 0;
    long mine = __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
    int now = failing > 0 && (mine == failing || (forever && mine > failing));
    if (now)
        errno = ENOMEM;
    return now;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return fails(size, __builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    return fails(size, __builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size)
{
    return fails(size, __builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
