/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend_cuda - NVIDIA GPUs through the CUDA driver API, whose library is opened at run time, so
 * that the program starts on machines without one. Kernels are compiled by NVRTC for the device's
 * own architecture and kept on disk.
 */
#include "backend.h"

#include "diskcache.h"
#include "embedded.h"
#include "files.h"
#include "nvrtc.h"
#include "toolkit.h"

#include <cuda.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The driver's functions that are used. Each is listed by the name in cuda.h, which may be a macro
 * for a versioned one (cuMemAlloc is cuMemAlloc_v2); the lists below go through that macro. OLD:
 * older drivers have it without a version only, with the same effect. */
#define DRIVER_FUNCTIONS(F, OLD)                                                                   \
    F(cuInit)                                                                                      \
    F(cuDriverGetVersion)                                                                          \
    F(cuGetErrorString)                                                                            \
    F(cuDeviceGet)                                                                                 \
    F(cuDeviceGetCount)                                                                            \
    F(cuDeviceGetName)                                                                             \
    OLD(cuDeviceGetUuid)                                                                           \
    F(cuDeviceGetAttribute)                                                                        \
    F(cuDeviceTotalMem)                                                                            \
    F(cuDevicePrimaryCtxRetain)                                                                    \
    F(cuDevicePrimaryCtxRelease)                                                                   \
    F(cuCtxSetCurrent)                                                                             \
    F(cuStreamCreate)                                                                              \
    F(cuStreamDestroy)                                                                             \
    F(cuStreamSynchronize)                                                                         \
    F(cuStreamBeginCapture)                                                                        \
    F(cuStreamEndCapture)                                                                          \
    F(cuGraphInstantiateWithFlags)                                                                 \
    F(cuGraphUpload)                                                                               \
    F(cuGraphLaunch)                                                                               \
    F(cuGraphDestroy)                                                                              \
    F(cuGraphExecDestroy)                                                                          \
    F(cuEventCreate)                                                                               \
    F(cuEventRecord)                                                                               \
    F(cuEventSynchronize)                                                                          \
    OLD(cuEventElapsedTime)                                                                        \
    F(cuEventDestroy)                                                                              \
    F(cuMemAlloc)                                                                                  \
    F(cuMemFree)                                                                                   \
    F(cuMemcpyHtoD)                                                                                \
    F(cuMemcpyDtoH)                                                                                \
    F(cuMemsetD8)                                                                                  \
    F(cuModuleLoadData)                                                                            \
    F(cuModuleUnload)                                                                              \
    F(cuModuleGetFunction)                                                                         \
    F(cuFuncSetAttribute)                                                                          \
    F(cuFuncGetAttribute)                                                                          \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                 \
    F(cuLaunchKernel)                                                                              \
    F(cuLaunchCooperativeKernel)

#define DECLARE(function) __typeof__(&function) p_##function;
#define STRING(name) #name
/* One macro call in between, so that cuda.h's renaming happens before the name becomes a string. */
#define NAME_OF(function) STRING(function)
#define RESOLVE(function) {&driver.p_##function, NAME_OF(function), NULL},
#define RESOLVE_OLD(function) {&driver.p_##function, NAME_OF(function), #function},

static struct {
    bool tried, works;
    char reason[500]; /* why it does not work, and what to do */
    DRIVER_FUNCTIONS(DECLARE, DECLARE)
} driver;

struct cuda_device {
    struct gzk_device base;
    CUdevice id;
    CUcontext context;
    CUstream stream;
    CUevent begin, end;
    int capability;                 /* 90 for 9.0 */
    struct gzk_program *ahead;      /* see ahead.knl; NULL before the first run */
    struct gzk_buffer *ticks;       /* two numbers that it leaves */
    bool no_ahead;                  /* it is not available */
    bool warm;                      /* it ran */
    const struct gzk_program *last; /* what ran last, and how long a launch of it took */
    double last_launch_s;
};

struct gzk_buffer {
    CUdeviceptr address;
};

struct gzk_program {
    CUmodule module;
    CUfunction function;
    int threads;
    size_t local_bytes;
};

/* How many launches may be in the stream and not yet done, and how long these may take, seconds. It
 * bounds what is given up late after an interrupt. */
enum { QUEUE_DEPTH = 1024, UNKNOWN_DEPTH = 64 };
static const double queue_s = 0.75;

