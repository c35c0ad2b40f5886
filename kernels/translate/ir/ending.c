/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ending.c - how many turns a device runs where what it finds in them says whether there is
 * another. A value is loose if it depends on what is found, or if C must not compute it in a turn
 * that there may not be.
 */
#include "turn.h"

#include "build.h"

#include <string.h>

static bool refuse(struct ir_turn *turn, const char *why)
{
    return plan_refuse(turn->plan, turn->plan->measure->fold[0]->loop->begin, turn->time->begin,
                       "%s", why);
}

/* Whether a value depends on what is found in its own turn. */
static bool is_found(const struct ir_turn *turn, const struct ir_value *value)
{
    return ir_holds(turn->plan->ir, value, turn->plan->measure->found);
}

/* Whether a turn that ends the loop leaves what the device wrote and the host did not get: blocks
 * of memory that it does not write once more. */
static bool leaves_behind(const struct ir_turn *turn, const struct plan_end *end)
{
    const struct plan *plan = turn->plan;
    for (int i = 0; i < end->cuts; i++)
        if (end->cut[i]->access.object != plan->field[0]->object || plan->field[0]->planes > 1)
            return true;
    return false;
}

static bool is_moving_load(const struct ir_value *value, const void *time)
{
    return value->code == IR_LOAD && value->op->loop == time && value->op->access.address->home;
}

bool ir_turn_loosen(struct ir_turn *turn)
{
    const struct plan *plan = turn->plan;
    int roots;
    struct ir_value **root = ir_turn_roots(turn, true, &roots);
    turn->loose = gzt_alloc((size_t)plan->ir->values + 1);
    for (int i = 0; i < plan->ir->values; i++)
        turn->loose[i] = ir_harms(plan->ir, plan->ir->value[i]);
    turn->loose[plan->measure->found->number] = 1;
    ir_spread(plan->ir, 1, turn->loose);
    for (int i = 0; i < turn->phis; i++)
        if (turn->loose[turn->phi[i]->number] && !ir_turn_has_variable(turn, turn->phi[i]))
            return refuse(turn, "what cells compute decides on more than whether the loop goes on");
    for (int i = 0; i < plan->ends; i++)
        if (is_found(turn, plan->end[i]->when) && leaves_behind(turn, plan->end[i]))
            return refuse(turn, "what cells compute decides on the rest of the time step, too");
    for (int i = 0; i < roots; i++)
        if (ir_any(plan->ir, root[i], is_moving_load, turn->time))
            return refuse(turn, "the time loop goes on by memory, and by what cells compute");
    return plan->values + plan->steps == 0 ||
           refuse(turn, "turns differ in what cells read, and the time loop goes on by what cells "
                        "compute");
}

/* -------------------------------------------------------------------------------------- text */

const char *ir_turn_found(const struct ir_turn *turn, const struct ir_value *value)
{
    const struct plan_measure *measure = turn->plan->measure;
    const struct plan_fold *fold = turn->fold;
    if (measure && value == measure->found)
        return "gz_f";
    for (int i = 0; fold && i < fold->guards; i++)
        if (value == fold->guard[i])
            return fold->unless[i] ? "0" : "1";
    return !fold                  ? NULL
           : value == fold->phi   ? "gz_f"
           : value == fold->value ? gzt_format("((%s)gz_m)", ir_c_type(value))
                                  : NULL;
}

/* Lets the turn before, gz_u, be the program's own if a condition holds. */
static void put_last(struct ir_turn *turn, const char *when)
{
    gzt_add(turn->c.text, "if (%s) {\n", when);
    ir_turn_copy(turn, "gz_t", "gz_u");
    gzt_add(turn->c.text, "gz_count -= gz_count > 0;\nbreak;\n}\n");
}

/* Whether a condition may hold, by what is not loose in it, which C may compute anywhere. */
static const char *may_hold(struct ir_turn *turn, const struct ir_value *v)
{
    if (!ir_turn_is_loose(turn, v))
        return ir_c_value(&turn->c, v);
    if (v->code != IR_SELECT)
        return "1";
    return gzt_format(ir_turn_is_loose(turn, v->a[0]) ? "((%s && %s) || %s)" : "(%s ? %s : %s)",
                      may_hold(turn, v->a[0]), may_hold(turn, v->a[1]), may_hold(turn, v->a[2]));
}

/* Lets a turn be the program's own if a condition holds, and the one before where it needs it. */
static void put_owns(struct ir_turn *turn, bool loose)
{
    for (int i = 0; i < turn->plan->owns; i++) {
        const struct ir_value *when = turn->plan->own_when[i];
        if (ir_turn_is_loose(turn, when) == loose && turn->plan->stale)
            put_last(turn, ir_c_value(&turn->c, when));
        else if (ir_turn_is_loose(turn, when) == loose)
            gzt_add(turn->c.text, "if (%s)\nbreak;\n", ir_c_value(&turn->c, when));
    }
}

