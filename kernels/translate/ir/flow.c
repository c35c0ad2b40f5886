/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * flow.c - the last writers within an iteration of an outermost loop, and whatever earlier
 * iterations wrote. Stores are looked at from the last one before the reader on, those of one loop
 * together; what none of them sets is what an earlier iteration may have written.
 */
#include "flow.h"

struct writers {
    struct ir_flow *flow;
    struct ir_affine *a;
    const struct ir_region *ir;
    isl_map **set; /* by operation: { elements -> instances } of stores in the loop, else NULL */
    int levels;    /* the deepest nest */
};

/* Who reads elements of an object. */
struct reader {
    struct writers *w;
    struct ir_edge like;
    const struct ir_object *object;
    bool several;   /* elements in an instance: its cells are then [instance -> element] */
    isl_map *reads; /* { cells -> element } */
    isl_set *done;  /* cells whose element a store looked at so far sets */
};

/* ---------------------------------------------------------------------------------- in order */

/* The loop around an operation at a depth, or NULL. */
static const struct ir_loop *loop_at(const struct ir_op *op, int depth)
{
    const struct ir_loop *loop = op ? op->loop : NULL;
    while (loop && loop->depth > depth)
        loop = loop->around;
    return loop && loop->depth == depth ? loop : NULL;
}

/* How many loops both stand in, the outermost included. */
static int common_loops(const struct ir_op *a, const struct ir_op *b)
{
    int common = 1;
    while (loop_at(a, common) && loop_at(a, common) == loop_at(b, common))
        common++;
    return common;
}

static int first_in(const struct writers *w, const struct ir_loop *loop)
{
    int first = 0;
    while (!ir_within(w->ir->op[first]->loop, loop))
        first++;
    return first;
}

/* { instances -> when }: by turns, an iteration and a place in its loop. */
static isl_map *order_of(struct writers *w, const struct ir_op *op)
{
    isl_space *space =
        isl_space_alloc(w->a->isl, 0, (unsigned)ir_depth(op), 2 * (unsigned)w->levels);
    space = isl_space_set_tuple_name(space, isl_dim_in, gzt_format("S%d", op->number));
    isl_multi_aff *when = isl_multi_aff_zero(space);
    for (int k = 0; k < ir_depth(op); k++) {
        const struct ir_loop *inner = loop_at(op, k + 1);
        isl_aff *at = isl_multi_aff_get_at(when, 2 * k), *place = isl_aff_copy(at);
        at = isl_aff_add_coefficient_si(at, isl_dim_in, k,
                                        w->a->turns[loop_at(op, k)->number].step < 0 ? -1 : 1);
        place = isl_aff_add_constant_si(place, inner ? first_in(w, inner) : op->number);
        when = isl_multi_aff_set_at(isl_multi_aff_set_at(when, 2 * k, at), 2 * k + 1, place);
    }
    return isl_map_from_multi_aff(when);
}

/* ----------------------------------------------------------------------------------- readers */

static void add_edge(struct reader *r, const struct ir_op *from, isl_map *source, bool earlier)
{
    struct ir_edge *edge = gzt_alloc(sizeof *edge);
    *edge = r->like;
    edge->from = from;
    if (!earlier)
        ir_grow(&r->done, isl_map_domain(isl_map_copy(source)));
    edge->source = isl_map_coalesce(r->several ? isl_map_domain_factor_domain(source) : source);
    edge->cells = isl_map_domain(isl_map_copy(edge->source));
    edge->earlier = earlier;
    gzt_push(&r->w->flow->edge, &r->w->flow->edges, edge);
}

/* { cells -> instances of a store that set the element before }: in the same iterations of `common`
 * loops or, `earlier`, in an earlier one of the last of them. */
static isl_map *writes_of(const struct reader *r, const struct ir_op *store, int common,
                          bool earlier)
{
    isl_map *map =
        isl_map_apply_range(isl_map_copy(r->reads), isl_map_copy(r->w->set[store->number]));
    for (int k = 0; k < common - earlier; k++)
        map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    if (!earlier)
        return map;
    int k = common - 1;
    return r->w->a->turns[loop_at(store, k)->number].step < 0
               ? isl_map_order_lt(map, isl_dim_in, k, isl_dim_out, k)
               : isl_map_order_gt(map, isl_dim_in, k, isl_dim_out, k);
}

