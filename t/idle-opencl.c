/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * idle-opencl - an OpenCL whose kernels do nothing: launches succeed, have events with times, and
 * nothing runs. Preloaded before the loader: LD_PRELOAD="idle-opencl.so libOpenCL.so.1".
 * GZ_IDLE_AFTER=N lets the first N launches run.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The loader's function. */
static void find(const char *name, void *function, size_t size)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, size);
}

__attribute__((visibility("default"))) cl_int
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                       const size_t *offset, const size_t *global, const size_t *local,
                       cl_uint count, const cl_event *before, cl_event *event)
{
    static long launches;
    const char *after = getenv("GZ_IDLE_AFTER");
    cl_int (*run)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                  const size_t *, cl_uint, const cl_event *, cl_event *);
    cl_int (*mark)(cl_command_queue, cl_uint, const cl_event *, cl_event *);

    find("clEnqueueNDRangeKernel", &run, sizeof run);
    find("clEnqueueMarkerWithWaitList", &mark, sizeof mark);
    if (after && launches++ < atol(after))
        return run(queue, kernel, dimensions, offset, global, local, count, before, event);
    return mark(queue, count, before, event);
}