/* How long the device is kept busy before what is timed, nanoseconds: longer than the host takes to
 * enqueue a few launches. */
static const int64_t ahead_ns = 20000;

/* And the first time in a process, after which an idle GPU's clocks are up. */
static const int64_t warm_ns = 50000000;

static struct cuda_device *own(struct gzk_device *device)
{
    return (struct cuda_device *)device;
}

/* What the driver's refusal to start means, and what to do. */
static const char *advice(CUresult status)
{
    static const struct {
        CUresult status;
        const char *text;
    } known[] = {
        {CUDA_ERROR_NO_DEVICE,
         "no NVIDIA GPU is visible; check nvidia-smi and CUDA_VISIBLE_DEVICES"},
        {CUDA_ERROR_STUB_LIBRARY,
         "libcuda.so.1 is the toolkit's stub; take its folder out of LD_LIBRARY_PATH"},
        {CUDA_ERROR_DEVICE_UNAVAILABLE, "the GPU is in exclusive use by another process"},
        {CUDA_ERROR_OPERATING_SYSTEM,
         "the operating system refused; check the access rights of /dev/nvidia*"},
        {CUDA_ERROR_NOT_PERMITTED, "not permitted; check the access rights of /dev/nvidia*"},
        {CUDA_ERROR_SYSTEM_NOT_READY,
         "the system is not ready; start the services that the GPU needs (nvidia-fabricmanager)"},
        {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
         "kernel module and library differ in version; restart the machine after an update"},
        {CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
         "the compatibility library does not support this GPU; update the driver"},
        {CUDA_ERROR_UNKNOWN, "unknown to the driver itself; is the module nvidia-uvm loaded?"},
    };
    if (access("/dev/nvidiactl", F_OK) == 0 && access("/dev/nvidiactl", R_OK | W_OK) != 0)
        return "this user may not use /dev/nvidiactl; ask for access";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status)
            return known[i].text;
    return "see CUresult in cuda.h; or use an opencl device";
}

static bool load_driver(void)
{
    const struct gzk_function functions[] = {DRIVER_FUNCTIONS(RESOLVE, RESOLVE_OLD)};
    void *library;

    if (driver.tried)
        return driver.works;
    driver.tried = true;
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        bool module = access("/proc/driver/nvidia/version", R_OK) == 0;
        if (!why || strstr(why, "No such file"))
            snprintf(driver.reason, sizeof driver.reason,
                     "no CUDA driver: libcuda.so.1 is not found; %s, or use an opencl device",
                     module ? "the kernel module is loaded, so add the folder of the driver's "
                              "libraries to LD_LIBRARY_PATH"
                            : "install NVIDIA's driver");
        else
            snprintf(driver.reason, sizeof driver.reason,
                     "the CUDA driver cannot be loaded: %.300s", why);
        return false;
    }
    const char *missing =
        gzk_take_functions(library, functions, sizeof functions / sizeof *functions);
    if (missing) {
        snprintf(driver.reason, sizeof driver.reason,
                 "the CUDA driver is too old: libcuda.so.1 lacks %s; update it", missing);
        return false;
    }
    CUresult status = driver.p_cuInit(0);
    driver.works = status == CUDA_SUCCESS;
    if (!driver.works)
        snprintf(driver.reason, sizeof driver.reason,
                 "the CUDA driver does not start: error %d: %s", (int)status, advice(status));
    return driver.works;
}

static int failed(struct gzk_error *error, const char *what, CUresult status)
{
    const char *text = NULL;
    if (driver.p_cuGetErrorString(status, &text) != CUDA_SUCCESS || !text)
        text = "unknown to the driver";
    return gzk_fail(error, GZK_FAILED, "CUDA: %s: error %d, %s", what, (int)status, text);
}

static int cuda_count(void)
{
    int count = 0;
    if (!load_driver() || driver.p_cuDeviceGetCount(&count) != CUDA_SUCCESS)
        return 0;
    return count;
}

static int cuda_explain(struct gzk_error *error)
{
    if (!load_driver())
        return gzk_fail(error, GZK_NO_DEVICE, "%s", driver.reason);
    return gzk_fail(error, GZK_NO_DEVICE,
                    "the CUDA driver has no device; check nvidia-smi and CUDA_VISIBLE_DEVICES");
}

