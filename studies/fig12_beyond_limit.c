/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig12_beyond_limit.c - Fig. 12: larger blocks gain more, scaled past the architecture's limit.
 */
#include "study.h"

static const study_spec spec = {
    .name = "fig12_beyond_limit",
    .what =
        "cost of one loop over the height at several block sizes, also beyond the device's limit, "
        "memory fences",
    .source = "Meng and Skadron 2011, Fig. 12 (a)-(d), Section 6.4; Eqs. 1-18",
    .columns = {
        STUDY_CURVE_COLUMNS("blk_len", "elements", "block length, the same in every dimension")}};

static const double blocks[GZ_MAX_DIM][5] = {
    {128, 256, 512, 1024, 2048}, {12, 16, 20, 32, 64}, {8, 16, 32, 48, 64}};

static void rows(study *s)
{
    study_note(s, "blocks of more than %.15g threads are beyond the device's limit",
               s->device.max_threads_per_block.value);
    for (int k = 0; k < s->n_benchmarks; k++) {
        const study_benchmark *b = s->benchmark + k;
        gz_config cfg = b->cfg;
        cfg.sync = GZ_SYNC_FENCE;
        cfg.beyond = 1;
        for (int n = 0; n < 5; n++) {
            study_set_block(&b->app, &cfg, blocks[b->app.dim - 1][n]);
            study_curve(s, &b->app, &cfg, blocks[b->app.dim - 1][n]);
        }
    }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
