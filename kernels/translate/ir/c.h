/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * c.h - values as C text: each in a temporary of its own type in the block that needs it, arguments
 * of a choice only where it chooses them.
 */
#ifndef GZT_IR_C_H
#define GZT_IR_C_H

#include "ir.h"

/* A text that values are computed in. */
struct ir_c {
    const struct ir_region *ir;
    struct gzt_text *text;
    const char *prefix; /* of the temporaries' names */
    /* What a value is called that need not be computed; NULL: it must be. Of variables, "&name" is
     * where they lie, unless this says otherwise. Phis and results must have a name. */
    const char *(*have)(void *data, const struct ir_value *value);
    void *data;

    int *name;  /* by value: the number of its temporary in the block that is open, 0 if none */
    int *known; /* values that have one, as a stack: a block takes back its own */
    int count;
    char **always; /* by value, once it was computed: which values are whenever it is */
};

/* Begins a text with the members above the blank line. */
struct ir_c ir_c_begin(struct ir_c c);

/* A value's type as it stands before a name; "(T)", or nothing for a type without a name. */
const char *ir_c_type(const struct ir_value *value);
const char *ir_c_cast(const struct ir_value *value);

/* Whether a place is that of a reference, whose own memory has no name. */
bool ir_c_is_reference(const struct ir_value *place);

/* Whether a place is that of a variable which has no address. */
bool ir_c_is_register(const struct ir_value *place);

/* What the region finds at the address of an IR_LIVE_IN. A reference has no address but that of
 * what it is one to. */
const char *ir_c_found(const struct ir_c *c, const struct ir_value *v);

/* Computes a value, unless it is there, in the block that is open; how it is written from then on.
 */
const char *ir_c_value(struct ir_c *c, const struct ir_value *value);

/* What is at an address that is there, with the type of a value, as an expression that can be set.
 */
const char *ir_c_variable(const struct ir_c *c, const struct ir_value *address,
                          const struct ir_value *value);

/* A value as one expression of what is there. */
const char *ir_c_written(const struct ir_c *c, const struct ir_value *value);

/* What an access of a value leads to, as an expression that can be set. */
const char *ir_c_memory(struct ir_c *c, const struct ir_access *access,
                        const struct ir_value *value);

/* A call of a function with values that have been computed. */
const char *ir_c_call(const struct ir_c *c, const char *function, struct ir_value *const *argument,
                      int count);

/* Opens a block behind `before`, and closes the one that this call has opened. */
int ir_c_open(struct ir_c *c, const char *before);
void ir_c_close(struct ir_c *c, int opened);

#endif
