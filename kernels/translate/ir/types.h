/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * types.h - C's arithmetic types, by clang's names of them, and whole numbers in them.
 */
#ifndef GZT_IR_TYPES_H
#define GZT_IR_TYPES_H

#include "../text.h"

#include <stdbool.h>

enum ir_type {
    IR_VOID,
    IR_BOOL,
    IR_I8,
    IR_U8,
    IR_I16,
    IR_U16,
    IR_I32,
    IR_U32,
    IR_I64, /* long and long long */
    IR_U64,
    IR_F32,
    IR_F64,
    IR_F80,
    IR_POINTER,
    IR_OTHER /* structures and what is not understood: only read, stored and passed on */
};

bool ir_is_integer(enum ir_type type);
bool ir_is_real(enum ir_type type);

/* How many bits the numbers of an integer type have, and whether some are negative. */
int ir_bits_of(enum ir_type type);
bool ir_is_signed(enum ir_type type);

/* How many bytes a number of an arithmetic type has; 0 of any other. */
long ir_size_of(enum ir_type type);

/* "int", "double": C's name of a type that is neither IR_POINTER nor IR_OTHER. */
const char *ir_type_name(enum ir_type type);

/* Computes C's operator on whole numbers of a type; false if C leaves the result undefined. */
bool ir_fold(const char *op, enum ir_type type, long a, long b, int arguments, long *result);

/* A whole number in a type. */
long ir_wrap(enum ir_type type, long whole);

/* A type's name without qualifiers, as all below have it: the type of clang's name for one, and C's
 * name as values have it; the type that a pointer or an array of that name leads to, NULL if none.
 */
const char *ir_bare_type(const char *name);
enum ir_type ir_type_of(const char *name);
const char *ir_c_of(const char *name);
const char *ir_element_of(const char *name);

/* The name of a pointer to a type that is none, or to an array of such. */
const char *ir_pointer_to(const char *c);

/* Whether a type's name has sizes that are no numbers; in its place, where these may change, a name
 * of no type. */
bool ir_is_sized(const char *c);
#define IR_UNSIZED "rows whose size may change"

/* Whether C's name is that of an array of known shape, and what it is of in the end, behind so many
 * dimensions. */
bool ir_is_array_type(const char *c);
const char *ir_leaf_of(const char *c, int *dimensions);

/* The type in which C computes with one, and with two. */
enum ir_type ir_promoted(enum ir_type type);
enum ir_type ir_common(enum ir_type a, enum ir_type b);

#endif
