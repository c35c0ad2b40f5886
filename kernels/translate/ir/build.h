/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build.h - makes values: equal ones are one, and constants of whole numbers are folded as C does.
 */
#ifndef GZT_IR_BUILD_H
#define GZT_IR_BUILD_H

#include "ir.h"

enum { IR_BUCKETS = 1 << 14 };

/* All values made so far. */
struct ir_table {
    struct ir_value *bucket[IR_BUCKETS];
    int count;
};

/* The value with these members, `number`, `home` and `arguments` aside; the identity of a phi is
 * its loop, variable and part. */
#define IR_MAKE(table, ...) ir_make(table, (struct ir_value){__VA_ARGS__})
struct ir_value *ir_make(struct ir_table *table, struct ir_value like);

struct ir_value *ir_whole(struct ir_table *table, enum ir_type type, long whole);
/* A literal as it is spelled; c may be NULL for what is no pointer. */
struct ir_value *ir_spelled(struct ir_table *table, enum ir_type type, const char *c,
                            const char *text);
struct ir_value *ir_exit(struct ir_table *table, struct ir_loop *loop, struct ir_value *value);
struct ir_value *ir_arith(struct ir_table *table, const char *op, enum ir_type type,
                          struct ir_value *a, struct ir_value *b);
struct ir_value *ir_convert(struct ir_table *table, struct ir_value *value, enum ir_type type,
                            const char *c);
struct ir_value *ir_select(struct ir_table *table, struct ir_value *c, struct ir_value *a,
                           struct ir_value *b);
struct ir_value *ir_step(struct ir_table *table, struct ir_value *pointer, struct ir_value *by);
struct ir_value *ir_first(struct ir_table *table, struct ir_value *array);
/* A member; `bits` if it has a value but no address. */
struct ir_value *ir_field(struct ir_table *table, struct ir_value *pointer, const char *name,
                          const char *c, bool bits);

/* What a pointer starts from: a value, a variable's address or a member. */
const struct ir_value *ir_root(const struct ir_value *pointer);

/* The pointer or variable from which steps, first elements and members lead to a place. */
const struct ir_value *ir_owner(const struct ir_value *place);

/* The same, conversions of pointers left out, too. */
const struct ir_value *ir_origin(const struct ir_value *place);

/* The address of the variable that a place is in; NULL if it is in none. */
const struct ir_value *ir_variable_of(const struct ir_value *place);

/* A pointer is a base and, level by level of the arrays that it leads into, how many elements it is
 * behind; whether two have the same base, as deep. */
struct ir_value *ir_base(struct ir_value *pointer);
struct ir_value *ir_offset(struct ir_table *table, const struct ir_value *pointer);
bool ir_is_alike(struct ir_value *a, struct ir_value *b);

/* Conditions, int and 0 or 1: a value as one; not; and, of which the second counts where the first
 * holds; or, of two that never hold together. */
struct ir_value *ir_truth(struct ir_table *table, struct ir_value *value);
struct ir_value *ir_not(struct ir_table *table, struct ir_value *c);
struct ir_value *ir_and(struct ir_table *table, struct ir_value *a, struct ir_value *b);
struct ir_value *ir_or(struct ir_table *table, struct ir_value *a, struct ir_value *b);

#endif
