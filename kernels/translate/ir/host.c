/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * host.c - what stands at the head of the time loop's body: it counts the turns that a device can
 * run, hands it what they read, takes back what they wrote, and sets the variables of the program,
 * whose own turn follows. If no device runs them, all are the program's own.
 */
#include "../region.h"
#include "decide.h"
#include "scan.h"
#include "stencil.h"
#include "turn.h"

#include <string.h>

struct host {
    struct plan *plan;
    struct ir_affine *affine;
    struct ir_turn turn;
    struct gzt_text *text;
    char *given;    /* by value: whether it is a parameter of a set */
    char *declared; /* by value: whether it is a variable by now; NULL: all that are given are */
    const struct plan_place *place;   /* of the row that is written */
    const struct plan_place **places; /* element i is gz_at<i> */
    int place_count;
    enum { FILL, TAKE, BOUND, COMPARE } what;
    bool written; /* whether turns write its elements */
};

static const char *type(const struct host *h)
{
    return ir_type_name(h->plan->type);
}

/* -------------------------------------------------------------------------------- parameters */

/* Of a set, what can be tested: its parameters that are variables by then. */
static const char *test_of(struct host *h, isl_set *set)
{
    for (int i = (int)isl_set_dim(set, isl_dim_param) - 1; i >= 0; i--) {
        const struct ir_loop *loop;
        isl_id *id = isl_set_get_dim_id(set, isl_dim_param, (unsigned)i);
        const struct ir_value *other = ir_scan_parameter(h->affine, id, &loop);
        if (!other || !(h->declared ? h->declared : h->given)[other->number])
            set = isl_set_project_out(set, isl_dim_param, (unsigned)i, 1);
    }
    return ir_scan_test(h->affine, set);
}

/* `under`, and a condition that holds, or does not, if it is the same throughout. */
static const char *narrowed(struct host *h, const char *under, const struct ir_value *condition,
                            bool holds)
{
    long whole;
    if (holds && condition->code == IR_SELECT && ir_is_whole(condition->a[2], &whole) && !whole)
        return narrowed(h, narrowed(h, under, condition->a[0], true), condition->a[1], true);
    bool told = !condition->home || condition->home == h->plan->time;
    return !told || condition->code == IR_CONST ? under
                                                : gzt_format("%s && %s%s", under, holds ? "" : "!",
                                                             ir_c_written(&h->turn.c, condition));
}

/* Adds to `when` the conditions under which C computes `value` as a part of `root`, which it
 * computes `under` that. */
static void add_uses(struct host *h, const struct ir_value *root, const struct ir_value *value,
                     const char *under, struct gzt_text *when)
{
    bool chooses = root->code == IR_SELECT;
    const char *also = gzt_format(" || (%s)", under);
    if (root == value && !strstr(gzt_string(when), also))
        gzt_add(when, "%s", also);
    for (int i = 0; i < root->arguments && root->code != IR_PHI; i++)
        add_uses(h, root->a[i], value,
                 chooses && i > 0 ? narrowed(h, under, root->a[0], i == 1) : under, when);
}

/* The parameters with which the body of a loop runs. */
static isl_set *runs(struct host *h, const struct ir_loop *loop)
{
    isl_set *set = isl_set_universe(isl_space_set_alloc(h->affine->isl, 0, 0));
    for (; loop; loop = loop->around)
        set = isl_set_intersect(set, isl_set_copy(h->affine->turns[loop->number].body));
    return set;
}

/* The same for what C computes with parameters of a set, which is taken, where `where` holds, if it
 * is not NULL. */
static void add_root(struct host *h, const struct ir_value *root, const struct ir_value *value,
                     isl_set *run, const struct ir_value *where, struct gzt_text *when)
{
    if (!ir_holds(h->plan->ir, root, value))
        return;
    const char *under = test_of(h, isl_set_copy(run));
    add_uses(h, root, value, where ? narrowed(h, under, where, true) : under, when);
}

