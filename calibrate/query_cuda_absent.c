/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query_cuda_absent - stands in for query_cuda where the CUDA headers were not there at build time.
 */
#include "query.h"

int gzc_cuda_check(int index, struct gzk_error *error)
{
    return gzk_fail(error, GZK_NO_DEVICE,
                    "cuda:%d: this program was built without the CUDA headers; build it again with "
                    "CUDA_HOME set, or use an opencl device",
                    index);
}

void gzc_cuda_query(int index, struct gzc_query *query)
{
    (void)index;
    (void)query;
}

void *gzc_cuda_context(void)
{
    return 0;
}
