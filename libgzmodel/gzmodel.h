/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmodel.h - libgzmodel, an analytical model of ghost zones for iterative stencil loops on GPUs.
 *
 * A stencil applied for many loops (time steps) over a grid is cut into tiles, one per thread
 * block. With ghost zones a tile starts wider than what it commits, so that it can compute `h`
 * loops, a trapezoid of height h, before the blocks must synchronise. This library predicts the
 * cost of one loop (CPL, cycles per loop) from h, the tile, the application and the device; gives
 * its exact derivatives; and finds the best h, tile and synchronisation (example/height.c):
 *
 *     gz_device_open("gtx280", &dev, &error);
 *     gz_app_open("hotspot", "gtx280", &app, &error);
 *     gz_config cfg = {.data_length = {2000, 2000}, .block_len = {20, 20}};
 *     gz_optimize(&dev, &app, &cfg, NULL, &best, &error);
 *     printf("height %d, %g s per loop\n", best.integer, best.prediction.seconds_per_loop);
 *
 * Source of the equations: J. Meng, K. Skadron, "A Performance Study for Iterative Stencil Loops on
 * GPUs with Ghost Zone Optimizations", Int. J. Parallel Programming 39 (2011) 115-142; `[Eq. n]`
 * names its equation n. Symbols in parentheses are the paper's.
 *
 * Conventions. Times are cycles of the device's clock unless a name ends in `_s` (seconds). Counts
 * are doubles, since the model is continuous in all of them; the files (see gz_device_open) must
 * have whole numbers for counts. Dimension 0 is the fastest varying one. Only the first `app->dim`
 * entries of an array over dimensions are read. Structures own nothing and may be copied by
 * assignment; a zeroed structure is a valid start for filling one in by hand. All functions are
 * thread-safe and keep no state between calls; none prints, exits or changes GSL's error handler.
 * GZ_OK, zero, is success, negative values are failures; after a failure the outputs are
 * unspecified, except a gz_error (which may be NULL), which then holds a message.
 */
#ifndef GZMODEL_H
#define GZMODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GZ_VERSION_MAJOR 3
#define GZ_VERSION_MINOR 0
#define GZ_VERSION_PATCH 0

#define GZ_MAX_DIM 3       /* largest dimensionality (D) */
#define GZ_NAME_SIZE 64    /* bytes of a name, with its terminating zero */
#define GZ_OWN_CAPACITY 48 /* a model's own quantities that gz_device and gz_app have room for */

#if defined(__GNUC__)
#define GZ_API __attribute__((visibility("default")))
#else
#define GZ_API
#endif

/* ------------------------------------------------------------------------------------- status */

typedef enum gz_status {
    GZ_OK = 0,
    GZ_EARGUMENT = -1, /* a null pointer, or an enumeration's value that has no name (gz_name) */
    GZ_EDEVICE = -2,   /* a device quantity is missing, not finite or out of its range */
    GZ_EAPP = -3,      /* an application quantity is missing, not finite or out of its range */
    GZ_ECONFIG = -4,   /* a grid or block length is not finite or out of its range */
    GZ_EBLOCK = -5,    /* the block leaves no committed tile even at height 1 [Eq. 20] */
    GZ_ETHREADS = -6,  /* the block has more threads than the device allows */
    GZ_EHEIGHT = -7,   /* the height is not in (0, pole), or the bounds leave no height */
    GZ_EOVERFLOW = -8, /* the inputs are in range but a result is not a finite number */
    GZ_ECONVERGE = -9, /* the optimality condition could not be met (see gz_optimum) */
    GZ_EIO = -10,      /* a file could not be read */
    GZ_EFORMAT = -11,  /* a file does not follow its schema */
    GZ_EUNKNOWN = -12, /* no built-in device or application of that name, and no such file */
    GZ_ELIMITS = -13,  /* the limits on the tile are out of range or leave no tile */
    GZ_ENOMEM = -14,   /* out of memory (files and optimisers) */
    GZ_EMODEL = -15    /* the model does not describe that: a variant, a fractional height */
} gz_status;

/* One sentence without a full stop for a status; never NULL, static storage. */
GZ_API const char *gz_strerror(gz_status status);

/* The enumerations whose values have names: gz_sync ("restart"), gz_tau ("printed"), gz_model
 * ("meng2011"), gz_variant ("trapezoid"), gz_origin ("paper"), gz_stop ("interior"), gz_status
 * ("GZ_EDEVICE"), gz_cycle ("v") and gz_part ("smooth"). */
