/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.h - the model's results as tables for people. (As JSON for programs: answer.h.)
 */
#ifndef GZ_CLI_REPORT_H
#define GZ_CLI_REPORT_H

#include "answer.h"

#include <stdio.h>

/* `spread`: what the stated standard deviations do to the result; NULL if none is stated. */
void report_predict(FILE *to, const gzi_run *run, const gz_prediction *prediction,
                    const gz_uncertainty *spread);

/* `other`: the prediction that the best height is compared with: at height 1, or at height 2 if 1
 * is the best; NULL if there is no other height. `tile`: the search that chose the block, NULL if
 * the block was given. */
void report_optimize(FILE *to, const gzi_run *run, const gz_optimum *optimum,
                     const gz_prediction *other, int searched, const gz_uncertainty *spread);

void report_choose(FILE *to, const gzi_run *run, const gz_choice *choice);

/* Parameters in the order of |d ln CPL / d ln p|; those that do not exist here are left out. */
void report_sensitivity(FILE *to, const gzi_run *run, const gz_sensitivity *sensitivity);

/* The candidates of gz_tune, the best first. */
void report_tune(FILE *to, const gzi_run *run, const gz_candidate *candidates, size_t n);

/* A grid divided among each of `n` numbers of ranks; speedups over the first. */
void report_ranks(FILE *to, const gzi_run *run, const gz_network *net, const int *ranks,
                  const gz_ranks_time *times, int n);

/* A multigrid's cycle, a line a level. */
void report_vcycle(FILE *to, const gzi_run *run, const gz_vcycle_request *request,
                   const gz_vcycle_time *time);

/* One line about what is built in under the name `key`. */
void report_device_line(FILE *to, const char *key, const gz_device *dev);
void report_app_line(FILE *to, const char *key, const gz_app *app);

#endif