/* Leaves of each map { cells -> instances } what is the last of all for a cell. */
static void keep_last(struct writers *w, const struct ir_op **store, isl_map **map, int count)
{
    isl_map *all = NULL;
    if (count == 1 && isl_map_is_single_valued(map[0]) != isl_bool_false)
        return;
    for (int i = 0; i < count; i++) {
        isl_map *when = isl_map_apply_range(map[i], order_of(w, store[i]));
        all = all ? isl_map_union(all, when) : when;
    }
    all = isl_map_lexmax(all);
    for (int i = 0; i < count; i++)
        map[i] = isl_map_apply_range(isl_map_copy(all), isl_map_reverse(order_of(w, store[i])));
}

/* Adds the last writers among stores, including those that are done; each cell has one. */
static void see_last(struct reader *r, const struct ir_op **store, int count, int common,
                     bool earlier)
{
    isl_map **map = gzt_alloc((size_t)count * sizeof *map);
    int some = 0;
    for (int i = 0; i < count; i++) {
        map[some] = writes_of(r, store[i], common, earlier);
        store[some] = store[i];
        isl_set *cells = isl_map_domain(isl_map_copy(map[some]));
        some += isl_set_is_subset(cells, r->done) != isl_bool_true;
    }
    if (some > 0)
        keep_last(r->w, store, map, some);
    for (int i = 0; i < some; i++)
        add_edge(r, store[i], map[i], false);
}

/* Looks at the stores before the reader that share `common` loops with it, from the last on, those
 * of one loop together. */
static void see_before(struct reader *r, const struct ir_op **store, int common)
{
    const struct ir_op *to = r->like.to;
    int count = 0;
    for (int i = to ? to->number - 1 : r->w->ir->ops - 1; i >= 0; i--) {
        const struct ir_op *op = r->w->ir->op[i];
        if (!r->w->set[i] || op->access.object != r->object || common_loops(op, to) != common)
            continue;
        if (count && !(loop_at(op, common) && loop_at(op, common) == loop_at(store[0], common))) {
            see_last(r, store, count, common, false);
            count = 0;
        }
        store[count++] = op;
    }
    see_last(r, store, count, common, false);
}

static void see_earlier(struct reader *r, const struct ir_op **store, int common)
{
    int count = 0;
    IR_EACH_OP (op, r->w->ir)
        if (r->w->set[op->number] && op->access.object == r->object &&
            common_loops(op, r->like.to) >= common)
            store[count++] = op;
    see_last(r, store, count, common, true);
}

/* What earlier iterations of the outermost loop wrote, by any store. */
static void see_past(struct reader *r)
{
    IR_EACH_OP (op, r->w->ir) {
        bool sets = r->w->set[op->number] && op->access.object == r->object;
        isl_map *map = sets ? writes_of(r, op, 1, true) : NULL;
        if (map && isl_map_is_empty(map) == isl_bool_false)
            map = isl_map_subtract_domain(map, isl_set_copy(r->done));
        if (map && isl_map_is_empty(map) == isl_bool_false)
            add_edge(r, op, map, true);
    }
}

/* Adds the edges of who reads elements of an object; takes the map, { instances -> elements }. */
static void see(struct writers *w, const struct ir_op *to, const struct ir_object *object,
                isl_map *reads)
{
    struct reader r = {w, {.to = to, .of = object}, object, .reads = reads};
    const struct ir_op **store = gzt_alloc((size_t)w->ir->ops * sizeof *store);
    r.several = isl_map_plain_is_single_valued(reads) != isl_bool_true;
    if (r.several)
        r.reads = isl_map_range_map(reads);
    r.done = isl_set_empty(isl_space_domain(isl_map_get_space(r.reads)));
    for (int common = to ? ir_depth(to) : 1; common > 0; common--) {
        see_before(&r, store, common);
        if (common > 1)
            see_earlier(&r, store, common);
    }
    see_past(&r);
}

/* All objects that an operation may read any element of. */
static void see_all(struct writers *w, const struct ir_op *op, const struct ir_object *object)
{
    for (int i = 0; i < w->ir->objects; i++)
        if (object->kind == IR_ANYWHERE || object == w->ir->object[i])
            see(w, op, w->ir->object[i], ir_anything(w->a, op, w->ir->object[i]));
}