/* clang-format off */
typedef enum gz_kind {
    GZ_SYNCS = 0, GZ_TAUS, GZ_MODELS, GZ_VARIANTS, GZ_ORIGINS, GZ_STOPS, GZ_STATUSES, GZ_CYCLES,
    GZ_PARTS
} gz_kind;
/* clang-format on */

/* The name of a value; NULL for a value that does not exist, or a model or variant that this
 * library lacks. Values are 0, 1, ... without gaps (statuses 0, -1, ...). Static storage. */
GZ_API const char *gz_name(gz_kind kind, long value);

/* The value of a name; GZ_NO_VALUE for a name that does not exist (or NULL). */
#define GZ_NO_VALUE (-1000)
GZ_API int gz_by_name(gz_kind kind, const char *name);

/* The version of the library at run time, "MAJOR.MINOR.PATCH"; static storage. */
GZ_API const char *gz_version(void);

/* What went wrong, in one line that says what, where (file:line:column for files) and what would be
 * valid; without a newline. Filled only by functions that take it, and only if they fail. */
typedef struct gz_error {
    char text[512];
} gz_error;

/* ------------------------------------------------------------------------------ device and app */

/* Where a quantity comes from. */
typedef enum gz_origin {
    GZ_ORIGIN_NONE = 0, /* not stated; an optional quantity is absent */
    GZ_ORIGIN_PAPER,    /* printed in Meng and Skadron's paper */
    GZ_ORIGIN_VENDOR,   /* the vendor's data sheet */
    GZ_ORIGIN_QUERY,    /* reported by the device's driver */
    GZ_ORIGIN_MEASURED, /* timed on the device */
    GZ_ORIGIN_COUNTED,  /* read from hardware counters or from an instruction-level simulator */
    GZ_ORIGIN_FITTED,   /* fitted to runs of the stencils themselves */
    GZ_ORIGIN_DEFAULT   /* assumed */
} gz_origin;

/* A number and its standard deviation in the same unit, 0 if unknown or exact. */
typedef struct gz_quantity {
    double value, sd;
    gz_origin origin;
} gz_quantity;

/* A device. The unit and range of each value follow it; gzmodel-files(5) says more. */
typedef struct gz_device {
    char name[GZ_NAME_SIZE];         /* for people: "GeForce GTX 280" */
    char key[GZ_NAME_SIZE];          /* what options and files call it: "gtx280" */
    gz_quantity clock_rate;          /* ClockRate, Hz, > 0 */
    gz_quantity mem_bandwidth;       /* MemBandwidth, bytes/s, > 0 */
    gz_quantity uncontended_latency; /* UncontendedLat, cycles, >= 0 */
    gz_quantity sm_count;            /* M, multiprocessors, >= 1 */
    gz_quantity blocks_per_sm;       /* BlksPerSM, concurrent blocks on one, >= 1 */
    gz_quantity cpi;                 /* CPI, cycles per warp instruction of one SM, > 0 */
    gz_quantity launch_overhead;     /* GlbSync_KnlRestart, cycles, >= 0 [Eq. 17] */
    gz_quantity fence_overhead;    /* slope of GlbSync_MemFence, cycles per block, >= 0 [Eq. 18] */
    gz_quantity fence_exposure;    /* mu, exposed share of a fence's time, 0..1 */
    gz_quantity latency_hiding;    /* beta, share of instructions hidden behind memory, 0..1 */
    gz_quantity dimension_penalty; /* sigma, > 0; alpha = sigma^(D-1) scales memory time */
    gz_quantity max_threads_per_block; /* threads, >= 1 */
    /* The rest is optional: see gz_quantity_stated. */
    gz_quantity graph_overhead; /* as launch_overhead, restarted from a CUDA graph, cycles, >= 0 */
    gz_quantity shared_mem_per_block; /* bytes, > 0; a limit of gz_tune */
    gz_quantity clock_rate_nominal;   /* Hz, > 0, as the vendor states it */
    gz_quantity memory_clock;         /* Hz, > 0, as the vendor states it */
    gz_quantity memory_bus_width;     /* bits, >= 1 */
    gz_quantity memory_size;          /* bytes, > 0 */
    gz_quantity cache_size;           /* largest cache before device memory, bytes, > 0 */
    gz_quantity shared_mem_per_sm;    /* bytes, > 0 */
    gz_quantity registers_per_sm;     /* registers of 32 bits, >= 1 */
    gz_quantity max_threads_per_sm;   /* threads, >= 1 */
    gz_quantity max_blocks_per_sm;    /* thread blocks, >= 1 */
    gz_quantity cooperative_launch;   /* 1 if thread blocks may wait for each other, else 0 */
    gz_quantity fence_intercept;      /* intercept of Eq. 18's line, cycles, any sign */
    gz_quantity warp_size;            /* threads that issue together, >= 1; 1 on CPUs */
    gz_quantity cache_line;           /* bytes, >= 1 */
    gz_quantity shared_mem_step;      /* unit of allocation of shared memory, bytes, >= 1 */
    gz_quantity own[GZ_OWN_CAPACITY]; /* what only some models have: by name, see gz_set */
} gz_device;

