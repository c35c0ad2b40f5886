/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid.h - a hierarchy of levels on a device and its cycles. Each level owns its arrays and a
 * plan of its smoother, whose ghost zone is as deep as the model or the caller says; the coarsest
 * levels are computed on the host. The results do not depend on any of that, to the last bit.
 */
#ifndef GZM_MULTIGRID_H
#define GZM_MULTIGRID_H

#include "choose.h"
#include "memory.h"
#include "plan.h"
#include "problem.h"

/* What is given of a level's way; the rest is chosen. */
struct gzm_way {
    bool has_variant;
    gz_variant variant;
    int height;   /* loops of the smoother in a launch; 0 to choose */
    int block[3]; /* 0 to choose; a given one needs a variant */
};

struct gzm_division;

struct gzm_setup {
    struct gzm_problem problem;
    int sweeps[2]; /* before the coarse level's correction and after it, 0 to 100, not both 0 */
    struct gzm_way way[GZM_MAX_LEVELS]; /* how each level is smoothed, as far as it is given */
    long tail;   /* levels of at most so many elements are computed on the host */
    int threads; /* of a block of the kernels between levels; 0: what suits the device */
    const struct gzm_division *division; /* among ranks, on each of which all of this is called;
                                            or NULL. What a rank gives and gets is the whole grid */
    const volatile sig_atomic_t *stop;   /* work ends with GZK_FAILED once it is not 0; or NULL */
};

/* The levels of such a setup: all extents are halved while they are even and each half has two
 * elements or more. */
struct gzm_sizes gzm_sizes(const struct gzm_setup *setup, bool has_device);

/* Loops of a visit before the correction or after it, and the more of both. */
long gzm_visit_loops(const struct gzm_setup *setup, int after);
long gzm_most_loops(const struct gzm_setup *setup);

/* A setup's tail unless it is given: where a launch costs more than the host's work. */
long gzm_usual_tail(const struct gzk_device_info *device);

/* The parts of a cycle on a level; what is part of a smoothing launch counts as smoothing, and
 * exchanging, gathering and cutting out among ranks as exchange. */
enum gzm_part {
    GZM_SMOOTH,
    GZM_RESTRICTION,
    GZM_PROLONGATION,
    GZM_NORM,
    GZM_BOTTOM,
    GZM_EXCHANGE,
    GZM_PARTS
};

/* What a level has taken, seconds with launches included. */
struct gzm_spent {
    long visits, launches, exchanges;
    double seconds[GZM_PARTS];
};

/* A level for reports. */
struct gzm_level_report {
    int size[3];
    bool on_host;
    struct gzk_config config; /* of the smoother; config.height is the depth in loops */
    struct gzm_spent spent;
    int rank_depth; /* loops that the halo lasts for; 0 if the level is not divided */
    long messages;  /* what this rank's exchanges sent and took */
    double bytes;
};

struct gzm;

/* Makes the levels, finest first. A `device` of NULL computes all of them on the host. `beta`, of
 * the problem's type, belongs to the variable operator; else it is not read. GZK_INVALID if the
 * problem, a tile or the memory of the device does not allow it. Ended by gzm_close. `error` gets
 * the reason of a failure, also of one of the functions below; those that follow do nothing then,
 * and return its status. */
int gzm_open(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
             struct gzm **mg, struct gzk_error *error);
void gzm_close(struct gzm *mg);

/* Sets the right-hand side and the first guess, arrays of the problem's type, element (x, y, z) at
 * (z * size[1] + y) * size[0] + x; NULL is 0. The mean of a singular problem's f is taken away. */
int gzm_put(struct gzm *mg, const void *f, const void *u);

/* Copies the finest state to the host, of ranks to that of number 0; of a singular problem without
 * its mean. */
int gzm_get(struct gzm *mg, void *u);

/* The largest magnitude of f - A u; NaN if there is one. */
int gzm_norm(struct gzm *mg, double *norm);

/* One cycle [Trottenberg, Oosterlee and Schueller, Multigrid, 2001, Sect. 2.4]. */
int gzm_cycle(struct gzm *mg, gz_cycle cycle);

/* Full multigrid: in place of the guess the solution of the coarsest level, interpolated level by
 * level, each followed by one cycle. */
int gzm_full(struct gzm *mg, gz_cycle cycle);

int gzm_levels(const struct gzm *mg);
void gzm_report(const struct gzm *mg, int level, struct gzm_level_report *report);
/* Zeroes what reports count. */
void gzm_forget(struct gzm *mg);

/* Fills `time` with what a cycle takes by the library's model on a device of this kind, each level
 * smoothed as in a hierarchy; `host_s` is what a visit to the levels on the host takes, s, 0 if
 * that is not known. Without a device, or a prediction, time->levels is 0. GZK_INVALID if a level
 * cannot be smoothed. */
int gzm_expect(const struct gzk_device *device, gz_cycle cycle, const struct gzm_setup *setup,
               double host_s, gz_vcycle_time *time, struct gzk_error *error);

/* Bytes on the device and on the host that such a setup needs, before anything is allocated; a
 * problem that gzm_problem_check accepts. */
struct gzk_memory gzm_memory(const struct gzm_setup *setup, const struct gzk_device_info *device);

#endif
