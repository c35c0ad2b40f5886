/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave2d - the wave equation in two dimensions, differences of order two.
 */
#include "wave.h"

GZK_WAVE_STENCIL(wave2d, 2, 2, .summary = "the wave equation in two dimensions, order 2",
                 .radius = {1, 1, 0}, .coefficients = 2, .operations = 10, .reads = {5, 3, 1, true},
                 .default_size = {2000, 2000, 1}, .default_block = {20, 20, 1});