/* An application: the stencil and its one profiling run. Quantities as in the paper's Table 2. */
typedef struct gz_app {
    char name[GZ_NAME_SIZE];           /* for people: "HotSpot" */
    char key[GZ_NAME_SIZE];            /* what options and files call it: "hotspot" */
    char profile_device[GZ_NAME_SIZE]; /* name of the device of the profiling run, "" if unknown */
    int dim;                           /* D, stencil dimensionality, 1..3 */
    double halo_width[GZ_MAX_DIM];     /* HaloWidth_i, elements on both sides together (stencil
                                          length minus one), >= 0 and not 0 in every dimension */
    gz_quantity element_size;          /* x, bytes, > 0 */
    gz_quantity stencil_arrays;        /* NumStencilArrays, arrays loaded per tile, > 0 */
    gz_quantity elements_per_op;       /* NumElemPerOp, elements loaded from device memory per
                                          operation, >= 0 */
    gz_quantity profile_sm_count;  /* M of the device of the profiling run [Eq. 14], >= 1; optional:
                                      the target device's sm_count is taken if it is not stated */
    gz_quantity profile_elements;  /* N, elements of the profiling run, >= 1 */
    gz_quantity insts_per_sm_misc; /* InstsPerSM_MC, warp instructions per loop on one SM, the part
                                      done once per thread, >= 0 */
    gz_quantity insts_per_sm_iter; /* InstsPerSM_IC, likewise, the part done in each loop, >= 0 */
    gz_quantity bank_conflict_rate; /* BankConflictRate, conflicts per warp instruction, >= 0 */
    /* The rest is optional. */
    gz_quantity edge_rule;            /* beyond the grid: 0 the nearest element, 1 a fixed value, 2
                                         the other end; of dimension 0, and of the others: */
    gz_quantity edge_rule_1;          /* of dimension 1, if another */
    gz_quantity edge_rule_2;          /* of dimension 2, if another */
    gz_quantity tile_reads;           /* elements of loaded arrays read per operation, >= 0 */
    gz_quantity registers_per_thread; /* >= 1 */
    gz_quantity own_column;           /* 1 if other planes along the last dimension are read in the
                                         element's own column only, as by stars, else 0 */
    gz_quantity coefficients;         /* values that are the same for all elements, >= 0 */
    gz_quantity column_reads; /* elements of the state read in that column per operation, >= 0 */
    gz_quantity own[GZ_OWN_CAPACITY]; /* what only some models have: by name, see gz_app_set */
} gz_app;

/* Whether a quantity is stated, by an origin or a value other than 0; else it is absent. */
GZ_API int gz_quantity_stated(const gz_quantity *quantity);

/* Whether the application's counts were taken on this device, by its name, or nobody says where, or
 * they were taken in machine code ("sm_90") and the device's warps have 32 threads. If zero, a
 * prediction for `dev` rests on counts of another device, app->profile_device. */
GZ_API int gz_profile_matches(const gz_device *dev, const gz_app *app);

/* Sets a quantity by its name in the files, a model's own ("copy_row") among them, in its unit; its
 * deviation becomes 0 and its origin GZ_ORIGIN_DEFAULT. GZ_EARGUMENT (no such quantity); or
 * GZ_EDEVICE or GZ_EAPP if the value is out of its range, and nothing has changed then. And its
 * value; NaN if there is none. */
GZ_API gz_status gz_set(gz_device *dev, const char *name, double value);
GZ_API double gz_get(const gz_device *dev, const char *name);
GZ_API gz_status gz_app_set(gz_app *app, const char *name, double value);
GZ_API double gz_app_get(const gz_app *app, const char *name);

/* ------------------------------------------------------------------------------- configuration */

/* How thread blocks synchronise between stages. */
typedef enum gz_sync {
    GZ_SYNC_RESTART = 0, /* the kernel ends and is launched again [Eq. 17] */
    GZ_SYNC_FENCE = 1,   /* persistent blocks wait at a barrier in device memory [Eq. 18] */
    GZ_SYNC_GRAPH = 2    /* as restart, launched from one CUDA graph; needs graph_overhead */
} gz_sync;

