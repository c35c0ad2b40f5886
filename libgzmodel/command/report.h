/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.h - the model's results as tables for people and as JSON for programs.
 *
 * The keys of the JSON are fixed and in a fixed order; numbers read back as the same doubles.
 * report_*_json return NULL if memory runs out or a result is not a finite number.
 */
#ifndef GZ_CLI_REPORT_H
#define GZ_CLI_REPORT_H

#include "gzmodel.h"

#include <jansson.h>
#include <stdio.h>

/* What a result was computed for. */
struct report_run {
    gz_device dev;
    gz_app app;
    gz_config cfg;
};

/* What the JSON of a command says about its run: application, device, model, grid and reading of
 * tau; with REPORT_TILE also variant, block and threads; with REPORT_SYNC the synchronisation. */
enum { REPORT_RUN = 1, REPORT_TILE = 2, REPORT_SYNC = 4 };
json_t *report_context_json(const struct report_run *run, unsigned parts);

/* `spread`: what the stated standard deviations do to the result; NULL if none is stated. */
void report_predict(FILE *to, const struct report_run *run, const gz_prediction *prediction,
                    const gz_uncertainty *spread);
json_t *report_predict_json(const struct report_run *run, const gz_prediction *prediction,
                            const gz_uncertainty *spread);

/* `other`: the prediction that the best height is compared with: at height 1, or at height 2 if 1
 * is the best; NULL if there is no other height. `tile`: the search that chose the block, NULL if
 * the block was given. */
void report_optimize(FILE *to, const struct report_run *run, const gz_optimum *optimum,
                     const gz_prediction *other, const gz_tile *tile, const gz_uncertainty *spread);
json_t *report_optimize_json(const struct report_run *run, const gz_optimum *optimum,
                             const gz_uncertainty *spread);

void report_choose(FILE *to, const struct report_run *run, const gz_choice *choice);
json_t *report_choose_json(const struct report_run *run, const gz_choice *choice);

/* Parameters in the order of |d ln CPL / d ln p|; those that do not exist here are left out. */
void report_sensitivity(FILE *to, const struct report_run *run, const gz_sensitivity *sensitivity);
json_t *report_sensitivity_json(const struct report_run *run, const gz_sensitivity *sensitivity);

/* The candidates of gz_tune, the best first. */
void report_tune(FILE *to, const struct report_run *run, const gz_candidate *candidates, size_t n);
json_t *report_tune_json(const struct report_run *run, const gz_candidate *candidates, size_t n);

/* One line about what is built in under the name `key`. */
void report_device_line(FILE *to, const char *key, const gz_device *dev);
void report_app_line(FILE *to, const char *key, const gz_app *app);

#endif
