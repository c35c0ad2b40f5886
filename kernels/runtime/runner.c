/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct gzk_session {
    struct gzk_device *device;
    const struct gzk_stencil *stencil;
    const struct gzk_data *data;
    struct gzk_buffer *state[2];
    struct gzk_buffer *aux;
    struct gzk_buffer *coefficients;
    struct gzk_buffer *meeting; /* the fence's counter and its flag */
    int final;                  /* which state holds the last run's result */
};

/* How long a group waits for the others at a fence before it gives up, nanoseconds; a group may
 * rightly wait for another's whole stage. */
static const int64_t fence_patience = INT64_C(3000000000);

static size_t state_bytes(const struct gzk_session *session)
{
    return session->data->cells * gzk_type_bytes(session->stencil->type);
}

static size_t aux_bytes(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    size_t arrays =
        (size_t)stencil->still_arrays + (size_t)data->loops * (size_t)stencil->fresh_arrays;
    /* At least one element, since no device allocates nothing. */
    return (arrays ? arrays * data->stride : 1) * gzk_type_bytes(stencil->type);
}

void gzk_session_free(struct gzk_session *session)
{
    if (!session)
        return;
    const struct gzk_backend *backend = session->device->backend;
    backend->buffer_free(session->device, session->state[0]);
    backend->buffer_free(session->device, session->state[1]);
    backend->buffer_free(session->device, session->aux);
    backend->buffer_free(session->device, session->coefficients);
    backend->buffer_free(session->device, session->meeting);
    free(session);
}

int gzk_session_new(struct gzk_device *device, const struct gzk_stencil *stencil,
                    const struct gzk_data *data, struct gzk_session **made, struct gzk_error *error)
{
    const struct gzk_backend *backend = device->backend;
    struct gzk_session *session = calloc(1, sizeof *session);
    size_t coefficient_bytes = GZK_MAX_COEFFICIENTS * gzk_type_bytes(stencil->type);
    int status;

    if (!session)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    session->device = device;
    session->stencil = stencil;
    session->data = data;
    const struct {
        struct gzk_buffer **buffer;
        size_t bytes;
    } buffers[] = {{&session->state[0], state_bytes(session)},
                   {&session->state[1], state_bytes(session)},
                   {&session->aux, aux_bytes(stencil, data)},
                   {&session->coefficients, coefficient_bytes},
                   {&session->meeting, 2 * sizeof(uint32_t)}};
    status = 0;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && status == 0; i++)
        status = backend->buffer_new(device, buffers[i].bytes, buffers[i].buffer, error);
    if (status == 0)
        status = backend->write(device, session->aux, data->aux, aux_bytes(stencil, data), error);
    if (status == 0)
        status = backend->write(device, session->coefficients, data->coefficients,
                                coefficient_bytes, error);
    if (status != 0) {
        gzk_session_free(session);
        return status;
    }
    *made = session;
    return 0;
}

static struct gzk_arg buffer_arg(struct gzk_buffer *buffer)
{
    return (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = buffer};
}

static struct gzk_arg int_arg(int32_t i)
{
    return (struct gzk_arg){.kind = GZK_ARG_INT, .i = i};
}

static struct gzk_arg long_arg(int64_t l)
{
    return (struct gzk_arg){.kind = GZK_ARG_LONG, .l = l};
}

/* The arguments that all kernels begin with; `from` is the state that the launch reads first. */
static void add_common(const struct gzk_session *session, int from, struct gzk_launch *launch)
{
    const int *size = session->data->size;
    const struct gzk_arg args[] = {buffer_arg(session->state[from]),
                                   buffer_arg(session->state[1 - from]),
                                   buffer_arg(session->aux),
                                   buffer_arg(session->coefficients),
                                   int_arg(size[0]),
                                   int_arg(size[1]),
                                   int_arg(size[2]),
                                   long_arg((int64_t)session->data->stride)};
    memcpy(launch->args, args, sizeof args);
    launch->count = (int)(sizeof args / sizeof *args);
}

static void add(struct gzk_launch *launch, struct gzk_arg arg)
{
    launch->args[launch->count++] = arg;
}

static int run_stages(struct gzk_session *session, const struct gzk_config *config,
                      const struct gzk_geometry *geometry, const struct gzk_program *program,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    size_t stages = (size_t)geometry->stages;
    struct gzk_launch *launches = calloc(stages, sizeof *launches);
    int status;

    if (!launches)
        return gzk_fail(error, GZK_FAILED, "out of host memory for %zu launches", stages);
    for (size_t stage = 0; stage < stages; stage++) {
        long loop = (long)stage * config->height, left = config->loops - loop;
        add_common(session, (int)(stage % 2), &launches[stage]);
        add(&launches[stage], long_arg(loop));
        add(&launches[stage], int_arg(left < config->height ? (int)left : config->height));
        launches[stage].groups = geometry->tile_count;
    }
    status = session->device->backend->run(session->device, program, launches, stages, config->sync,
                                           stop, seconds, error);
    free(launches);
    return status;
}

