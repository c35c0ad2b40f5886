/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gzstencil.h"

#include "choice.h"
#include "plan.h"
#include "serial.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gz_stencil_run {
    const struct gz_stencil *facts;
    struct gzk_stencil stencil; /* the same for the kernels */
    struct gzk_data data;
    long loops;
    bool ready;                     /* the arrays are there */
    bool done;                      /* results are there */
    bool checking;                  /* GZ_CHECK */
    bool original;                  /* the original loops must run */
    void *border;                   /* buffer 1 at first */
    void *result[2];                /* by age */
    const char *low[32], *high[32]; /* spans of arrays */
    bool written[32];
    int spans;
    size_t compared, wrong;
    char reason[512]; /* why the original loops run */
    struct gzk_choice choice;
    /* Of an open run: the arrays on the device, a stage of the height that was chosen and one of a
     * single loop, the loops that have run since the arrays were put there, and their time. */
    bool open, chosen;
    struct gzk_session *session;
    struct gzk_plan *stage, *single;
    long at;
    double seconds;
};

/* ------------------------------------------------------------------------------------ shared */

/* One device and its compiled programs for the whole process; runs take turns. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gzk_device *device;
static bool device_tried;
static char device_reason[256];

/* A body put together from its pieces, kept so that programs are found by its address. */
struct body {
    struct body *next;
    const char *const *pieces;
    bool two;
    char text[];
};
static struct body *bodies;

static const volatile sig_atomic_t never;

static bool asked(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static struct gzk_device *the_device(void)
{
    struct gzk_error error;
    if (device_tried)
        return device;
    device_tried = true;
    const char *address = getenv("GZ_DEVICE");
    if (gzk_device_open(address && *address ? address : NULL, &device, &error) != 0) {
        device = NULL;
        snprintf(device_reason, sizeof device_reason, "%.250s", error.text);
    }
    return device;
}

static const char *body_of(const char *const *pieces, bool two)
{
    size_t length = 1;
    const char *define = two ? "#define GZ_TWO_BORDERS 1\n" : "";
    for (struct body *b = bodies; b; b = b->next)
        if (b->pieces == pieces && b->two == two)
            return b->text;
    for (int i = 0; pieces[i]; i++)
        length += strlen(pieces[i]);
    length += strlen(define);
    struct body *body = malloc(sizeof *body + length);
    if (!body)
        return NULL;
    strcpy(body->text, define);
    char *end = body->text + strlen(define);
    for (int i = 0; pieces[i]; i++) {
        size_t piece = strlen(pieces[i]);
        memcpy(end, pieces[i], piece + 1);
        end += piece;
    }
    body->pieces = pieces;
    body->two = two;
    body->next = bodies;
    bodies = body;
    return body->text;
}

/* -------------------------------------------------------------------------------------- begin */

static void give_up(gz_stencil_run *run, const char *reason)
{
    if (!run->original)
        snprintf(run->reason, sizeof run->reason, "%.500s", reason);
    run->original = true;
    run->ready = false;
}

/* Cells of the grid on either side of the domain. */
static int rim_of(const struct gz_stencil *facts, int axis)
{
    return facts->edge == GZ_STENCIL_KEEP ? facts->radius[axis] : 0;
}

/* Constant arrays for borders, and those before them with what cells hold that a guard leaves out,
 * if there are two buffers. */
static size_t border_arrays(const gz_stencil_run *run)
{
    return (size_t)gzk_border_arrays(&run->stencil);
}

static bool keeps(const gz_stencil_run *run)
{
    return run->facts->buffers == 2 && run->facts->guarded;
}

static size_t kept_arrays(const gz_stencil_run *run)
{
    return keeps(run) ? 2 : 0;
}

static int set_extent(gz_stencil_run *run, const long extent[3])
{
    const struct gz_stencil *facts = run->facts;
    double cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        long all = 1;
        if (axis < facts->dimensions) {
            if (extent[axis] < 1)
                return give_up(run, "the domain is empty"), -1;
            if (extent[axis] > INT_MAX / 2)
                return give_up(run, "the domain is too large"), -1;
            all = extent[axis] + 2 * rim_of(facts, axis);
        }
        run->data.size[axis] = (int)all;
        cells *= (double)all;
    }
    if (cells > 1 << 30)
        return give_up(run, "the domain is too large"), -1;
    run->data.cells = (size_t)cells;
    run->data.stride = (run->data.cells + 31) / 32 * 32;
    run->data.loops = run->loops;
    return 0;
}

