/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ir.h - the intermediate representation of a region: scalars as SSA values, memory as objects, and
 * the operations between them in order. One pass (lower) makes it of clang's tree; nothing behind
 * it sees statements or names.
 *
 * What the reader must believe (ir_verify checks it):
 *
 * - Lowering is total. Each statement of the region is in an operation, in a value or in an
 *   IR_OPAQUE operation, which keeps the user's text and reads and writes all that it can reach.
 * - An operation runs once for each iteration of the loops around it in which its `where` holds,
 *   in the order of its block. So it touches memory exactly where C does.
 * - Values are pure: they read no memory and change none. Memory is read by IR_READ alone, whose
 *   result is a value (IR_LOAD). An argument precedes what it is an argument of, in number and in
 *   the order in which it can be computed; only the second argument of an IR_PHI does not.
 *   Values may be undefined where C does not compute them (1 / n with n = 0): who evaluates one
 *   where C may not must make it harmless, as IR_SELECT chooses among its arguments only.
 * - Each C operator is one value, in C's type after C's conversions; nothing is re-associated.
 * - A loop evaluates `holds` at its head, then runs its body or ends. break, continue, return and
 *   forward jumps are part of `where` and of `holds`; all loops end at their heads.
 *
 * - Directives of OpenMP change nothing: values are those of C without it.
 *
 * Assumed, to be proven or tested by whoever uses it: that different objects share no memory, but
 * for object 0 (anywhere), and that subscripts stay within their object. A number in memory is no
 * value while the region may set it by two ways of one type, of which one is a pointer.
 */
#ifndef GZT_IR_H
#define GZT_IR_H

#include "../text.h"
#include "types.h"

#include <stdbool.h>

struct gzt_decl;
struct gzt_node;
struct gzt_region;
struct gzt_source;

/* ------------------------------------------------------------------------------------ values */

enum ir_code {
    IR_CONST, /* `whole`, or `text`: a floating or string literal as it is spelled */
    IR_UNDEF, /* an automatic variable that nothing has set; with `text`, one that OpenMP has given
                 each thread, behind that, which has a value that is not known */
    IR_ADDRESS, /* of the storage of variable `decl` (call `frame` of its function); a pointer */
    IR_LIVE_IN, /* what memory at address a0 holds before the region; evaluated where it is used */
    IR_LOAD,    /* what operation `op`, an IR_READ, has read last */
    IR_STEP,    /* pointer a0 moved by a1 (of 64 bits) elements of the type it points to */
    IR_FIRST,   /* pointer to the first element of the array that a0 points to */
    IR_FIELD,   /* pointer to the member `text` of what a0 points to; `whole` 1: the place of one
                   without an address (a bit-field, a vector's size), of which IR_LIVE_IN alone may
                   be */
    IR_ARITH,   /* C's operator `text` in C's type: one argument ("-", "~") or two; the type of
                   a comparison is that of its result, int, and both arguments have the same */
    IR_CONVERT, /* a0 in this type */
    IR_SELECT,  /* a0 ? a1 : a2; also && and || */
    IR_CALL,    /* a pure function `text` of <math.h> */
    IR_PHI,     /* at the head of `loop`: a0 in the first iteration, a1 behind each */
    IR_EXIT,    /* what a0, a phi of `loop`, is once that loop has ended */
    IR_RESULT   /* what operation `op` returns, or, with a0, leaves in the variable at that address
                   (an IR_OPAQUE) */
};

struct ir_loop;
struct ir_object;
struct ir_op;

struct ir_value {
    enum ir_code code;
    enum ir_type type;
    int number;       /* from 0 without gaps: those that can be computed earlier are lower */
    const char *c;    /* C's name of the type; of a pointer, of what it points to */
    long whole;       /* IR_CONST of whole numbers and pointers: its value, sign-extended */
    const char *text; /* as above, else NULL */
    const struct gzt_decl *decl;
    int frame; /* 0 in the region itself */
    struct ir_loop *loop;
    struct ir_op *op;
    struct ir_value *a[3]; /* a2 of a phi: the variable it stands for, for messages; `text` is
                              "offset" where it counts elements of a pointer, "slot" where it
                              chooses a block */
    int arguments;
    struct ir_loop *home; /* the innermost loop in whose iterations it differs, NULL if in none */
    int begin, end;       /* a place that computes it, for messages */
    unsigned hash;
    bool likely;           /* a condition that analyses take to hold, to be tested */
    int stamp;             /* of the lowering's last walk that met it */
    struct ir_value *next; /* of its bucket */
};

/* ------------------------------------------------------------------------------------ memory */

