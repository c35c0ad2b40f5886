/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ghost.h - what tilings with ghost zones share: check, pole, feasible and height_max of gzi_tiling
 * for ghost zones in the first `dims` dimensions; and a sum.
 */
#ifndef GZI_GHOST_H
#define GZI_GHOST_H

#include "gzmodel.h"

gz_status gzi_ghost_check(const gz_app *app, const gz_config *cfg, int dims, gz_error *error);
double gzi_ghost_pole(const gz_app *app, const gz_config *cfg, int dims);
int gzi_ghost_feasible(const gz_app *app, const gz_config *cfg, int dims, double h);
double gzi_ghost_height_max(const gz_app *app, const gz_config *cfg, int dims);

/* The sum over k = 0..n-1 of min(a, b - c k), c > 0, without a loop: of what tiles have of a grid,
 * the last of which its end cuts. */
double gzi_sum_of_min(double n, double a, double b, double c);

#endif