static int make_arrays(gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    size_t bytes = gzk_type_bytes(run->stencil.type), elements;
    size_t arrays = (size_t)facts->constant_arrays + kept_arrays(run) + border_arrays(run);
    size_t steps, total;

    if (__builtin_mul_overflow((size_t)run->loops, (size_t)facts->step_arrays, &steps) ||
        __builtin_add_overflow(arrays, steps, &total) ||
        __builtin_mul_overflow(total, run->data.stride, &elements))
        return give_up(run, "the per-step arrays are too large"), -1;
    run->data.state = calloc(run->data.cells, bytes);
    run->data.aux = calloc(elements ? elements : 1, bytes); /* one if there are no arrays */
    run->data.coefficients = calloc(GZK_MAX_COEFFICIENTS, bytes);
    run->border = calloc(run->data.cells, bytes);
    run->result[0] = malloc(run->data.cells * bytes);
    run->result[1] = malloc(run->data.cells * bytes);
    if (run->data.state && run->data.aux && run->data.coefficients && run->border &&
        run->result[0] && run->result[1])
        return 0;
    return give_up(run, "out of memory"), -1;
}

static void describe(gz_stencil_run *run)
{
    static const enum gzk_type types[] = {GZK_INT, GZK_FLOAT, GZK_DOUBLE};
    static const enum gzk_edge edges[] = {GZK_EDGE_CLAMP, GZK_EDGE_ZERO, GZK_EDGE_PERIODIC,
                                          GZK_EDGE_KEEP};
    const struct gz_stencil *facts = run->facts;
    struct gzk_stencil *stencil = &run->stencil;

    stencil->abi = GZK_STENCIL_ABI;
    stencil->size = sizeof *stencil;
    stencil->name = "gzc";
    stencil->dimensions = facts->dimensions;
    stencil->type = types[facts->type];
    for (int axis = 0; axis < 3; axis++)
        stencil->edge[axis] = edges[facts->edge];
    stencil->coefficients = facts->coefficients;
    stencil->coefficient_arrays = facts->constant_arrays;
    stencil->step_arrays = facts->step_arrays;
    stencil->operations = facts->operations;
    if (facts->contract && stencil->type != GZK_INT)
        stencil->ulp_per_loop = (facts->operations + 1) * (facts->contract > 1 ? 16 : 1);
    memcpy(stencil->radius, facts->radius, sizeof stencil->radius);
}

gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                                 int usable)
{
    gz_stencil_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->facts = stencil;
    run->loops = loops;
    describe(run);
    if (!usable)
        give_up(run, "the sweeps run over different domains");
    else if (loops < 1)
        give_up(run, "there is nothing to do");
    else if (set_extent(run, extent) == 0) {
        pthread_mutex_lock(&lock);
        bool there = the_device() != NULL;
        pthread_mutex_unlock(&lock);
        if (!there)
            give_up(run, device_reason);
        else if (make_arrays(run) == 0)
            run->ready = true;
    }
    run->checking = run->ready && asked("GZ_CHECK");
    return run;
}

int gz_stencil_ready(const gz_stencil_run *run)
{
    return run && run->ready;
}

static bool overlap(const gz_stencil_run *run)
{
    for (int i = 0; i < run->spans; i++)
        for (int j = 0; j < i; j++)
            if ((run->written[i] || run->written[j]) && run->low[i] <= run->high[j] &&
                run->low[j] <= run->high[i])
                return true;
    return false;
}

int gz_stencil_usable(gz_stencil_run *run, int usable)
{
    if (!usable)
        give_up(run, "rows of the array overlap");
    else if (overlap(run))
        give_up(run, "arrays overlap");
    return run->ready;
}

/* ------------------------------------------------------------------------------------ arrays */

void *gz_stencil_buffer(gz_stencil_run *run, int buffer)
{
    return buffer == 0 ? run->data.state : run->border;
}

static void *aux_array(gz_stencil_run *run, size_t k)
{
    return (char *)run->data.aux + k * run->data.stride * gzk_type_bytes(run->stencil.type);
}

