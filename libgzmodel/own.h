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

enum { GZI_ON_CPU = 1, GZI_ON_GPU = 2, GZI_ON_BOTH = GZI_ON_CPU | GZI_ON_GPU };
typedef enum gzi_per { GZI_PER_TIME, GZI_PER_ALL, GZI_PER_ONE } gzi_per;

/* clang-format off */

/* Quantities of a device. */
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
    ROW(LOAD_LATENCY, load_latency, "t_M", "s", not_negative, GPU, LATENCY, LATENCY, TIME, 4e-7, TRAPEZOID, ANY, GZ_P_UNCONTENDED_LATENCY, 0, \
        "latency of device memory; if absent, uncontended_latency") \
    ROW(BARRIER_LATENCY, barrier_latency, "t_bar", "s", not_negative, GPU, LATENCY, LATENCY, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "latency of a barrier within a block; if absent, 30 cycles") \
    ROW(INSTRUCTION_LATENCY, instruction_latency, "t_i", "s", not_negative, GPU, LATENCY, LATENCY, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "latency of a dependent instruction; if absent, 4 cycles") \
    ROW(ISSUE_RATE, issue_rate, "I", "1/s", positive, GPU, WORK, COMPUTE, ONE, 0, TRAPEZOID, ANY, 0, 0, \
        "warp instructions that a multiprocessor issues per second; if absent, 4 a cycle") \
    ROW(FP64_RATE, fp64_rate, "I_64", "1/s", positive, GPU, FP64, DOUBLE, ONE, 0, TRAPEZOID, ANY, 0, 0, \
        "of these, instructions in double precision; if absent, they are no slower than others") \
    ROW(SHARED_BANDWIDTH, shared_bandwidth, "B_shared", "B/s", positive, GPU, LOCAL, SHARED, ONE, 0, TRAPEZOID, ANY, 0, 0, \
        "bandwidth of a multiprocessor's load and store unit, to shared memory and caches; if absent, 128 bytes a cycle") \
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
    ROW(READ_TIME, read_time, "c_r", "s", positive, CPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "computing an element in a trapezoid, for each element of 4 bytes that it reads; for applications without cell_time") \
    ROW(STREAM_READ_TIME, stream_read_time, "c_rS", "s", positive, CPU, TERMS, NONE, TIME, 0, STREAM, ANY, 0, 0, \
        "likewise in a streamed tile; for applications without stream_cell_time") \
    ROW(NAIVE_READ_TIME, naive_read_time, "c_rn", "s", positive, CPU, TERMS, NONE, TIME, 0, NAIVE, ANY, 0, 0, \
        "likewise without local memory; for applications without naive_cell_time")

/* Quantities of an application on the device of its profile. */
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
    ROW(STAGE_INSTS, stage_insts, "n_0", "1", not_negative, GPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "warp instructions of a warp once a stage, in a trapezoid; if absent, 0") \
    ROW(LOAD_INSTS, load_insts, "n_l", "1", not_negative, GPU, TERMS, NONE, TIME, 20, TRAPEZOID, ANY, 0, 0, \
        "for each iteration of loading; if absent, from insts_per_sm_misc") \
    ROW(STEP_INSTS, step_insts, "n_s", "1", not_negative, GPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "once a loop; if absent, 0") \
    ROW(COMPUTE_INSTS, compute_insts, "n_c", "1", not_negative, GPU, TERMS, NONE, TIME, 40, TRAPEZOID, ANY, 0, 0, \
        "for each iteration of computing; if absent, from insts_per_sm_iter") \
    ROW(STREAM_STAGE_INSTS, stream_stage_insts, "n_0S", "1", not_negative, GPU, TERMS, NONE, TIME, 0, STREAM, ANY, 0, 0, \
        "warp instructions of a warp once a stage, in a streamed tile; if absent, stage_insts") \
    ROW(STREAM_LOAD_INSTS, stream_load_insts, "n_lS", "1", not_negative, GPU, TERMS, NONE, TIME, 20, STREAM, ANY, 0, 0, \
        "for each iteration of loading a plane; if absent, load_insts") \
    ROW(STREAM_STEP_INSTS, stream_step_insts, "n_sS", "1", not_negative, GPU, TERMS, NONE, TIME, 0, STREAM, ANY, 0, 0, \
        "for each level of a plane; if absent, step_insts") \
    ROW(STREAM_COMPUTE_INSTS, stream_compute_insts, "n_cS", "1", not_negative, GPU, TERMS, NONE, TIME, 40, STREAM, ANY, 0, 0, \
        "for each iteration of computing; if absent, compute_insts") \
    ROW(NAIVE_STAGE_INSTS, naive_stage_insts, "n_0n", "1", not_negative, GPU, TERMS, NONE, TIME, 0, NAIVE, ANY, 0, 0, \
        "warp instructions of a warp once a stage, without local memory; if absent, stage_insts") \
    ROW(NAIVE_COMPUTE_INSTS, naive_compute_insts, "n_cn", "1", not_negative, GPU, TERMS, NONE, TIME, 40, NAIVE, ANY, 0, 0, \
        "for each iteration of computing; if absent, compute_insts") \
    ROW(FP64_INSTS, fp64_insts, "n_64", "1", not_negative, GPU, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "instructions in double precision of an iteration of computing; if absent, 0") \
    ROW(OLDER_STATE, older_state, "o", "1", yes_or_no, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "whether an operation reads its element's state before the last too, which is loaded and committed like the last; if absent, 0") \
    ROW(FIELDS, fields, "fields", "1", whole_positive, BOTH, TERMS, NONE, TIME, 0, TRAPEZOID, ANY, 0, 0, \
        "values of an element, all of which an operation computes, each in an array of its own that is loaded and committed; if absent, 1")

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
