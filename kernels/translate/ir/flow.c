/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow.h"

#include "../source.h"
#include "../tree.h"

#include <isl/flow.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* What is made of a region on the way. */
struct work {
    struct ir_flow *flow;
    struct ir_affine *a;
    const struct ir_region *ir;
    int levels;        /* the deepest nest */
    const char **when; /* by operation: its place in the schedule */
    isl_union_map *order, *reads, *must, *may;
    isl_map_list **seen;         /* by operation that loads: what it sees */
    isl_map_list **left;         /* by object: what is there behind the region */
    char *planes;                /* by object: has_planes */
    char *guarded;               /* stores whose condition is not known exactly */
};

static isl_union_map *add(isl_union_map *all, isl_map *map)
{
    return isl_union_map_union(all, isl_union_map_from_map(map));
}

/* ---------------------------------------------------------------------------------- schedule */

static int depth_of(const struct ir_loop *loop)
{
    return loop ? loop->depth + 1 : 0;
}

/* "[a0, a1]" */
static const char *tuple(char letter, int count)
{
    struct gzt_text text = {0};
    for (int i = 0; i < count; i++)
        gzt_add(&text, "%s%c%d", i ? ", " : "", letter, i);
    return gzt_format("[%s]", gzt_string(&text));
}

static void place_block(struct work *w, const struct ir_block *block, const char *prefix, int from)
{
    for (int i = 0; i < block->items; i++) {
        const struct ir_loop *loop = block->item[i]->loop;
        const char *here = gzt_format("%s%d", prefix, from + i);
        if (block->item[i]->op) {
            w->when[block->item[i]->op->number] = here;
            continue;
        }
        if (loop->depth >= w->levels)
            w->levels = loop->depth + 1;
        here = gzt_format("%s, %sa%d, ", here, w->a->turns[loop->number].step < 0 ? "-" : "",
                          loop->depth);
        place_block(w, &loop->head, here, 0);
        place_block(w, &loop->body, here, loop->head.items);
    }
}

static isl_map *order_of(struct work *w, const struct ir_op *op)
{
    struct gzt_text text = {0};
    gzt_add(&text, "{ S%d%s -> [0, %s", op->number, tuple('a', depth_of(op->loop)),
            w->when[op->number]);
    for (int level = depth_of(op->loop); level < w->levels; level++)
        gzt_add(&text, ", 0, 0");
    gzt_add(&text, "] }");
    return isl_map_read_from_str(w->a->isl, gzt_string(&text));
}

/* ---------------------------------------------------------------------------------- accesses */

/* Adds all that an operation may touch of an object, which is any of memory if that is anywhere. */
static isl_union_map *add_all(struct work *w, const struct ir_op *op,
                              const struct ir_object *object, isl_union_map *all)
{
    for (int i = 0; i < w->ir->objects; i++)
        if (object->kind == IR_ANYWHERE || object == w->ir->object[i])
            all = add(all, ir_anything(w->a, op, w->ir->object[i]));
    return all;
}

static void add_access(struct work *w, const struct ir_op *op)
{
    struct ir_element element = ir_touched(w->a, op);
    bool exact = true, reads = op->kind == IR_READ;
    isl_set_free(ir_when(w->a, op, &exact));
    isl_union_map **to = reads ? &w->reads : element.known ? &w->must : &w->may;
    if (op->access.object->kind == IR_ANYWHERE) {
        *to = add_all(w, op, op->access.object, *to);
        isl_map_free(element.map);
        return;
    }
    if (!reads && !exact && element.known) {
        w->guarded[op->number] = 1;
        w->reads = add(w->reads, isl_map_copy(element.map));
    }
    *to = add(*to, element.map);
}