void *gz_stencil_constant(gz_stencil_run *run, int k)
{
    return aux_array(run, (size_t)k);
}

void *gz_stencil_step(gz_stencil_run *run, int k, long loop)
{
    return aux_array(run, (size_t)run->facts->constant_arrays + kept_arrays(run) +
                              border_arrays(run) + (size_t)loop * (size_t)run->facts->step_arrays +
                              (size_t)k);
}

void gz_stencil_span(gz_stencil_run *run, const void *one, const void *other, int written)
{
    int most = sizeof run->low / sizeof *run->low;
    const char *a = one, *b = other;
    if (!run || !run->ready || run->spans == most)
        return;
    run->low[run->spans] = a < b ? a : b;
    run->high[run->spans] = (a < b ? b : a) + gzk_type_bytes(run->stencil.type) - 1;
    run->written[run->spans++] = written != 0;
}

/* ------------------------------------------------------------------------------ coefficients */

static void put_bytes(gz_stencil_run *run, int first, const void *value, size_t bytes)
{
    memcpy((char *)run->data.coefficients + (size_t)first * gzk_type_bytes(run->stencil.type),
           value, bytes);
}

/* Of an array of doubles a coefficient is the value itself, as far as a double holds it. */
static void put_whole(gz_stencil_run *run, int first, double value, bool exact)
{
    if (!exact)
        give_up(run, "a whole number is too large for a double");
    else
        put_bytes(run, first, &value, sizeof value);
}

static bool in_double(long value)
{
    return value >= -(1L << 53) && value <= 1L << 53;
}

void gz_stencil_int(gz_stencil_run *run, int first, long value)
{
    int bits = (int)(unsigned int)value;
    if (!run || !run->ready)
        return;
    if (value < INT_MIN || value > (long)UINT_MAX)
        give_up(run, "a whole number is too large");
    else if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, true);
    else
        put_bytes(run, first, &bits, sizeof bits);
}

void gz_stencil_long(gz_stencil_run *run, int first, long value)
{
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, in_double(value));
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_ulong(gz_stencil_run *run, int first, unsigned long value)
{
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_whole(run, first, (double)value, value <= 1UL << 53);
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_float(gz_stencil_run *run, int first, float value)
{
    double wide = (double)value;
    if (!run || !run->ready)
        return;
    if (run->stencil.type == GZK_DOUBLE)
        put_bytes(run, first, &wide, sizeof wide);
    else
        put_bytes(run, first, &value, sizeof value);
}

void gz_stencil_double(gz_stencil_run *run, int first, double value)
{
    if (run && run->ready)
        put_bytes(run, first, &value, sizeof value);
}

/* ---------------------------------------------------------------------------------------- run */

/* Puts the borders, and what kept cells hold if there are two buffers, where the kernels look for
 * them. */
static void set_borders(gz_stencil_run *run)
{
    size_t constants = (size_t)run->facts->constant_arrays;
    size_t bytes = gzk_type_bytes(run->stencil.type), cells = run->data.cells * bytes;
    const void *other = run->facts->buffers == 2 ? run->border : run->data.state;
    size_t first = constants + kept_arrays(run);

    run->stencil.coefficient_arrays = (int)first;
    if (keeps(run)) {
        memcpy(aux_array(run, constants), run->data.state, cells);
        memcpy(aux_array(run, constants + 1), run->border, cells);
    }
    if (border_arrays(run) > 0) {
        memcpy(aux_array(run, first), run->data.state, cells);
        memcpy(aux_array(run, first + 1), other, cells);
    }
}

/* All loops, or all but one, read, then the last one. */
static int run_loops(gz_stencil_run *run, struct gzk_session *session, struct gzk_error *error)
{
    struct gzk_config config = run->choice.config, last = config;
    bool both = run->facts->both != 0;
    double seconds = 0, more = 0;
    struct gzk_plan *plan;
    int status = 0;

    config.loops = both ? run->loops - 1 : run->loops;
    last.loops = last.height = 1;
    last.sync = GZ_SYNC_RESTART;
    if (config.loops > 0)
        status = gzk_session_run(session, &config, &never, &seconds, error);
    else
        status = gzk_session_reset(session, error);
    if (status == 0 && both)
        status = gzk_session_read(session, run->result[1], error);
    if (status == 0 && both) {
        status = gzk_plan_new(session, &last, &plan, error);
        if (status == 0) {
            status = gzk_plan_stage(plan, run->loops - 1, &never, &more, error);
            gzk_plan_free(plan);
        }
    }
    if (status == 0)
        status = gzk_session_read(session, run->result[0], error);
    run->choice.measured_s = (seconds + more) / (double)run->loops;
    return status;
}

/* The arrays on the device, and how they are to be run. */
static int new_session(gz_stencil_run *run, struct gzk_session **session, struct gzk_error *error)
{
    const struct gz_stencil *facts = run->facts;

    run->stencil.body = body_of(facts->body, keeps(run));
    if (!run->stencil.body)
        return gzk_fail(error, GZK_FAILED, "out of memory");
    set_borders(run);
    int status = gzk_session_new(device, &run->stencil, &run->data, session, error);
    if (status == 0 && !run->chosen)
        status = gzk_choose(*session, device, &run->stencil, &run->data, facts->height,
                            facts->contract != 0, &run->choice, error);
    run->chosen = status == 0;
    return status;
}

static int run_on_device(gz_stencil_run *run, struct gzk_error *error)
{
    struct gzk_session *session = NULL;
    int status = new_session(run, &session, error);
    if (status == 0)
        status = run_loops(run, session, error);
    gzk_session_free(session);
    return status;
}

int gz_stencil_execute(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    int status = run_on_device(run, &error);
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        give_up(run, error.text);
        return 0;
    }
    run->done = true;
    run->original = run->checking;
    return !run->checking;
}

