/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libcupti - the part of CUPTI that counters.c uses, over the fake driver: built as libcupti.so.13.
 * Each kernel is a range; its counts are those that fake.h promises. The call named in
 * GZ_FAKE_CUPTI_CALL fails with the status in GZ_FAKE_CUPTI_STATUS. With GZ_FAKE_SASS=peeled, the
 * kernel's code has the first loop by itself, so that its instructions look like those of no loop;
 * with GZ_FAKE_SASS=dropped, records are lost; with GZ_FAKE_SASS=elsewhere, they are of another
 * kernel.
 */
#include "fake.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* A handle that is not NULL. */
static char something;

static CUptiResult status_of(const char *call)
{
    const char *failing = getenv("GZ_FAKE_CUPTI_CALL"), *status = getenv("GZ_FAKE_CUPTI_STATUS");
    return failing && status && strcmp(failing, call) == 0 ? (CUptiResult)atoi(status)
                                                           : CUPTI_SUCCESS;
}

#define PLAIN(call, type)                                                                          \
    EXPORT CUptiResult call(type *params)                                                          \
    {                                                                                              \
        (void)params;                                                                              \
        return status_of(#call);                                                                   \
    }

PLAIN(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize_Params)
PLAIN(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params)
PLAIN(cuptiProfilerHostGetSupportedChips, CUpti_Profiler_Host_GetSupportedChips_Params)
PLAIN(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params)
PLAIN(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
PLAIN(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)
PLAIN(cuptiRangeProfilerCounterDataImageInitialize,
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
PLAIN(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
PLAIN(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)
PLAIN(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params)
PLAIN(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)

EXPORT CUptiResult
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *params)
{
    params->counterAvailabilityImageSize = 16;
    return status_of("cuptiProfilerGetCounterAvailability");
}

EXPORT CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
    params->pChipName = "GH100";
    return status_of("cuptiDeviceGetChipName");
}

EXPORT CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *params)
{
    params->pHostObject = (CUpti_Profiler_Host_Object *)(void *)&something;
    return status_of("cuptiProfilerHostInitialize");
}

EXPORT CUptiResult
cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *params)
{
    params->configImageSize = 16;
    return status_of("cuptiProfilerHostGetConfigImageSize");
}

EXPORT CUptiResult
cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *params)
{
    params->numOfPasses = 1;
    return status_of("cuptiProfilerHostGetNumOfPasses");
}

EXPORT CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *params)
{
    params->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)(void *)&something;
    return status_of("cuptiRangeProfilerEnable");
}

EXPORT CUptiResult
cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *params)
{
    params->counterDataSize = 16;
    return status_of("cuptiRangeProfilerGetCounterDataSize");
}

/* Not the number of ranges, but the room that there is for them. */
EXPORT CUptiResult
cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *params)
{
    params->numTotalRanges = 8;
    return status_of("cuptiRangeProfilerGetCounterDataInfo");
}

/* GZ_FAKE_CUPTI_VERSION: as a library of another version that has the same name. */
EXPORT CUptiResult cuptiGetVersion(uint32_t *version)
{
    const char *given = getenv("GZ_FAKE_CUPTI_VERSION");
    *version = given ? (uint32_t)atoi(given) : 130001;
    return CUPTI_SUCCESS;
}

/* A function of the fake driver, which this program has open already. */
static void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *address = driver ? dlsym(driver, name) : NULL;
    if (driver)
        dlclose(driver);
    return address;
}

/* From here on the process is slower. */
EXPORT CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *params)
{
    void *address = driver_function("gz_fake_hook");
    void (*hook)(void);
    (void)params;
    if (address) {
        memcpy(&hook, &address, sizeof hook);
        hook();
    }
    return status_of("cuptiProfilerInitialize");
}

/* The kernel that the program launched is range 2, after two that the driver fills memory with; the
 * rest of the room was never used. */
EXPORT CUptiResult
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
    void *address = driver_function("gz_fake_instructions");
    double (*count)(void);
    if (!address)
        return CUPTI_ERROR_UNKNOWN;
    memcpy(&count, &address, sizeof count);
    double counted = params->rangeIndex > 2 ? 0 : params->rangeIndex < 2 ? 7 : count();
    for (size_t m = 0; m < params->numMetrics; m++)
        params->pMetricValues[m] = strncmp(params->ppMetricNames[m], "sm__inst_executed", 17) == 0
                                       ? counted
                                       : counted * FAKE_CONFLICTS_PER_INST;
    return status_of("cuptiProfilerHostEvaluateToGpuValues");
}

