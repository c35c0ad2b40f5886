/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quantities.c - the table, and what follows from it: names, units, values.
 *
 * A new quantity is one row here, its parameter in gzmodel.h (at the end, before GZ_P_LAST) and its
 * member there (in the place of a reserved one; optional, so that older files stay valid). After
 * `make texts` schema and manual have it too.
 */
#include "quantities.h"

#include "check.h"

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
static const gzi_range from_1 = {1, DBL_MAX, 0, 0};
static const gzi_range edge_rules = {0, 2, 0, 1};
static const gzi_range finite = {-1e18, 1e18, 0, 0};
static const gzi_range halo_range = {0, GZI_HALO_MAX, 0, 1};
static const gzi_range data_range = {1, GZI_DATA_LENGTH_MAX, 0, 0};
static const gzi_range block_range = {1, GZI_BLOCK_LEN_MAX, 0, 0};

#define QUANTITY(where, type, id, member, name_, in_file, group_, symbol_, unit_, range_, optional_, meaning_) \
    [GZ_P_##id] = {.place = where, .about = {name_, unit_, symbol_, meaning_, GZ_GROUP_##group_},     \
                   .key = in_file, .offset = offsetof(type, member), .range = range_,                   \
                   .optional = optional_}
#define DEVICE(id, member, ...) QUANTITY(GZI_DEVICE, gz_device, id, member, #member, #member, __VA_ARGS__)
#define APP(id, member, ...) QUANTITY(GZI_APP, gz_app, id, member, #member, #member, __VA_ARGS__)
#define PROFILE(id, member, name, key, ...) QUANTITY(GZI_PROFILE, gz_app, id, member, name, key, __VA_ARGS__)

