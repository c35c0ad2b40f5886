/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quantities.c - the table behind quantities.h, and what follows from it: names, units, values.
 */
#include "quantities.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#define DEVICE(member, symbol, unit, min, max, above_min, whole, optional, param)                  \
    {                                                                                              \
#member, symbol, unit, offsetof(gz_device, member), min, max, above_min, whole, optional,  \
            param                                                                                  \
    }

const gzi_spec gzi_device_specs[GZI_DEVICE_SPECS] = {
    DEVICE(clock_rate, "ClockRate", "Hz", 0, DBL_MAX, 1, 0, 0, GZ_P_CLOCK_RATE),
    DEVICE(mem_bandwidth, "MemBandwidth", "B/s", 0, DBL_MAX, 1, 0, 0, GZ_P_MEM_BANDWIDTH),
    DEVICE(uncontended_latency, "UncontendedLat", "cycle", 0, DBL_MAX, 0, 0, 0,
           GZ_P_UNCONTENDED_LATENCY),
    DEVICE(sm_count, "M", "1", 1, 1e9, 0, 1, 0, GZ_P_SM_COUNT),
    DEVICE(blocks_per_sm, "BlksPerSM", "1", 1, 1e9, 0, 1, 0, GZ_P_BLOCKS_PER_SM),
    DEVICE(cpi, "CPI", "cycle", 0, DBL_MAX, 1, 0, 0, GZ_P_CPI),
    DEVICE(launch_overhead, "GlbSync_KnlRestart", "cycle", 0, DBL_MAX, 0, 0, 0,
           GZ_P_LAUNCH_OVERHEAD),
    DEVICE(fence_overhead, "GlbSync_MemFence slope", "cycle", 0, DBL_MAX, 0, 0, 0,
           GZ_P_FENCE_OVERHEAD),
    DEVICE(fence_exposure, "mu", "1", 0, 1, 0, 0, 0, GZ_P_FENCE_EXPOSURE),
    DEVICE(latency_hiding, "beta", "1", 0, 1, 0, 0, 0, GZ_P_LATENCY_HIDING),
    DEVICE(dimension_penalty, "sigma", "1", 0, DBL_MAX, 1, 0, 0, GZ_P_DIMENSION_PENALTY),
    DEVICE(max_threads_per_block, "thread limit", "1", 1, 1e15, 0, 1, 0, -1),
    DEVICE(graph_overhead, "GlbSync_Graph", "cycle", 0, DBL_MAX, 0, 0, 1, GZ_P_GRAPH_OVERHEAD),
    DEVICE(shared_mem_per_block, "shared memory limit", "B", 0, DBL_MAX, 1, 1, 1, -1),
};

#define RECORD(key, unit, min, max, above_min, whole)                                              \
    {                                                                                              \
        key, "", unit, 0, min, max, above_min, whole, 1, -1                                        \
    }

const gzi_spec gzi_device_records[GZI_DEVICE_RECORDS] = {
    RECORD("clock_rate_nominal", "Hz", 0, DBL_MAX, 1, 0),
    RECORD("memory_clock", "Hz", 0, DBL_MAX, 1, 0),
    RECORD("memory_bus_width", "bit", 1, 1e9, 0, 1),
    RECORD("memory_size", "B", 0, DBL_MAX, 1, 1),
    RECORD("cache_size", "B", 0, DBL_MAX, 1, 1),
    RECORD("cache_bandwidth", "B/s", 0, DBL_MAX, 1, 0),
    RECORD("shared_mem_per_sm", "B", 0, DBL_MAX, 1, 1),
    RECORD("registers_per_sm", "1", 1, 1e15, 0, 1),
    RECORD("max_threads_per_sm", "1", 1, 1e15, 0, 1),
    RECORD("max_blocks_per_sm", "1", 1, 1e9, 0, 1),
    RECORD("cooperative_launch", "1", 0, 1, 0, 1),
    RECORD("fence_intercept", "cycle", -1e18, 1e18, 0, 0),
};

#define APP(key, member, symbol, unit, min, above_min, whole, param)                               \
    {                                                                                              \
        key, symbol, unit, offsetof(gz_app, member), min, DBL_MAX, above_min, whole, 0, param      \
    }