/* Two readings of the printed equations. Eq. 11 scales instructions by tau = (1 - beta)(1 +
 * BankConflictRate); Eqs. 15 and 16 as printed leave it out. */
typedef enum gz_tau {
    GZ_TAU_PRINTED = 0, /* MiscComp and IterComp as in Eqs. 15 and 16 */
    GZ_TAU_SCALED = 1   /* both times tau, as Eq. 11 says */
} gz_tau;

/* Which model predicts. */
typedef enum gz_model {
    GZ_MODEL_AUTO = 0,     /* gz2 if device and application state what it needs for the
                              configuration, else meng2011: see gz_model_for */
    GZ_MODEL_MENG2011 = 1, /* Meng and Skadron's equations: smooth in every count */
    GZ_MODEL_GZ2 = 2       /* whole tiles, caches and occupancy of today's devices */
} gz_model;

/* How a tile is computed. */
typedef enum gz_variant {
    GZ_VARIANT_TRAPEZOID = 0, /* the starting tile is block_len, ghost zone included */
    GZ_VARIANT_STREAM = 1,    /* the tile moves through pieces of the last dimension */
    GZ_VARIANT_NAIVE = 2      /* no ghost zone: one loop a stage, neighbours from device memory */
} gz_variant;

/* A configuration: grid, tile, threads, synchronisation. A zeroed member means the default. */
typedef struct gz_config {
    double data_length[GZ_MAX_DIM]; /* DataLength_i, grid, elements, >= 1 */
    double block_len[GZ_MAX_DIM];   /* blk_len_i, starting tile, elements, > HaloWidth_i */
    gz_sync sync;
    gz_tau tau; /* of GZ_MODEL_MENG2011 */
    int beyond; /* non-zero: more threads than the device allows are accepted */
    gz_model model;
    gz_variant variant;
    double threads[GZ_MAX_DIM]; /* threads of a block, each of which takes every threads[i]-th
                                   element; 0: one per element of the tile, of a streamed one per
                                   element of a plane, and on a CPU one. Their product is at
                                   most max_threads_per_block */
    double stream_len; /* GZ_VARIANT_STREAM: elements of a piece along the last dimension; 0: the
                          grid's whole length. block_len and threads of that dimension are not
                          read, but must be in range */
    double loops;      /* GZ_MODEL_GZ2: loops of the run, and of the arrays of an application that
                          reads something new in each (elements_per_op > 0); 0: 30 */
} gz_config;

/* Whether a model describes tiles of a variant, on any device: GZ_OK, GZ_EMODEL (`error` names what
 * it describes, and the models that describe this one) or GZ_EARGUMENT. */
GZ_API gz_status gz_model_describes(gz_model model, gz_variant variant, gz_error *error);

/* The model that predicts a configuration: its own, or the one that GZ_MODEL_AUTO means for this
 * device and application; GZ_TAU_SCALED means GZ_MODEL_MENG2011, and variants that only
 * GZ_MODEL_GZ2 describes mean this. `why` (may be NULL) says in a clause why, and whether the
 * application is not calibrated on this CPU, so that an element takes the device's time for what it
 * reads (read_time, whose standard deviation is that between stencils). Null pointers:
 * GZ_MODEL_AUTO. */
GZ_API gz_model gz_model_for(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             gz_error *why);

/* Checks all that a prediction needs, as every function below does itself. GZ_EARGUMENT,
 * GZ_EDEVICE, GZ_EAPP, GZ_ECONFIG, GZ_EBLOCK, GZ_ETHREADS or GZ_EMODEL; `error` names the quantity,
 * its value and its range. */
GZ_API gz_status gz_check(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                          gz_error *error);

/* --------------------------------------------------------------------------------------- files */

/* Reads a device. `name_or_path` is a built-in name ("gtx280"; built-in names win over files) or
 * the path of a JSON file of schema gzmodel-device-1. The device's key is the built-in name, or the
 * file's name without ".json"; a file called device.json is known by its folder. GZ_EARGUMENT,
 * GZ_EIO, GZ_EFORMAT, GZ_EUNKNOWN or GZ_ENOMEM. */
GZ_API gz_status gz_device_open(const char *name_or_path, gz_device *dev, gz_error *error);

/* Reads an application. `device` is what gz_device_open was given, or NULL. `name_or_path` is the
 * path of a JSON file of schema gzmodel-app-1 if it has a slash or ends in ".json"; else the name
 * of the first of these that there is: an application of the built-in device `device`, or a file
 * NAME.json next to the file `device`; a built-in application ("hotspot"), whose counts are the GTX
 * 280's if the paper has it and `device` is NULL or does not state its warp_size, else those of an
 * NVIDIA GPU of today (see gz_profile_matches); a file of that very name. What the stencil reads
 * and a device's application does not state is the built-in one's of that name. The application's
 * key is its file's name without ".json". Returns as gz_device_open. */
