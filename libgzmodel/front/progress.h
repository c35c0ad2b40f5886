/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * progress.h - a bar on a terminal's stderr with the time left, estimated from the work done so
 * far.
 */
#ifndef GZ_CLI_PROGRESS_H
#define GZ_CLI_PROGRESS_H

#include <stdbool.h>

struct cli_progress {
    bool shown;
    double start_s, total, done; /* work in any unit */
};

/* Starts a bar over `total` units of work; shows nothing if `quiet`, or if stderr is not a
 * terminal. */
void cli_progress_start(struct cli_progress *progress, double total, bool quiet);

/* Begins again with another total: work before, such as compiling, does not predict the time of
 * the rest. */
void cli_progress_begin(struct cli_progress *progress, double total);

/* Seconds left at the time `now_s` on cli_now's clock, if the rest goes on as since the beginning;
 * NaN while too little is done for an estimate. */
double cli_progress_left_s(const struct cli_progress *progress, double now_s);

/* Shows that `work` more is about to be done, and what it is; the work before it is finished. */
void cli_progress_step(struct cli_progress *progress, double work, const char *what);

/* Wipes the bar away, so that a message may follow. */
void cli_progress_end(struct cli_progress *progress);

#endif