const void *gz_stencil_result(const gz_stencil_run *run, int age)
{
    return run->result[age];
}

int gz_stencil_original(const gz_stencil_run *run)
{
    return !run || run->original;
}

int gz_stencil_checking(const gz_stencil_run *run)
{
    return run && run->done && run->checking;
}

void gz_stencil_compare(gz_stencil_run *run, int buffer, int age)
{
    size_t bytes = gzk_type_bytes(run->stencil.type);
    const char *found = gz_stencil_buffer(run, buffer), *expected = run->result[age];
    if (run->facts->contract) {
        struct gzk_serial serial = {
            .stencil = &run->stencil, .data = &run->data, .loops = run->loops};
        struct gzk_comparison comparison;
        gzk_compare(&serial, expected, found, true, &comparison);
        run->compared += run->data.cells;
        run->wrong += comparison.wrong;
        return;
    }
    for (size_t i = 0; i < run->data.cells; i++, run->compared++)
        if (memcmp(found + i * bytes, expected + i * bytes, bytes) != 0)
            run->wrong++;
}

/* ---------------------------------------------------------------------------------- open runs */

gz_stencil_run *gz_stencil_open(const struct gz_stencil *stencil, const long extent[3], long loops)
{
    gz_stencil_run *run = gz_stencil_begin(stencil, extent, loops, 1);
    if (run) {
        run->open = true;
        run->checking = false;
    }
    return run;
}

static void leave_device(gz_stencil_run *run)
{
    gzk_plan_free(run->stage);
    gzk_plan_free(run->single);
    gzk_session_free(run->session);
    run->stage = run->single = NULL;
    run->session = NULL;
}

/* Plans of single stages, so that a run can go on from where it was. */
static int make_plans(gz_stencil_run *run, struct gzk_error *error)
{
    struct gzk_config config = run->choice.config, single = config;
    config.sync = single.sync = GZ_SYNC_RESTART;
    config.loops = config.height;
    single.loops = single.height = 1;
    int status = gzk_plan_new(run->session, &config, &run->stage, error);
    if (status == 0)
        status = gzk_plan_new(run->session, &single, &run->single, error);
    return status;
}

int gz_stencil_put(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->open || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    leave_device(run);
    run->at = 0;
    run->seconds = 0;
    int status = new_session(run, &run->session, &error);
    if (status == 0)
        status = make_plans(run, &error);
    if (status == 0)
        status = gzk_session_reset(run->session, &error);
    if (status != 0)
        leave_device(run);
    pthread_mutex_unlock(&lock);
    if (status != 0)
        give_up(run, error.text);
    return status == 0;
}

/* Stages of the height that was chosen, then single loops. If both states are results, the last
 * stage is of one loop, so that the buffer it read holds the state before the last. */
