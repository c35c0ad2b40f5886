/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * library.h - functions of the C library that devices have, and the effects of calls of others.
 */
#ifndef GZT_LIBRARY_H
#define GZT_LIBRARY_H

#include "tree.h"

/* A function of the C library that devices have too. */
struct gzt_math {
    const char *name;
    const char *device; /* how it is called there */
    enum ir_type type;  /* of arguments and result */
    int arguments;
    bool exact; /* whether devices give the same bits */
};

/* Whether a name is one of namespace std; and whether it means what it means there or in the C
 * library, and not one's own function elsewhere. */
bool gzt_is_in_std(const struct gzt_decl *function);
bool gzt_is_of_library(const struct gzt_decl *function);

/* Whether a function is std::min or std::max. */
bool gzt_is_limit(const struct gzt_decl *function);

/* One of the C library by its name there, or NULL. */
const struct gzt_math *gzt_math_named(const char *name);

/* The function that a call computes, which in C++ also depends on the types of its arguments; NULL
 * if it is none of these. */
const struct gzt_math *gzt_math_of(const struct gzt_node *call);

/* Whether a function is defined in the file, and no library's; whether an expression does nothing
 * but compute. */
bool gzt_is_defined(const struct gzt_decl *function);
bool gzt_is_harmless(const struct gzt_node *node);

/* Whether a statement calls a function of the C library that prints. */
bool gzt_is_output(const struct gzt_node *node);

#endif
