/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * test_device.h - the device that the device tests run on: opencl:0, or the one that GZ_TEST_DEVICE
 * names (cuda:0, say). If it was named, a test that cannot open it fails; otherwise it is
 * skipped.
 */
#ifndef GZ_TEST_DEVICE_H
#define GZ_TEST_DEVICE_H

#include "device.h"
#include "tap.h"

#include <stdbool.h>

static inline const char *test_device_address(void)
{
    const char *named = getenv("GZ_TEST_DEVICE");
    return named && *named ? named : "opencl:0";
}

/* Opens the device, or ends the test before its plan. Two groups that wait for each other at a
 * fence need two threads of PoCL's. */
static inline struct gzk_device *test_device_open(void)
{
    setenv("POCL_MAX_PTHREAD_COUNT", "2", 0);
    struct gzk_device *device = NULL;
    struct gzk_error error = {0};
    if (gzk_device_open(test_device_address(), &device, &error) == 0)
        return device;
    if (getenv("GZ_TEST_DEVICE")) {
        printf("1..1\nnot ok 1 - GZ_TEST_DEVICE: %s\n", error.text);
        exit(1);
    }
    tap_skip_all("no OpenCL device");
    return NULL;
}

/* From here on PoCL compiles without optimising, in a third of the time, for tests that look at
 * bits only; or optimises, as kernels that run for long need. */
static inline void test_device_compile(bool optimise)
{
    if (optimise)
        unsetenv("POCL_EXTRA_BUILD_FLAGS");
    else
        setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
}

/* Without optimising but with GZ_ALL=2, for tests that look at bits only. */
static inline struct gzk_device *test_device_open_for_bits(void)
{
    test_device_compile(tap_every());
    return test_device_open();
}

#endif