GZ_API gz_status gz_app_open(const char *name_or_path, const char *device, gz_app *app,
                             gz_error *error);

/* Reads a device or an application from `size` bytes of JSON text (no terminating zero needed);
 * `label` is the file's name in messages, and gives the key. */
GZ_API gz_status gz_device_parse(const char *text, size_t size, const char *label, gz_device *dev,
                                 gz_error *error);
GZ_API gz_status gz_app_parse(const char *text, size_t size, const char *label, gz_app *app,
                              gz_error *error);

/* The built-in devices by index from 0, if `device` is NULL; else the applications that come with
 * the built-in device of that key ("generic-gpu", whose applications are taken for devices that
 * have none of their own): key, and JSON text; NULL past the last. Static storage. */
GZ_API const char *gz_builtin_name(const char *device, size_t index);
GZ_API const char *gz_builtin_text(const char *device, size_t index);

/* The key of the built-in device whose file lists what a driver calls it ("NVIDIA H100 80GB HBM3"
 * is "h100-sxm"), with or without "NVIDIA "; NULL if none does. Static storage. */
GZ_API const char *gz_builtin_of_driver(const char *driver_name);

/* ---------------------------------------------------------------------------------- prediction */

/* CPL is a sum of at most so many terms in the model's own order; name ("GlbSync") and meaning
 * ("synchronising the blocks") of term k are NULL for one, or a model, that does not exist. */
#define GZ_TERM_CAPACITY 12
GZ_API const char *gz_term_name(gz_model model, int term);
GZ_API const char *gz_term_meaning(gz_model model, int term);

/* Those of GZ_MODEL_MENG2011 [Eqs. 24-30]. */
enum {
    GZ_TERM_GLB_SYNC,  /* GlbSync*  [Eq. 25] */
    GZ_TERM_LOAD_STEN, /* LoadSten* [Eq. 26] */
    GZ_TERM_COMMIT,    /* Commit*   [Eq. 27] */
    GZ_TERM_MISC_COMP, /* MiscComp* [Eq. 28]; 0 with fences, which pay it once for all loops */
    GZ_TERM_ITER_COMP, /* IterComp* [Eq. 29] */
    GZ_TERM_ITER_MEM   /* IterMem*  [Eq. 30] */
};

/* One prediction with every intermediate quantity. Cycles unless a unit says otherwise. Every model
 * gives height, t, cps, cpl, seconds_per_loop and its terms, and dcpl_dh if it is smooth (NaN if
 * not); the rest are quantities of GZ_MODEL_MENG2011, 0 from another model. */
typedef struct gz_prediction {
    double height;           /* h, loops */
    double t;                /* T, trapezoids per stage, 1 [Eq. 3] */
    double passes;           /* T / ConcurBlks, 1 [Eq. 6] */
    double concur_blks;      /* ConcurBlks, 1 [Eq. 5] */
    double load_sten;        /* LoadSten per stage [Eq. 8] */
    double iter_mem;         /* IterMem per stage [Eq. 10] */
    double commit;           /* Commit per stage [Eq. 9] */
    double mem_acc;          /* MemAcc = LoadSten + IterMem + Commit [Eq. 2] */
    double misc_comp;        /* MiscComp per trapezoid [Eq. 15]; computed in every mode */
    double iter_comp;        /* IterComp per trapezoid [Eq. 16] */
    double cpt;              /* CPT per trapezoid: IterComp, and MiscComp unless fences are used */
    double glb_sync;         /* GlbSync per stage [Eqs. 17, 18] */
    double cps;              /* CPS, cycles per stage [Eq. 2] */
    double cpl;              /* CPL, cycles per loop [Eq. 1] */
    double dcpl_dh;          /* dCPL/dh, cycles per loop squared */
    double cost_effect;      /* CostEffect, 1 [Eq. 19] */
    double seconds_per_loop; /* CPL / ClockRate, s */
    gz_model model;          /* that predicted: never GZ_MODEL_AUTO */
    int term_count;
    double term[GZ_TERM_CAPACITY]; /* cycles per loop; 0 after the last */
} gz_prediction;

/* Predicts at height h (loops, fractional allowed, 0 < h < gz_pole). Allocates nothing. Returns
 * what gz_check returns, GZ_EHEIGHT, GZ_EMODEL (a fractional height, and the model has whole ones
 * only) or GZ_EOVERFLOW. */
GZ_API gz_status gz_predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                            gz_prediction *out, gz_error *error);

