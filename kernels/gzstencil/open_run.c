/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "own_grid.h"

#include <stdio.h>
#include <string.h>

gz_stencil_run *gz_stencil_open(const struct gz_stencil *stencil, const long extent[3], long loops)
{
    return gzs_begin(stencil, extent, loops, 1, true);
}

/* Puts what places need before a stencil's body: another stencil. */
static int place_cells(gz_stencil_run *run, const struct gz_stencil *stencil, const char *place,
                       struct gzk_error *error)
{
    struct gz_stencil placed = *stencil;
    const char *wrong;
    placed.coefficients += GZK_PLACE_NUMBERS;
    pthread_mutex_lock(&gzs_lock);
    struct gzs_known *known = gzs_know(&placed, place, &wrong);
    pthread_mutex_unlock(&gzs_lock);
    if (!known)
        return gzk_fail(error, GZK_INVALID, "on ranks, with %d coefficients more: %s",
                        (int)GZK_PLACE_NUMBERS, wrong);
    run->known = known;
    run->facts = &known->facts;
    run->stencil = &known->stencil;
    return 0;
}

/* Divides a run that all ranks have. */
static int divide(gz_stencil_run *run, const struct gz_stencil *stencil,
                  const struct gz_stencil_ranks *ranks, struct gzk_error *error)
{
    char place[GZK_PLACE_TEXT + 1];
    int status = gzs_divided_split(run->divided, ranks, run->stencil, &run->data, place, error);
    if (status == 0)
        status = place_cells(run, stencil, place, error);
    return status == 0 ? gzs_divided_make(run->divided, run->stencil, run->loops, error) : status;
}

gz_stencil_run *gz_stencil_open_ranks(const struct gz_stencil *stencil, const long extent[3],
                                      long loops, const struct gz_stencil_ranks *ranks)
{
    struct gzk_error error = {0};
    struct gzs_divided *divided = NULL;
    int status = ranks && ranks->communicator
                     ? gzs_divided_open(ranks->communicator, &divided, &error)
                     : gzk_fail(&error, GZK_INVALID, "ranks: must name a communicator");
    if (status == 0)
        gzs_take_turn(divided->exchange.node_rank);
    gz_stencil_run *run = gzs_begin(stencil, extent, loops, 1, true);
    if (!run) {
        gzs_divided_close(divided);
        return NULL;
    }
    run->divided = divided;
    if (status == 0)
        status = gzk_exchange_all(&run->divided->exchange, run->ready ? 0 : GZK_FAILED, &error);
    if (status == 0)
        status =
            gzk_exchange_all(&run->divided->exchange, divide(run, stencil, ranks, &error), &error);
    if (status != 0)
        gzs_give_up(run, error.text);
    return run;
}

/* Whether an open run may go on, which is entered then. */
static bool enter_open(gz_stencil_run *run, bool put)
{
    if (!enter_ready(run))
        return false;
    if (run->open && (put || run->session))
        return true;
    leave(run);
    return false;
}

static int put_arrays(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    (void)loops;
    gzs_leave_device(run);
    run->at = 0;
    run->seconds = 0;
    int status = gzs_start(run, error);
    if (status == 0)
        status = gzk_session_reset(run->session, error);
    if (run->divided)
        status = gzs_divided_enter(run->divided, gzs_device, run->session, status, error);
    if (status != 0)
        gzs_leave_device(run);
    return status;
}

int gz_stencil_put(gz_stencil_run *run)
{
    if (!enter_open(run, true))
        return 0;
    int done = gzs_on_device(run, put_arrays, 0);
    leave(run);
    return done;
}

int gz_stencil_advance(gz_stencil_run *run, long loops)
{
    int done = 0;
    if (!enter_open(run, false))
        return 0;
    if (loops < 0 || loops > run->loops - run->at)
        snprintf(run->reason, sizeof run->reason,
                 "%ld loops after %ld: must be at least 0, and at most %ld in all", loops, run->at,
                 run->loops);
    else
        done = gzs_on_device(run, gzs_advance, loops);
    leave(run);
    return done;
}

/* Copies states back, with valid halo cells; before the first loop, they are the buffers. */
static int get(gz_stencil_run *run, long loops, struct gzk_error *error)
{
    struct gzs_divided *divided = run->divided;
    struct gzk_halo_spent spent = {0};
    (void)loops;
    int status = divided ? gzk_halo_need(divided->halo, 1, &gzk_never, &spent, error) : 0;
    if (status == 0)
        status = gzs_fetch(run, error);
    if (status == 0 && run->at == 0 && run->stencil->older)
        run->result[1] = memcpy(run->copy[1], run->other, run->state_bytes);
    return divided ? gzk_exchange_all(&divided->exchange, status, error) : status;
}

int gz_stencil_get(gz_stencil_run *run)
{
    if (!enter_open(run, false))
        return 0;
    bool done = gzs_on_device(run, get, 0);
    run->done = run->done || done;
    leave(run);
    return done;
}

const char *gz_stencil_reason(const gz_stencil_run *run)
{
    if (!run)
        return "out of memory";
    return atomic_load(&run->clashed) ? gzs_two_threads : run->reason;
}

void gz_stencil_close(gz_stencil_run *run)
{
    gz_stencil_end(run);
}
