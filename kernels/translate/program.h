/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * program.h - what gzc understood of one annotated loop. Axes are numbered as the kernels number
 * them: 0 (x) is the last subscript, whose elements are neighbours in memory. A cell is named by
 * the values of the first sweep's loop variables.
 */
#ifndef GZT_PROGRAM_H
#define GZT_PROGRAM_H

#include "region.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

enum {
    GZT_SWEEPS = 2,
    GZT_PARTS = 16, /* assignments of a system */
    GZT_MAX_RADIUS = 32,
    GZT_MOST_INDEX = 1 << 30
};

/* How the new state finds its place. */
enum gzt_form {
    GZT_PARITY,     /* P: A[(t + 1) % 2] = f(A[t % 2]) */
    GZT_TWO_SWEEPS, /* 2S: B = f(A), A = g(B) */
    GZT_COPY_BACK,  /* CB: B = f(A), A = B */
    GZT_SWAP,       /* SW: B = f(A), then the pointers change places */
    GZT_ROTATE,     /* C = f(B, A), then the three pointers change places */
    GZT_COPY_FIRST, /* B = A, A = f(B) */
    GZT_COPIES,     /* C = f(A, B), B = A, A = C */
    GZT_IN_PLACE,   /* A = f(A) where no cell reads what the sweep has written */
    GZT_SYSTEM      /* several arrays: systems.h */
};

/* What the program does at the domain's two ends along an axis. */
enum gzt_edge {
    GZT_EDGE_KEEP,     /* cells beyond the domain are read and never written */
    GZT_EDGE_CLAMP,    /* an index beyond means the nearest cell of the domain */
    GZT_EDGE_PERIODIC, /* the domain repeats without end */
    GZT_EDGE_ZERO      /* no cell beyond the domain is ever read for its value */
};

/* A variable that each loop sets anew, to a value computed from scalars and the time. */
struct gzt_alias {
    const struct gzt_decl *decl;
    const struct gzt_node *node; /* the value */
    bool outside;                /* whether it outlives the loops */
};

/* for (iterator = low; iterator < high; iterator += step) */
struct gzt_loop {
    const struct gzt_node *node;
    const struct gzt_decl *iterator;
    bool declared_inside; /* for (int i = ... */
    const struct gzt_node *low, *high;
    bool inclusive; /* <= */
    int step;
};

/* An array, or one plane of it: what stands before the subscripts that choose the cell. */
struct gzt_array {
    const char *base; /* its text */
    const struct gzt_decl *decl;
    const struct gzt_node *base_node;
    enum gzt_type type;
    bool written;

    /* Of a system, whose arrays may be two planes chosen by the time or the toggle: of that which
     * is written, the other, as an array of its own, and the coordinate that chooses, as it is
     * written. */
    struct gzt_array *read;
    int plane_coordinate;
    const struct gzt_node *plane;
};

/* One coordinate of an element: a function of one loop variable, or of none. */
struct gzt_coordinate {
    const struct gzt_decl *iterator; /* NULL if it is the same for all cells and loops */
    isl_pw_aff *index;               /* over the sweep's loop variables */
};

/* An element of an array as it stands in the text. */
struct gzt_access {
    const struct gzt_node *node;
    struct gzt_array *array;
    struct gzt_coordinate coordinate[8]; /* from the slowest */
    int coordinates;
    bool guarded; /* whether it is where the coordinates say only where its guards hold */
};

enum gzt_role {
    GZT_STATE,    /* the state after the previous loop: AT */
    GZT_OLDER,    /* the cell's own state after the loop before that: OLDER */
    GZT_CONSTANT, /* an array that never changes: STILL */
    GZT_PER_STEP, /* an array with elements of its own in each loop: FRESH */
    GZT_SCALAR,   /* the same for all cells and loops: COEF */
    GZT_NEW,      /* in a measure, the cell's own state after the loop: NEW */
    GZT_OLD       /* and before it: OLD */
};

/* A read in the right-hand side. */
struct gzt_read {
    const struct gzt_node *node;
    enum gzt_role role;
    int number;           /* of the array, per-step array or scalar */
    int offset[GZT_AXES]; /* cells from the cell that is computed */
    int part;             /* of a system: in whose statement it stands; */
    int before;           /* it is what the parts of lower numbers have made of the array; */
    bool guarded;         /* and C makes it under conditions only */
    bool bent[GZT_AXES];  /* and its subscripts are clamped or wrapped; */
    isl_set *cells;       /* C makes it for these; */
    bool within;          /* what it reads other parts set or read in any case */
};