/* The height at which the committed tile vanishes, where CPL has a pole, for trapezoids min_i
 * blk_len_i / HaloWidth_i [Eq. 20], and the largest whole one below it, loops. NaN if refused. */
GZ_API double gz_pole(const gz_app *app, const gz_config *cfg);
GZ_API double gz_height_max(const gz_app *app, const gz_config *cfg);

/* -------------------------------------------------------------------------------- optimisation */

/* Why the optimiser stopped. */
typedef enum gz_stop {
    GZ_STOP_INTERIOR = 0, /* dCPL/dh = 0 there, verified */
    GZ_STOP_LOWER = 1,    /* CPL rises from the lower bound on: the bound is the minimiser */
    GZ_STOP_UPPER = 2,    /* CPL falls up to the upper bound: the bound is the minimiser */
    GZ_STOP_WHOLE = 3     /* every whole height was tried: `continuous` equals `integer` */
} gz_stop;

/* Bounds on the height, loops. 0 (or lower) in `lower` and 0 in `upper` mean none. */
typedef struct gz_bounds {
    double lower, upper;
} gz_bounds;

typedef struct gz_optimum {
    double continuous; /* the minimiser of CPL over (0, pole), or within the bounds, loops */
    int truncated;     /* the paper's rule: the minimiser truncated, at least 1 */
    int integer;       /* the whole height with the smallest CPL (the smaller of equals) */
    int height_max;  /* the largest whole height that leaves a committed tile (and is in bounds) */
    double speedup;  /* CPL at h = 1 over CPL at `integer` */
    int evaluations; /* how often CPL or its derivative was evaluated */
    gz_stop stop;    /* why the continuous search stopped */
    double optimality; /* |d ln CPL / d ln h| at `continuous`, 1; near 0 for an interior stop, 0 for
                          whole heights */
    double cpl;        /* CPL at `continuous`, cycles per loop */
    gz_prediction prediction; /* at `integer` */
} gz_optimum;

/* Finds the best height at a fixed tile. GZ_MODEL_MENG2011: the unique minimiser of the log-convex
 * CPL(h), to 1e-12 relative, never stepping over the pole. Another model: the best of the whole
 * heights. `bounds` may be NULL. Returns what gz_check returns, GZ_EHEIGHT (the bounds leave no
 * whole height, or more than a million), GZ_EOVERFLOW, GZ_ECONVERGE or GZ_ENOMEM. */
GZ_API gz_status gz_optimize(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                             const gz_bounds *bounds, gz_optimum *out, gz_error *error);

/* Restarts or fences. */
typedef struct gz_choice {
    gz_optimum restart; /* the best height with kernel restarts */
    gz_optimum fence;   /* and with memory fences */
    double delta;       /* Eq. 23, cycles per block: > 0 favours restarts, < 0 fences; for a
                           model other than GZ_MODEL_MENG2011, overhead per tile */
    double overhead;    /* Overhead_MemFence at restart's height, cycles per stage [Eq. 21] */
    gz_sync by_delta;   /* the paper's choice, by delta's sign; |delta| is its confidence */
    gz_sync choice; /* the mode with the smaller CPL at its own best height (restart if equal) */
    double gain;    /* CPL of the mode not chosen over that of the chosen one, >= 1 */
} gz_choice;

/* Chooses between kernel restarts and memory fences [Eqs. 21-23]; cfg->sync is not read. The rule
 * by delta is the paper's and leaves out the constant of Eq. 23 (a launch), so the two can differ
 * on small grids. Errors as gz_optimize. */
GZ_API gz_status gz_choose(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                           gz_choice *out, gz_error *error);

/* -------------------------------------------------------------------------------------- tuning */

/* Which tiles a search tries. With a model by which a larger tile is never worse, those that cannot
 * grow; beyond GZ_TILE_MAX elements, with lengths that are multiples of a power of two where
 * block_step leaves that open. With another, all, if there are at most GZ_SHAPES_MAX; else those
 * whose lengths lie a factor of sqrt(2) apart, and then the neighbours of the best eight by ever
 * smaller steps, which need not find the best of all. */
#define GZ_TILE_MAX 1e7
#define GZ_SHAPES_MAX 4096

/* Limits on the tile. Zero means: the device's own for `threads` and `shared_bytes`, stencil_arrays
 * + fields - older_state for `arrays_held` (arrays loaded or computed), no cap for `block_max[i]`,
 * any length for `block_step[i]` (on a GPU rows of whole warps, if the grid has such), and no bound
 * for `height_max` and `height_min`. Whole numbers. A tile never exceeds the grid. */
