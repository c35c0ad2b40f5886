/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counters - the order of calls is CUPTI's: a host object, which turns metric names into a
 * configuration and counter data into values, and a range profiler on the context, which fills the
 * counter data. Automatic ranges with kernel replay: each kernel is a range of its own.
 *
 * CUPTI crashes where it is called without a working driver, so open begins only after the caller
 * has a context, and cuptiProfilerInitialize must succeed before anything else is called.
 */
#include "counters.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const metrics[GZC_COUNTERS] = {
    [GZC_WARP_INSTRUCTIONS] = "sm__inst_executed.sum",
    [GZC_BANK_CONFLICTS] = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
};

#define CUPTI_FUNCTIONS(F)                                                                         \
    F(cuptiProfilerInitialize)                                                                     \
    F(cuptiProfilerDeInitialize)                                                                   \
    F(cuptiProfilerGetCounterAvailability)                                                         \
    F(cuptiDeviceGetChipName)                                                                      \
    F(cuptiProfilerHostInitialize)                                                                 \
    F(cuptiProfilerHostDeinitialize)                                                               \
    F(cuptiProfilerHostGetSupportedChips)                                                          \
    F(cuptiProfilerHostConfigAddMetrics)                                                           \
    F(cuptiProfilerHostGetConfigImageSize)                                                         \
    F(cuptiProfilerHostGetConfigImage)                                                             \
    F(cuptiProfilerHostGetNumOfPasses)                                                             \
    F(cuptiProfilerHostEvaluateToGpuValues)                                                        \
    F(cuptiRangeProfilerEnable)                                                                    \
    F(cuptiRangeProfilerDisable)                                                                   \
    F(cuptiRangeProfilerGetCounterDataSize)                                                        \
    F(cuptiRangeProfilerCounterDataImageInitialize)                                                \
    F(cuptiRangeProfilerSetConfig)                                                                 \
    F(cuptiRangeProfilerStart)                                                                     \
    F(cuptiRangeProfilerStop)                                                                      \
    F(cuptiRangeProfilerDecodeData)                                                                \
    F(cuptiRangeProfilerGetCounterDataInfo)

#define DECLARE(function) __typeof__(&function) function##_;
#define RESOLVE(function) {&api.function##_, #function},

static struct {
    void *library;
    CUPTI_FUNCTIONS(DECLARE)
} api;

struct gzc_counters {
    bool initialised; /* cuptiProfilerInitialize has succeeded */
    CUpti_Profiler_Host_Object *host;
    CUpti_RangeProfiler_Object *profiler;
    uint8_t *availability, *config, *data;
    size_t config_size, data_size;
};

const char *gzc_counter_metric(enum gzc_counter counter)
{
    return metrics[counter];
}

/* Opens the library where the loader finds it, or where the toolkit usually puts it. */
static void *open_library(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so"};
    static const char *const folders[] = {"lib64", "extras/CUPTI/lib64", "lib"};
    const char *homes[] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
    void *library = NULL;
    for (size_t n = 0; n < 2 && !library; n++)
        library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
    for (size_t h = 0; h < 2 && !library; h++)
        for (size_t f = 0; homes[h] && f < 3 && !library; f++) {
            char path[1000];
            snprintf(path, sizeof path, "%s/%s/libcupti.so.13", homes[h], folders[f]);
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    return library;
}

int gzc_counters_load(struct gzk_error *error)
{
    if (api.library)
        return 0;
    void *library = open_library();
    if (!library)
        return gzk_fail(
            error, GZK_NO_DEVICE,
            "no CUPTI: libcupti.so.13 is not found; install the CUDA toolkit 13, or put the "
            "library's folder into LD_LIBRARY_PATH");
    const struct {
        void *function; /* where its address goes */
        const char *name;
    } functions[] = {CUPTI_FUNCTIONS(RESOLVE)};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address) {
            dlclose(library);
            return gzk_fail(error, GZK_NO_DEVICE,
                            "CUPTI is too old: it lacks %s; install the CUDA toolkit 13",
                            functions[i].name);
        }
        /* Copied as bytes, since C has no conversion from an object pointer to a function's. */
        memcpy(functions[i].function, &address, sizeof address);
    }
    api.library = library;
    return 0;
}

