/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sass - the order of calls is CUPTI's: the profiler is initialised and the metric configured once;
 * around each run, patching is enabled, what was counted is flushed, and patching is disabled
 * again, which empties CUPTI's records.
 */
#include "sass.h"

#include "cuptilib.h"

#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char gzc_sass_metric[] = "smsp__sass_inst_executed";

#define SASS_FUNCTIONS(F)                                                                          \
    F(cuptiProfilerInitialize)                                                                     \
    F(cuptiProfilerDeInitialize)                                                                   \
    F(cuptiDeviceGetChipName)                                                                      \
    F(cuptiSassMetricsGetProperties)                                                               \
    F(cuptiSassMetricsSetConfig)                                                                   \
    F(cuptiSassMetricsUnsetConfig)                                                                 \
    F(cuptiSassMetricsEnable)                                                                      \
    F(cuptiSassMetricsDisable)                                                                     \
    F(cuptiSassMetricsGetDataProperties)                                                           \
    F(cuptiSassMetricsFlushData)

static struct {
    SASS_FUNCTIONS(GZC_CUPTI_POINTER)
} api;

struct gzc_sass {
    bool initialised, configured;
    uint32_t device;
    uint64_t metric;
    CUcontext context;
};

#define CALL(function, params) gzc_cupti_check(api.function##_(params), #function, error)

