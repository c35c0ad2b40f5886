/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(long) == sizeof(int64_t), "what is found of whole numbers");

/* Runs a stage more and keeps what its loops find. */
static int measure_stage(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    (void)loops;
    int status = run->session ? 0 : gzs_start(run, error);
    int height = run->choice.config.height;
    double seconds = 0;
    union gzk_found *found =
        gzk_host_grow(run->found, (size_t)(run->at + height), sizeof *found, &run->found_room);

    run->found = found ? found : run->found;
    if (status == 0 && !found)
        status = gzk_fail(error, GZK_FAILED, "out of memory");
    if (status == 0)
        status = gzk_plan_advance(run->plan, run->at, height, &gzk_never, &seconds, error);
    if (status == 0)
        status = gzk_plan_found(run->plan, height, run->found + run->at, error);
    run->at += status == 0 ? height : 0;
    run->seconds += seconds;
    if (status == 0 && run->trial.on && run->at >= 2 * height)
        status = gzs_outdo(run, seconds / height, error);
    run->trial.on = run->trial.on && run->at < 4 * height;
    return status;
}

int gz_stencil_measure(gz_stencil_run *run, long loop, void *found)
{
    if (!found || !enter_ready(run))
        return 0;
    int measure = run->facts->measure;
    if (!measure || run->open || loop < 0 || loop > run->at)
        gzs_give_up(run, "a measure is asked for that there is not");
    else if (loop >= run->loops)
        gzs_give_up(run, "its loops do not end");
    else if (loop == run->at)
        gzs_on_device(run, measure_stage, 0);
    gzs_turn_back(run);
    if (run->ready && measure != 4 && isnan(run->found[loop].number))
        gzs_give_up(run, "what a loop changes is not a number");
    bool told = run->ready;
    if (told)
        memcpy(found, &run->found[loop], sizeof run->found[loop]);
    leave(run);
    return told;
}

/* Goes back to where the last stage began, and on to a loop of it, unless that is its last. */
static int settle(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    int height = run->choice.config.height;
    int status = 0;
    run->choice.measured_s = run->seconds / (double)run->at;
    if (loops < run->at) {
        gzk_session_turn(run->session);
        run->at -= height;
        status = gzs_advance(run, loops - run->at, error);
    }
    if (status == 0)
        status = gzs_fetch(run, error);
    gzs_leave_device(run);
    return status;
}

int gz_stencil_settle(gz_stencil_run *run, long loops)
{
    bool results = false;
    if (!enter_ready(run))
        return 0;
    run->usual = loops < 1;
    if (loops < 1)
        gzs_give_up(run, "there is nothing to do");
    else if (!run->session || loops > run->at || loops < run->at - run->choice.config.height)
        gzs_give_up(run, "its loops end where none was measured");
    else if (gzs_on_device(run, settle, loops)) {
        run->loops = loops;
        results = gzs_finish(run);
    }
    leave(run);
    return results;
}

const void *gz_stencil_result(const gz_stencil_run *run, int age)
{
    return run && age >= 0 && age < 2 ? run->result[age] : NULL;
}

int gz_stencil_original(const gz_stencil_run *run)
{
    return !run || atomic_load(&run->clashed) || run->faster || run->original;
}