/* ------------------------------------------------------------------------------------- errors */

/* Whether the driver's own switch keeps the counters from users; unknown counts as no. */
static bool restricted_to_admin(void)
{
    char line[200];
    bool restricted = false;
    FILE *file = fopen("/proc/driver/nvidia/params", "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file))
        restricted = restricted || strncmp(line, "RmProfilingAdminOnly: 1", 23) == 0;
    fclose(file);
    return restricted;
}

/* What keeps the counters away, and what to do about it. */
static int failed(struct gzk_error *error, const char *what, CUptiResult status)
{
    switch ((int)status) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return gzk_fail(
            error, GZK_FAILED,
            "counters not permitted (%s: error %d)%s: run as root or with CAP_SYS_ADMIN, or "
            "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0",
            what, (int)status, restricted_to_admin() ? ", RmProfilingAdminOnly is 1" : "");
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return gzk_fail(
            error, GZK_FAILED,
            "counters not permitted on this virtual GPU (%s: error %d): the host must allow "
            "profiling; besides, root or CAP_SYS_ADMIN, or "
            "NVreg_RestrictProfilingToAdminUsers=0",
            what, (int)status);
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        return gzk_fail(
            error, GZK_FAILED,
            "no counters in confidential computing mode (%s: error %d): it must be off; "
            "neither root, CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 changes "
            "that",
            what, (int)status);
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        return gzk_fail(
            error, GZK_FAILED,
            "no counters on a MIG instance (%s: error %d): use a whole GPU; neither root, "
            "CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 changes that",
            what, (int)status);
    case CUPTI_ERROR_HARDWARE_BUSY:
        return gzk_fail(
            error, GZK_FAILED,
            "counters in use by another profiler (%s: error %d): end it; if there is none, "
            "root or CAP_SYS_ADMIN, or NVreg_RestrictProfilingToAdminUsers=0, may help",
            what, (int)status);
    default:
        return gzk_fail(error, GZK_FAILED, "CUPTI: %s: error %d, see cupti_result.h", what,
                        (int)status);
    }
}

/* Calls a function with its structure of parameters, sized as CUPTI wants it. */
#define CALL(function, params) failed_or_ok(error, #function, api.function##_(params))

static int failed_or_ok(struct gzk_error *error, const char *what, CUptiResult status)
{
    return status == CUPTI_SUCCESS ? 0 : failed(error, what, status);
}

/* --------------------------------------------------------------------------------------- host */

const char *gzc_counters_chip(size_t index)
{
    CUpti_Profiler_Host_GetSupportedChips_Params chips = {
        .structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE};
    if (!api.library || api.cuptiProfilerHostGetSupportedChips_(&chips) != CUPTI_SUCCESS)
        return NULL;
    return index < chips.numChips ? chips.ppChipNames[index] : NULL;
}

static int open_host(struct gzc_counters *c, const char *chip, struct gzk_error *error)
{
    CUpti_Profiler_Host_Initialize_Params init = {
        .structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
        .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
        .pChipName = chip,
        .pCounterAvailabilityImage = c->availability};
    int status = CALL(cuptiProfilerHostInitialize, &init);
    if (status != 0)
        return status;
    c->host = init.pHostObject;

    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    CUpti_Profiler_Host_ConfigAddMetrics_Params add = {
        .structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE,
        .pHostObject = c->host,
        .ppMetricNames = names,
        .numMetrics = GZC_COUNTERS};
    status = CALL(cuptiProfilerHostConfigAddMetrics, &add);
    CUpti_Profiler_Host_GetConfigImageSize_Params size = {
        .structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE,
        .pHostObject = c->host};
    if (status == 0)
        status = CALL(cuptiProfilerHostGetConfigImageSize, &size);
    if (status != 0)
        return status;
    c->config_size = size.configImageSize;
    c->config = calloc(1, c->config_size);
    if (!c->config)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    CUpti_Profiler_Host_GetConfigImage_Params image = {
        .structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE,
        .pHostObject = c->host,
        .configImageSize = c->config_size,
        .pConfigImage = c->config};
    return CALL(cuptiProfilerHostGetConfigImage, &image);
}