/* Makes the device's context current in this thread, as every other call assumes: two devices may
 * be open. */
static CUresult enter(struct gzk_device *base)
{
    return driver.p_cuCtxSetCurrent(own(base)->context);
}

static int attribute(const struct cuda_device *device, CUdevice_attribute which)
{
    int value = 0;
    driver.p_cuDeviceGetAttribute(&value, which, device->id);
    return value;
}

static void identify(const struct cuda_device *device, char *text, size_t room)
{
    CUuuid uuid;
    if (driver.p_cuDeviceGetUuid(&uuid, device->id) != CUDA_SUCCESS)
        return;
    int at = snprintf(text, room, "compute capability %d.%d, UUID ", device->capability / 10,
                      device->capability % 10);
    for (size_t i = 0; i < sizeof uuid.bytes && at < (int)room; i++)
        at +=
            snprintf(text + at, room - (size_t)at, "%02x", (unsigned)(unsigned char)uuid.bytes[i]);
}

static void describe(struct cuda_device *device, int index)
{
    struct gzk_device_info *info = &device->base.info;
    int version = 0;

    driver.p_cuDriverGetVersion(&version);
    driver.p_cuDeviceGetName(info->name, (int)sizeof info->name, device->id);
    driver.p_cuDeviceTotalMem(&info->memory_bytes, device->id);
    device->capability = 10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                         attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    snprintf(info->address, sizeof info->address, "cuda:%d", index);
    snprintf(info->driver, sizeof info->driver, "CUDA driver API %d.%d, NVRTC %d.%d, sm_%d",
             version / 1000, version % 1000 / 10, gzk_nvrtc_version() / 1000,
             gzk_nvrtc_version() % 1000 / 10, device->capability);
    info->units = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->clock_hz = 1e3 * attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    info->memory_clock_hz = 1e3 * attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    info->cache_bytes = (size_t)attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    /* Two transfers in a clock, and the bus is counted in bits. */
    info->memory_bus_bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    info->bandwidth_bytes_s = 2 * info->memory_clock_hz * info->memory_bus_bits / 8;
    info->local_bytes =
        (size_t)attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    info->max_threads = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    info->warp = attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    info->double_ratio =
        attribute(device, CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
    info->shared_per_unit =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    info->registers_per_unit =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    info->threads_per_unit = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    info->blocks_per_unit = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    info->cooperative = attribute(device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) > 0;
    identify(device, info->identity, sizeof info->identity);
}

static void cuda_program_free(struct gzk_device *base, struct gzk_program *program);
static void cuda_buffer_free(struct gzk_device *base, struct gzk_buffer *buffer);

static void cuda_close(struct gzk_device *base)
{
    struct cuda_device *device = own(base);
    if (device->context)
        enter(base);
    cuda_program_free(base, device->ahead);
    cuda_buffer_free(base, device->ticks);
    if (device->begin)
        driver.p_cuEventDestroy(device->begin);
    if (device->end)
        driver.p_cuEventDestroy(device->end);
    if (device->stream)
        driver.p_cuStreamDestroy(device->stream);
    if (device->context) {
        driver.p_cuCtxSetCurrent(NULL);
        driver.p_cuDevicePrimaryCtxRelease(device->id);
    }
    free(device);
}

static int cuda_open(int index, struct gzk_device **opened, struct gzk_error *error)
{
    struct cuda_device *device;
    CUresult status;

    device = calloc(1, sizeof *device);
    if (!device)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    device->base.backend = &gzk_cuda;
    status = driver.p_cuDeviceGet(&device->id, index);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuDevicePrimaryCtxRetain(&device->context, device->id);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuCtxSetCurrent(device->context);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuStreamCreate(&device->stream, CU_STREAM_NON_BLOCKING);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventCreate(&device->begin, CU_EVENT_DEFAULT);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventCreate(&device->end, CU_EVENT_DEFAULT);
    if (status != CUDA_SUCCESS) {
        cuda_close(&device->base);
        return failed(error, "opening the device", status);
    }
    device->base.context = device->context;
    describe(device, index);
    *opened = &device->base;
    return 0;
}

static void cuda_buffer_free(struct gzk_device *base, struct gzk_buffer *buffer)
{
    if (!buffer)
        return;
    enter(base);
    if (buffer->address)
        driver.p_cuMemFree(buffer->address);
    free(buffer);
}

static int cuda_buffer_new(struct gzk_device *base, size_t bytes, struct gzk_buffer **made,
                           struct gzk_error *error)
{
    struct gzk_buffer *buffer = calloc(1, sizeof *buffer);
    CUresult status;

    if (!buffer)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    status = enter(base);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuMemAlloc(&buffer->address, bytes);
    if (status != CUDA_SUCCESS) {
        char what[100];
        free(buffer);
        snprintf(what, sizeof what, "allocating %zu bytes (the device has %zu)", bytes,
                 base->info.memory_bytes);
        return failed(error, what, status);
    }
    *made = buffer;
    return 0;
}

static int cuda_write(struct gzk_device *base, struct gzk_buffer *buffer, const void *from,
                      size_t bytes, struct gzk_error *error)
{
    CUresult status = enter(base);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuMemcpyHtoD(buffer->address, from, bytes);
    /* The copy may not have finished on the default stream, for which the device's own stream does
     * not wait. */
    if (status == CUDA_SUCCESS)
        status = driver.p_cuStreamSynchronize(NULL);
    return status == CUDA_SUCCESS ? 0 : failed(error, "writing to the device", status);
}

static int cuda_read(struct gzk_device *base, const struct gzk_buffer *buffer, void *to,
                     size_t bytes, struct gzk_error *error)
{
    CUresult status = enter(base);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuMemcpyDtoH(to, buffer->address, bytes);
    return status == CUDA_SUCCESS ? 0 : failed(error, "reading from the device", status);
}

static int cuda_fill(struct gzk_device *base, struct gzk_buffer *buffer, uint8_t byte, size_t bytes,
                     struct gzk_error *error)
{
    CUresult status = enter(base);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuMemsetD8(buffer->address, byte, bytes);
    /* As for a copy. */
    if (status == CUDA_SUCCESS)
        status = driver.p_cuStreamSynchronize(NULL);
    return status == CUDA_SUCCESS ? 0 : failed(error, "filling device memory", status);
}

static void cuda_program_free(struct gzk_device *base, struct gzk_program *program)
{
    if (!program)
        return;
    enter(base);
    if (program->module)
        driver.p_cuModuleUnload(program->module);
    free(program);
}

static const struct gzk_cache kernels = {"gzmodel", ".cubin"};

/* The cache's key of a kernel. To be freed. */
static char *cache_key(const struct cuda_device *device, const struct gzk_program_spec *spec)
{
    return cli_text("NVRTC %d sm_%d contract %d\n%s", gzk_nvrtc_version(), device->capability,
                    spec->contract, spec->text);
}

/* Machine code for the kernel by NVRTC, which is kept. To be freed. */
static int compile(const struct cuda_device *device, const struct gzk_program_spec *spec,
                   const char *key, void **cubin, struct gzk_error *error)
{
    struct gzk_compiled compiled;
    int status =
        gzk_nvrtc_compile(spec->text, device->capability, spec->contract, &compiled, error);
    if (status == 0) {
        gzk_cache_put(&kernels, key, compiled.cubin, compiled.cubin_bytes);
        *cubin = compiled.cubin;
        compiled.cubin = NULL;
        gzk_compiled_free(&compiled);
    }
    return status;
}

/* Loads the machine code and makes the kernel ready for its shared memory. */
static CUresult load(struct gzk_program *program, const void *cubin, const char *name)
{
    CUresult status = driver.p_cuModuleLoadData(&program->module, cubin);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuModuleGetFunction(&program->function, program->module, name);
    return status;
}

static int function_attribute(const struct gzk_program *program, CUfunction_attribute which);

/* The tile and the kernel's own shared memory have to fit together; more than 48 KiB must be
 * requested. */
static int ask_for_shared(const struct gzk_device *base, const struct gzk_program *program,
                          struct gzk_error *error)
{
    int besides = function_attribute(program, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    if (besides > 0 && program->local_bytes + (size_t)besides > base->info.local_bytes)
        return gzk_fail(
            error, GZK_INVALID,
            "a tile of %zu bytes and %d more for the kernel: %s has %zu bytes of shared "
            "memory for a block; give a smaller --block",
            program->local_bytes, besides, base->info.address, base->info.local_bytes);
    CUresult status = driver.p_cuFuncSetAttribute(program->function,
                                                  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                  (int)program->local_bytes);
    if (status != CUDA_SUCCESS)
        return failed(error, "asking for shared memory", status);
    /* Of the memory that tiles share with the first-level cache, all or none; a hint, which may be
     * refused. */
    driver.p_cuFuncSetAttribute(
        program->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
        program->local_bytes > 0 ? CU_SHAREDMEM_CARVEOUT_MAX_SHARED : CU_SHAREDMEM_CARVEOUT_MAX_L1);
    return 0;
}

/* A driver that is older than NVRTC does not take its code. */
static int not_loaded(struct gzk_error *error, CUresult status)
{
    int version = 0;
    driver.p_cuDriverGetVersion(&version);
    if (version / 1000 >= gzk_nvrtc_version() / 1000)
        return failed(error, "loading the kernel", status);
    return gzk_fail(error, GZK_FAILED,
                    "CUDA: loading the kernel: error %d: the driver is for CUDA %d.%d and NVRTC is "
                    "%d.%d; put an NVRTC %d first in LD_LIBRARY_PATH, or update the driver",
                    (int)status, version / 1000, version % 1000 / 10, gzk_nvrtc_version() / 1000,
                    gzk_nvrtc_version() % 1000 / 10, version / 1000);
}

/* Fills in an empty program; what of it was made is the caller's to free. */
static int build(struct gzk_device *base, const struct gzk_program_spec *spec, const char *key,
                 struct gzk_program *program, struct gzk_error *error)
{
    size_t size;
    void *cubin = gzk_cache_get(&kernels, key, &size);
    CUresult status = CUDA_ERROR_INVALID_IMAGE;

    if (cubin) {
        status = load(program, cubin, spec->name);
        free(cubin);
        if (status != CUDA_SUCCESS && program->module) {
            driver.p_cuModuleUnload(program->module);
            program->module = NULL;
        }
    }
    if (status != CUDA_SUCCESS) {
        int result = compile(own(base), spec, key, &cubin, error);
        if (result != 0)
            return result;
        status = load(program, cubin, spec->name);
        free(cubin);
    }
    return status == CUDA_SUCCESS ? ask_for_shared(base, program, error)
                                  : not_loaded(error, status);
}

static int cuda_program_new(struct gzk_device *base, const struct gzk_program_spec *spec,
                            struct gzk_program **made, struct gzk_error *error)
{
    struct gzk_program *program = calloc(1, sizeof *program);
    char *key = cache_key(own(base), spec);
    int result;

    if (program && key) {
        program->threads = spec->threads;
        program->local_bytes = spec->local_bytes;
        CUresult status = enter(base);
        result = status == CUDA_SUCCESS ? build(base, spec, key, program, error)
                                        : failed(error, "loading the kernel", status);
    } else {
        result = gzk_fail(error, GZK_FAILED, "out of host memory");
    }
    free(key);
    if (result != 0) {
        cuda_program_free(base, program);
        return result;
    }
    *made = program;
    return 0;
}

static int function_attribute(const struct gzk_program *program, CUfunction_attribute which)
{
    int value = -1;
    driver.p_cuFuncGetAttribute(&value, which, program->function);
    return value;
}

static void cuda_report(const struct gzk_program *program, struct gzk_build_report *report)
{
    report->registers = function_attribute(program, CU_FUNC_ATTRIBUTE_NUM_REGS);
    report->spill_bytes = function_attribute(program, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
}

static int cuda_resident(struct gzk_device *base, const struct gzk_program *program, int *groups,
                         struct gzk_error *error)
{
    int per_unit = 0;
    CUresult status;

    if (!base->info.cooperative)
        return gzk_fail(error, GZK_INVALID,
                        "sync fence: %s has no cooperative launch; use restart or graph",
                        base->info.address);
    status = enter(base);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &per_unit, program->function, program->threads, program->local_bytes);
    if (status != CUDA_SUCCESS)
        return failed(error, "asking for the occupancy", status);
    if (per_unit < 1)
        return gzk_fail(error, GZK_FAILED,
                        "CUDA: a block of %d threads and %zu bytes of shared "
                        "memory does not fit a multiprocessor",
                        program->threads, program->local_bytes);
    *groups = per_unit * base->info.units;
    return 0;
}

static CUresult launch(struct cuda_device *device, const struct gzk_program *program,
                       const struct gzk_launch *what, bool cooperative)
{
    void *args[GZK_MAX_ARGS];
    unsigned groups = (unsigned)what->groups, threads = (unsigned)program->threads;
    unsigned groups_y = what->groups_y > 0 ? (unsigned)what->groups_y : 1;
    unsigned groups_z = what->groups_z > 0 ? (unsigned)what->groups_z : 1;
    unsigned local_bytes = (unsigned)program->local_bytes;

    for (int a = 0; a < what->count; a++) {
        const struct gzk_arg *arg = &what->args[a];
        const void *value = &arg->l;
        if (arg->kind == GZK_ARG_BUFFER)
            value = &arg->buffer->address;
        else if (arg->kind == GZK_ARG_INT)
            value = &arg->i;
        else if (arg->kind == GZK_ARG_CONSTANTS)
            value = arg->constants;
        args[a] = (void *)(uintptr_t)value;
    }
    if (cooperative)
        return driver.p_cuLaunchCooperativeKernel(program->function, groups, 1, 1, threads, 1, 1,
                                                  local_bytes, device->stream, args);
    return driver.p_cuLaunchKernel(program->function, groups, groups_y, groups_z, threads, 1, 1,
                                   local_bytes, device->stream, args, NULL);
}

/* Records the launches in one graph, to be destroyed by the caller. */
static CUresult record_graph(struct cuda_device *device, const struct gzk_program *program,
                             const struct gzk_launch *launches, size_t count, CUgraphExec *exec)
{
    CUgraph graph = NULL;
    CUresult ended,
        status = driver.p_cuStreamBeginCapture(device->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);

    if (status != CUDA_SUCCESS)
        return status;
    for (size_t i = 0; i < count && status == CUDA_SUCCESS; i++)
        status = launch(device, program, &launches[i], false);
    /* A capture has to be ended even if a launch failed. */
    ended = driver.p_cuStreamEndCapture(device->stream, &graph);
    if (status == CUDA_SUCCESS)
        status = ended;
    if (status == CUDA_SUCCESS)
        status = driver.p_cuGraphInstantiateWithFlags(exec, graph, 0);
    if (graph)
        driver.p_cuGraphDestroy(graph);
    return status;
}

/* Enqueues a short kernel, so that the stream is busy when the next launch is enqueued; if there is
 * none, launches are timed without it. */
static void run_ahead(struct cuda_device *device)
{
    if (!device->ahead && !device->no_ahead) {
        char *text = cli_text("#define GZ_T float\n#define GZ_THREADS 1\n#line 1 \"prelude\"\n%s\n"
                              "#line 1 \"ahead.knl\"\n%s",
                              gzk_prelude_cu, gzk_ahead_knl);
        struct gzk_error ignored;
        struct gzk_program_spec spec = {.text = text, .name = "gz_ahead", .threads = 1};
        device->no_ahead =
            !text || cuda_program_new(&device->base, &spec, &device->ahead, &ignored) != 0 ||
            cuda_buffer_new(&device->base, sizeof(int64_t[2]), &device->ticks, &ignored) != 0;
        free(text);
    }
    if (!device->no_ahead) {
        struct gzk_launch what = {
            .groups = 1,
            .count = 2,
            .args = {{.kind = GZK_ARG_LONG, .l = device->warm ? ahead_ns : warm_ns},
                     {.kind = GZK_ARG_BUFFER, .buffer = device->ticks}}};
        launch(device, device->ahead, &what, false);
        device->warm = true;
    }
}

/* The clock at which the device ran while it waited for what was timed. */
static void read_clock(struct cuda_device *device)
{
    int64_t ticks[2];
    bool known = !device->no_ahead &&
                 driver.p_cuMemcpyDtoH(ticks, device->ticks->address, sizeof ticks) == CUDA_SUCCESS;
    device->base.run_clock_hz =
        known && ticks[1] > 0 ? 1e9 * (double)ticks[0] / (double)ticks[1] : 0;
}

static CUresult run_graph(struct cuda_device *device, const struct gzk_program *program,
                          const struct gzk_launch *launches, size_t count)
{
    CUgraphExec exec = NULL;
    CUresult status = record_graph(device, program, launches, count, &exec);

    /* Uploaded first, so that the time is that of running it. */
    if (status == CUDA_SUCCESS)
        status = driver.p_cuGraphUpload(exec, device->stream);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuStreamSynchronize(device->stream);
    if (status == CUDA_SUCCESS) {
        run_ahead(device);
        status = driver.p_cuEventRecord(device->begin, device->stream);
    }
    if (status == CUDA_SUCCESS)
        status = driver.p_cuGraphLaunch(exec, device->stream);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventRecord(device->end, device->stream);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventSynchronize(device->end);
    if (exec)
        driver.p_cuGraphExecDestroy(exec);
    return status;
}

/* How many launches may wait in the stream. */
static size_t queue_depth(const struct cuda_device *device, const struct gzk_program *program)
{
    if (program != device->last)
        return UNKNOWN_DEPTH;
    if (device->last_launch_s <= queue_s / QUEUE_DEPTH)
        return QUEUE_DEPTH;
    return (size_t)fmax(queue_s / device->last_launch_s, 1);
}

static CUresult run_stream(struct cuda_device *device, const struct gzk_program *program,
                           const struct gzk_launch *launches, size_t count, bool cooperative,
                           const volatile sig_atomic_t *stop, size_t *done)
{
    size_t depth = queue_depth(device, program);
    run_ahead(device);
    CUresult status = driver.p_cuEventRecord(device->begin, device->stream);

    for (*done = 0; *done < count && status == CUDA_SUCCESS && !*stop; ++*done) {
        status = launch(device, program, &launches[*done], cooperative);
        if (status == CUDA_SUCCESS && *done % depth == depth - 1)
            status = driver.p_cuStreamSynchronize(device->stream);
    }
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventRecord(device->end, device->stream);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventSynchronize(device->end);
    return status;
}

static int run_failed(const struct gzk_launch *launches, CUresult status, struct gzk_error *error)
{
    if (status == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
        return gzk_fail(error, GZK_FAILED,
                        "CUDA: sync fence: %d blocks cannot all run at once here (error %d); "
                        "use restart or graph",
                        launches[0].groups, (int)status);
    return failed(error, "running the kernel", status);
}

static int cuda_run(struct gzk_device *base, const struct gzk_program *program,
                    const struct gzk_launch *launches, size_t count, gz_sync sync,
                    const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct cuda_device *device = own(base);
    size_t done = count;
    float milliseconds = 0;
    CUresult status = enter(base);

    if (status == CUDA_SUCCESS && gzk_syncs[sync].launching == GZK_LAUNCH_RECORDED)
        status = run_graph(device, program, launches, count);
    else if (status == CUDA_SUCCESS)
        status = run_stream(device, program, launches, count,
                            gzk_syncs[sync].launching == GZK_LAUNCH_RESIDENT, stop, &done);
    if (status == CUDA_SUCCESS)
        status = driver.p_cuEventElapsedTime(&milliseconds, device->begin, device->end);
    if (status != CUDA_SUCCESS)
        return run_failed(launches, status, error);
    if (done < count)
        return gzk_fail(error, GZK_FAILED, "interrupted after %zu of %zu launches", done, count);
    *seconds = 1e-3 * (double)milliseconds;
    read_clock(device);
    device->last = program;
    device->last_launch_s = *seconds / (double)(count > 0 ? count : 1);
    return 0;
}

/* Such an error is every later call's result. */
static bool cuda_is_lost(struct gzk_device *base)
{
    return enter(base) != CUDA_SUCCESS ||
           driver.p_cuStreamSynchronize(own(base)->stream) != CUDA_SUCCESS;
}

const struct gzk_backend gzk_cuda = {
    .name = "cuda",
    .prelude = gzk_prelude_cu,
    .count = cuda_count,
    .explain = cuda_explain,
    .open = cuda_open,
    .close = cuda_close,
    .buffer_new = cuda_buffer_new,
    .buffer_free = cuda_buffer_free,
    .write = cuda_write,
    .read = cuda_read,
    .fill = cuda_fill,
    .program_new = cuda_program_new,
    .program_free = cuda_program_free,
    .report = cuda_report,
    .resident = cuda_resident,
    .run = cuda_run,
    .is_lost = cuda_is_lost,
};