/* ------------------------------------------------------------------------------- SASS metrics */

enum { ONCE_PLACES = 4, LOOP_PLACES = 7, SASS_METRIC = 77 };

/* The states that CUPTI insists on. */
static int configured, enabled, flushed;

/* Names of functions, which go when the metrics are disabled. */
static char own_name[20], other_name[20];

static int sass_is(const char *what)
{
    const char *how = getenv("GZ_FAKE_SASS");
    return how && strcmp(how, what) == 0;
}

EXPORT CUptiResult cuptiSassMetricsGetProperties(CUpti_SassMetrics_GetProperties_Params *params)
{
    if (strcmp(params->pMetricName, "smsp__sass_inst_executed") != 0 ||
        strcmp(params->pChipName, "GH100") != 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->metric.metricId = SASS_METRIC;
    return status_of("cuptiSassMetricsGetProperties");
}

EXPORT CUptiResult cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params *params)
{
    if (configured || params->numOfMetricConfig != 1 ||
        params->pConfigs[0].metricId != SASS_METRIC ||
        params->pConfigs[0].outputGranularity != CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU)
        return CUPTI_ERROR_INVALID_OPERATION;
    CUptiResult status = status_of("cuptiSassMetricsSetConfig");
    configured = status == CUPTI_SUCCESS;
    return status;
}

EXPORT CUptiResult cuptiSassMetricsUnsetConfig(CUpti_SassMetricsUnsetConfig_Params *params)
{
    (void)params;
    if (!configured || enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    configured = 0;
    return status_of("cuptiSassMetricsUnsetConfig");
}

EXPORT CUptiResult cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params *params)
{
    (void)params;
    if (!configured || enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    CUptiResult status = status_of("cuptiSassMetricsEnable");
    enabled = status == CUPTI_SUCCESS;
    flushed = 0;
    return status;
}

EXPORT CUptiResult cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params *params)
{
    if (!enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    enabled = 0;
    memset(own_name, 0, sizeof own_name);
    memset(other_name, 0, sizeof other_name);
    params->numOfDroppedRecords = flushed && !sass_is("dropped") ? 0 : ONCE_PLACES + LOOP_PLACES;
    return status_of("cuptiSassMetricsDisable");
}

EXPORT CUptiResult
cuptiSassMetricsGetDataProperties(CUpti_SassMetricsGetDataProperties_Params *params)
{
    if (!enabled)
        return CUPTI_ERROR_INVALID_OPERATION;
    /* One more, of a kernel that the driver fills memory with. */
    params->numOfPatchedInstructionRecords = ONCE_PLACES + LOOP_PLACES + 1;
    params->numOfInstances = 1;
    return status_of("cuptiSassMetricsGetDataProperties");
}

/* What each instruction of the last launch was executed; those of the loops first, so that no
 * order is relied on. */
EXPORT CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params *params)
{
    void *address = driver_function("gz_fake_split");
    void (*split_of)(double[3]);
    double split[3];
    if (!address)
        return CUPTI_ERROR_UNKNOWN;
    if (!enabled || params->numOfPatchedInstructionRecords != ONCE_PLACES + LOOP_PLACES + 1)
        return CUPTI_ERROR_INVALID_OPERATION;
    memcpy(&split_of, &address, sizeof split_of);
    split_of(split);
    strcpy(own_name, "gz_stage");
    strcpy(other_name, "fill");
    double peeled = sass_is("peeled") ? 1 : 0;
    double once = split[0] + peeled * split[1], loops = split[1] * (split[2] - peeled);
    for (int r = 0; r <= ONCE_PLACES + LOOP_PLACES; r++) {
        CUpti_SassMetrics_Data *record = &params->pMetricsData[r];
        int other = r == ONCE_PLACES + LOOP_PLACES || sass_is("elsewhere");
        if (record->structSize != CUpti_SassMetricsFlushData_Params_STRUCT_SIZE)
            return CUPTI_ERROR_INVALID_PARAMETER;
        record->cubinCrc = 0xabcd;
        record->functionIndex = other ? 2 : 1;
        record->functionName = other ? other_name : own_name;
        record->pcOffset = (uint32_t)(16 * (ONCE_PLACES + LOOP_PLACES - r));
        record->pInstanceValues[0].metricId = SASS_METRIC;
        record->pInstanceValues[0].value = (uint64_t)(other             ? 5000
                                                      : r < LOOP_PLACES ? loops / LOOP_PLACES
                                                                        : once / ONCE_PLACES);
    }
    flushed = 1;
    return status_of("cuptiSassMetricsFlushData");
}
