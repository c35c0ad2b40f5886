/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * known.h - the stencils that this process has seen, each once, by what they are and not by where
 * they lie: callers may keep one on the stack, or in a library that is unloaded.
 */
#ifndef GZS_KNOWN_H
#define GZS_KNOWN_H

#include "gzstencil.h"
#include "stencil.h"

#include <stdatomic.h>

struct gzs_known {
    struct gzs_known *next;
    struct gz_stencil facts;    /* as the caller stated them, the body NULL */
    struct gzk_stencil stencil; /* for the kernels; with two arrays more if `keeps` */
    bool keeps;       /* whether cells that a guard leaves out keep those of two buffers */
    atomic_bool told; /* why its original loops run */
    char file[256];
    char program[100]; /* which build of which program or library it is in; "" if that is unknown */
    char body[];       /* what the kernels are made of */
};

/* The stencil of these facts, with `place` before its body, which lives as long as the process;
 * NULL, with the reason in `wrong`, if they are out of range or memory is short. For one thread at
 * a time. */
struct gzs_known *gzs_know(const struct gz_stencil *facts, const char *place, const char **wrong);

/* Cells of the grid on either side of the domain. */
static inline int gzs_rim_of(const struct gzk_stencil *stencil, int axis)
{
    return stencil->edge[axis] == GZ_EDGE_KEEP ? stencil->radius[axis] : 0;
}

#endif