static void add_op(struct work *w, const struct ir_op *op)
{
    bool exact = true;
    if (op->kind == IR_READ || op->kind == IR_STORE)
        add_access(w, op);
    else if (op->kind == IR_OPAQUE || op->kind == IR_COPY)
        w->may = add_all(w, op, op->kind == IR_COPY ? op->access.object : w->ir->object[0], w->may);
    if (op->kind == IR_COPY)
        w->reads = add_all(w, op, op->from.object, w->reads);
    isl_set *instances = ir_instances(w->a, op, &exact);
    w->order = add(w->order, isl_map_intersect_domain(order_of(w, op), instances));
}

/* Whoever reads behind the region: R<object>[element] is one who reads this element. */
static void add_result(struct work *w, const struct ir_object *object)
{
    int n = ir_rank(w->a, object);
    const char *at = tuple('e', n);
    w->reads = add(w->reads,
                   isl_map_read_from_str(w->a->isl, gzt_format("{ R%d%s -> M%d%s }", object->number,
                                                               at, object->number, at)));
    struct gzt_text text = {0};
    for (int i = 0; i < 2 * w->levels + 1; i++)
        gzt_add(&text, ", 0");
    w->order = add(w->order,
                   isl_map_read_from_str(w->a->isl, gzt_format("{ R%d%s -> [1%s] }", object->number,
                                                               at, gzt_string(&text))));
}

/* -------------------------------------------------------------------------------------- flow */

static int number_in(const char *name, char letter)
{
    return name && name[0] == letter ? atoi(name + 1) : -1;
}

static isl_stat take_seen(isl_map *map, void *data)
{
    struct work *w = data;
    const char *name = isl_map_get_tuple_name(map, isl_dim_in);
    int op = number_in(name, 'S'), object = number_in(name, 'R');
    isl_map_list **list = op >= 0 ? &w->seen[op] : &w->left[object];
    if (!*list)
        *list = isl_map_list_alloc(w->a->isl, 1);
    *list = isl_map_list_add(*list, isl_map_coalesce(map));
    return isl_stat_ok;
}

static void compute(struct work *w)
{
    isl_union_access_info *info = isl_union_access_info_from_sink(w->reads);
    info = isl_union_access_info_set_must_source(info, w->must);
    info = isl_union_access_info_set_may_source(info, w->may);
    info = isl_union_access_info_set_schedule_map(info, w->order);
    isl_union_flow *result = isl_union_access_info_compute_flow(info);
    isl_union_map *from = isl_union_map_reverse(isl_union_flow_get_may_dependence(result));
    isl_union_map *before = isl_union_flow_get_may_no_source(result);
    isl_union_flow_free(result);
    isl_union_map_foreach_map(from, take_seen, w);
    isl_union_map_foreach_map(before, take_seen, w);
    isl_union_map_free(from);
    isl_union_map_free(before);
}

/* ------------------------------------------------------------------------------------ copies */

/* { instances of `op` -> the instance of `read` whose value they use }, or NULL if that stands in a
 * loop of its own. */
static isl_map *used_instance(struct work *w, const struct ir_op *op, const struct ir_op *read)
{
    if (read->loop && !ir_within(op->loop, read->loop))
        return NULL;
    return isl_map_read_from_str(w->a->isl, gzt_format("{ S%d%s -> S%d%s }", op->number,
                                                       tuple('a', depth_of(op->loop)), read->number,
                                                       tuple('a', depth_of(read->loop))));
}

static const struct ir_op *copied_by(struct work *w, const struct ir_op *op)
{
    if (op->kind != IR_STORE || op->value->code != IR_LOAD || w->guarded[op->number])
        return NULL;
    const struct ir_op *read = op->value->op;
    bool read_then = read->where == op->where || ir_is_number(read->where, 1);
    return read_then && (!read->loop || ir_within(op->loop, read->loop)) ? read : NULL;
}

