/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave2d4 - the wave equation in two dimensions, differences of order four.
 */
#include "wave.h"

GZK_WAVE_STENCIL(wave2d4, 2, 4, .summary = "the wave equation in two dimensions, order 4",
                 .radius = {2, 2, 0}, .coefficients = 3, .operations = 15, .reads = {9, 5, 1, true},
                 .default_size = {2000, 2000, 1}, .default_block = {24, 24, 1});
