/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "locals.h"
#include "loops.h"

#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* A term of a subscript: factor * sizes * value(iterator). */
struct term {
    long factor;
    const char *sizes; /* the product of parameters, "" for none, "*n*m" in order */
    const struct gzt_decl *iterator;
    isl_pw_aff *value; /* NULL if there is no iterator */
};

struct sum {
    struct term **terms;
    int count;
    bool whole; /* a sum of sizes, as in i * (n + 2), stays one size */
};

/* The text of a subscript is not understood; told by the caller. */
static int add_term(struct sum *sum, struct term term)
{
    struct term *copy = gzt_alloc(sizeof *copy);
    *copy = term;
    gzt_push(&sum->terms, &sum->count, copy);
    return 0;
}

/* The only loop variable, or the time, in an expression; NULL if there are several. */
static const struct gzt_decl *only_variable(const struct gzt_space *space,
                                            const struct gzt_node *node)
{
    const struct gzt_decl *found = NULL;
    for (int i = 0; i < space->variables; i++)
        if (gzt_depends(space, node, space->variable[i])) {
            if (found)
                return NULL;
            found = space->variable[i];
        }
    const struct gzt_decl *others[] = {space->time, space->toggle};
    for (int i = 0; i < 2; i++)
        if (others[i] && gzt_depends(space, node, others[i])) {
            if (found)
                return NULL;
            found = others[i];
        }
    return found;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The product of two products, its factors in alphabetical order. */
static const char *join_sizes(const char *a, const char *b)
{
    const char *names[32] = {0};
    int count = 0;
    struct gzt_text text = {0};
    const char *both = gzt_format("%s%s", a, b);

    while (*both && count < 32) {
        const char *end = strchr(both + 1, '*');
        size_t length = end ? (size_t)(end - both) : strlen(both);
        names[count++] = gzt_copy(both, length);
        both += length;
    }
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; i++)
        gzt_add(&text, "%s", names[i]);
    return gzt_string(&text);
}

static int expand(const struct gzt_space *space, const struct gzt_node *node, long factor,
                  struct sum *sum);

static int expand_product(const struct gzt_space *space, const struct gzt_node *node, long factor,
                          struct sum *sum)
{
    struct sum left = {.whole = sum->whole}, right = {.whole = sum->whole};
    if (expand(space, node->child[0], 1, &left) != 0 ||
        expand(space, node->child[1], 1, &right) != 0)
        return -1;
    for (int i = 0; i < left.count; i++)
        for (int j = 0; j < right.count; j++) {
            const struct term *a = left.terms[i], *b = right.terms[j];
            if (a->iterator && b->iterator)
                return -1;
            add_term(sum,
                     (struct term){factor * a->factor * b->factor, join_sizes(a->sizes, b->sizes),
                                   a->iterator ? a->iterator : b->iterator,
                                   a->iterator ? a->value : b->value});
        }
    return 0;
}

/* A piece that is not a sum or product: a loop variable, a number, a size, or a ternary or
 * remainder of one loop variable. */
static int expand_atom(const struct gzt_space *space, const struct gzt_node *node, long factor,
                       struct sum *sum)
{
    struct term term = {factor, "", NULL, NULL};
    if (gzt_reads_data(node))
        return -1;
    if (!gzt_varies(space, node)) {
        if (space->call && !node->constant && (node->kind != GZT_REF || gzt_is_hidden(space, node)))
            return -1;
        if (node->constant)
            term.factor *= node->value;
        else
            term.sizes = gzt_format("*%s", gzt_node_text(space->source, node));
        return add_term(sum, term);
    }
    term.iterator = only_variable(space, node);
    term.value = term.iterator ? gzt_affine(space, node) : NULL;
    return term.value ? add_term(sum, term) : -1;
}

static int is_parameter(const struct gzt_node *node, void *space)
{
    const struct gzt_space *where;
    return gzt_meaning(space, node, &where) != NULL;
}

