/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * between.h - the kernels between two levels, or between a state in double and cycles in float,
 * around the body of a residual.
 */
#ifndef GZM_BETWEEN_H
#define GZM_BETWEEN_H

#include "backend.h"

enum gzm_kernel {
    GZM_RESTRICT_KERNEL,
    GZM_PROLONG_KERNEL,
    GZM_NORM_KERNEL,
    GZM_ROUND_KERNEL, /* the norm, and the residual for cycles in float */
    GZM_CORRECT_KERNEL,
    GZM_KERNELS
};

/* Blocks for all levels of a hierarchy whose finest has `size` elements: rows as long as fit,
 * several for each block; `threads` along x, 0: what suits the device. `residual` must outlive it.
 */
struct gzk_config gzm_between(const struct gzk_stencil *residual, const int size[3],
                              const struct gzk_device_info *device, int threads);

/* What a backend compiles. The text is to be freed; NULL if memory is short. */
struct gzk_program_spec gzm_between_spec(const struct gzk_config *between, const char *prelude,
                                         enum gzm_kernel kernel);

#endif