static void close_host(struct gzc_counters *c)
{
    CUpti_Profiler_Host_Deinitialize_Params end = {
        .structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE, .pHostObject = c->host};
    if (c->host)
        api.cuptiProfilerHostDeinitialize_(&end);
    free(c->availability);
    free(c->config);
    free(c->data);
}

int gzc_counters_passes(const char *chip, size_t *passes, struct gzk_error *error)
{
    struct gzc_counters c = {0};
    int status = gzc_counters_load(error);
    if (status == 0)
        status = open_host(&c, chip, error);
    CUpti_Profiler_Host_GetNumOfPasses_Params count = {
        .structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE,
        .configImageSize = c.config_size,
        .pConfigImage = c.config};
    if (status == 0)
        status = CALL(cuptiProfilerHostGetNumOfPasses, &count);
    *passes = count.numOfPasses;
    close_host(&c);
    return status;
}

/* ------------------------------------------------------------------------------------- target */

/* Which counters this device, as it is set up, really has. */
static int ask_availability(struct gzc_counters *c, void *context, struct gzk_error *error)
{
    CUpti_Profiler_GetCounterAvailability_Params ask = {
        .structSize = CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE, .ctx = context};
    int status = CALL(cuptiProfilerGetCounterAvailability, &ask);
    if (status != 0)
        return status;
    c->availability = calloc(1, ask.counterAvailabilityImageSize);
    if (!c->availability)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    ask.pCounterAvailabilityImage = c->availability;
    return CALL(cuptiProfilerGetCounterAvailability, &ask);
}

static int open_profiler(struct gzc_counters *c, void *context, struct gzk_error *error)
{
    CUpti_RangeProfiler_Enable_Params enable = {
        .structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE, .ctx = context};
    int status = CALL(cuptiRangeProfilerEnable, &enable);
    if (status != 0)
        return status;
    c->profiler = enable.pRangeProfilerObject;

    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    CUpti_RangeProfiler_GetCounterDataSize_Params size = {
        .structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->profiler,
        .pMetricNames = names,
        .numMetrics = GZC_COUNTERS,
        .maxNumOfRanges = GZC_MAX_RANGES,
        .maxNumRangeTreeNodes = GZC_MAX_RANGES};
    status = CALL(cuptiRangeProfilerGetCounterDataSize, &size);
    if (status != 0)
        return status;
    c->data_size = size.counterDataSize;
    c->data = calloc(1, c->data_size);
    return c->data ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
}

