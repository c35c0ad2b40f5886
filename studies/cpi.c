/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cpi.c - the best height and its speedup over the cycles of an instruction.
 */
#include "study.h"

static const study_spec spec = {
    .name = "cpi",
    .what = "best height and speedup over the cycles per instruction",
    .source = "Meng and Skadron 2011, Section 6.4; Eqs. 1-20",
    .columns = {
        STUDY_SWEEP_COLUMNS("CPI", "cycles", "cycles per warp instruction of one multiprocessor")}};

static int vary(int k, study_point *p)
{
    double factor = k < 0 ? 1 : study_octaves(k);
    p->dev.cpi.value *= factor;
    p->value = p->dev.cpi.value;
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
