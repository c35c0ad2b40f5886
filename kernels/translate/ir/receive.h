/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * receive.h - what the host does in each turn that a device runs: it stores, adds up or prints
 * elements of fields, as receivers and probes do. Once the turns have run, it repeats these
 * operations turn by turn, with the values that the device has recorded of these elements.
 *
 * An operation is the host's if no sweep reads what it sets and it stands in fewer loops than
 * sweeps do. Which elements it reads must not go by the time, nor what it does by their values.
 */
#ifndef GZT_IR_RECEIVE_H
#define GZT_IR_RECEIVE_H

#include "decide.h"
#include "turn.h"

/* Whether the host's operations set memory of an object. */
bool plan_host_sets(const struct plan *plan, const struct ir_object *object);

/* What is declared before the time loop. */
void ir_replay_declare(struct ir_turn *turn);

/* States where they read and write in the turns, and which elements are to be recorded. */
void ir_replay_begin(struct ir_turn *turn);

/* Does them for the turns that ran, or so that the program's own turns can be compared; then does
 * that. */
void ir_replay(struct ir_turn *turn);
void ir_replay_compare(struct ir_turn *turn);

#endif