/* The condition under which C computes a value. */
static const char *when_computed(struct host *h, const struct ir_value *value)
{
    const struct ir_region *ir = h->plan->ir;
    struct gzt_text when = {0};
    bool exact = true;
    for (int i = 0; i < ir->loops; i++) {
        const struct ir_loop *loop = ir->loop[i];
        isl_set *around = runs(h, loop->around),
                *entered = ir_where(h->affine, loop->where, true, &exact);
        entered = isl_set_intersect(isl_set_copy(around), entered);
        add_root(h, loop->where, value, around, NULL, &when);
        for (int k = 0; k < loop->phis; k++)
            add_root(h, loop->phi[k]->a[0], value, entered, loop->where, &when);
        add_root(h, loop->holds, value, entered, loop->where, &when);
    }
    for (int i = 0; i < ir->ops; i++) {
        const struct ir_op *op = ir->op[i];
        const struct ir_value *part[] = {op->access.address, op->value};
        add_root(h, op->where, value, runs(h, op->loop), NULL, &when);
        for (int k = 0; k < 2; k++) /* ir_when may add to sets: for such parts only */
            if (part[k] && ir_holds(ir, part[k], value))
                add_root(h, part[k], value, ir_when(h->affine, op, &exact), op->where, &when);
    }
    return when.length ? gzt_format("(0%s)", gzt_string(&when)) : "1";
}

/* Whether a condition, by its text, depends on the turn, in which its guarded value is computed. */
static bool is_of_turn(const char *when)
{
    return strstr(when, "gz_t") != NULL;
}

/* The condition under which C computes a number in turn gz_k: once for all turns if it can. */
static const char *when_counted(struct host *h, const struct plan_number *number, bool once)
{
    const char *when = ir_scan_test(h->affine, isl_set_copy(number->when));
    if (number->value && ir_harms(h->plan->ir, number->value))
        when = gzt_format("%s && %s", when, when_computed(h, number->value));
    return once && !is_of_turn(when) ? gzt_format("gz_k == 0 && %s", when) : when;
}

/* Writes whether the turn ends the loop before C has computed all of it, as far as that follows
 * without parameters, which may be part of it. */
static void put_ended(struct host *h)
{
    gzt_add(h->text, "int gz_ended = 0;\n");
    for (int i = 0; i < h->plan->ends; i++) {
        const struct ir_value *when = h->plan->end[i]->when;
        if (ir_turn_is_loose(&h->turn, when))
            continue;
        int opened = ir_c_open(&h->turn.c, "if (!gz_ended)");
        const char *value = ir_c_value(&h->turn.c, when);
        gzt_add(h->text, "gz_ended = !!(%s);\n", value);
        ir_c_close(&h->turn.c, opened);
    }
}

/* Parameters as variables: what C may not compute elsewhere, where it does. */
static void put_parameters(struct host *h)
{
    h->declared = gzt_alloc((size_t)h->plan->ir->values + 1);
    if (h->plan->ends)
        put_ended(h);
    for (int harms = 0; harms < 2; harms++)
        for (int i = 0; i < h->plan->ir->values; i++) {
            const struct ir_value *value = h->plan->ir->value[i];
            if (!h->given[i] || ir_harms(h->plan->ir, value) != harms)
                continue;
            gzt_add(h->text, "long gz_p%d = 0;\n", i);
            const char *when = harms ? when_computed(h, value) : "1",
                       *whole = h->plan->ends && harms ? "(gz_run || !gz_ended) && " : "";
            int opened = ir_c_open(&h->turn.c, gzt_format("if (%s%s)", whole, when));
            h->turn.here = true;
            const char *text = ir_c_value(&h->turn.c, value);
            h->turn.here = false;
            gzt_add(h->text, "gz_p%d = (long)%s;\n", i, text);
            ir_c_close(&h->turn.c, opened);
            if (is_of_turn(when))
                gzt_add(h->text, "else\ngz_usable = GZ_STENCIL_LATER_SIZES;\n");
            h->declared[i] = 1;
        }
    h->declared = NULL;
}

/* -------------------------------------------------------------------------------------- rows */

static const char *cell_place(const struct host *h)
{
    const struct plan *plan = h->plan;
    const char *text = "";
    for (int axis = plan->dimensions - 1; axis >= 0; axis--) {
        const char *name = axis ? gzt_format("gz_z%d", plan->dimensions - 1 - axis) : "gz_x";
        const char *here = gzt_format("(%s - gz_grid[%d])", name, axis);
        text = *text ? gzt_format("(%s * gz_size[%d] + %s)", text, axis, here) : here;
    }
    return text;
}

/* Loads that choose where a place is, by cells. */
static void find_loads(const struct host *h, const struct ir_value *value, char *seen,
                       struct ir_value ***loads, int *count)
{
    if (seen[value->number])
        return;
    seen[value->number] = 1;
    if (value->code == IR_LOAD) {
        if (value->op->loop != h->plan->time)
            gzt_push(loads, count, value);
        find_loads(h, value->op->access.address, seen, loads, count);
    }
    for (int i = 0; i < value->arguments && value->code != IR_PHI; i++)
        find_loads(h, value->a[i], seen, loads, count);
}

