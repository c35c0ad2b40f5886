/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * variants.h - the second model's trapezoids, streamed tiles and blocks without local memory beside
 * what they took, and the choice among them, by the device and application files of the table. The
 * judges of judge.h and both.h are of trapezoids only.
 */
#ifndef GZ_VARIANTS_H
#define GZ_VARIANTS_H

#include "judge.h"
#include "table.h"

enum { VARIANTS = GZ_VARIANT_NAIVE + 1 };

typedef struct variants {
    const measured *table;
    size_t n; /* points of all variants; 0 if all are trapezoids: nothing to judge */
    const measured_row **row;   /* theirs */
    double *predicted;          /* s per loop; NaN: the model does not describe it */
    gz_error missing[VARIANTS]; /* by gz_variant: empty, or why the first point is not described */
    size_t points[VARIANTS];    /* described */
    double error[VARIANTS][2];  /* |predicted / measured - 1|: median, 95th percentile; NaN: none */
    size_t problems; /* grids of a stencil with described points of two variants at least */
    double right;    /* share of them whose fastest variant was chosen; NaN: none */
    double joint[2]; /* regret of variant, tile, height and mode: median, 95th percentile */
} variants;

/* GZ_OK or GZ_ENOMEM. `table` must outlive the result. Ended by variants_free. */
gz_status variants_judge(const measured *table, variants *out);
void variants_free(variants *v);

/* What was found, for people; nothing if there are no points. */
void variants_print(const variants *v);

/* Writes variants.tsv, the fastest tile of each variant at each height, measured and predicted,
 * into `folder`; nothing if there are no points. Returns an exit status, after cli_fail unless
 * CLI_DONE. */
int variants_write(const variants *v, const judge *j, const char *folder);

#endif