/* A condition under which something is read, and those around it. */
struct gzt_guard {
    const struct gzt_node *condition;
    bool holds; /* or does not */
    bool exact; /* whether the set of cells is that of the condition */
    bool timed; /* whether it may hold in one loop and not in the next */
    const struct gzt_guard *around;
};

/* An array that is loaded beside the state, or read per step. */
struct gzt_input {
    const struct gzt_node *node;    /* an access whose text fills it ... */
    int sweep;                      /* ... in this sweep's loop variables ... */
    int shift[GZT_AXES];            /* ... evaluated this far from the cell that it is for ... */
    const struct gzt_guard *guards; /* ... where they hold, for C reads it there only */
    int reach[GZT_AXES][2];         /* offsets of all reads, at least 0:0 */
    const char *key;                /* what it has in common with the reads that share it */
    enum gzt_type type;
};

/* Where C reads a constant array for certain: cells, at the place that is read. */
struct gzt_coverage {
    const char *base;
    isl_set *cells[2]; /* in every loop; in two loops in turn, taken together */
};

/* A value that is the same for all cells and loops. */
struct gzt_scalar {
    const struct gzt_node *node;    /* the user's expression */
    int sweep;                      /* in whose loop variables ... */
    const struct gzt_guard *guards; /* ... these tell whether C reads it */
    const char *key;                /* what reads of the same value have in common */
    enum gzt_type type;
    const char *type_name;
    bool known; /* whether the file states `value` */
    double value;
};

/* What has been found of temporaries, whose values may hang on one another in many ways: by the
 * reference and what was asked of it. */
struct gzt_memo {
    const struct gzt_node *reference;
    const void *asked;
    int answer;
    struct gzt_memo *next;
};
enum { GZT_MEMOS = 1 << 10 };

/* What a subscript was found to mean, and how an index runs along the written one (classify.c):
 * what isl was asked is not asked again, as far as there is room. */
struct gzt_subscript {
    const char *key; /* its text and its variables */
    struct gzt_coordinate coordinate[8];
    int coordinates;
};
struct gzt_match {
    const isl_set *set;
    const isl_pw_aff *index, *line, *low; /* of the line, which is that of an axis */
    int match, offset;
};
enum { GZT_REMEMBERED = 256 };

/* A condition around a sweep's assignment that narrows its domain along an axis: cuts.h. */
struct gzt_cut {
    const struct gzt_node *condition;
    bool holds; /* or does not */
    int axis;
};

/* One nest of loops over the cells. */
struct gzt_sweep {
    struct gzt_loop loop[GZT_AXES]; /* from the outermost */
    int loops;
    const struct gzt_node *statement; /* the assignment, or the if around it, or a block that ends
                                         in one of these and sets temporaries before */
    struct gzt_decl **locals;         /* these temporaries */
    int local_count;
    struct gzt_memo **memos;
    struct gzt_access write;
    isl_set *domain; /* loop variables of all cells of the sweep, guarded or not, but
                        for those that cuts leave out */
    struct gzt_cut **cuts;
    int cut_count;
    isl_set *written;          /* those that pass the guards, as far as isl understands them */
    int axis_loop[GZT_AXES];   /* the loop of each axis */
    bool guarded;              /* whether some cells keep what they hold */
    isl_pw_aff *low[GZT_AXES]; /* by axis, over the loop variables */
    isl_pw_aff *high[GZT_AXES];
    bool copies; /* A[i] = B[i] and nothing else */
    bool bent;   /* whether what is written is a loop variable plus a constant in the domain only */

    /* Of a system, where cells are named by the written element's coordinates: */
    int add[GZT_AXES];                      /* these, less the loop variables */
    const struct gzt_node *fixed[GZT_AXES]; /* a coordinate that is the same for all cells; its
                                               axis has loop -1 */
    isl_pw_aff *first[GZT_AXES], *last[GZT_AXES]; /* low and high over parameters alone */
    int end;                                      /* where the assignment ends in the text */
};

/* An if of the time loop that does something now and then: looks.h. */
enum gzt_position { GZT_BEFORE, GZT_AMONG, GZT_BEHIND }; /* the sweeps and what belongs to them */
struct gzt_look {
    const struct gzt_node *node;
    enum gzt_position position;
};

/* A value of each cell whose largest, least or sum a loop finds, mostly to end by it: measure.h. */
enum gzt_found { GZT_LARGEST, GZT_LEAST, GZT_SUM };
struct gzt_measure {
    const struct gzt_node *body; /* what the time loop repeats, which is program->counts->loop */
    const struct gzt_node *nest,
        *fold; /* NULL if the time loop finds nothing; in this nest, this statement compares the
                  value with what was found before, or adds it */
    enum gzt_found finds;
    const struct gzt_node *value[2]; /* the value in it, once or twice; of a sum none if it is 1 */
    int values;
    const struct gzt_node *condition; /* under which a cell counts in a sum; NULL if all do */
    bool subtracts;
    struct gzt_sweep sweep; /* the nest, without `fold` */
    struct gzt_read **reads;
    int read_count;
};

