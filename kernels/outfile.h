/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outfile.h - files that appear whole or not at all: written beside their place, then renamed.
 */
#ifndef GZK_OUTFILE_H
#define GZK_OUTFILE_H

#include "error.h"

#include <stdio.h>

struct gzk_outfile {
    FILE *stream;
    char name[4096];
    char temporary[4096 + 32];
};

/* Opens a file to be named `name`. GZK_INVALID where that cannot be. Ended by one of the two below.
 */
int gzk_outfile_open(struct gzk_outfile *out, const char *name, struct gzk_error *error);

/* Puts the file into its place; GZK_FAILED, and nothing there, where anything could not be written.
 */
int gzk_outfile_close(struct gzk_outfile *out, struct gzk_error *error);

/* Leaves nothing behind. */
void gzk_outfile_discard(struct gzk_outfile *out);

#endif
