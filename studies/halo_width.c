/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * halo_width.c - the best height and its speedup over the stencil's halo width.
 */
#include "study.h"

static const study_spec spec = {
    .name = "halo_width",
    .what = "best height and speedup over the halo width",
    .source = "Meng and Skadron 2011, Section 6.3; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS("HaloWidth", "elements",
                                    "both sides together, the same in every dimension")}};

static int vary(int k, study_point *p)
{
    enum { LAST = 16 };
    if (k >= LAST)
        return 0;
    for (int i = 0; k >= 0 && i < p->app.dim; i++)
        p->app.halo_width[i] = k + 1;
    p->value = p->app.halo_width[0];
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
