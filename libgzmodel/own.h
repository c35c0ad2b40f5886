/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * own.h - the quantities that only gz2 has, a row each, which says all that there is to say of one.
 * Names, units and ranges in files, schemas and manual, the model's parameters, gz_get and gz_set,
 * and what is fitted to runs come from these rows. The columns:
 *
 *   ID, key      in code and in files
 *   symbol, unit as gz_param_info has them
 *   range        one of quantities.c
 *   on           CPU, GPU or BOTH: the devices that it is for
 *   slot         where its time enters the equations, a gzi_gz2_term; TERMS: it is no time
 *   term         the term of a prediction that reports it (gz2_contract.c); NONE: none
 *   per          TIME: it is the time of what is counted; ALL: a bandwidth that all multiprocessors
 *                share; ONE: one that each has. What is counted then are bytes
 *   start, variant, syncs, after, like
 *                as gz_param_fit has them
 *   meaning
 *
 * A new quantity is a row here and a count in models/gz2, with its equation in the README there.
 */
#ifndef GZI_OWN_H
#define GZI_OWN_H

/* clang-format off */

/* Of a device. */
#define GZI_OWN_DEVICE(ROW) \
    ROW(STAGE_LAUNCH, stage_launch, "a_restart", "s", not_negative, BOTH, SYNC, SYNC, TIME, 5e-6, TRAPEZOID, RESTART, GZ_P_LAUNCH_OVERHEAD, 0, \
        "launching a stage that does work, by kernel restarts") \
    ROW(STAGE_GRAPH, stage_graph, "a_graph", "s", not_negative, BOTH, SYNC, SYNC, TIME, 2e-6, TRAPEZOID, GRAPH, GZ_P_GRAPH_OVERHEAD, 0, \
        "launching a stage that does work, from a graph") \
    ROW(STAGE_FENCE, stage_fence, "m_0", "s", not_negative, BOTH, SYNC, SYNC, TIME, 1e-7, TRAPEZOID, FENCE, 0, 0, \
        "a global fence between stages") \
    ROW(RUN_LAUNCH, run_launch, "a_0", "s", not_negative, BOTH, SYNC, SYNC, TIME, 2e-5, TRAPEZOID, ANY, 0, 0, \
        "the first stage of a run, which costs no synchronisation with one before; if absent, stage_launch") \
    ROW(RUN_FENCE, run_fence, "a_f", "s", not_negative, BOTH, SYNC, SYNC, TIME, 5e-6, TRAPEZOID, FENCE, 0, 0, \
        "what a run by fences costs besides; if absent, 0") \
    ROW(COPY_CELL, copy_cell, "k_c", "s", not_negative, CPU, WORK, COPY, TIME, 3e-10, TRAPEZOID, ANY, 0, 0, \
        "copying an element of 4 bytes into or out of a tile; larger ones take longer in proportion") \
    ROW(COPY_ROW, copy_row, "k_r", "s", not_negative, CPU, WORK, COPY, TIME, 1e-8, TRAPEZOID, ANY, 0, 0, \
        "copying a row, besides its elements") \
    ROW(COPY_EDGE, copy_edge, "k_e", "s", not_negative, CPU, WORK, COPY, TIME, 3e-10, TRAPEZOID, ANY, 0, 0, \
        "loading an element outside the grid, besides copying it; if absent, 0") \
    ROW(STREAM_COPY, stream_copy, "k_b", "s/B", not_negative, CPU, WORK, COPY, TIME, 5e-11, STREAM, ANY, 0, 0, \
        "copying a byte into a streamed tile") \
    ROW(STREAM_ROW, stream_row, "k_S", "s", not_negative, CPU, WORK, COMPUTE, TIME, 5e-9, STREAM, ANY, 0, 0, \
        "a row loaded or computed in a streamed tile, over the root of the elements that an operation reads") \
    ROW(NAIVE_ROW, naive_row, "k_n", "s", not_negative, CPU, WORK, COMPUTE, TIME, 5e-9, NAIVE, ANY, 0, 0, \
        "a row computed without local memory, over the root of the elements that an operation reads") \
    ROW(CORE_EXCHANGE, core_exchange, "tau_X", "s/B", not_negative, CPU, MEMORY, CACHE, TIME, 2e-11, TRAPEZOID, RESTART, 0, 0, \
        "fetching a byte of the state that another core's cache holds, by restarts; if absent, 0") \
    ROW(BLOCK_LATENCY, block_latency, "t_0", "s", not_negative, BOTH, LATENCY, LATENCY, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "latency of a thread block besides loads, barriers and computing; if absent, none") \
    ROW(LOAD_LATENCY, load_latency, "t_ld", "s", not_negative, GPU, LATENCY, LATENCY, TIME, 5e-7, TRAPEZOID, ANY, 0, 0, \
        "latency of an iteration of loads by the threads of a block") \
    ROW(BARRIER_LATENCY, barrier_latency, "t_bar", "s", not_negative, BOTH, LATENCY, LATENCY, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "latency of a barrier within a block of one warp; if absent, none") \
    ROW(BARRIER_WARP, barrier_warp, "t_bar slope", "s", not_negative, BOTH, LATENCY, LATENCY, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "additional latency of a barrier for each further warp; if absent, 0") \
    ROW(LINE_STORE, line_store, "c_line", "s", not_negative, GPU, LINES, STORE, TIME, 1e-9, TRAPEZOID, ANY, 0, 0, \
        "time of one multiprocessor for a cache line that a warp's request stores to; if absent, 0") \
    ROW(SHARED_BANDWIDTH, shared_bandwidth, "B_shared", "B/s", positive, GPU, LOCAL, SHARED, ONE, 0, TRAPEZOID, ANY, 0, 0, \
        "bandwidth of one multiprocessor's shared memory; for applications without issue_time, which otherwise includes it") \
    ROW(CACHE_BANDWIDTH, cache_bandwidth, "cache bandwidth", "B/s", positive, GPU, CACHED, CACHE, ALL, 0, TRAPEZOID, ANY, 0, 0, \
        "read bandwidth of the last cache before device memory") \
    ROW(EFFECTIVE_BANDWIDTH, effective_bandwidth, "M / tau_M", "B/s", positive, BOTH, MEMORY, MEMORY, ALL, 1e10, TRAPEZOID, ANY, GZ_P_MEM_BANDWIDTH, 0, \
        "bandwidth of device memory to stencils; if absent, mem_bandwidth") \
    ROW(AHEAD_BANDWIDTH, ahead_bandwidth, "M / tau_a", "B/s", positive, CPU, MEMORY, MEMORY, ALL, 1e10, TRAPEZOID, ANY, GZI_P(EFFECTIVE_BANDWIDTH), 0, \
        "bandwidth of device memory to rows that are prefetched; if absent, effective_bandwidth") \
    ROW(STREAM_BANDWIDTH, stream_bandwidth, "M / tau_S", "B/s", positive, CPU, MEMORY, MEMORY, ALL, 1e10, STREAM, ANY, GZI_P(EFFECTIVE_BANDWIDTH), 0, \
        "bandwidth of device memory to streamed tiles; if absent, effective_bandwidth") \
    ROW(NAIVE_BANDWIDTH, naive_bandwidth, "M / tau_n", "B/s", positive, CPU, MEMORY, MEMORY, ALL, 1e10, NAIVE, ANY, GZI_P(EFFECTIVE_BANDWIDTH), 0, \
        "bandwidth of device memory to blocks without local memory; if absent, effective_bandwidth") \
    ROW(EFFECTIVE_CACHE, effective_cache, "C", "B", positive, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "effective size of the last cache: the footprint at which time per byte is half-way to device memory's") \
    ROW(CACHE_SHARPNESS, cache_sharpness, "m", "1", positive, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "how sharply traffic leaves that cache over its size; if absent, 4 on CPUs and 8 on GPUs") \
    ROW(TERM_NORM, term_norm, "p", "1", from_1, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "exponent of the norm that joins latency, issue and bandwidths; if absent, 3") \
    ROW(ISSUE_RATE, issue_rate, "schedulers / I", "1/s", positive, GPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "warp instructions that a multiprocessor issues per second; for applications without issue_time") \
    ROW(INSTRUCTION_LATENCY, instruction_latency, "t_i", "s", not_negative, GPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "latency of a dependent instruction; for applications without chain_time") \
    ROW(READ_TIME, read_time, "c_r", "s", positive, CPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "computing an element in a trapezoid, for each element of 4 bytes that it reads; for applications without cell_time") \
    ROW(STREAM_READ_TIME, stream_read_time, "c_rS", "s", positive, CPU, TERMS, NONE, TIME, 0, STREAM, ANY, 0, 0, \
        "likewise in a streamed tile; for applications without stream_cell_time") \
    ROW(NAIVE_READ_TIME, naive_read_time, "c_rn", "s", positive, CPU, TERMS, NONE, TIME, 0, NAIVE, ANY, 0, 0, \
        "likewise without local memory; for applications without naive_cell_time")