/* The element of the row's place for the cell. */
static const char *element_of(struct host *h)
{
    int i = 0;
    while (i < h->place_count && h->places[i] != h->place)
        i++;
    if (i == h->place_count)
        gzt_push(&h->places, &h->place_count, h->place);
    return gzt_format("gz_at%d", i);
}

/* Sets gz_one and gz_two to the ends of what lies at a row's addresses; gz_x is its first cell. */
static void add_ends(struct gzt_text *text, const char *address, bool straight)
{
    gzt_add(text, "gz_one = (const char *)%s;\n", address);
    if (straight)
        gzt_add(text, "gz_x = gz_high - 1;\ngz_two = (const char *)%s;\n", address);
    else
        gzt_add(text,
                "gz_two = gz_one;\nfor (gz_x++; gz_x < gz_high; gz_x++) {\n"
                "const char *gz_at = (const char *)%s;\n"
                "gz_one = gz_at < gz_one ? gz_at : gz_one;\n"
                "gz_two = gz_at > gz_two ? gz_at : gz_two;\n}\n",
                address);
}

static const char *bounds(struct host *h, const char *element)
{
    struct ir_value **loads = NULL;
    struct gzt_text text = {0};
    int count = 0;
    find_loads(h, h->place->op->access.address, gzt_alloc((size_t)h->plan->ir->values), &loads,
               &count);
    bool straight = ir_turn_goes_straight(&h->turn, h->place, count > 0);
    gzt_add(&text, "const char *gz_one, *gz_two;\nlong gz_x = gz_low;\n");
    add_ends(&text, gzt_format("&%s", element), straight);
    if (count == 0)
        gzt_add(&text,
                "%sgz_first = gz_first && gz_first < gz_one ? gz_first : gz_one;\n"
                "gz_first = gz_first < gz_two ? gz_first : gz_two;\n"
                "gz_last = gz_last > gz_two ? gz_last : gz_two;\n"
                "gz_last = gz_last > gz_one ? gz_last : gz_one;\n",
                h->written
                    ? "if (gz_last && gz_one <= gz_last)\ngz_usable = GZ_STENCIL_OTHER_ROWS;\n"
                    : "");
    else
        gzt_add(&text, "gz_stencil_span(gz_run, gz_one, gz_two, sizeof %s, %d);\n", element,
                h->written);
    for (int i = 0; i < count; i++) {
        h->turn.place = h->place;
        const char *at = ir_c_written(&h->turn.c, loads[i]->op->access.address);
        h->turn.place = NULL;
        gzt_add(&text, "gz_x = gz_low;\n");
        add_ends(&text, at, straight);
        gzt_add(&text, "gz_stencil_span(gz_run, gz_one, gz_two, sizeof *%s, 0);\n", at);
    }
    return gzt_string(&text);
}

static const char *row(void *data, const char *const *at, const char *low, const char *end)
{
    struct host *h = data;
    struct gzt_text text = {0};
    const char *memory = element_of(h);
    const char *held = gzt_format(h->what == TAKE ? "gz_from[%s]" : "gz_to[%s]", cell_place(h));
    const char *run =
        h->place->op->access.type == h->plan->type ? "gz_run" : "0"; /* by conversion */
    gzt_add(&text, "{\n");
    for (int i = 0; i + 1 < h->plan->dimensions; i++)
        gzt_add(&text, "const long gz_z%d = %s;\n", i, at[i]);
    gzt_add(&text, "const long gz_low = %s, gz_high = %s;\n", low,
            end ? end : gzt_format("%s + 1", low));
    for (int i = 0; i + 1 < h->plan->dimensions; i++)
        gzt_add(&text, "(void)gz_z%d;\n", i);
    gzt_add(&text, "if (gz_low < gz_high) {\n");
    if (h->what == BOUND)
        gzt_add(&text, "%s", bounds(h, memory));
    else if (h->what == COMPARE)
        gzt_add(&text,
                "long gz_x;\nfor (gz_x = gz_low; gz_x < gz_high; gz_x++) {\n"
                "const %s gz_here = (%s)%s;\n"
                "if (__builtin_memcmp(&%s, &gz_here, sizeof gz_here) != 0)\n"
                "gz_usable = GZ_STENCIL_OTHER_BORDERS;\n}\n",
                type(h), type(h), memory, held);
    else
        gzt_add(&text, "GZ_STENCIL_ROW(%s, gz_x, gz_low, gz_high, %s, %s);\n", run,
                h->what == FILL ? held : memory, h->what == FILL ? memory : held);
    gzt_add(&text, "}\n}");
    return gzt_string(&text);
}

