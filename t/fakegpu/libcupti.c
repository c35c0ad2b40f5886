/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libcupti - the part of CUPTI that counters.c uses, over the fake driver: built as libcupti.so.13.
 * Each kernel is a range; its counts are those that fake.h promises. The call named in
 * GZ_FAKE_CUPTI_CALL fails with the status in GZ_FAKE_CUPTI_STATUS.
 */
#include "fake.h"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
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

#define SETS(name, type, set)                                                                      \
    EXPORT CUptiResult name(type *params)                                                          \
    {                                                                                              \
        set;                                                                                       \
        return status_of(#name);                                                                   \
    }
#define PLAIN(name, type) SETS(name, type, (void)params)
PLAIN(cuptiProfilerDeInitialize, CUpti_Profiler_DeInitialize_Params)
PLAIN(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params)
PLAIN(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params)
PLAIN(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
PLAIN(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)
PLAIN(cuptiRangeProfilerCounterDataImageInitialize,
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
PLAIN(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
PLAIN(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)
PLAIN(cuptiRangeProfilerStop, CUpti_RangeProfiler_Stop_Params)
PLAIN(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)

SETS(cuptiProfilerGetCounterAvailability, CUpti_Profiler_GetCounterAvailability_Params,
     params->counterAvailabilityImageSize = 16)
SETS(cuptiDeviceGetChipName, CUpti_Device_GetChipName_Params, params->pChipName = "GH100")
SETS(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params,
     params->pHostObject = (CUpti_Profiler_Host_Object *)(void *)&something)
SETS(cuptiProfilerHostGetConfigImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params,
     params->configImageSize = 16)
SETS(cuptiProfilerHostGetNumOfPasses, CUpti_Profiler_Host_GetNumOfPasses_Params,
     params->numOfPasses = 1)
SETS(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params,
     params->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)(void *)&something)
SETS(cuptiRangeProfilerGetCounterDataSize, CUpti_RangeProfiler_GetCounterDataSize_Params,
     params->counterDataSize = 16)
/* Not the number of ranges, but the room that there is for them. */
SETS(cuptiRangeProfilerGetCounterDataInfo, CUpti_RangeProfiler_GetCounterDataInfo_Params,
     params->numTotalRanges = 8)
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
