/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.h - a run on a grid that is divided among ranks.
 */
#ifndef GZK_GZRUN_RANKS_H
#define GZK_GZRUN_RANKS_H

#include "cmdline.h"

/* Runs as the options say, on this rank; rank 0 writes what there is to write. Returns an exit
 * status, the same on all ranks, after the rank that failed has said why. */
int gzk_run_ranks(struct gzk_options *options);

#endif
