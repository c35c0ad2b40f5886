/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for sched_getaffinity */
#include "affinity.h"

#include <sched.h>
#include <stdlib.h>
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
