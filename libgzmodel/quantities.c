/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quantities.c - the table, and what follows from it: names, units, values.
 *
 * A new quantity of a model is a row of own.h (optional, so that older files stay valid); after
 * `make texts` schema and manual have it too.
 */
#include "quantities.h"

#include "fail.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const gzi_range positive = {0, DBL_MAX, 1, 0};
static const gzi_range not_negative = {0, DBL_MAX, 0, 0};
static const gzi_range share = {0, 1, 0, 0};
static const gzi_range yes_or_no = {0, 1, 0, 1};
static const gzi_range whole_positive = {0, DBL_MAX, 1, 1};
static const gzi_range whole_not_negative = {0, DBL_MAX, 0, 1};
static const gzi_range whole_from_1 = {1, DBL_MAX, 0, 1};
static const gzi_range count_to_1e9 = {1, 1e9, 0, 1};
static const gzi_range count_to_1e15 = {1, 1e15, 0, 1};
static const gzi_range edge_rules = {0, 2, 0, 1};
static const gzi_range finite = {-1e18, 1e18, 0, 0};
static const gzi_range halo_range = {0, GZI_HALO_MAX, 0, 1};
static const gzi_range data_range = {1, GZI_DATA_LENGTH_MAX, 0, 0};
static const gzi_range block_range = {1, GZI_BLOCK_LEN_MAX, 0, 0};

#define QUANTITY(where, type, id, member, name_, in_file, group_, symbol_, unit_, range_, optional_, meaning_) \
    [GZ_P_##id] = {.place = where, .about = {name_, unit_, symbol_, meaning_, GZ_GROUP_##group_, {0}},     \
                   .key = in_file, .offset = offsetof(type, member), .range = range_,                   \
                   .optional = optional_}
#define DEVICE(id, member, ...) QUANTITY(GZI_DEVICE, gz_device, id, member, #member, #member, __VA_ARGS__)
#define APP(id, member, ...) QUANTITY(GZI_APP, gz_app, id, member, #member, #member, __VA_ARGS__)
#define PROFILE(id, member, name, key, ...) QUANTITY(GZI_PROFILE, gz_app, id, member, name, key, __VA_ARGS__)

