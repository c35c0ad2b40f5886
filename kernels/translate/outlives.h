/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outlives.h - what a variable is used for beside the loops that set it: whether anything but its
 * name leads to it, and whether what the loops leave in it is read.
 */
#ifndef GZT_OUTLIVES_H
#define GZT_OUTLIVES_H

#include "program.h"
#include "reached.h"

/* Whether something else than its name may lead to a variable. */
bool gzt_may_be_shared(const struct gzt_program *program, const struct gzt_decl *decl);

/* Checks that nothing reads what the time loop leaves in temporaries of its cells. -1 with the
 * error set. */
int gzt_check_locals(const struct gzt_program *program);

#endif
