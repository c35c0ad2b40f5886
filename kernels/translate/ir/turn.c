/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "turn.h"

#include "../region.h"
#include "build.h"
#include "scan.h"

#include <string.h>

static const char BY_RESULTS[] = "how the time loop goes on depends on what it computes",
                  BY_THREADS[] = "the time loop goes on by what OpenMP gives each thread";

/* Whether a phi chooses a "slot", or, at the level of `whole`, is an "offset" of a pointer. */
static bool is(const struct ir_value *phi, const char *what)
{
    return phi->text && strcmp(phi->text, what) == 0;
}

/* ----------------------------------------------------------------------------------- places */

/* What a place begins with: a variable's address, or a pointer that was read. */
static const char *members_of(const struct ir_value *place)
{
    if (place->code == IR_FIELD)
        return gzt_format("%s.%s", members_of(place->a[0]), place->text);
    return place->code == IR_STEP || place->code == IR_FIRST ? members_of(place->a[0]) : "";
}

/* Whether two places of one root may be, or hold, the same. */
static bool may_meet(const struct ir_value *a, const struct ir_value *b)
{
    const char *one = members_of(a), *other = members_of(b);
    size_t length = strlen(one) < strlen(other) ? strlen(one) : strlen(other);
    return ir_owner(a) == ir_owner(b) && strncmp(one, other, length) == 0;
}

/* Whether turns that a device runs, or variables that they change, may set a place; an operation of
 * the program's own does so between them. */
static bool is_set(const struct ir_turn *turn, const struct ir_value *place,
                   const struct ir_object *object)
{
    const struct ir_region *ir = turn->plan->ir;
    IR_EACH_OP (op, ir)
        if ((op->kind == IR_STORE || op->kind == IR_COPY) &&
            !gzt_is_listed(turn->plan->own, turn->plan->owns, op) &&
            (object ? op->access.object == object || op->access.object->kind == IR_ANYWHERE
                    : may_meet(op->access.address, place)))
            return true;
    for (int i = 0; i < turn->time->phis; i++) {
        const struct ir_value *phi = turn->time->phi[i];
        if (!object && phi->a[2] && phi->a[2]->type == IR_POINTER && may_meet(phi->a[2], place))
            return true;
    }
    return false;
}

const struct gzt_node *ir_turn_body(const struct ir_loop *time)
{
    const struct gzt_node *node = time->node;
    bool last = node->kind == GZT_FOR || gzt_is_kind(node, "WhileStmt");
    return node->count > 0 && last                          ? node->child[node->count - 1]
           : node->count > 0 && gzt_is_kind(node, "DoStmt") ? node->child[0]
                                                            : NULL;
}

/* The value of a variable where the body begins, if the loop's head changes it; else NULL. */
static const struct ir_value *moved(const struct ir_turn *turn, const struct ir_value *place)
{
    for (int i = 0; i < turn->time->moves; i++)
        if (turn->time->moved[i].address == place)
            return turn->time->moved[i].value;
    return NULL;
}

/* The phi of such a variable. */
static const struct ir_value *moving_at(const struct ir_turn *turn, const struct ir_value *place)
{
    for (int i = 0; i < turn->phis && moved(turn, place); i++)
        if (turn->phi[i]->a[2] == place && !turn->phi[i]->text)
            return turn->phi[i];
    return NULL;
}

bool ir_turn_has_variable(const struct ir_turn *turn, const struct ir_value *phi)
{
    const struct ir_value *root = phi->a[2] ? ir_owner(phi->a[2]) : NULL;
    const struct gzt_node *body = ir_turn_body(turn->time);
    if (phi->text || !root || moved(turn, phi->a[2]))
        return false;
    return root->code != IR_ADDRESS ||
           (root->decl && root->frame == 0 && !gzt_holds(body, root->decl));
}

/* ------------------------------------------------------------------------ what is handed on */

