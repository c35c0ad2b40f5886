/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libcuda - a CUDA driver without a GPU, for the tests: built as libcuda.so.1 and put first in
 * LD_LIBRARY_PATH. Device memory is host memory; a launch computes no more than what shows that it
 * computes (computes()), but takes a time that is known, by the kernel's name and arguments, so
 * that a test can compare what calibrate finds with the truth (fake.h). It refuses what a real
 * driver would: handles of another context than the current one, memory that is too small, a
 * capture that is not ended, a cooperative launch that is too large, more shared memory than there
 * is.
 *
 * In the environment:
 *   GZ_FAKE_CUINIT=STATUS  cuInit fails so
 *   GZ_FAKE_DEVICES=N      so many devices, 0 to 2; default 1
 *   GZ_FAKE_DOUBLE_RATIO=N operations in float for one in double; default unknown
 *   GZ_FAKE_LOG=1          calls that matter are written to stderr
 *   GZ_FAKE_FAULT=oom      no memory is left
 *   GZ_FAKE_FAULT=lost     launches fail, as after a lost device
 *   GZ_FAKE_LOST=N         the device is lost once N calls used a handle or memory of it: these and
 *                          all later ones fail
 *   GZ_FAKE_FAULT=idle     launches compute nothing at all
 *   GZ_FAKE_FAULT=image    machine code that was not compiled by this process is refused
 *
 * The host and the device have clocks of their own: a launch costs the host FAKE_HOST_S, and the
 * device starts it when it is free and the host has come that far.
 */
#include "fake.h"

#include <cuda.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { DEVICES = 2, GUARD_BYTES = 64, FILLED_BYTES = 1 << 16 };

/* What a handle points to. */
struct object {
    int context; /* the device whose context it was made in */
    union {
        double event_s;
        char name[40]; /* of a function */
        struct {
            int launches;
            double seconds;
        } graph;
    };
};

static struct {
    double host_s, free_s; /* the host's time, and when the device will be free */
    double busy_s;         /* so far: it warms up */
    struct object *capture;
    int cached;                /* a part of the chase's chain is in the cache */
    int hooked;                /* CUPTI is in the process */
    double instructions;       /* warp instructions of the last launch */
    int live, opened, current; /* handles and memory; contexts; the current one, or -1 */
    struct object contexts[DEVICES];
} gpu = {.current = -1};

/* For the fake CUPTI. */
EXPORT double gz_fake_instructions(void);
EXPORT double gz_fake_instructions(void)
{
    return gpu.instructions;
}

EXPORT void gz_fake_hook(void);
EXPORT void gz_fake_hook(void)
{
    gpu.hooked = 1;
}

static int asked(const char *fault)
{
    const char *given = getenv("GZ_FAKE_FAULT");
    return given && strcmp(given, fault) == 0;
}

/* Whether a launch used a wrong address, after which every call fails. */
static int corrupt;

/* Whether the device is lost by now; counts a call. */
static int is_lost(void)
{
    static long calls;
    const char *after = getenv("GZ_FAKE_LOST");
    return corrupt || (after && calls++ >= atol(after));
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list values;
    if (!getenv("GZ_FAKE_LOG"))
        return;
    fputs("fake: ", stderr);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
}

/* ------------------------------------------------------------------------------ the driver itself
 */

/* A function that sets its results, and succeeds. */
#define GIVES(name, parameters, set)                                                               \
    EXPORT CUresult name parameters                                                                \
    {                                                                                              \
        set;                                                                                       \
        return CUDA_SUCCESS;                                                                       \
    }

EXPORT CUresult cuInit(unsigned flags)
{
    const char *status = getenv("GZ_FAKE_CUINIT");
    (void)flags;
    return status ? (CUresult)atoi(status) : CUDA_SUCCESS;
}

/* NVRTC opens a driver by itself and calls this; a failure is a sufficient answer. */
EXPORT CUresult cuGetExportTable(const void **table, const CUuuid *which)
{
    (void)table;
    (void)which;
    return CUDA_ERROR_NOT_SUPPORTED;
}

GIVES(cuDriverGetVersion, (int *version), *version = 13000)
GIVES(cuGetErrorString, (CUresult status, const char **text),
      *text = status == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "an error of the fake driver")
static int device_count(void)
{
    const char *given = getenv("GZ_FAKE_DEVICES");
    int count = given ? atoi(given) : 1;
    return count > DEVICES ? DEVICES : count;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int index)
{
    *device = index;
    return index < device_count() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

GIVES(cuDeviceGetCount, (int *count), *count = device_count())
EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    (void)device;
    const char *other = getenv("GZ_FAKE_NAME");
    snprintf(name, (size_t)size, "%s", other ? other : FAKE_NAME);
    return CUDA_SUCCESS;
}