/* The same for each row of cells of a set, which is taken. */
static void put_rows(struct host *h, const struct plan_place *place, isl_set *cells, int what)
{
    h->place = place;
    h->what = (unsigned)what;
    cells = isl_set_reset_tuple_id(cells);
    if ((what == FILL || what == COMPARE) && /* what a buffer holds */
        isl_set_is_subset(cells, h->plan->grid) != isl_bool_true)
        cells = isl_set_reset_tuple_id(
            isl_set_coalesce(isl_set_intersect(cells, isl_set_copy(h->plan->grid))));
    gzt_add(h->text, "%s", ir_scan_loops(h->affine, cells, row, h));
    if (what == FILL || what == TAKE)
        gzt_add(h->text, "gz_stencil_copied(gz_run);\n");
}

/* ------------------------------------------------------------------------------------- spans */

/* Of the elements for cells: one span, or one for each row where pointers lead to these. */
static void put_span(struct host *h, const struct plan_place *place, isl_set *cells, bool written)
{
    h->written = written;
    gzt_add(h->text, "{\nconst char *gz_first = 0, *gz_last = 0;\n");
    put_rows(h, place, cells, BOUND);
    gzt_add(h->text,
            "if (gz_first)\n"
            "gz_stencil_span(gz_run, gz_first, gz_last, sizeof(__typeof__(%s)), %d);\n}\n",
            place->op->access.c, written);
}

/* Lets what follows be done only if C may read an array. */
static void put_condition(struct host *h, const struct plan_array *array)
{
    if (array->when)
        gzt_add(h->text, "if (%s)\n", ir_c_written(&h->turn.c, array->when));
}

static void put_array_span(struct host *h, const struct plan_array *array, bool written)
{
    put_condition(h, array);
    put_span(h, &array->place, isl_set_copy(array->cells), written);
}

static isl_set *touched(const struct plan_field *field)
{
    return isl_set_union(isl_set_copy(field->fill), isl_set_copy(field->take));
}

/* The box around cells; writes the test that others lie in it, of which no two share memory. */
static isl_set *put_box(struct host *h, isl_set *cells, isl_set *others)
{
    isl_set *box = plan_between(cells, 0);
    for (int k = 1; k < h->plan->dimensions; k++)
        box = isl_set_intersect(box, plan_between(cells, k));
    isl_set *out = isl_set_subtract(isl_set_copy(others), isl_set_copy(box));
    gzt_add(h->text, "if (%s)\ngz_usable = GZ_STENCIL_OTHER_POINTS;\n",
            ir_scan_test(h->affine, out));
    return box;
}

/* The spans of memory that a field and others are in by turns: of all of it only if the turns are
 * enough. */
static void put_field_spans(struct host *h, int number)
{
    const struct plan_field *field = h->plan->field[number];
    struct ir_value **loads = NULL;
    int rows = 0;
    find_loads(h, field->place.op->access.address, gzt_alloc((size_t)h->plan->ir->values), &loads,
               &rows);
    isl_set *all = NULL, *take = NULL, *seen = NULL;
    bool several = false;
    for (int i = number; i < h->plan->fields; i++) {
        const struct plan_field *other = h->plan->field[i];
        if (other->blocks != number)
            continue;
        all = ir_union(all, touched(other));
        take = ir_union(take, isl_set_copy(other->take));
        seen = other->seen ? ir_union(seen, isl_set_copy(other->seen)) : seen;
        several = several || i > number;
    }
    if (seen && !rows)
        all = put_box(h, all, seen);
    if (several)
        gzt_add(h->text, "if (gz_count < %d)\ngz_usable = GZ_STENCIL_FEW_LOOPS;\n",
                field->planes - 1);
    gzt_add(h->text, "if (gz_k < %d) {\n", field->planes);
    if (rows) { /* of each row: what is only read may share memory with the border */
        put_span(h, &field->place, isl_set_subtract(all, isl_set_copy(take)), false);
        if (seen)
            put_span(h, &field->place, seen, false);
        all = take;
    }
    put_span(h, &field->place, all, true);
    gzt_add(h->text, "}\n");
}

static void put_number_spans(struct host *h, const struct plan_number *number, bool once, char *had)
{
    if (number->value)
        ir_turn_reads(&h->turn, gzt_format("if (%s)", when_counted(h, number, once)), number->value,
                      had);
}

/* Spans that depend on the turn, including the program's own, for which only fields are brought up
 * to date: a field's other planes, arrays and numbers per step, and what the program alone reads.
 */