int gzc_counters_open(int index, void *context, struct gzc_counters **made, struct gzk_error *error)
{
    int status = gzc_counters_load(error);
    struct gzc_counters *c = status == 0 ? calloc(1, sizeof *c) : NULL;
    if (status != 0)
        return status;
    if (!c)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    CUpti_Profiler_Initialize_Params init = {.structSize =
                                                 CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    status = CALL(cuptiProfilerInitialize, &init);
    c->initialised = status == 0;
    CUpti_Device_GetChipName_Params chip = {
        .structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = (size_t)index};
    if (status == 0)
        status = CALL(cuptiDeviceGetChipName, &chip);
    if (status == 0)
        status = ask_availability(c, context, error);
    if (status == 0)
        status = open_host(c, chip.pChipName, error);
    if (status == 0)
        status = open_profiler(c, context, error);
    if (status != 0) {
        gzc_counters_close(c);
        return status;
    }
    *made = c;
    return 0;
}

void gzc_counters_close(struct gzc_counters *c)
{
    if (!c)
        return;
    CUpti_RangeProfiler_Disable_Params disable = {
        .structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->profiler};
    if (c->profiler)
        api.cuptiRangeProfilerDisable_(&disable);
    close_host(c);
    CUpti_Profiler_DeInitialize_Params end = {.structSize =
                                                  CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE};
    if (c->initialised)
        api.cuptiProfilerDeInitialize_(&end);
    free(c);
}

/* Counter data are emptied before each count, which would otherwise add ranges to the last. */
static int arm(struct gzc_counters *c, struct gzk_error *error)
{
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params empty = {
        .structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->profiler,
        .counterDataSize = c->data_size,
        .pCounterData = c->data};
    int status = CALL(cuptiRangeProfilerCounterDataImageInitialize, &empty);
    CUpti_RangeProfiler_SetConfig_Params config = {
        .structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->profiler,
        .configSize = c->config_size,
        .pConfig = c->config,
        .counterDataImageSize = c->data_size,
        .pCounterDataImage = c->data,
        .range = CUPTI_AutoRange,
        .replayMode = CUPTI_KernelReplay,
        .maxRangesPerPass = GZC_MAX_RANGES,
        .numNestingLevels = 1,
        .minNestingLevel = 1};
    if (status == 0)
        status = CALL(cuptiRangeProfilerSetConfig, &config);
    CUpti_RangeProfiler_Start_Params start = {.structSize =
                                                  CUpti_RangeProfiler_Start_Params_STRUCT_SIZE,
                                              .pRangeProfilerObject = c->profiler};
    return status == 0 ? CALL(cuptiRangeProfilerStart, &start) : status;
}

/* Reads off the last range. */
static int evaluate(struct gzc_counters *c, double counts[GZC_COUNTERS], struct gzk_error *error)
{
    CUpti_RangeProfiler_DecodeData_Params decode = {
        .structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE,
        .pRangeProfilerObject = c->profiler};
    int status = CALL(cuptiRangeProfilerDecodeData, &decode);
    CUpti_RangeProfiler_GetCounterDataInfo_Params info = {
        .structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE,
        .pCounterDataImage = c->data,
        .counterDataImageSize = c->data_size};
    if (status == 0)
        status = CALL(cuptiRangeProfilerGetCounterDataInfo, &info);
    if (status == 0 && (info.numTotalRanges == 0 || decode.numOfRangeDropped > 0))
        return gzk_fail(error, GZK_FAILED,
                        "CUPTI counted %zu kernels and dropped %zu: expected 1 to %d",
                        info.numTotalRanges, decode.numOfRangeDropped, (int)GZC_MAX_RANGES);
    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    CUpti_Profiler_Host_EvaluateToGpuValues_Params value = {
        .structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE,
        .pHostObject = c->host,
        .pCounterDataImage = c->data,
        .counterDataImageSize = c->data_size,
        .rangeIndex = info.numTotalRanges - 1,
        .ppMetricNames = names,
        .numMetrics = GZC_COUNTERS,
        .pMetricValues = counts};
    return status == 0 ? CALL(cuptiProfilerHostEvaluateToGpuValues, &value) : status;
}

int gzc_counters_count(struct gzc_counters *c, int (*work)(void *, struct gzk_error *),
                       void *argument, double counts[GZC_COUNTERS], struct gzk_error *error)
{
    int status = arm(c, error);
    if (status != 0)
        return status;
    int worked = work(argument, error);
    CUpti_RangeProfiler_Stop_Params stop = {.structSize =
                                                CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE,
                                            .pRangeProfilerObject = c->profiler};
    CUptiResult stopped = api.cuptiRangeProfilerStop_(&stop);
    if (worked != 0)
        return worked;
    if (stopped != CUPTI_SUCCESS)
        return failed(error, "cuptiRangeProfilerStop", stopped);
    return evaluate(c, counts, error);
}