/* A sum without loop variables, as one term: a number, or a size of that name. */
static int add_whole(const struct gzt_space *space, const struct gzt_node *node, long factor,
                     struct sum *sum)
{
    struct term term = {factor, "", NULL, NULL};
    isl_pw_aff *value = gzt_affine(space, node);
    isl_val *number = value && isl_pw_aff_is_cst(value) == isl_bool_true
                          ? isl_aff_get_constant_val(isl_pw_aff_as_aff(isl_pw_aff_copy(value)))
                          : NULL;
    if (number && isl_val_is_int(number) == isl_bool_true) {
        term.factor *= isl_val_get_num_si(number);
    } else {
        char *name = gzt_format("*(%s)", gzt_node_text(space->source, node)), *end = name + 1;
        for (char *c = name + 1; *c; c++)
            if (*c != ' ')
                *end++ = *c == '*' ? '#' : *c;
        *end = '\0';
        term.sizes = name;
    }
    isl_val_free(number);
    isl_pw_aff_free(value);
    return add_term(sum, term);
}

static int expand(const struct gzt_space *space, const struct gzt_node *node, long factor,
                  struct sum *sum)
{
    const struct gzt_node *meant;
    const struct gzt_space *where;
    struct gzt_space within;
    while (node->kind == GZT_PAREN && !node->constant)
        node = node->child[0];
    if (node->constant)
        return labs(node->value) <= GZT_MOST_INDEX ? expand_atom(space, node, factor, sum) : -1;
    /* An index is counted modulo 2^64, and within a type modulo 2^32; narrower ones change it. */
    if ((node->kind == GZT_CAST || node->kind == GZT_IMPLICIT) && node->count == 1) {
        const struct gzt_node *inner = node->child[0];
        bool wider = (node->type == GZT_LONG || node->type == GZT_ULONG) && inner->type == GZT_UINT;
        if (node->type == GZT_SMALL || !gzt_is_integer(inner->type) ||
            (wider && gzt_bare(inner)->kind != GZT_REF))
            return gzt_varies(space, node) ? -1 : expand_atom(space, node, factor, sum);
        return expand(space, inner, factor, sum);
    }
    if (node->kind == GZT_CALL && (meant = gzt_enter(space, node, &within)))
        return expand(&within, meant, factor, sum);
    if ((meant = gzt_meaning(space, node, &where)))
        return expand(where, meant, factor, sum);
    if (node->kind == GZT_REF && space->sweep && gzt_local_of(space->sweep, node->decl) >= 0) {
        if (!gzt_may_follow(space, node))
            return -1;
        const struct gzt_value *value = gzt_value_at(space->sweep, node);
        if (value->kind == GZT_VALUE_IS && node->decl->type != GZT_SMALL)
            return expand(space, value->node, factor, sum);
    }
    if (sum->whole && (gzt_is_binary(node, "+") || gzt_is_binary(node, "-")) &&
        !gzt_varies(space, node) && !gzt_reads_data(node) &&
        !gzt_walk(node, is_parameter, (void *)space))
        return add_whole(space, node, factor, sum);
    if (gzt_is_binary(node, "+") || gzt_is_binary(node, "-")) {
        long sign = node->op[0] == '-' ? -1 : 1;
        return expand(space, node->child[0], factor, sum) == 0
                   ? expand(space, node->child[1], sign * factor, sum)
                   : -1;
    }
    if (node->kind == GZT_UNARY && strcmp(node->op, "-") == 0)
        return expand(space, node->child[0], -factor, sum);
    if (gzt_is_binary(node, "*"))
        return expand_product(space, node, factor, sum);
    return expand_atom(space, node, factor, sum);
}

/* The terms of one loop variable: what one coordinate is made of. */
struct group {
    const struct gzt_decl *iterator;
    long stride;
    const char *sizes;
    isl_pw_aff *index;
};

static int degree(const char *sizes)
{
    int count = 0;
    for (; *sizes; sizes++)
        count += *sizes == '*';
    return count;
}

static int slowest_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (degree(x->sizes) != degree(y->sizes))
        return degree(y->sizes) - degree(x->sizes);
    return (y->stride > x->stride) - (y->stride < x->stride);
}

