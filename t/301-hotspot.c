/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HotSpot's time step: Rodinia's if that is stable, and never one that lets values grow.
 */
#include "registry.h"
#include "tap.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>

/* Rodinia's time step if it is stable, else a shorter one; see hotspot.c. */
static void hotspot_is_stable(void)
{
    static const int sizes[][3] = {{64, 64, 1},     {512, 512, 1}, {1024, 1024, 1}, {1500, 1500, 1},
                                   {2000, 2000, 1}, {4000, 64, 1}, {1, 8192, 1}};
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    /* s, Rodinia's PRECISION / (MAX_PD / (FACTOR_CHIP t_chip SPEC_HEAT_SI)) */
    const double rodinia_s = 0.001 / (3.0e6 / (0.5 * 0.0005 * 1.75e6));

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float c[GZK_MAX_COEFFICIENTS] = {0};
        struct gzk_data data = {.size = {sizes[i][0], sizes[i][1], 1}, .coefficients = c};
        s->set_coefficients(&data);
        double sum =
            fabs(1 - (double)c[0] * (2.0 * (double)c[1] + 2.0 * (double)c[2] + (double)c[3])) +
            (double)c[0] * (2.0 * (double)c[1] + 2.0 * (double)c[2]);
        tap_ok(sum <= 1 + 1e-6, "hotspot %dx%d: the weights' magnitudes add up to %.9f",
               sizes[i][0], sizes[i][1], sum);
        if (i < 3) {
            double capacity = 0.5 * 1.75e6 * 0.0005 * 0.016 * 0.016 / sizes[i][0] / sizes[i][1];
            tap_ok(fabs((double)c[0] * capacity / rodinia_s - 1) < 1e-6,
                   "and the step is Rodinia's, %.4g s", rodinia_s);
        }
    }
}

/* On a grid so fine that Rodinia's step would make the values grow sevenfold with every loop. */
static void hotspot_stays_bounded(void)
{
    enum { LOOPS = 30 };
    const struct gzk_stencil *s = gzk_stencil_find("hotspot");
    struct gzk_data data;
    float *last, least = 1e30F, most = 0;

    gzk_data_new(&data, s, (int[]){4000, 64, 1}, LOOPS, 1);
    last = malloc(data.cells * sizeof *last);
    gzk_reference_run(&(struct gzk_serial){s, &data, LOOPS}, last, NULL, NULL);
    for (size_t i = 0; i < data.cells; i++) {
        least = fminf(least, last[i]);
        most = isfinite(last[i]) ? fmaxf(most, last[i]) : INFINITY;
    }
    tap_ok(least > 319.0F && most < 346.0F, "after %d loops temperatures lie in [%g, %g]", LOOPS,
           (double)least, (double)most);
    free(last);
    gzk_data_free(&data);
}

int main(void)
{
    hotspot_is_stable();
    hotspot_stays_bounded();
    return tap_done();
}