typedef struct gz_tile_limits {
    double threads;      /* threads of a block at most this, and at most the device's; and elements
                            of the tile, if shared_bytes is not known: then each has a thread */
    double shared_bytes; /* element_size arrays_held prod_i blk_len_i at most this, bytes */
    double arrays_held;  /* arrays a tile keeps on chip, 1 */
    double block_max[GZ_MAX_DIM];  /* largest blk_len_i, elements */
    double block_step[GZ_MAX_DIM]; /* blk_len_i is a multiple of this, elements */
    double height_max, height_min; /* largest and smallest height, loops */
} gz_tile_limits;

/* What gz_tune searches. A zeroed member means the default; only data_length must be set. */
typedef struct gz_tune_request {
    double data_length[GZ_MAX_DIM]; /* grid, elements */
    double block_len[GZ_MAX_DIM];   /* the tile, if it is given: then it is not searched, and the
                                       limits apply to its threads only; 0: search it */
    gz_model model;                 /* GZ_MODEL_AUTO as for one of the combinations */
    gz_tau tau;
    unsigned syncs;    /* kinds of synchronisation, bits 1u << gz_sync; 0: all that the device has,
                          that is restart, fence if it states fence_overhead, graph if it states
                          graph_overhead */
    unsigned variants; /* bits 1u << gz_variant; 0: all that the model describes */
    gz_tile_limits limits;
    double z;                   /* half-width of the intervals in standard deviations; 0: 1.96 */
    double loops;               /* of the run, as in gz_config; 0: 30 */
    double threads[GZ_MAX_DIM]; /* of every block; 0 in a dimension: those that go with each tile */
    double stream_len;          /* of every streamed tile; 0: search it */
} gz_tune_request;

/* A way to run, in whole numbers. */
#define GZ_WAY_MEMBERS                                                                             \
    gz_variant variant;                                                                            \
    gz_sync sync;                                                                                  \
    int height;              /* loops of a stage, >= 1; NAIVE: 1 */                                \
    int block[GZ_MAX_DIM];   /* starting tile, elements, ghost zone included; STREAM: the last */  \
                             /* is the piece with its ghost zone */                                \
    int threads[GZ_MAX_DIM]; /* of a block; 0: 1 */                                                \
    long piece;              /* STREAM: planes that a piece commits; 0: all */
typedef struct gz_way {
    GZ_WAY_MEMBERS
} gz_way;

/* One way to run, its threads filled in, at its best height. */
typedef struct gz_candidate {
    gz_way way;
    gz_model model;          /* that predicts it */
    double cpl;              /* cycles per loop */
    double seconds_per_loop; /* s */
    double interval[2];      /* of seconds_per_loop, as gz_propagate has it, s */
} gz_candidate;

/* What gz_predict predicts at way.height for a candidate of that request; NULL: what it refuses. */
GZ_API gz_config gz_config_of(const gz_tune_request *request, const gz_candidate *candidate);

/* The best ways to run a stencil, by predicted time [Section 5.4.1 for n = 1]: every combination of
 * variant, synchronisation and tile, each at its best height. Streamed tiles are rows that are
 * parts of the grid's (on a CPU) or multiples of warps, planes of as many rows as fit, and pieces
 * that keep the multiprocessors busy: height, tile and piece together; way.piece is the piece,
 * the last extent of way.block the piece with its ghost zone, as a given block's is.
 * out[0..*found-1], *found <= n, are sorted by seconds_per_loop; if those differ by rounding only
 * (1e-11 of them), by variant, then by synchronisation, then longer rows first. Refused ones are
 * left out. Returns what gz_check returns, GZ_EARGUMENT also for n < 1, GZ_ELIMITS (no tile, or too
 * many), or what gz_optimize returns if none is left; else *found >= 1. */
GZ_API gz_status gz_tune(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                         gz_candidate *out, size_t n, size_t *found, gz_error *error);

/* What is worth measuring: of every variant and synchronisation the best tiles of gz_tune,
 * trapezoids at other heights too; without twins and what is three times slower than the best. The
 * best of each variant come first, then of each height, then of each synchronisation; last streamed
 * tiles and blocks without local memory that the model cannot predict, their times NaN, when
 * `unpredicted` (NULL, or GZ_VARIANT_CAPACITY of them by gz_variant; else empty) says why. Errors
 * as gz_tune. */
#define GZ_VARIANT_CAPACITY 8
GZ_API gz_status gz_ideas(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                          gz_candidate *out, size_t n, size_t *found, gz_error *unpredicted,
                          gz_error *error);

/* ---------------------------------------------------------------------------- by measurement */