/* Adds what `map` leads to, by way of copies. */
static isl_map_list *add_through(struct work *w, isl_map_list *list, isl_map *map, int depth)
{
    enum { DEEPEST = 4 };
    int op = number_in(isl_map_get_tuple_name(map, isl_dim_out), 'S');
    const struct ir_op *read = op >= 0 && depth < DEEPEST ? copied_by(w, w->ir->op[op]) : NULL;
    isl_map_list *next = read ? w->seen[read->number] : NULL;
    if (!next || isl_map_is_empty(map) == isl_bool_true)
        return isl_map_is_empty(map) == isl_bool_true ? (isl_map_free(map), list)
                                                      : isl_map_list_add(list, map);
    map = isl_map_apply_range(map, used_instance(w, w->ir->op[op], read));
    for (int i = 0; i < isl_map_list_n_map(next); i++) {
        isl_map *on = isl_map_apply_range(isl_map_copy(map), isl_map_list_get_map(next, i));
        list = add_through(w, list, isl_map_coalesce(on), depth + 1);
    }
    isl_map_free(map);
    return list;
}

/* ------------------------------------------------------------------------------------- edges */

/* The elements of a set of single whole numbers; -1 if they are more than `most` or their number
 * depends on parameters. */
static int enumerate(isl_set *set, long *at, int most)
{
    isl_aff *at0 =
        isl_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(set)), isl_dim_set, 0);
    isl_val *low = isl_set_min_val(set, at0), *high = isl_set_max_val(set, at0);
    int count = -1;
    if (isl_val_is_int(low) == isl_bool_true && isl_val_is_int(high) == isl_bool_true &&
        isl_val_get_num_si(high) - isl_val_get_num_si(low) < most) {
        count = 0;
        for (long v = isl_val_get_num_si(low); v <= isl_val_get_num_si(high); v++)
            at[count++] = v;
    }
    isl_val_free(low);
    isl_val_free(high);
    isl_aff_free(at0);
    isl_set_free(set);
    return count;
}

/* Whether the first coordinate of all accesses to an object goes by the iteration of the outermost
 * loop alone, as that of planes does, and in one at least. */
static bool has_planes(struct work *w, const struct ir_object *object)
{
    bool goes = false;
    for (int i = 0; i < w->ir->ops; i++) {
        const struct ir_access *access = &w->ir->op[i]->access;
        if (access->object != object)
            continue;
        isl_pw_aff *f = access->subscripts > 1 ? ir_affine_of(w->a, access->subscript[0]) : NULL;
        bool alone = f != NULL;
        for (int k = 0; k < w->ir->loops && f; k++) {
            bool by = ir_goes_by(f, &w->a->turns[k]);
            goes = goes || by;
            alone = alone && !(by && w->ir->loop[k]->around);
        }
        isl_pw_aff_free(f);
        if (!alone)
            return false;
    }
    return goes;
}

/* { coordinates of what `op` sets -> ... }, slots left out; of memory, its own coordinates. */
static isl_map *elements(struct work *w, const struct ir_op *op, const struct ir_object *object)
{
    isl_map *map;
    if (op) {
        struct ir_element element = ir_touched(w->a, op);
        map = element.known ? element.map : (isl_map_free(element.map), NULL);
    } else {
        const char *at = tuple('e', ir_rank(w->a, object));
        map = isl_map_read_from_str(
            w->a->isl, gzt_format("{ M%d%s -> M%d%s }", object->number, at, object->number, at));
    }
    if (map && (object->slots > 1 || w->planes[object->number]))
        map = isl_map_project_out(isl_map_reset_tuple_id(map, isl_dim_out), isl_dim_out, 0, 1);
    return map ? isl_map_reset_tuple_id(map, isl_dim_out) : NULL;
}

