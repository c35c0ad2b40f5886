/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "arrays.h"
#include "host.h"
#include "memory.h"
#include "numbers.h"
#include "settings.h"
#include "si.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- begin */

static int set_extent(gz_stencil_run *run, const long extent[3])
{
    const struct gz_stencil *facts = run->facts;
    double cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        long all = 1;
        if (axis < facts->dimensions) {
            if (extent[axis] < 1)
                return run->usual = true, gzs_give_up(run, "the domain is empty"), -1;
            if (extent[axis] > INT_MAX / 2)
                return gzs_give_up(run, "the domain is too large"), -1;
            all = extent[axis] + 2 * gzs_rim_of(run->stencil, axis);
        }
        run->data.size[axis] = (int)all;
        cells *= (double)all;
    }
    if (cells > 1 << 30)
        return gzs_give_up(run, "the domain is too large"), -1;
    run->data.cells = (size_t)cells;
    run->data.stride = gzk_stride(run->data.cells);
    run->data.loops = run->loops;
    run->element_bytes = (size_t)run->stencil->bytes;
    run->state_bytes = gzk_state_bytes(run->stencil, &run->data);
    return 0;
}

/* Bytes of all arrays but the states; 0 if they are too many. */
static size_t aux_bytes(const gz_stencil_run *run)
{
    size_t elements = gzk_step_place(run->stencil, run->data.stride, run->loops), bytes;
    if (elements == SIZE_MAX || __builtin_mul_overflow(elements, run->element_bytes, &bytes))
        return 0;
    return bytes > 0 ? bytes : sizeof(double); /* no driver takes nothing */
}

void *gzs_new_array(size_t bytes)
{
    return gzs_array_new(bytes, gzs_host_threads());
}

/* Only the borders of the borders' arrays are touched. */
static void *new_aux(const gz_stencil_run *run, size_t bytes)
{
    void *aux = gzk_host_new(bytes);
    size_t filled =
        (size_t)run->stencil->coefficient_arrays * run->data.stride * run->element_bytes;
    gzk_host_huge(aux, run->facts->step_arrays ? bytes : filled);
    gzk_host_touch(aux, filled, gzs_host_threads());
    return aux;
}

/* Whether so many bytes are there. Small arrays are not worth the question. */
static bool has_memory(gz_stencil_run *run, double bytes)
{
    static const double worth_asking = 1 << 26;
    double available = bytes > worth_asking ? gzk_memory_available() : bytes;
    char reason[200];

    if (bytes > available) {
        gzs_arrays_drop();
        available = gzk_memory_available();
    }
    if (bytes <= available)
        return true;
    snprintf(reason, sizeof reason, "its arrays need %s of memory: %s are available",
             cli_si(bytes, "B").text, cli_si(available, "B").text);
    return gzs_give_up(run, reason), false;
}

/* The arrays that the caller fills and so many others for results. The device's own arrays count,
 * too, if it has this memory. */
static int make_arrays(gz_stencil_run *run, int copies)
{
    size_t bytes = aux_bytes(run), state = run->state_bytes;
    bool older = run->stencil->older, in_place = gzs_device->info.is_cpu && !run->open;
    double of_device = in_place                  ? (older ? 2. : 0.) * (double)state
                       : gzs_device->info.is_cpu ? (older ? 4. : 2.) * (double)state + (double)bytes
                                                 : 0;

    if (bytes == 0)
        return gzs_give_up(run, "the per-step arrays are too large"), -1;
    if (!has_memory(run, (2 + copies) * (double)state + (double)bytes + of_device))
        return -1;
    run->data.state = gzs_new_array(state);
    run->other = gzs_new_array(state);
    run->data.older = older ? run->other : NULL;
    run->data.aux = new_aux(run, bytes);
    run->data.coefficients = calloc(GZK_MAX_COEFFICIENTS, run->element_bytes);
    bool made = run->data.state && run->other && run->data.aux && run->data.coefficients;
    for (int age = 0; age < copies; age++)
        made = (run->copy[age] = gzs_new_array(state)) && made;
    return made ? 0 : (gzs_give_up(run, "out of memory"), -1);
}

