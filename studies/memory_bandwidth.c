/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory_bandwidth.c - the best height and its speedup over the memory bandwidth.
 */
#include "study.h"

static const study_spec spec = {
    .name = "memory_bandwidth",
    .what = "best height and speedup over the memory bandwidth",
    .source = "Meng and Skadron 2011, Sections 6.2, 6.4; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS("MemBandwidth", "B/s", "bandwidth of the device memory")}};

static int vary(int k, study_point *p)
{
    double factor = k < 0 ? 1 : study_octaves(k);
    p->dev.mem_bandwidth.value *= factor;
    p->value = p->dev.mem_bandwidth.value;
    return factor > 0;
}

static void rows(study *s)
{
    study_sweep(s, vary);
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