static void put_turn_spans(struct host *h)
{
    const struct plan *plan = h->plan;
    char *seen = gzt_alloc((size_t)plan->ir->values + 1);
    int roots;
    struct ir_value **root = ir_turn_roots(&h->turn, false, &roots);
    for (int i = 0; i < plan->fields; i++)
        if (plan->field[i]->blocks == i)
            put_field_spans(h, i);
    for (int i = 0; i < plan->steps; i++)
        put_array_span(h, plan->step[i], false);
    for (int i = 0; i < plan->values; i++)
        put_number_spans(h, plan->value[i], false, seen);
    for (int i = 0; i < plan->coefficients; i++)
        put_number_spans(h, plan->coefficient[i], true, seen);
    for (int i = 0; i < roots; i++)
        ir_turn_reads(&h->turn, NULL, root[i], seen);
    for (int i = 0; i < plan->asides; i++) { /* where no other value has it */
        const struct ir_value *value = plan->aside[i];
        if (seen[value->number])
            continue;
        ir_turn_reads(&h->turn, gzt_format("if (%s)", when_computed(h, value)), value, seen);
        ir_c_written(&h->turn.c, value); /* which the host must be able to */
    }
}

/* Runs text for each turn, gz_k, and behind the last. */
static void put_each(struct host *h, void (*each)(struct host *))
{
    gzt_add(h->text, "{\nlong gz_k;\n");
    ir_turn_copy(&h->turn, "gz_t", "gz_b");
    gzt_add(h->text, "for (gz_k = 0;; gz_k++) {\n");
    each(h);
    if (h->plan->measure) /* whose turns have nothing of their own but planes */
        gzt_add(h->text, "if (gz_k == %d)\nbreak;\n", PLAN_MOST_FIELDS);
    gzt_add(h->text, "if (gz_k == gz_count)\nbreak;\n");
    ir_turn_advance(&h->turn);
    gzt_add(h->text, "}\n}\n");
}

static void put_spans(struct host *h)
{
    const struct plan *plan = h->plan;
    ir_turn_copy(&h->turn, "gz_t", "gz_b");
    for (int i = 0; i < plan->constants; i++)
        if (!plan->constant[i]->covered)
            put_array_span(h, plan->constant[i], false);
    for (int i = 0; i < plan->alsos; i++)
        put_array_span(h, plan->also[i], !plan->also[i]->read);
    put_each(h, put_turn_spans);
    if (plan->host)
        ir_replay_begin(&h->turn);
}

/* ------------------------------------------------------------------------------------ inputs */

/* The rows of a field's cells, and what buffers of all fields hold there. */
static void put_field(struct host *h, int number, isl_set *cells, int what, const char *buffers)
{
    gzt_add(h->text, "{\n%s%s *%s = (%s *)%s + %d * gz_size[0] * gz_size[1] * gz_size[2];\n",
            what == FILL ? "" : "const ", type(h), what == TAKE ? "gz_from" : "gz_to", type(h),
            buffers, number);
    put_rows(h, &h->plan->field[number]->place, cells, what);
    gzt_add(h->text, "}\n");
}

/* Of buffer 1, kernels read the border, and what a guard leaves as it is. */
static void put_fill(struct host *h, int buffer, bool all)
{
    bool rim = buffer == 1 && !h->plan->guarded;
    for (int i = 0; i < h->plan->fields; i++) {
        const struct plan_field *field = h->plan->field[i];
        isl_set *cells = rim   ? isl_set_copy(field->border)
                         : all ? touched(field)
                               : isl_set_copy(field->fill);
        put_field(h, i, cells, FILL, gzt_format("gz_stencil_buffer(gz_run, %d)", buffer));
    }
}

static void put_array(struct host *h, const struct plan_array *array, const char *to)
{
    put_condition(h, array);
    gzt_add(h->text, "{\n%s *gz_to = (%s *)%s;\n", type(h), type(h), to);
    put_rows(h, &array->place, isl_set_copy(array->cells), FILL);
    gzt_add(h->text, "}\n");
}

