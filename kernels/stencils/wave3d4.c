/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave3d4 - the wave equation in three dimensions, differences of order four.
 */
#include "wave.h"

enum { DIMENSIONS = 3, ORDER = 4 };

static void set_coefficients(struct gzk_data *data)
{
    gzk_wave_weights(data, DIMENSIONS, ORDER);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    (void)loop;
    gzk_wave_sweep(data, DIMENSIONS, ORDER, from, to);
}

GZK_STENCIL(wave3d4, .summary = "the wave equation in three dimensions, order 4", .dimensions = 3,
            .radius = {2, 2, 2}, .type = GZK_FLOAT, .edge = GZK_EDGES(ZERO), .older = true,
            .coefficients = 3, .coefficient_arrays = 1, .operations = 19, .reads = {13, 5, 1, true},
            .ulp_per_loop = 64, .default_size = {128, 128, 128}, .default_block = {12, 12, 12},
            .set_coefficients = set_coefficients, .fill = gzk_wave_fill, .fills_parts = true,
            .reference = reference);
