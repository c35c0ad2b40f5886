/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verdict.h - the judge's verdicts in words and tables.
 *
 * Several opinions of one table are formed. The headline is by the device file's own factors and,
 * if it leaves enough points, the strict rule (judge_rule_of). Beside it are the other rule; the
 * paper's factors, if the file has others; and an experiment with the cache's bandwidth.
 */
#ifndef GZ_VERDICT_H
#define GZ_VERDICT_H

#include "both.h"
#include "judge.h"

/* What the model is given in the place of what the device file says. */
typedef enum factors {
    FACTORS_FILE,  /* nothing */
    FACTORS_PAPER, /* sigma, mu and beta as the paper assumed them */
    FACTORS_CACHE, /* the cache's bandwidth for what a cache holds (judge_options.by_cache) */
    FACTORS_KINDS
} factors;

/* "file", "paper" or "cache"; NULL beyond. */
const char *factors_name(int which);

/* The table, judged in one way. */
typedef struct opinion {
    factors by;
    judge_rule rule;
    measured table; /* with the device that it is judged by; its rows are the first one's */
    judge j;
} opinion;

enum { MOST_OPINIONS = FACTORS_KINDS * JUDGE_RULES };

typedef struct opinions {
    int n; /* the headline first */
    opinion each[MOST_OPINIONS];
} opinions;

/* The headline by `chosen`, then the other rule, then other factors by the headline's rule and by
 * the other. Ended by opinions_free, also after a failure. */
gz_status opinions_form(opinions *all, const measured *table, factors chosen, gz_error *error);
void opinions_free(opinions *all);

/* Prints the verdict on stdout; `other_device` is the file that replaced the table's, or NULL. */
void verdict_print(const opinions *all, const char *other_device);

/* Writes verdict.tsv, or verdict.md as the README has it, into `folder`. Both return an exit
 * status, after cli_fail unless CLI_DONE. */
int verdict_write(const opinions *all, const char *folder);
int verdict_write_markdown(const opinions *all, const both *sides, const char *folder);

#endif