GIVES(cuDeviceGetUuid, (CUuuid * uuid, CUdevice device), (void)device;
      memset(uuid, 0xab, sizeof *uuid))
GIVES(cuDeviceTotalMem, (size_t * bytes, CUdevice device), (void)device; *bytes = (size_t)1 << 30)
EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
    static const struct {
        CUdevice_attribute which;
        int value;
    } attributes[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, FAKE_SMS},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2619000},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 640},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, FAKE_CACHE_BYTES},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, FAKE_SHARED_BYTES},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, FAKE_THREADS_PER_SM},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    };
    const char *ratio = getenv("GZ_FAKE_DOUBLE_RATIO");
    (void)device;
    *value = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].which == which)
            *value = attributes[i].value;
    if (which == CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO && ratio)
        *value = atoi(ratio);
    if (which == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH && asked("wide"))
        *value *= 8;
    return CUDA_SUCCESS;
}

/* --------------------------------------------------------------------------- contexts and handles
 */

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    gpu.contexts[device].context = device;
    gpu.opened++;
    *context = (CUcontext)(void *)&gpu.contexts[device];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    gpu.opened--;
    say("closed, %d live, %d open", gpu.live, gpu.opened);
    return CUDA_SUCCESS;
}

GIVES(cuCtxSetCurrent, (CUcontext context),
      gpu.current = context ? ((struct object *)(void *)context)->context : -1)
GIVES(cuCtxGetCurrent, (CUcontext * context),
      *context = gpu.current < 0 ? NULL : (CUcontext)(void *)&gpu.contexts[gpu.current])
static CUresult make(void *handle)
{
    if (is_lost())
        return CUDA_ERROR_LAUNCH_FAILED;
    struct object *object = calloc(1, sizeof *object);
    if (gpu.current < 0 || !object) {
        free(object);
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    object->context = gpu.current;
    gpu.live++;
    memcpy(handle, &object, sizeof object);
    /* The handle is the object. */
    /* cppcheck-suppress memleak */
    return CUDA_SUCCESS;
}

/* Of a device that is lost, too: a driver's own memory ends with the context. */
static CUresult end(void *handle)
{
    struct object *object = handle;
    CUresult status = is_lost() ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
    if (object->context != gpu.current)
        return CUDA_ERROR_INVALID_CONTEXT;
    gpu.live--;
    free(object);
    return status;
}

static CUresult check(const void *handle)
{
    if (is_lost())
        return CUDA_ERROR_LAUNCH_FAILED;
    return ((const struct object *)handle)->context == gpu.current ? CUDA_SUCCESS
                                                                   : CUDA_ERROR_INVALID_CONTEXT;
}

#define ENDED_BY(type, name)                                                                       \
    EXPORT CUresult name(type handle)                                                              \
    {                                                                                              \
        return end(handle);                                                                        \
    }
ENDED_BY(CUstream, cuStreamDestroy)
ENDED_BY(CUgraph, cuGraphDestroy)
ENDED_BY(CUgraphExec, cuGraphExecDestroy)
ENDED_BY(CUevent, cuEventDestroy)
ENDED_BY(CUmodule, cuModuleUnload)

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    return make(stream);
}

/* The default stream is that of the current context. */
EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    if (gpu.capture)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (corrupt)
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (gpu.host_s < gpu.free_s)
        gpu.host_s = gpu.free_s;
    return stream ? check(stream) : gpu.current < 0 ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

EXPORT CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
    (void)mode;
    return check(stream) == CUDA_SUCCESS ? make(&gpu.capture) : CUDA_ERROR_INVALID_CONTEXT;
}

EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    *graph = (CUgraph)(void *)gpu.capture;
    gpu.capture = NULL;
    return check(stream);
}

EXPORT CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                            unsigned long long flags)
{
    CUresult status = make(exec);
    (void)flags;
    if (status == CUDA_SUCCESS)
        ((struct object *)(void *)*exec)->graph = ((struct object *)(void *)graph)->graph;
    return status;
}

EXPORT CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    return check(exec) == CUDA_SUCCESS ? check(stream) : CUDA_ERROR_INVALID_CONTEXT;
}

EXPORT CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    const struct object *object = (const struct object *)(const void *)exec;
    say("graph of %d launches", object->graph.launches);
    gpu.host_s += FAKE_HOST_S;
    gpu.free_s = (gpu.free_s > gpu.host_s ? gpu.free_s : gpu.host_s) + object->graph.seconds;
    return check(stream);
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    (void)flags;
    return make(event);
}

