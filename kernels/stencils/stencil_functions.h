/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil_functions.h - the functions that the rows of the table name, one group per stencil; their
 * contracts are those of the members of struct gzk_stencil. Included by stencils.c and by the files
 * that define them.
 */
#ifndef GZK_STENCIL_FUNCTIONS_H
#define GZK_STENCIL_FUNCTIONS_H

#include "stencils.h"

void gzk_pathfinder_fill(struct gzk_data *data, uint64_t seed);
void gzk_pathfinder_reference(const struct gzk_data *data, long loop, const void *from, void *to);

void gzk_hotspot_coefficients(struct gzk_data *data);
void gzk_hotspot_fill(struct gzk_data *data, uint64_t seed);
void gzk_hotspot_reference(const struct gzk_data *data, long loop, const void *from, void *to);
double gzk_hotspot_coordinate(int extent, int i);

void gzk_poisson_coefficients(struct gzk_data *data);
void gzk_poisson_fill(struct gzk_data *data, uint64_t seed);
void gzk_poisson_reference(const struct gzk_data *data, long loop, const void *from, void *to);

void gzk_cell_fill(struct gzk_data *data, uint64_t seed);
void gzk_cell_reference(const struct gzk_data *data, long loop, const void *from, void *to);

void gzk_jacobi_coefficients(struct gzk_data *data);
void gzk_jacobi_fill(struct gzk_data *data, uint64_t seed);
void gzk_jacobi_reference(const struct gzk_data *data, long loop, const void *from, void *to);
double gzk_jacobi_coordinate(int extent, int i);

/* The three-dimensional smoothers: a state of numbers in [0, 1); for the last two, the coefficients
 * on the faces besides. */
void gzk_smoother_fill(struct gzk_data *data, uint64_t seed);
void gzk_flow_fill(struct gzk_data *data, uint64_t seed);

void gzk_star7_coefficients(struct gzk_data *data);
void gzk_star7_reference(const struct gzk_data *data, long loop, const void *from, void *to);
void gzk_star13_coefficients(struct gzk_data *data);
void gzk_star13_reference(const struct gzk_data *data, long loop, const void *from, void *to);
void gzk_box27_coefficients(struct gzk_data *data);
void gzk_box27_reference(const struct gzk_data *data, long loop, const void *from, void *to);
void gzk_box125_coefficients(struct gzk_data *data);
void gzk_box125_reference(const struct gzk_data *data, long loop, const void *from, void *to);
void gzk_star7vc_reference(const struct gzk_data *data, long loop, const void *from, void *to);
void gzk_gsrb_reference(const struct gzk_data *data, long loop, const void *from, void *to);

/* For stencils without coefficients. */
void gzk_no_coefficients(struct gzk_data *data);

#endif
