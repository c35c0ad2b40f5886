/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.h - the model's results as tables for people. (As JSON for programs: answer.h.)
 */
#ifndef GZ_CLI_REPORT_H
#define GZ_CLI_REPORT_H

#include "answer.h"

#include <stdio.h>

/* The answer. */
void report_answer(FILE *to, const gzi_question *question, const gzi_answer *answer);

/* One line about what is built in under the name `key`. */
void report_device_line(FILE *to, const char *key, const gz_device *dev);
void report_app_line(FILE *to, const char *key, const gz_app *app);

#endif
