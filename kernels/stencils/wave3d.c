/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave3d - the wave equation in three dimensions, differences of order two.
 */
#include "wave.h"

GZK_WAVE_STENCIL(wave3d, 3, 2, .summary = "the wave equation in three dimensions, order 2",
                 .radius = {1, 1, 1}, .coefficients = 2, .operations = 12, .reads = {7, 3, 1, true},
                 .default_size = {128, 128, 128}, .default_block = {8, 8, 8});