/* What the caller has found, in words. */
static const char *reason_of(int usable)
{
    static const char *const reasons[] = {
        [-GZ_STENCIL_OTHER_ROWS] = "rows of the array overlap",
        [-GZ_STENCIL_IN_PARALLEL] = "every thread of an OpenMP region runs it",
        [-GZ_STENCIL_SMALL_DOMAIN] = "the domain is smaller than the stencil",
        [-GZ_STENCIL_OTHER_SIZES] = "its sizes are not what gzc assumes: 4 turns or more of a loop "
                                    "over cells, single cells among those, rows within their "
                                    "arrays, numbers within their types and 2^30",
        [-GZ_STENCIL_LATER_SIZES] = "its first loop does not compute a size that later ones have",
        [-GZ_STENCIL_FEW_LOOPS] = "its loops are fewer than the arrays that they go through",
        [-GZ_STENCIL_OTHER_MACROS] =
            "the compiler was given other macros than gzc: give both the same flags",
        [-GZ_STENCIL_OTHER_BORDERS] = "the borders of its arrays differ",
        [-GZ_STENCIL_EITHER_ZERO] = "the largest change is zero, with or without a sign",
        [-GZ_STENCIL_OTHER_POINTS] = "a cell that it reads or sets lies beyond the grid",
    };
    int last = (int)(sizeof reasons / sizeof *reasons) - 1;
    return usable >= -last ? reasons[-usable] : "its caller cannot replace them";
}

/* The stencil; -1 with the run given up if it cannot be. */
static int find_stencil(gz_stencil_run *run, const struct gz_stencil *stencil)
{
    const char *wrong;
    if (gzs_is_child())
        return gzs_give_up(run, gzs_is_child()), -1;
    pthread_mutex_lock(&gzs_lock);
    run->known = gzs_know(stencil, "", &wrong);
    pthread_mutex_unlock(&gzs_lock);
    if (!run->known)
        gzs_give_up(run, wrong);
    else if (gzs_caller_forbids())
        gzs_give_up(run, gzs_caller_forbids());
    if (run->known) {
        run->facts = &run->known->facts;
        run->stencil = &run->known->stencil;
        run->file = run->facts->file;
    }
    return run->original ? -1 : 0;
}

/* The device and the arrays. */
static void make_ready(gz_stencil_run *run)
{
    double begin = cli_now();
    pthread_mutex_lock(&gzs_lock);
    if (!gzs_the_device())
        gzs_give_up(run, gzs_device_reason);
    pthread_mutex_unlock(&gzs_lock);
    run->made_s += cli_now() - begin;
    if (run->original)
        return;
    run->checking = !run->open && gzs_word(GZS_CHECK) > 0;
    int copies = !run->open && !run->checking ? 0 : run->stencil->older ? 2 : 1;
    run->ready = make_arrays(run, copies) == 0;
    run->checking = run->checking && run->ready;
}

/* Where the original loops are faster, they run once gz_stencil_usable has found that the device
 * could compute them: until then the run is ready, without arrays. */
static void choose_way(gz_stencil_run *run)
{
    if (!run->open)
        gzs_way_choose(run->known, run->data.size, run->loops, &run->way);
    const double *run_s = run->way.figures.run;
    run->trial.on = run->way.measured && !(run_s[GZS_ON_HOST] > 0 && run_s[GZS_ON_DEVICE] > 0);
    run->faster = run->ready = run->way.way == GZS_ON_HOST;
    if (!run->faster)
        make_ready(run);
}

gz_stencil_run *gzs_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                          int usable, bool open)
{
    gz_stencil_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->loops = loops;
    run->open = open;
    run->begun_s = cli_now();
    run->file = stencil && stencil->file ? stencil->file : "(a stencil)";
    run->line = stencil ? stencil->line : 0;
    if (find_stencil(run, stencil) != 0)
        return run;
    run->usual = usable == GZ_STENCIL_SMALL_DOMAIN || loops < 1;
    if (usable <= 0)
        gzs_give_up(run, reason_of(usable));
    else if (loops < 1)
        gzs_give_up(run, "there is nothing to do");
    else if (!extent)
        gzs_give_up(run, "extent: must not be NULL");
    else if (set_extent(run, extent) == 0)
        choose_way(run);
    return run;
}