/* Finds the distance of an edge, if it is one. */
static void measure(struct work *w, struct ir_edge *edge)
{
    const struct ir_object *from = edge->from ? edge->from->access.object : edge->before;
    if (!edge->source || !edge->to || edge->to->kind != IR_STORE ||
        (edge->from && edge->from->kind != IR_STORE))
        return;
    isl_map *own = elements(w, edge->to, edge->to->access.object),
            *other = elements(w, edge->from, from);
    if (own && other && isl_map_dim(own, isl_dim_out) == isl_map_dim(other, isl_dim_out)) {
        isl_map *between = isl_map_apply_domain(
            isl_map_apply_range(isl_map_copy(edge->source), isl_map_copy(other)),
            isl_map_copy(own));
        isl_set *delta = isl_map_deltas(between);
        delta = isl_set_project_out_all_params(delta);
        edge->coordinates = isl_set_dim(delta, isl_dim_set);
        edge->constant = isl_set_is_singleton(delta) == isl_bool_true;
        isl_point *point =
            edge->constant ? isl_set_sample_point(delta) : (isl_set_free(delta), NULL);
        for (int k = 0; k < edge->coordinates && point; k++) {
            isl_val *v = isl_point_get_coordinate_val(point, isl_dim_set, k);
            edge->distance[k] = isl_val_get_num_si(v);
            isl_val_free(v);
        }
        isl_point_free(point);
    }
    isl_map_free(own);
    isl_map_free(other);
}

static void add_edge(struct work *w, struct ir_edge like, isl_map *source)
{
    struct ir_edge *edge = gzt_alloc(sizeof *edge);
    *edge = like;
    edge->source = source;
    edge->cells = isl_set_coalesce(isl_map_domain(isl_map_copy(source)));
    measure(w, edge);
    gzt_push(&w->flow->edge, &w->flow->edges, edge);
}

struct pieces {
    struct work *w;
    struct ir_edge *like;
    int count;
    isl_map *rest;
};

/* A piece with a distance of its own is an edge of its own. */
static isl_stat take_piece(isl_basic_map *basic, void *data)
{
    struct pieces *pieces = data;
    struct ir_edge edge = *pieces->like;
    edge.source = isl_map_from_basic_map(basic);
    edge.constant = false;
    measure(pieces->w, &edge);
    if (!edge.constant) {
        isl_map_free(edge.source);
        return isl_stat_ok;
    }
    pieces->rest = isl_map_subtract(pieces->rest, isl_map_copy(edge.source));
    for (int i = pieces->w->flow->edges - pieces->count; i < pieces->w->flow->edges; i++) {
        struct ir_edge *old = pieces->w->flow->edge[i];
        if (old->constant && memcmp(old->distance, edge.distance, sizeof edge.distance) == 0) {
            old->source = isl_map_coalesce(isl_map_union(old->source, edge.source));
            isl_set_free(old->cells);
            old->cells = isl_set_coalesce(isl_map_domain(isl_map_copy(old->source)));
            return isl_stat_ok;
        }
    }
    pieces->count++;
    add_edge(pieces->w, *pieces->like, edge.source);
    return isl_stat_ok;
}

/* One edge for all cells with one distance, or for pieces with such. */
static void add_pieces(struct work *w, struct ir_edge like, isl_map *source)
{
    struct pieces pieces = {w, &like, 0, isl_map_copy(source)};
    struct ir_edge whole = like;
    whole.source = source;
    measure(w, &whole);
    if (!whole.constant && whole.coordinates > 0)
        isl_map_foreach_basic_map(source, take_piece, &pieces);
    isl_map_free(source);
    if (isl_map_is_empty(pieces.rest) == isl_bool_true)
        isl_map_free(pieces.rest);
    else
        add_edge(w, like, isl_map_coalesce(pieces.rest));
}

static const struct ir_loop *outermost(const struct ir_loop *loop)
{
    while (loop && loop->around)
        loop = loop->around;
    return loop;
}

