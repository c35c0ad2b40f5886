/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for sched_setaffinity */
#include "lines.h"
#include "plain.h"

#include <sched.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1
#define omp_get_thread_num() 0
#endif

int plain_pin(void)
{
    int threads = omp_get_max_threads();
    cpu_set_t allowed;
    if (getenv("OMP_PROC_BIND") || sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        CPU_COUNT(&allowed) < threads)
        return threads;
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t own;
        size_t cpu = 0;
        for (int left = omp_get_thread_num(); left > 0 || !CPU_ISSET(cpu, &allowed); cpu++)
            left -= CPU_ISSET(cpu, &allowed) != 0;
        CPU_ZERO(&own);
        CPU_SET(cpu, &own);
        sched_setaffinity(0, sizeof own, &own); /* else it wanders */
    }
    return threads;
}

void plain_copy(const void *from, void *to, size_t bytes, bool bypass)
{
    enum { CHUNK = 1 << 16 };
    long chunks = (long)(bytes / CHUNK);
#pragma omp parallel for schedule(static)
    for (long c = 0; c < chunks; c++) {
        const char *source = (const char *)from + c * CHUNK;
        char *target = (char *)to + c * CHUNK;
        if (bypass)
            store_row(target, source, CHUNK);
        else
            memcpy(target, source, CHUNK);
    }
}
