/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend_opencl - OpenCL 1.2 through the ICD loader, which is opened at run time, so that the
 * program starts on machines without one. The devices of all platforms are numbered
 * through in the loader's order. The driver keeps its own cache of compiled programs on disk.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "backend.h"

#include "affinity.h"
#include "device.h"
#include "embedded.h"
#include "host.h"
#include "toolkit.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The functions that are used. */
#define OPENCL_FUNCTIONS(F)                                                                        \
    F(clBuildProgram)                                                                              \
    F(clCreateBuffer)                                                                              \
    F(clCreateCommandQueue)                                                                        \
    F(clCreateContext)                                                                             \
    F(clCreateKernel)                                                                              \
    F(clCreateProgramWithSource)                                                                   \
    F(clEnqueueFillBuffer)                                                                         \
    F(clEnqueueMapBuffer)                                                                          \
    F(clEnqueueNDRangeKernel)                                                                      \
    F(clEnqueueReadBuffer)                                                                         \
    F(clEnqueueUnmapMemObject)                                                                     \
    F(clEnqueueWriteBuffer)                                                                        \
    F(clFinish)                                                                                    \
    F(clGetDeviceIDs)                                                                              \
    F(clGetDeviceInfo)                                                                             \
    F(clGetEventProfilingInfo)                                                                     \
    F(clGetKernelWorkGroupInfo)                                                                    \
    F(clGetPlatformIDs)                                                                            \
    F(clGetPlatformInfo)                                                                           \
    F(clGetProgramBuildInfo)                                                                       \
    F(clReleaseCommandQueue)                                                                       \
    F(clReleaseContext)                                                                            \
    F(clReleaseEvent)                                                                              \
    F(clReleaseKernel)                                                                             \
    F(clReleaseMemObject)                                                                          \
    F(clReleaseProgram)                                                                            \
    F(clRetainEvent)                                                                               \
    F(clSetKernelArg)                                                                              \
    F(clWaitForEvents)

#define DECLARE(function) __typeof__(&(function)) function;
#define RESOLVE(function) {&api.function, #function, NULL},

static struct {
    bool tried, works;
    OPENCL_FUNCTIONS(DECLARE)
} api;

struct opencl_device {
    struct gzk_device base;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    size_t local_bytes; /* of a block, the flag of a fence included */
};

struct gzk_buffer {
    cl_mem memory;
    void *host; /* the host memory that it consists of, NULL if the driver allocated it */
    bool owned; /* whether that is freed with it */
    size_t bytes;
};

struct gzk_program {
    cl_program program;
    cl_kernel kernel;
    int threads;
};

/* How many launches may be enqueued and not yet done. It bounds what is given up late after an
 * interrupt, and the queue's memory. */
enum { QUEUE_DEPTH = 256 };

static struct opencl_device *own(struct gzk_device *device)
{
    return (struct opencl_device *)device;
}

/* The ICD loader; false if there is none here, or it lacks something. */
static bool load_api(void)
{
    const struct gzk_function functions[] = {OPENCL_FUNCTIONS(RESOLVE)};
    if (api.tried)
        return api.works;
    api.tried = true;
    /* What is loaded already comes first: Oclgrind is loaded before the program. */
    void *library = dlopen(NULL, RTLD_NOW | RTLD_LOCAL);
    if (!library || !dlsym(library, "clGetPlatformIDs"))
        library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    api.works =
        library && !gzk_take_functions(library, functions, sizeof functions / sizeof *functions);
    return api.works;
}