gz_stencil_run *gz_stencil_begin(const struct gz_stencil *stencil, const long extent[3], long loops,
                                 int usable)
{
    int callers_errno = errno;
    gz_stencil_run *run = gzs_begin(stencil, extent, loops, usable, false);
    errno = callers_errno;
    return run;
}

int gz_stencil_ready(const gz_stencil_run *run)
{
    return run && run->ready;
}

/* The original loops run because they are faster. */
static void stay(gz_stencil_run *run)
{
    run->usual = true;
    gzs_give_up(run, run->way.why);
    run->begun_s = cli_now();
}

/* Whether a way that is tried goes on with another loop. The decision is made now and then, after
 * loops that take long enough to be timed; the first, whose pages and caches are cold, is left out.
 */
static bool goes_on(gz_stencil_run *run)
{
    const double worth_timing = 0.005;
    const long enough = 64;
    struct trial *trial = &run->trial;
    long since = trial->since, next = since + since / 4 + 1;
    if (trial->done < next)
        return true;
    double now = cli_now(), spent = now - trial->since_s;
    bool told = since > 0 && (spent >= worth_timing || trial->done - since >= enough);
    if (since > 0 && !told)
        return true;
    if (told)
        trial->loop_s = spent / (double)(trial->done - since);
    trial->since = trial->done;
    trial->since_s = now;
    return !told || gzs_way_goes(run->known, &run->way, (double)trial->done, trial->loop_s);
}

int gz_stencil_go(gz_stencil_run *run)
{
    if (!run || !run->faster || gzs_in_parallel())
        return 1;
    run->trial.given_up = run->trial.on && !goes_on(run);
    run->trial.done += !run->trial.given_up;
    return !run->trial.given_up;
}

/* Whether some of the original loops ran, and the device is expected to run the others in less
 * time. */
static bool stopped(const gz_stencil_run *run)
{
    return run->faster && run->trial.given_up && run->trial.done > 0;
}

int gz_stencil_usable(gz_stencil_run *run, int usable)
{
    if (!enter_begun(run))
        return 0;
    if (usable <= 0)
        gzs_give_up(run, reason_of(usable));
    else if (gzs_spans_overlap(&run->spans))
        gzs_give_up(run, "arrays overlap, or rows of theirs that are shorter than the loops");
    else if (!gzs_spans_accessible(&run->spans, false))
        gzs_give_up(run, "a border of its arrays lies where nothing can be read");
    else if (!gzs_spans_accessible(&run->spans, true))
        gzs_give_up(run, "an element that its loops may set lies where nothing can be written");
    else if (run->faster)
        stay(run);
    run->faster = run->faster && run->usual;
    bool ready = run->ready;
    leave(run);
    return ready;
}

/* ---------------------------------------------------------------------------------------- end */

static void report(const gz_stencil_run *run)
{
    const struct gz_stencil *facts = run->facts;
    const struct gzk_config *config = &run->choice.config;
    char size[64] = "", predicted[640] = "", tried[80] = "";
    const char *why = run->way.why;

    for (int axis = facts->dimensions - 1, at = 0; axis >= 0; axis--)
        at += snprintf(size + at, sizeof size - (size_t)at, "%d%s", run->data.size[axis],
                       axis ? "x" : "");
    if (run->choice.predicted_s > 0)
        snprintf(predicted, sizeof predicted, ", predicted %s (%s)",
                 cli_si(run->choice.predicted_s, "s").text, run->choice.by.text);
    if (run->choice.tried_s > 0)
        snprintf(tried, sizeof tried, ", %s %s",
                 run->choice.from_cache ? "tried by an earlier process" : "tried",
                 cli_si(run->choice.tried_s, "s").text);
    fprintf(stderr,
            "gzstencil: %s:%d: %s, %ld loops on %s: %s, block %dx%dx%d, height %d, %s a "
            "loop%s%s%s%s%s\n",
            run->file, run->line, size, run->open ? run->at : run->loops, gzs_device->info.address,
            gzk_variants[config->variant].name, config->block[0], config->block[1],
            config->block[2], config->height, cli_si(run->choice.measured_s, "s").text, predicted,
            tried, facts->measure == 3 ? "; sums are added in another order than C's" : "",
            *why ? "; " : "", why);
    double call_s = cli_now() - run->begun_s, rest_s = call_s - run->made_s - run->seconds;
    fprintf(
        stderr,
        "gzstencil:   its call took %s: device, choice and kernels %s, loops %s, copies and the "
        "rest %s\n",
        cli_si(call_s, "s").text, cli_si(run->made_s, "s").text, cli_si(run->seconds, "s").text,
        cli_si(fmax(rest_s, 0), "s").text);
}

