/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wisdom.h - what `gzrun --tune -o FILE.json` has found, read again by `gzrun --plan FILE.json`.
 */
#ifndef GZK_WISDOM_H
#define GZK_WISDOM_H

#include "config.h"

/* The best that was measured, and others beside it. */
enum { GZK_MOST_WISE = 3 };

/* One way to run. */
struct gzk_wise {
    enum gzk_variant variant;
    gz_sync sync;
    int height, block[3], threads[3];
    double seconds_per_loop;
};

struct gzk_wisdom {
    char app[64], address[32], device[256], driver[256];
    char stencil[20]; /* gzk_stencil_mark of the stencil */
    int dimensions, size[3];
    long loops;
    struct gzk_wise best[GZK_MOST_WISE]; /* the fastest first */
    int count;
};

/* What tells stencils of the same name apart: a checksum of body, edges and type, as text. */
struct gzk_mark {
    char text[20];
};
struct gzk_mark gzk_stencil_mark(const struct gzk_stencil *stencil);

/* Reads a file; returns an exit status, after it was said what was wrong. */
int gzk_wisdom_read(const char *path, struct gzk_wisdom *wisdom);

/* Sets variant, synchronisation, height, block and threads. */
void gzk_wisdom_apply(const struct gzk_wise *wise, struct gzk_config *config);

#endif
