/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * figures.h - tables of one measured table's figures: measured beside what both models predict.
 */
#ifndef GZ_FIGURES_H
#define GZ_FIGURES_H

#include "verdict.h"

/* Writes points.tsv, curves.tsv, components.tsv and, if there are other variants than trapezoids,
 * variants.tsv into `folder`. Returns an exit status, after cli_fail unless CLI_DONE. */
int figures_write(const report *r, const char *folder);

#endif