void ir_turn_count(struct ir_turn *turn)
{
    struct gzt_text *text = turn->c.text;
    for (int i = 0; i < turn->phis; i++)
        gzt_add(text, "%s gz_u%d = gz_t%d;\n", ir_c_type(turn->phi[i]), turn->phi[i]->number,
                turn->phi[i]->number);
    turn->foresees = true;
    int loop = ir_c_open(&turn->c, "for (;;)"), head = ir_c_open(&turn->c, "");
    put_last(turn, gzt_format("!(%s)", may_hold(turn, turn->time->holds)));
    for (int i = 0; i < turn->plan->ends; i++)
        if (!ir_turn_is_loose(turn, turn->plan->end[i]->when))
            put_last(turn, ir_c_value(&turn->c, turn->plan->end[i]->when));
    put_owns(turn, false);
    ir_c_close(&turn->c, head);
    gzt_add(text, "if (gz_count == %d)\nbreak;\n", IR_MOST_TURNS);
    ir_turn_copy(turn, "gz_u", "gz_t");
    gzt_add(text, "gz_count++;\n");
    ir_turn_advance(turn);
    ir_c_close(&turn->c, loop);
    turn->foresees = false;
    ir_turn_copy(turn, "gz_u", "gz_t");
}

/* What is found in the turn, of what the device has. */
static void put_found(struct ir_turn *turn)
{
    const struct plan_measure *measure = turn->plan->measure;
    struct gzt_text *text = turn->c.text;
    bool sum = measure->finds == PLAN_SUM, whole = measure->type == IR_I64;
    gzt_add(text, "{\n%s gz_m = 0;\nif (!gz_stencil_measure(gz_run, gz_count, &gz_m)",
            whole ? "long" : "double");
    if (measure->either_zero)
        gzt_add(text, " || (gz_m == 0 && !gz_stencil_usable(gz_run, GZ_STENCIL_EITHER_ZERO))");
    gzt_add(text, ") {\ngz_fine = 0;\nbreak;\n}\n%s",
            measure->finds == PLAN_LEAST ? "gz_m = -gz_m;\n" : "");
    int opened = ir_c_open(&turn->c, "");
    gzt_add(text, "gz_f = %s;\n", ir_c_value(&turn->c, measure->start));
    ir_c_close(&turn->c, opened);
    if (sum)
        gzt_add(text, "gz_f = (%s)((%s)gz_f + (%s)gz_m);\n", ir_c_type(measure->found),
                whole ? "unsigned long" : "double", whole ? "unsigned long" : "double");
    for (int i = 0; i < measure->folds && !sum; i++) {
        opened = ir_c_open(&turn->c, "");
        turn->fold = measure->fold[i];
        gzt_add(text, "gz_f = %s;\n", ir_c_value(&turn->c, turn->fold->phi->a[1]));
        turn->fold = NULL;
        ir_c_close(&turn->c, opened);
    }
    gzt_add(text, "}\n");
}

void ir_turn_measure(struct ir_turn *turn)
{
    struct gzt_text *text = turn->c.text;
    gzt_add(text,
            "const long gz_most = gz_count;\nint gz_fine = gz_stencil_usable(gz_run, gz_usable);\n"
            "gz_count = 0;\n");
    ir_turn_copy(turn, "gz_t", "gz_b");
    ir_turn_copy(turn, "gz_u", "gz_b");
    int loop = ir_c_open(&turn->c, "while (gz_fine)"), head = ir_c_open(&turn->c, "");
    put_last(turn, gzt_format("!(%s)", ir_c_value(&turn->c, turn->time->holds)));
    for (int i = 0; i < turn->plan->ends; i++)
        if (ir_turn_is_loose(turn, turn->plan->end[i]->when) &&
            !is_found(turn, turn->plan->end[i]->when))
            put_last(turn, ir_c_value(&turn->c, turn->plan->end[i]->when));
    gzt_add(text, "if (gz_count == gz_most)\nbreak;\n");
    ir_c_close(&turn->c, head);
    put_found(turn);
    head = ir_c_open(&turn->c, "");
    for (int i = 0; i < turn->plan->ends; i++)
        if (is_found(turn, turn->plan->end[i]->when))
            gzt_add(text, "if (%s)\nbreak;\n", ir_c_value(&turn->c, turn->plan->end[i]->when));
    put_owns(turn, true);
    ir_c_close(&turn->c, head);
    ir_turn_copy(turn, "gz_u", "gz_t");
    gzt_add(text, "gz_count++;\n");
    ir_turn_advance(turn);
    ir_c_close(&turn->c, loop);
    ir_turn_copy(turn, "gz_u", "gz_t");
    gzt_add(text, "if (!gz_fine)\ngz_count = gz_most;\n");
}