enum ir_memory {
    IR_ANYWHERE, /* object 0: memory of which nothing is known; it may be part of any object */
    IR_VARIABLE, /* a variable's own storage, or a member of it */
    IR_BEHIND,   /* what a pointer leads to that the region finds in memory or in a variable */
    IR_ROWS      /* what the pointers in object `rows` lead to: those coordinates come first */
};

enum { IR_MOST_SLOTS = 8, IR_MOST_SUBSCRIPTS = 8 };
#define IR_SIZE_NAME "gz_rows%d"

/* Memory whose elements have whole coordinates. Blocks whose pointers are exchanged
 * are one object with slots: the first coordinate of an access is then which of `base` it is. */
struct ir_object {
    int number;
    enum ir_memory kind;
    const char *shown; /* the user's text of it, for messages: "u", "g->u", "u|v" */
    const char *path;  /* members behind the coordinates: "", ".x" */
    enum ir_type type; /* of an element, and its name in C */
    const char *c;
    const char *arrays; /* the outermost that the coordinates lead into, as C names it, or "" */
    const struct gzt_decl *decl;          /* IR_VARIABLE */
    struct ir_value *base[IR_MOST_SLOTS]; /* pointer to the first element, by slot */
    int slots;
    int subscripts; /* coordinates of an access, that of the slot included */
    struct ir_object *rows;
    bool regular;       /* whether no access is `whole` */
    bool read, written; /* by operations of the region, IR_OPAQUE ones aside; LIVE_IN is read */
    bool automatic;     /* a variable's storage that ends with its function's call */
    bool shared;        /* something but its name may lead there: not automatic, its address is
                           taken anywhere, or a pointer leads there */
    bool escapes;       /* what it holds behind the region may be read */
};

struct ir_access {
    struct ir_object *object;
    struct ir_value *address; /* a pointer: STEPs and FIELDs from a root */
    enum ir_type type;        /* of what is read or written there, and its name in C */
    const char *c;
    struct ir_value *subscript[IR_MOST_SUBSCRIPTS]; /* the slot first, then outermost first, in
                                                       elements; steps on one level are added */
    int subscripts;                                 /* as many as the object has, 0 if `whole` */
    bool whole; /* it may touch any element: its types or levels differ from the object's */
};

/* -------------------------------------------------------------------------------- operations */

enum ir_kind {
    IR_READ,   /* what `access` holds becomes the value `result` */
    IR_STORE,  /* `access` gets `value` */
    IR_COPY,   /* `value` bytes from where `from.address` points to where `access.address` does, as
                  memmove does; with `text` the two do not overlap */
    IR_OUTPUT, /* a call of a function that writes to a stream: argument[] are its arguments,
                  `result` what it returns, or NULL: by C++'s << if `text` is that, with the stream
                  first and words that are no values as constants of IR_OTHER. Ordered among its
                  kind only */
    IR_LEAVE,  /* the region is left, by return (`value` or NULL) or goto: [begin, end) */
    IR_OPAQUE  /* [begin, end) is the user's text: reads and writes all memory that is shared, and
                  the variables named in `use`, whose values are argument[], NULL for those that lie
                  in  memory. A declaration declares variables of `use`, too */
};

struct ir_op {
    enum ir_kind kind;
    int number;             /* in order of the text, from 0 */
    struct ir_loop *loop;   /* the innermost around it, NULL if none */
    bool head;              /* whether it stands in that loop's head */
    struct ir_value *where; /* int; not NULL: 1 if always */
    struct ir_access access, from;
    struct ir_value *value, *result;
    const char *text; /* IR_OUTPUT: the function; IR_COPY */
    struct ir_value **argument;
    int arguments;
    struct ir_value **use; /* IR_OPAQUE: addresses of the variables, in the order of argument[];
                              IR_RESULT with that address is the value behind */
    int uses;
    int begin, end;  /* of the preprocessed text */
    const char *why; /* IR_OPAQUE: what was not understood */
    bool aside;      /* IR_OPAQUE: what it does to memory that pointers lead to is left out, since
                        the program's own turns alone may do it: whoever runs turns begins anew
                        behind each */
};

/* Operations and loops in order. */
struct ir_item {
    struct ir_op *op; /* one of the two is NULL */
    struct ir_loop *loop;
};
struct ir_block {
    struct ir_item **item;
    int items;
};

/* The value of a variable that is one within the region: live-out, or where a loop's body begins.
 */
struct ir_result {
    struct ir_value *address, *value;
    bool escapes; /* whether anything may read it behind the region */
};

