/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * common.h - what gzrun's parts share: progress, error messages, and the arrays that the options
 * name.
 */
#ifndef GZK_COMMON_H
#define GZK_COMMON_H

#include "cmdline.h"
#include "timing.h"

#include <stdio.h>

/* Shows what is going on, on a terminal and unless `options->quiet`; an empty text wipes it away.
 */
void gzk_show(const struct gzk_options *options, const char *text);

/* Wipes that away and says what was wrong; returns the exit status. */
int gzk_complain(const struct gzk_error *error);

/* Fills in what of `config` was not given and depends on the device: tile, height, threads, layout.
 */
void gzk_settle_on_device(const struct gzk_options *options, const struct gzk_device_info *device,
                          struct gzk_config *config);

/* How much is timed. */
struct gzk_effort gzk_effort_of(const struct gzk_options *options);

/* Refuses what the host or the device has no memory for; `states` as for gzk_memory_needed. Returns
 * an exit status. */
int gzk_check_memory(const struct gzk_options *options, const struct gzk_device_info *device,
                     int states);

/* The same, then makes the arrays: random ones, or those of the input files. On failure nothing is
 * left to be freed. */
int gzk_make_data(const struct gzk_options *options, const struct gzk_device_info *device,
                  int states, struct gzk_data *data);

/* The text that `write` prints with `of`, to the file `name` or, if that is NULL, to stdout. */
int gzk_write_whole(const char *name, int (*write)(const void *of, FILE *stream), const void *of);
/* The same to a file whose name the program made up (cli_write_own). */
int gzk_write_own(const char *name, int (*write)(const void *of, FILE *stream), const void *of);

#endif
