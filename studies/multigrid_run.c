/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_run.c - what the studies of gzmg share (see multigrid_run.h).
 */
#include "multigrid_run.h"

#include "interrupt.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>

static void must(int status, const struct gzk_error *error)
{
    if (status != 0)
        exit(cli_fail(status, "%s", error->text));
}

void multigrid_open_by_level(device_study *s, const multigrid_kind *kind, int extent,
                             const int depth[GZM_MAX_LEVELS], multigrid_run *run)
{
    struct gzk_error error = {0};
    void *beta;

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
    run->f = calloc(run->count, sizeof(double));
    run->exact = calloc(run->count, sizeof(double));
    run->u = calloc(run->count, sizeof(double));
    beta = calloc(run->count, sizeof(double));
    if (!run->f || !run->exact || !run->u || !beta)
        exit(cli_fail(CLI_FAILED, "out of host memory for a grid of %d^3", extent));
    gzm_known(&run->setup.problem, run->exact, run->f, beta);
    must(gzm_open(s->device, &run->setup, beta, &run->mg, &error), &error);
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
    struct gzk_error error = {0};
    must(gzm_put(run->mg, run->f, NULL, &error), &error);
}

double multigrid_norm(multigrid_run *run)
{
    struct gzk_error error = {0};
    double norm;
    must(gzm_norm(run->mg, &norm, &error), &error);
    return norm;
}

double multigrid_cycle(multigrid_run *run, gz_cycle cycle, bool full)
{
    struct gzk_error error = {0};
    must(full ? gzm_full(run->mg, cycle, &error) : gzm_cycle(run->mg, cycle, &error), &error);
    return multigrid_norm(run);
}

double multigrid_solve(multigrid_run *run, bool full, double tolerance, int most, int *cycles)
{
    static struct gzm_history history; /* static for its thousand cycles */
    const struct gzm_effort effort = {
        .cycle = GZ_CYCLE_V, .full = full, .tolerance = tolerance, .most = most};
    struct gzk_error error = {0};

    multigrid_put(run);
    must(gzm_solve(run->mg, &effort, &history, &error), &error);
    *cycles = history.cycles;
    return history.seconds;
}

double multigrid_error_of(multigrid_run *run)
{
    struct gzk_error error = {0};
    const double *u = run->u, *exact = run->exact;
    double most = 0;
    must(gzm_get(run->mg, run->u, &error), &error);
    for (size_t i = 0; i < run->count; i++)
        most = fmax(most, fabs(u[i] - exact[i]));
    return most;
}
