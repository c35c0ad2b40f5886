/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * turns.h - short loops within a cell, such as those over its neighbours, which are written out.
 */
#ifndef GZT_TURNS_H
#define GZT_TURNS_H

#include "program.h"

struct gzt_turns {
    struct gzt_loop loop;
    long first, end; /* the iterator's values, and what it ends with */
};

/* Whether a statement is if (...) continue; */
bool gzt_is_skip(const struct gzt_node *statement);

/* Whether a node is a loop from a number to another, of at most 129 turns, that only its own
 * condition ends and only statements of its block skip, whose iterator nothing else sets and
 * chooses no element that is assigned. */
bool gzt_find_turns(const struct gzt_source *source, const struct gzt_node *node,
                    struct gzt_turns *turns);

#endif