struct ir_loop {
    int number; /* in order of the text, from 0; outer ones are lower */
    int depth;  /* 0: outermost */
    struct ir_loop *around;
    struct ir_value *where; /* whether it is entered, in an iteration of `around` */
    bool divided;           /* within another, by OpenMP: an iteration hands on to its own thread */
    struct ir_block head;   /* reads that `holds` needs: run once more than the body */
    struct ir_value *holds; /* int */
    struct ir_block body;
    struct ir_value **phi;
    int phis;
    struct ir_result *moved; /* variables that the head changes, as they are where the body begins;
                                a phi has what they are where the head does */
    int moves;
    struct ir_value **changed; /* of an outermost loop: variables that the region sets before it */
    int changes;
    int begin, end;
    /* Of the lowering alone: what it is, the call in which it stands, and what is learnt of it. */
    const struct gzt_node *node;
    int frame;
    bool clobbers;                                       /* memory that is kept as values */
    enum { IR_AS_LOOP, IR_AS_COPIES, IR_UNFOLLOWED } as; /* copies of its body; how many, unknown */
};

struct ir_region {
    struct gzt_source *source;
    const struct gzt_region *region;
    struct ir_block body;
    struct ir_value **value;
    int values;
    struct ir_op **op; /* all, in order */
    int ops;
    struct ir_value **size; /* of rows: whole numbers that types have by these names */
    int sizes;
    struct ir_loop **loop; /* all, in order */
    int loops;
    struct ir_object **object;
    int objects;
    struct ir_result *result;
    int results;
    const char
        *uncovered; /* what the lowering has left out, or evaluates twice; NULL as it must be */
    bool again;     /* whether the function may run the region more than once in one call */
};

/* Each operation of a region, in order. */
#define IR_EACH_OP(o, region)                                                                      \
    for (struct ir_op **o##_at = (region)->op, *o = NULL;                                          \
         o##_at < (region)->op + (region)->ops && (o = *o##_at); o##_at++)

/* Lowers a region. Never fails. */
struct ir_region *ir_lower(struct gzt_source *source, const struct gzt_region *region);

/* Checks the invariants above. NULL, or a line that says what is broken. */
const char *ir_verify(const struct ir_region *ir);

/* Appends the printed form. */
void ir_print(const struct ir_region *ir, struct gzt_text *text);

/* A value as the program spells it or, if it does not, as that form has it. */
const char *ir_shown(const struct ir_region *ir, const struct ir_value *value);

/* ----------------------------------------------------------------------------------- walkers */

/* Calls `visit` once for each value that `root` is made of, arguments first and it last. Phis end
 * the walk: their arguments are not entered. `seen` has one byte a value, zeroed before the first
 * call. */
void ir_walk_value(struct ir_value *root, char *seen, void (*visit)(struct ir_value *, void *),
                   void *data);

/* Whether `is` is true of `root` or of a value that it is made of. Phis end the walk. */
bool ir_any(const struct ir_region *ir, const struct ir_value *root,
            bool (*is)(const struct ir_value *value, const void *data), const void *data);

/* Whether `value` is `root` or one that it is made of. */
bool ir_holds(const struct ir_region *ir, const struct ir_value *root,
              const struct ir_value *value);

/* Whether to compute `root` may stop the program where C does not: it divides whole numbers; or may
 * so, or reads memory, but for variables. */
bool ir_traps(const struct ir_region *ir, const struct ir_value *root);
bool ir_harms(const struct ir_region *ir, const struct ir_value *root);

/* Whether a value is what loops within `time` have made of a phi of theirs. */
bool ir_is_left_by(const struct ir_value *value, const void *time);

/* Marks the values that depend on marked ones: on arguments, those of phis from `first` on, and
 * what chooses what a load reads. */
void ir_spread(const struct ir_region *ir, int first, char *mark);

/* Calls `visit` for each value that an operation uses itself: `where`, the address, subscripts if
 * so, which C computes as parts of the address, `value`, the arguments. Its result is none. */
void ir_walk_op(const struct ir_op *op, bool subscripts, void (*visit)(struct ir_value *, void *),
                void *data);

/* How many loops stand around an operation. */
int ir_depth(const struct ir_op *op);

/* Whether a loop is another or within it. */
bool ir_within(const struct ir_loop *loop, const struct ir_loop *outer);

bool ir_is_bits(const struct ir_value *place);

/* Whether a value is a constant whole number, and which, or that one. */
bool ir_is_whole(const struct ir_value *value, long *whole);
bool ir_is_number(const struct ir_value *value, long number);

/* Whether a value compares two. */
bool ir_is_comparison(const struct ir_value *value);

/* Whether a phi counts: its next value is itself plus or minus `step`, which does not change in its
 * loop. NULL if not; negative steps of "-" are returned with *minus set. */
struct ir_value *ir_step_of(const struct ir_value *phi, bool *minus);

#endif
