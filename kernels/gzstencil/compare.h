/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compare.h - GZ_CHECK: what the device computed against what the original loops did.
 */
#ifndef GZS_CHECK_H
#define GZS_CHECK_H

#include "serial.h"

/* What was compared so far. */
struct gzs_check {
    size_t compared, wrong;
    double ulp; /* the largest difference in units in the last place of the original's element;
                   infinite if only one of two is a number */
    char variable[64]; /* the first that ends with another value, or empty */
};

/* Compares two states of `data`: to the bit, or within the stencil's bound if `contract`. */
void gzs_compare(const struct gzk_serial *serial, const void *original, const void *device,
                 bool contract, struct gzs_check *check);

/* Prints what came out. Unless GZ_CHECK is warn, a check that failed makes this process end with
 * status 1 once it exits by itself. */
void gzs_report_check(const struct gzs_check *check, const struct gzk_stencil *stencil,
                      const char *where);

#endif