/* Of an application on the device of its profile. */
#define GZI_OWN_APP(ROW) \
    ROW(CELL_TIME, cell_time, "c_s", "s", not_negative, CPU, WORK, COMPUTE, TIME, 5e-10, TRAPEZOID, ANY, 0, 0, \
        "computing an element on one core") \
    ROW(REST_TIME, rest_time, "e_s", "s", not_negative, CPU, WORK, COMPUTE, TIME, 5e-10, TRAPEZOID, ANY, 0, GZI_P(CELL_TIME), \
        "additional time of an element of a row that fills no whole vector; if absent, 0") \
    ROW(STREAM_CELL_TIME, stream_cell_time, "c_S", "s", not_negative, CPU, WORK, COMPUTE, TIME, 3e-10, STREAM, ANY, 0, 0, \
        "computing an element in a streamed tile on one core") \
    ROW(STREAM_REST_TIME, stream_rest_time, "e_S", "s", not_negative, CPU, WORK, COMPUTE, TIME, 5e-10, STREAM, ANY, 0, GZI_P(STREAM_CELL_TIME), \
        "additional time of an element of a streamed tile's row that fills no four vectors; if absent, 0") \
    ROW(NAIVE_CELL_TIME, naive_cell_time, "c_n", "s", not_negative, CPU, WORK, COMPUTE, TIME, 1e-9, NAIVE, ANY, 0, 0, \
        "computing an element without local memory on one core") \
    ROW(CHAIN_TIME, chain_time, "t_cp", "s", not_negative, GPU, LATENCY, LATENCY, TIME, 1e-7, TRAPEZOID, ANY, 0, 0, \
        "latency of an iteration of computing by the threads of a block") \
    ROW(ISSUE_TIME, issue_time, "I", "s", not_negative, GPU, WORK, COMPUTE, TIME, 1e-8, TRAPEZOID, ANY, 0, 0, \
        "time for which a warp's iteration of computing occupies a multiprocessor")

#define GZI_OWN(ROW) GZI_OWN_DEVICE(ROW) GZI_OWN_APP(ROW)
/* clang-format on */

/* gz2's parameters are these quantities, in seconds for each thing that is counted. */
#define GZI_ENUMERATOR(ID, ...) GZI_GZ2_##ID,
typedef enum gzi_gz2_parameter {
    GZI_OWN(GZI_ENUMERATOR) GZI_GZ2_PARAMETERS,
    GZI_GZ2_OF_STENCIL = GZI_GZ2_CELL_TIME /* the first of an application; those before it are of a
                                              device */
} gzi_gz2_parameter;

#endif
