/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plan.h - the arrays of a grid on a device (a session), and one way to run them (a plan), made
 * once and run many times: geometry, compiled program and arguments of every launch are settled
 * when the plan is made.
 */
#ifndef GZK_PLAN_H
#define GZK_PLAN_H

#include "data.h"
#include "device.h"
#include "tiles.h"

/* The arrays of one grid on one device, for any number of plans of the same stencil, size and at
 * most data->loops loops. */
struct gzk_session;

/* Puts `data` on the device. Both the device and the data must outlive the session. */
int gzk_session_new(struct gzk_device *device, const struct gzk_stencil *stencil,
                    const struct gzk_data *data, struct gzk_session **session,
                    struct gzk_error *error);

/* A grid of generated data (gzk_data_new), on the host and on a device. gzk_grid_close frees it,
 * also after a failure, and does nothing to one of zeros. */
struct gzk_grid {
    struct gzk_data data;
    struct gzk_session *session;
};
int gzk_grid_open(struct gzk_grid *grid, struct gzk_device *device,
                  const struct gzk_stencil *stencil, const int size[3], long loops, uint64_t seed,
                  struct gzk_error *error);
void gzk_grid_close(struct gzk_grid *grid);

/* As gzk_session_new, for one run from the state in data->state. On a CPU that takes host memory as
 * it is, nothing is copied but the coefficients: data->aux and the arrays of `place`, which have as
 * many elements as data->state, are what the kernels work on, so that none may be touched before
 * gzk_session_free, and gzk_session_reset must not be called. The first of them is data->state, the
 * second another or, of three time levels, data->older; those have two more, which may be NULL: the
 * device has its own then. Elsewhere all but these two are not used. */
int gzk_session_in_place(struct gzk_device *device, const struct gzk_stencil *stencil,
                         const struct gzk_data *data, void *const place[4],
                         struct gzk_session **session, struct gzk_error *error);

/* The one of the host arrays that holds the current state (age 0) or the one before the last
 * stage (age 1) once it was read to that place (gzk_session_read, gzk_session_read_age); NULL
 * if the session does not work in place, or there not in this state. */
void *gzk_session_place(const struct gzk_session *session, int age);

/* What launches of programs other than a plan's need: a group for each tile; and of a session the
 * arguments that all kernels begin with (the current state, the other one, aux, coefficients, the
 * three extents, the stride), and the arrays, which are the session's. */
struct gzk_launch gzk_launch_of(const struct gzk_geometry *geometry);
void gzk_session_arguments(const struct gzk_session *session, struct gzk_launch *launch);
struct gzk_arrays {
    struct gzk_buffer *state, *aux;
    struct gzk_buffer *before; /* the state that the last stage began with; of three time levels the
                                  older one */
};
struct gzk_arrays gzk_session_arrays(const struct gzk_session *session);
/* Makes the other state the current one, which such a launch has written. */
void gzk_session_turn(struct gzk_session *session);

/* Cells that are watched, `count` of them: what each loop leaves there is told. `where` are `bytes`
 * bytes, as ../device/stream_watched.knl has them, in their order; `seen` has that many elements of
 * each loop, those of what was there before the first in front, and has the others once
 * gzk_session_seen has returned 0. Both, of gzk_host_new, must outlive the session. For plans made
 * from then on whose configuration watches and gzk_watches(). */
struct gzk_watch {
    size_t count, bytes, seen_bytes;
    int *where;
    void *seen;
};
int gzk_session_watch(struct gzk_session *session, const struct gzk_watch *watch,
                      struct gzk_error *error);
int gzk_session_seen(struct gzk_session *session, struct gzk_error *error);

/* Frees the arrays; NULL is harmless. Plans for them must have been freed. */
void gzk_session_free(struct gzk_session *session);

/* Goes back to the data's initial state, of three time levels both. The other array, which the
 * first stage writes, is filled with bytes 0xFF (NaN, -1), so that a cell that is never written
 * shows; a plan's run after it fails if the first cells are not. */
int gzk_session_reset(struct gzk_session *session, struct gzk_error *error);

/* Copies the current state, gzk_state_elements(), to the host. */
int gzk_session_read(struct gzk_session *session, void *state, struct gzk_error *error);

/* The same of age 0; of age 1 the state that the last stage began with: the one a loop ago if that
 * stage's height was 1, or if the stencil has three time levels. Undefined before the first stage.
 */
int gzk_session_read_age(struct gzk_session *session, int age, void *state,
                         struct gzk_error *error);

/* One configuration on a session's arrays. */
struct gzk_plan;

/* Compiles what `config` needs, unless it was compiled for this device before. GZK_INVALID when the
 * geometry is impossible or the device cannot hold the tile or the threads. Ended by gzk_plan_free.
 */
int gzk_plan_new(struct gzk_session *session, const struct gzk_config *config,
                 struct gzk_plan **plan, struct gzk_error *error);

/* Frees a plan; NULL is harmless. */
void gzk_plan_free(struct gzk_plan *plan);

/* What the plan was made for, and what followed. */
const struct gzk_config *gzk_plan_config(const struct gzk_plan *plan);
const struct gzk_geometry *gzk_plan_geometry(const struct gzk_plan *plan);

/* The multiprocessors' clock right before the last run, Hz; NaN where the device does not tell. */
double gzk_plan_clock(const struct gzk_plan *plan);

/* Runs so many loops from the data's initial state, which is restored before. `seconds` is the time
 * on the device for all of them. `stop` is as for the backends. */
int gzk_plan_run(struct gzk_plan *plan, long loops, const volatile sig_atomic_t *stop,
                 double *seconds, struct gzk_error *error);

/* Runs `loops` more loops, 0 or more, from loop number `loop` and the session's current state, in
 * stages of the plan's height and a shorter last one. */
int gzk_plan_advance(struct gzk_plan *plan, long loop, long loops,
                     const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

/* What the cells of each of the `steps` loops, at most the plan's height, that the last stage of
 * gzk_plan_advance has computed measure together, if the stencil has a measure
 * and gzk_measures() says so: the largest, NaN if a cell's is, or the sum, `whole` of whole
 * numbers. */
union gzk_found {
    double number;
    int64_t whole;
};
int gzk_plan_found(struct gzk_plan *plan, int steps, union gzk_found *found,
                   struct gzk_error *error);

/* Makes a plan, runs it once, and frees it. */
int gzk_session_run(struct gzk_session *session, const struct gzk_config *config,
                    const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

#endif
