/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory_latency.c - the best height and its speedup over the memory latency.
 */
#include "study.h"

static const study_spec spec = {
    .name = "memory_latency",
    .what = "best height and speedup over the uncontended memory latency",
    .source = "Meng and Skadron 2011, Sections 6.2, 6.4; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS("UncontendedLat", "cycles",
                                    "one request's trip to device memory and back")}};

static int vary(int k, study_point *p)
{
    double factor = k < 0 ? 1 : study_octaves(k);
    p->dev.uncontended_latency.value *= factor;
    p->value = p->dev.uncontended_latency.value;
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
