/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sync_latency.c - the best height and its speedup over the synchronisation's cost.
 */
#include "study.h"

static const study_spec spec = {
    .name = "sync_latency",
    .what = "best height and speedup over the cost of synchronisation",
    .source = "Meng and Skadron 2011, Section 6.4; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS(
        "GlbSync", "cycles",
        "one synchronisation at h = 1: GlbSync_KnlRestart, or GlbSync_MemFence of T blocks")}};

static int vary(int k, study_point *p)
{
    double factor = k < 0 ? 1 : study_octaves(k);
    p->dev.launch_overhead.value *= factor;
    p->dev.fence_overhead.value *= factor;
    gz_prediction one;
    if (factor <= 0 || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.glb_sync;
    return 1;
}

static void rows(study *s)
{
    study_sweep(s, vary);
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