static int run_fenced(struct gzk_session *session, const struct gzk_config *config,
                      const struct gzk_geometry *geometry, const struct gzk_program *program,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_device *device = session->device;
    struct gzk_launch launch = {0};
    uint32_t meeting[2];
    int resident, status = device->backend->resident(device, program, &resident, error);

    if (status != 0)
        return status;
    add_common(session, 0, &launch);
    add(&launch, long_arg(config->loops));
    add(&launch, buffer_arg(session->meeting));
    add(&launch, long_arg(fence_patience));
    launch.groups = resident < geometry->tile_count ? resident : geometry->tile_count;
    status = device->backend->fill(device, session->meeting, 0, sizeof meeting, error);
    if (status == 0)
        status = device->backend->run(device, program, &launch, 1, GZK_FENCE, stop, seconds, error);
    if (status == 0)
        status = device->backend->read(device, session->meeting, meeting, sizeof meeting, error);
    if (status == 0 && meeting[1] != 0)
        status = gzk_fail(error, GZK_FAILED,
                          "sync fence: the %d work-groups did not all run at once, or a stage took "
                          "too long; use restart",
                          launch.groups);
    return status;
}

int gzk_session_reset(struct gzk_session *session, struct gzk_error *error)
{
    const struct gzk_backend *backend = session->device->backend;
    int status = backend->write(session->device, session->state[0], session->data->state,
                                state_bytes(session), error);
    if (status == 0)
        status =
            backend->fill(session->device, session->state[1], 0xFF, state_bytes(session), error);
    session->final = 0;
    return status;
}

int gzk_session_stage(struct gzk_session *session, const struct gzk_config *config, long loop,
                      const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_device *device = session->device;
    const struct gzk_program *program;
    struct gzk_geometry geometry;
    struct gzk_launch launch = {0};
    int status = gzk_geometry_make(config, &geometry, error);

    if (status == 0)
        status = gzk_device_program(device, config, &program, error);
    if (status != 0)
        return status;
    add_common(session, session->final, &launch);
    add(&launch, long_arg(loop));
    add(&launch, int_arg(config->height));
    launch.groups = geometry.tile_count;
    status = device->backend->run(device, program, &launch, 1, GZK_RESTART, stop, seconds, error);
    session->final = 1 - session->final;
    return status;
}

int gzk_session_run(struct gzk_session *session, const struct gzk_config *config,
                    const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error)
{
    struct gzk_device *device = session->device;
    const struct gzk_program *program;
    struct gzk_geometry geometry;
    int status = gzk_geometry_make(config, &geometry, error);

    if (status == 0)
        status = gzk_device_program(device, config, &program, error);
    if (status == 0)
        status = gzk_session_reset(session, error);
    if (status != 0)
        return status;
    if (config->sync == GZK_FENCE)
        status = run_fenced(session, config, &geometry, program, stop, seconds, error);
    else
        status = run_stages(session, config, &geometry, program, stop, seconds, error);
    session->final = (int)(geometry.stages % 2);
    return status;
}