/* On an idle stream the event is over at once, and what comes behind it is late. */
EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    struct object *object = (struct object *)(void *)event;
    if (gpu.free_s <= gpu.host_s) {
        object->event_s = gpu.host_s;
        gpu.free_s = gpu.host_s + FAKE_IDLE_S;
    } else {
        object->event_s = gpu.free_s;
    }
    return check(event) == CUDA_SUCCESS ? check(stream) : CUDA_ERROR_INVALID_CONTEXT;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    if (gpu.host_s < gpu.free_s)
        gpu.host_s = gpu.free_s;
    return check(event);
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent after)
{
    const struct object *from = (const struct object *)(const void *)begin;
    const struct object *to = (const struct object *)(const void *)after;
    *milliseconds = (float)(1e3 * (to->event_s - from->event_s));
    return check(begin) == CUDA_SUCCESS ? check(after) : CUDA_ERROR_INVALID_CONTEXT;
}

/* ------------------------------------------------------------------------------------------ memory
 */

/* An allocation begins with its size and its context, so that copies can be checked. */
struct guard {
    size_t bytes;
    int context;
};

static CUresult fits(CUdeviceptr address, size_t bytes)
{
    struct guard guard;
    if (is_lost())
        return CUDA_ERROR_LAUNCH_FAILED;
    memcpy(&guard, (const char *)(uintptr_t)address - GUARD_BYTES, sizeof guard);
    if (guard.context != gpu.current)
        return CUDA_ERROR_INVALID_CONTEXT;
    return bytes <= guard.bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
    struct guard guard = {bytes, gpu.current};
    char *memory = asked("oom") || gpu.current < 0 ? NULL : calloc(1, bytes + GUARD_BYTES);
    if (!memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    gpu.live++;
    memcpy(memory, &guard, sizeof guard);
    *address = (CUdeviceptr)(uintptr_t)(memory + GUARD_BYTES);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFree(CUdeviceptr address)
{
    CUresult status = fits(address, 0);
    if (status == CUDA_ERROR_INVALID_CONTEXT)
        return status;
    gpu.live--;
    free((char *)(uintptr_t)address - GUARD_BYTES);
    return status;
}

EXPORT CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
    CUresult status = fits(to, bytes);
    if (status == CUDA_SUCCESS)
        memcpy((void *)(uintptr_t)to, from, bytes);
    return status;
}

EXPORT CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
    CUresult status = fits(from, bytes);
    if (status == CUDA_SUCCESS)
        memcpy(to, (const void *)(uintptr_t)from, bytes);
    return status;
}

/* A write of more than the cache holds evicts everything else. Only the beginning is filled, since
 * nothing is computed from it. */
EXPORT CUresult cuMemsetD8(CUdeviceptr to, unsigned char byte, size_t bytes)
{
    CUresult status = fits(to, bytes);
    if (status == CUDA_SUCCESS)
        memset((void *)(uintptr_t)to, byte, bytes < FILLED_BYTES ? bytes : FILLED_BYTES);
    if (bytes > FAKE_CACHE_BYTES)
        gpu.cached = 0;
    return status;
}

/* ----------------------------------------------------------------------------------------- kernels
 */

EXPORT CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    static int loads;
    if (memcmp(image, "\177ELF", 4) != 0 || (asked("image") && loads++ == 0))
        return CUDA_ERROR_INVALID_IMAGE;
    return make(module);
}

/* A function lives as long as the process does, since its module frees it. */
EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    static struct object functions[256];
    static int count;
    if (check(module) != CUDA_SUCCESS || count == sizeof functions / sizeof *functions)
        return CUDA_ERROR_INVALID_CONTEXT;
    struct object *object = &functions[count++];
    object->context = gpu.current;
    snprintf(object->name, sizeof object->name, "%s", name);
    if (strcmp(name, "gz_ahead") != 0)
        say("kernel %s", name);
    *function = (CUfunction)(void *)object;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
    (void)which;
    return value <= FAKE_SHARED_BYTES ? check(function) : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
    *value = which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 32 : 0;
    return check(function);
}

/* By threads alone. */
static int resident_per_sm(unsigned threads)
{
    unsigned blocks = FAKE_THREADS_PER_SM / threads;
    return blocks < 32 ? (int)blocks : 32;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                            int threads, size_t bytes)
{
    (void)bytes;
    *blocks = resident_per_sm((unsigned)threads);
    return check(function);
}

