/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loops.h"

#include "locals.h"

#include <stdlib.h>
#include <string.h>

const struct gzt_decl gzt_turn = {.name = "gz_turn",
                                  .type_name = "long",
                                  .type = GZT_LONG,
                                  .offset = -1,
                                  .variable = true,
                                  .automatic = true,
                                  .usr = ""};

static int refuse_header(struct gzt_source *source, const struct gzt_node *node)
{
    return gzt_refuse(source, node->begin,
                      "the head of a loop must be for (i = LOW; i < HIGH; i++); <= may stand for "
                      "<, and a time loop may have another step");
}

bool gzt_read_beginning(const struct gzt_node *node, struct gzt_loop *loop)
{
    if (node->kind == GZT_DECL && node->count == 1 && node->child[0]->kind == GZT_VARIABLE &&
        node->child[0]->count == 1) {
        loop->iterator = node->child[0]->decl;
        loop->low = node->child[0]->child[0];
        loop->declared_inside = true;
        return true;
    }
    if (gzt_bare(node)->kind == GZT_REF) {
        loop->iterator = gzt_bare(node)->decl;
        loop->low = node;
        return true;
    }
    if (!gzt_is_binary(node, "=") || gzt_bare(node->child[0])->kind != GZT_REF)
        return false;
    loop->iterator = gzt_bare(node->child[0])->decl;
    loop->low = node->child[1];
    return true;
}

static bool is_iterator(const struct gzt_node *node, const struct gzt_loop *loop)
{
    return gzt_is_ref(node, loop->iterator);
}

/* i < HIGH, i <= HIGH, or the same the other way round. */
static bool read_condition(const struct gzt_node *node, struct gzt_loop *loop)
{
    node = gzt_bare(node);
    if (node->kind != GZT_BINARY || node->op[0] == '\0' || !strchr("<>", node->op[0]))
        return false;
    bool less = node->op[0] == '<';
    loop->inclusive = node->op[1] == '=';
    if (node->op[1] != '\0' && strcmp(node->op + 1, "=") != 0)
        return false;
    if (!is_iterator(node->child[less ? 0 : 1], loop))
        return false;
    loop->high = node->child[less ? 1 : 0];
    return true;
}

/* i + 1 < n, of an i that may be negative, as sizes without a sign are compared. */
static int refuse_condition(struct gzt_source *source, const struct gzt_node *node,
                            const struct gzt_loop *loop)
{
    const struct gzt_node *condition = gzt_bare(node->child[1]);
    bool sign = loop->iterator->type == GZT_INT || loop->iterator->type == GZT_LONG;
    for (int i = 0; sign && i < condition->count && gzt_is_integer(condition->type); i++)
        if (condition->child[i]->type == GZT_UINT || condition->child[i]->type == GZT_ULONG)
            return gzt_refuse(source, condition->begin,
                              "%s is compared without a sign, as %s, which goes around where %s is "
                              "negative: must begin at a number, or be %s < HIGH",
                              gzt_node_text(source, condition), condition->child[i]->type_name,
                              loop->iterator->name, loop->iterator->name);
    return refuse_header(source, node);
}

static int literal(const struct gzt_node *node)
{
    enum { MOST = 1 << 20 };
    return node->constant && node->value > 0 && node->value < MOST ? (int)node->value : 0;
}

/* i++, ++i, i += STEP, i = i + STEP. */
static bool read_step(const struct gzt_node *node, struct gzt_loop *loop)
{
    node = gzt_bare(node);
    loop->step = 1;
    if (node->kind == GZT_UNARY && is_iterator(node->child[0], loop))
        return strcmp(node->op, "++") == 0 || strcmp(node->op, "x++") == 0;
    if (node->kind != GZT_BINARY || !is_iterator(node->child[0], loop))
        return false;
    if (strcmp(node->op, "+=") == 0) {
        loop->step = literal(node->child[1]);
        return loop->step > 0;
    }
    const struct gzt_node *sum = gzt_bare(node->child[1]);
    if (strcmp(node->op, "=") != 0 || !gzt_is_binary(sum, "+"))
        return false;
    bool first = is_iterator(sum->child[0], loop);
    loop->step = literal(sum->child[first ? 1 : 0]);
    return loop->step > 0 && (first || is_iterator(sum->child[1], loop));
}

