/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PoCL's threads are pinned to cores if that is safe and the environment does not say otherwise,
 * and have larger stacks than others.
 */
#define _GNU_SOURCE /* for sched_setaffinity */
#include "affinity.h"
#include "tap.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_set_to(const char *expected)
{
    const char *value = getenv("POCL_AFFINITY");
    return expected ? value && strcmp(value, expected) == 0 : !value;
}

int main(void)
{
    cpu_set_t all, one;
    size_t first = 0;

    size_t before = gzk_thread_stack(gzk_pocl_stack());
    tap_ok(gzk_pocl_stack() == 0 || gzk_thread_stack(before) == GZK_POCL_STACK,
           "the stack of new threads is set");
    tap_ok(gzk_thread_stack(0) == before, "and is then what it was");
    setenv("POCL_AFFINITY", "0", 1);
    gzk_pin_pocl();
    tap_ok(is_set_to("0"), "what the user set stays");
    unsetenv("POCL_AFFINITY");
    setenv("POCL_MAX_PTHREAD_COUNT", "3", 1);
    gzk_pin_pocl();
    tap_ok(is_set_to(NULL), "not with a number of threads of the user's");
    unsetenv("POCL_MAX_PTHREAD_COUNT");

    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) {
        tap_skip("one core");
        return tap_done();
    }
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
    gzk_pin_pocl();
    tap_ok(is_set_to(NULL), "not if one core of several is allowed");
    sched_setaffinity(0, sizeof all, &all);
    gzk_pin_pocl();
    if (CPU_COUNT(&all) == sysconf(_SC_NPROCESSORS_CONF))
        tap_ok(is_set_to("1"), "but if all are");
    else
        tap_skip("not all cores are allowed here");
    return tap_done();
}