static void reach(struct ir_value *value, void *data)
{
    struct ir_turn *turn = data;
    if (turn->reached[value->number])
        return;
    turn->reached[value->number] = 1;
    if (value->code == IR_PHI && value->loop == turn->time)
        gzt_push(&turn->phi, &turn->phis, value);
    for (int i = 0; i < value->arguments && value->code != IR_PHI; i++)
        reach(value->a[i], turn);
}

static bool is_phi_of(const struct ir_value *value, const struct ir_value *place)
{
    return value->code == IR_PHI && value->a[2] == place;
}

/* The phi of a variable that a value is made of, or NULL. */
static const struct ir_value *phi_in(const struct ir_value *value, const struct ir_value *place)
{
    const struct ir_value *phi = is_phi_of(value, place) ? value : NULL;
    for (int i = 0; i < value->arguments && value->code != IR_PHI && !phi; i++)
        phi = phi_in(value->a[i], place);
    return phi;
}

/* Whether a value depends on a variable's earlier value: not if a loop sets it first, as phis do
 * that are `seen`. */
static bool hangs(const struct ir_turn *turn, const struct ir_value *value,
                  const struct ir_value *place, char *seen)
{
    if (seen[value->number])
        return false;
    if (is_phi_of(value, place))
        return true;
    seen[value->number] = 1;
    const struct ir_value *left = value->code == IR_EXIT ? phi_in(value->a[0], place) : NULL;
    if (left) {
        seen[left->number] = 1;
        if (hangs(turn, left->a[0], place, seen) || hangs(turn, left->a[1], place, seen))
            return true;
    }
    for (int i = 0; i < value->arguments && value->loop != turn->time; i++)
        if (hangs(turn, value->a[i], place, seen))
            return true;
    return false;
}

static isl_set *kept(const struct ir_turn *turn, struct ir_value *value, const struct ir_value *phi,
                     char *seen, bool *exact);

/* The same of what a variable is behind a loop. */
static isl_set *kept_by_loop(const struct ir_turn *turn, const struct ir_value *own,
                             const struct ir_value *phi, char *seen, bool *exact)
{
    const struct ir_turns *turns = &turn->affine->turns[own->loop->number];
    isl_set *before = kept(turn, own->a[0], phi, seen, exact);
    if (ir_is_nothing(before)) {
        seen[own->number] = 1;
        *exact = *exact && !hangs(turn, own->a[1], own->a[2], seen);
        return before;
    }
    isl_set *sets =
        isl_set_subtract(isl_set_copy(turns->body), kept(turn, own->a[1], own, seen, exact));
    *exact = *exact && turns->exact;
    return isl_set_subtract(before, ir_over_turns(turns, sets));
}

/* The parameters with which a value is a phi of a variable; any if *exact is cleared, as where it
 * depends on it otherwise. */
static isl_set *kept(const struct ir_turn *turn, struct ir_value *value, const struct ir_value *phi,
                     char *seen, bool *exact)
{
    struct ir_affine *affine = turn->affine;
    isl_set *all = isl_set_empty(isl_set_get_space(affine->context));
    if (value == phi)
        return isl_set_copy(affine->context);
    if (value->code == IR_SELECT) {
        *exact = *exact && !hangs(turn, value->a[0], phi->a[2], seen);
        for (int i = 1; i < 3; i++) {
            isl_set *set = kept(turn, value->a[i], phi, seen, exact);
            if (!ir_is_nothing(set))
                set = isl_set_intersect(set, ir_where(affine, value->a[0], i == 1, exact));
            all = isl_set_union(all, set);
        }
        return all;
    }
    if (value->code == IR_EXIT && is_phi_of(value->a[0], phi->a[2]))
        return kept_by_loop(turn, value->a[0], phi, seen, exact);
    *exact = *exact && !hangs(turn, value, phi->a[2], seen);
    return all;
}

/* Whether a phi of a loop within begins with what the time loop hands on of the same variable,
 * which is of no use: where the loop leaves that, no turn sets it. False if that takes too long. */
