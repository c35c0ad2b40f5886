/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * comp_comm_ratio.c - the best height and its speedup over computation per communication.
 */
#include "study.h"

static const study_spec spec = {
    .name = "comp_comm_ratio",
    .what = "best height and speedup over the ratio of computation to communication",
    .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS(
        "ratio", "1", "IterComp T / M over MemAcc at h = 1, varied through InstsPerSM_IC")}};

static int vary(int k, study_point *p)
{
    double factor = k < 0 ? 1 : study_octaves(k);
    p->app.insts_per_sm_iter.value *= factor;
    gz_prediction one;
    if (factor <= 0 || gz_predict(&p->dev, &p->app, &p->cfg, 1, &one, NULL))
        return 0;
    p->value = one.iter_comp * one.t / p->dev.sm_count.value / one.mem_acc;
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