static const char *status_text(cl_int status)
{
    static const struct {
        cl_int status;
        const char *text;
    } texts[] = {
        {CL_DEVICE_NOT_AVAILABLE, "the device is not available"},
        {CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of device memory"},
        {CL_OUT_OF_RESOURCES, "out of resources, or the device was lost"},
        {CL_OUT_OF_HOST_MEMORY, "out of host memory"},
        {CL_BUILD_PROGRAM_FAILURE, "the program does not compile"},
        {CL_INVALID_BUFFER_SIZE, "larger than one allocation may be"},
        {CL_INVALID_WORK_GROUP_SIZE, "the threads of a block do not suit the kernel or device"},
        {CL_INVALID_KERNEL_ARGS, "arguments are missing"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].status == status)
            return texts[i].text;
    return "see CL/cl.h";
}

static int failed(struct gzk_error *error, const char *what, cl_int status)
{
    return gzk_fail(error, GZK_FAILED, "OpenCL: %s: error %d, %s", what, (int)status,
                    status_text(status));
}

/* ------------------------------------------------------------------------------ what is missing */

/* The files that name drivers, as the loader looks for them. To be ended by globfree. */
static const char *find_drivers(glob_t *files)
{
    const char *vendors = getenv("OCL_ICD_VENDORS");
    const char *folder = vendors && *vendors ? vendors : "/etc/OpenCL/vendors";
    char pattern[1000];

    snprintf(pattern, sizeof pattern, "%.900s/*.icd", folder);
    if (glob(pattern, 0, NULL, files) != 0)
        *files = (glob_t){0};
    return folder;
}

/* The library that such a file names, or "" if the file cannot be read. */
static void driver_of(const char *file, char *library, size_t size)
{
    FILE *from = fopen(file, "r");
    library[0] = '\0';
    if (!from)
        return;
    if (!fgets(library, (int)size, from))
        library[0] = '\0';
    library[strcspn(library, " \t\r\n")] = '\0';
    fclose(from);
}

/* The least stack of the thread that PoCL's compiler runs on. With 64 KiB it ends the program
 * before it compiles anything; 128 KiB hold what has been tried. */
static const rlim_t pocl_stack_bytes = 256 << 10;

/* Whether PoCL is among the drivers. */
static bool have_pocl(void)
{
    glob_t files;
    bool pocl = false;

    find_drivers(&files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        pocl = pocl || strstr(files.gl_pathv[i], "pocl") != NULL;
    globfree(&files);
    return pocl;
}

/* Why PoCL would end the program; NULL if it would not. */
static const char *pocl_would_end_us(void)
{
    struct rlimit limit;
    const char *why = NULL;

    if (access("/sys/devices/system/cpu", R_OK) != 0)
        why = "/sys/devices/system/cpu cannot be read, without which PoCL would end the program; "
              "mount /sys";
    else if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < pocl_stack_bytes)
        why = "the limit on the stack (ulimit -s) is below 256 KiB, which PoCL needs; raise it";
    return why && have_pocl() ? why : NULL;
}

/* Why the one driver that is named does not load, or what it lacks. */
static int explain_driver(const char *file, struct gzk_error *error)
{
    char library[500];
    driver_of(file, library, sizeof library);
    if (!library[0])
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no OpenCL device: %s cannot be read, or names no library", file);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no OpenCL device: the driver that %s names does not load: %s", file,
                        dlerror());
    dlclose(handle);
    if (access("/dev/nvidia0", F_OK) == 0 && access("/dev/nvidia0", R_OK | W_OK) != 0)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no OpenCL device: this user may not use /dev/nvidia0; ask for access");
    if (access("/dev/dri/renderD128", F_OK) == 0 && access("/dev/dri/renderD128", R_OK | W_OK) != 0)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no OpenCL device: this user may not use /dev/dri/renderD128; join the "
                        "group render or video");
    return gzk_fail(error, GZK_NO_DEVICE,
                    "no OpenCL device: the driver %s loads but offers no device", library);
}

static int opencl_explain(struct gzk_error *error)
{
    glob_t files;
    int status;

    const char *end = pocl_would_end_us();
    if (end)
        return gzk_fail(error, GZK_NO_DEVICE, "no OpenCL device: %s", end);
    if (!load_api())
        return gzk_fail(
            error, GZK_NO_DEVICE,
            "no OpenCL: libOpenCL.so.1 is not found, or too old; install the ICD loader "
            "(ocl-icd-libopencl1)");
    const char *folder = find_drivers(&files);
    if (files.gl_pathc == 0)
        status = gzk_fail(error, GZK_NO_DEVICE,
                          "no OpenCL driver: no *.icd file in %s; install the GPU's OpenCL driver, "
                          "or PoCL (pocl-opencl-icd) for the CPU",
                          folder);
    else
        status = explain_driver(files.gl_pathv[0], error);
    globfree(&files);
    return status;
}

/* Address space that PoCL's compiler needs, bytes: it ends the program when there is less. */
static const double pocl_bytes = 512.0 * (1 << 20);

/* And the size that its files may have. Those of a kernel are smaller by far. */
static const rlim_t pocl_file_bytes = 4 << 20;