/* Adds a term with a loop variable to its group. */
static int add_to_group(const struct term *term, struct group *groups, int *count)
{
    for (int i = 0; i < *count; i++)
        if (groups[i].iterator == term->iterator) {
            if (strcmp(groups[i].sizes, term->sizes) != 0 || term->factor % groups[i].stride != 0)
                return -1;
            isl_pw_aff *scaled = isl_pw_aff_scale_val(
                isl_pw_aff_copy(term->value), isl_val_int_from_si(isl_pw_aff_get_ctx(term->value),
                                                                  term->factor / groups[i].stride));
            groups[i].index = isl_pw_aff_add(groups[i].index, scaled);
            return 0;
        }
    if (*count == 4)
        return -1;
    groups[(*count)++] =
        (struct group){term->iterator, term->factor, term->sizes, isl_pw_aff_copy(term->value)};
    return 0;
}

static long nearest(long a, long b)
{
    return (a >= 0 ? a + b / 2 : a - b / 2) / b;
}

/* The factors of a product without those of another, or NULL if it lacks one of these. */
static const char *quotient(const char *sizes, const char *by)
{
    struct gzt_text rest = {0};
    while (*sizes) {
        const char *end = strchr(sizes + 1, '*');
        size_t length = end ? (size_t)(end - sizes) : strlen(sizes);
        const char *other = strchr(*by ? by + 1 : by, '*');
        size_t other_length = other ? (size_t)(other - by) : strlen(by);
        if (*by && other_length == length && strncmp(by, sizes, length) == 0)
            by += length;
        else
            gzt_add_bytes(&rest, sizes, length);
        sizes += length;
    }
    return *by ? NULL : gzt_string(&rest);
}

/* Spreads a constant term over the groups whose sizes it shares, the widest stride first. A term
 * with more sizes than a group's moves that group's coordinate by a parameter. */
static int spread(const struct gzt_space *space, const struct term *term, struct group *groups,
                  int count)
{
    long left = term->factor;
    for (int i = 0; i < count; i++)
        if (strcmp(groups[i].sizes, term->sizes) == 0 && groups[i].stride > 0) {
            long steps = nearest(left, groups[i].stride);
            groups[i].index = isl_pw_aff_add(groups[i].index, gzt_whole(space, steps));
            left -= steps * groups[i].stride;
        }
    for (int i = 0; i < count && left != 0; i++) {
        const char *more = groups[i].stride > 0 && left % groups[i].stride == 0
                               ? quotient(term->sizes, groups[i].sizes)
                               : NULL;
        if (!more || !*more)
            continue;
        isl_val *steps = isl_val_int_from_si(space->isl, left / groups[i].stride);
        groups[i].index = isl_pw_aff_add(
            groups[i].index, isl_pw_aff_scale_val(gzt_parameter(space, more + 1), steps));
        left = 0;
    }
    return left == 0 ? 0 : -1;
}

static int read_sum(const struct gzt_space *space, const struct gzt_node *node, bool whole,
                    struct gzt_access *access)
{
    struct sum sum = {.whole = whole};
    struct group groups[4];
    int count = 0;

    if (expand(space, node, 1, &sum) != 0)
        return -1;
    for (int i = 0; i < sum.count; i++)
        if (sum.terms[i]->iterator && sum.terms[i]->factor != 0 &&
            add_to_group(sum.terms[i], groups, &count) != 0)
            return -1;
    bool single = count == 0 || (count == 1 && labs(groups[0].stride) == 1 && !*groups[0].sizes);
    if (access->coordinates + (single ? 1 : count) > 8)
        return -1;
    if (!single && count == 1)
        return -1;
    if (single) {
        isl_pw_aff *index = gzt_affine(space, node);
        if (!index)
            return -1;
        access->coordinate[access->coordinates++] =
            (struct gzt_coordinate){count ? groups[0].iterator : NULL, index};
        return 0;
    }
    qsort(groups, (size_t)count, sizeof *groups, slowest_first);
    for (int i = 0; i < sum.count; i++)
        if (!sum.terms[i]->iterator && sum.terms[i]->factor != 0 &&
            spread(space, sum.terms[i], groups, count) != 0)
            return -1;
    for (int i = 0; i < count; i++)
        access->coordinate[access->coordinates++] =
            (struct gzt_coordinate){groups[i].iterator, groups[i].index};
    return 0;
}

