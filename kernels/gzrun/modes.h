/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * modes.h - what gzrun does besides a single run: the model's best ways and what becomes of them on
 * the device, lists and ranges, and a grid that is divided among ranks.
 */
#ifndef GZK_MODES_H
#define GZK_MODES_H

#include "where.h"

/* Refuses a model that describes none of the variants that were given, before anything is measured.
 * Returns an exit status. */
int gzk_tune_check(const struct gzk_options *options);

/* Measures what it takes to know the fastest configuration, and writes every run and why it
 * stopped. Returns an exit status. */
int gzk_tune(const struct gzk_where *where, const struct gzk_options *options);

/* If the command line leaves variant, block, height and threads open, sets them and the
 * synchronisation to the model's best that the device can run, and says so in a line on stderr
 * unless options->quiet. False, and nothing is done, otherwise or if the model has no answer. */
bool gzk_choose_open(const struct gzk_where *where, struct gzk_options *options);

/* Of a plan (options->wisdom) that was made for another device or driver: measures its ways here
 * and sets options->config to the fastest. Returns an exit status. */
int gzk_tune_again(const struct gzk_where *where, struct gzk_options *options);

/* Measures options->space on the device and writes the table (TSV). What cannot run there is left
 * out, and the table says so. While it goes on, what is done so far lies in FILE.partial, which
 * options->resume takes up again. Beside what was measured stands what the model predicts, if the
 * device was calibrated. Returns an exit status. */
int gzk_sweep(const struct gzk_where *where, const struct gzk_options *options);

/* Runs as the options say, on this rank; rank 0 writes what there is to write. Returns an exit
 * status, the same on all ranks, after the rank that failed has said why. */
int gzk_run_ranks(struct gzk_options *options);

#endif
