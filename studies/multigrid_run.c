/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_run.c - what the studies of gzmg share (see multigrid_run.h).
 */
#include "multigrid_run.h"

#include "interrupt.h"
#include "output.h"

#include <stdlib.h>

static void must(const multigrid_run *run, int status)
{
    if (status != 0)
        exit(cli_fail(status, "%s", run->error.text));
}

void multigrid_open_by_level(device_study *s, const multigrid_kind *kind, int extent,
                             const int depth[GZM_MAX_LEVELS], multigrid_run *run)
{
    *run = (multigrid_run){.s = s,
                           .setup = {.problem = {.op = kind->op,
                                                 .edges = kind->edges,
                                                 .smoother = kind->smoother,
                                                 .type = GZK_DOUBLE,
                                                 .size = {extent, extent, extent},
                                                 .filter = kind->filter},
                                     .sweeps = {kind->sweeps, kind->sweeps},
                                     .tail = gzm_usual_tail(s->device ? &s->device->info : NULL),
                                     .stop = &cli_interrupted},
                           .count = (size_t)extent * (size_t)extent * (size_t)extent};
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        run->setup.way[k].height = depth[k];
    run->f = cli_room(run->count, sizeof(double));
    run->exact = cli_room(run->count, sizeof(double));
    run->u = cli_room(run->count, sizeof(double));
    void *beta = cli_room(run->count, sizeof(double));
    gzm_known(&run->setup.problem, run->exact, run->f, beta);
    must(run, gzm_open(s->device, &run->setup, beta, &run->mg, &run->error));
    free(beta);
    /* A cycle in which drivers finish compiling. */
    multigrid_put(run);
    multigrid_cycle(run, GZ_CYCLE_V, false);
}

void multigrid_open(device_study *s, const multigrid_kind *kind, int extent, int depth,
                    multigrid_run *run)
{
    int depths[GZM_MAX_LEVELS];
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        depths[k] = depth;
    multigrid_open_by_level(s, kind, extent, depths, run);
}

void multigrid_close(multigrid_run *run)
{
    gzm_close(run->mg);
    free(run->f);
    free(run->exact);
    free(run->u);
}

void multigrid_put(multigrid_run *run)
{
    must(run, gzm_put(run->mg, run->f, NULL));
}

double multigrid_norm(multigrid_run *run)
{
    double norm;
    must(run, gzm_norm(run->mg, &norm));
    return norm;
}

double multigrid_cycle(multigrid_run *run, gz_cycle cycle, bool full)
{
    must(run, full ? gzm_full(run->mg, cycle) : gzm_cycle(run->mg, cycle));
    return multigrid_norm(run);
}

double multigrid_solve(multigrid_run *run, bool full, double tolerance, int most, int *cycles)
{
    struct gzm_history history;
    const struct gzm_effort effort = {
        .cycle = GZ_CYCLE_V, .full = full, .tolerance = tolerance, .most = most};

    multigrid_put(run);
    must(run, gzm_solve(run->mg, &effort, &history));
    *cycles = history.cycles;
    return history.seconds;
}

double multigrid_error_of(multigrid_run *run)
{
    must(run, gzm_get(run->mg, run->u));
    return gzm_error_of(&run->setup.problem, run->u, run->exact);
}