/* Hands over a number where C evaluates it. */
static void put_number(struct host *h, const struct plan_number *number, bool step)
{
    enum ir_type type = number->type;
    bool exact = h->plan->type == IR_F64, long_one = type == IR_I64 || type == IR_U64;
    if (step && number->value && h->plan->late && h->plan->late[number->value->number])
        plan_refuse(h->plan, number->value->begin > 0 ? number->value->begin : h->plan->time->begin,
                    -1,
                    "a time step computes with %s, which is carried from single cells "
                    "or loop variables of earlier ones",
                    ir_shown(h->plan->ir, number->value));
    int opened = ir_c_open(&h->turn.c, gzt_format("if (%s)", when_counted(h, number, !step)));
    const char *value = number->value ? ir_c_value(&h->turn.c, number->value)
                                      : ir_scan_value(h->affine, isl_pw_aff_copy(number->affine));
    if (!step) {
        const char *setter = type == IR_I64     ? "long"
                             : type == IR_U64   ? "ulong"
                             : ir_is_real(type) ? ir_type_name(type)
                                                : "int";
        gzt_add(h->text, "gz_stencil_%s(gz_run, %d, %s);\n", setter, number->first, value);
    } else {
        const char *as = exact                          ? "double"
                         : ir_is_real(type) || long_one ? ir_type_name(type)
                         : type == IR_U32               ? "unsigned"
                                                        : "int";
        gzt_add(h->text,
                "const %s gz_value = (%s)%s;\n"
                "__builtin_memcpy((%s *)gz_stencil_values(gz_run, gz_k) + %d, &gz_value, sizeof "
                "gz_value);\n%s",
                as, as, value, ir_type_name(h->plan->type), number->first,
                exact && long_one /* no double is it */
                    ? "if (gz_value > 9007199254740992. || gz_value < -9007199254740992.)\n"
                      "gz_usable = GZ_STENCIL_OTHER_SIZES;\n"
                    : "");
    }
    ir_c_close(&h->turn.c, opened);
}

/* What a turn has of its own; other planes' borders must be the first's. */
static void put_turn_inputs(struct host *h)
{
    const struct plan *plan = h->plan;
    for (int i = 0; i < plan->fields; i++) {
        const struct plan_field *field = plan->field[i];
        if (field->planes < 2 || (plan->buffers == 2 && field->planes == 2))
            continue;
        gzt_add(h->text, "if (gz_k > 0 && gz_k < %d)\n", field->planes);
        put_field(h, i, isl_set_copy(field->border), COMPARE, "gz_stencil_buffer(gz_run, 0)");
    }
    if (plan->buffers == 2) {
        gzt_add(h->text, "if (gz_k == 1) {\n");
        put_fill(h, 1, true);
        gzt_add(h->text, "}\n");
    }
    gzt_add(h->text, "if (gz_k < gz_count) {\n");
    for (int i = 0; i < plan->steps; i++)
        put_array(h, plan->step[i], gzt_format("gz_stencil_step(gz_run, %d, gz_k)", i));
    for (int i = 0; i < plan->values; i++)
        put_number(h, plan->value[i], true);
    for (int i = 0; i < plan->coefficients; i++)
        put_number(h, plan->coefficient[i], false);
    gzt_add(h->text, "}\n");
}

static void put_inputs(struct host *h)
{
    const struct plan *plan = h->plan;
    ir_turn_copy(&h->turn, "gz_t", "gz_b");
    put_fill(h, 0, false);
    for (int i = 0; i < plan->constants; i++)
        put_array(h, plan->constant[i], gzt_format("gz_stencil_constant(gz_run, %d)", i));
    put_each(h, put_turn_inputs);
}

/* ------------------------------------------------------------------------------------- facts */

static void put_facts(struct host *h)
{
    const struct plan *plan = h->plan;
    static const char *const edges[] = {"GZ_STENCIL_CLAMP", "GZ_STENCIL_ZERO",
                                        "GZ_STENCIL_PERIODIC", "GZ_STENCIL_KEEP"};
    struct gzt_place at = gzt_place_of(plan->ir->source, plan->time->begin);
    gzt_add(h->text, "static const char *const gz_body[] = {\n");
    gzt_add_quoted(h->text, plan->body, ",");
    gzt_add(h->text,
            "    0};\nstatic const struct gz_stencil gz_this = {\n%s, %d, gz_body,\n/* dimensions "
            "*/ %d, "
            "{%d, %d, %d},\n/* type */ %s, {%s, %s, %s},\n",
            gzt_quoted(gzt_shown(at.file)), at.line, plan->dimensions, plan->radius[0],
            plan->radius[1], plan->radius[2],
            plan->type == IR_F64   ? "GZ_STENCIL_DOUBLE"
            : plan->type == IR_F32 ? "GZ_STENCIL_FLOAT"
                                   : "GZ_STENCIL_INT",
            edges[plan->edge[0]], edges[plan->edge[1]], edges[plan->edge[2]]);
    gzt_add(h->text,
            "/* coefficients */ %d,\n/* arrays */ %d, %d,\n/* step values */ %d,\n"
            "/* operations */ %d,\n/* reads */ {%d, %d, %d, %d},\n/* buffers */ %d,\n"
            "/* guarded */ %d,\n/* height */ %d,\n/* contract */ %d,\n/* measure */ %d,\n"
            "/* fields */ %d};\n",
            plan->coefficient_words, plan->constants, plan->steps, plan->value_words,
            plan->operations, plan->reads_state, plan->reads_column, plan->reads_arrays,
            plan->reads_own_column, plan->buffers, plan->guarded,
            plan->ir->region->annotation.height,
            !plan->ir->source->contract ? 0
            : plan->inexact             ? 2
                                        : 1,
            plan_stencil(plan).measure, plan->fields > 1 ? plan->fields : 0);
}

