/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counters - the order of calls is CUPTI's: a host object, which turns metric names into a
 * configuration and counter data into values, and a range profiler on the context, which fills the
 * counter data. Automatic ranges with kernel replay: each kernel is a range of its own.
 *
 * CUPTI crashes if it is called without a working driver, so open begins only after the caller
 * has a context, and cuptiProfilerInitialize must succeed before anything else is called.
 */
#include "counters.h"

#include "output.h"
#include "toolkit.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
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

#define POINTER(function) __typeof__(&function) function##_;
#define ROW(function) {&api.function##_, #function, NULL},

static struct {
    bool loaded;
    CUPTI_FUNCTIONS(POINTER)
} api;

/* The one major version whose structures the headers describe: others have other sizes. */
static const char soname[] = "libcupti.so.13";
enum { LEAST_VERSION = 130000, BEYOND_VERSION = 140000 };

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

int gzc_counters_load(struct gzk_error *error)
{
    static const char *const names[] = {soname, NULL};
    static const char *const companions[] = {"libnvperf_host.so*", "libnvperf_target.so*", NULL};
    static const struct gzk_toolkit_library cupti = {names, companions};
    static void *library;
    static char place[400];
    const struct gzk_function functions[] = {CUPTI_FUNCTIONS(ROW)};
    CUptiResult (*ask)(uint32_t *);
    uint32_t version = 0;
    if (api.loaded)
        return 0;
    if (!library)
        library = gzk_toolkit_open(&cupti, place, sizeof place);
    if (!library)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no CUPTI: %s was not found in %s; set CUDA_HOME to the folder of the CUDA "
                        "toolkit 13, or install CUPTI",
                        soname, place);
    if (!gzk_take_function(library, "cuptiGetVersion", &ask) || ask(&version) != CUPTI_SUCCESS ||
        version < LEAST_VERSION || version >= BEYOND_VERSION)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "CUPTI: %s has version %lu: must be %d or later, and before %d", place,
                        (unsigned long)version, (int)LEAST_VERSION, (int)BEYOND_VERSION);
    const char *missing =
        gzk_take_functions(library, functions, sizeof functions / sizeof *functions);
    if (missing)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "CUPTI is too old: it lacks %s; install the CUDA toolkit 13", missing);
    api.loaded = true;
    return 0;
}

/* What keeps the counters away, and what to do about it. */
static const struct {
    CUptiResult status;
    const char *what, *remedy;
} refusals[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "counters not permitted",
     ": run as root or with CAP_SYS_ADMIN, or load the nvidia module with "
     "NVreg_RestrictProfilingToAdminUsers=0"},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
     "counters not permitted on this virtual GPU",
     ": the host must allow profiling; besides, root or CAP_SYS_ADMIN, or "
     "NVreg_RestrictProfilingToAdminUsers=0"},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "no counters in confidential computing mode",
     ": it must be off; neither root, CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 "
     "changes that"},
    {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "no counters on a MIG instance",
     ": use a whole GPU; neither root, CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 "
     "changes that"},
    {CUPTI_ERROR_HARDWARE_BUSY, "counters in use by another profiler",
     ": end it; if there is none, root or CAP_SYS_ADMIN, or "
     "NVreg_RestrictProfilingToAdminUsers=0, may help"},
    {CUPTI_ERROR_NOT_SUPPORTED, "CUPTI does not count on this GPU or system", ""},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "CUPTI does not count on this virtual GPU", ""},
    {CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "CUPTI does not count on a mining processor (CMP)", ""},
    {CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED,
     "CUPTI does not count on GPUs joined by SLI: take them apart", ""},
    {CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "CUPTI does not count on this GPU under WSL", ""},
};

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

/* 0 for CUPTI_SUCCESS; else GZK_FAILED, with a line on what `call` was refused for. */
static int check(CUptiResult status, const char *call, struct gzk_error *error)
{
    bool admin = status == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES && restricted_to_admin();
    if (status == CUPTI_SUCCESS)
        return 0;
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        if (refusals[k].status == status)
            return gzk_fail(error, GZK_FAILED, "%s (%s: error %d)%s%s", refusals[k].what, call,
                            (int)status, admin ? ", RmProfilingAdminOnly is 1" : "",
                            refusals[k].remedy);
    return gzk_fail(error, GZK_FAILED, "CUPTI: %s: error %d, see cupti_result.h", call,
                    (int)status);
}