#define LENGTH(where, type, id, i, member, symbol_, range_, meaning_)                                   \
    [GZ_P_##id + i] = {.place = where, .key = #member,                                                  \
                       .about = {#member "[" #i "]", "1", symbol_ "_" #i, meaning_, GZ_GROUP_MODEL, {0}}, \
                       .offset = offsetof(type, member) + i * sizeof(double), .range = range_,          \
                       .dimension = i}
#define LENGTHS(...) LENGTH(__VA_ARGS__)
#define THREE(where, type, id, ...)                                                                     \
    LENGTHS(where, type, id, 0, __VA_ARGS__), LENGTHS(where, type, id, 1, __VA_ARGS__),                 \
    LENGTHS(where, type, id, 2, __VA_ARGS__)

#define SAYS_BOTH "gz2: "
#define SAYS_CPU  "gz2, CPUs: "
#define SAYS_GPU  "gz2, GPUs: "
enum { ANY = 0, RESTART = 1 << GZ_SYNC_RESTART, FENCE = 1 << GZ_SYNC_FENCE, GRAPH = 1 << GZ_SYNC_GRAPH };
#define OWN(where, type, first, ID, key_, symbol_, unit_, range_, on_, slot, term, per, start_, variant_, syncs_, after_, like_, meaning_) \
    [GZI_P(ID)] = {.place = where,                                                                      \
                   .about = {#key_, unit_, symbol_, SAYS_##on_ meaning_, GZ_GROUP_MODEL,                \
                             {start_, GZI_ON_##on_, GZ_VARIANT_##variant_, syncs_, GZI_PER_##per != GZI_PER_TIME, after_, like_}},                 \
                   .key = #key_, .range = &range_, .optional = 1,                                       \
                   .offset = offsetof(type, own) + (GZI_GZ2_##ID - first) * sizeof(gz_quantity)},
#define OWN_OF_DEVICE(...) OWN(GZI_DEVICE, gz_device, 0, __VA_ARGS__)
#define OWN_OF_APP(...) OWN(GZI_PROFILE, gz_app, GZI_GZ2_OF_STENCIL, __VA_ARGS__)

const gzi_spec gzi_quantities[] = {
    DEVICE(CLOCK_RATE, clock_rate, MODEL, "ClockRate", "Hz", &positive, 0,
           "the clock whose cycles the model counts"),
    DEVICE(MEM_BANDWIDTH, mem_bandwidth, MODEL, "MemBandwidth", "B/s", &positive, 0,
           "bandwidth of device memory"),
    DEVICE(UNCONTENDED_LATENCY, uncontended_latency, MODEL, "UncontendedLat", "cycle", &not_negative, 0,
           "one request's trip to device memory and back"),
    DEVICE(SM_COUNT, sm_count, MODEL, "M", "1", &count_to_1e9, 0,
           "multiprocessors"),
    DEVICE(BLOCKS_PER_SM, blocks_per_sm, MODEL, "BlksPerSM", "1", &count_to_1e9, 0,
           "thread blocks that run at once on a multiprocessor"),
    DEVICE(CPI, cpi, MODEL, "CPI", "cycle", &positive, 0,
           "cycles per warp instruction of a multiprocessor"),
    DEVICE(LAUNCH_OVERHEAD, launch_overhead, MODEL, "GlbSync_KnlRestart", "cycle", &not_negative, 0,
           "ending a kernel and launching it again (Eq. 17)"),
    DEVICE(FENCE_OVERHEAD, fence_overhead, MODEL, "GlbSync_MemFence slope", "cycle", &not_negative, 0,
           "a global fence, per thread block (the slope of Eq. 18)"),
    DEVICE(FENCE_EXPOSURE, fence_exposure, MODEL, "mu", "1", &share, 0,
           "the share of a fence's time that nothing hides"),
    DEVICE(LATENCY_HIDING, latency_hiding, MODEL, "beta", "1", &share, 0,
           "the share of instructions hidden behind memory (Eq. 11)"),
    DEVICE(DIMENSION_PENALTY, dimension_penalty, MODEL, "sigma", "1", &positive, 0,
           "in D dimensions memory time is sigma to the power D - 1 times as long"),
    DEVICE(MAX_THREADS_PER_BLOCK, max_threads_per_block, LIMIT, "thread limit", "1", &count_to_1e15, 0,
           "threads of a block; larger blocks are refused"),
    DEVICE(GRAPH_OVERHEAD, graph_overhead, MODEL, "GlbSync_Graph", "cycle", &not_negative, 1,
           "as launch_overhead, with the kernels restarted from one CUDA graph"),
    DEVICE(SHARED_MEM_PER_BLOCK, shared_mem_per_block, LIMIT, "shared memory limit", "B", &whole_positive, 1,
           "shared memory that a block can have; a limit when the tile is searched"),
    DEVICE(CLOCK_RATE_NOMINAL, clock_rate_nominal, RECORD, "nominal clock", "Hz", &positive, 1,
           "the clock as the vendor states it"),
    DEVICE(MEMORY_CLOCK, memory_clock, RECORD, "memory clock", "Hz", &positive, 1,
           "the clock of device memory as the vendor states it"),
    DEVICE(MEMORY_BUS_WIDTH, memory_bus_width, RECORD, "memory bus width", "bit", &count_to_1e9, 1,
           "width of the bus to device memory"),
    DEVICE(MEMORY_SIZE, memory_size, RECORD, "memory size", "B", &whole_positive, 1,
           "size of device memory"),
    DEVICE(CACHE_SIZE, cache_size, RECORD, "cache size", "B", &whole_positive, 1,
           "the largest cache between multiprocessors and device memory"),
    DEVICE(SHARED_MEM_PER_SM, shared_mem_per_sm, RECORD, "shared memory", "B", &whole_positive, 1,
           "shared memory of a multiprocessor; gz2 needs it on GPUs"),
    DEVICE(REGISTERS_PER_SM, registers_per_sm, RECORD, "registers", "1", &count_to_1e15, 1,
           "registers of 32 bits of a multiprocessor"),
    DEVICE(MAX_THREADS_PER_SM, max_threads_per_sm, RECORD, "resident threads", "1", &count_to_1e15, 1,
           "threads that a multiprocessor holds at most"),
    DEVICE(MAX_BLOCKS_PER_SM, max_blocks_per_sm, RECORD, "resident blocks", "1", &count_to_1e9, 1,
           "thread blocks that a multiprocessor holds at most"),
    DEVICE(COOPERATIVE_LAUNCH, cooperative_launch, RECORD, "cooperative launch", "1", &yes_or_no, 1,
           "1 if thread blocks may wait for each other at a fence, else 0"),
    DEVICE(FENCE_INTERCEPT, fence_intercept, RECORD, "GlbSync_MemFence intercept", "cycle", &finite, 1,
           "what a fence costs besides fence_overhead per block (the intercept of Eq. 18)"),
    DEVICE(WARP_SIZE, warp_size, MODEL, "w", "1", &count_to_1e9, 1,
           "gz2: threads that issue together; 1 on CPUs"),
    DEVICE(CACHE_LINE, cache_line, RECORD, "line", "B", &whole_positive, 1,
           "size of a cache line"),
    DEVICE(SHARED_MEM_STEP, shared_mem_step, MODEL, "shared memory step", "B", &whole_positive, 1,
           "gz2: unit in which shared memory is allocated; if absent, 1"),

    APP(ELEMENT_SIZE, element_size, MODEL, "x", "B", &whole_positive, 0,
        "size of an element of the grid"),
    APP(STENCIL_ARRAYS, stencil_arrays, MODEL, "NumStencilArrays", "1", &whole_positive, 0,
        "arrays loaded per tile"),
    APP(ELEMENTS_PER_OP, elements_per_op, MODEL, "NumElemPerOp", "1", &whole_not_negative, 0,
        "elements that one stencil operation loads from device memory"),
    APP(EDGE_RULE, edge_rule, MODEL, "edge", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid: 0 the nearest element, 1 a fixed value, 2 the other end; if absent, 0"),
    APP(TILE_READS, tile_reads, MODEL, "reads", "1", &whole_not_negative, 1,
        "gz2, GPUs: elements that one stencil operation reads from the tile, of all arrays loaded with it; if absent, a star of its halo widths and one of each other array"),
    APP(REGISTERS_PER_THREAD, registers_per_thread, MODEL, "registers of a thread", "1", &count_to_1e9, 1,
        "gz2: registers of 32 bits of a thread; if absent, no limit on resident blocks"),
    APP(EDGE_RULE_1, edge_rule_1, MODEL, "edge of dimension 1", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid in dimension 1, if not what edge_rule states"),
    APP(EDGE_RULE_2, edge_rule_2, MODEL, "edge of dimension 2", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid in dimension 2, if not what edge_rule states"),
    APP(OWN_COLUMN, own_column, MODEL, "star along the last dimension", "1", &yes_or_no, 1,
        "gz2, GPUs: whether other planes along the last dimension are read in the element's own column only, so that streamed tiles may keep columns in registers; if absent, 0"),
    APP(COEFFICIENTS, coefficients, MODEL, "coefficients", "1", &whole_not_negative, 1,
        "gz2, GPUs: values that are the same for all elements, which take registers of streamed tiles; if absent, 0"),
    APP(COLUMN_READS, column_reads, MODEL, "reads of the column", "1", &whole_not_negative, 1,
        "gz2, GPUs: elements of the state in its own column along the last dimension that one stencil operation reads, which streamed tiles may keep in registers; if absent, a star's"),
    PROFILE(PROFILE_SM_COUNT, profile_sm_count, "profile_sm_count", "sm_count", MODEL, "M_profile", "1", &count_to_1e9, 1,
            "multiprocessors of the device of the run (Eq. 14); if absent, those of the target"),
    PROFILE(PROFILE_ELEMENTS, profile_elements, "elements", "elements", MODEL, "N", "1", &whole_from_1, 0,
            "elements of the run's grid"),
    PROFILE(INSTS_PER_SM_MISC, insts_per_sm_misc, "insts_per_sm_misc", "insts_per_sm_misc", MODEL, "InstsPerSM_MC", "1",
            &not_negative, 0,
            "warp instructions per loop on one multiprocessor, the part executed once per trapezoid"),
    PROFILE(INSTS_PER_SM_ITER, insts_per_sm_iter, "insts_per_sm_iter", "insts_per_sm_iter", MODEL, "InstsPerSM_IC", "1",
            &not_negative, 0, "likewise, the part executed in each loop"),
    PROFILE(BANK_CONFLICT_RATE, bank_conflict_rate, "bank_conflict_rate", "bank_conflict_rate", MODEL, "BankConflictRate", "1",
            &not_negative, 0, "conflicts in shared memory per warp instruction"),

    THREE(GZI_HALO, gz_app, HALO_WIDTH, halo_width, "HaloWidth", &halo_range,
          "elements on both sides together"),
    THREE(GZI_CONFIG, gz_config, DATA_LENGTH, data_length, "DataLength",
          &data_range, "the grid"),
    THREE(GZI_CONFIG, gz_config, BLOCK_LEN, block_len, "blk_len",
          &block_range, "the starting tile"),

    GZI_OWN_DEVICE(OWN_OF_DEVICE)
    GZI_OWN_APP(OWN_OF_APP)
    [GZI_P_END] = {.place = GZI_NOWHERE},
};
/* clang-format on */

_Static_assert(GZI_P_END <= GZ_PARAM_CAPACITY, "arrays of results have room for every parameter");
_Static_assert(GZI_GZ2_OF_STENCIL <= GZ_OWN_CAPACITY, "so has a device");

void gzi_range_text(const gzi_range *range, char *text, size_t size)
{
    const char *above = range->above_min ? "greater than" : "at least";
    const char *whole = range->whole ? "a whole number " : "";
    if (range->max >= DBL_MAX)
        snprintf(text, size, "%s%s %g", whole, above, range->min);
    else
        snprintf(text, size, "%s%s %g and at most %g", whole, above, range->min, range->max);
}

int gz_quantity_stated(const gz_quantity *quantity)
{
    return quantity && gzi_stated(quantity);
}

int gz_profile_matches(const gz_device *dev, const gz_app *app)
{
    enum { NVIDIA_WARP = 32 };
    if (!dev || !app)
        return 0;
    return !app->profile_device[0] || strcmp(app->profile_device, dev->name) == 0 ||
           (strncmp(app->profile_device, "sm_", 3) == 0 && dev->warp_size.value == NVIDIA_WARP);
}

/* The row of a parameter; NULL for what is not a parameter. */
static const gzi_spec *row_of(int param)
{
    return param >= 0 && param < GZI_P_END ? gzi_quantities + param : NULL;
}

int gz_param_count(void)
{
    return GZI_P_END;
}

const gz_param_info *gz_param_about(int param)
{
    const gzi_spec *row = row_of(param);
    return row ? &row->about : NULL;
}

int gz_param_by_name(const char *name)
{
    for (int p = 0; name && p < GZI_P_END; p++)
        if (strcmp(name, gzi_quantities[p].about.name) == 0)
            return p;
    return -1;
}

/* The structure that holds a row's number; NULL if that is not given. */
static const void *owner_of(const gzi_spec *row, const gz_device *dev, const gz_app *app,
                            const gz_config *cfg)
{
    if (row->place == GZI_DEVICE)
        return dev;
    return row->place == GZI_CONFIG ? (const void *)cfg : (const void *)app;
}

static int is_length(const gzi_spec *row)
{
    return row->place == GZI_HALO || row->place == GZI_CONFIG;
}

/* The quantity of a row; NULL for lengths, and if its structure is not given. */
static const gz_quantity *quantity_of(const gzi_spec *row, const gz_device *dev, const gz_app *app)
{
    const void *owner = row && !is_length(row) ? owner_of(row, dev, app, NULL) : NULL;
    return owner ? gzi_quantity_in(owner, row) : NULL;
}

double gz_param_value(const gz_device *dev, const gz_app *app, const gz_config *cfg, int param)
{
    const gzi_spec *row = row_of(param);
    const void *owner = row ? owner_of(row, dev, app, cfg) : NULL;
    if (!owner)
        return (double)NAN;
    if (is_length(row)) {
        const void *at = (const char *)owner + row->offset;
        return app && row->dimension < app->dim ? *(const double *)at : (double)NAN;
    }
    const gz_quantity *q = gzi_quantity_in(owner, row);
    return row->optional && !gzi_stated(q) ? (double)NAN : q->value;
}

double gzi_param_sd(const gz_device *dev, const gz_app *app, int param)
{
    const gz_quantity *q = quantity_of(row_of(param), dev, app);
    return q ? q->sd : 0;
}

gz_quantity *gz_param_quantity(gz_device *dev, gz_app *app, int param)
{
    return (gz_quantity *)quantity_of(row_of(param), dev, app);
}

gz_status gz_param_set(gz_device *dev, gz_app *app, gz_config *cfg, int param, double value,
                       gz_error *error)
{
    const gzi_spec *row = row_of(param);
    if (!row)
        return gzi_fail(error, GZ_EARGUMENT, "there is no parameter %d (0 to %d)", param,
                        GZI_P_END - 1);
    char *owner = (char *)owner_of(row, dev, app, cfg);
    if (!owner)
        return gzi_fail(error, GZ_EARGUMENT, "%s: no structure to set it in (a null pointer)",
                        row->about.name);
    if (!gzi_in_range(row->range, value)) {
        char range[96];
        gzi_range_text(row->range, range, sizeof range);
        gz_status status = row->place == GZI_DEVICE   ? GZ_EDEVICE
                           : row->place == GZI_CONFIG ? GZ_ECONFIG
                                                      : GZ_EAPP;
        return gzi_fail(error, status, "%s is %g: must be %s", row->about.name, value, range);
    }
    void *at = owner + row->offset;
    if (is_length(row))
        *(double *)at = value;
    else
        *(gz_quantity *)at = (gz_quantity){.value = value, .origin = GZ_ORIGIN_DEFAULT};
    return GZ_OK;
}

gz_status gz_set(gz_device *dev, const char *name, double value)
{
    return gz_param_set(dev, NULL, NULL, gz_param_by_name(name), value, NULL);
}

double gz_get(const gz_device *dev, const char *name)
{
    return gz_param_value(dev, NULL, NULL, gz_param_by_name(name));
}

gz_status gz_app_set(gz_app *app, const char *name, double value)
{
    return gz_param_set(NULL, app, NULL, gz_param_by_name(name), value, NULL);
}

double gz_app_get(const gz_app *app, const char *name)
{
    return gz_param_value(NULL, app, NULL, gz_param_by_name(name));
}