static bool is_idle(const struct ir_turn *turn, const struct ir_value *phi)
{
    struct ir_affine *affine = turn->affine;
    const struct ir_value *entry = phi->a[0];
    isl_set *turns = affine->turns[turn->time->number].body, *keeps, *sets;
    char *seen = gzt_alloc((size_t)turn->plan->ir->values + 1);
    bool exact = true, bounded = isl_ctx_get_max_operations(affine->isl) > 0;
    if (entry->code != IR_PHI || entry->loop != turn->time || entry->a[2] != phi->a[2])
        return false;
    if (!bounded)
        ir_bound(affine->isl, IR_MOST_WORK / 20);
    keeps = isl_set_intersect(kept_by_loop(turn, phi, entry, seen, &exact),
                              ir_where(affine, phi->loop->where, true, &exact));
    keeps = isl_set_intersect(keeps, isl_set_copy(turns));
    sets = isl_set_subtract(isl_set_copy(turns), kept(turn, entry->a[1], entry, seen, &exact));
    keeps = isl_set_intersect(ir_over_all_turns(affine, keeps), ir_over_all_turns(affine, sets));
    bool idle = exact && ir_is_nothing(isl_set_intersect(keeps, isl_set_copy(affine->context)));
    return (bounded || ir_bound(affine->isl, 0)) && idle;
}

/* Whether nothing reads a variable behind the region. */
static bool is_dropped(const struct ir_turn *turn, const struct ir_value *phi)
{
    const struct ir_region *ir = turn->plan->ir;
    for (int i = 0; i < ir->results; i++)
        if (ir->result[i].address == phi->a[2])
            return !ir->result[i].escapes;
    return false;
}

/* Whether the last turn may leave a variable as the one before did, which a device has run. */
static bool is_left(const struct ir_turn *turn, const struct ir_value *phi)
{
    const struct plan *plan = turn->plan;
    for (int i = 0; i < plan->ends; i++)
        if (gzt_is_listed(plan->end[i]->kept, plan->end[i]->keeps, phi))
            return !is_dropped(turn, phi);
    return false;
}

static void reach_all(struct ir_turn *turn)
{
    const struct ir_region *ir = turn->plan->ir;
    reach(turn->time->holds, turn);
    IR_EACH_OP (op, ir)
        if (op->loop)
            ir_walk_op(op, false, reach, turn);
    for (int i = 0; i < ir->loops; i++) {
        const struct ir_loop *loop = ir->loop[i];
        bool within = loop != turn->time;
        for (int k = 0; k < loop->phis; k++) {
            if (within && !is_idle(turn, loop->phi[k]))
                reach(loop->phi[k]->a[0], turn);
            if (!is(loop->phi[k], "slot"))
                reach(loop->phi[k]->a[1], turn);
            if (!within && is_left(turn, loop->phi[k]))
                reach(loop->phi[k], turn);
        }
        if (within) {
            reach(loop->where, turn);
            reach(loop->holds, turn);
        }
    }
}

struct ir_value **ir_turn_roots(const struct ir_turn *turn, bool ends, int *count)
{
    const struct plan *plan = turn->plan;
    struct ir_value **root = NULL;
    *count = 0;
    gzt_push(&root, count, plan->time->holds);
    for (int i = 0; i < plan->owns; i++)
        gzt_push(&root, count, plan->own_when[i]);
    for (int i = 0; i < plan->ends && ends; i++)
        gzt_push(&root, count, plan->end[i]->when);
    for (int i = 0; i < turn->phis; i++)
        if (!ir_turn_is_late(turn, turn->phi[i]))
            gzt_push(&root, count, turn->phi[i]->a[1]);
    return root;
}

void ir_turn_find(struct ir_turn *turn, struct plan *plan, struct ir_affine *affine)
{
    int count;
    *turn = (struct ir_turn){.plan = plan,
                             .affine = affine,
                             .time = plan->time,
                             .reached = gzt_alloc((size_t)plan->ir->values + 1)};
    reach_all(turn);
    struct ir_value **root = ir_turn_roots(turn, true, &count);
    for (int i = 0; i < count; i++, root = ir_turn_roots(turn, true, &count))
        reach(root[i], turn);
}

