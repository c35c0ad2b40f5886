/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * repeated.h - cells whose element is assigned more than once, v[i] = a; v[i] += b;, which is the
 * same by way of a temporary.
 */
#ifndef GZT_REPEATED_H
#define GZT_REPEATED_H

#include "tree.h"

/* What stands for such an element from the first statement that assigns it on. */
struct gzt_repeated {
    const struct gzt_node *element; /* NULL if there is none */
    const struct gzt_node *first;   /* that statement, of the block's own */
    bool begins;                    /* whether it sets the element, whatever that was */
};

/* Looks for one among the statements of a block: assigned at least twice, always by the same text,
 * whose variables stay, and its array not mentioned otherwise behind the first. */
struct gzt_repeated gzt_find_repeated(const struct gzt_source *source,
                                      const struct gzt_node *block);

/* Whether a node is the element, where the temporary stands for it: not to the right of the sign in
 * the first statement. */
bool gzt_is_repeated(const struct gzt_source *source, const struct gzt_repeated *repeated,
                     const struct gzt_node *node);

#endif