static int int_arg(void **args, int k)
{
    return *(const int *)args[k];
}

static long long long_arg(void **args, int k)
{
    return *(const long long *)args[k];
}

/* What the clock's kernel would have read off its counters. */
static void write_ticks(void **args, unsigned groups, double seconds, double hz)
{
    CUdeviceptr address = *(const CUdeviceptr *)args[0];
    long long *data = (long long *)(uintptr_t)address;
    for (unsigned g = 0; g < groups; g++) {
        data[4 * g] = 1000;
        data[4 * g + 1] = 5000;
        data[4 * g + 2] = 1000 + (long long)(seconds * hz);
        data[4 * g + 3] = 5000 + (long long)(seconds * 1e9);
    }
}

/* Stages come in waves of as many blocks as run at once, the last of which takes as long as any. */
static double stage_s(void **args, unsigned groups, unsigned threads, double hz)
{
    unsigned wave = (unsigned)(FAKE_SMS * resident_per_sm(threads));
    double slots = (double)((groups + wave - 1) / wave * wave);
    double insts = FAKE_MISC_INSTS + FAKE_ITER_INSTS * int_arg(args, 9);
    gpu.instructions = groups * insts;
    return FAKE_STALLS * insts * slots / FAKE_SMS * FAKE_CPI / hz;
}

/* Seconds on the device, without the launch itself. */
static double duration(const char *name, void **args, unsigned groups, unsigned threads)
{
    double hz = FAKE_CLOCK_HZ * (gpu.busy_s < FAKE_WARM_S ? FAKE_IDLE_CLOCK : 1);
    double waves = (double)groups / FAKE_SMS;
    gpu.instructions = 0;
    if (strcmp(name, "gz_ahead") == 0) {
        long long *ticks = (long long *)(uintptr_t) * (const CUdeviceptr *)args[1];
        ticks[1] = long_arg(args, 0);
        ticks[0] = (long long)(1e-9 * (double)ticks[1] * hz);
        return 1e-9 * (double)ticks[1];
    }
    if (strcmp(name, "gz_empty") == 0)
        return int_arg(args, 1) * 8 / hz;
    if (strcmp(name, "gz_copy") == 0) {
        gpu.cached = 1;
        return 2.0 * (8 << 20) * (double)(long_arg(args, 4) - long_arg(args, 3)) / FAKE_BANDWIDTH;
    }
    if (strcmp(name, "gz_sweep") == 0) {
        gpu.cached = 1;
        return 4.0 * (double)long_arg(args, 2) * int_arg(args, 3) / FAKE_CACHE_BANDWIDTH;
    }
    if (strcmp(name, "gz_refill") == 0) {
        double bytes = 8.0 * (double)long_arg(args, 2);
        gpu.cached = 1;
        return bytes * int_arg(args, 3) *
               (1 / FAKE_CACHE_BANDWIDTH +
                1 / (FAKE_EDGE_BANDWIDTH *
                     (1 + pow(FAKE_EDGE_BYTES / bytes, FAKE_EDGE_SHARPNESS))));
    }
    if (strcmp(name, "gz_chase") == 0)
        return (double)long_arg(args, 2) * FAKE_LATENCY_CYCLES / hz *
               (gpu.cached ? 1 - FAKE_CACHED_HITS : 1);
    if (strcmp(name, "gz_add") == 0)
        return int_arg(args, 1) * 16.0 * 8 * threads / 32 * waves * FAKE_CPI / hz;
    if (strcmp(name, "gz_local_reads") == 0)
        return int_arg(args, 1) * 8.0 * threads / 32 * waves * FAKE_LOCAL_CYCLES / hz;
    if (strcmp(name, "gz_barriers") == 0)
        return int_arg(args, 1) * (FAKE_FENCE_CYCLES + FAKE_FENCE_CYCLES_PER_BLOCK * groups) / hz;
    if (strcmp(name, "gz_group_barriers") == 0)
        return int_arg(args, 1) *
               (FAKE_BARRIER_CYCLES + FAKE_BARRIER_CYCLES_PER_WARP * (threads / 32 - 1)) / hz;
    if (strcmp(name, "gz_ticks") == 0) {
        double seconds = (double)long_arg(args, 2) * 4 / hz;
        write_ticks(args, groups, seconds, hz);
        return seconds;
    }
    return strcmp(name, "gz_stage") == 0 ? stage_s(args, groups, threads, hz) : 0;
}

static void *buffer_arg(void **args, int k)
{
    return (void *)(uintptr_t) * (const CUdeviceptr *)args[k];
}