/* i--, --i or i -= STEP in an expression. */
static int is_down(const struct gzt_node *node, void *data)
{
    const struct gzt_decl **down = data;
    bool counts =
        (node->kind == GZT_UNARY && (!strcmp(node->op, "--") || !strcmp(node->op, "x--"))) ||
        (node->kind == GZT_BINARY && !strcmp(node->op, "-="));
    if (counts && gzt_bare(node->child[0])->kind == GZT_REF)
        *down = gzt_bare(node->child[0])->decl;
    return *down != NULL;
}

/* Whether a step counts down, which then is the error that is set. */
static bool refused_down(struct gzt_source *source, const struct gzt_node *loop,
                         const struct gzt_node *step)
{
    const struct gzt_decl *down = NULL;
    gzt_walk(step, is_down, &down);
    if (down)
        gzt_refuse(source, loop->begin,
                   "%s counts down: a loop must count up, as for (i = LOW; i < HIGH; i++) does",
                   down->name);
    return down != NULL;
}

/* A loop whose head does not begin with its variable. */
static int refuse_beginning(struct gzt_source *source, const struct gzt_node *node)
{
    for (int i = 0; i + 1 < node->count; i++)
        if (refused_down(source, node, node->child[i]))
            return -1;
    if (node->count == 4 && gzt_is_binary(node->child[0], "="))
        return gzt_refuse(source, node->child[0]->begin,
                          "%s counts the loop: must be a variable, not an element or a member",
                          gzt_node_text(source, gzt_bare(node->child[0]->child[0])));
    return refuse_header(source, node);
}

int gzt_read_loop(struct gzt_source *source, const struct gzt_node *node, struct gzt_loop *loop)
{
    memset(loop, 0, sizeof *loop);
    loop->node = node;
    if (node->count != 4 || !gzt_read_beginning(node->child[0], loop))
        return refuse_beginning(source, node);
    enum gzt_type type = loop->iterator->type;
    if (type != GZT_INT && type != GZT_UINT && type != GZT_LONG && type != GZT_ULONG)
        return gzt_refuse(source, node->begin, "%s is a %s: a loop variable must be an int or long",
                          loop->iterator->name, loop->iterator->type_name);
    if (refused_down(source, node, node->child[2]))
        return -1;
    if (!read_condition(node->child[1], loop))
        return refuse_condition(source, node, loop);
    if (!read_step(node->child[2], loop))
        return refuse_header(source, node);
    return 0;
}

/* The scalar that a statement sets which sets nothing else, or NULL. */
static const struct gzt_node *scalar_target(const struct gzt_node *statement)
{
    while (statement->kind == GZT_IF && gzt_effect(statement->child[1]))
        statement = gzt_effect(statement->child[1]);
    return gzt_is_assignment(statement) ? gzt_bare(statement->child[0]) : NULL;
}

const struct gzt_node *gzt_gathered(const struct gzt_node **list, int number)
{
    const struct gzt_node *target = scalar_target(list[number]);
    if (!target || target->kind != GZT_REF)
        return NULL;
    for (int i = 0; i <= number; i++) {
        bool declares = false;
        for (int k = 0; k < list[i]->count && list[i]->kind == GZT_DECL; k++)
            declares = declares || list[i]->child[k]->decl == target->decl;
        if (declares || (gzt_is_binary(list[i], "=") && gzt_assigned(list[i]) == target->decl &&
                         !gzt_mentions(list[i]->child[1], target->decl)))
            return NULL;
    }
    return target;
}

int gzt_refuse_fields(struct gzt_source *source, const struct gzt_node **list, int count, int first)
{
    bool same = true;
    for (int i = first; i < count; i++) {
        const struct gzt_node *target = scalar_target(list[i]), *sum = gzt_gathered(list, i);
        if (sum)
            return gzt_refuse(
                source, sum->begin,
                "%s depends on all cells of the previous loop: no tile can compute it "
                "on its own",
                gzt_node_text(source, sum));
        same = same && target && target->kind == GZT_SUBSCRIPT &&
               !strcmp(gzt_node_text(source, target),
                       gzt_node_text(source, scalar_target(list[first])));
    }
    if (same)
        return gzt_refuse(source, list[first + 1]->begin,
                          "%s is set more than once for a cell: set a variable so, and the element "
                          "once, at the end",
                          gzt_node_text(source, scalar_target(list[first])));
    source->several = source->several || source->reason_count == 0;
    return gzt_refuse(source, list[first + 1]->begin,
                      "several fields in one sweep are not translated yet: must be a single "
                      "assignment to one array");
}

