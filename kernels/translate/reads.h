/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reads.h - what the right-hand side of a sweep reads, and from where.
 */
#ifndef GZT_READS_H
#define GZT_READS_H

#include "access.h"
#include "library.h"

/* Calls `found` for every array element, scalar and loop variable that a statement's right-hand
 * side, its guards included, reads; `set` holds the cells for which it is read at all. Stops at the
 * first call that returns nonzero. Refuses what is not an expression. */
struct gzt_visitor {
    struct gzt_program *program;
    struct gzt_sweep *sweep;
    struct gzt_space space;
    int later;                      /* of the space */
    const struct gzt_guard *guards; /* of what is visited */
    int (*element)(struct gzt_visitor *, const struct gzt_node *, isl_set *set);
    int (*scalar)(struct gzt_visitor *, const struct gzt_node *);
};
int gzt_visit_reads(struct gzt_visitor *visitor);

/* a & b or a * b, which is not 0 only if neither is, or a | b, which is 0 only if both are. */
bool gzt_joins_all(const struct gzt_node *node, bool holds);

/* The place a distance behind an index, by the rule of the edges between two bounds. */
isl_pw_aff *gzt_clamped(isl_pw_aff *index, int distance, isl_pw_aff *low, isl_pw_aff *high);
isl_pw_aff *gzt_wrapped(isl_pw_aff *index, int distance, isl_pw_aff *low, isl_pw_aff *high);

/* The assignment within a statement; `set`, if given, becomes the cells that it is made for. */
const struct gzt_node *gzt_assignment_of(const struct gzt_space *space,
                                         const struct gzt_node *statement, isl_set **set);

/* Of the assignments of a statement, one for each branch of its ifs, the first whose target
 * mentions the most loop variables; NULL if a branch has none. */
const struct gzt_node *gzt_main_assignment(const struct gzt_space *space,
                                           const struct gzt_node *statement);

/* Sorts all reads of all sweeps into state, constants, per-step arrays and scalars, and sets edges,
 * reaches and rims. */
int gzt_classify_reads(struct gzt_program *program);

/* Whether a cell read by `access`, for the cells of `set`, may have been written before in the same
 * sweep. */
bool gzt_reads_written(const struct gzt_program *program, const struct gzt_sweep *sweep,
                       const struct gzt_access *access, isl_set *set);

/* Whether a function may be called: a known one, or one defined in the file that only computes.
 * Adds those to the program. */
int gzt_check_call(struct gzt_program *program, const struct gzt_node *call);

/* Refuses a call of a function of the file with more or fewer arguments than it has parameters,
 * which C allows where it is defined as f() or by their names alone. */
int gzt_refuse_arguments(struct gzt_source *source, const struct gzt_node *call);

/* Whether a node is an element of what the loops write, and hangs on it by temporaries; `data` is
 * the visitor. */
int gzt_is_state(const struct gzt_node *node, void *data);

/* Whether the program itself computes a call, because its value is the same for all cells and
 * devices might round it otherwise. */
bool gzt_is_of_host(struct gzt_visitor *visitor, const struct gzt_node *call);

/* Additions, multiplications, comparisons, calls and the like; with a space, without those that
 * only tell where in the grid a cell lies; no more than one beyond the most that is taken. */
enum { GZT_MOST_OPERATIONS = 100000 };
int gzt_count_operations(const struct gzt_space *space, const struct gzt_node *node);

#endif
