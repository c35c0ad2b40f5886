/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.h - the model's best ways to run a stencil, and what becomes of them on the device.
 */
#ifndef GZK_TUNE_H
#define GZK_TUNE_H

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

#endif