bool ir_turn_is_late(const struct ir_turn *turn, const struct ir_value *phi)
{
    return turn->plan->late[phi->number] && turn->plan->heard[phi->number];
}

bool ir_turn_is_loose(const struct ir_turn *turn, const struct ir_value *value)
{
    return turn->loose && turn->loose[value->number];
}

/* ------------------------------------------------------------------------- what can be told */

static bool refuse(struct ir_turn *turn, const struct ir_value *value, const char *why)
{
    int at = value->end > value->begin ? value->begin : turn->time->begin;
    return plan_refuse(turn->plan, at, -1, "%s", why);
}

bool ir_turn_is_visible(const struct ir_turn *turn, const struct ir_value *address)
{
    const struct gzt_decl *decl = address->decl;
    return decl && address->frame == 0 &&
           gzt_meant_by(turn->plan->ir->region->tree, decl->name, strlen(decl->name),
                        ir_turn_body(turn->time)->begin) == decl;
}

/* Whether phis are such as the host can hand on. */
static bool can_go_on(struct ir_turn *turn)
{
    for (int i = 0; i < turn->phis; i++) {
        const struct ir_value *phi = turn->phi[i];
        if (is(phi, "offset") && phi->whole != 0)
            return refuse(turn, phi, "a pointer moves that leads to rows");
        if (ir_turn_is_late(turn, phi) && !ir_turn_has_variable(turn, phi))
            return refuse(turn, phi, IR_BY_CELLS);
    }
    return !turn->plan->measure || ir_turn_loosen(turn);
}

/* -------------------------------------------------------------------------------------- text */

/* A function of the loops around a place's operation as one of cells; takes it. */
static isl_pw_aff *by_cells(const struct ir_turn *turn, const struct plan_place *place,
                            isl_pw_aff *f)
{
    for (const struct ir_loop *loop = place->op->loop; loop != turn->time; loop = loop->around) {
        isl_space *space = isl_pw_aff_get_domain_space(f);
        int at =
            isl_space_find_dim_by_id(space, isl_dim_param, turn->affine->turns[loop->number].id);
        f = at >= 0 ? isl_pw_aff_move_dims(f, isl_dim_in, 0, isl_dim_param, (unsigned)at, 1)
                    : isl_pw_aff_insert_dims(f, isl_dim_in, 0, 1);
    }
    isl_multi_aff *at = isl_multi_aff_reset_tuple_id(isl_multi_aff_copy(place->at), isl_dim_out);
    return isl_pw_aff_pullback_multi_aff(isl_pw_aff_reset_tuple_id(f, isl_dim_in), at);
}

/* A variable of a loop around the place, by the cell. */
static const char *of_cell(struct ir_turn *turn, const struct ir_value *phi)
{
    const struct ir_op *op = turn->place->op;
    isl_pw_aff *f = ir_affine_of(turn->affine, (struct ir_value *)phi);
    isl_set *known = f ? isl_pw_aff_domain(isl_pw_aff_copy(f)) : NULL;
    if (!known || isl_set_is_subset(ir_when(turn->affine, op, NULL), known) != isl_bool_true) {
        plan_refuse_carried(turn->plan, op, phi);
        return "0";
    }
    return ir_scan_value(turn->affine, by_cells(turn, turn->place, f));
}

