/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan.h"

#include "kernel_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gzk_session {
    struct gzk_device *device;
    const struct gzk_stencil *stencil;
    const struct gzk_data *data;
    struct gzk_buffer *state[4]; /* two; of three time levels two pairs */
    struct gzk_buffer *aux;
    struct gzk_buffer *coefficients;
    double constants[GZK_MAX_COEFFICIENTS]; /* the coefficients, of the stencil's type */
    struct gzk_buffer *barrier;             /* the fence's counter and its flag */
    struct gzk_watch watch;
    struct gzk_buffer *watched, *seen; /* NULL where no cells are watched */
    bool is_reset; /* and nothing has run since; not if the data are blank themselves */
    int current;   /* which state holds the last run's result; the other of its pair, the one before
                    */
    void *place[4]; /* the host arrays that the states are; NULL if they are not */
};

struct gzk_plan {
    struct gzk_session *session;
    struct gzk_config config;
    struct gzk_geometry geometry;
    const struct gzk_program *program;
    int resident;            /* groups of its single launch; 0: a launch for each stage */
    struct gzk_buffer *keys; /* of each tile's loops; the first tile's become those of all; NULL
                                without a measure */
};

/* How long a group waits for the others at a fence before it gives up, nanoseconds; a group may
 * rightly wait for another's whole stage. */
static const int64_t fence_patience = INT64_C(3000000000);

/* ------------------------------------------------------------------------------------ sessions */

static size_t state_bytes(const struct gzk_session *session)
{
    return gzk_state_bytes(session->stencil, session->data);
}

static size_t aux_bytes(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    size_t elements = gzk_step_place(stencil, data->stride, data->loops);
    /* At least one element, since no device allocates nothing. */
    return (elements ? elements : 1) * (size_t)stencil->bytes;
}

void gzk_session_free(struct gzk_session *session)
{
    if (!session)
        return;
    const struct gzk_backend *backend = session->device->backend;
    for (int i = 0; i < 4; i++)
        backend->buffer_free(session->device, session->state[i]);
    backend->buffer_free(session->device, session->aux);
    backend->buffer_free(session->device, session->coefficients);
    backend->buffer_free(session->device, session->barrier);
    backend->buffer_free(session->device, session->watched);
    backend->buffer_free(session->device, session->seen);
    free(session);
}

/* A buffer of host memory as it is, if the session works in place; else a copy of it. */
static int put_array(struct gzk_session *session, void *array, size_t bytes,
                     struct gzk_buffer **buffer, struct gzk_error *error)
{
    const struct gzk_backend *backend = session->device->backend;
    int status;

    if (session->place[0])
        return backend->buffer_on(session->device, array, bytes, buffer, error);
    status = backend->buffer_new(session->device, bytes, buffer, error);
    return status == 0 ? backend->write(session->device, *buffer, array, bytes, error) : status;
}

static int states_of(const struct gzk_session *session)
{
    return session->stencil->older ? 4 : 2;
}

/* The buffers of the states, with nothing in them unless they are in place. */
static int make_states(struct gzk_session *session, struct gzk_error *error)
{
    const struct gzk_backend *backend = session->device->backend;
    int status = 0;

    for (int i = 0; i < states_of(session) && status == 0; i++)
        status = session->place[i]
                     ? backend->buffer_on(session->device, session->place[i], state_bytes(session),
                                          &session->state[i], error)
                     : backend->buffer_new(session->device, state_bytes(session),
                                           &session->state[i], error);
    return status;
}

enum { BLANK = 0xFF, LOOKED_AT = 4096 };

/* How much of a state is looked at, from its beginning. */
static size_t begin_bytes(const struct gzk_session *session)
{
    size_t bytes = state_bytes(session);
    return bytes < LOOKED_AT ? bytes : LOOKED_AT;
}

static bool is_all(const uint8_t *memory, int byte, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && memory[i] == byte)
        i++;
    return i == bytes;
}

static int make_session(struct gzk_device *device, const struct gzk_stencil *stencil,
                        const struct gzk_data *data, void *const place[4],
                        struct gzk_session **made, struct gzk_error *error)
{
    const struct gzk_backend *backend = device->backend;
    struct gzk_session *session = calloc(1, sizeof *session);
    size_t coefficient_bytes = GZK_MAX_COEFFICIENTS * (size_t)stencil->bytes;

