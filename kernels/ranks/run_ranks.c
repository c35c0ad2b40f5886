/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_ranks.h"

#include "numbers.h"

long gzk_rank_exchanges(long loops, long depth)
{
    return (loops - 1) / depth;
}

static int advance(struct gzk_rank_run *run, long loop, long loops, struct gzk_error *error)
{
    double seconds, begin = cli_now();
    int status = gzk_plan_advance(run->plan, loop, loops, run->stop, &seconds, error);
    run->interior_s += cli_now() - begin;
    return status;
}

static int run_loops(struct gzk_rank_run *run, struct gzk_error *error)
{
    int status = 0;

    for (long loop = 0; loop < run->loops && status == 0; loop += run->depth) {
        long left = run->loops - loop;
        if (loop > 0)
            status = gzk_halo_exchange(run->halo, NULL, run->stop, run->exchange_s, error);
        if (status == 0)
            status = advance(run, loop, left < run->depth ? left : run->depth, error);
    }
    return status;
}

int gzk_rank_run(void *of, const volatile sig_atomic_t *stop, double *seconds,
                 struct gzk_error *error)
{
    struct gzk_rank_run *run = of;
    (void)stop; /* of all ranks together; each looks at its own */

    run->interior_s = run->exchange_s[0] = run->exchange_s[1] = 0;
    int status = gzk_session_reset(run->session, error);
    gzk_exchange_agree(run->exchange, 0); /* so that all begin together */
    double begin = cli_now();
    if (status == 0)
        status = run_loops(run, error);
    if (status != 0) /* the others wait for messages that will not come */
        return status;
    *seconds = cli_now() - begin;
    run->exchange->kind->largest(run->exchange, seconds, 1);
    return 0;
}