/* Adds edges for what one map leads to, apart by the number of loops between. */
static void add_timed(struct work *w, struct ir_edge like, isl_map *source)
{
    enum { MOST = 5 };
    int from = number_in(isl_map_get_tuple_name(source, isl_dim_out), 'S');
    int object = number_in(isl_map_get_tuple_name(source, isl_dim_out), 'M');
    long ago[MOST];
    like.from = from >= 0 ? w->ir->op[from] : NULL;
    like.before = object >= 0 ? w->ir->object[object] : NULL;
    const struct ir_loop *time = like.to ? outermost(like.to->loop) : NULL;
    like.loops_ago = IR_VARIES;
    if (!like.from || !time || outermost(like.from->loop) != time) {
        add_pieces(w, like, source);
        return;
    }
    isl_map *between = isl_map_read_from_str(
        w->a->isl, gzt_format("{ [S%d%s -> S%d%s] -> [a0 - b0] }", like.to->number,
                              tuple('a', depth_of(like.to->loop)), from,
                              tuple('b', depth_of(like.from->loop))));
    between = isl_map_intersect_domain(between, isl_map_wrap(isl_map_copy(source)));
    int count = enumerate(isl_map_range(isl_map_copy(between)), ago, MOST);
    for (int i = 0; i < count; i++) {
        isl_map *then = isl_map_fix_val(isl_map_copy(between), isl_dim_out, 0,
                                        isl_val_int_from_si(w->a->isl, ago[i]));
        isl_map *part = isl_set_unwrap(isl_map_domain(then));
        like.loops_ago = (int)(ago[i] / w->a->turns[time->number].step);
        if (isl_map_is_empty(part) == isl_bool_true)
            isl_map_free(part);
        else
            add_pieces(w, like, isl_map_coalesce(part));
    }
    if (count < 0)
        add_pieces(w, like, source);
    else
        isl_map_free(source);
    isl_map_free(between);
}

static void add_seen(struct work *w, struct ir_edge like, isl_map_list *list, isl_map *by)
{
    isl_map_list *all = isl_map_list_alloc(w->a->isl, 1);
    for (int i = 0; list && i < isl_map_list_n_map(list); i++) {
        isl_map *map = isl_map_list_get_map(list, i);
        map = by ? isl_map_apply_range(isl_map_copy(by), map) : map;
        bool looks = like.to && !copied_by(w, like.to);
        all = looks ? add_through(w, all, isl_map_coalesce(map), 0) : isl_map_list_add(all, map);
    }
    for (int i = 0; i < isl_map_list_n_map(all); i++)
        add_timed(w, like, isl_map_list_get_map(all, i));
    isl_map_list_free(all);
    isl_map_free(by);
}

struct uses {
    struct work *w;
    const struct ir_op *op;
    char *read; /* by operation: whether its value is used */
};

static void take_use(struct ir_value *value, void *data)
{
    struct uses *uses = data;
    struct ir_flow *flow = uses->w->flow;
    if (value->code == IR_LOAD)
        uses->read[value->op->number] = 1;
    isl_pw_aff *f = value->code == IR_PHI ? ir_affine_of(uses->w->a, value) : NULL;
    bool known = value->code != IR_PHI || f;
    isl_pw_aff_free(f);
    for (int i = 0; i < flow->carries && !known; i++)
        known = flow->carried[i] == value;
    if (!known)
        gzt_push(&flow->carried, &flow->carries, value);
}

struct roots {
    struct uses *uses;
    char *seen;
};

static void walk_root(struct ir_value *value, void *data)
{
    struct roots *roots = data;
    ir_walk_value(value, roots->seen, take_use, roots->uses);
}