/* One subscript becomes one coordinate, or several if it is a linear index. */
static int read_subscript(const struct gzt_space *space, const struct gzt_node *node,
                          struct gzt_access *access)
{
    int coordinates = access->coordinates;
    if (read_sum(space, node, false, access) == 0)
        return 0;
    access->coordinates = coordinates;
    return read_sum(space, node, true, access);
}

/* Names what a subscript depends on; not 0 if its value may be another elsewhere. */
struct key {
    const struct gzt_space *space;
    struct gzt_text text;
};

static int add_name(const struct gzt_node *node, void *data)
{
    struct key *key = data;
    if (node->kind == GZT_REF && (!node->decl || gzt_local_of(key->space->sweep, node->decl) >= 0 ||
                                  gzt_alias_of(key->space->program, node)))
        return 1;
    if (node->kind == GZT_REF)
        gzt_add(&key->text, " %p", (const void *)node->decl);
    return node->kind == GZT_CALL;
}

/* Names all that the meaning of a subscript depends on; false if that may be another each time. */
static bool name_subscript(const struct gzt_space *space, const struct gzt_node *node,
                           struct key *key)
{
    if (!space->sweep || space->call || gzt_walk(node, add_name, key) != 0)
        return false;
    const void *const around[] = {space->sweep,       space->time,        space->toggle,
                                  space->variable[0], space->variable[1], space->variable[2]};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        gzt_add(&key->text, " %p", around[i]);
    gzt_add(&key->text, " %d %d %d %d %s", space->variables, space->later,
            space->sweep->local_count, space->program->alias_count,
            gzt_node_text(space->source, node));
    return true;
}

/* As read_subscript; what is found is remembered. */
static int find_subscript(struct gzt_program *program, const struct gzt_space *space,
                          const struct gzt_node *node, struct gzt_access *access)
{
    struct key key = {.space = space};
    int first = access->coordinates;
    bool fixed = name_subscript(space, node, &key);
    for (int i = 0; i < program->subscript_count && fixed; i++) {
        const struct gzt_subscript *known = program->subscripts[i];
        if (strcmp(known->key, gzt_string(&key.text)) != 0 || first + known->coordinates > 8)
            continue;
        for (int k = 0; k < known->coordinates; k++)
            access->coordinate[access->coordinates++] = (struct gzt_coordinate){
                known->coordinate[k].iterator, isl_pw_aff_copy(known->coordinate[k].index)};
        return 0;
    }
    if (read_subscript(space, node, access) != 0)
        return -1;
    if (!fixed || program->subscript_count == GZT_REMEMBERED)
        return 0;
    struct gzt_subscript *made = gzt_alloc(sizeof *made);
    made->key = gzt_string(&key.text);
    for (int i = first; i < access->coordinates; i++)
        made->coordinate[made->coordinates++] = (struct gzt_coordinate){
            access->coordinate[i].iterator, isl_pw_aff_copy(access->coordinate[i].index)};
    gzt_push(&program->subscripts, &program->subscript_count, made);
    return 0;
}

/* The array of that text before the subscripts, found or made. */
static struct gzt_array *find_array(struct gzt_program *program, const struct gzt_node *base,
                                    const struct gzt_node *element)
{
    const char *text = gzt_node_text(program->source, base);
    for (int i = 0; i < program->array_count; i++)
        if (strcmp(program->arrays[i]->base, text) == 0)
            return program->arrays[i];
    struct gzt_array *array = gzt_alloc(sizeof *array);
    array->base = text;
    array->decl = base->decl;
    array->base_node = base;
    array->type = element->type;
    gzt_push(&program->arrays, &program->array_count, array);
    return array;
}

static int is_declared_in(const struct gzt_node *node, void *data)
{
    const struct gzt_node *time = data;
    return node->kind == GZT_REF && node->decl && node->decl->variable &&
           node->decl->offset >= time->begin && node->decl->offset < time->end;
}