static int configure(struct gzc_sass *sass, struct gzk_error *error)
{
    CUpti_Device_GetChipName_Params chip = {
        .structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = sass->device};
    int status = CALL(cuptiDeviceGetChipName, &chip);
    CUpti_SassMetrics_GetProperties_Params properties = {
        .structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
        .pChipName = chip.pChipName,
        .pMetricName = gzc_sass_metric};
    if (status == 0)
        status = CALL(cuptiSassMetricsGetProperties, &properties);
    sass->metric = properties.metric.metricId;
    CUpti_SassMetrics_Config config = {
        .metricId = sass->metric, .outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    CUpti_SassMetricsSetConfig_Params set = {.structSize =
                                                 CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
                                             .numOfMetricConfig = 1,
                                             .pConfigs = &config,
                                             .deviceIndex = sass->device};
    if (status == 0)
        status = CALL(cuptiSassMetricsSetConfig, &set);
    sass->configured = status == 0;
    return status;
}

int gzc_sass_open(int index, void *context, struct gzc_sass **made, struct gzk_error *error)
{
    const struct gzc_cupti_function functions[] = {SASS_FUNCTIONS(GZC_CUPTI_ROW)};
    int status = gzc_cupti_resolve(functions, sizeof functions / sizeof *functions, error);
    if (status != 0)
        return status;
    struct gzc_sass *sass = calloc(1, sizeof *sass);
    if (!sass)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    sass->device = (uint32_t)index;
    sass->context = context;
    CUpti_Profiler_Initialize_Params init = {.structSize =
                                                 CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    status = CALL(cuptiProfilerInitialize, &init);
    sass->initialised = status == 0;
    if (status == 0)
        status = configure(sass, error);
    if (status != 0) {
        gzc_sass_close(sass);
        return status;
    }
    *made = sass;
    return 0;
}

void gzc_sass_close(struct gzc_sass *sass)
{
    if (!sass)
        return;
    CUpti_SassMetricsUnsetConfig_Params unset = {
        .structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE, .deviceIndex = sass->device};
    CUpti_Profiler_DeInitialize_Params end = {.structSize =
                                                  CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE};
    if (sass->configured)
        api.cuptiSassMetricsUnsetConfig_(&unset);
    if (sass->initialised)
        api.cuptiProfilerDeInitialize_(&end);
    free(sass);
}

/* ------------------------------------------------------------------------------------ counting */

/* What CUPTI flushes into, for all instructions that it patched. */
struct records {
    CUpti_SassMetrics_Data *data;
    CUpti_SassMetrics_InstanceValue *values;
    size_t count, instances;
};

/* Keeps those of the kernel. */
static int keep(const struct gzc_sass *sass, const struct records *records, const char *kernel,
                struct gzc_sass_count **counts, size_t *count, struct gzk_error *error)
{
    struct gzc_sass_count *kept = malloc((records->count + 1) * sizeof *kept);
    size_t n = 0;
    if (!kept)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (size_t r = 0; r < records->count; r++) {
        const CUpti_SassMetrics_Data *from = &records->data[r];
        if (!from->functionName || strcmp(from->functionName, kernel) != 0)
            continue;
        kept[n] = (struct gzc_sass_count){from->cubinCrc, from->functionIndex, from->pcOffset, 0};
        for (size_t i = 0; i < records->instances; i++)
            if (from->pInstanceValues[i].metricId == sass->metric)
                kept[n].executed += (double)from->pInstanceValues[i].value;
        n++;
    }
    if (n == 0) {
        free(kept);
        return gzk_fail(error, GZK_FAILED, "CUPTI counted %zu instructions, none of them of %s",
                        records->count, kernel);
    }
    *counts = kept;
    *count = n;
    return 0;
}

static int flush(const struct gzc_sass *sass, struct records *records, struct gzk_error *error)
{
    CUpti_SassMetricsGetDataProperties_Params size = {
        .structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE, .ctx = sass->context};
    int status = CALL(cuptiSassMetricsGetDataProperties, &size);
    if (status != 0)
        return status;
    records->count = size.numOfPatchedInstructionRecords;
    records->instances = size.numOfInstances;
    if (records->count == 0 || records->instances == 0)
        return gzk_fail(error, GZK_FAILED, "CUPTI patched no instructions");
    records->data = calloc(records->count, sizeof *records->data);
    records->values = calloc(records->count * records->instances, sizeof *records->values);
    if (!records->data || !records->values)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (size_t r = 0; r < records->count; r++) {
        /* The size that its header requires. */
        records->data[r].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
        records->data[r].pInstanceValues = &records->values[r * records->instances];
    }
    CUpti_SassMetricsFlushData_Params into = {.structSize =
                                                  CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
                                              .ctx = sass->context,
                                              .numOfPatchedInstructionRecords = records->count,
                                              .numOfInstances = records->instances,
                                              .pMetricsData = records->data};
    return CALL(cuptiSassMetricsFlushData, &into);
}

int gzc_sass_count(struct gzc_sass *sass, const char *kernel,
                   int (*work)(void *, struct gzk_error *), void *argument,
                   struct gzc_sass_count **counts, size_t *count, struct gzk_error *error)
{
    struct records records = {0};
    *counts = NULL;
    *count = 0;
    /* Lazily: only what is launched is patched. */
    CUpti_SassMetricsEnable_Params enable = {.structSize =
                                                 CUpti_SassMetricsEnable_Params_STRUCT_SIZE,
                                             .ctx = sass->context,
                                             .enableLazyPatching = 1};
    int status = CALL(cuptiSassMetricsEnable, &enable);
    if (status != 0)
        return status;
    status = work(argument, error);
    if (status == 0)
        status = flush(sass, &records, error);
    /* The records' names of functions are CUPTI's, and may be gone once it is disabled. */
    if (status == 0)
        status = keep(sass, &records, kernel, counts, count, error);
    CUpti_SassMetricsDisable_Params disable = {
        .structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE, .ctx = sass->context};
    CUptiResult disabled = api.cuptiSassMetricsDisable_(&disable);
    if (status == 0)
        status = gzc_cupti_check(disabled, "cuptiSassMetricsDisable", error);
    if (status == 0 && disable.numOfDroppedRecords > 0)
        status = gzk_fail(error, GZK_FAILED, "CUPTI dropped %zu records of instructions",
                          disable.numOfDroppedRecords);
    if (status != 0) {
        free(*counts);
        *counts = NULL;
    }
    free(records.data);
    free(records.values);
    return status;
}