int gzk_session_read(struct gzk_session *session, void *state, struct gzk_error *error)
{
    return session->device->backend->read(session->device, session->state[session->final], state,
                                          state_bytes(session), error);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of `count` ascending values, interpolated between neighbours. */
static double quantile(const double *sorted, int count, double q)
{
    double place = q * (count - 1);
    int below = (int)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

static void summarise(int count, long loops, struct gzk_timing *timing)
{
    double sorted[GZK_MAX_RUNS], median;
    memcpy(sorted, timing->seconds, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    median = quantile(sorted, count, 0.5);
    timing->runs = count;
    timing->seconds_per_loop = median / (double)loops;
    timing->quartile[0] = quantile(sorted, count, 0.25) / (double)loops;
    timing->quartile[1] = quantile(sorted, count, 0.75) / (double)loops;
    timing->spread =
        median > 0 ? (timing->quartile[1] - timing->quartile[0]) / timing->seconds_per_loop : 0;
}

/* What is timed: runs once, and says how long that took. */
struct subject {
    int (*run)(void *of, const volatile sig_atomic_t *stop, double *seconds,
               struct gzk_error *error);
    void *of;
    long loops; /* of one run */
};

static int measure(const struct subject *subject, int runs, double budget_s,
                   const volatile sig_atomic_t *stop, struct gzk_timing *timing,
                   struct gzk_error *error)
{
    static const int least_runs = 5;
    static const double small_spread = 0.02;
    double spent = 0;
    int status = subject->run(subject->of, stop, &timing->seconds[0], error);

    if (status != 0)
        return status;
    for (int n = 0; n < GZK_MAX_RUNS;) {
        if (*stop)
            return gzk_fail(error, GZK_FAILED, "interrupted after %d timed runs", n);
        status = subject->run(subject->of, stop, &timing->seconds[n], error);
        if (status != 0)
            return status;
        spent += timing->seconds[n++];
        summarise(n, subject->loops, timing);
        if (runs > 0 ? n == runs
                     : n >= least_runs && (timing->spread < small_spread || spent >= budget_s))
            break;
    }
    return 0;
}

struct session_config {
    struct gzk_session *session;
    const struct gzk_config *config;
};

static int run_session(void *of, const volatile sig_atomic_t *stop, double *seconds,
                       struct gzk_error *error)
{
    const struct session_config *what = of;
    return gzk_session_run(what->session, what->config, stop, seconds, error);
}

int gzk_measure(struct gzk_session *session, const struct gzk_config *config, int runs,
                double budget_s, const volatile sig_atomic_t *stop, struct gzk_timing *timing,
                struct gzk_error *error)
{
    struct session_config what = {session, config};
    struct subject subject = {run_session, &what, config->loops};
    return measure(&subject, runs, budget_s, stop, timing, error);
}

/* The serial reference's two states; the loops end in the first. */
struct serial {
    const struct gzk_stencil *stencil;
    const struct gzk_data *data;
    long loops;
    void *state, *other;
};

/* Runs the loops. A stop is looked for after each; then what is in `state` is no result. */
static void sweep(const struct serial *s, const volatile sig_atomic_t *stop)
{
    memcpy(s->loops % 2 == 0 ? s->state : s->other, s->data->state,
           s->data->cells * gzk_type_bytes(s->stencil->type));
    for (long loop = 0; loop < s->loops && !(stop && *stop); loop++) {
        int into_state = (s->loops - loop) % 2 != 0;
        s->stencil->reference(s->data, loop, into_state ? s->other : s->state,
                              into_state ? s->state : s->other);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_serial(void *of, const volatile sig_atomic_t *stop, double *seconds,
                      struct gzk_error *error)
{
    double begin = now();
    sweep(of, stop);
    *seconds = now() - begin;
    return *stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;
}

int gzk_measure_serial(const struct gzk_stencil *stencil, const struct gzk_data *data, long loops,
                       int runs, double budget_s, const volatile sig_atomic_t *stop, void *state,
                       struct gzk_timing *timing, struct gzk_error *error)
{
    struct serial serial = {stencil, data, loops, state,
                            malloc(data->cells * gzk_type_bytes(stencil->type))};
    struct subject subject = {run_serial, &serial, loops};
    int status = serial.other ? measure(&subject, runs, budget_s, stop, timing, error)
                              : gzk_fail(error, GZK_FAILED, "out of host memory");
    free(serial.other);
    return status;
}

int gzk_reference_run(const struct gzk_stencil *stencil, const struct gzk_data *data, long loops,
                      void *state)
{
    struct serial serial = {stencil, data, loops, state,
                            malloc(data->cells * gzk_type_bytes(stencil->type))};
    if (!serial.other)
        return -1;
    sweep(&serial, NULL);
    free(serial.other);
    return 0;
}

void gzk_compare(const struct gzk_stencil *stencil, const void *result, const void *reference,
                 size_t cells, long loops, bool contract, struct gzk_comparison *comparison)
{
    double epsilon = stencil->type == GZK_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    double largest = 0, error = 0;

    memset(comparison, 0, sizeof *comparison);
    for (size_t i = 0; i < cells; i++)
        largest = fmax(largest, fabs(gzk_element(reference, stencil->type, i)));
    comparison->max_magnitude = largest;
    if (contract && largest > 0)
        comparison->tolerance =
            stencil->ulp_per_loop * (double)loops * epsilon * exp2(floor(log2(largest)));
    for (size_t i = 0; i < cells; i++) {
        double difference =
            fabs(gzk_element(result, stencil->type, i) - gzk_element(reference, stencil->type, i));
        /* Written so that NaN counts as wrong, and stays in the largest error. */
        if (!(difference <= error))
            error = isnan(error) ? error : difference;
        if (!(difference <= comparison->tolerance) && comparison->wrong++ == 0)
            comparison->first_wrong = i;
    }
    comparison->max_error = error;
}