    if (!session)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    session->device = device;
    session->stencil = stencil;
    session->data = data;
    memcpy(session->place, place, sizeof session->place);
    memcpy(session->constants, data->coefficients, coefficient_bytes);
    int status = make_states(session, error);
    if (status == 0)
        status = put_array(session, data->aux, aux_bytes(stencil, data), &session->aux, error);
    if (status == 0)
        status = backend->buffer_new(device, coefficient_bytes, &session->coefficients, error);
    if (status == 0)
        status = backend->write(device, session->coefficients, data->coefficients,
                                coefficient_bytes, error);
    if (status == 0)
        status = backend->buffer_new(device, 2 * sizeof(uint32_t), &session->barrier, error);
    if (status != 0) {
        gzk_session_free(session);
        return status;
    }
    *made = session;
    return 0;
}

int gzk_session_new(struct gzk_device *device, const struct gzk_stencil *stencil,
                    const struct gzk_data *data, struct gzk_session **made, struct gzk_error *error)
{
    void *const nowhere[4] = {NULL};
    return make_session(device, stencil, data, nowhere, made, error);
}

int gzk_grid_open(struct gzk_grid *grid, struct gzk_device *device,
                  const struct gzk_stencil *stencil, const int size[3], long loops, uint64_t seed,
                  struct gzk_error *error)
{
    grid->session = NULL;
    if (gzk_data_new(&grid->data, stencil, size, loops, seed) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a grid of %s", stencil->name);
    return gzk_session_new(device, stencil, &grid->data, &grid->session, error);
}

void gzk_grid_close(struct gzk_grid *grid)
{
    gzk_session_free(grid->session);
    gzk_data_free(&grid->data);
}

/* Fills what the first stage writes as far as check_written() looks at it. */
static int blank(struct gzk_session *session, struct gzk_error *error)
{
    const struct gzk_backend *backend = session->device->backend;
    int to = session->stencil->older ? 2 : 1;
    session->is_reset = !is_all(session->data->state, BLANK, begin_bytes(session));
    return backend->fill(session->device, session->state[to], BLANK, begin_bytes(session), error);
}

int gzk_session_in_place(struct gzk_device *device, const struct gzk_stencil *stencil,
                         const struct gzk_data *data, void *const place[4],
                         struct gzk_session **made, struct gzk_error *error)
{
    void *const nowhere[4] = {NULL};
    bool in_place = device->info.is_cpu && device->backend->buffer_on;
    *made = NULL;
    int status = make_session(device, stencil, data, in_place ? place : nowhere, made, error);

