/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include "numbers.h"

#include <stdio.h>
#include <unistd.h>

enum { BAR = 24 };

void gzc_progress_start(struct gzc_progress *progress, double total, bool quiet)
{
    *progress = (struct gzc_progress){
        .shown = !quiet && isatty(STDERR_FILENO), .start_s = cli_now(), .total = total};
}

void gzc_progress_step(struct gzc_progress *progress, double work, const char *what)
{
    if (progress->shown) {
        double share = progress->done / progress->total, spent = cli_now() - progress->start_s;
        int filled = (int)(share * BAR);
        fprintf(stderr, "\r\033[K[%.*s%.*s] ", filled, "########################", BAR - filled,
                "........................");
        /* A first estimate from almost no work would only confuse. */
        if (share > 0.02)
            fprintf(stderr, "%.0f s left, ", spent * (1 - share) / share);
        fprintf(stderr, "%s", what);
        fflush(stderr);
    }
    progress->done += work;
}

void gzc_progress_end(struct gzc_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