/* The first statement that does not prepare the last, which must assign the element. */
static int refuse_statements(struct gzt_source *source, const struct gzt_node *nest,
                             const struct gzt_node **list, int count)
{
    const struct gzt_node *last = count ? list[count - 1] : nest;
    for (int i = 0; i + 1 < count; i++)
        if (!gzt_is_preparation(list[i]))
            return gzt_refuse_fields(source, list, count, i);
    if (last->kind == GZT_CALL && last->decl)
        return gzt_refuse(
            source, last->begin,
            "%s is called for each cell: the innermost loop must assign an element of "
            "an array",
            last->decl->name);
    return gzt_refuse(source, last->begin, "the innermost loop must assign an element of an array");
}

int gzt_refuse_references(struct gzt_source *source, const struct gzt_node *statement)
{
    for (int i = 0; i < statement->count && statement->kind == GZT_DECL; i++) {
        const struct gzt_node *variable = statement->child[i];
        if (variable->kind == GZT_VARIABLE && strchr(variable->decl->type_name, '&'))
            return gzt_refuse(source, variable->begin,
                              "%s is a %s, another name: must be the element itself",
                              variable->decl->name, variable->decl->type_name);
    }
    return 0;
}

/* The statement that stands in the innermost loop, or the block of those that prepare it, too. */
static int read_innermost(struct gzt_source *source, const struct gzt_node *nest,
                          const struct gzt_node *body, struct gzt_sweep *sweep)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(body, &list, &count);
    const struct gzt_node *last = count ? list[count - 1] : NULL;
    for (int i = 0; i < count; i++)
        if (gzt_refuse_references(source, list[i]) != 0)
            return -1;
    for (int i = 0; i + 1 < count; i++)
        if (!gzt_is_preparation(list[i]))
            return refuse_statements(source, nest, list, count);
    if (last && last->kind != GZT_DECL && scalar_target(last) &&
        scalar_target(last)->kind != GZT_SUBSCRIPT &&
        (gzt_is_preparation(last) || scalar_target(last)->kind == GZT_MEMBER))
        return gzt_refuse(source, scalar_target(last)->begin,
                          "%s depends on all cells of the previous loop: no tile can compute it on "
                          "its own",
                          gzt_node_text(source, scalar_target(last)));
    if (!last || (last->kind != GZT_IF && !gzt_is_assignment(last)))
        return refuse_statements(source, nest, list, count);
    sweep->statement = count == 1 ? last : body;
    return 0;
}

/* What a loop adds up that its iterator does not choose. */
struct line {
    const struct gzt_decl *iterator;
    const struct gzt_node *sum;
};
static int find_sum(const struct gzt_node *node, void *data)
{
    struct line *line = data;
    if (!gzt_is_assignment(node) || gzt_mentions(node->child[0], line->iterator))
        return 0;
    const struct gzt_decl *decl = gzt_assigned(node);
    if (gzt_is_binary(node, "=") && !(decl && gzt_mentions(node->child[1], decl)))
        return 0;
    line->sum = node->child[0];
    return 1;
}

int gzt_refuse_line(struct gzt_source *source, const struct gzt_node *sum,
                    const struct gzt_decl *along)
{
    return gzt_refuse(source, sum->begin,
                      "a sum along %s: no tile holds a whole line of cells; must be of a few, "
                      "between bounds that are numbers",
                      along->name);
}

int gzt_refuse_inner(struct gzt_source *source, const struct gzt_node *node)
{
    struct gzt_source probe = *source;
    struct gzt_loop loop;
    struct line line = {0};
    if (gzt_read_loop(&probe, node, &loop) == 0) {
        line.iterator = loop.iterator;
        gzt_walk(node->child[3], find_sum, &line);
    }
    if (line.sum)
        return gzt_refuse_line(source, line.sum, line.iterator);
    return gzt_refuse(source, node->begin,
                      "a loop beside other statements: loops over cells must be nested with "
                      "nothing between them");
}

static int is_loop(const struct gzt_node *node, void *unused)
{
    (void)unused;
    return node->kind == GZT_FOR;
}

int gzt_refuse_around(struct gzt_source *source, const struct gzt_node *node,
                      const struct gzt_decl *iterator)
{
    if (node->kind != GZT_IF || gzt_walk(node, is_loop, NULL) == 0)
        return 0;
    return gzt_refuse(source, node->begin,
                      "if (%s) stands around loops over cells, in the loop over %s: these must "
                      "stand in the time loop itself, one behind the other",
                      gzt_node_text(source, node->child[0]), iterator->name);
}

