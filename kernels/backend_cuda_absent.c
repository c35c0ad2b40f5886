/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend_cuda_absent - stands in for backend_cuda where the CUDA headers were not found at build
 * time: the same table, without a device.
 */
#include "backend.h"

static int absent_count(void)
{
    return 0;
}

static int absent_open(int index, struct gzk_device **device, struct gzk_error *error)
{
    (void)device;
    return gzk_fail(
        error, GZK_NO_DEVICE,
        "cuda:%d: this program was built without the CUDA headers; use an opencl device", index);
}

/* Nothing else can be called, since no device was ever opened. */
const struct gzk_backend gzk_cuda = {
    .name = "cuda", .prelude = "", .count = absent_count, .open = absent_open};
