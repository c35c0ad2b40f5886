/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * levels.h - what the files of multigrid.h share: the levels, and the verbs on them. A verb
 * computes on the host where the level is there, and on this rank's own grid where it is divided.
 * Each adds what it takes to the level's seconds, and returns a status with its reason.
 */
#ifndef GZM_LEVELS_H
#define GZM_LEVELS_H

#include "fused.h"
#include "multigrid.h"
#include "share.h"

/* The kernels between two levels, or between a state in double and cycles in float, around the body
 * of a residual. */
enum gzm_kernel {
    GZM_RESTRICT_KERNEL,
    GZM_PROLONG_KERNEL,
    GZM_NORM_KERNEL,
    GZM_ROUND_KERNEL, /* the norm, and the residual for cycles in float */
    GZM_CORRECT_KERNEL,
    GZM_KERNELS
};

/* A level on the host has its arrays there, in `data` and `other`; one on the device in its
 * session. The first on the host has both, through which it is reached. */
struct gzm_level {
    struct gzk_data data;
    int size[3];            /* of the whole level */
    struct gzm_share share; /* of a level that is divided, whose data are the own grid's */
    bool on_host;
    void *other, *work; /* of the coarsest: for the solver */
    struct gzk_config config;
    struct gzk_session *session;
    struct gzk_plan *plan;
    struct gzm_fused down, up; /* the last launch before the correction, the first one after it */
    long visits, launches;
    double seconds[GZM_PARTS];
};

struct gzm {
    struct gzm_setup setup;
    struct gzk_device *device;
    const struct gzm_verbs *verbs;
    struct gzm_grid grid; /* but for its data */
    void *zeros;          /* the grid's */
    size_t bytes;         /* of an element */
    struct gzk_stencil smoother, residual;
    char *bodies[2]; /* their texts, where levels are divided */
    int count;
    struct gzm_level levels[GZM_MAX_LEVELS];
    /* The kernels between levels, and what the last of them writes. */
    struct gzk_config between;
    struct gzk_program *programs[GZM_KERNELS];
    struct gzk_buffer *maxima;
    void *host_maxima;
    size_t maxima_bytes;
    size_t maxima_there; /* how many the last smoothing launch has left; 0: none */
    /* Of mixed precision, whose own finest level is only this one's: */
    struct gzm *inner; /* the levels in float; else NULL */
    bool rounded;      /* the right-hand side of these is this residual */
    double scale;      /* of the right-hand side, a power of two, where it would not fit; else 1 */
    bool is_inner;     /* of such, whose norm is not computed */
    /* Largest magnitudes: of A, the right-hand side as cycles have it, and the state; unknown, -1,
     * after a cycle. The residual of a state of 0 is the right-hand side to the last bit. */
    double norm, rhs, state;
};

/* sizes.c */
double gzm_cells(const int size[3]);
/* Whether level k is divided among ranks. */
bool gzm_is_divided(const struct gzm_setup *setup, int k);

/* levels.c: all levels, the data of each made from the one before; and one to the verbs of verbs.h.
 */
int gzm_levels_make(struct gzm *mg, const void *beta, struct gzk_error *error);
struct gzm_grid gzm_level_grid(const struct gzm *mg, const struct gzm_level *level);

/* way.c: what is given of a level's way for the chooser, for a visit of `loops` loops, which bound
 * the depth; the rest of `config`, of which stencil, size and loops of a visit are given,
 * GZK_INVALID if nothing fits; and the way that gives such a configuration. */
struct gzk_given gzm_given(const struct gzm_way *way, long loops);
int gzm_choose(const struct gzk_device *device, const struct gzm_way *way,
               struct gzk_config *config, struct gzk_error *error);
struct gzm_way gzm_way_of(const struct gzk_config *config);
/* How a level is smoothed, with a plan unless all launches do more than that; and the loops
 * of a visit before the correction or after it. */
int gzm_way_make(struct gzm *mg, struct gzm_level *level, const struct gzm_way *way,
                 struct gzk_error *error);
void gzm_way_free(struct gzm *mg, struct gzm_level *level);
long gzm_visit_loops(const struct gzm *mg, int after);

/* launch.c: the blocks of its kernels for all levels of a hierarchy whose finest has `size`
 * elements: rows as long as fit, several for each block; `threads` along x, 0: what suits the
 * device. `residual` must outlive it. */
struct gzk_config gzm_between(const struct gzk_stencil *residual, const int size[3],
                              const struct gzk_device_info *device, int threads);
/* What a backend compiles. The text is to be freed; NULL if memory is short. */
struct gzk_program_spec gzm_between_spec(const struct gzk_config *between, const char *prelude,
                                         enum gzm_kernel kernel);
/* The kernels between levels; a launch of one on a fine level, with up to three more
 * arrays, ended by NULL; and its groups along an axis. */
int gzm_kernels_make(struct gzm *mg, struct gzk_error *error);
int gzm_launch(struct gzm *mg, struct gzm_level *level, enum gzm_kernel kernel,
               struct gzk_buffer *const more[], struct gzk_error *error);
int gzm_groups(const struct gzm *mg, const struct gzm_level *level, int axis);

/* smooth.c: loops [loop, end) of a visit; loops [loop, loop + loops) in one launch, with what else
 * that does; and a verb on the host, from the state into the other array. */
int gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end,
               struct gzk_error *error);
int gzm_smooth_fused(struct gzm *mg, struct gzm_level *level, const struct gzm_fused *fused,
                     long loop, long loops, struct gzk_error *error);
void gzm_sweep_on_host(const struct gzm *mg, struct gzm_level *level, enum gzm_verb verb,
                       long loop);

/* restrict.c: the residual's restriction as the right-hand side of the next level, whose state
 * becomes 0; and what that has left on the device, where the next level needs it. */
int gzm_restrict(struct gzm *mg, struct gzm_level *level, struct gzk_error *error);
int gzm_pass_down(struct gzm *mg, struct gzm_level *level, struct gzk_error *error);

/* prolong.c: what interpolation reads, on the device if the level is there; and the addition of the
 * next level's state. */
int gzm_pass_up(struct gzm *mg, struct gzm_level *level, struct gzk_error *error);
int gzm_prolong(struct gzm *mg, struct gzm_level *level, struct gzk_error *error);

/* state.c: the finest state as cycles leave it, of ranks on the first of them; and whether this
 * rank has it then. */
int gzm_read_state(struct gzm *mg, void *u, struct gzk_error *error);
bool gzm_has_whole(const struct gzm *mg);

/* norm.c: the residual that the state's own rounding can leave, for which the state is read after a
 * cycle; and room for what the finest level's norm leaves. */
int gzm_rounding(struct gzm *mg, double *residual, struct gzk_error *error);
int gzm_maxima_make(struct gzm *mg, struct gzk_error *error);
void gzm_maxima_free(struct gzm *mg);

/* mixed.c: corrects the state by one cycle in float, or what begins so, for its residual; and that
 * residual, on the host, as the right-hand side of such. */
int gzm_refine(struct gzm *mg, gz_cycle cycle,
               int (*inner)(struct gzm *, gz_cycle, struct gzk_error *), struct gzk_error *error);
void gzm_round_on_host(const struct gzm *mg);

#endif