    if (status == 0)
        status = in_place ? blank(*made, error) : gzk_session_reset(*made, error);
    if (status != 0) {
        gzk_session_free(*made);
        *made = NULL;
    }
    return status;
}

int gzk_session_watch(struct gzk_session *session, const struct gzk_watch *watch,
                      struct gzk_error *error)
{
    session->watch = *watch;
    int status = put_array(session, watch->where, watch->bytes, &session->watched, error);
    return status == 0 ? put_array(session, watch->seen, watch->seen_bytes, &session->seen, error)
                       : status;
}

int gzk_session_seen(struct gzk_session *session, struct gzk_error *error)
{
    return session->seen
               ? session->device->backend->read(session->device, session->seen, session->watch.seen,
                                                session->watch.seen_bytes, error)
               : 0;
}

void *gzk_session_place(const struct gzk_session *session, int age)
{
    return session->place[0] ? session->place[session->current ^ age] : NULL;
}

int gzk_session_reset(struct gzk_session *session, struct gzk_error *error)
{
    const struct gzk_backend *backend = session->device->backend;
    int status = backend->write(session->device, session->state[0], session->data->state,
                                state_bytes(session), error);
    for (int i = 1; i < states_of(session) && status == 0; i++)
        status =
            backend->fill(session->device, session->state[i], BLANK, state_bytes(session), error);
    if (status == 0 && session->stencil->older)
        status = backend->write(session->device, session->state[1], session->data->older,
                                state_bytes(session), error);
    session->current = 0;
    session->is_reset = !is_all(session->data->state, BLANK, begin_bytes(session));
    return status;
}

int gzk_session_read_age(struct gzk_session *session, int age, void *state, struct gzk_error *error)
{
    return session->device->backend->read(session->device, session->state[session->current ^ age],
                                          state, state_bytes(session), error);
}

int gzk_session_read(struct gzk_session *session, void *state, struct gzk_error *error)
{
    return gzk_session_read_age(session, 0, state, error);
}

/* ----------------------------------------------------------------------------------- arguments */

static void add(struct gzk_launch *launch, struct gzk_arg arg)
{
    launch->args[launch->count++] = arg;
}

/* Which state follows from `from` by a stage of this variant: the other one, but of three time
 * levels one of the other pair, unless each cell's next value is written over its older one. */
static int next_state(const struct gzk_session *session, gz_variant variant, int from)
{
    return from ^ (session->stencil->older && gzk_variants[variant].any_height ? 2 : 1);
}

/* The arguments that all kernels begin with, of which the launch reads state number `from` first
 * and writes number `to`. */
static void add_common(const struct gzk_session *session, int from, int to,
                       struct gzk_launch *launch)
{
    const int *size = session->data->size;
    const struct gzk_arg args[] = {gzk_arg_buffer(session->state[from]),
                                   gzk_arg_buffer(session->state[to]),
                                   gzk_arg_buffer(session->aux),
                                   {.kind = GZK_ARG_CONSTANTS,
                                    .buffer = session->coefficients,
                                    .constants = session->constants},
                                   gzk_arg_int(size[0]),
                                   gzk_arg_int(size[1]),
                                   gzk_arg_int(size[2]),
                                   gzk_arg_long((int64_t)session->data->stride)};
    memcpy(launch->args, args, sizeof args);
    launch->count = (int)(sizeof args / sizeof *args);
}

void gzk_session_arguments(const struct gzk_session *session, struct gzk_launch *launch)
{
    add_common(session, session->current, session->current ^ 1, launch);
}

/* The last arguments of kernels that compute stages: the states before the two of add_common. */
static void add_older(const struct gzk_session *session, int from, int to,
                      struct gzk_launch *launch)
{
    add(launch, gzk_arg_buffer(session->state[from ^ 1]));
    add(launch, gzk_arg_buffer(session->state[to ^ 1]));
}

struct gzk_arrays gzk_session_arrays(const struct gzk_session *session)
{
    return (struct gzk_arrays){session->state[session->current], session->aux,
                               session->state[session->current ^ 1]};
}

void gzk_session_turn(struct gzk_session *session)
{
    session->current = 1 - session->current;
}

struct gzk_launch gzk_launch_of(const struct gzk_geometry *geometry)
{
    const int *tiles = geometry->tiles;
    struct gzk_launch launch = {.groups = tiles[0], .groups_y = tiles[1], .groups_z = tiles[2]};
    if (geometry->flat)
        launch = (struct gzk_launch){.groups = geometry->tile_count};
    return launch;
}

/* The launch of a single stage. */
static struct gzk_launch stage_launch(const struct gzk_plan *plan, int from, long loop, int steps)
{
    struct gzk_launch launch = gzk_launch_of(&plan->geometry);
    int to = next_state(plan->session, plan->config.variant, from);
    add_common(plan->session, from, to, &launch);
    add(&launch, gzk_arg_long(loop));
    add(&launch, gzk_arg_int(steps));
    if (gzk_variants[plan->config.variant].any_height)
        add_older(plan->session, from, to, &launch);
    if (plan->keys)
        add(&launch, gzk_arg_buffer(plan->keys));
    if (gzk_watches(&plan->config)) {
        add(&launch, gzk_arg_buffer(plan->session->watched));
        add(&launch, gzk_arg_buffer(plan->session->seen));
    }
    return launch;
}

/* --------------------------------------------------------------------------------------- plans */

/* Whether a stage leaves a state of bytes BYTE as it was, as far as that is looked at. */
static int leaves(const struct gzk_plan *plan, uint8_t byte, bool *same, struct gzk_error *error)
{
    struct gzk_session *session = plan->session;
    const struct gzk_backend *backend = session->device->backend;
    struct gzk_launch launch = stage_launch(plan, session->current, 0, 1);
    uint8_t begin[LOOKED_AT];
    size_t bytes = begin_bytes(session);
    const volatile sig_atomic_t never = 0;
    double seconds;

    launch.args[1] = gzk_arg_buffer(session->state[2]); /* which naive stages never use */
    int status = backend->fill(session->device, session->state[2], byte, bytes, error);
    if (status == 0)
        status = backend->run(session->device, plan->program, &launch, 1, plan->config.sync, &never,
                              &seconds, error);
    if (status == 0)
        status = backend->read(session->device, session->state[2], begin, bytes, error);
    *same = status == 0 && is_all(begin, byte, bytes);
    return status;
}

/* Fails unless the first stage after a reset has written its state: some drivers report success for
 * kernels that never ran. One that is written over the oldest of three time levels may equal it;
 * then none may leave both of two states as they are. */
static int check_written(const struct gzk_plan *plan, int to, struct gzk_error *error)
{
    struct gzk_session *session = plan->session;
    uint8_t begin[LOOKED_AT];
    size_t bytes = begin_bytes(session);
    bool over = session->stencil->older && to < 2;
    bool tells = session->is_reset && !(over && plan->keys); /* a launch more would set these */
    session->is_reset = false;
    if (!tells)
        return 0;
    int status =
        session->device->backend->read(session->device, session->state[to], begin, bytes, error);
    bool same = status == 0 && (over ? memcmp(begin, session->data->older, bytes) == 0
                                     : is_all(begin, BLANK, bytes));
    for (uint8_t byte = 0; byte < 2 && over && same && status == 0; byte++)
        status = leaves(plan, byte, &same, error);
    return status == 0 && same
               ? gzk_fail(error, GZK_FAILED, "%s: a kernel ran without writing anything",
                          session->device->info.address)
               : status;
}

/* Sets `count` launches, of which the first reads state number `from`, to stages that compute loops
 * number `loop` to below `end` between them: the plan's height each, the last what is left, which
 * may be nothing. */
static void set_stages(const struct gzk_plan *plan, struct gzk_launch *launches, size_t count,
                       int from, long loop, long end)
{
    int height = plan->config.height;
    for (size_t stage = 0; stage < count; stage++) {
        long left = end - loop;
        int steps = left > height ? height : left > 0 ? (int)left : 0;
        launches[stage] = stage_launch(plan, from, loop, steps);
        from = next_state(plan->session, plan->config.variant, from);
        loop += steps;
    }
}

static int find_resident(struct gzk_plan *plan, struct gzk_error *error)
{
    struct gzk_device *device = plan->session->device;
    int tiles = plan->geometry.tile_count, status = 0;

    if (gzk_syncs[plan->config.sync].launching == GZK_LAUNCH_RESIDENT)
        status = device->backend->resident(device, plan->program, &plan->resident, error);
    plan->resident = plan->resident < tiles ? plan->resident : tiles;
    return status;
}

void gzk_plan_free(struct gzk_plan *plan)
{
    if (!plan)
        return;
    plan->session->device->backend->buffer_free(plan->session->device, plan->keys);
    free(plan);
}

static int make_keys(struct gzk_plan *plan, struct gzk_error *error)
{
    struct gzk_device *device = plan->session->device;
    size_t bytes = gzk_key_bytes(plan->config.stencil) * (size_t)plan->geometry.tile_count *
                   (size_t)plan->config.height;
    return gzk_measures(&plan->config)
               ? device->backend->buffer_new(device, bytes, &plan->keys, error)
               : 0;
}

int gzk_plan_new(struct gzk_session *session, const struct gzk_config *config,
                 struct gzk_plan **made, struct gzk_error *error)
{
    struct gzk_plan *plan = calloc(1, sizeof *plan);
    int status;