/* Says which candidate to measure next until no run is expected to gain: a Gaussian process on
 * ln(measured / predicted), see search/tuner.c. The same follows from the same calls. */
typedef struct gz_tuner gz_tuner;

/* A zeroed member means the default. */
typedef struct gz_tuner_request {
    double gain; /* of the time, expected of a run, below which it stops: 0.005; < 0: never */
    size_t most; /* candidates that are measured, at most: 20; 500 at the most */
    int once;    /* non-zero: the best three are not measured again: in two rounds, or up
                    to four while they scatter by more than they differ */
} gz_tuner_request;

/* Why no further candidate is measured. */
typedef enum gz_tuner_stop {
    GZ_TUNER_GOES_ON = 0,
    GZ_TUNER_KNOWN, /* the gain is too small */
    GZ_TUNER_MOST,  /* as many as requested were measured, or five times as many failed */
    GZ_TUNER_ALL    /* there are no others */
} gz_tuner_stop;

#define GZ_TUNER_AHEAD 3

typedef struct gz_tuner_step {
    int known;          /* non-zero: nothing is left to measure; else measure `candidate` */
    gz_tuner_stop stop; /* why no further candidate is looked for, then: */
    int again;          /* non-zero: `candidate` was measured before, and is among the best */
    size_t candidate;   /* its index */
    double seconds, sd; /* expected time per loop, s, and deviation of its logarithm */
    double gain;        /* expected of one more run, in ln(time); infinite before the first */
    size_t ahead_count, ahead[GZ_TUNER_AHEAD]; /* what may follow: to be compiled meanwhile */
} gz_tuner_step;

/* The best of what was measured. */
typedef struct gz_tuner_result {
    size_t candidate;
    double seconds;     /* per loop: the lower quartile of its tries, s */
    double interval[2]; /* of its tries, s */
    gz_tuner_stop stop;
    size_t runs, failed;       /* candidates measured; that failed */
    size_t tied;               /* others no slower than by the noise */
    size_t predicted, far_off; /* runs with a prediction; that is off by a factor of 1.6 or more */
} gz_tuner_result;

/* A tuner of candidates whose `seconds_per_loop` are predictions, NaN where there is none; nothing
 * need outlive the call. `dev`, which states whether predictions rest on the elements read, and
 * `request` may be NULL. GZ_EARGUMENT, GZ_EAPP (dim), GZ_ECONFIG (a candidate) or GZ_ENOMEM. */
GZ_API gz_status gz_tuner_new(const gz_device *dev, const gz_app *app,
                              const gz_candidate *candidates, size_t n,
                              const gz_tuner_request *request, gz_tuner **out, gz_error *error);
GZ_API void gz_tuner_free(gz_tuner *tuner);

/* The next candidate, the same until gz_tuner_tell. GZ_EARGUMENT or GZ_ENOMEM. */
GZ_API gz_status gz_tuner_next(gz_tuner *tuner, gz_tuner_step *out, gz_error *error);

/* Takes a run's time per loop, s, NaN if it failed, and its relative standard deviation (at least 3
 * % is assumed). GZ_EARGUMENT. */
GZ_API gz_status gz_tuner_tell(gz_tuner *tuner, size_t candidate, double seconds, double sd,
                               gz_error *error);

/* The best so far. GZ_EARGUMENT, or GZ_ELIMITS if nothing has been measured. */
GZ_API gz_status gz_tuner_best(const gz_tuner *tuner, gz_tuner_result *out, gz_error *error);

/* ----------------------------------------------------------------------------- other languages */

/* Answers a question in JSON with what `gzmodel --json` prints, without structures. The question is
 * an object: "do" (predict, optimize, choose, sensitivity, tune, vcycle or ranks); "device" and
 * "app" (a name, a path, or an object with a file's contents); "size" and, but for searches,
 * "block" (an array, or one number for all dimensions); as they apply "height", "sync", "tau",
 * "model", "variant", "threads", "piece" (of predict by default the block's, less its ghost zone),
 * "loops", "beyond" (true), "top"; "limits" of searches ("threads", "shared_bytes", "height_max",
 * "block_step"); of vcycle "smooth" (loops before and after the correction), "cycle", "depth" (by
 * level, the last for all others), "tail", "levels"; of ranks "ranks" (how many: a number, or an
 * array), "network" (a name or a path); and "set", quantities by name that differ from the files'.
 * In place of an answer: {"error": {"status", "text"}}. Returns the bytes that the answer takes,
 * its zero included, 0 without memory; `answer` (NULL if `size` is 0) holds "" if they are more. */
GZ_API size_t gz_ask(const char *request, char *answer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
