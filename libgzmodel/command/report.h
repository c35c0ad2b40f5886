/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * report.h - the model's results for people. (As JSON for programs: answer.h.)
 */
#ifndef GZ_CLI_REPORT_H
#define GZ_CLI_REPORT_H

#include "answer.h"

#include <stdio.h>

/* Writes an answer, of which `object` is the JSON, whose members it changes; non-zero if memory is
 * short. */
int report_answer(FILE *to, const gzi_question *question, const gzi_answer *answer, json_t *object);

#endif