/* What a variable is set to in the time loop, and the number modulo which that is, if it is no
 * constant. */
struct setting {
    const struct gzt_decl *decl;
    const struct gzt_node *modulus;
};

static int find_modulus(const struct gzt_node *node, void *data)
{
    struct setting *setting = data;
    bool found = gzt_is_binary(node, "%") && !node->child[1]->constant;
    setting->modulus = found ? node->child[1] : NULL;
    return found;
}

static int find_setting(const struct gzt_node *node, void *data)
{
    const struct setting *setting = data;
    bool declares = node->kind == GZT_VARIABLE && node->decl == setting->decl && node->count == 1;
    bool sets = gzt_is_binary(node, "=") && gzt_assigned(node) == setting->decl;
    return declares || sets ? gzt_walk(node->child[sets], find_modulus, data) : 0;
}

/* A plane whose number is declared in the time loop and does not take turns. */
static int refuse_plane(struct gzt_program *program, const struct gzt_node *plane)
{
    struct gzt_source *source = program->source;
    struct setting setting = {gzt_bare(plane->child[1])->decl, NULL};
    gzt_walk(program->time.node, find_setting, &setting);
    if (setting.modulus)
        return gzt_refuse(source, plane->begin,
                          "%s, in line %d, is no constant, so that which plane %s is cannot be "
                          "told: must be a number, as in (cur + 1) %% 2",
                          gzt_node_text(source, setting.modulus),
                          gzt_place_of(source, setting.modulus->begin).line,
                          gzt_node_text(source, plane));
    return gzt_refuse(source, plane->begin,
                      "%s is chosen by %s, which does not take turns in a way that is understood: "
                      "must be set as in next = 1 - cur or (cur + 1) %% 2, and then cur = next",
                      gzt_node_text(source, plane), setting.decl->name);
}

int gzt_read_access(struct gzt_program *program, const struct gzt_space *space,
                    const struct gzt_node *node, struct gzt_access *access)
{
    const struct gzt_node *subscript[8], *level[8], *base = gzt_bare(node);
    int count = 0;

    memset(access, 0, sizeof *access);
    access->node = node;
    while (base->kind == GZT_SUBSCRIPT && base->count == 2 && count < 8) {
        level[count] = base;
        subscript[count++] = base->child[1];
        base = gzt_bare(base->child[0]);
    }
    /* A plane with a number of its own is an array of its own, but not a row of what has as many
     * subscripts as the element that is written. */
    while (count > 1 && !(space->sweep && count == space->sweep->write.coordinates) &&
           level[count - 1]->type == GZT_POINTER && !gzt_varies(space, subscript[count - 1]) &&
           !gzt_reads_data(subscript[count - 1]))
        base = level[--count];
    if ((base->kind == GZT_SUBSCRIPT && count == 8) || gzt_varies(space, base))
        return gzt_refuse(program->source, node->begin, "%s is not an element of an array",
                          gzt_node_text(program->source, node));
    if (program->time.node && gzt_walk(base, is_declared_in, (void *)program->time.node) != 0)
        return base->kind == GZT_SUBSCRIPT && gzt_bare(base->child[1])->kind == GZT_REF
                   ? refuse_plane(program, base)
                   : gzt_refuse(
                         program->source, node->begin,
                         "%s is declared within the time loop: declare it before that loop, so "
                         "that it keeps its value",
                         gzt_node_text(program->source, base));
    access->array = find_array(program, base, node);
    for (int i = count - 1; i >= 0; i--)
        if (find_subscript(program, space, subscript[i], access) != 0)
            return gzt_refuse(program->source, node->begin,
                              "subscript %d of %s is %s: must be a loop variable plus a constant, "
                              "clamped or wrapped or not",
                              count - i, access->array->base,
                              gzt_node_text(program->source, subscript[i]));
    return 0;
}

