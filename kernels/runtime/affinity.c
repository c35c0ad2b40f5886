/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for sched_getaffinity and pthread_setattr_default_np */
#include "affinity.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Whether the process may use every core of the machine. */
static int all_cores(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 &&
           CPU_COUNT(&allowed) == sysconf(_SC_NPROCESSORS_CONF);
}

void gzk_pin_pocl(void)
{
    if (!getenv("POCL_MAX_PTHREAD_COUNT") && all_cores())
        setenv("POCL_AFFINITY", "1", 0);
}

size_t gzk_thread_stack(size_t bytes)
{
    pthread_attr_t attributes;
    size_t before = 0;
    if (pthread_getattr_default_np(&attributes) != 0)
        return 0;
    if (pthread_attr_getstacksize(&attributes, &before) == 0 && bytes > 0 &&
        pthread_attr_setstacksize(&attributes, bytes) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return before;
}

size_t gzk_pocl_stack(void)
{
    struct rlimit limit;
    bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? 0 : GZK_POCL_STACK;
}
