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

PLAIN(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
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

EXPORT CUptiResult
cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *params)
{
    params->numTotalRanges = 1;
    return status_of("cuptiRangeProfilerGetCounterDataInfo");
}

EXPORT CUptiResult
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *address = driver ? dlsym(driver, "gz_fake_instructions") : NULL;
    double (*count)(void);
    if (!address)
        return CUPTI_ERROR_UNKNOWN;
    memcpy(&count, &address, sizeof count);
    for (size_t m = 0; m < params->numMetrics; m++)
        params->pMetricValues[m] = strncmp(params->ppMetricNames[m], "sm__inst_executed", 17) == 0
                                       ? count()
                                       : count() * FAKE_CONFLICTS_PER_INST;
    dlclose(driver);
    return status_of("cuptiProfilerHostEvaluateToGpuValues");
}
