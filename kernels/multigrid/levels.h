/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * levels.h - what the files of multigrid.h share: the levels, and the verbs on them. A verb
 * computes on the host where the level is there, and on this rank's own grid where it is divided,
 * and adds what it takes to the level's seconds. Once one has failed, those that follow do nothing:
 * mg->status has the failure, and *mg->error its reason.
 */
#ifndef GZM_LEVELS_H
#define GZM_LEVELS_H

#include "carry.h"
#include "division.h"
#include "halo.h"
#include "multigrid.h"

/* The kernels between two levels, around the body of a residual. */
enum gzm_kernel { GZM_RESTRICT_KERNEL, GZM_PROLONG_KERNEL, GZM_NORM_KERNEL, GZM_KERNELS };

/* A launch that smooths and does what comes before or after it in a cycle as well, in streamed
 * tiles that one thread computes with its planes in one ring, as on a CPU: the first one upwards
 * adds the coarse level's correction to what it loads, the last one has the residual as one more
 * level, and restricts it or takes its largest magnitude. [Basu, dissertation, Sect. 4.2] */
enum gzm_behind { GZM_NOTHING_BEHIND, GZM_RESTRICT_BEHIND, GZM_NORM_BEHIND };
struct gzm_fused {
    const struct gzk_program *program; /* NULL: there is none */
    struct gzk_geometry geometry;
    enum gzm_behind behind;
};

/* A rank's share of a level: a grid of its own, its box and a halo, on which the level's kernels
 * run unchanged. The halo lasts for so many elements as it has, of which each loop takes the
 * radius. Between this level and the next lies a window, a coarse array for all elements of the own
 * grid. */
struct gzm_share {
    bool divided; /* else nothing else counts */
    struct gzk_domain part;
    struct gzk_halo *halo;
    int width;               /* the halo's elements */
    struct gzk_split around; /* the next level's, with a halo of half as many elements */
    struct gzk_domain window_part;
    struct gzk_buffer *window;
    struct gzk_carrier carrier;
};

/* A level on the host has its arrays there, in `data` and `other`; one on the device in its
 * session. The first on the host has both, through which it is reached. */
struct gzm_level {
    struct gzk_data data;
    struct gzm_grid grid;   /* these to the verbs */
    int size[3];            /* of the whole level */
    struct gzm_share share; /* whose own grid's the data are if it is divided */
    bool on_host;
    void *other, *work; /* of the coarsest: for the solver */
    struct gzk_config config;
    struct gzk_session *session;
    struct gzk_plan *plan;
    struct gzm_fused down, up; /* the last launch before the correction, the first one after it */
    struct gzm_spent spent;
};

struct gzm {
    struct gzm_setup setup;
    struct gzk_device *device;
    int status;              /* of the first step that failed, */
    struct gzk_error *error; /* and where the reason goes */
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
    const struct gzk_program *programs[GZM_KERNELS];
    struct gzk_buffer *maxima;
    void *host_maxima;
    size_t maxima_bytes;
    size_t maxima_there; /* how many the last smoothing launch has left; 0: none */
    double scale; /* of the right-hand side, a power of two; 1 unless squares would not fit */
    /* Largest magnitudes: of A, the right-hand side as cycles have it, and the state; unknown, -1,
     * after a cycle. The residual of a state of 0 is the right-hand side to the last bit. */
    double norm, rhs, state;
};

/* A step, which is not taken once one has failed. */
#define GZM_TRY(mg, step)                                                                          \
    do {                                                                                           \
        if ((mg)->status == 0)                                                                     \
            (mg)->status = (step);                                                                 \
    } while (0)

/* sizes.c */
double gzm_cells(const int size[3]);
/* Whether level k is divided among ranks. */
bool gzm_is_divided(const struct gzm_setup *setup, int k);

/* levels.c: all levels, the data of each made from the one before; and one to the verbs of verbs.h.
 */
void gzm_levels_make(struct gzm *mg, const void *beta);

/* way.c: how a level is smoothed, with a plan unless all launches do more than that. */
void gzm_way_make(struct gzm *mg, struct gzm_level *level, const struct gzm_way *way);

