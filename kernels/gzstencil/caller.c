/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "caller.h"

#include <float.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

/* Of whatever runtime of OpenMP the program has, if it has one. */
extern int omp_in_parallel(void) __attribute__((weak));

/* The process that was here first; its devices have threads that a fork does not copy. */
static atomic_long owner;

const char *gzs_is_child(void)
{
    long self = (long)getpid(), none = 0;
    if (atomic_compare_exchange_strong(&owner, &none, self) || none == self)
        return NULL;
    return "this process is a child of the one that uses the device";
}

/* By arithmetic, since every kind of processor has registers of its own for this. */
static bool rounds_as_usual(void)
{
    volatile double one = 1, little = DBL_EPSILON / 4;
    volatile double least = DBL_MIN, half = 0.5, tiny = DBL_TRUE_MIN, two = 2;

    return one + little == one && one - little == one && -one - little == -one &&
           least * half != 0 && tiny * two != 0;
}

bool gzs_in_parallel(void)
{
    return omp_in_parallel && omp_in_parallel();
}

const char *gzs_caller_forbids(void)
{
    if (gzs_is_child())
        return gzs_is_child();
    if (gzs_in_parallel())
        return "it is called in a parallel region of OpenMP";
    return rounds_as_usual() ? NULL
                             : "this thread rounds otherwise than to nearest, or flushes small "
                               "numbers to 0 (-ffast-math does)";
}
