/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * target.h - an application file without a GPU: the instructions of a stencil's kernels, counted in
 * their machine code for one architecture.
 */
#ifndef GZC_TARGET_H
#define GZC_TARGET_H

#include "entry.h"
#include "error.h"
#include "stencil.h"

/* Counts for "sm_90" or the like. GZK_INVALID for another text; else as gzk_count_insts. */
int gzc_count_for_target(const struct gzk_stencil *stencil, const char *target,
                         struct gzc_app_file *app, struct gzk_error *error);

#endif
