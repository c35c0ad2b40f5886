/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fence_or_restart.c - Eqs. 21-23: where memory fences beat kernel restarts.
 */
#include "study.h"

const char *const study_own = gzs_fence_or_restart_txt;

static void boundary(study *s)
{
    enum { POINTS = 200 };
    double restart = s->device.launch_overhead.value;
    double fence = s->device.fence_exposure.value * s->device.fence_overhead.value;
    if (restart <= 0 || fence <= 0) {
        study_note(s, "no boundary: one kind of synchronisation is free on this device");
        return;
    }
    /* With fewer trapezoids than this, fences cost less even if they save nothing. */
    double first = restart / fence;
    for (int k = 1; k < POINTS; k++) {
        double t = study_geometric(first, 1e6 * first, k, POINTS);
        double delta = restart / t;
        study_row(s, STUDY_TEXT("any", "boundary", "either", "either"),
                  STUDY_NUMBERS(t, fence - delta, delta, 0));
    }
}

void study_rows(study *s)
{
    boundary(s);
    for (int k = 0; k < s->n_benchmarks; k++) {
        const study_benchmark *b = s->benchmark + k;
        gz_choice c;
        gz_status status = gz_choose(&s->device, &b->app, &b->cfg, &c, NULL);
        if (status)
            exit(cli_fail(CLI_FAILED, "%s: %s", b->app.name, gz_strerror(status)));
        const gz_prediction *p = &c.restart.prediction;
        study_row(
            s,
            STUDY_TEXT(b->app.name, "benchmark", gz_name(GZ_SYNCS, c.by_delta),
                       gz_name(GZ_SYNCS, c.choice)),
            STUDY_NUMBERS(p->t, p->misc_comp / s->device.sm_count.value, c.delta, c.overhead));
    }
}
