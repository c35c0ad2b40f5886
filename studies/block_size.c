/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_size.c - the best height and its speedup over the block, up to the device's limit.
 */
#include "study.h"

#include <math.h>

static const study_spec spec = {
    .name = "block_size",
    .what = "best height and speedup over the size of the thread block",
    .source = "Meng and Skadron 2011, Sections 5.4.1, 6.4; Eqs. 1-20",
    .columns = {STUDY_SWEEP_COLUMNS(
        "threads", "1", "threads of the block, which has one length in every dimension")}};

/* Whole lengths from the smallest that commits a tile; in one dimension a quarter of an octave
 * apart. */
static int vary(int k, study_point *p)
{
    if (k >= 0) {
        double first = p->app.halo_width[0] + 1;
        double len = p->app.dim == 1 ? floor(8 * exp2(k / 4.0)) : first + k;
        study_set_block(&p->app, &p->cfg, len);
    }
    p->value = study_threads(&p->app, &p->cfg);
    return p->value <= p->dev.max_threads_per_block.value;
}

static void rows(study *s)
{
    study_sweep(s, vary);
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