/* The grid, and whether the assumptions hold. */
static void put_grid(struct host *h)
{
    const struct plan *plan = h->plan;
    const char *low = "", *extent = "", *size = "";
    struct gzt_text small = {0};
    for (int axis = 0; axis < PLAN_AXES; axis++) {
        bool has = axis < plan->dimensions;
        const char *first = has ? ir_scan_value(h->affine, isl_pw_aff_copy(plan->low[axis])) : "0";
        const char *end = has ? ir_scan_value(h->affine, isl_pw_aff_copy(plan->high[axis])) : "1";
        low = gzt_format("%s%s%s - %d", low, axis ? ", " : "", first, plan->rim[axis]);
        extent = gzt_format("%s%s%s - %s", extent, axis ? ", " : "", end, first);
        size =
            gzt_format("%s%sgz_extent[%d] + %d", size, axis ? ", " : "", axis, 2 * plan->rim[axis]);
        if (has)
            gzt_add(&small, " || gz_extent[%d] < 1", axis);
    }
    gzt_add(h->text,
            "const long gz_extent[3] = {%s};\nconst long gz_grid[3] = {%s};\n"
            "const long gz_size[3] = {%s};\n(void)gz_grid, (void)gz_size;\n",
            extent, low, size);
    gzt_add(h->text, "if (!%s%s)\ngz_usable = GZ_STENCIL_SMALL_DOMAIN;\n",
            ir_scan_test(h->affine, isl_set_copy(plan->some)), gzt_string(&small));
}

/* That a variable has the sizes that its type's text has here. */
static void test_sizes(struct host *h, const struct ir_value *variable)
{
    const char *object = variable->decl->name;
    for (const char *c = variable->c; c; c = ir_element_of(c)) {
        if (ir_is_array_type(c) && ir_is_sized(c))
            gzt_add(h->text, "if (sizeof(%s) != sizeof(%s))\ngz_usable = GZ_STENCIL_OTHER_SIZES;\n",
                    object, c);
        object = gzt_format("*%s", object);
    }
}

static void put_tests(struct host *h)
{
    gzt_add(h->text, "if (!%s)\ngz_usable = GZ_STENCIL_OTHER_SIZES;\n",
            ir_scan_test(h->affine, isl_set_copy(h->affine->context)));
    for (int i = 0; i < h->plan->ir->values; i++)
        if (h->given[i])
            gzt_add(h->text,
                    "if (!GZ_STENCIL_IS_INDEX(gz_p%d))\ngz_usable = GZ_STENCIL_OTHER_SIZES;\n", i);
    for (int i = 0; i < h->plan->ir->values; i++)
        if (h->plan->ir->value[i]->code == IR_ADDRESS &&
            ir_turn_is_visible(&h->turn, h->plan->ir->value[i]))
            test_sizes(h, h->plan->ir->value[i]);
    gzt_add(h->text, "#ifdef gz_other_macros\nif (gz_other_macros)\ngz_usable = "
                     "GZ_STENCIL_OTHER_MACROS;\n#endif\n");
    if (h->plan->ir->source->openmp >= 0)
        gzt_add(h->text, "#ifdef _OPENMP\nif (omp_in_parallel())\ngz_usable = "
                         "GZ_STENCIL_IN_PARALLEL;\n#endif\n");
}

/* -------------------------------------------------------------------------------------- call */

static void put_end(struct host *h)
{
    gzt_add(h->text, "if (gz_stencil_checking(gz_run)) {\n");
    put_fill(h, 0, true);
    gzt_add(h->text, "gz_stencil_compare(gz_run);\n");
    ir_turn_compare(&h->turn);
    if (h->plan->host)
        ir_replay_compare(&h->turn);
    gzt_add(h->text, "}\ngz_stencil_end(gz_run);\ngz_run = 0;\ngz_left = 0;\n");
}

static void put_results(struct host *h)
{
    ir_turn_copy(&h->turn, "gz_t", "gz_u");
    for (int i = 0; i < h->plan->fields; i++)
        put_field(h, i, isl_set_copy(h->plan->field[i]->take), TAKE,
                  "gz_stencil_result(gz_run, 0)");
    ir_turn_set(&h->turn);
}

