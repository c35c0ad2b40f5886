/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * where.h - the device that -d means: the one that runs, and the one that the model describes.
 */
#ifndef GZK_WHERE_H
#define GZK_WHERE_H

#include "choose.h"
#include "cmdline.h"
#include "device.h"

struct gzk_where {
    struct gzk_device *device; /* to be closed */
    char *described; /* the device file, or its built-in name; NULL of an address; to be freed */
    gz_device model; /* if `described` */
    struct gzk_compilers *compilers;
};

/* Opens the device of options->device, and leaves `compilers` alone: an address ("opencl:0", "0";
 * NULL is the first there is), or the name or path of a device file, whose device is the one here
 * that the driver calls by the file's name. Returns an exit status, after it was said what was
 * wrong. */
int gzk_where_open(const struct gzk_options *options, struct gzk_where *where);

/* Begins to choose for a stencil there. */
int gzk_where_chooser(const struct gzk_where *where, const struct gzk_stencil *stencil,
                      gz_model asked, struct gzk_chooser *chooser, struct gzk_error *error);

/* The bandwidth of the described device's memory, bytes/s, if it was measured; 0 if it is a default
 * or a data sheet's. */
double gzk_measured_bandwidth(const struct gzk_where *where);

void gzk_where_close(struct gzk_where *where);

#endif
