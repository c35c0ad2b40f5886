/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wave3d4 - the wave equation in three dimensions, differences of order four.
 */
#include "wave.h"

GZK_WAVE_STENCIL(wave3d4, 3, 4, .summary = "the wave equation in three dimensions, order 4",
                 .radius = {2, 2, 2}, .coefficients = 3, .operations = 19,
                 .reads = {13, 5, 1, true}, .default_size = {128, 128, 128},
                 .default_block = {12, 12, 12});