/* Additions to a sum of 1, in the type that the first number has. */
static void add(void *data)
{
    float one = 1, sum = 16;
    double all = 16;
    if (memcmp(data, &one, sizeof one) == 0)
        memcpy((char *)data + sizeof one, &sum, sizeof sum);
    else
        memcpy((char *)data + sizeof all, &all, sizeof all);
}

/* Writes the results that benchmarks prove their kernels by; a stencil's kernel changes its state.
 */
static void computes(const char *name, void **args, unsigned groups)
{
    int *first = buffer_arg(args, 0);
    if (asked("idle") || strcmp(name, "gz_ahead") == 0)
        return;
    if (strcmp(name, "gz_empty") == 0 || strcmp(name, "gz_group_barriers") == 0) {
        if (int_arg(args, 1) < 0)
            *first = int_arg(args, 1);
    } else if (strcmp(name, "gz_add") == 0) {
        if (int_arg(args, 1) == 1)
            add(first);
    } else if (strcmp(name, "gz_local_reads") == 0) {
        first[1] = first[0];
    } else if (strcmp(name, "gz_barriers") == 0) {
        *first = (int)(groups * (unsigned)int_arg(args, 1));
    } else if (strcmp(name, "gz_ticks") == 0) {
        float *sums = buffer_arg(args, 1);
        sums[2] = sums[0] * sums[1] + sums[1];
    } else if (strcmp(name, "gz_chase") == 0) {
        int *at = buffer_arg(args, 1);
        *at = first[*at];
    } else if (strcmp(name, "gz_copy") == 0 || strcmp(name, "gz_sweep") == 0) {
        *(int *)buffer_arg(args, 1) = *first;
    } else if (strcmp(name, "gz_refill") == 0) {
        first[long_arg(args, 4)] = *first;
    } else if (fits((CUdeviceptr)(uintptr_t)buffer_arg(args, 1), 1) == CUDA_SUCCESS) {
        *(int *)buffer_arg(args, 1) = 0;
    }
}

static CUresult launch(const char *how, CUfunction function, unsigned groups, unsigned threads,
                       CUstream stream, void **args)
{
    const struct object *object = (const struct object *)(const void *)function;
    int ahead = strcmp(object->name, "gz_ahead") == 0;
    CUdeviceptr first;
    if (check(function) != CUDA_SUCCESS || check(stream) != CUDA_SUCCESS)
        return CUDA_ERROR_INVALID_HANDLE;
    if (asked("lost"))
        return CUDA_ERROR_LAUNCH_FAILED;
    /* Blocks of so many threads use a wrong address. */
    const char *wrong = getenv("GZ_FAKE_WRONG");
    corrupt |= !ahead && wrong && threads == (unsigned)atoi(wrong);
    if (corrupt)
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (!ahead) {
        memcpy(&first, args[0], sizeof first);
        if (fits(first, 1) != CUDA_SUCCESS)
            return CUDA_ERROR_ILLEGAL_ADDRESS;
        say("%s %ux%u", gpu.capture ? "captured" : how, groups, threads);
    }
    double seconds = duration(object->name, args, groups, threads) * (gpu.hooked ? FAKE_HOOKED : 1);
    seconds = seconds > 0 ? seconds : 0;
    computes(object->name, args, groups);
    gpu.busy_s += seconds;
    if (gpu.capture) {
        gpu.capture->graph.launches++;
        gpu.capture->graph.seconds += seconds + FAKE_GRAPH_CYCLES / FAKE_CLOCK_HZ;
        return CUDA_SUCCESS;
    }
    gpu.host_s += FAKE_HOST_S;
    gpu.free_s = (gpu.free_s > gpu.host_s ? gpu.free_s : gpu.host_s) + seconds +
                 FAKE_LAUNCH_CYCLES / FAKE_CLOCK_HZ;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                               unsigned threads, unsigned threads_y, unsigned threads_z,
                               unsigned bytes, CUstream stream, void **args, void **extra)
{
    (void)bytes;
    (void)extra;
    return launch("launch", function, x * y * z, threads * threads_y * threads_z, stream, args);
}

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
                                          unsigned threads, unsigned threads_y, unsigned threads_z,
                                          unsigned bytes, CUstream stream, void **args)
{
    (void)bytes;
    /* The real driver refuses a grid that is not resident as a whole. */
    if (x * y * z > (unsigned)(FAKE_SMS * resident_per_sm(threads)))
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return launch("cooperative", function, x * y * z, threads * threads_y * threads_z, stream,
                  args);
}
