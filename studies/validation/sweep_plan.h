/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep_plan.h - what a sweep measures, and in which order: a pure function of the design. It asks
 * no device and no clock; the same design gives the same plan on every machine.
 *
 * A sweep has nearly empty kernels, then grids from far inside the cache to far beyond it, three
 * blocks, heights in every mode, streamed tiles and blocks without local memory.
 *
 * The order is random, drawn from the seed. All points of one application and grid, a group, follow
 * each other, so that points that will be compared were measured within a short time; the order of
 * the groups is random too, so that what drifts over the run falls on no size in particular. Nearly
 * empty kernels come first, since they are soon done.
 */
#ifndef GZ_SWEEP_PLAN_H
#define GZ_SWEEP_PLAN_H

#include "data.h"
#include "registry.h"
#include "table.h"

#include <stdbool.h>
#include <stdint.h>

enum { PLAN_GRIDS = 4, PLAN_BLOCKS = 3 };

typedef struct plan_app {
    const struct gzk_stencil *stencil;
    gz_app app;
} plan_app;

/* What the plan follows from. */
typedef struct plan_design {
    bool small;     /* the least that still has every kind of row */
    bool is_cpu;    /* longer rows, because they are what it vectorises */
    int max_height; /* loops */
    uint64_t seed;
    double cache_bytes, memory_bytes; /* 0 if unknown: what is usual is assumed */
    bool cache_measured;              /* that is the size that a benchmark found */
    gz_device model;                  /* guesses how long a point takes */
    int sync_count;                   /* modes: restart, fence, graph, in this order */
    gz_sync syncs[3];
    int n_apps;
    plan_app apps[MEASURED_MAX_APPS];
} plan_design;

/* One application on one grid, or (edge 0) its nearly empty kernels. */
typedef struct plan_group {
    const plan_app *a;
    int edge;
    measured_row *rows; /* in the order of their measurement; runs 0 */
    size_t n;
    double planned_s; /* what its points need at least, roughly */
} plan_group;

enum { PLAN_MAX_GROUPS = MEASURED_MAX_APPS * (PLAN_GRIDS + 1) };

typedef struct plan {
    const plan_design *design;
    long planned; /* points of kind sweep */
    int n_groups;
    plan_group groups[PLAN_MAX_GROUPS];
} plan;

/* Makes the plan of `design`, which must outlive it. Ended by plan_free. */
void plan_make(const plan_design *design, plan *out);
void plan_free(plan *p);

/* What the plan is made of, and what running it needs too. */

/* The extent, the same in all dimensions, of grid number `grid`, 0 to PLAN_GRIDS - 1. */
int plan_edge(const plan_design *d, const struct gzk_stencil *stencil, int grid);
/* The highest trapezoid that is measured in a block. */
int plan_highest(const plan_design *d, const plan_app *a, const gz_config *cfg);
/* Seconds per loop, roughly; 0 if the model has none. */
double plan_guess_s(const plan_design *d, const plan_app *a, const gz_config *cfg, int height);
/* Loops for which a session needs arrays that runs `n` rows of one grid. */
long plan_session_loops(const plan_design *d, const plan_app *a, const measured_row *rows,
                        size_t n);

#endif