isl_set *gzt_valid_planes(const struct gzt_space *space, isl_pw_aff *number)
{
    isl_set *valid = isl_pw_aff_ge_set(isl_pw_aff_copy(number), gzt_whole(space, 0));
    if (space->toggle) {
        isl_pw_aff *toggle = gzt_parameter(space, space->toggle->name);
        valid = isl_set_intersect(valid,
                                  isl_pw_aff_ge_set(isl_pw_aff_copy(toggle), gzt_whole(space, 0)));
        valid = isl_set_intersect(valid, isl_pw_aff_le_set(toggle, gzt_whole(space, 1)));
    }
    return gzt_in_time(space, valid);
}

bool gzt_is_plane(const struct gzt_space *space, isl_pw_aff *number, isl_pw_aff *chosen, bool other)
{
    isl_set *valid =
        isl_set_intersect(gzt_valid_planes(space, number), gzt_valid_planes(space, chosen));
    isl_pw_aff *sought = isl_pw_aff_copy(chosen);
    if (other)
        sought = isl_pw_aff_sub(gzt_whole(space, 1), sought);
    bool same = gzt_equal_on(valid, number, sought);
    isl_pw_aff_free(sought);
    isl_set_free(valid);
    return same;
}

bool gzt_is_plane_of(struct gzt_program *program, const struct gzt_sweep *sweep,
                     const struct gzt_node *node, int coordinate, int later)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    struct gzt_access access;
    bool same = false;

    space.later = later;
    if (gzt_read_access(program, &space, node, &access) == 0 && access.coordinates > coordinate)
        same = gzt_is_plane(&space, access.coordinate[coordinate].index,
                            sweep->write.coordinate[coordinate].index, false);
    gzt_free_access(&access);
    return same;
}

void gzt_free_access(struct gzt_access *access)
{
    for (int i = 0; i < access->coordinates; i++)
        isl_pw_aff_free(access->coordinate[i].index);
    access->coordinates = 0;
}

bool gzt_equal_on(isl_set *set, isl_pw_aff *a, isl_pw_aff *b)
{
    isl_set *same = isl_pw_aff_eq_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
    bool equal = isl_set_is_subset(set, same) == isl_bool_true;
    isl_set_free(same);
    return equal;
}

bool gzt_sample_of(isl_set *set, isl_pw_aff *function, int *value)
{
    isl_set *defined =
        isl_set_intersect(isl_set_copy(set), isl_pw_aff_domain(isl_pw_aff_copy(function)));
    function = isl_pw_aff_align_params(isl_pw_aff_copy(function), isl_set_get_space(defined));
    isl_point *point = isl_set_sample_point(defined);
    if (isl_point_is_void(point) != isl_bool_false) {
        isl_point_free(point);
        isl_pw_aff_free(function);
        return false;
    }
    isl_val *found = isl_pw_aff_eval(function, point);
    bool small = isl_val_is_int(found) == isl_bool_true &&
                 isl_val_cmp_si(found, GZT_MAX_RADIUS) <= 0 &&
                 isl_val_cmp_si(found, -GZT_MAX_RADIUS) >= 0;
    *value = small ? (int)isl_val_get_num_si(found) : GZT_MAX_RADIUS + 1;
    isl_val_free(found);
    return true;
}

bool gzt_difference_on(isl_set *set, isl_pw_aff *a, isl_pw_aff *b, int *difference)
{
    isl_pw_aff *d = isl_pw_aff_sub(isl_pw_aff_copy(a), isl_pw_aff_copy(b));
    *difference = 0;
    gzt_sample_of(set, d, difference);
    isl_val *value = isl_val_int_from_si(isl_pw_aff_get_ctx(d), *difference);
    isl_pw_aff *whole = isl_pw_aff_sub(isl_pw_aff_copy(d), isl_pw_aff_copy(d));
    whole = isl_pw_aff_add_constant_val(whole, value);
    bool found = abs(*difference) <= GZT_MAX_RADIUS && gzt_equal_on(set, d, whole);
    isl_pw_aff_free(whole);
    isl_pw_aff_free(d);
    return found;
}

/* ---------------------------------------------------------------------------- guarded indices */

/* An index as one coordinate for each group of the written element, and whether that is all of
 * it. */
