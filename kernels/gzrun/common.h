/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * common.h - what gzrun's parts share: progress, error messages, and the arrays that the options
 * name.
 */
#ifndef GZK_COMMON_H
#define GZK_COMMON_H

#include "cmdline.h"
#include "timing.h"

/* Shows what is going on, on a terminal and unless `options->quiet`; an empty text wipes it away.
 */
void gzk_show(const struct gzk_options *options, const char *text);

/* Wipes that away and says what was wrong; returns the exit status. */
int gzk_complain(const struct gzk_error *error);

/* Fills in what of `config` was not given and depends on the device: tile, height, threads, layout.
 */
void gzk_settle_on_device(const struct gzk_options *options, const struct gzk_device_info *device,
                          struct gzk_config *config);

struct gzk_phrase {
    char text[160];
};
/* A configuration in words. */
struct gzk_phrase gzk_tile_phrase(const struct gzk_config *config);

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

/* The arrays of the options on a device, or none, for any number of configurations. */
struct gzk_bench {
    const struct gzk_options *options;
    struct gzk_data data;
    struct gzk_session *session;
    void *state, *reference; /* the latter of --verify; else NULL */
};

/* Puts them there, and computes the serial reference for --verify. Returns an exit status.
 * Ended by gzk_bench_close, also on failure. */
int gzk_bench_open(struct gzk_device *device, const struct gzk_options *options,
                   struct gzk_bench *bench);
/* Compares what the last run left there with the reference. */
int gzk_bench_compare(const struct gzk_bench *bench, struct gzk_comparison *comparison,
                      struct gzk_error *error);
void gzk_bench_close(struct gzk_bench *bench);

#endif