/* A copy of an array into another: loops, or a call of memcpy. */
struct gzt_copy {
    struct gzt_sweep nest;       /* without loops if there is none, or ... */
    const struct gzt_node *call; /* ... this makes it */
};

/* An assignment of elements beyond the domain that each loop makes beside its sweep: borders.h. */
struct gzt_border {
    const struct gzt_node *node, *assignment; /* the statement, loops and all */
    enum gzt_position position;
    struct gzt_sweep sweep; /* its loops, fewer than the state has dimensions */
    bool copies;            /* another element, or sets a number */
    isl_map *to, *from;     /* from its loop variables to cells */
};

/* A part of what a point is set to that is the same whatever the cell holds: computed by the
 * program for each loop, as the type that the arithmetic around it has. */
struct gzt_part {
    const struct gzt_node *node;
    enum gzt_type type;
    int first; /* of its elements among those of all parts */
};

/* A cell that each loop sets or changes beside its sweep: points.h. */
struct gzt_point {
    const struct gzt_node *assignment, *element;
    const struct gzt_node *condition; /* under which it does, NULL if always */
    enum gzt_position position;
    bool ahead;            /* before the sweep: behind that of the loop before */
    struct gzt_part *acts; /* not 0 where it does; NULL if always */
    struct gzt_part **parts;
    int part_count;
};

/* A statement beside the sweeps that hands on what a loop leaves in single cells: receivers.h. */
struct gzt_seen {
    const struct gzt_node *element;
    const struct gzt_array *array; /* the array by which the state is handed over */
    bool later;                    /* as this loop leaves it, not as it finds it */
    const struct gzt_node *plane;  /* of planes, the subscript that chooses one ... */
    const struct gzt_node *chosen; /* ... and that of what the sweep writes */
    int behind_plane;              /* so many subscripts follow it */
    const struct gzt_node **apart; /* elements that are set behind it: must be other cells */
    int apart_count;
};
struct gzt_receiver {
    const struct gzt_node *node; /* loops and all */
    enum gzt_position position;
    struct gzt_seen **cells; /* in the order of the text */
    int cell_count;
};

/* The pointers, or planes, that change places in each loop: moves.h. */
struct gzt_exchange {
    int begin, end;      /* of the statements; 0 if there is none */
    bool first;          /* before the sweep */
    const char *text;    /* which does it, in C; NULL if there is none */
    const char **places; /* what it reads and sets that is there behind the loops */
    int place_count;
};

/* How a time loop counts that does so in its own way, or is ended by what it finds, so that the
 * program runs it without its sweeps: counts.h, measure.h. */
struct gzt_counts {
    const struct gzt_node *loop;       /* the user's, as it stands */
    const struct gzt_node **statement; /* beside the sweeps, in order, that set numbers or, where
                                          data may end the loop, print or end it ... */
    int count;
    int ahead;                   /* ... so many of them before all else */
    const struct gzt_decl **set; /* what these, the head and the measure set */
    int set_count;
};

/* A condition, in C, under which a conversion changes the value of an expression that was taken to
 * stay the same. */
struct gzt_fit {
    const char *of, *condition;
    struct gzt_fit *next;
};

struct gzt_program {
    struct gzt_source *source;
    const struct gzt_region *region;
    isl_ctx *isl;
    int *work;            /* steps taken for integer temporaries, which a limit bounds */
    struct gzt_fit *fits; /* behind this one, which is none */