static bool decompose(const struct gzt_space *space, const struct gzt_node *node,
                      const struct group *groups, int count, isl_pw_aff **part)
{
    struct sum sum = {0};
    if (expand(space, node, 1, &sum) != 0)
        return false;
    for (int i = 0; i < sum.count; i++) {
        const struct term *term = sum.terms[i];
        const char *more = NULL;
        int g = 0;
        while (g < count && (strcmp(groups[g].sizes, term->sizes) != 0 ||
                             (term->factor % groups[g].stride != 0 && g + 1 < count)))
            g++;
        for (int k = 0; k < count && g == count; k++)
            if (!term->iterator && term->factor % groups[k].stride == 0 &&
                (more = quotient(term->sizes, groups[k].sizes)))
                g = k;
        if (g == count || term->factor % groups[g].stride != 0)
            return false;
        isl_pw_aff *value = term->iterator  ? isl_pw_aff_copy(term->value)
                            : more && *more ? gzt_parameter(space, more + 1)
                                            : gzt_whole(space, 1);
        isl_val *factor = isl_val_int_from_si(space->isl, term->factor / groups[g].stride);
        part[g] = isl_pw_aff_add(part[g], isl_pw_aff_scale_val(value, factor));
    }
    return true;
}

/* How many elements of a group make one of the next slower: a size or a number; NULL if neither. */
static isl_pw_aff *ratio(const struct gzt_space *space, const struct group *fast,
                         const struct group *slow)
{
    const char *more = quotient(slow->sizes, fast->sizes);
    if (!more || slow->stride % fast->stride != 0 || (*more && strchr(more + 1, '*')))
        return NULL;
    isl_val *factor = isl_val_int_from_si(space->isl, slow->stride / fast->stride);
    return isl_pw_aff_scale_val(*more ? gzt_parameter(space, more + 1) : gzt_whole(space, 1),
                                factor);
}

/* The distance of a coordinate from that of the written element on the set, after moving as many
 * whole rows as it takes to the next slower coordinate. */
static bool settle(const struct gzt_space *space, isl_set *set, const struct group *groups, int g,
                   isl_pw_aff **part, int *offset)
{
    static const int rows[] = {0, 1, -1, 2, -2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && (i == 0 || g > 0); i++) {
        isl_pw_aff *row = i ? ratio(space, &groups[g], &groups[g - 1]) : gzt_whole(space, 0);
        if (!row)
            return false;
        row = isl_pw_aff_scale_val(row, isl_val_int_from_si(space->isl, i ? rows[i] : 1));
        isl_pw_aff *sum = isl_pw_aff_sub(isl_pw_aff_copy(part[g]), row);
        bool found = gzt_difference_on(set, sum, groups[g].index, offset);
        isl_pw_aff_free(sum);
        if (!found)
            continue;
        if (g > 0)
            part[g - 1] = isl_pw_aff_add(part[g - 1], gzt_whole(space, rows[i]));
        return true;
    }
    return false;
}

/* The groups of a linear index. */
static int read_groups(const struct gzt_space *space, const struct gzt_node *node,
                       struct group *groups)
{
    struct sum sum = {0};
    int count = 0;
    if (expand(space, node, 1, &sum) != 0)
        return 0;
    for (int i = 0; i < sum.count; i++)
        if (sum.terms[i]->iterator && sum.terms[i]->factor != 0 &&
            (sum.terms[i]->factor < 0 || add_to_group(sum.terms[i], groups, &count) != 0))
            return 0;
    qsort(groups, (size_t)count, sizeof *groups, slowest_first);
    for (int i = 0; i < sum.count; i++)
        if (!sum.terms[i]->iterator && sum.terms[i]->factor != 0 &&
            spread(space, sum.terms[i], groups, count) != 0)
            return 0;
    return count;
}

/* The groups of what a sweep writes by a linear index, as many as it has loops; 0 if it does not.
 */
static int written_groups(const struct gzt_sweep *sweep, const struct gzt_program *program,
                          struct group *groups)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    int count = read_groups(&space, gzt_bare(sweep->write.node)->child[1], groups);
    return count == sweep->loops && count <= GZT_AXES ? count : 0;
}

