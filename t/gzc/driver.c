/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * driver.c - to be loaded before a program that looks up an OpenCL driver's functions by name,
 * which then go wrong as drivers do:
 *
 *   GZ_DRIVER_LOST=N  the device is lost once N calls used it: these and all later ones fail
 *   GZ_DRIVER_GPU=1   it says that its device is a GPU
 *   GZ_DRIVER_OPTIONS=1  it prints the options of what is built
 *   GZ_DRIVER_BUILDS=N  the first N builds fail, and the log names no error
 *   GZ_DRIVER_DIES=P  its compiler ends the process, if the program's name is P, by abort(), or
 *                     GZ_DRIVER_SIGNAL=N, if that is set
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_lost(void)
{
    static atomic_long calls;
    const char *after = getenv("GZ_DRIVER_LOST");
    return after && atomic_fetch_add(&calls, 1) >= atol(after);
}

/* The driver's own function of that name. */
static void *drivers(const char *name);
#define DRIVERS(name) ((__typeof__(&name))drivers(#name))

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *event)
{
    return is_lost() ? CL_OUT_OF_RESOURCES
                     : DRIVERS(clEnqueueNDRangeKernel)(queue, kernel, dim, offset, global, local,
                                                       count, list, event);
}

/* On a lost device nothing runs any more. Here a kernel does, and what it writes must not be freed
 * below it: it is waited for all the same. */
cl_int clFinish(cl_command_queue queue)
{
    int lost = is_lost();
    cl_int status = DRIVERS(clFinish)(queue);
    return lost ? CL_OUT_OF_RESOURCES : status;
}

cl_int clWaitForEvents(cl_uint count, const cl_event *list)
{
    return is_lost() ? CL_OUT_OF_RESOURCES : DRIVERS(clWaitForEvents)(count, list);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *status)
{
    if (!is_lost())
        return DRIVERS(clCreateBuffer)(context, flags, size, host, status);
    if (status)
        *status = CL_DEVICE_NOT_AVAILABLE;
    return NULL;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t at,
                            size_t size, const void *from, cl_uint count, const cl_event *list,
                            cl_event *event)
{
    return is_lost() ? CL_DEVICE_NOT_AVAILABLE
                     : DRIVERS(clEnqueueWriteBuffer)(queue, buffer, wait, at, size, from, count,
                                                     list, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, size_t at,
                           size_t size, void *to, cl_uint count, const cl_event *list,
                           cl_event *event)
{
    return is_lost() ? CL_DEVICE_NOT_AVAILABLE
                     : DRIVERS(clEnqueueReadBuffer)(queue, buffer, wait, at, size, to, count, list,
                                                    event);
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool wait, cl_map_flags flags,
                         size_t at, size_t size, cl_uint count, const cl_event *list,
                         cl_event *event, cl_int *status)
{
    if (!is_lost())
        return DRIVERS(clEnqueueMapBuffer)(queue, buffer, wait, flags, at, size, count, list, event,
                                           status);
    if (status)
        *status = CL_DEVICE_NOT_AVAILABLE;
    return NULL;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data)
{
    const char *dies = getenv("GZ_DRIVER_DIES"), *by = getenv("GZ_DRIVER_SIGNAL");
    bool here = dies && strcmp(dies, program_invocation_short_name) == 0;
    if (here && by)
        raise(atoi(by));
    else if (here)
        abort();
    if (getenv("GZ_DRIVER_OPTIONS"))
        fprintf(stderr, "options: %s\n", options);
    static atomic_long builds;
    const char *fail = getenv("GZ_DRIVER_BUILDS");
    if (fail && atomic_fetch_add(&builds, 1) < atol(fail))
        return CL_BUILD_PROGRAM_FAILURE;
    return DRIVERS(clBuildProgram)(program, count, devices, options, notify, data);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                       size_t *written)
{
    cl_int status = DRIVERS(clGetDeviceInfo)(device, what, size, value, written);
    if (what == CL_DEVICE_TYPE && value && size == sizeof(cl_device_type) &&
        getenv("GZ_DRIVER_GPU"))
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    return status;
}

static struct {
    const char *name;
    void *ours, *drivers;
} functions[] = {{"clGetDeviceInfo", (void *)clGetDeviceInfo, NULL},
                 {"clEnqueueNDRangeKernel", (void *)clEnqueueNDRangeKernel, NULL},
                 {"clFinish", (void *)clFinish, NULL},
                 {"clWaitForEvents", (void *)clWaitForEvents, NULL},
                 {"clCreateBuffer", (void *)clCreateBuffer, NULL},
                 {"clEnqueueWriteBuffer", (void *)clEnqueueWriteBuffer, NULL},
                 {"clEnqueueReadBuffer", (void *)clEnqueueReadBuffer, NULL},
                 {"clEnqueueMapBuffer", (void *)clEnqueueMapBuffer, NULL},
                 {"clBuildProgram", (void *)clBuildProgram, NULL}};

static void *drivers(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].drivers;
    return NULL;
}

/* The system's, whose version is that of the first C library that had it. */
static void *look_up(void *library, const char *name)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    void *(*own)(void *, const char *) = NULL;
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !own; i++)
        own = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return own ? own(library, name) : NULL;
}

void *dlsym(void *library, const char *name)
{
    void *found = look_up(library, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            functions[i].drivers = found;
            return functions[i].ours;
        }
    return found;
}
