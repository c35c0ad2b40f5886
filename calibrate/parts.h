/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parts.h - what a calibration spends its time on, and how much each part may take on two quiet
 * cores: under a minute in all for the device, and under a quarter of one for each stencil.
 */
#ifndef GZC_PARTS_H
#define GZC_PARTS_H

#include <stdbool.h>
#include <stdio.h>

enum gzc_part {
    GZC_PART_BENCHES, /* compiling the benchmarks */
    GZC_PART_BEFORE,  /* gz2's benchmarks, before the rest */
    GZC_PART_ROUNDS,  /* the others' rounds */
    GZC_PART_STAGES,  /* nearly empty stages */
    GZC_PART_AFTER,   /* gz2's benchmarks, after the rest */
    GZC_PART_SOLVE,   /* what is computed of all this */
    /* of each stencil */
    GZC_PART_PROFILES, /* compiling it at its default block */
    GZC_PART_KERNELS,  /* compiling its kernels for gz2's runs */
    GZC_PART_LOOPS,    /* its rounds: what is spent once and in each loop */
    GZC_PART_RUNS,     /* its runs for gz2 */
    GZC_PART_COUNTS,   /* instructions, by counters */
    GZC_PART_FACTORS,  /* its runs for --fit */
    GZC_PARTS,
    GZC_PART_OF_STENCIL = GZC_PART_PROFILES /* the first of these */
};

/* In words; and the seconds that it may take, for each stencil if it is a stencil's. */
const char *gzc_part_name(enum gzc_part part);
double gzc_part_budget_s(enum gzc_part part);

struct gzc_parts {
    double begun_s, since_s; /* on cli_now's clock */
    double spent_s[GZC_PARTS];
};

void gzc_parts_begin(struct gzc_parts *parts);

/* What has passed since the last call, or since the beginning, was spent on `part`. */
void gzc_parts_spend(struct gzc_parts *parts, enum gzc_part part);

/* Whether what takes `next_s` more of `part` stays within its budget for `stencils` of them. */
bool gzc_parts_fits(const struct gzc_parts *parts, enum gzc_part part, int stencils, double next_s);

/* A table of what took how long, with the budgets. */
void gzc_parts_print(const struct gzc_parts *parts, int stencils, FILE *to);

#endif