/* A structure of parameters, sized as CUPTI requires; and a call with it. */
#define PARAMS(function, name, ...)                                                                \
    function##_Params name = {.structSize = function##_Params_STRUCT_SIZE, __VA_ARGS__}
#define CALL(function, params) check(api.function##_(params), #function, error)

/* --------------------------------------------------------------------------------------- host */

static int open_host(struct gzc_counters *c, const char *chip, struct gzk_error *error)
{
    PARAMS(CUpti_Profiler_Host_Initialize, init, .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER,
           .pChipName = chip, .pCounterAvailabilityImage = c->availability);
    int status = CALL(cuptiProfilerHostInitialize, &init);
    if (status != 0)
        return status;
    c->host = init.pHostObject;

    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    PARAMS(CUpti_Profiler_Host_ConfigAddMetrics, add, .pHostObject = c->host,
           .ppMetricNames = names, .numMetrics = GZC_COUNTERS);
    status = CALL(cuptiProfilerHostConfigAddMetrics, &add);
    PARAMS(CUpti_Profiler_Host_GetConfigImageSize, size, .pHostObject = c->host);
    if (status == 0)
        status = CALL(cuptiProfilerHostGetConfigImageSize, &size);
    if (status != 0)
        return status;
    c->config_size = size.configImageSize;
    c->config = cli_room(c->config_size, 1);
    PARAMS(CUpti_Profiler_Host_GetConfigImage, image, .pHostObject = c->host,
           .configImageSize = c->config_size, .pConfigImage = c->config);
    return CALL(cuptiProfilerHostGetConfigImage, &image);
}

static void close_host(struct gzc_counters *c)
{
    PARAMS(CUpti_Profiler_Host_Deinitialize, end, .pHostObject = c->host);
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
    PARAMS(CUpti_Profiler_Host_GetNumOfPasses, count, .configImageSize = c.config_size,
           .pConfigImage = c.config);
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
    PARAMS(CUpti_Profiler_GetCounterAvailability, ask, .ctx = context);
    int status = CALL(cuptiProfilerGetCounterAvailability, &ask);
    if (status != 0)
        return status;
    c->availability = cli_room(ask.counterAvailabilityImageSize, 1);
    ask.pCounterAvailabilityImage = c->availability;
    return CALL(cuptiProfilerGetCounterAvailability, &ask);
}

static int open_profiler(struct gzc_counters *c, void *context, struct gzk_error *error)
{
    PARAMS(CUpti_RangeProfiler_Enable, enable, .ctx = context);
    int status = CALL(cuptiRangeProfilerEnable, &enable);
    if (status != 0)
        return status;
    c->profiler = enable.pRangeProfilerObject;

    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    PARAMS(CUpti_RangeProfiler_GetCounterDataSize, size, .pRangeProfilerObject = c->profiler,
           .pMetricNames = names, .numMetrics = GZC_COUNTERS, .maxNumOfRanges = GZC_MAX_RANGES,
           .maxNumRangeTreeNodes = GZC_MAX_RANGES);
    status = CALL(cuptiRangeProfilerGetCounterDataSize, &size);
    if (status != 0)
        return status;
    c->data_size = size.counterDataSize;
    c->data = cli_room(c->data_size, 1);
    return 0;
}

int gzc_counters_open(int index, void *context, struct gzc_counters **made, struct gzk_error *error)
{
    int status = gzc_counters_load(error);
    if (status != 0)
        return status;
    struct gzc_counters *c = cli_room(1, sizeof *c);
    PARAMS(CUpti_Profiler_Initialize, init, .pPriv = NULL);
    status = CALL(cuptiProfilerInitialize, &init);
    c->initialised = status == 0;
    PARAMS(CUpti_Device_GetChipName, chip, .deviceIndex = (size_t)index);
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
    PARAMS(CUpti_RangeProfiler_Disable, disable, .pRangeProfilerObject = c->profiler);
    if (c->profiler)
        api.cuptiRangeProfilerDisable_(&disable);
    close_host(c);
    PARAMS(CUpti_Profiler_DeInitialize, end, .pPriv = NULL);
    if (c->initialised)
        api.cuptiProfilerDeInitialize_(&end);
    free(c);
}

