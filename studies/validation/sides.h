/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sides.h - what both.h found, for people and for figures.
 */
#ifndef GZ_SIDES_H
#define GZ_SIDES_H

#include "both.h"
#include "judge.h"

#include <stdio.h>

/* Prints the models' verdicts, one table a model, and what the files lack for one that has none. */
void sides_print(const both *b);

/* The same in Markdown: a row a model and application. */
void sides_markdown(const both *b, FILE *to);

/* Writes models.tsv (verdicts and floors) and model_points.tsv into `folder`. Returns an exit
 * status, after cli_fail unless CLI_DONE. */
int sides_write(const both *b, const judge *j, const char *folder);

#endif