int gzt_read_nest(struct gzt_source *source, const struct gzt_node *node, struct gzt_sweep *sweep)
{
    const struct gzt_node *nest = node;
    for (;;) {
        const struct gzt_node **list = NULL;
        int count = 0;
        if (sweep->loops == GZT_AXES)
            return gzt_refuse(source, node->begin,
                              "more than three dimensions: a stencil has one to three");
        struct gzt_loop *loop = &sweep->loop[sweep->loops++];
        if (gzt_read_loop(source, node, loop) != 0)
            return -1;
        if (loop->step != 1)
            return gzt_refuse(source, node->begin,
                              "a loop over cells with a step of %d: must be 1 (colour the cells by "
                              "an if instead)",
                              loop->step);
        gzt_statements(node->child[3], &list, &count);
        if (count != 1 || list[0]->kind != GZT_FOR) {
            for (int i = 0; i < count; i++)
                if (list[i]->kind == GZT_FOR)
                    return gzt_refuse_inner(source, list[i]);
                else if (gzt_refuse_around(source, list[i], loop->iterator) != 0)
                    return -1;
            return read_innermost(source, nest, node->child[3], sweep);
        }
        node = list[0];
    }
}

struct gzt_space gzt_space_of(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    struct gzt_space space = {.source = program->source,
                              .isl = program->isl,
                              .variables = sweep->loops,
                              .time = program->time.iterator};
    for (int i = 0; i < sweep->loops; i++)
        space.variable[i] = sweep->loop[i].iterator;
    space.sweep = sweep;
    space.program = program;
    space.toggle = program->toggle;
    return space;
}

/* A bound as a function, a parameter of its own if it is not affine. */
static isl_pw_aff *bound(struct gzt_source *source, const struct gzt_space *space,
                         const struct gzt_node *node)
{
    bool changes = gzt_depends(space, node, space->time);
    for (int i = 0; i < space->variables; i++)
        changes = changes || gzt_depends(space, node, space->variable[i]);
    if (changes) {
        gzt_refuse(source, node->begin, "the bound %s changes within the loops: must stay the same",
                   gzt_node_text(source, node));
        return NULL;
    }
    isl_pw_aff *f = gzt_affine(space, node);
    if (!f)
        gzt_refuse(source, node->begin, "the bound %s must be a whole number computed from scalars",
                   gzt_node_text(source, node));
    return f;
}

int gzt_set_domain(struct gzt_source *source, const struct gzt_space *space,
                   struct gzt_sweep *sweep)
{
    isl_set *domain = isl_set_universe(isl_space_set_alloc(space->isl, 0, (unsigned)sweep->loops));
    for (int i = 0; i < sweep->loops; i++) {
        const struct gzt_loop *loop = &sweep->loop[i];
        isl_pw_aff *low = bound(source, space, loop->low);
        isl_pw_aff *high = bound(source, space, loop->high);
        if (!low || !high) {
            isl_pw_aff_free(low);
            isl_pw_aff_free(high);
            isl_set_free(domain);
            return -1;
        }
        if (!loop->inclusive)
            high = isl_pw_aff_sub(high, gzt_whole(space, 1));
        /* A run whose bounds are larger keeps its own loops. */
        domain = isl_set_lower_bound_si(domain, isl_dim_set, (unsigned)i, -GZT_MOST_INDEX);
        domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)i, GZT_MOST_INDEX);
        domain = isl_set_intersect(
            domain, isl_pw_aff_ge_set(isl_pw_aff_copy(low), gzt_whole(space, -GZT_MOST_INDEX)));
        domain = isl_set_intersect(
            domain, isl_pw_aff_le_set(isl_pw_aff_copy(high), gzt_whole(space, GZT_MOST_INDEX)));
        domain = isl_set_intersect(domain,
                                   isl_pw_aff_ge_set(gzt_variable(space, i), isl_pw_aff_copy(low)));
        domain = isl_set_intersect(
            domain, isl_pw_aff_le_set(gzt_variable(space, i), isl_pw_aff_copy(high)));
        int axes = space->program->system ? space->program->dimensions : sweep->loops;
        for (int axis = 0; axis < axes; axis++)
            if (sweep->axis_loop[axis] == i) {
                sweep->low[axis] = low;
                sweep->high[axis] = high;
            }
    }
    sweep->domain = domain;
    return 0;
}

struct gzt_node *gzt_bare_loop(const struct gzt_node *loop, const struct gzt_node *body)
{
    struct gzt_node *bare = gzt_copy_alone(loop), *none = gzt_copy_alone(loop);
    none->kind = GZT_EMPTY;
    bare->kind = GZT_FOR;
    for (int i = 0; i < 3; i++)
        gzt_push(&bare->child, &bare->count, none);
    gzt_push(&bare->child, &bare->count, body);
    return bare;
}
