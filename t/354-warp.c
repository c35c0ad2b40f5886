/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that issue together, from what drivers say: the vendors' own numbers come before the
 * preferred multiple, nonsense counts as not said, and a CPU has one whatever its driver says.
 */
#include "device.h"
#include "tap.h"

static void device(void)
{
    struct gzk_device *opened;
    struct gzk_error error;
    if (gzk_device_open("opencl:0", &opened, &error) != 0) {
        tap_skip("there is no OpenCL device");
        return;
    }
    int warp = opened->info.warp;
    tap_ok(opened->info.is_cpu ? warp == 1 : warp >= 0 && warp <= 256, "%s: %d",
           opened->info.address, warp);
    gzk_device_close(opened);
}

int main(void)
{
    static const struct {
        bool is_cpu;
        long nvidia, amd, multiple;
        int want;
        const char *what;
    } cases[] = {
        {true, 0, 0, 0, 1, "a CPU"},
        {true, 32, 64, 8, 1, "a CPU whose driver answers everything"},
        {false, 32, 0, 0, 32, "NVIDIA"},
        {false, 0, 64, 0, 64, "AMD, GCN or CDNA"},
        {false, 0, 32, 64, 32, "AMD, RDNA, whose kernels prefer two of them"},
        {false, 0, 0, 16, 16, "neither, Intel say: as wide as its kernels are compiled"},
        {false, 0, 0, 0, 0, "a driver that says nothing"},
        {false, 33, 0, 16, 16, "a number that is not a power of two"},
        {false, -1, 1 << 20, 8, 8, "numbers that no device has"},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    for (int k = 0; k < CASES; k++) {
        int got = gzk_warp_size(cases[k].is_cpu, cases[k].nvidia, cases[k].amd, cases[k].multiple);
        tap_ok(got == cases[k].want, "%s: %d", cases[k].what, got);
    }
    device();
    return tap_done();
}
