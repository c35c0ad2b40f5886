/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * replay.h - the tuner (gz_tuner_new) on measured tables: it is told the time of each point that it
 * asks for, and what it would have lost against the best measured is stated after each run. Beside
 * it, in the same number of runs: the model's ranking alone, the process without a model, and
 * random choice. Every grid of a table is a problem.
 */
#ifndef GZ_REPLAY_H
#define GZ_REPLAY_H

#include "judge.h"
#include "verdict.h"

enum { REPLAY_RUNS = 20 };

typedef enum replay_way {
    REPLAY_TUNER,   /* model and process */
    REPLAY_MODEL,   /* the model's first ones */
    REPLAY_PROCESS, /* the process, which knows the times' mean only, in place of a model */
    REPLAY_RANDOM,
    REPLAY_WAYS
} replay_way;

/* Regret of one way over all problems: the measured time of the best of its runs over the best of
 * the grid, less 1. */
typedef struct replay_regret {
    double median[REPLAY_RUNS], high[REPLAY_RUNS]; /* after 1, 2, ... runs; 95th percentile */
} replay_regret;

typedef struct replay {
    size_t problems;
    replay_regret way[REPLAY_WAYS];
    /* Where the tuner stops by itself. */
    double runs, most_runs; /* mean, and the most */
    double median, high;    /* regret */
} replay;

/* Replays points that are numbered and predicted (judge_predict); what the model does not describe
 * takes part. `gain` as in gz_tuner_request. GZ_OK, GZ_ENOMEM or what the tuner returns. */
gz_status replay_make(const judge_point *points, size_t n, double gain, replay *out,
                      gz_error *error);

/* Replays all points of the report by its last model, prints what came of it and, if `folder` is
 * not NULL, writes tuner.tsv into it. Returns an exit status, after cli_fail unless CLI_DONE. */
int replay_report(const report *r, const char *folder);

#endif
