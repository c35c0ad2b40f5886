/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * carry.h - copies boxes of cells from array to array on a device, any number by one call.
 */
#ifndef GZK_CARRY_H
#define GZK_CARRY_H

#include "device.h"
#include "domains.h"

struct gzk_carrier {
    struct gzk_device *device;
    const struct gzk_program *program;
    int threads;
};

/* Compiles what copies elements of that type. */
int gzk_carrier_make(struct gzk_device *device, enum gzk_type type, struct gzk_carrier *carrier,
                     struct gzk_error *error);

/* Where a box begins in an array, in elements, and the cells that a row and rows that a plane of
 * that array have. */
struct gzk_area {
    struct gzk_buffer *array;
    size_t at;
    int row, plane;
};
/* A box at `begin` of an array of `size` cells; and a box alone, at element `at`. */
struct gzk_area gzk_area_in(struct gzk_buffer *array, const int size[3], const int begin[3]);
struct gzk_area gzk_area_packed(struct gzk_buffer *array, size_t at, const int extent[3]);

struct gzk_launch gzk_carrier_launch(const struct gzk_carrier *carrier, struct gzk_area from,
                                     struct gzk_area to, const int extent[3]);
int gzk_carrier_run(const struct gzk_carrier *carrier, const struct gzk_launch *launches, int count,
                    const volatile sig_atomic_t *stop, struct gzk_error *error);

#endif