    if (!plan)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    plan->session = session;
    plan->config = *config;
    plan->config.watches = config->watches && session->watched;
    status = gzk_geometry_make(config, &plan->geometry, error);
    if (status == 0)
        status = gzk_device_program(session->device, &plan->config, &plan->program, error);
    if (status == 0)
        status = make_keys(plan, error);
    if (status == 0)
        status = find_resident(plan, error);
    if (status != 0) {
        gzk_plan_free(plan);
        return status;
    }
    *made = plan;
    return 0;
}

const struct gzk_config *gzk_plan_config(const struct gzk_plan *plan)
{
    return &plan->config;
}

const struct gzk_geometry *gzk_plan_geometry(const struct gzk_plan *plan)
{
    return &plan->geometry;
}

double gzk_plan_clock(const struct gzk_plan *plan)
{
    double hz = plan->session->device->run_clock_hz;
    return hz > 0 ? hz : (double)NAN;
}

/* Stages that `loops` loops, one or more, take. */
static long stages_of(const struct gzk_plan *plan, long loops)
{
    return (loops - 1) / plan->config.height + 1;
}

/* Whether all groups of a resident launch met at every barrier. */
static int check_barrier(const struct gzk_plan *plan, struct gzk_error *error)
{
    const struct gzk_session *session = plan->session;
    uint32_t barrier[2];
    int status = session->device->backend->read(session->device, session->barrier, barrier,
                                                sizeof barrier, error);
    if (status == 0 && barrier[1] != 0)
        status = gzk_fail(error, GZK_FAILED,
                          "sync %s: timed out: the %d blocks did not all run at once, or a "
                          "stage took too long; use restart",
                          gz_name(GZ_SYNCS, plan->config.sync), plan->resident);
    return status;
}

/* Runs `loops` loops from number `loop` and the state that there is by one launch. */
static int run_resident(struct gzk_plan *plan, long loop, long loops,
                        const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_session *session = plan->session;
    const struct gzk_backend *backend = session->device->backend;
    struct gzk_launch launch = {.groups = plan->resident};
    int status = backend->fill(session->device, session->barrier, 0, 2 * sizeof(uint32_t), error);

    int odd = next_state(session, plan->config.variant, session->current);
    add_common(session, session->current, odd, &launch);
    add(&launch, gzk_arg_long(loop));
    add(&launch, gzk_arg_long(loops));
    add(&launch, gzk_arg_buffer(session->barrier));
    add(&launch, gzk_arg_long(fence_patience));
    add_older(session, session->current, odd, &launch);
    if (status == 0)
        status = backend->run(session->device, plan->program, &launch, 1, plan->config.sync, stop,
                              seconds, error);
    if (stages_of(plan, loops) % 2)
        session->current = odd;
    if (status == 0)
        status = check_barrier(plan, error);
    return status == 0 ? check_written(plan, odd, error) : status;
}

/* Runs `count` such stages on from the state that there is, and joins the keys of the last. */
static int run_stages(struct gzk_plan *plan, size_t count, long loop, long end,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_session *session = plan->session;
    bool joins = plan->keys && plan->geometry.tile_count > 1;
    struct gzk_launch *launches = calloc(count + 1, sizeof *launches);

    if (!launches)
        return gzk_fail(error, GZK_FAILED, "out of host memory for %zu launches", count);
    set_stages(plan, launches, count, session->current, loop, end);
    launches[count] = stage_launch(plan, session->current, loop, -1);
    launches[count].groups = 1;
    launches[count].groups_y = launches[count].groups_z = 0;
    int odd = next_state(session, plan->config.variant, session->current);
    int status =
        session->device->backend->run(session->device, plan->program, launches, count + joins,
                                      plan->config.sync, stop, seconds, error);
    free(launches);
    if (count % 2)
        session->current = odd;
    return status == 0 ? check_written(plan, odd, error) : status;
}

int gzk_plan_advance(struct gzk_plan *plan, long loop, long loops,
                     const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    *seconds = 0;
    if (loops <= 0)
        return 0;
    if (plan->resident > 0)
        return run_resident(plan, loop, loops, stop, seconds, error);
    return run_stages(plan, (size_t)stages_of(plan, loops), loop, loop + loops, stop, seconds,
                      error);
}

int gzk_plan_run(struct gzk_plan *plan, long loops, const volatile sig_atomic_t *stop,
                 double *seconds, struct gzk_error *error)
{
    int status = gzk_session_reset(plan->session, error);
    return status == 0 ? gzk_plan_advance(plan, 0, loops, stop, seconds, error) : status;
}

int gzk_session_run(struct gzk_session *session, const struct gzk_config *config,
                    const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_plan *plan;
    int status = gzk_plan_new(session, config, &plan, error);
    if (status != 0)
        return status;
    status = gzk_plan_run(plan, config->loops, stop, seconds, error);
    gzk_plan_free(plan);
    return status;
}

/* ------------------------------------------------------------------------------------- measures */

/* The number that has key `k` of those read to `keys`, by measure.knl. */
static union gzk_found number_of(const union gzk_found *keys, int k, bool narrow)
{
    union gzk_found found = {.whole =
                                 keys[k].whole < 0 ? keys[k].whole ^ INT64_MAX : keys[k].whole};
    int32_t key;
    float single;

    if (!narrow)
        return found;
    memcpy(&key, (const char *)keys + (size_t)k * sizeof key, sizeof key);
    key = key < 0 ? key ^ INT32_MAX : key;
    memcpy(&single, &key, sizeof single);
    found.number = (double)single;
    return found;
}

int gzk_plan_found(struct gzk_plan *plan, int steps, union gzk_found *found,
                   struct gzk_error *error)
{
    struct gzk_device *device = plan->session->device;
    int measure = plan->config.stencil->measure;

    if (!plan->keys)
        return gzk_fail(error, GZK_INVALID, "its tiles have no measure");
    int status = device->backend->read(device, plan->keys, found,
                                       gzk_key_bytes(plan->config.stencil) * (size_t)steps, error);
    /* The last first: those of floats are half as long as what they become. */
    for (int k = steps - 1; k >= 0 && measure < 3 && status == 0; k--)
        found[k] = number_of(found, k, measure == 2);
    return status;
}