bool ir_turn_goes_straight(const struct ir_turn *turn, const struct plan_place *place,
                           bool pointers)
{
    isl_map *map = ir_coordinates(turn->affine, &place->op->access);
    isl_pw_multi_aff *all = map ? isl_pw_multi_aff_from_map(map) : NULL;
    unsigned last = (unsigned)isl_multi_aff_dim(place->at, isl_dim_in) - 1;
    bool straight = all;
    int count = all ? isl_pw_multi_aff_dim(all, isl_dim_out) : 0;
    for (int k = 0; k < count && straight; k++) {
        isl_pw_aff *f = isl_pw_aff_coalesce(by_cells(turn, place, isl_pw_multi_aff_get_at(all, k)));
        if (isl_pw_aff_involves_dims(f, isl_dim_in, last, 1) == isl_bool_false)
            continue;
        isl_aff *one = isl_pw_aff_isa_aff(f) == isl_bool_true ? isl_pw_aff_as_aff(f) : NULL;
        straight = one && isl_aff_dim(one, isl_dim_div) == 0 && (!pointers || k == count - 1);
    }
    return straight;
}

/* Whether the host's operations compute a phi of a loop of theirs. */
static bool is_played(const struct ir_turn *turn, const struct ir_value *phi)
{
    return turn->plays && turn->plan->heard[phi->number];
}

/* What stands for the value that chooses a block of the place. */
static const char *of_block(struct ir_turn *turn)
{
    const struct plan_place *place = turn->place;
    turn->place = NULL;
    const char *text = ir_c_written(&turn->c, place->block);
    turn->place = place;
    return text;
}

/* For a value that no text stands for. */
static const char *refused(struct ir_turn *turn, const struct ir_value *value, const char *why)
{
    refuse(turn, value, why);
    return "0";
}

/* Whether what a leaf is read from stays as it is, or its name leads to it. */
static bool is_plain(struct ir_turn *turn, const struct ir_value *v)
{
    char *plain = &turn->plain[v->number];
    if (!*plain && v->code == IR_ADDRESS)
        *plain = ir_turn_is_visible(turn, v) ? 1 : -1;
    else if (!*plain)
        *plain = is_set(turn, v->a[0], v->code == IR_LOAD ? v->op->access.object : NULL) ? -1 : 1;
    return *plain > 0;
}

static const char *have_phi(struct ir_turn *turn, const struct ir_value *v)
{
    bool own = v->loop == turn->time;
    if (!own && !is_played(turn, v))
        return turn->place ? gzt_format("(%s%s)", ir_c_cast(v), of_cell(turn, v))
                           : refused(turn, v, IR_BY_CELLS);
    if (own && !turn->plays && ir_turn_is_late(turn, v))
        return refused(turn, v, BY_RESULTS);
    if (own)
        reach((struct ir_value *)v, turn);
    return gzt_format("gz_t%d", v->number);
}

/* What memory holds before the loops: if they set it, as a variable of its own has it. */
static const char *have_found(struct ir_turn *turn, const struct ir_value *v)
{
    if (gzt_is_listed(turn->time->changed, turn->time->changes, v->a[0]))
        return refused(turn, v,
                       "the region sets this before the time loop, which needs what it was: "
                       "begin the region behind that");
    const struct ir_value *moving = turn->before ? NULL : moving_at(turn, v->a[0]);
    if (moving)
        return gzt_format("gz_b%d", moving->number);
    bool saved = gzt_is_listed(turn->saved, turn->saves, v);
    if (!saved && (turn->here || is_plain(turn, v)))
        return NULL;
    if (ir_owner(v->a[0])->code != IR_ADDRESS)
        return refused(turn, v, "what is read before the loops is set in them");
    if (!saved)
        gzt_push(&turn->saved, &turn->saves, v);
    return gzt_format("gz_in%d", v->number);
}

static const char *have_load(struct ir_turn *turn, const struct ir_value *v)
{
    if (turn->plays && turn->plan->host[v->op->number])
        return gzt_format("gz_l%d", v->op->number);
    if (!is_plain(turn, v))
        return refused(turn, v, BY_RESULTS);
    return v->op->loop == turn->time
               ? NULL
               : gzt_format("(%s)", ir_c_variable(&turn->c, v->op->access.address, v));
}