#define LENGTH(where, type, id, i, member, symbol_, range_, meaning_)                                   \
    [GZ_P_##id + i] = {.place = where, .key = #member,                                                  \
                       .about = {#member "[" #i "]", "1", symbol_ "_" #i, meaning_, GZ_GROUP_MODEL},    \
                       .offset = offsetof(type, member) + i * sizeof(double), .range = range_,          \
                       .dimension = i}
#define LENGTHS(...) LENGTH(__VA_ARGS__)
#define THREE(where, type, id, ...)                                                                     \
    LENGTHS(where, type, id, 0, __VA_ARGS__), LENGTHS(where, type, id, 1, __VA_ARGS__),                 \
    LENGTHS(where, type, id, 2, __VA_ARGS__)

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
    DEVICE(CACHE_BANDWIDTH, cache_bandwidth, RECORD, "cache bandwidth", "B/s", &positive, 1,
           "read bandwidth of that cache; gz2 needs it on GPUs"),
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

    APP(ELEMENT_SIZE, element_size, MODEL, "x", "B", &whole_positive, 0,
        "size of an element of the grid"),
    APP(STENCIL_ARRAYS, stencil_arrays, MODEL, "NumStencilArrays", "1", &whole_positive, 0,
        "arrays loaded per tile"),
    APP(ELEMENTS_PER_OP, elements_per_op, MODEL, "NumElemPerOp", "1", &whole_not_negative, 0,
        "elements that one stencil operation loads from device memory"),
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
    DEVICE(STAGE_LAUNCH, stage_launch, MODEL, "a_restart", "s", &not_negative, 1,
           "gz2: launching a stage that does work, by kernel restarts"),
    DEVICE(STAGE_GRAPH, stage_graph, MODEL, "a_graph", "s", &not_negative, 1,
           "gz2: launching a stage that does work, from a graph"),
    DEVICE(STAGE_FENCE, stage_fence, MODEL, "m_0", "s", &not_negative, 1,
           "gz2: a global fence between stages"),
    DEVICE(COPY_CELL, copy_cell, MODEL, "k_c", "s", &not_negative, 1,
           "gz2, CPUs: copying an element of 4 bytes into or out of a tile; larger ones take longer in proportion"),
    DEVICE(COPY_ROW, copy_row, MODEL, "k_r", "s", &not_negative, 1,
           "gz2, CPUs: copying a row, besides its elements"),
    DEVICE(BLOCK_LATENCY, block_latency, MODEL, "t_0", "s", &not_negative, 1,
           "gz2: latency of a thread block besides loads, barriers and computing; if absent, none"),
    DEVICE(LOAD_LATENCY, load_latency, MODEL, "t_ld", "s", &not_negative, 1,
           "gz2: latency of an iteration of loads by the threads of a block"),
    DEVICE(BARRIER_LATENCY, barrier_latency, MODEL, "t_bar", "s", &not_negative, 1,
           "gz2: latency of a barrier within a block of one warp; if absent, none"),
    DEVICE(BARRIER_WARP, barrier_warp, MODEL, "t_bar slope", "s", &not_negative, 1,
           "gz2: additional latency of a barrier for each further warp; if absent, 0"),
    DEVICE(LINE_STORE, line_store, MODEL, "c_line", "s", &not_negative, 1,
           "gz2: time of one multiprocessor for a cache line that a warp's request stores to; if absent, 0"),
    DEVICE(SHARED_BANDWIDTH, shared_bandwidth, MODEL, "B_shared", "B/s", &positive, 1,
           "gz2, GPUs: bandwidth of one multiprocessor's shared memory; for applications without issue_time, which otherwise includes it"),
    DEVICE(EFFECTIVE_BANDWIDTH, effective_bandwidth, MODEL, "M / tau_M", "B/s", &positive, 1,
           "gz2: bandwidth of device memory to stencils; if absent, mem_bandwidth"),
    DEVICE(EFFECTIVE_CACHE, effective_cache, MODEL, "C", "B", &positive, 1,
           "gz2: effective size of the last cache: the footprint at which time per byte is half-way to device memory's"),
    DEVICE(CACHE_SHARPNESS, cache_sharpness, MODEL, "m", "1", &positive, 1,
           "gz2: how sharply traffic leaves that cache over its size; if absent, 4 on CPUs and 8 on GPUs"),
    DEVICE(TERM_NORM, term_norm, MODEL, "p", "1", &from_1, 1,
           "gz2: exponent of the norm that joins latency, issue and bandwidths; if absent, 3"),
    DEVICE(ISSUE_RATE, issue_rate, MODEL, "schedulers / I", "1/s", &positive, 1,
           "gz2: warp instructions that a multiprocessor issues per second; for applications without issue_time"),
    DEVICE(INSTRUCTION_LATENCY, instruction_latency, MODEL, "t_i", "s", &not_negative, 1,
           "gz2: latency of a dependent instruction; for applications without chain_time"),
    DEVICE(WARP_SIZE, warp_size, MODEL, "w", "1", &count_to_1e9, 1,
           "gz2: threads that issue together; 1 on CPUs"),
    DEVICE(CACHE_LINE, cache_line, MODEL, "line", "B", &whole_positive, 1,
           "gz2: size of a cache line; if absent, 128"),
    DEVICE(SHARED_MEM_STEP, shared_mem_step, MODEL, "shared memory step", "B", &whole_positive, 1,
           "gz2: unit in which shared memory is allocated; if absent, 1"),
    APP(EDGE_RULE, edge_rule, MODEL, "edge", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid: 0 the nearest element, 1 a fixed value, 2 the other end; if absent, 0"),
    APP(TILE_READS, tile_reads, MODEL, "reads", "1", &whole_not_negative, 1,
        "gz2, GPUs: elements that one stencil operation reads from the tile, of all arrays loaded with it; if absent, a star of its halo widths and one of each other array"),
    APP(REGISTERS_PER_THREAD, registers_per_thread, MODEL, "registers of a thread", "1", &count_to_1e9, 1,
        "gz2: registers of 32 bits of a thread; if absent, no limit on resident blocks"),
    PROFILE(CELL_TIME, cell_time, "cell_time", "cell_time", MODEL, "c_s", "s", &not_negative, 1,
            "gz2, CPUs: computing an element on one core"),
    PROFILE(CHAIN_TIME, chain_time, "chain_time", "chain_time", MODEL, "t_cp", "s", &not_negative, 1,
            "gz2: latency of an iteration of computing by the threads of a block"),
    PROFILE(ISSUE_TIME, issue_time, "issue_time", "issue_time", MODEL, "I", "s", &not_negative, 1,
            "gz2: time for which a warp's iteration of computing occupies a multiprocessor"),
    DEVICE(STREAM_COPY, stream_copy, MODEL, "k_b", "s/B", &not_negative, 1,
           "gz2, CPUs: copying a byte into a streamed tile"),
    DEVICE(STREAM_BANDWIDTH, stream_bandwidth, MODEL, "M / tau_S", "B/s", &positive, 1,
           "gz2: bandwidth of device memory to streamed tiles; if absent, effective_bandwidth"),
    PROFILE(STREAM_CELL_TIME, stream_cell_time, "stream_cell_time", "stream_cell_time", MODEL, "c_S", "s", &not_negative, 1,
            "gz2, CPUs: computing an element in a streamed tile on one core"),
    PROFILE(NAIVE_CELL_TIME, naive_cell_time, "naive_cell_time", "naive_cell_time", MODEL, "c_n", "s", &not_negative, 1,
            "gz2, CPUs: computing an element without local memory on one core"),
    APP(EDGE_RULE_1, edge_rule_1, MODEL, "edge of dimension 1", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid in dimension 1, if not what edge_rule states"),
    APP(EDGE_RULE_2, edge_rule_2, MODEL, "edge of dimension 2", "1", &edge_rules, 1,
        "gz2: what lies beyond the grid in dimension 2, if not what edge_rule states"),
    DEVICE(NAIVE_BANDWIDTH, naive_bandwidth, MODEL, "M / tau_n", "B/s", &positive, 1,
           "gz2: bandwidth of device memory to blocks without local memory; if absent, effective_bandwidth"),
    DEVICE(COPY_EDGE, copy_edge, MODEL, "k_e", "s", &not_negative, 1,
           "gz2, CPUs: loading an element outside the grid, besides copying it; if absent, 0"),
    PROFILE(REST_TIME, rest_time, "rest_time", "rest_time", MODEL, "e_s", "s", &not_negative, 1,
            "gz2, CPUs: additional time of an element of a row that fills no whole vector; if absent, 0"),
    APP(OWN_COLUMN, own_column, MODEL, "star along the last dimension", "1", &yes_or_no, 1,
        "gz2, GPUs: whether other planes along the last dimension are read in the element's own column only, so that streamed tiles may keep columns in registers; if absent, 0"),
    APP(COEFFICIENTS, coefficients, MODEL, "coefficients", "1", &whole_not_negative, 1,
        "gz2, GPUs: values that are the same for all elements, which take registers of streamed tiles; if absent, 0"),
    DEVICE(CORE_EXCHANGE, core_exchange, MODEL, "tau_X", "s/B", &not_negative, 1,
           "gz2, CPUs: fetching a byte of the state that another core's cache holds, by restarts; if absent, 0"),
    DEVICE(AHEAD_BANDWIDTH, ahead_bandwidth, MODEL, "M / tau_a", "B/s", &positive, 1,
           "gz2, CPUs: bandwidth of device memory to rows that are prefetched; if absent, effective_bandwidth"),
    APP(COLUMN_READS, column_reads, MODEL, "reads of the column", "1", &whole_not_negative, 1,
        "gz2, GPUs: elements of the state in its own column along the last dimension that one stencil operation reads, which streamed tiles may keep in registers; if absent, a star's"),
    DEVICE(RUN_LAUNCH, run_launch, MODEL, "a_0", "s", &not_negative, 1,
           "gz2: the first stage of a run, which costs no synchronisation with one before; if absent, stage_launch"),
    DEVICE(RUN_FENCE, run_fence, MODEL, "a_f", "s", &not_negative, 1,
           "gz2: what a run by fences costs besides; if absent, 0"),
    DEVICE(STREAM_ROW, stream_row, MODEL, "k_S", "s", &not_negative, 1,
           "gz2, CPUs: a row loaded or computed in a streamed tile, over the root of the elements that an operation reads"),
    DEVICE(NAIVE_ROW, naive_row, MODEL, "k_n", "s", &not_negative, 1,
           "gz2, CPUs: a row computed without local memory, over the root of the elements that an operation reads"),
    PROFILE(STREAM_REST_TIME, stream_rest_time, "stream_rest_time", "stream_rest_time", MODEL, "e_S", "s", &not_negative, 1,
            "gz2, CPUs: additional time of an element of a streamed tile's row that fills no four vectors; if absent, 0"),
    DEVICE(READ_TIME, read_time, MODEL, "c_r", "s", &positive, 1,
           "gz2, CPUs: computing an element in a trapezoid, for each element of 4 bytes that it reads; for applications without cell_time"),
    DEVICE(STREAM_READ_TIME, stream_read_time, MODEL, "c_rS", "s", &positive, 1,
           "gz2, CPUs: likewise in a streamed tile; for applications without stream_cell_time"),
    DEVICE(NAIVE_READ_TIME, naive_read_time, MODEL, "c_rn", "s", &positive, 1,
           "gz2, CPUs: likewise without local memory; for applications without naive_cell_time"),
    [GZ_P_LAST + 1] = {.place = GZI_NOWHERE},
};
/* clang-format on */

_Static_assert(GZ_P_LAST < GZ_PARAM_CAPACITY, "arrays of results have room for every parameter");

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
    return dev && app && (!app->profile_device[0] || strcmp(app->profile_device, dev->name) == 0);
}

/* The row of a parameter; NULL for what is not a parameter. */
static const gzi_spec *row_of(int param)
{
    return param >= 0 && param <= GZ_P_LAST ? gzi_quantities + param : NULL;
}

int gz_param_count(void)
{
    return GZ_P_LAST + 1;
}

const char *gz_param_name(int param)
{
    const gzi_spec *row = row_of(param);
    return row ? row->about.name : NULL;
}

const gz_param_info *gz_param_about(int param)
{
    const gzi_spec *row = row_of(param);
    return row ? &row->about : NULL;
}

int gz_param_by_name(const char *name)
{
    for (int p = 0; name && p <= GZ_P_LAST; p++)
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

double gz_param_sd(const gz_device *dev, const gz_app *app, int param)
{
    const gz_quantity *q = quantity_of(row_of(param), dev, app);
    return q ? q->sd : 0;
}

gz_quantity *gz_param_quantity(gz_device *dev, gz_app *app, int param)
{
    const gzi_spec *row = row_of(param);
    if (!quantity_of(row, dev, app))
        return NULL;
    char *owner = row->place == GZI_DEVICE ? (char *)dev : (char *)app;
    return (gz_quantity *)(void *)(owner + row->offset);
}

gz_status gz_param_set(gz_device *dev, gz_app *app, gz_config *cfg, int param, double value,
                       gz_error *error)
{
    const gzi_spec *row = row_of(param);
    if (!row)
        return gzi_fail(error, GZ_EARGUMENT, "there is no parameter %d (0 to %d)", param,
                        GZ_P_LAST);
    char *owner = row->place == GZI_DEVICE   ? (char *)dev
                  : row->place == GZI_CONFIG ? (char *)cfg
                                             : (char *)app;
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
