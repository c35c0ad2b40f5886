/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * occupancy.c - HotSpot over the height: as the ghost zone grows, fewer blocks fit a
 * multiprocessor, and time goes in steps.
 */
#include "study.h"

const char *const study_own = gzs_occupancy_txt;

void study_rows(study *s)
{
    static const double tiles[] = {16, 32, 64};
    study_benchmark t = s->benchmark[1];
    gz_device unlimited = s->device;
    unlimited.shared_mem_per_sm.value *= 1000;
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++)
        for (int h = 1; h <= 24; h++) {
            gz_prediction p, q;
            double bytes = (t.app.stencil_arrays.value + 1) * t.app.element_size.value;
            for (int i = 0; i < t.app.dim; i++) {
                t.cfg.block_len[i] = tiles[k] + t.app.halo_width[i] * h;
                bytes *= t.cfg.block_len[i];
            }
            if (gz_predict(&s->device, &t.app, &t.cfg, h, &p, NULL) ||
                gz_predict(&unlimited, &t.app, &t.cfg, h, &q, NULL))
                continue;
            study_row(s, STUDY_TEXT(t.app.name),
                      STUDY_NUMBERS(tiles[k], h, p.concur_blks / s->device.sm_count.value, bytes,
                                    p.seconds_per_loop, q.seconds_per_loop, p.term[1] / p.cpl));
        }
}