static void add_edges_of(struct work *w, const struct ir_op *op)
{
    struct uses uses = {w, op, gzt_alloc((size_t)w->ir->ops)};
    struct roots roots = {&uses, gzt_alloc((size_t)w->ir->values)};
    bool exact = true;
    if (op->kind == IR_READ)
        return;
    walk_root(op->where, &roots);
    for (int i = 0; i < op->access.subscripts; i++)
        walk_root(op->access.subscript[i], &roots);
    if (op->access.whole)
        walk_root(op->access.address, &roots);
    if (op->from.address)
        walk_root(op->from.address, &roots);
    if (op->value)
        walk_root(op->value, &roots);
    for (int i = 0; i < op->arguments; i++)
        if (op->argument[i])
            walk_root(op->argument[i], &roots);
    isl_set *instances = ir_instances(w->a, op, &exact);
    for (int i = 0; i < w->ir->ops; i++) {
        const struct ir_op *read = w->ir->op[i];
        struct ir_edge like = {.to = op, .read = read, .of = read->access.object, .certain = true};
        isl_map *by = uses.read[i] ? used_instance(w, op, read) : NULL;
        if (by)
            add_seen(w, like, w->seen[i], isl_map_intersect_domain(by, isl_set_copy(instances)));
    }
    isl_set_free(instances);
    bool copies = op->kind == IR_COPY;
    struct ir_edge kept = {
        .to = op, .of = copies ? op->from.object : op->access.object, .certain = true};
    if (copies || w->guarded[op->number])
        add_seen(w, kept, w->seen[op->number], NULL);
}

static void follow(struct work *w)
{
    const struct ir_region *ir = w->ir;
    place_block(w, &ir->body, "", 0);
    for (int i = 0; i < ir->ops; i++) /* how many coordinates elements have is known from here on */
        if (ir->op[i]->kind == IR_READ || ir->op[i]->kind == IR_STORE)
            isl_map_free(ir_coordinates(w->a, &ir->op[i]->access));
    for (int i = 0; i < ir->ops; i++)
        add_op(w, ir->op[i]);
    for (int i = 0; i < ir->objects; i++)
        if (ir->object[i]->written && ir->object[i]->kind != IR_ANYWHERE && ir->object[i]->escapes)
            add_result(w, ir->object[i]);
    compute(w);
    for (int i = 0; i < ir->objects; i++)
        w->planes[i] = ir->object[i]->regular && has_planes(w, ir->object[i]);
    for (int i = 0; i < ir->ops; i++)
        add_edges_of(w, ir->op[i]);
    for (int i = 0; i < ir->objects; i++)
        add_seen(w, (struct ir_edge){.of = ir->object[i], .certain = true}, w->left[i], NULL);
}

struct ir_flow *ir_follow(const struct ir_region *ir, isl_ctx *isl, unsigned long limit)
{
    struct ir_flow *flow = gzt_alloc(sizeof *flow);
    isl_ctx_reset_operations(isl);
    isl_ctx_set_max_operations(isl, limit);
    struct work w = {.flow = flow, .ir = ir};
    w.a = flow->affine = ir_affine_begin(ir, isl);
    w.when = gzt_alloc((size_t)ir->ops * sizeof *w.when);
    w.guarded = gzt_alloc((size_t)ir->ops);
    w.planes = gzt_alloc((size_t)ir->objects);
    w.seen = gzt_alloc((size_t)ir->ops * sizeof *w.seen);
    w.left = gzt_alloc((size_t)ir->objects * sizeof *w.left);
    isl_space *space = isl_space_params_alloc(isl, 0);
    w.order = isl_union_map_empty(isl_space_copy(space));
    w.reads = isl_union_map_empty(isl_space_copy(space));
    w.must = isl_union_map_empty(isl_space_copy(space));
    w.may = isl_union_map_empty(space);
    follow(&w);
    flow->given_up = isl_ctx_last_error(isl) != isl_error_none;
    isl_ctx_reset_error(isl);
    isl_ctx_set_max_operations(isl, 0);
    return flow;
}

/* --------------------------------------------------------------------------------- printing */

