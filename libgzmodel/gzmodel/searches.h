/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * searches.h - the best ways to run what is more than one run of one stencil: runs that their data
 * end, cycles of multigrid, grids that are divided among ranks, and runs that choose their height
 * meanwhile.
 */
#ifndef GZMODEL_SEARCHES_H
#define GZMODEL_SEARCHES_H

#include "../gzmodel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------- convergence tests */

/* A run that a convergence test ends (while (err > eps)), in stages of h loops: the host waits for
 * each stage and, if one of its loops is the last, repeats the loops up to it [search/ending.md].
 * In the mean over equally probable ends, as many as a stage has loops. */
typedef struct gz_ending {
    double stages; /* that run whole */
    double pieces; /* of a stage, repeated after the end */
    double loops;  /* in these pieces together */
} gz_ending;

/* For a run that ends after `loops` loops in the mean, >= 1, at a height of at least 1; `states` is
 * the number of results, 1, or 2: then the last loop runs alone. NaN for arguments out of range. */
GZ_API gz_ending gz_ending_of(double loops, int height, int states);

/* As gz_tune, of such a run: streamed tiles and restarts alone, request->loops those that are
 * expected (0: infinitely many), by the time per loop that counts. The intervals are those of the
 * whole stages. GZ_ECONFIG also for `states`, for loops of less than 1, and if the request names
 * other variants or synchronisations only. */
GZ_API gz_status gz_tune_ending(const gz_device *dev, const gz_app *app,
                                const gz_tune_request *request, int states, gz_candidate *out,
                                size_t n, size_t *found, gz_error *error);

/* ------------------------------------------------------------------------------------ multigrid */

#define GZ_MAX_LEVELS 20 /* of a multigrid */
#define GZ_MAX_DEPTH 16  /* the deepest ghost zone that is tried on a level, loops */

/* How often a cycle visits the next coarser level from one: once; twice, unless it is the coarsest;
 * or, by F, once by an F-cycle and once by a V-cycle. */
typedef enum gz_cycle { GZ_CYCLE_V = 0, GZ_CYCLE_W = 1, GZ_CYCLE_F = 2 } gz_cycle;

/* What a cycle's time on a level consists of. */
typedef enum gz_part {
    GZ_PART_SMOOTH = 0,   /* the smoother's loops */
    GZ_PART_RESTRICT = 1, /* the residual, restricted without being stored */
    GZ_PART_PROLONG = 2,  /* interpolating the coarse correction and adding it */
    GZ_PART_NORM = 3,     /* the residual's norm, on the finest level, once a cycle */
    GZ_PART_TAIL = 4      /* all of these on a level that one worker computes */
} gz_part;
#define GZ_PART_COUNT 5

/* A zeroed member means the default; only smoother.data_length must be set. */
typedef struct gz_vcycle_request {
    gz_tune_request smoother; /* of the finest level: how tiles are searched on all of them, with
                                 all their heights; block_len, loops and the heights' limits are
                                 not read */
    gz_cycle cycle;
    int loops[2]; /* of the smoother in a visit, before and after the coarse level's correction, 0
                     to 1000 each: of red-black Gauss-Seidel two a sweep */
    int levels;   /* 0: all extents are halved while they are even and the half is 2 or more */
    int depth[GZ_MAX_LEVELS];     /* loops of a stage, 0 to GZ_MAX_DEPTH; 0: the fastest; at most
                                     those of a visit count */
    gz_config way[GZ_MAX_LEVELS]; /* a level's tile, if block_len[0] > 0, with any height of at
                                     least 1 in depth[]; else the best one. data_length and loops
                                     are not read */
    int fused;     /* non-zero: on a CPU, streamed tiles restrict, interpolate and take the norm in
                      smoothing launches */
    double tail;   /* levels of at most so many elements, and the coarsest, are computed together
                      by one worker in one launch, elements */
    double tail_s; /* what a visit to the tail takes, if that is known, s */
    double z;      /* half-width of the interval in standard deviations; 0: 1.96 */
} gz_vcycle_request;

typedef struct gz_vcycle_level {
    double data_length[GZ_MAX_DIM]; /* elements */
    double visits;                  /* in a cycle */
    int tail;                       /* non-zero: it belongs to the tail */
    int depth;                      /* loops of a stage; 0 without loops, and in the tail */
    gz_config config;               /* how it is smoothed */
    double seconds[GZ_PART_COUNT];  /* in a cycle, by gz_part, s */
    double
        smooth_at[GZ_MAX_DEPTH]; /* smoothing in a cycle at depth 1, 2, ..., each in its best
                                    tile, s; NaN where nothing fits, and beyond a visit's loops */
} gz_vcycle_level;

typedef struct gz_vcycle_time {
    int levels;
    gz_vcycle_level level[GZ_MAX_LEVELS]; /* the finest first */
    double seconds;                       /* of a cycle and its norm, the sum of its parts, s */
    double interval[2]; /* of `seconds`; the deviations of the parts are added, since they have the
                           same causes */
    double shallow_s;   /* with depth 1 on every level, s */
    int fixed;          /* the one depth for all levels that is best (the deepest that fits, and
                           that a visit has loops for, where it is less); 0 without any */
    double fixed_s;     /* a cycle with it, s */
} gz_vcycle_time;