static void see_op(struct writers *w, const struct ir_op *op, bool left_out)
{
    bool exact = true;
    if (op->kind == IR_OPAQUE || op->kind == IR_COPY)
        see_all(w, op, op->kind == IR_COPY ? op->from.object : w->ir->object[0]);
    else if (op->kind == IR_READ && op->access.object->kind == IR_ANYWHERE)
        see_all(w, op, op->access.object);
    else if (op->kind == IR_STORE && !left_out)
        ir_when(w->a, op, &exact);
    if ((op->kind == IR_READ && op->access.object->kind != IR_ANYWHERE) || !exact)
        see(w, op, op->access.object, ir_touched(w->a, op).map);
}

/* { E<object>[iteration, element] -> M<object>[element] }, of the iterations that run. */
static isl_map *at_end(struct writers *w, const struct ir_loop *loop,
                       const struct ir_object *object)
{
    isl_set *set =
        isl_set_add_dims(ir_iterations(w->a, loop), isl_dim_set, (unsigned)ir_rank(w->a, object));
    set = isl_set_set_tuple_name(set, gzt_format("E%d", object->number));
    isl_map *map = isl_map_project_out(isl_set_identity(set), isl_dim_out, 0, 1);
    return isl_map_set_tuple_name(map, isl_dim_out, gzt_format("M%d", object->number));
}

struct ir_flow *ir_follow(struct ir_affine *affine, const struct ir_loop *time,
                          const char *left_out)
{
    const struct ir_region *ir = affine->ir;
    struct ir_flow *flow = gzt_alloc(sizeof *flow);
    struct writers w = {.flow = flow, .a = flow->affine = affine, .ir = ir};
    w.set = gzt_alloc((size_t)ir->ops * sizeof *w.set);
    ir_bound(affine->isl, IR_MOST_WORK);
    IR_EACH_OP (op, ir) /* how many coordinates elements have is known from here on */
        if (op->kind == IR_READ || op->kind == IR_STORE)
            ir_coordinates(affine, &op->access);
    IR_EACH_OP (op, ir) {
        w.levels = ir_depth(op) > w.levels ? ir_depth(op) : w.levels;
        if (op->kind == IR_STORE && !left_out[op->number] && op->loop)
            w.set[op->number] = isl_map_reverse(ir_touched(affine, op).map);
    }
    IR_EACH_OP (op, ir)
        if (op->loop)
            see_op(&w, op, left_out[op->number]);
    for (int i = 0; i < ir->objects; i++)
        if (ir->object[i]->written && ir->object[i]->kind != IR_ANYWHERE)
            see(&w, NULL, ir->object[i], at_end(&w, time, ir->object[i]));
    flow->given_up = isl_ctx_last_error(affine->isl) != isl_error_none;
    ir_bound(affine->isl, 0);
    return flow;
}

/* --------------------------------------------------------------------------------- printing */

/* Instances of who reads, and of who wrote, as far as they are not all that the loops have. */
static const char *instances_of(const struct ir_flow *flow, const struct ir_edge *edge)
{
    isl_map *map = isl_map_copy(edge->source);
    if (edge->to)
        map = isl_map_gist_domain(map, ir_instances(flow->affine, edge->to, NULL));
    map = isl_map_gist_params(map, isl_set_params(isl_set_copy(flow->affine->context)));
    map = isl_map_reset_tuple_id(isl_map_coalesce(map), isl_dim_in);
    map = isl_map_reset_tuple_id(map, isl_dim_out);
    for (const struct ir_loop *loop = edge->to ? edge->to->loop : NULL; loop; loop = loop->around)
        map = isl_map_set_dim_id(map, isl_dim_in, (unsigned)loop->depth,
                                 isl_id_copy(flow->affine->turns[loop->number].id));
    const char *text = isl_map_to_str(isl_map_drop_unused_params(map));
    return text ? text : "?";
}

void ir_print_edges(const struct ir_flow *flow, struct gzt_text *text)
{
    gzt_add(text, "edges%s\n", flow->given_up ? ": too many to follow" : "");
    for (int i = 0; i < flow->edges && !flow->given_up; i++) {
        const struct ir_edge *edge = flow->edge[i], *last = i > 0 ? flow->edge[i - 1] : NULL;
        if (!last || last->to != edge->to || last->of != edge->of)
            gzt_add(text, edge->to ? "  op %d, %s\n" : "  %.0d%s at the end of a time step\n",
                    edge->to ? edge->to->number : 0, edge->of->shown);
        if (edge->earlier)
            gzt_add(text, "    op %d of an earlier time step\n", edge->from->number);
        else
            gzt_add(text, "    op %d: %s\n", edge->from->number, instances_of(flow, edge));
    }
}
