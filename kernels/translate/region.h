/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * region.h - the annotated parts of a file, and what their annotations state.
 */
#ifndef GZT_REGION_H
#define GZT_REGION_H

#include "tree.h"

enum { GZT_AXES = 3 };

/* The clauses of the annotation `#pragma gz trapezoid`; members that it leaves out are zero. */
struct gzt_annotation {
    int height;
    const char *object;
    int dimension;
    int gathers; /* how many ranges gather() gives, from the slowest axis */
    int gather[GZT_AXES][2];
    const char **live_out;
    int live_outs;
};

/* The annotated part of the text. */
struct gzt_region {
    int directive;  /* where the directive begins */
    int begin, end; /* of the statements; both after the directive if there are none */
    struct gzt_annotation annotation;
    struct gzt_node **statements;
    int statement_count;
    const struct gzt_tree *tree; /* of the whole file */
};

/* Finds the regions in the text and the statements in them. -1 with the error set if there is none
 * or a directive is wrong. */
int gzt_find_regions(struct gzt_source *source, const struct gzt_tree *tree,
                     struct gzt_region ***regions, int *count);

#endif