/* Address space that this process already has, bytes. */
static double used_bytes(void)
{
    double pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lf", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* Whether PATH has a linker. */
static bool have_linker(void)
{
    const char *path = getenv("PATH");
    char name[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/ld", (int)(length < 4000 ? length : 4000), path);
        if (access(name, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Refuses to compile if PoCL would end the program instead of failing. */
static int check_pocl(cl_device_id id, struct gzk_error *error)
{
    cl_platform_id platform = NULL;
    char name[200] = "";
    struct rlimit limit;

    api.clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    api.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    if (!strstr(name, "Portable Computing Language"))
        return 0;
    if (!have_linker())
        return gzk_fail(error, GZK_FAILED,
                        "OpenCL: PoCL links kernels with the program ld, which is not in PATH; "
                        "install binutils, or add its folder to PATH");
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < pocl_file_bytes)
        return gzk_fail(error, GZK_FAILED,
                        "OpenCL: the limit on the size of files (ulimit -f) is below %d MiB, and "
                        "PoCL makes kernels in files; raise it",
                        (int)(pocl_file_bytes >> 20));
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur - used_bytes() < pocl_bytes)
        return gzk_fail(
            error, GZK_FAILED,
            "OpenCL: the limit on address space (ulimit -v) leaves %.0f MiB, and PoCL's "
            "compiler needs %.0f; raise it",
            fmax((double)limit.rlim_cur - used_bytes(), 0) / (1 << 20), pocl_bytes / (1 << 20));
    return 0;
}

/* Counts all platforms' devices up to number `index`, which is `found` if there are so many. */
static int count_devices(int index, cl_device_id *found)
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    int seen = 0;

    if (!load_api() || api.clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    if (platform_count > 16)
        platform_count = 16;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_device_id ids[64];
        cl_uint count = 0;
        if (api.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 64, ids, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < 64; d++)
            if (seen++ == index) {
                *found = ids[d];
                return seen;
            }
    }
    return seen;
}

/* Device number `index` of all platforms' devices; returns how many there are before it and with
 * it, so that a result of at most `index` means that there is none. Drivers start their threads
 * here. */
static int find(int index, cl_device_id *found)
{
    if (pocl_would_end_us())
        return 0;
    gzk_pin_pocl();
    size_t before = gzk_thread_stack(gzk_pocl_stack());
    int seen = count_devices(index, found);
    gzk_thread_stack(before);
    return seen;
}

static int opencl_count(void)
{
    cl_device_id none;
    return find(-1, &none);
}

/* The preferred multiple of a small kernel's work-group: on a GPU the threads that issue together,
 * as wide as the driver compiles them; 0 if it does not say. */
static long preferred_multiple(const struct opencl_device *device)
{
    static const char *const text = "__kernel void gz_probe(__global int *p)\n"
                                    "{ p[get_global_id(0)] += 1; }\n";
    cl_int status;
    size_t multiple = 0;
    cl_program program =
        api.clCreateProgramWithSource(device->context, 1, (const char **)&text, NULL, &status);
    cl_kernel kernel = NULL;
    if (status == CL_SUCCESS &&
        api.clBuildProgram(program, 1, &device->id, "", NULL, NULL) == CL_SUCCESS)
        kernel = api.clCreateKernel(program, "gz_probe", &status);
    if (kernel && api.clGetKernelWorkGroupInfo(kernel, device->id,
                                               CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                               sizeof multiple, &multiple, NULL) != CL_SUCCESS)
        multiple = 0;
    if (kernel)
        api.clReleaseKernel(kernel);
    if (program)
        api.clReleaseProgram(program);
    return (long)multiple;
}

/* A number that only one vendor's driver states; 0 if it does not. */
static long vendor_number(const struct opencl_device *device, cl_device_info which)
{
    cl_uint value = 0;
    return api.clGetDeviceInfo(device->id, which, sizeof value, &value, NULL) == CL_SUCCESS
               ? (long)value
               : 0;
}

/* Threads that issue together. No kernel is compiled unless no vendor's number answers. */
static int find_warp(const struct opencl_device *device, bool is_cpu)
{
    enum { NV_WARP_SIZE = 0x4003, AMD_WAVEFRONT_WIDTH = 0x4043 };
    long nvidia = is_cpu ? 0 : vendor_number(device, NV_WARP_SIZE);
    long amd = is_cpu ? 0 : vendor_number(device, AMD_WAVEFRONT_WIDTH);
    int warp = gzk_warp_size(is_cpu, nvidia, amd, 0);
    return warp > 0 ? warp : gzk_warp_size(is_cpu, 0, 0, preferred_multiple(device));
}

/* What the flag of a fence takes; see gzk_local_array. */
enum { FLAG_BYTES = 128 };

static void describe(struct opencl_device *device, int index)
{
    struct gzk_device_info *info = &device->base.info;
    cl_device_type type = 0;
    cl_uint units = 1, mhz = 0;
    cl_ulong memory = 0, buffer = 0, cache = 0, local = 0;
    size_t threads = 1;
    char version[100] = "", driver[100] = "";

    api.clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof info->name, info->name, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_VERSION, sizeof version, version, NULL);
    api.clGetDeviceInfo(device->id, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof buffer, &buffer, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    api.clGetDeviceInfo(device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof threads, &threads, NULL);
    snprintf(info->address, sizeof info->address, "opencl:%d", index);
    snprintf(info->driver, sizeof info->driver, "%s, driver %s", version, driver);
    info->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    info->units = (int)units;
    info->clock_hz = 1e6 * mhz;
    info->memory_bytes = (size_t)memory;
    info->max_buffer_bytes = (size_t)buffer;
    info->cache_bytes = (size_t)cache;
    device->local_bytes = (size_t)local;
    /* Fences run on CPUs only. */
    info->local_bytes = (size_t)local - (info->is_cpu && local > FLAG_BYTES ? FLAG_BYTES : 0);
    info->max_threads = threads > 65536 ? 65536 : (int)threads;
    info->warp = find_warp(device, info->is_cpu);
}

static void opencl_close(struct gzk_device *base)
{
    struct opencl_device *device = own(base);
    if (device->queue)
        api.clReleaseCommandQueue(device->queue);
    if (device->context)
        api.clReleaseContext(device->context);
    free(device);
}

static int opencl_open(int index, struct gzk_device **opened, struct gzk_error *error)
{
    cl_device_id id = NULL;
    cl_int status;
    struct opencl_device *device = calloc(1, sizeof *device);

    if (!device)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    find(index, &id);
    device->base.backend = &gzk_opencl;
    device->id = id;
    device->context = api.clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    if (status == CL_SUCCESS)
        device->queue =
            api.clCreateCommandQueue(device->context, id, CL_QUEUE_PROFILING_ENABLE, &status);
    if (status != CL_SUCCESS) {
        opencl_close(&device->base);
        return failed(error, "opening the device", status);
    }
    describe(device, index);
    *opened = &device->base;
    return 0;
}

static void opencl_buffer_free(struct gzk_device *base, struct gzk_buffer *buffer)
{
    (void)base;
    if (!buffer)
        return;
    if (buffer->memory)
        api.clReleaseMemObject(buffer->memory);
    if (buffer->owned)
        gzk_host_free(buffer->host, buffer->bytes);
    free(buffer);
}

/* A buffer that consists of `host`, which is freed with it if it is `owned`, or NULL of memory
 * that the driver allocates. */
static int make_buffer(struct gzk_device *base, void *host, bool owned, size_t bytes,
                       struct gzk_buffer **made, struct gzk_error *error)
{
    cl_int status;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (host ? CL_MEM_USE_HOST_PTR : 0);
    struct gzk_buffer *buffer = calloc(1, sizeof *buffer);

    if (!buffer) {
        if (owned)
            gzk_host_free(host, bytes);
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    }
    *buffer = (struct gzk_buffer){.host = host, .owned = owned, .bytes = bytes};
    buffer->memory = api.clCreateBuffer(own(base)->context, flags, bytes, host, &status);
    if (status != CL_SUCCESS) {
        char what[100];
        snprintf(what, sizeof what, "allocating %zu bytes (the device has %zu)", bytes,
                 base->info.memory_bytes);
        opencl_buffer_free(base, buffer);
        return failed(error, what, status);
    }
    *made = buffer;
    return 0;
}

static int opencl_buffer_new(struct gzk_device *base, size_t bytes, struct gzk_buffer **made,
                             struct gzk_error *error)
{
    /* A CPU's driver uses host memory as it is; its own would lie in small pages. */
    void *host = base->info.is_cpu ? gzk_host_new(bytes) : NULL;
    gzk_host_huge(host, bytes);
    return make_buffer(base, host, true, bytes, made, error);
}

static int opencl_buffer_on(struct gzk_device *base, void *host, size_t bytes,
                            struct gzk_buffer **made, struct gzk_error *error)
{
    return make_buffer(base, host, false, bytes, made, error);
}

/* Has the host copy a buffer in host memory to `to`, or `from` there, or if both are NULL set its
 * bytes. */
static cl_int map(struct gzk_device *base, const struct gzk_buffer *buffer, void *to,
                  const void *from, int byte, size_t bytes)
{
    cl_command_queue queue = own(base)->queue;
    cl_int status;
    void *mapped =
        api.clEnqueueMapBuffer(queue, buffer->memory, CL_TRUE, to ? CL_MAP_READ : CL_MAP_WRITE, 0,
                               buffer->bytes, 0, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return status;
    if (!to && !from)
        gzk_host_set(mapped, byte, bytes, base->info.units);
    else if (mapped != (to ? to : from))
        gzk_host_copy(to ? to : mapped, from ? from : mapped, bytes, base->info.units);
    status = api.clEnqueueUnmapMemObject(queue, buffer->memory, mapped, 0, NULL, NULL);
    return status == CL_SUCCESS ? api.clFinish(queue) : status;
}

static int opencl_write(struct gzk_device *base, struct gzk_buffer *buffer, const void *from,
                        size_t bytes, struct gzk_error *error)
{
    cl_int status = buffer->host ? map(base, buffer, NULL, from, 0, bytes)
                                 : api.clEnqueueWriteBuffer(own(base)->queue, buffer->memory,
                                                            CL_TRUE, 0, bytes, from, 0, NULL, NULL);
    return status == CL_SUCCESS ? 0 : failed(error, "writing to the device", status);
}

static int opencl_read(struct gzk_device *base, const struct gzk_buffer *buffer, void *to,
                       size_t bytes, struct gzk_error *error)
{
    cl_int status = buffer->host ? map(base, buffer, to, NULL, 0, bytes)
                                 : api.clEnqueueReadBuffer(own(base)->queue, buffer->memory,
                                                           CL_TRUE, 0, bytes, to, 0, NULL, NULL);
    return status == CL_SUCCESS ? 0 : failed(error, "reading from the device", status);
}

static int opencl_fill(struct gzk_device *base, struct gzk_buffer *buffer, uint8_t byte,
                       size_t bytes, struct gzk_error *error)
{
    cl_int status = buffer->host ? map(base, buffer, NULL, NULL, byte, bytes)
                                 : api.clEnqueueFillBuffer(own(base)->queue, buffer->memory, &byte,
                                                           1, 0, bytes, 0, NULL, NULL);
    if (status == CL_SUCCESS && !buffer->host)
        status = api.clFinish(own(base)->queue);
    return status == CL_SUCCESS ? 0 : failed(error, "filling device memory", status);
}

static void opencl_program_free(struct gzk_device *base, struct gzk_program *program)
{
    (void)base;
    if (!program)
        return;
    if (program->kernel)
        api.clReleaseKernel(program->kernel);
    if (program->program)
        api.clReleaseProgram(program->program);
    free(program);
}

/* Reports a failed build with the first line of the compiler's log that names an error. */
static void build_failed(cl_int status, const char *log, struct gzk_error *error)
{
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    line = line ? line : log;
    gzk_fail(error, GZK_FAILED, "OpenCL: building the kernel: error %d: %.*s", (int)status,
             (int)strcspn(line, "\n"), line);
}

/* The compiler's log; to be freed; NULL without memory. */
static char *build_log(const struct opencl_device *device, cl_program program)
{
    size_t length = 0;
    char *log;

    api.clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
    log = calloc(1, length + 1);
    if (log)
        api.clGetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, length, log, NULL);
    return log;
}

/* Without contraction results must be those of C to the last bit, so divisions and square roots of
 * floats are rounded correctly if the device can; otherwise OpenCL allows them 2.5 and 3 units in
 * the last place. On a GPU the threads of a group, which branch alike, may meet barriers in either
 * branch, as the standard has it; what that breaks (prelude.cl) are CPUs' drivers. */
static const char *build_options(const struct opencl_device *device, bool contract)
{
#define GZ_EXACT " -cl-fp32-correctly-rounded-divide-sqrt"
#define GZ_BRANCHES " -DGZ_BARRIER_IN_LOOPS_BRANCH=1"
    static const char *const options[2][2] = {
        {"-cl-std=CL1.2" GZ_BRANCHES, "-cl-std=CL1.2" GZ_BRANCHES GZ_EXACT},
        {"-cl-std=CL1.2", "-cl-std=CL1.2" GZ_EXACT}};
    cl_device_fp_config floats = 0;
    api.clGetDeviceInfo(device->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof floats, &floats, NULL);
    bool exact = !contract && (floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    return options[device->base.info.is_cpu][exact];
}

/* Compiles the program. Processes that compile the same one at the same time, as ranks do, get in
 * each other's way in PoCL's cache (3.1; its issue 1480): one in a hundred such builds fails, and
 * no error is in the log. What the other has written by then serves the next attempt. */
static int build(const struct opencl_device *device, cl_program program, bool contract,
                 struct gzk_error *error)
{
    const char *options = build_options(device, contract);

    for (int attempt = 1;; attempt++) {
        cl_int status = api.clBuildProgram(program, 1, &device->id, options, NULL, NULL);
        if (status == CL_SUCCESS)
            return 0;
        char *log = build_log(device, program);
        if (!log)
            return failed(error, "building the kernel", status);
        bool again = device->base.info.is_cpu && !strstr(log, "error") && attempt < 4;
        if (!again)
            build_failed(status, log, error);
        free(log);
        if (!again)
            return GZK_FAILED;
    }
}

/* The driver's own count of what the kernel takes. A launch that takes more ends the program in
 * PoCL. */
static int check_local(const struct opencl_device *device, const struct gzk_program *program,
                       struct gzk_error *error)
{
    const struct gzk_device_info *info = &device->base.info;
    cl_ulong bytes = 0;
    cl_int status = api.clGetKernelWorkGroupInfo(
        program->kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (status != CL_SUCCESS || bytes <= device->local_bytes)
        return 0;
    return gzk_fail(error, GZK_INVALID,
                    "the kernel's arrays need %lu bytes of local memory: %s has %zu; give a "
                    "smaller --block",
                    (unsigned long)bytes, info->address, device->local_bytes);
}

static int opencl_program_new(struct gzk_device *base, const struct gzk_program_spec *spec,
                              struct gzk_program **made, struct gzk_error *error)
{
    struct opencl_device *device = own(base);
    const char *texts[] = {spec->contract ? "#pragma OPENCL FP_CONTRACT ON\n"
                                          : "#pragma OPENCL FP_CONTRACT OFF\n",
                           spec->text};
    cl_int status;
    int result = check_pocl(device->id, error);
    if (result != 0)
        return result;
    struct gzk_program *program = calloc(1, sizeof *program);

    if (!program)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    program->threads = spec->threads;
    program->program = api.clCreateProgramWithSource(device->context, 2, texts, NULL, &status);
    if (status == CL_SUCCESS) {
        result = build(device, program->program, spec->contract, error);
        if (result != 0) {
            opencl_program_free(base, program);
            return result;
        }
        program->kernel = api.clCreateKernel(program->program, spec->name, &status);
    }
    result = status == CL_SUCCESS ? check_local(device, program, error)
                                  : failed(error, "making the kernel", status);
    if (result != 0) {
        opencl_program_free(base, program);
        return result;
    }
    *made = program;
    return 0;
}

static void opencl_report(const struct gzk_program *program, struct gzk_build_report *report)
{
    (void)program;
    report->registers = report->spill_bytes = -1;
}

/* OpenCL 1.2 guarantees nothing for work-groups that wait for one another, neither that they run
 * together nor that they see each other's writes. On a CPU both hold in practice: caches are
 * coherent, and every compute unit is a thread of the driver that runs one group at a time. */
static int opencl_resident(struct gzk_device *base, const struct gzk_program *program, int *groups,
                           struct gzk_error *error)
{
    (void)program;
    if (!base->info.is_cpu)
        return gzk_fail(error, GZK_INVALID,
                        "sync fence: OpenCL 1.2 has no barrier across a GPU's blocks; use "
                        "restart, or fence on a cuda device");
    *groups = base->info.units;
    return 0;
}

static cl_int set_args(cl_kernel kernel, const struct gzk_launch *launch)
{
    cl_int status = CL_SUCCESS;
    for (int a = 0; a < launch->count && status == CL_SUCCESS; a++) {
        const struct gzk_arg *arg = &launch->args[a];
        switch (arg->kind) {
        case GZK_ARG_BUFFER:
        case GZK_ARG_CONSTANTS:
            status = api.clSetKernelArg(kernel, (cl_uint)a, sizeof(cl_mem), &arg->buffer->memory);
            break;
        case GZK_ARG_INT:
            status = api.clSetKernelArg(kernel, (cl_uint)a, sizeof arg->i, &arg->i);
            break;
        case GZK_ARG_LONG:
            status = api.clSetKernelArg(kernel, (cl_uint)a, sizeof arg->l, &arg->l);
            break;
        }
    }
    return status;
}

static cl_int event_time(cl_event event, cl_profiling_info which, cl_ulong *ns)
{
    return api.clGetEventProfilingInfo(event, which, sizeof *ns, ns, NULL);
}

static int opencl_run(struct gzk_device *base, const struct gzk_program *program,
                      const struct gzk_launch *launches, size_t count, gz_sync sync,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct opencl_device *device = own(base);
    cl_event first = NULL, last = NULL;
    cl_int status = CL_SUCCESS;
    cl_ulong begin = 0, end = 0;
    size_t done = 0;

    if (gzk_syncs[sync].launching == GZK_LAUNCH_RECORDED)
        return gzk_fail(error, GZK_INVALID,
                        "sync %s: OpenCL has no graphs: must be restart or fence, or a cuda device",
                        gz_name(GZ_SYNCS, sync));
    for (; done < count && status == CL_SUCCESS && !*stop; done++) {
        const struct gzk_launch *what = &launches[done];
        const size_t threads[3] = {(size_t)program->threads, 1, 1};
        const size_t global[3] = {(size_t)what->groups * threads[0],
                                  what->groups_y > 0 ? (size_t)what->groups_y : 1,
                                  what->groups_z > 0 ? (size_t)what->groups_z : 1};
        cl_event event = NULL;

        status = set_args(program->kernel, what);
        if (status == CL_SUCCESS)
            status = api.clEnqueueNDRangeKernel(device->queue, program->kernel, 3, NULL, global,
                                                threads, 0, NULL, &event);
        if (status != CL_SUCCESS)
            break;
        if (!first) {
            first = event;
            api.clRetainEvent(first);
        }
        if (last)
            api.clReleaseEvent(last);
        last = event;
        if (done % QUEUE_DEPTH == QUEUE_DEPTH - 1)
            status = api.clWaitForEvents(1, &last);
    }
    if (api.clFinish(device->queue) != CL_SUCCESS && status == CL_SUCCESS)
        status = CL_OUT_OF_RESOURCES;
    if (status == CL_SUCCESS && first)
        status = event_time(first, CL_PROFILING_COMMAND_START, &begin);
    if (status == CL_SUCCESS && last)
        status = event_time(last, CL_PROFILING_COMMAND_END, &end);
    if (first)
        api.clReleaseEvent(first);
    if (last)
        api.clReleaseEvent(last);
    if (status != CL_SUCCESS)
        return failed(error, "running the kernel", status);
    if (done < count)
        return gzk_fail(error, GZK_FAILED, "interrupted after %zu of %zu launches", done, count);
    *seconds = 1e-9 * (double)(end - begin);
    return 0;
}

const struct gzk_backend gzk_opencl = {
    .name = "opencl",
    .prelude = gzk_prelude_cl,
    .count = opencl_count,
    .explain = opencl_explain,
    .open = opencl_open,
    .close = opencl_close,
    .buffer_new = opencl_buffer_new,
    .buffer_on = opencl_buffer_on,
    .buffer_free = opencl_buffer_free,
    .write = opencl_write,
    .read = opencl_read,
    .fill = opencl_fill,
    .program_new = opencl_program_new,
    .program_free = opencl_program_free,
    .report = opencl_report,
    .resident = opencl_resident,
    .run = opencl_run,
};
