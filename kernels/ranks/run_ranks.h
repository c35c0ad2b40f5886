/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_ranks.h - loops over a grid that is divided among ranks: some loops on each rank's own grid,
 * an exchange, and so on.
 */
#ifndef GZK_RUN_RANKS_H
#define GZK_RUN_RANKS_H

#include "halo.h"

/* One run, all that it stands on, and what it took. */
struct gzk_rank_run {
    struct gzk_plan *plan; /* on this rank's own grid */
    struct gzk_session *session;
    struct gzk_halo *halo;
    struct gzk_exchange *exchange;
    long loops, depth; /* in all, and between exchanges */
    const volatile sig_atomic_t *stop;
    double interior_s, exchange_s[2]; /* of the last run, on this rank; see gzk_halo_exchange */
};

/* Runs all loops from the initial state, on all ranks together; `seconds` is the same on all: the
 * longest rank's. A rank that fails leaves the others waiting: it must
 * abandon the exchange. Fits gzk_time_runs. */
int gzk_rank_run(void *run, const volatile sig_atomic_t *stop, double *seconds,
                 struct gzk_error *error);

/* Exchanges in such a run: none before the first loops, since initial data are known everywhere. */
long gzk_rank_exchanges(long loops, long depth);

#endif
