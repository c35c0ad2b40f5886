/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * turn.h - the time loop's turns on the host: what the program's variables become by one turn,
 * whether there is another, and in which the program must run its own.
 *
 * A phi of the time loop is the variable gz_t<number>, its value in the turn meant. gz_b<number> is
 * that at the head of the turn in which the call stands. One that no variable of the user's
 * holds there, as which of two blocks a pointer leads to, is kept from turn to turn in
 * gz_s<number>.
 */
#ifndef GZT_IR_TURN_H
#define GZT_IR_TURN_H

#include "c.h"
#include "offload.h"

#define IR_BY_CELLS "the time loop goes on by what loops over cells compute"

struct ir_turn {
    struct plan *plan;
    struct ir_affine *affine;
    const struct ir_loop *time;
    struct ir_c c;
    char *reached; /* by value: whether the time loop's operations come to it */
    char *plain; /* by value: whether what it is read from stays as it is, -1 if not, 0: unknown */
    struct ir_value **phi; /* what a turn hands to the next */
    int phis;
    struct ir_value **saved; /* LIVE_INs whose variables the loop changes */
    int saves;
    char *loose; /* by value, with a measure: whether the host, or C, can compute it in the turn
                    alone */
    const struct plan_fold *fold; /* that is being computed */
    bool before;                  /* whether what is written stands before the time loop */
    bool here; /* whether the loops may be taken to begin with the turn in which the call stands */
    const struct plan_place *place; /* that is written */
    bool foresees;                  /* whether it is that of turns before what they find is known */
    bool plays;                     /* whether the text is that of the host's own operations */
};

/* Finds what a turn hands on: for what is in the time loop and for the roots. */
void ir_turn_find(struct ir_turn *turn, struct plan *plan, struct ir_affine *affine);

/* The same, to be written. False with the plan's refusal set if the host cannot; that is also
 * set by who writes a value that it cannot compute. What was not found before, such a text finds:
 * it is then to be written once more. */
bool ir_turn_begin(struct ir_turn *turn, struct plan *plan);

/* The values that the host computes in each turn to count them: whether there is another turn, and
 * whether it is the program's own or, with `ends`, the last; and the phis. */
struct ir_value **ir_turn_roots(const struct ir_turn *turn, bool ends, int *count);

/* Whether what turns compute decides on a phi, so that only the host's own operations set it. */
bool ir_turn_is_late(const struct ir_turn *turn, const struct ir_value *phi);

/* The statement that the time loop repeats; NULL if it is none of for, while and do. */
const struct gzt_node *ir_turn_body(const struct ir_loop *time);

/* Declarations before the time loop; at the head of its body; there, but before it is left. */
void ir_turn_declare(struct ir_turn *turn);
void ir_turn_read(struct ir_turn *turn);
void ir_turn_keep(struct ir_turn *turn);

/* All phis by name: "gz_t" of "gz_b", for example. */
void ir_turn_copy(struct ir_turn *turn, const char *to, const char *from);

/* Lets the phis become what they are in the next turn. */
void ir_turn_advance(struct ir_turn *turn);

/* States that a value is read from an address. */
void ir_turn_span(struct ir_turn *turn, const struct ir_value *value, const char *at);

/* States what memory a value is read from, but for that of values that `seen` has; in a block
 * behind `before`, if it is not NULL, in which C computes the value. */
void ir_turn_reads(struct ir_turn *turn, const char *before, const struct ir_value *value,
                   char *seen);

/* Counts turns, gz_count of them, up to one of the program's own, in which phis are gz_u<number>;
 * the last is. With a measure, so many at most. */
void ir_turn_count(struct ir_turn *turn);

/* With a measure: finds which values are `loose`, false with the refusal set if that cannot be.
 * With a run of so many turns: counts those that what it finds leaves, with the phis behind them in
 * gz_t and gz_u, and clears gz_fine, or settles. */
bool ir_turn_loosen(struct ir_turn *turn);
void ir_turn_measure(struct ir_turn *turn);

/* Whether the host, or C, can compute a value in the turn alone. */
bool ir_turn_is_loose(const struct ir_turn *turn, const struct ir_value *value);

/* Whether a variable's name means it at the head of the time loop's body. */
bool ir_turn_is_visible(const struct ir_turn *turn, const struct ir_value *address);

/* Whether a variable of the user's holds a phi at the head of the body. */
bool ir_turn_has_variable(const struct ir_turn *turn, const struct ir_value *phi);

/* The name of a value in ending.c's text, or NULL. */
const char *ir_turn_found(const struct ir_turn *turn, const struct ir_value *value);

/* Sets the user's variables to what the phis are; compares them with gz_w<number>. */
void ir_turn_set(struct ir_turn *turn);
void ir_turn_compare(struct ir_turn *turn);

/* An element that a place leads to for the cell, in the turn of the phis, as an expression that can
 * be set. */
const char *ir_turn_element(struct ir_turn *turn, const struct plan_place *place);

/* Whether all of a row's elements lie between those of its first and last cell; with `pointers`,
 * those that choose rows are read on the way. */
bool ir_turn_goes_straight(const struct ir_turn *turn, const struct plan_place *place,
                           bool pointers);

/* Whether the host's operations (receive.c) set memory of an object. */
bool plan_host_sets(const struct plan *plan, const struct ir_object *object);

/* What they need before the time loop; states where they read and write in the turns, and which
 * elements are to be recorded; does them for the turns that ran, or so that the program's own turns
 * can be compared; then does that. */
void ir_replay_declare(struct ir_turn *turn);
void ir_replay_begin(struct ir_turn *turn);
void ir_replay(struct ir_turn *turn);
void ir_replay_compare(struct ir_turn *turn);

#endif
