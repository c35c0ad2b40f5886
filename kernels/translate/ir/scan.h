/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scan.h - functions, conditions and sets as C text, with parameters as variables: gz_p<number>
 * for an invariant value, gz_t<number> for the phi that counts a loop. The coordinates of a cell
 * are gz_z0, gz_z1 and, last, gz_x.
 */
#ifndef GZT_IR_SCAN_H
#define GZT_IR_SCAN_H

#include "relations.h"

/* The functions that these texts call, to stand at the head of a file. */
extern const char *const ir_scan_functions;

/* The value or the loop that a parameter stands for; the other is NULL. */
struct ir_value *ir_scan_parameter(const struct ir_affine *affine, isl_id *id,
                                   const struct ir_loop **loop);

/* A function of parameters and of a cell, where that is known; a condition on parameters. Take
 * theirs. */
const char *ir_scan_value(struct ir_affine *affine, isl_pw_aff *f);
const char *ir_scan_test(struct ir_affine *affine, isl_set *set);

/* Loops over the elements of a set, each once, in the order of their coordinates: `row` gets those
 * that are neighbours along the last one, as the others' texts, and the text of its first and,
 * behind, of its end; NULL for a single one. Takes the set. */
typedef const char *ir_scan_row(void *data, const char *const *at, const char *low,
                                const char *end);
const char *ir_scan_loops(struct ir_affine *affine, isl_set *set, ir_scan_row *row, void *data);

#endif