/* Predicts a cycle of geometric multigrid by level: smoother `app` with the depth, tile and
 * synchronisation of every level as given or the fastest of gz_tune at each depth, and what runs
 * between levels, counted as search/vcycle.md says. A stencil's last array is its right-hand side
 * or not; the verbs read what the smoother reads. Returns as gz_tune and gz_predict, with the level
 * in `error`; GZ_EARGUMENT, GZ_ECONFIG or GZ_ELIMITS for what the request has out of range. */
GZ_API gz_status gz_vcycle(const gz_device *dev, const gz_app *app,
                           const gz_vcycle_request *request, gz_vcycle_time *out, gz_error *error);

/* ---------------------------------------------------------------------------------------- ranks */

/* A network between ranks, each of which has a device. */
typedef struct gz_network {
    char name[GZ_NAME_SIZE];
    gz_quantity latency;        /* of an exchange with one neighbour, s, >= 0 */
    gz_quantity message_cost;   /* of each further message of an exchange, s, >= 0 */
    gz_quantity bandwidth;      /* of a rank in one direction, B/s, > 0 */
    gz_quantity pack_bandwidth; /* between grid and messages, each way, B/s, > 0; optional */
} gz_network;

/* A network by its built-in name ("infiniband-ndr", from published figures and not measured), or
 * the path of a JSON file of schema gzmodel-network-1. Returns as gz_device_open. */
GZ_API gz_status gz_network_open(const char *name_or_path, gz_network *net, gz_error *error);

#define GZ_MAX_RANK_DEPTH 64
/* What is predicted; a zeroed member means the default, or that it is searched. */
typedef struct gz_ranks_request {
    gz_tune_request run;    /* of the whole grid: how the tiles of a rank's own grid are searched;
                               block_len and the heights' limits are not read */
    int ranks;              /* 1 to 2^24 */
    int layout[GZ_MAX_DIM]; /* ranks along each dimension; 0: the best */
    int depth;              /* loops between exchanges, at most GZ_MAX_RANK_DEPTH; 0: the best */
} gz_ranks_request;

typedef struct gz_ranks_time {
    int layout[GZ_MAX_DIM];
    int depth;                     /* loops between exchanges; of one rank those of the run */
    gz_config config;              /* on the largest rank's own grid: its box and halos */
    int height;                    /* of its tiles, at most the depth */
    double interior_s, exchange_s; /* per loop, s */
    double seconds_per_loop;       /* the sum of both, s */
    double messages, bytes;        /* of an exchange, all ranks together */
} gz_ranks_time;

/* Predicts a loop on a grid that is divided among ranks, with the best tile and height of gz_tune
 * on the largest rank's own grid [search/ranks.md]; and with the layout and depth, unless given, of
 * the smallest time: of layouts the eight that send least, at each depth that a search by ever
 * smaller steps reaches. Returns as gz_tune, GZ_EARGUMENT, GZ_ECONFIG for a network out of range, a
 * layout that does not fit, or a halo that is wider than a neighbour's box, or GZ_ELIMITS if none
 * fits. */
GZ_API gz_status gz_ranks_optimize(const gz_device *dev, const gz_app *app, const gz_network *net,
                                   const gz_ranks_request *request, gz_ranks_time *out,
                                   gz_error *error);

/* --------------------------------------------------------------------------- adaptive selection */

/* Adaptive selection of the height [Section 5.4.2]: a running application gets the height of its
 * next stage, runs it, restarts, and reports how long it took. The state averages over
 * `stages_per_probe` stages, moves the height by one in the direction that got better, turns round
 * when it got worse, and settles when both neighbours are worse. It may be copied and stored. */
typedef struct gz_adapt {
    int height;           /* of the next stage, loops */
    int height_max;       /* never above this */
    int stages_per_probe; /* stages averaged per decision */
    int settled;          /* non-zero: both neighbours were worse */
    int best;             /* the best height measured so far, 0 before the first */
    double best_s;        /* its mean seconds per loop */
    int direction;        /* of the search, +1 or -1 */
    int turned;           /* non-zero: the direction has changed once */
    int stages;           /* stages of the probe under way */
    double loops;         /* their loops */
    double seconds;       /* their time, s */
} gz_adapt;

/* Starts at height `start` (1 <= start <= height_max); `stages_per_probe` 0 means two, as in the
 * paper. Returns GZ_OK or GZ_EARGUMENT. */
GZ_API gz_status gz_adapt_start(gz_adapt *state, int start, int height_max, int stages_per_probe,
                                gz_error *error);

/* Height of the next stage, at least 1, at most `loops_left`; 0 if `state` is NULL or none are. */
GZ_API int gz_adapt_next(const gz_adapt *state, int loops_left);

/* Reports a stage of `loops` loops that took `seconds`; one shorter than the height, the last, is
 * ignored. Returns GZ_OK, or GZ_EARGUMENT for no loops or a time that is negative or not finite. */
GZ_API gz_status gz_adapt_report(gz_adapt *state, int loops, double seconds, gz_error *error);

#ifdef __cplusplus
}
#endif

#endif
