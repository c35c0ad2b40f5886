/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * resume.h - what an interrupted sweep leaves, and how it is taken up again: after each group, and
 * when interrupted, what was measured so far is written beside the table as TABLE.partial, itself a
 * valid table.
 */
#ifndef GZ_RESUME_H
#define GZ_RESUME_H

#include "sweep_plan.h"

/* Reads the partial table at `path`; `before` is to be ended by measured_free. It must be of this
 * sweep: the same device, seed, rules and files, line by line as in `about`; only date, command and
 * how much there is may differ. Both return an exit status, after cli_fail unless CLI_DONE. */
int resume_read(const char *path, measured *before);
int resume_check(const char *path, const char *about);

/* Takes over what `before` has of the plan's points. */
void resume_take_over(plan *p, const measured *before);

#endif
