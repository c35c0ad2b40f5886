/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave2d - the wave equation in two dimensions, differences of order two.
 */
#include "wave.h"

enum { DIMENSIONS = 2, ORDER = 2 };

static void set_coefficients(struct gzk_data *data)
{
    gzk_wave_weights(data, DIMENSIONS, ORDER);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    (void)loop;
    gzk_wave_sweep(data, DIMENSIONS, ORDER, from, to);
}

GZK_STENCIL(wave2d, .summary = "the wave equation in two dimensions, order 2", .dimensions = 2,
            .radius = {1, 1, 0}, .type = GZK_FLOAT, .edge = GZK_EDGES(ZERO), .older = true,
            .coefficients = 2, .coefficient_arrays = 1, .operations = 10, .reads = {5, 3, 1, true},
            .ulp_per_loop = 64, .default_size = {2000, 2000, 1}, .default_block = {20, 20, 1},
            .set_coefficients = set_coefficients, .fill = gzk_wave_fill, .fills_parts = true,
            .reference = reference);