/* Counter data are emptied before each count, which would otherwise add ranges to the last. */
static int arm(struct gzc_counters *c, struct gzk_error *error)
{
    PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize, empty,
           .pRangeProfilerObject = c->profiler, .counterDataSize = c->data_size,
           .pCounterData = c->data);
    int status = CALL(cuptiRangeProfilerCounterDataImageInitialize, &empty);
    PARAMS(CUpti_RangeProfiler_SetConfig, config, .pRangeProfilerObject = c->profiler,
           .configSize = c->config_size, .pConfig = c->config, .counterDataImageSize = c->data_size,
           .pCounterDataImage = c->data, .range = CUPTI_AutoRange, .replayMode = CUPTI_KernelReplay,
           .maxRangesPerPass = GZC_MAX_RANGES, .numNestingLevels = 1, .minNestingLevel = 1);
    if (status == 0)
        status = CALL(cuptiRangeProfilerSetConfig, &config);
    PARAMS(CUpti_RangeProfiler_Start, start, .pRangeProfilerObject = c->profiler);
    return status == 0 ? CALL(cuptiRangeProfilerStart, &start) : status;
}

static int evaluate_range(struct gzc_counters *c, size_t range, double counts[GZC_COUNTERS],
                          struct gzk_error *error)
{
    const char *names[GZC_COUNTERS];
    memcpy(names, metrics, sizeof names);
    PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues, value, .pHostObject = c->host,
           .pCounterDataImage = c->data, .counterDataImageSize = c->data_size, .rangeIndex = range,
           .ppMetricNames = names, .numMetrics = GZC_COUNTERS, .pMetricValues = counts);
    return CALL(cuptiProfilerHostEvaluateToGpuValues, &value);
}

/* Reads off the last kernel. What CUPTI says of the number of ranges may be the room for them, so
 * the last is the last in which anything was executed. */
static int evaluate(struct gzc_counters *c, double counts[GZC_COUNTERS], struct gzk_error *error)
{
    PARAMS(CUpti_RangeProfiler_DecodeData, decode, .pRangeProfilerObject = c->profiler);
    int status = CALL(cuptiRangeProfilerDecodeData, &decode);
    PARAMS(CUpti_RangeProfiler_GetCounterDataInfo, info, .pCounterDataImage = c->data,
           .counterDataImageSize = c->data_size);
    if (status == 0)
        status = CALL(cuptiRangeProfilerGetCounterDataInfo, &info);
    if (status == 0 && (info.numTotalRanges == 0 || decode.numOfRangeDropped > 0))
        return gzk_fail(error, GZK_FAILED,
                        "CUPTI counted %zu kernels and dropped %zu: expected 1 to %d",
                        info.numTotalRanges, decode.numOfRangeDropped, (int)GZC_MAX_RANGES);
    if (status != 0)
        return status;
    /* A range that was never used may also be refused; the first refusal is kept. */
    for (size_t range = info.numTotalRanges; range-- > 0;) {
        struct gzk_error mine;
        int refused = evaluate_range(c, range, counts, &mine);
        if (refused == 0 && counts[GZC_WARP_INSTRUCTIONS] > 0)
            return 0;
        if (refused != 0 && status == 0) {
            status = refused;
            *error = mine;
        }
    }
    return status != 0 ? status
                       : gzk_fail(error, GZK_FAILED,
                                  "CUPTI has room for %zu kernels, and none executed anything",
                                  info.numTotalRanges);
}

int gzc_counters_count(struct gzc_counters *c, int (*work)(void *, struct gzk_error *),
                       void *argument, double counts[GZC_COUNTERS], struct gzk_error *error)
{
    int status = arm(c, error);
    if (status != 0)
        return status;
    int worked = work(argument, error);
    PARAMS(CUpti_RangeProfiler_Stop, stop, .pRangeProfilerObject = c->profiler);
    CUptiResult stopped = api.cuptiRangeProfilerStop_(&stop);
    if (worked != 0)
        return worked;
    int status_of_stop = check(stopped, "cuptiRangeProfilerStop", error);
    return status_of_stop == 0 ? evaluate(c, counts, error) : status_of_stop;
}