    enum gzt_form form;
    enum gzt_edge edge[GZT_AXES];
    enum gzt_type type;
    int dimensions;
    struct gzt_loop time; /* its node without the looks and receivers */
    struct gzt_look **looks;
    int look_count;
    struct gzt_receiver **receivers; /* in the order of the text */
    int receiver_count;
    struct gzt_measure *measure; /* NULL if the time loop counts and nothing else */
    struct gzt_counts *counts;   /* NULL if the head of the time loop says how often it runs */
    struct gzt_border **borders; /* in the order in which a sweep finds them */
    int border_count;
    int wide; /* cells beyond the domain in which they lie */
    int tail; /* how many of the last loops are the program's own because of them, or of points */
    struct gzt_point **points; /* in the order of the statements */
    int point_count;
    bool guarded; /* whether ifs around nothing but such, or receivers, are taken for them */
    struct gzt_input **sources; /* what the points read in memory, on the host */
    int source_count;
    enum gzt_edge border_edge[GZT_AXES]; /* what they make of the edges ... */
    int border_rim[GZT_AXES][2];         /* ... and the rim without them */
    bool plain;                          /* whether the head of the time loop sets the time alone */
    struct gzt_alias **aliases;
    int alias_count;
    const struct gzt_decl *toggle;   /* 0 and 1 by turns: x = 1 - x behind the sweeps */
    const struct gzt_decl *opposite; /* 1 less it, with which it changes places; NULL if none */
    const struct gzt_decl *aside;  /* by way of this variable, or NULL, which is left with what the
                                      toggle was in the last loop ... */
    bool aside_flipped;            /* ... or 1 less that */
    bool aside_within;             /* whether it is gone behind the loops */
    const struct gzt_node **turns; /* the statements that do so */
    int turn_count;
    struct gzt_system *system; /* of the form SYSTEM: the sweeps are its parts */
    struct gzt_sweep sweep[GZT_PARTS];
    int sweeps;              /* per turn of the time loop, copies left out */
    bool same_sweeps;        /* two, with the same right-hand side */
    struct gzt_copy copy[2]; /* back or first; of COPIES, A = C and B = A */
    int openmp; /* 1 if the loop stands in a parallel region of OpenMP, -1 if one thread runs it */
    struct gzt_exchange exchange;
    struct gzt_array **arrays;
    int array_count;
    struct gzt_array *state[2]; /* the array read first, and the other (NULL in place) */
    struct gzt_array *third;    /* of three arrays, that which the sweep writes */
    int parity_coordinate;      /* P: which coordinate chooses the plane ... */
    int planes;                 /* ... of so many, 2 or 3 */

    struct gzt_subscript **subscripts;
    struct gzt_match **matches;
    int subscript_count, match_count;
    struct gzt_read **reads;
    int read_count;
    struct gzt_input **constants, **per_step;
    int constant_count, per_step_count;
    struct gzt_scalar **scalars;
    int scalar_count;
    int reach[GZT_AXES][2]; /* offsets of the state's reads */
    int rim[GZT_AXES][2];   /* cells beyond the domain that are read, before and behind */
    int state_rim[GZT_AXES]
                 [2];          /* of these, where the state is; the others are of constant arrays */
    int least[GZT_AXES];       /* cells of the domain without which more would be read */
    bool axis_value[GZT_AXES]; /* whether a loop variable is used as a value */
    bool time_value;
    int least_loops; /* turns of the time loop without which more would be read */
    bool stops;      /* the original loops ask before each whether to go on, and go on elsewhere */
    bool red_black;
    bool older;   /* three time levels: cells read what they overwrite */
    bool inexact; /* calls functions that devices round otherwise than the host */
    int operations;
    struct gzt_decl **functions; /* called, defined in the file, in the order of their definition */
    int function_count;
};

/* Cells of the grid before the domain along an axis, and as many behind it: the radius if its edges
 * are kept. */
int gzt_grid_rim(const struct gzt_program *program, int axis);

/* The loop variable that the cells along an axis follow. */
const char *gzt_axis_variable(const struct gzt_program *program, int axis);

/* Whether the time loop stays in the program, because it does more than its sweeps. */
bool gzt_keeps_time(const struct gzt_program *program);

/* How many loops of the stencil make one of the time loop. */
int gzt_levels(const struct gzt_program *program);

/* Whether three time levels have an array or a plane each. */
bool gzt_has_third(const struct gzt_program *program);

/* Whether edges are kept along one axis at least. */
bool gzt_keeps(const struct gzt_program *program);

/* The radius of an axis: the farther of its reaches, those of constant arrays included. */
int gzt_radius(const struct gzt_program *program, int axis);

/* What OpenMP makes of a place: 1 in a parallel region, whose threads all run what is there, -1 in
 * what one of them runs, 0 if no directive of the file says so. */
int gzt_openmp_around(struct gzt_source *source, const struct gzt_tree *tree, int offset);

/* Whether OpenMP leaves the variable of a loop of a nest, whose loops from the outermost to that
 * one are given, as it was before. */
bool gzt_openmp_leaves(const struct gzt_program *program, const struct gzt_loop *nest, int loop);

/* Understands one region. -1 with the source's error set if it is refused. */
int gzt_understand(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                   struct gzt_program *program);

/* The same for one that sets several arrays, or one by several assignments if the source says that
 * it was refused for that; the source then says whether the loop is such a one, without which the
 * error means nothing. */
int gzt_understand_several(struct gzt_source *source, isl_ctx *isl, const struct gzt_region *region,
                           struct gzt_program *program);

/* Prints what was understood, for people. */
void gzt_explain(const struct gzt_program *program, struct gzt_text *out);

#endif