static void free_groups(struct group *groups, int count)
{
    for (int g = 0; g < count; g++)
        isl_pw_aff_free(groups[g].index);
}

bool gzt_read_linear(const struct gzt_space *space, const struct gzt_sweep *sweep,
                     const struct gzt_program *program, const struct gzt_node *node,
                     isl_pw_aff *place[GZT_AXES])
{
    struct group groups[4];
    int count = written_groups(sweep, program, groups);
    for (int g = 0; g < count; g++)
        place[g] = gzt_whole(space, 0);
    bool found = count && node->kind == GZT_SUBSCRIPT &&
                 gzt_bare(node->child[0])->kind != GZT_SUBSCRIPT &&
                 decompose(space, node->child[1], groups, count, place);
    free_groups(groups, count);
    return found;
}

isl_pw_aff *gzt_row_size(const struct gzt_space *space, const struct gzt_sweep *sweep,
                         const struct gzt_program *program, int g)
{
    struct group groups[4];
    int count = written_groups(sweep, program, groups);
    isl_pw_aff *size = g > 0 && g < count ? ratio(space, &groups[g], &groups[g - 1]) : NULL;
    free_groups(groups, count);
    return size;
}

bool gzt_read_guarded(struct gzt_program *program, const struct gzt_space *space, isl_set *set,
                      const struct gzt_node *node, struct gzt_access *access)
{
    const struct gzt_access *write = &space->sweep->write;
    const struct gzt_node *base = gzt_bare(node), *target = gzt_bare(write->node);
    struct group groups[4];
    isl_pw_aff *part[4];
    int missing = 0, offset[4];

    memset(access, 0, sizeof *access);
    if (base->kind != GZT_SUBSCRIPT || base->count != 2 || target->count != 2 ||
        base->child[0]->type != GZT_POINTER || gzt_bare(base->child[0])->kind == GZT_SUBSCRIPT ||
        gzt_bare(target->child[0])->kind == GZT_SUBSCRIPT || write->coordinates < 2)
        return false;
    for (int i = 0; i < space->variables; i++)
        missing += !gzt_depends(space, base->child[1], space->variable[i]);
    int count = missing ? read_groups(space, target->child[1], groups) : 0;
    if (count != write->coordinates)
        return false;
    for (int g = 0; g < count; g++)
        part[g] = gzt_whole(space, 0);
    bool found = decompose(space, base->child[1], groups, count, part);
    for (int g = count - 1; g >= 0 && found; g--)
        found = settle(space, set, groups, g, part, &offset[g]);
    for (int g = 0; g < count; g++) {
        isl_pw_aff_free(part[g]);
        isl_pw_aff_free(groups[g].index);
    }
    if (!found)
        return false;
    access->node = node;
    access->guarded = true;
    access->array = find_array(program, gzt_bare(base->child[0]), node);
    for (int g = 0; g < count; g++)
        access->coordinate[access->coordinates++] =
            (struct gzt_coordinate){write->coordinate[g].iterator,
                                    isl_pw_aff_add(isl_pw_aff_copy(write->coordinate[g].index),
                                                   gzt_whole(space, offset[g]))};
    return true;
}

bool gzt_straighten(const struct gzt_program *program, struct gzt_sweep *sweep, int c)
{
    struct gzt_space space = gzt_space_of(program, sweep);
    struct gzt_coordinate *coordinate = &sweep->write.coordinate[c];
    struct gzt_sweep loops = *sweep;
    int loop = coordinate->iterator ? gzt_variable_of(&space, coordinate->iterator) : -1, distance;
    if (loop < 0 || gzt_set_domain(program->source, &space, &loops) != 0)
        return false;
    isl_pw_aff *variable = gzt_variable(&space, loop);
    bool straight = gzt_difference_on(loops.domain, coordinate->index, variable, &distance);
    isl_set_free(loops.domain);
    if (!straight) {
        isl_pw_aff_free(variable);
        return false;
    }
    coordinate->index = isl_pw_aff_add(variable, gzt_whole(&space, distance));
    return sweep->bent = true;
}