static int advance(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    int height = run->choice.config.height, status = 0;
    long left = loops, kept = run->facts->both ? 1 : 0;
    while (status == 0 && left > 0) {
        bool whole = left - kept >= height;
        double seconds = 0;
        status = gzk_plan_stage(whole ? run->stage : run->single, run->at, &never, &seconds, error);
        run->at += whole ? height : 1;
        left -= whole ? height : 1;
        run->seconds += seconds;
    }
    return status;
}

int gz_stencil_advance(gz_stencil_run *run, long loops)
{
    struct gzk_error error;
    if (!run || !run->session || !run->ready)
        return 0;
    if (loops < 0 || loops > run->loops - run->at) {
        snprintf(run->reason, sizeof run->reason,
                 "%ld loops after %ld: must be at least 0, and at most %ld in all", loops, run->at,
                 run->loops);
        return 0;
    }
    pthread_mutex_lock(&lock);
    int status = advance(run, loops, &error);
    pthread_mutex_unlock(&lock);
    if (status != 0)
        give_up(run, error.text);
    else if (run->at > 0)
        run->choice.measured_s = run->seconds / (double)run->at;
    return status == 0;
}

int gz_stencil_get(gz_stencil_run *run)
{
    struct gzk_error error;
    if (!run || !run->session || !run->ready)
        return 0;
    pthread_mutex_lock(&lock);
    int status = gzk_session_read(run->session, run->result[0], &error);
    if (status == 0 && run->at > 0 && run->facts->both)
        status = gzk_session_read_before(run->session, run->result[1], &error);
    pthread_mutex_unlock(&lock);
    if (status != 0) {
        give_up(run, error.text);
        return 0;
    }
    if (run->at == 0)
        memcpy(run->result[1], run->border, run->data.cells * gzk_type_bytes(run->stencil.type));
    run->done = true;
    return 1;
}

const char *gz_stencil_reason(const gz_stencil_run *run)
{
    return run ? run->reason : "out of memory";
}

void gz_stencil_close(gz_stencil_run *run)
{
    gz_stencil_end(run);
}

/* ---------------------------------------------------------------------------------------- end */

static void report_check(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    if (run->wrong > 0)
        fprintf(stderr, "gzstencil: %s:%d: check failed: %zu of %zu elements differ\n", facts->file,
                facts->line, run->wrong, run->compared);
    else
        fprintf(stderr, "gzstencil: %s:%d: check passed: %zu elements are equal%s\n", facts->file,
                facts->line, run->compared, facts->contract ? " within the bound" : "");
}

static void report(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    const struct gzk_config *config = &run->choice.config;
    char size[64] = "", predicted[40] = "", tried[60] = "";

    for (int axis = facts->dimensions - 1, at = 0; axis >= 0; axis--)
        at += snprintf(size + at, sizeof size - (size_t)at, "%d%s", run->data.size[axis],
                       axis ? "x" : "");
    if (run->choice.predicted_s > 0)
        snprintf(predicted, sizeof predicted, ", predicted %.3g", run->choice.predicted_s);
    if (run->choice.tried_s > 0)
        snprintf(tried, sizeof tried, ", %s %.3g",
                 run->choice.from_cache ? "tried by an earlier process" : "tried",
                 run->choice.tried_s);
    if (run->done)
        fprintf(stderr,
                "gzstencil: %s:%d: %s, %ld loops on %s: %s, block %dx%dx%d, height %d, %.3g s a "
                "loop%s%s\n",
                facts->file, facts->line, size, run->open ? run->at : run->loops,
                device->info.address, gzk_variants[config->variant].name, config->block[0],
                config->block[1], config->block[2], config->height, run->choice.measured_s,
                predicted, tried);
    else
        fprintf(stderr, "gzstencil: %s:%d: the original loops run: %s\n", facts->file, facts->line,
                run->reason);
}

void gz_stencil_end(gz_stencil_run *run)
{
    if (!run)
        return;
    if (gz_stencil_checking(run))
        report_check(run);
    if (asked("GZ_REPORT"))
        report(run);
    if (run->session) {
        pthread_mutex_lock(&lock);
        leave_device(run);
        pthread_mutex_unlock(&lock);
    }
    gzk_data_free(&run->data);
    free(run->border);
    free(run->result[0]);
    free(run->result[1]);
    free(run);
}
