/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * serial.h - the serial reference over many loops, and how a result compares with it.
 */
#ifndef GZK_SERIAL_H
#define GZK_SERIAL_H

#include "data.h"

#include <signal.h>

/* A run of the serial reference from the data's initial state. */
struct gzk_serial {
    const struct gzk_stencil *stencil;
    const struct gzk_data *data;
    long loops;
};

/* Computes the loops into `state`, gzk_state_elements(). `*stop` is checked after each loop;
 * NULL: never. GZK_FAILED when memory is short or it was stopped. */
int gzk_reference_run(const struct gzk_serial *serial, void *state,
                      const volatile sig_atomic_t *stop, struct gzk_error *error);

/* The same in place of memory of its own: `other` holds the result of every second loop. */
int gzk_reference_sweep(const struct gzk_serial *serial, void *state, void *other,
                        const volatile sig_atomic_t *stop, struct gzk_error *error);

/* How a result compares with the reference. */
struct gzk_comparison {
    size_t wrong;       /* cells that differ by more than `tolerance` or are NaN */
    size_t first_wrong; /* the first such cell's index */
    size_t undefined;   /* cells that are NaN or infinite in the reference, which are all wrong */
    double max_error;   /* largest absolute difference, in the state's unit; NaN if there is any */
    double tolerance;   /* absolute: the stencil's ulp_per_loop times the loops, in units in the
                           last place of the reference's largest finite absolute value; 0 where
                           nothing is contracted */
};

/* Compares a result with the reference's `expected`, gzk_state_elements() each. `contract` says
 * whether a multiplication and an addition may have rounded once. */
void gzk_compare(const struct gzk_serial *serial, const void *result, const void *expected,
                 bool contract, struct gzk_comparison *comparison);

#endif
