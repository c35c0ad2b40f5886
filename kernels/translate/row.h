/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.h - a whole stencil in C, for gzrun --stencil.
 */
#ifndef GZT_ROW_H
#define GZT_ROW_H

#include "stencil.h"

struct gzt_row {
    const char *path; /* of the user's file */
    struct gzk_stencil stencil;
    bool two;                 /* whether each of two buffers keeps cells of its own */
    int buffers;              /* which have a border of their own: 1 or 2 */
    const char *coefficients; /* statements that set the elements of to[] by data->size[] */
};

/* The stencil with its reference and data, to be compiled with `header`, the text of stencil.h,
 * before it. */
const char *gzt_row(const struct gzt_row *row, const char *header);

#endif
