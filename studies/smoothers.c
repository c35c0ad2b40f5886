/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * smoothers.c - Table 1.1 of the dissertation (see smoothers.h).
 */
#include "smoothers.h"

/* One multiplication a weight and one addition fewer than points give the flops of the others with
 * constant coefficients; box27's four weights make 30. The dissertation does not say what the other
 * two are. */
const smoother smoothers[SMOOTHERS] = {
    {"star7", 7, 8, 8, 24, 0.33, 1},     {"star13", 13, 15, 15, 24, 0.63, 1},
    {"box27", 27, 32, 30, 24, 1.33, 1},  {"box125", 125, 134, 134, 24, 5.58, 1},
    {"star7vc", 7, 17, 17, 48, 0.35, 1}, {"gsrb", 7, 17, 17, 80, 0.21, 2},
};

const int smoother_levels[SMOOTHER_LEVELS] = {64, 32, 16, 8, 4};

double smoother_bytes(const smoother *of, const gz_app *app)
{
    double arrays = app->stencil_arrays.value + 1; /* read, and written */
    int in_place = of->loops_per_smooth > 1;
    return app->element_size.value * (in_place ? of->loops_per_smooth * arrays : arrays + 1);
}
