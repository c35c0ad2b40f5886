/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * verdict.h - the models' verdicts on one table or on several together, for people, as Markdown and
 * as tables for figures.
 */
#ifndef GZ_VERDICT_H
#define GZ_VERDICT_H

#include "judge.h"
#include "output.h"

enum {
    REPORT_MODELS = GZ_MODEL_GZ2, /* the first is GZ_MODEL_MENG2011 */
    REPORT_VARIANTS = GZ_VARIANT_NAIVE + 1,
    REPORT_COLUMNS = MEASURED_MAX_APPS + REPORT_VARIANTS + 1
};

/* Which points a column of a verdict is of, with their noise. */
typedef struct report_column {
    const char *name;
    const char *app; /* of this stencil alone; NULL: of any */
    int variant;     /* a gz_variant; -1: of all */
    judge_floor floor;
} report_column;

/* One model by the device and application files of the tables, none of whose points calibrated it.
 */
typedef struct report_model {
    gz_model model;
    size_t described;                  /* points; 0: it is not judged */
    gz_error missing[REPORT_VARIANTS]; /* empty, or why the first point of a variant is not */
    judge_point *points;
    judge_verdict verdict[REPORT_COLUMNS];
} report_model;

typedef struct report {
    const measured *tables;
    int n_tables, n_columns, n_models;
    size_t n; /* points */
    judge_point *points;
    report_column column[REPORT_COLUMNS];
    report_model of[REPORT_MODELS];
} report;

/* Judges every model that there is. `tables` must outlive the result, which report_free ends. */
void report_make(const measured *tables, int n_tables, report *out);
void report_free(report *r);

/* Prints the verdict; `other_device` is the file that replaced the table's, or NULL. Writes it as
 * verdict.md and models.tsv into `folder`, unless that is NULL. Returns an exit status, after
 * cli_fail unless CLI_DONE. */
int report_write(const report *r, const char *other_device, const char *folder);

/* --------------------------------------------------------------------------------------- sheets */

/* A table in memory until it is whole. */
typedef struct cli_sheet sheet;

/* Begins a sheet with the `#` lines: what it shows, what the measured table says of itself, the
 * columns, which are lines "column NAME: UNIT, MEANING"; and the header row. */
void sheet_head(sheet *s, const measured *table, const char *what, const char *columns);
/* Writes it as FOLDER/NAME. Returns an exit status, after cli_fail unless CLI_DONE. */
int sheet_write(sheet *s, const char *folder, const char *name);

#endif
