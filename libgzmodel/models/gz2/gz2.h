/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2.h - gz2, the second model: time per loop of a stencil with ghost zones on today's devices.
 *
 *     time = [ sync + body ] / h                                     seconds per loop
 *     body = waves of groups, or the busiest of the workers          seconds per stage
 *     u = work + DRAM                                                seconds per group, CPUs
 *     u(R) = || Lambda / R, issue, fp64, lsu, L2, DRAM ||_2          and unit, GPUs
 *
 * A unit (a GPU's multiprocessor, a CPU's core) holds R groups at once, as many as its local
 * memory, threads, registers and blocks allow. Each parameter is a coefficient (seconds per
 * something counted) of one term, so u is linear in the parameters of one term, the whole is
 * homogeneous of degree one in all of them, and the shares beta_j dt/dbeta_j of the parameters add
 * up to the time (Euler). Only the cache's size and a GPU's numbers of instructions, which are
 * counts themselves, enter otherwise. What is counted is exact (tilings/tiling.h).
 *
 * README.md has the equations; what was chosen after seeing which data is said in
 * studies/validation/history.md.
 */
#ifndef GZI_GZ2_H
#define GZI_GZ2_H

#include "own.h"
#include "tiling.h"

#include <stddef.h>

/* The terms, each parameter that is a time in one of them. */
typedef enum gzi_gz2_term {
    GZI_GZ2_SYNC,    /* between stages; adds */
    GZI_GZ2_LATENCY, /* the chain of one group, divided by R; it and what follows are joined */
    GZI_GZ2_WORK,    /* CPUs: all that a core does; GPUs: instructions issued */
    GZI_GZ2_FP64,
    GZI_GZ2_LOCAL,
    GZI_GZ2_CACHED,
    GZI_GZ2_MEMORY, /* DRAM */
    GZI_GZ2_TERMS   /* none */
} gzi_gz2_term;

gzi_gz2_term gzi_gz2_term_of(gzi_gz2_parameter parameter);

/* How many times as long as others a byte of a CPU's short row takes, of which a prefetcher fetches
 * none ahead. */
enum { GZI_GZ2_SHORT_TIMES = 3 };

/* Bytes of the vectors that compilers use on today's CPUs unless told otherwise: 256 bits, on those
 * that have 512, too. */
enum { GZI_GZ2_VECTOR = 32 };

/* The limits of a device, besides the parameters. */
typedef struct gzi_gz2_device {
    int units;          /* M, >= 1 */
    int warp;           /* w, threads that issue together, >= 1; 1 on CPUs */
    double blocks;      /* groups that a unit holds at most, >= 1; 1 on CPUs */
    double threads;     /* threads that a unit holds at most; 0: no limit */
    double registers;   /* registers of a unit; 0: no limit */
    double local_unit;  /* bytes of local memory of a unit, shared by its groups; 0: no limit */
    double local_group; /* bytes that one group may have; 0: no limit. On a CPU, through OpenCL, the
                           caches that a core has of its own */
    double local_step;  /* bytes: local memory is allocated in multiples of this; 0: of 1 */
    double vector;      /* bytes of the vectors in which a core computes rows; 0: none */
    double sharpness;   /* m of a(Z) = 1 / (1 + (C / Z)^m): 4 on CPUs, 8 on GPUs */
} gzi_gz2_device;

/* A run. STREAM: what block and threads say of the last dimension is not read. */
typedef struct gzi_gz2_config {
    GZI_HAS(gz_way, way, GZ_WAY_MEMBERS)
    long grid[3];     /* cells */
    double loops;     /* of the run, >= h: what per-step arrays' footprint is as long as */
    double run_share; /* of what is paid once a run, a loop's: 1 / loops, 0..1 / h; 0: of a run so
                         long that it does not count */
} gzi_gz2_config;

/* A device, a stencil, and the values of the parameters, all >= 0; of a rate or bandwidth, the
 * seconds of an instruction or a byte of one unit while all are busy. */
typedef struct gzi_gz2 {
    gzi_gz2_device device;
    gz_shape stencil;
    int registers; /* of a thread; 0: not counted */
    double value[GZI_GZ2_PARAMETERS];
} gzi_gz2;

typedef struct gzi_gz2_prediction {
    double seconds;                   /* per loop */
    double share[GZI_GZ2_PARAMETERS]; /* seconds per loop by parameter; they add up to `seconds` */
    double slope[GZI_GZ2_PARAMETERS]; /* d seconds / d parameter at fixed whole numbers, exact */
    double resident;                  /* R, groups that one unit holds */
    double tiles;                     /* T */
    double local_bytes;               /* of a group */
} gzi_gz2_prediction;

typedef enum gzi_gz2_status {
    GZI_GZ2_OK = 0,
    GZI_GZ2_HEIGHT = -1, /* the height or a length is out of range, or nothing would be committed */
    GZI_GZ2_ROOM = -2,   /* a group needs more local memory, threads or registers than there are */
} gzi_gz2_status;

/* Local memory of a group, bytes: two states and the coefficient arrays of a tile; a streamed
 * tile's rings, or with columns in registers two planes of each level; nothing without a tile. */
double gzi_gz2_local_bytes(const gzi_gz2 *model, const gzi_gz2_config *config);

/* The largest height below the configuration's at which a group of its block fits; 0 if none. */
int gzi_gz2_lower_height(const gzi_gz2 *model, const gzi_gz2_config *config);

/* The `seconds` that gzi_gz2_predict predicts, to the last bit, and its refusals, at a fraction of
 * the cost. */
gzi_gz2_status gzi_gz2_seconds(const gzi_gz2 *model, const gzi_gz2_config *config, double *seconds);

/* At most what gzi_gz2_predict predicts, up to rounding, at any height from `low` to the
 * configuration's.
 *
 * At one height it is the exact model of a stage whose tiles are all alike, the mean of the real
 * ones: of what is counted all but a row's lines and what fills no vector is linear in what a tile
 * loads, computes and commits; the norm is convex; and the busiest worker has at least the mean. So
 * it is close, for another fraction of the cost.
 *
 * At several it is that of the lowest height's geometry and of the highest one's loops: in the same
 * block more height means no fewer tiles, and no less that all of them load, and compute in each
 * loop. Of waves it has the whole ones if the number of tiles changes.
 *
 * Infinite if gzi_gz2_predict refuses all of them; 0 for streamed tiles, and where nothing better
 * is known. */
double gzi_gz2_bound(const gzi_gz2 *model, const gzi_gz2_config *config, int low);

/* Predicts the time of a loop. Costs microseconds whatever the number of tiles. */
gzi_gz2_status gzi_gz2_predict(const gzi_gz2 *model, const gzi_gz2_config *config,
                               gzi_gz2_prediction *out);

#endif
