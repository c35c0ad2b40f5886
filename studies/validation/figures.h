/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * figures.h - the tables that validation's figures are drawn from.
 */
#ifndef GZ_FIGURES_H
#define GZ_FIGURES_H

#include "judge.h"

/* Writes points.tsv, curves.tsv and components.tsv into `folder`. Returns an exit status, after
 * cli_fail unless CLI_DONE. */
int figures_write(const judge *j, const char *folder);

#endif