/* Where an edge holds, if not for all instances of its operation. */
static const char *cells_of(const struct ir_flow *flow, const struct ir_edge *edge)
{
    bool exact = true;
    isl_set *cells = isl_set_copy(edge->cells);
    const struct ir_loop *loop = edge->to ? edge->to->loop : NULL;
    if (edge->to)
        cells = isl_set_gist(cells, ir_instances(flow->affine, edge->to, &exact));
    cells = isl_set_gist_params(cells, isl_set_params(isl_set_copy(flow->affine->context)));
    cells = isl_set_reset_tuple_id(isl_set_coalesce(cells));
    for (; loop; loop = loop->around)
        cells = isl_set_set_dim_id(cells, isl_dim_set, (unsigned)loop->depth,
                                   isl_id_copy(flow->affine->turns[loop->number].id));
    bool all = isl_set_plain_is_universe(cells) == isl_bool_true;
    char *bytes = all ? NULL : isl_set_to_str(cells);
    const char *text = all ? "" : gzt_format(" where %s", bytes ? bytes : "?");
    free(bytes);
    isl_set_free(cells);
    return text;
}

static void print_edge(const struct ir_flow *flow, const struct ir_edge *edge,
                       struct gzt_text *text)
{
    if (edge->read)
        gzt_add(text, "    op %d, %s: ", edge->read->number, edge->of->shown);
    else
        gzt_add(text, "    %s: ",
                !edge->to                   ? gzt_format("%s behind", edge->of->shown)
                : edge->to->kind == IR_COPY ? "copied"
                                            : "kept");
    if (edge->from)
        gzt_add(text, "op %d", edge->from->number);
    else
        gzt_add(text, "before the region, %s", edge->before->shown);
    if (edge->from && edge->loops_ago >= 0)
        gzt_add(text, ", %d loop%s ago", edge->loops_ago, edge->loops_ago == 1 ? "" : "s");
    else if (edge->from && edge->to)
        gzt_add(text, ", in any loop");
    if (edge->constant && edge->coordinates > 0) {
        gzt_add(text, ", distance");
        for (int k = 0; k < edge->coordinates; k++)
            gzt_add(text, "%s%ld", k ? ", " : " (", edge->distance[k]);
        gzt_add(text, ")");
    } else if (edge->to && !edge->constant) {
        bool exact = true;
        isl_map *simple = isl_map_gist_domain(isl_map_copy(edge->source),
                                              ir_instances(flow->affine, edge->to, &exact));
        simple = isl_map_reset_tuple_id(
            isl_map_reset_tuple_id(isl_map_coalesce(simple), isl_dim_in), isl_dim_out);
        for (const struct ir_loop *loop = edge->to->loop; loop; loop = loop->around)
            simple = isl_map_set_dim_id(simple, isl_dim_in, (unsigned)loop->depth,
                                        isl_id_copy(flow->affine->turns[loop->number].id));
        char *bytes = isl_map_to_str(simple);
        gzt_add(text, " by %s\n", bytes ? bytes : "?");
        free(bytes);
        isl_map_free(simple);
        return;
    }
    gzt_add(text, "%s\n", cells_of(flow, edge));
}

void ir_print_edges(const struct ir_flow *flow, struct gzt_text *text)
{
    const struct ir_op *last = NULL;
    gzt_add(text, "edges%s\n", flow->given_up ? ": too many to follow" : "");
    for (int i = 0; i < flow->edges && !flow->given_up; i++) {
        const struct ir_edge *edge = flow->edge[i];
        if (i == 0 || edge->to != last)
            gzt_add(text, edge->to ? "  op %d%s%s\n" : "  behind the region\n",
                    edge->to ? edge->to->number : 0,
                    edge->to && edge->to->kind == IR_STORE ? ", " : "",
                    edge->to && edge->to->kind == IR_STORE ? edge->to->access.object->shown : "");
        last = edge->to;
        print_edge(flow, edge, text);
    }
    for (int i = 0; i < flow->carries; i++) {
        const struct ir_value *phi = flow->carried[i], *variable = phi->a[2];
        gzt_add(text, "  carried by loop %d: %s\n", phi->loop->number,
                variable && variable->decl ? variable->decl->name
                                           : gzt_format("%%%d", phi->number));
    }
}
