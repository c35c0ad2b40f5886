/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arrays that runs of libgzstencil leave to the next: which come back, how many are left, and
 * that none are where memory is limited.
 */
#include "arrays.h"
#include "tap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

enum { MANY = GZS_ARRAYS_LEFT + 2 };
static const size_t large = (size_t)4 << 20, larger = (size_t)6 << 20, small = 1000;

/* Whether an array has new pages: those of old ones hold what `mark` wrote, or nothing. */
static bool is_new(const unsigned char *array, size_t bytes)
{
    for (size_t i = 0; array && i < bytes; i++)
        if (array[i])
            return false;
    return array;
}

static void *marked(size_t bytes)
{
    void *array = gzs_array_new(bytes, 2);
    return array ? memset(array, 0xAA, bytes) : NULL;
}

static void test_left(void)
{
    void *first = marked(large), *other = marked(larger);
    tap_ok(first && other && (uintptr_t)first % 64 == 0, "two arrays");
    gzs_array_free(first, large);
    void *another = gzs_array_new(larger, 1);
    tap_ok(another != first && is_new(another, larger), "one of another size is new");
    tap_ok(gzs_array_new(large, 1) == first, "one of the same size is what was left");
    gzs_array_free(first, large);
    gzs_array_free(other, larger);
    gzs_array_free(another, larger);
    tap_ok(gzs_array_new(large, 1) == first && gzs_array_new(larger, 1) == another &&
               gzs_array_new(larger, 1) == other,
           "of several sizes and of one, the newest first");
    gzs_array_free(first, large);
    gzs_array_free(other, larger);
    gzs_array_free(another, larger);
    gzs_arrays_drop();
    void *fresh = gzs_array_new(large, 3);
    tap_ok(is_new(fresh, large), "none once they are dropped");
    gzs_array_free(fresh, large);
    gzs_arrays_drop();
    gzs_array_free(NULL, large);
}

static void test_most(void)
{
    void *arrays[MANY];
    int same = 0;
    for (int i = 0; i < MANY; i++)
        arrays[i] = marked(large);
    for (int i = 0; i < MANY; i++)
        gzs_array_free(arrays[i], large);
    for (int i = MANY - 1; i >= 2; i--)
        same += gzs_array_new(large, 1) == arrays[i];
    tap_ok(same == GZS_ARRAYS_LEFT, "%d are left, the newest", (int)GZS_ARRAYS_LEFT);
    void *fresh = gzs_array_new(large, 1);
    tap_ok(is_new(fresh, large), "the one after these is new");
    gzs_array_free(fresh, large);
    for (int i = 2; i < MANY; i++)
        gzs_array_free(arrays[i], large);
    gzs_arrays_drop();
}

/* The address sanitizer's start, absent without it. */
extern void __asan_init(void) __attribute__((weak));

static void test_limits(void)
{
    const struct rlimit limit = {(rlim_t)1 << 40, RLIM_INFINITY};
    unsigned char *array = marked(small);
    tap_ok(array != NULL, "a small one");
    gzs_array_free(array, small);
    if (__asan_init) {
        tap_skip("a sanitizer's memory cannot be limited");
        return;
    }
    array = marked(large);
    tap_ok(setrlimit(RLIMIT_DATA, &limit) == 0, "memory is limited");
    gzs_array_free(array, large);
    array = gzs_array_new(large, 1);
    tap_ok(is_new(array, large), "nothing is left then");
    gzs_array_free(array, large);
}

int main(void)
{
    test_left();
    test_most();
    test_limits();
    return tap_done();
}
