/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend_cuda_absent - replaces backend_cuda and nvrtc if the CUDA headers were not found at build
 * time: the same functions, without a device.
 */
#include "backend.h"
#include "nvrtc.h"

static int absent_count(void)
{
    return 0;
}

static int absent_explain(struct gzk_error *error)
{
    return gzk_fail(
        error, GZK_NO_DEVICE,
        "this program was built without the CUDA headers; build it again with CUDA_HOME "
        "set, or use an opencl device");
}

/* No other member can be called, since there is no device. */
const struct gzk_backend gzk_cuda = {
    .name = "cuda", .prelude = "", .count = absent_count, .explain = absent_explain};

int gzk_nvrtc_version(void)
{
    return 0;
}

int gzk_nvrtc_compile(const char *text, int capability, bool contract, struct gzk_compiled *result,
                      struct gzk_error *error)
{
    (void)text, (void)capability, (void)contract, (void)result;
    return gzk_fail(error, GZK_NO_DEVICE, "CUDA: this program was built without the CUDA headers");
}

void gzk_compiled_free(struct gzk_compiled *result)
{
    (void)result;
}