const gzi_spec gzi_app_specs[GZI_APP_SPECS] = {
    APP("element_size", element_size, "x", "B", 0, 1, 1, GZ_P_ELEMENT_SIZE),
    APP("stencil_arrays", stencil_arrays, "NumStencilArrays", "1", 0, 1, 1, GZ_P_STENCIL_ARRAYS),
    APP("elements_per_op", elements_per_op, "NumElemPerOp", "1", 0, 0, 1, GZ_P_ELEMENTS_PER_OP),
    APP("elements", profile_elements, "N", "1", 1, 0, 1, GZ_P_PROFILE_ELEMENTS),
    APP("insts_per_sm_misc", insts_per_sm_misc, "InstsPerSM_MC", "1", 0, 0, 0,
        GZ_P_INSTS_PER_SM_MISC),
    APP("insts_per_sm_iter", insts_per_sm_iter, "InstsPerSM_IC", "1", 0, 0, 0,
        GZ_P_INSTS_PER_SM_ITER),
    APP("bank_conflict_rate", bank_conflict_rate, "BankConflictRate", "1", 0, 0, 0,
        GZ_P_BANK_CONFLICT_RATE),
};

void gzi_range_text(const gzi_spec *spec, char *text, size_t size)
{
    const char *above = spec->above_min ? "greater than" : "at least";
    const char *whole = spec->whole ? "a whole number " : "";
    if (spec->max >= DBL_MAX)
        snprintf(text, size, "%s%s %g", whole, above, spec->min);
    else
        snprintf(text, size, "%s%s %g and at most %g", whole, above, spec->min, spec->max);
}

/* The spec of a scalar parameter, and its quantity in device or application (where those are
 * given); NULL for the vectors and for what is no parameter. */
static const gzi_spec *scalar_spec(int param, const gz_device *dev, const gz_app *app,
                                   const gz_quantity **quantity)
{
    for (int k = 0; k < GZI_DEVICE_SPECS; k++)
        if (param >= 0 && gzi_device_specs[k].param == param) {
            *quantity = dev ? gzi_device_quantity(dev, gzi_device_specs + k) : NULL;
            return gzi_device_specs + k;
        }
    for (int k = 0; k < GZI_APP_SPECS; k++)
        if (gzi_app_specs[k].param == param) {
            *quantity = app ? gzi_app_quantity(app, gzi_app_specs + k) : NULL;
            return gzi_app_specs + k;
        }
    return NULL;
}

static const char *const vector_names[][2] = {
    {"halo_width[0]", "HaloWidth_0"},   {"halo_width[1]", "HaloWidth_1"},
    {"halo_width[2]", "HaloWidth_2"},   {"data_length[0]", "DataLength_0"},
    {"data_length[1]", "DataLength_1"}, {"data_length[2]", "DataLength_2"},
    {"block_len[0]", "blk_len_0"},      {"block_len[1]", "blk_len_1"},
    {"block_len[2]", "blk_len_2"},
};

static int is_vector(int param)
{
    return param >= GZ_P_HALO_WIDTH && param < GZ_PARAM_COUNT;
}

const char *gz_param_name(int param)
{
    const gz_quantity *q;
    const gzi_spec *spec = scalar_spec(param, NULL, NULL, &q);
    if (spec)
        return spec->key;
    return is_vector(param) ? vector_names[param - GZ_P_HALO_WIDTH][0] : NULL;
}

const char *gz_param_symbol(int param)
{
    const gz_quantity *q;
    const gzi_spec *spec = scalar_spec(param, NULL, NULL, &q);
    if (spec)
        return spec->symbol;
    return is_vector(param) ? vector_names[param - GZ_P_HALO_WIDTH][1] : NULL;
}

const char *gz_param_unit(int param)
{
    const gz_quantity *q;
    const gzi_spec *spec = scalar_spec(param, NULL, NULL, &q);
    if (spec)
        return spec->unit;
    return is_vector(param) ? "1" : NULL;
}

double gz_param_value(const gz_device *dev, const gz_app *app, const gz_config *cfg, int param)
{
    if (!dev || !app || !cfg)
        return (double)NAN;
    const gz_quantity *q;
    const gzi_spec *spec = scalar_spec(param, dev, app, &q);
    if (spec)
        return spec->optional && q->origin == GZ_ORIGIN_NONE ? (double)NAN : q->value;
    if (!is_vector(param))
        return (double)NAN;
    const double *vectors[] = {app->halo_width, cfg->data_length, cfg->block_len};
    int index = param - GZ_P_HALO_WIDTH, dim = index % GZ_MAX_DIM;
    return dim < app->dim ? vectors[index / GZ_MAX_DIM][dim] : (double)NAN;
}

double gz_param_sd(const gz_device *dev, const gz_app *app, int param)
{
    const gz_quantity *q;
    return dev && app && scalar_spec(param, dev, app, &q) ? q->sd : 0;
}