static const char *have(void *data, const struct ir_value *v)
{
    struct ir_turn *turn = data;
    const char *found = turn->plan->refusal ? "0" : ir_turn_found(turn, v); /* of no use by then */
    if (found)
        return found;
    if (turn->place && v == turn->place->own)
        return of_block(turn);
    switch (v->code) {
    case IR_PHI:
        return have_phi(turn, v);
    case IR_EXIT: /* of a loop that the host repeats; or made of phis, as the loop left them */
        return !turn->plays              ? refused(turn, v, IR_BY_CELLS)
               : v->a[0]->code == IR_PHI ? gzt_format("gz_t%d", v->a[0]->number)
                                         : NULL;
    case IR_LIVE_IN:
        return have_found(turn, v);
    case IR_LOAD:
        return have_load(turn, v);
    case IR_ADDRESS:
        return is_plain(turn, v)
                   ? NULL
                   : refused(turn, v,
                             gzt_format("%s is declared within the time loop or what it calls, or "
                                        "hidden there",
                                        v->decl ? v->decl->name : "a variable that it goes by"));
    case IR_RESULT:
        return refused(turn, v, "the time loop goes on by what a call returns");
    case IR_UNDEF:
        return v->text ? refused(turn, v, BY_THREADS) : "0";
    default:
        return NULL;
    }
}

bool ir_turn_begin(struct ir_turn *turn, struct plan *plan)
{
    ir_turn_find(turn, plan, plan->flow->affine);
    turn->plain = gzt_alloc((size_t)plan->ir->values + 1);
    turn->c =
        ir_c_begin((struct ir_c){.ir = plan->ir, .prefix = "gz_v", .have = have, .data = turn});
    if (!ir_turn_body(plan->time))
        return refuse(turn, plan->time->holds, "the time loop must be for, while or do");
    return can_go_on(turn);
}

void ir_turn_span(struct ir_turn *turn, const struct ir_value *value, const char *at)
{
    gzt_add(turn->c.text,
            "gz_stencil_span(gz_run, (const void *)%s, (const void *)%s, sizeof(%s), 0);\n", at, at,
            ir_c_type(value));
}

static void put_reads(struct ir_turn *turn, const struct ir_value *value, char *seen);

/* The memory at an address that a value is read from. */
static void put_read(struct ir_turn *turn, const struct ir_value *value,
                     const struct ir_value *address, char *seen)
{
    struct gzt_text *text = turn->c.text;
    bool guarded = value->code == IR_LOAD && value->op->loop == turn->time;
    address = ir_is_bits(address) ? address->a[0] : address;
    if (guarded)
        gzt_add(text, "if (%s) {\n", ir_c_written(&turn->c, value->op->where));
    put_reads(turn, address, guarded ? gzt_copy(seen, (size_t)turn->plan->ir->values) : seen);
    if (!ir_c_is_reference(address) && !ir_c_is_register(address))
        ir_turn_span(turn, value, ir_c_written(&turn->c, address));
    gzt_add(text, guarded ? "}\n" : "");
}

static void put_reads(struct ir_turn *turn, const struct ir_value *value, char *seen)
{
    const struct plan *plan = turn->plan;
    const struct ir_value *address = value->code == IR_LIVE_IN ? value->a[0]
                                     : value->code == IR_LOAD  ? value->op->access.address
                                                               : NULL;
    if (seen[value->number] ||
        (value->code == IR_LOAD && turn->plays && plan->host[value->op->number]))
        return;
    seen[value->number] = 1;
    if (address)
        put_read(turn, value, address, seen);
    for (int i = 0; i < value->arguments && value->code != IR_PHI && !address; i++) {
        const struct ir_value *c = value->code == IR_SELECT && i > 0 ? value->a[0] : NULL;
        if (c && !(turn->plays && plan->late[c->number]))
            ir_turn_reads(turn,
                          gzt_format("if (%s%s)", i > 1 ? "!" : "", ir_c_written(&turn->c, c)),
                          value->a[i], seen);
        else
            put_reads(turn, value->a[i], seen);
    }
}

