/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tree.h - the statements and expressions of a function as a plain tree, made from libclang's
 * cursors. Nodes give byte ranges of the preprocessed text, in which there are no macros, so the
 * text of a node is what lies between its ends.
 */
#ifndef GZT_TREE_H
#define GZT_TREE_H

#include "ir/types.h"
#include "source.h"

enum gzt_kind {
    GZT_LITERAL_INT,
    GZT_LITERAL_FLOAT,
    GZT_REF,       /* of a variable, parameter or enumeration constant: decl */
    GZT_MEMBER,    /* object.member or object->member; child: the object, op: the member */
    GZT_SUBSCRIPT, /* array, subscript; or a vector, whose "front" or "back" it is: op */
    GZT_CALL,      /* arguments; decl: the function */
    GZT_UNARY,     /* operand; op, "x++" and "x--" for those behind */
    GZT_BINARY,    /* left, right; op, assignments included */
    GZT_TERNARY,   /* condition, then, otherwise */
    GZT_PAREN,     /* the expression within */
    GZT_CAST,      /* explicit; the expression */
    GZT_IMPLICIT,  /* a conversion that is not written; the expression */
    GZT_FOR,       /* beginning, condition, step, body */
    GZT_IF,        /* condition, then, or else */
    GZT_BLOCK,     /* the statements; decl: the object, of a method's body */
    GZT_DECL,      /* a declaration as a statement; one GZT_VARIABLE each */
    GZT_VARIABLE,  /* decl; its sizes and, if op is "=", what it begins with */
    GZT_RETURN,    /* the expression */
    GZT_EMPTY,
    GZT_UNKNOWN /* anything else; op: libclang's name for it */
};

struct gzt_node;

/* A variable, parameter, function or enumeration constant. */
struct gzt_decl {
    const char *name;
    const char *type_name; /* canonical, no qualifiers; of an enumeration that of its numbers, of a
                              parameter that is written as an array that of a pointer */
    int offset;            /* of its name in the preprocessed text */
    bool variable;         /* a variable or parameter */
    bool automatic;        /* one of a function's own, gone when it returns, or static and const */
    bool of_thread;        /* one of which each thread has its own */
    bool in_register;      /* one whose address C does not have */
    bool of_class;         /* one that all objects of a class share */
    bool runs;             /* one for which code runs where it begins or ends */
    bool is_array;         /* one with sizes, and no parameter, which is a pointer */
    bool constant;         /* `value` is its value: an enumeration constant or a const variable */
    double value;
    struct gzt_node **size; /* in its type, the innermost first, if some are no numbers */
    int sizes;
    const char *sized; /* the type with these as they are where the lowering comes to it */
    const struct gzt_node *list; /* of a const array: the list that is written with it, else NULL */
    bool renamed;                /* a function that the linker knows by another name */
    bool weak;                   /* the linker may take another definition */
    bool refers;                 /* a function that returns a reference */
    const char *usr;             /* unique */
    struct gzt_node *body;       /* of a function defined here: its block */
    struct gzt_decl **parameters; /* of a method, its object first */
    int parameter_count;
    struct gzt_decl *next; /* of its bucket */
};

struct gzt_node {
    enum gzt_kind kind;
    int begin, end; /* bytes of the preprocessed text */
    enum ir_type type;
    const char *type_name; /* canonical, no qualifiers */
    const char *op;
    bool constant; /* a whole number that clang folds, `value`; of an unsigned long its bits */
    long value;    /* or, of a reference to a label, where that stands */
    bool is_bit_field, is_shared; /* of a member; where others lie */
    const char *owner;            /* of one that is not public: its class */
    bool is_const, is_volatile, is_array;
    bool is_size; /* size() of a container, which is a member here */
    struct gzt_decl *decl;
    struct gzt_node **child;
    int count;
    struct gzt_node *next, *last; /* the node behind it in the order of the text, which has a node
                                     before all below it; the last of these, or itself */
    int covers;                   /* of the lowering's check */
};

/* A name in the user's files that means what others declare, and the text that says what it is: all
 * of that, but of a variable what it begins with only if that is const, and of a parameter what
 * stands before the function's body. */
struct gzt_use {
    int at, begin, end;
};

enum { GZT_BUCKETS = 1 << 14 };

struct gzt_tree {
    struct gzt_source *source;
    struct gzt_node **functions; /* bodies of the functions defined, in order */
    int function_count;
    struct gzt_decl **decls;
    int decl_count;
    const char **weak; /* names that the linker may take from elsewhere, and other words */
    int weak_count;
    struct gzt_use **uses;
    int use_count;
    int depth;                 /* while it is built */
    struct gzt_decl *self;     /* the object of the method that is, or NULL */
    struct gzt_decl **buckets; /* the same, to be found by what they are */
};

/* Parses the preprocessed text. -1 with the source's error set if it does not compile. */
int gzt_parse(struct gzt_source *source, struct gzt_tree *tree);

/* The declaration that a name of so many bytes means at a place, or NULL. */
const struct gzt_decl *gzt_meant_by(const struct gzt_tree *tree, const char *name, size_t length,
                                    int at);

/* The body of the function around a place, or NULL. */
const struct gzt_node *gzt_function_around(const struct gzt_tree *tree, int place);

/* The node without parentheses and conversions that are not written. */
const struct gzt_node *gzt_bare(const struct gzt_node *node);

/* The node's text on one line. */
const char *gzt_node_text(const struct gzt_source *source, const struct gzt_node *node);

/* Whether the node is an operation of that name. */
bool gzt_is_binary(const struct gzt_node *node, const char *op);

/* Whether a node is an assignment of any kind, ++ and -- included. */
bool gzt_is_assignment(const struct gzt_node *node);

/* Each node from `root` on to the last below it, as `node`; what is below one is left out by
 * setting `node` to its last. */
#define GZT_EACH(node, root)                                                                       \
    for (const struct gzt_node *node = (root); node;                                               \
         node = node == (root)->last ? NULL : node->next)

/* Whether a node is a statement of clang's that has no kind here, such as "BreakStmt". */
bool gzt_is_kind(const struct gzt_node *node, const char *kind);

/* Whether a node is a statement, and no expression. */
bool gzt_is_statement(const struct gzt_node *node);

/* Whether a node is a loop. */
bool gzt_is_loop(const struct gzt_node *node);

/* Whether a variable is declared within a node. */
bool gzt_holds(const struct gzt_node *node, const struct gzt_decl *decl);

/* Whether a variable is a reference of C++. */
bool gzt_is_reference(const struct gzt_decl *decl);

/* The class of a method's object. One that is derived from it is another: its objects may lie
 * elsewhere. */
const char *gzt_class_of(const struct gzt_decl *object);

/* reached.c: the expression below a node that lets a variable be reached otherwise than by its
 * name: that takes its address, binds a reference to it or captures it. NULL if there is none. */
const struct gzt_node *gzt_handed_on(const struct gzt_node *node, const struct gzt_decl *decl);

/* Where a goto, or what takes the address of a label, leads; -1 for any other node. */
int gzt_label_of(const struct gzt_node *node);

#endif