/* Runs gz_count turns, or leaves them to the program. */
static void put_run(struct host *h)
{
    gzt_add(h->text, "gz_run = gz_stencil_begin(&gz_this, gz_extent, gz_count, gz_usable);\n"
                     "if (gz_stencil_ready(gz_run)) {\n");
    put_spans(h);
    gzt_add(h->text, "if (gz_stencil_usable(gz_run, gz_usable)) {\n");
    put_inputs(h);
    if (h->plan->measure)
        ir_turn_measure(&h->turn);
    gzt_add(h->text, h->plan->measure
                         ? "gz_told = gz_fine && gz_stencil_settle(gz_run, gz_count);\n"
                         : "gz_told = gz_stencil_usable(gz_run, gz_usable) && "
                           "gz_stencil_execute(gz_run);\n");
    if (h->plan->host)
        ir_replay(&h->turn);
    gzt_add(h->text, "if (gz_told) {\n");
    put_results(h);
    gzt_add(h->text, "gz_stencil_end(gz_run);\ngz_run = 0;\ngz_count = 0;\n}\n}\n}\n"
                     "if (gz_count > 0) {\ngz_left = gz_count;\n");
    ir_turn_copy(&h->turn, "gz_w", "gz_u");
    ir_turn_copy(&h->turn, "gz_t", "gz_b");
    gzt_add(h->text, "}\n");
}

static void begin_text(struct host *h, struct gzt_text *text)
{
    h->text = h->turn.c.text = text;
}

/* The texts that find parameters come before those that declare and test these. */
static const char *make_within(struct host *h)
{
    struct gzt_text count = {0}, run = {0}, tests = {0}, head = {0}, all = {0};
    begin_text(h, &count);
    put_grid(h);
    put_end(h);
    ir_turn_count(&h->turn);
    begin_text(h, &run);
    put_run(h);
    gzt_add(&run, "}\nif (gz_left > 0)\ngz_stencil_go(gz_run);\n}\n");
    ir_turn_keep(&h->turn);
    begin_text(h, &tests);
    put_tests(h);
    begin_text(h, &head);
    put_facts(h);
    ir_turn_read(&h->turn);
    gzt_add(&head, "if (gz_left == 0 || !gz_stencil_go(gz_run)) {\nlong gz_count = 0;\n"
                   "int gz_usable = 1, gz_told = 0;\n");
    put_parameters(h);
    for (int i = 0; i < h->place_count; i++)
        gzt_add(&all, "#define gz_at%d %s\n", i, ir_turn_element(&h->turn, h->places[i]));
    gzt_add(&all,
            "GZ_STENCIL_QUIET\n{\n%s%sif (gz_count > 0) {\n%s%s"
            "gz_left -= gz_left > 0;\n}\nGZ_STENCIL_LOUD\n",
            gzt_string(&head), gzt_string(&count), gzt_string(&tests), gzt_string(&run));
    for (int i = 0; i < h->place_count; i++)
        gzt_add(&all, "#undef gz_at%d\n", i);
    return gzt_string(&all);
}

static const char *make_before(struct host *h)
{
    struct gzt_text text = {0};
    begin_text(h, &text);
    gzt_add(&text, "{\nGZ_STENCIL_QUIET\ngz_stencil_run *gz_run = 0;\nlong gz_left = 0;\n");
    ir_turn_declare(&h->turn);
    if (h->plan->host)
        ir_replay_declare(&h->turn);
    gzt_add(&text, "GZ_STENCIL_LOUD");
    return gzt_string(&text);
}

bool plan_host(struct plan *plan)
{
    struct host h = {.plan = plan, .affine = plan->flow->affine};
    h.given = h.affine->named = gzt_alloc((size_t)plan->ir->values + 1);
    plan->call.offset = plan->time->begin;
    plan->call.behind = "GZ_STENCIL_QUIET\ngz_stencil_end(gz_run);\nGZ_STENCIL_LOUD\n}";
    /* A text finds what is declared or tested before it: it is right once it finds nothing. */
    for (bool more = ir_turn_begin(&h.turn, plan); more && !plan->refusal;) {
        const char *last = plan->call.within;
        plan->call.within = make_within(&h);
        plan->call.before = make_before(&h);
        more = !last || strcmp(last, plan->call.within) != 0;
    }
    if (h.affine->unwritten)
        plan_refuse(plan, plan->time->begin, -1,
                    "isl cannot write the cells, which are brought in and taken back, as loops");
    return !plan->refusal;
}
