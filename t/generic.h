/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * generic.h - a stencil from a list of terms, whose body and serial reference follow from the same
 * list but share no code: it can read everything that a body may read, of any type, radius and edge
 * rule. All elements are multiples of 1/64 of few bits, so that no sum of these rounds in any type,
 * whatever its order.
 */
#ifndef GZ_GENERIC_H
#define GZ_GENERIC_H

#include "stencil.h"

enum { GENERIC_TERMS = 12 };

/* A term of the sum: an element of the state (array -1; of several fields -1 - f), or of a
 * coefficient array, at a distance, times a weight from 1 to 9, to which a field's number is added.
 */
struct generic_term {
    int array, d[3], weight;
};

/* The stencil under test: one at a time, since its reference has no other way to see it. A test
 * sets the facts and the terms, then calls generic_finish. The sum adds to the terms (2 + k) times
 * per-step array k, 3 times the older state if there is one, (k + 1) times coefficient k, and
 * `position`: 0 to 2 the cell's coordinate in that dimension, 3 the loop's number. */
extern struct generic {
    struct gzk_stencil stencil;
    struct generic_term terms[GENERIC_TERMS];
    int count, position;
} generic;

/* Sets the rest of generic.stencil from its facts and terms: body, reference, data. The body lies
 * at an address of its own until the program ends, since programs are kept by it. */
void generic_finish(void);

#endif
