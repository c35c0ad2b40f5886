/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fig11_halo_width.c - Fig. 11: wider stencils gain less, at shorter trapezoids.
 */
#include "study.h"

static const study_spec spec = {
    .name = "fig11_halo_width",
    .what = "speedup over the height at several halo widths, memory fences",
    .source = "Meng and Skadron 2011, Fig. 11 (a)-(d), Section 6.3; Eqs. 1-18",
    .columns = {STUDY_CURVE_COLUMNS("HaloWidth", "elements",
                                    "both sides together, the same in every dimension")}};

static void rows(study *s)
{
    for (int k = 0; k < s->n_benchmarks; k++)
        for (double halo = 2; halo <= 8; halo += 2) {
            gz_app app = s->benchmark[k].app;
            gz_config cfg = s->benchmark[k].cfg;
            cfg.sync = GZ_SYNC_FENCE;
            for (int i = 0; i < app.dim; i++)
                app.halo_width[i] = halo;
            study_curve(s, &app, &cfg, halo);
        }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
