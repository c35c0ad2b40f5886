/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave2d4 - the wave equation in two dimensions, differences of order four.
 */
#include "wave.h"

enum { DIMENSIONS = 2, ORDER = 4 };

static void set_coefficients(struct gzk_data *data)
{
    gzk_wave_weights(data, DIMENSIONS, ORDER);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    (void)loop;
    gzk_wave_sweep(data, DIMENSIONS, ORDER, from, to);
}

GZK_STENCIL(wave2d4, .summary = "the wave equation in two dimensions, order 4", .dimensions = 2,
            .radius = {2, 2, 0}, .type = GZK_FLOAT, .edge = GZK_EDGES(ZERO), .older = true,
            .coefficients = 3, .coefficient_arrays = 1, .operations = 15, .reads = {9, 5, 1, true},
            .ulp_per_loop = 64, .default_size = {2000, 2000, 1}, .default_block = {24, 24, 1},
            .set_coefficients = set_coefficients, .fill = gzk_wave_fill, .fills_parts = true,
            .reference = reference);
