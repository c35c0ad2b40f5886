/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { BAR = 24 };

void cli_progress_start(struct cli_progress *progress, double total, bool quiet)
{
    *progress = (struct cli_progress){
        .shown = !quiet && isatty(STDERR_FILENO), .start_s = cli_now(), .total = total};
}

double cli_progress_left_s(const struct cli_progress *progress, double now_s)
{
    double share = progress->done / progress->total;
    /* A first estimate from almost no work would only confuse. */
    return share > 0.02 ? (now_s - progress->start_s) * (1 - share) / share : (double)NAN;
}

void cli_progress_begin(struct cli_progress *progress, double total)
{
    progress->start_s = cli_now();
    progress->total = total;
    progress->done = 0;
}

void cli_progress_step(struct cli_progress *progress, double work, const char *what)
{
    if (progress->shown) {
        double left_s = cli_progress_left_s(progress, cli_now());
        int filled = (int)(fmin(progress->done / progress->total, 1) * BAR);
        fprintf(stderr, "\r\033[K[%.*s%.*s] ", filled, "########################", BAR - filled,
                "........................");
        if (left_s >= 0)
            fprintf(stderr, "%.0f s left, ", left_s);
        fprintf(stderr, "%s", what);
        fflush(stderr);
    }
    progress->done += work;
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