void ir_turn_reads(struct ir_turn *turn, const char *before, const struct ir_value *value,
                   char *seen)
{
    struct gzt_text inner = {0}, *text = turn->c.text;
    turn->c.text = &inner;
    put_reads(turn, value, before ? gzt_copy(seen, (size_t)turn->plan->ir->values) : seen);
    turn->c.text = text;
    if (inner.length)
        gzt_add(text, before ? "%s {\n%s}\n" : "%s%s", before ? before : "", gzt_string(&inner));
}

void ir_turn_declare(struct ir_turn *turn)
{
    struct gzt_text phis = {0};
    turn->before = true;
    for (int i = 0; i < turn->phis; i++) { /* which may find what is to be saved */
        const struct ir_value *phi = turn->phi[i];
        bool kept = !ir_turn_has_variable(turn, phi);
        gzt_add(&phis, "%s gz_%c%d", ir_c_type(phi), kept ? 's' : 'w', phi->number);
        if (kept)
            gzt_add(&phis, " = %s%s", ir_c_cast(phi), ir_c_written(&turn->c, phi->a[0]));
        gzt_add(&phis, ";\n");
    }
    turn->here = true;
    for (int i = 0; i < turn->plan->ir->sizes; i++)
        gzt_add(turn->c.text, "const long " IR_SIZE_NAME " __attribute__((unused)) = %s;\n", i,
                ir_c_written(&turn->c, turn->plan->ir->size[i]));
    turn->here = false;
    for (int i = 0; i < turn->saves; i++)
        gzt_add(turn->c.text, "%s gz_in%d __attribute__((unused)) = %s;\n",
                ir_c_type(turn->saved[i]), turn->saved[i]->number,
                ir_c_found(&turn->c, turn->saved[i]));
    turn->before = false;
    gzt_add(turn->c.text, "%s", gzt_string(&phis));
}

static void read_phi(struct ir_turn *turn, const struct ir_value *phi)
{
    const char *type = ir_c_type(phi);
    const char *value = ir_turn_has_variable(turn, phi) ? ir_c_variable(&turn->c, phi->a[2], phi)
                                                        : gzt_format("gz_s%d", phi->number);
    gzt_add(turn->c.text, "%s gz_t%d = %s;\n%s gz_b%d = gz_t%d;\n", type, phi->number, value, type,
            phi->number, phi->number);
}

void ir_turn_read(struct ir_turn *turn)
{
    for (int moving = 1; moving >= 0; moving--) /* what the others may begin with comes first */
        for (int i = 0; i < turn->phis; i++)
            if ((moving_at(turn, turn->phi[i]->a[2]) == turn->phi[i]) == moving)
                read_phi(turn, turn->phi[i]);
    if (turn->plan->measure)
        gzt_add(turn->c.text, "%s gz_f = 0;\n", ir_c_type(turn->plan->measure->found));
}

void ir_turn_copy(struct ir_turn *turn, const char *to, const char *from)
{
    for (int i = 0; i < turn->phis; i++)
        if (ir_turn_has_variable(turn, turn->phi[i]) || strcmp(to, "gz_w") != 0)
            gzt_add(turn->c.text, "%s%d = %s%d;\n", to, turn->phi[i]->number, from,
                    turn->phi[i]->number);
}

/* The next values of all phis, or of those that are kept. */
static int put_next(struct ir_turn *turn, bool all)
{
    int opened = ir_c_open(&turn->c, "");
    for (int i = 0; i < turn->phis; i++) {
        const struct ir_value *phi = turn->phi[i];
        if (all || !ir_turn_has_variable(turn, phi)) {
            bool stays = (ir_turn_is_late(turn, phi) && !turn->plays) ||
                         (turn->foresees && ir_turn_is_loose(turn, phi));
            const char *next =
                stays ? gzt_format("gz_t%d", phi->number) : ir_c_value(&turn->c, phi->a[1]);
            gzt_add(turn->c.text, "%s gz_n%d = %s;\n", ir_c_type(phi), phi->number, next);
        }
    }
    return opened;
}