/* launch.c: the blocks of its kernels for all levels of a hierarchy whose finest has `size`
 * elements: rows as long as fit, several for each block; `threads` along x, 0: what suits the
 * device. `residual` must outlive it. */
struct gzk_config gzm_between(const struct gzk_stencil *residual, const int size[3],
                              const struct gzk_device_info *device, int threads);
/* What a backend compiles. The text is to be freed; NULL if memory is short. */
struct gzk_program_spec gzm_between_spec(const struct gzk_config *between, const char *prelude,
                                         enum gzm_kernel kernel);
/* The kernels between levels; a launch of one on a fine level, with one or two more
 * arrays, ended by NULL; one of any program; and the kernels' groups along an axis. */
void gzm_kernels_make(struct gzm *mg);
void gzm_launch(struct gzm *mg, struct gzm_level *level, enum gzm_kernel kernel,
                struct gzk_buffer *const more[]);
void gzm_run(struct gzm *mg, struct gzm_level *level, const struct gzk_program *program,
             const struct gzk_launch *launch);
int gzm_groups(const struct gzm *mg, const struct gzm_level *level, int axis);
/* Copies from the device, to it, and fills with 0. */
void gzm_read(struct gzm *mg, const struct gzk_buffer *from, void *to, size_t bytes);
void gzm_write(struct gzm *mg, struct gzk_buffer *to, const void *from, size_t bytes);
void gzm_clear(struct gzm *mg, struct gzk_buffer *buffer, size_t bytes);
/* Host memory, a failure if it is short. */
void *gzm_room(struct gzm *mg, size_t bytes);

/* smooth.c: loops [loop, end) of a visit; and a verb on the host, from the state into the other
 * array. */
void gzm_smooth(struct gzm *mg, struct gzm_level *level, long loop, long end);
void gzm_sweep_on_host(const struct gzm *mg, struct gzm_level *level, enum gzm_verb verb,
                       long loop);

/* fused.c: what smooths as the level's configuration does, in a tile that commits as many cells as
 * far as local memory allows: none if the variant, the layout or the memory do not allow it; and
 * loops [loop, loop + loops) in one such launch, of which each tile leaves a magnitude. */
void gzm_fused_make(struct gzm *mg, const struct gzm_level *level, bool corrects,
                    enum gzm_behind behind, struct gzm_fused *fused);
void gzm_smooth_fused(struct gzm *mg, struct gzm_level *level, const struct gzm_fused *fused,
                      long loop, long loops);

/* restrict.c: the residual's restriction as the right-hand side of the next level, whose state
 * becomes 0. */
void gzm_restrict(struct gzm *mg, struct gzm_level *level);

/* prolong.c: the addition of the next level's state. */
void gzm_prolong(struct gzm *mg, struct gzm_level *level);

/* share.c: of a level that is divided, whose session has the own grid's arrays. */
void gzm_share_make(struct gzm *mg, struct gzm_level *level);
void gzm_share_free(struct gzm *mg, struct gzm_share *share);
/* Exchanges the state's halo if fewer elements of it are right. */
void gzm_share_need(struct gzm *mg, struct gzm_level *level, int elements);
/* Downwards, from the window: the next level's right-hand side into its arrays, and 0 as its state:
 * to this rank's share of it, whose halo is exchanged, or to all ranks as a whole if it is not
 * divided. */
void gzm_share_down(struct gzm *mg, struct gzm_level *level);
/* Upwards, to the window: the next level's state around the own grid; this one's is then right as
 * far as it can be interpolated from that. */
void gzm_share_up(struct gzm *mg, struct gzm_level *level);

/* state.c: the finest state as cycles leave it, of ranks on the first of them; and whether this
 * rank has it then. */
void gzm_read_state(struct gzm *mg, void *u);
bool gzm_has_whole(const struct gzm *mg);

/* norm.c: the residual that the state's own rounding can leave, for which the state is read after a
 * cycle; and room for what the finest level's norm leaves. */
double gzm_rounding(struct gzm *mg);
void gzm_maxima_make(struct gzm *mg);

#endif