/* Why the original loops run: each time with GZ_REPORT, else once a stencil; the caller of an open
 * run has gz_stencil_reason. */
static void report_original(gz_stencil_run *run)
{
    static atomic_bool nameless;
    bool asked = gzs_word(GZS_REPORT) > 0;
    bool first = !run->usual && !run->open &&
                 !atomic_exchange(run->known ? &run->known->told : &nameless, true);

    if (asked && stopped(run))
        fprintf(stderr,
                "gzstencil: %s:%d: %ld of %ld original loops took %s each: the device is tried\n",
                run->file, run->line, run->trial.done, run->loops,
                cli_si(run->trial.loop_s, "s").text);
    else if (asked || first)
        fprintf(stderr, "gzstencil: %s:%d: the original loops run: %s%s\n", run->file, run->line,
                gz_stencil_reason(run), asked ? "" : " (said once; GZ_REPORT=1 says it each time)");
}

static void free_arrays(gz_stencil_run *run)
{
    if (!run->stencil)
        return;
    gzs_array_free(run->data.state, run->state_bytes);
    gzs_array_free(run->other, run->state_bytes);
    gzk_host_free(run->data.aux, aux_bytes(run));
    free(run->data.coefficients);
    free(run->rows);
    free(run->found);
    free(run->spans.list);
    gzs_watch_free(&run->watch);
    free(run->heard[0].bytes);
    free(run->heard[1].bytes);
    for (int i = 0; i < 2; i++) {
        gzs_array_free(run->next[i], run->state_bytes);
        gzs_array_free(run->copy[i], run->state_bytes);
    }
}

/* What is learnt for the next run: the time since the call began, or, of the original loops, since
 * they began. */
static void learn(const gz_stencil_run *run)
{
    long loops = run->done ? run->loops : run->trial.done;
    if (run->facts && run->facts->measure && loops > 0 && !stopped(run))
        gzs_way_ended(run->known, run->data.size, loops);
    if (stopped(run)) {
        gzs_way_tried(run->known, run->data.size, run->loops, GZS_ON_HOST, run->trial.done,
                      run->trial.loop_s);
    } else if (run->way.measured && (run->done || run->faster))
        gzs_way_took(run->known, run->data.size, run->loops, run->way.way,
                     cli_now() - run->begun_s);
}

void gz_stencil_end(gz_stencil_run *run)
{
    if (!run)
        return;
    if (!enter(run)) {
        fprintf(stderr, "gzstencil: a run was ended while another thread used it: it is kept\n");
        return;
    }
    learn(run);
    if (gz_stencil_checking(run))
        gzs_report_check(run);
    if (run->done && gzs_word(GZS_REPORT) > 0)
        report(run);
    else if (!run->done && gz_stencil_original(run))
        report_original(run);
    /* A child has no device; what its parent has there is not its own. */
    if (run->session && !gzs_is_child()) {
        pthread_mutex_lock(&gzs_lock);
        gzs_leave_device(run);
        pthread_mutex_unlock(&gzs_lock);
    }
    if (!gzs_is_child())
        gzs_divided_close(run->divided);
    free_arrays(run);
    errno = run->callers_errno;
    free(run);
}