void ir_turn_advance(struct ir_turn *turn)
{
    int opened = put_next(turn, true);
    ir_turn_copy(turn, "gz_t", "gz_n");
    ir_c_close(&turn->c, opened);
}

void ir_turn_keep(struct ir_turn *turn)
{
    int opened = put_next(turn, false);
    for (int i = 0; i < turn->phis; i++)
        if (!ir_turn_has_variable(turn, turn->phi[i]))
            gzt_add(turn->c.text, "gz_s%d = gz_n%d;\n", turn->phi[i]->number, turn->phi[i]->number);
    ir_c_close(&turn->c, opened);
}

/* The vector whose data a variable points to; NULL if it is none of these. */
static struct ir_value *vector_at(const struct ir_turn *turn, const struct ir_value *phi)
{
    struct ir_value *place = ir_turn_has_variable(turn, phi) ? phi->a[2] : NULL;
    bool is = place && place->code == IR_FIELD && strcmp(place->text, "data()") == 0;
    return is ? place->a[0] : NULL;
}

/* Swaps whole vectors, sizes included: that of phi `at` with a later one, until its data pointer is
 * the phi's. */
static void exchange_vectors(struct ir_turn *turn, int at)
{
    const struct ir_value *phi = turn->phi[at], *vector = vector_at(turn, phi);
    for (int i = at + 1; i < turn->phis; i++) {
        const struct ir_value *other = vector_at(turn, turn->phi[i]);
        if (other && strcmp(other->c, vector->c) == 0)
            gzt_add(turn->c.text, "if (%s != gz_t%d && %s == gz_t%d)\n%s->swap(*%s);\n",
                    ir_c_variable(&turn->c, phi->a[2], phi), phi->number,
                    ir_c_variable(&turn->c, turn->phi[i]->a[2], turn->phi[i]), phi->number,
                    ir_c_written(&turn->c, vector), ir_c_written(&turn->c, other));
    }
}

void ir_turn_set(struct ir_turn *turn)
{
    struct gzt_text *text = turn->c.text;
    for (int i = 0; i < turn->phis; i++) {
        const struct ir_value *phi = turn->phi[i];
        int n = phi->number;
        if (vector_at(turn, phi))
            exchange_vectors(turn, i);
        else if (ir_turn_has_variable(turn, phi))
            gzt_add(text, "%s = gz_t%d;\n", ir_c_variable(&turn->c, phi->a[2], phi), n);
        else if (is(phi, "offset"))
            gzt_add(text, "*%s += gz_t%d - gz_b%d;\n", ir_c_written(&turn->c, phi->a[2]), n, n);
        else if (moving_at(turn, phi->a[2]) == phi) {
            int opened = ir_c_open(&turn->c, "");
            const char *value = ir_c_value(&turn->c, moved(turn, phi->a[2]));
            gzt_add(text, "%s = %s;\n", ir_c_variable(&turn->c, phi->a[2], phi), value);
            ir_c_close(&turn->c, opened);
        }
    }
}

void ir_turn_compare(struct ir_turn *turn)
{
    for (int i = 0; i < turn->phis; i++)
        if (ir_turn_has_variable(turn, turn->phi[i]))
            gzt_add(turn->c.text,
                    "gz_stencil_compare_variable(gz_run, %s, &gz_t%d, &gz_w%d, sizeof gz_w%d);\n",
                    gzt_quoted(ir_shown(turn->plan->ir, turn->phi[i]->a[2])), turn->phi[i]->number,
                    turn->phi[i]->number, turn->phi[i]->number);
}

const char *ir_turn_element(struct ir_turn *turn, const struct plan_place *place)
{
    turn->place = place;
    const char *address = ir_c_written(&turn->c, place->op->access.address);
    turn->place = NULL;
    return gzt_format("(*(%s *)%s)", place->op->access.c, address);
}
