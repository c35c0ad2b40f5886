/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fitted.h - the models fitted to a few runs of a table itself and judged on the others: what their
 * form can do, whatever a calibration found; and gz2 without one part at a time.
 *
 * The runs, by rules that do not look at times. All nearly empty stages. Of a CPU, for each stencil
 * those in the tiles with the shortest and the longest rows: in every mode, height 2 on the
 * smallest grid, heights 1 and the highest of at most 6 on the next, and height 1 on the largest,
 * which alone tells what device memory takes; and of a stencil with arrays for every loop, the
 * highest of at most 12 on the third grid in the shortest rows. gz-calibrate runs nearly the same.
 * Of a GPU, for each stencil and grid, heights 1 and the highest of at most 6 in the smallest, the
 * middle and the largest tile.
 *
 * Two harder choices: "h <= 3", all at heights up to 3, judged on those from 5 on; and, of a CPU,
 * "a stencil left out", one after the other: the device from the others' runs, then the stencil's
 * own quantities from 6 of its runs (on the second grid in the shortest and in the longest rows,
 * the highest of at most 6 in both modes and 1 by restarts).
 *
 * The intervals: 95 % of the runs that compute were off by so much at most when they were left out
 * (gzc_fit_half_width); of a stencil that is left out, 95 % of the others' when these were.
 */
#ifndef GZ_FITTED_H
#define GZ_FITTED_H

#include "verdict.h"

/* Adds the fits to a report on one table. `cache` is what the last cache holds, bytes, where the
 * device file does not state it; 0: not known. If `folder` is not NULL, writes parameters.tsv and
 * fitted_points.tsv into it. Returns an exit status, after cli_fail unless CLI_DONE; what the table
 * has too few runs for is left out and said by cli_fail, too. */
int fitted_add(report *r, double cache, const char *folder);

#endif
