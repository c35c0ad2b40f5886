/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * body.c - the body of a stencil: the user's own right-hand side, token for token, but for what it
 * reads.
 */
#include "emit.h"
#include "locals.h"
#include "loops.h"
#include "measure.h"
#include "points.h"
#include "reads.h"
#include "systems.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An element that the body reads: of the state, array -1, or -1 less a field's number, or of a
 * constant array. */
struct gzt_cell {
    int array, offset[GZT_AXES];
};

/* A text being made of nodes. */
struct writer {
    const struct gzt_program *program;
    const struct gzt_layout *layout;
    const struct gzt_sweep *sweep;
    struct gzt_text text;
    bool measuring;            /* what a loop compares: its temporaries by their values */
    bool in_function;          /* of the user's, where nothing is read */
    const char *const *values; /* gzt_evaluated: by axis */
    const char *time;
    const char *toggle;
    const char *base, *other;      /* gzt_elsewhere */
    const struct gzt_point *point; /* that is being written */
    struct gzt_cell **cells;       /* read so far, each once */
    int cell_count;
    const struct gzt_field *field; /* of a system: whose next value is computed, ... */
    int version;                   /* ... and which number of its versions now, seen from ... */
    int shift[GZT_AXES];           /* ... so far away */
};

static void write_node(struct writer *writer, const struct gzt_node *node);

const char *gzt_type_text(enum gzt_type type)
{
    static const char *const names[] = {[GZT_INT] = "int",     [GZT_UINT] = "unsigned int",
                                        [GZT_LONG] = "long",   [GZT_ULONG] = "unsigned long",
                                        [GZT_FLOAT] = "float", [GZT_DOUBLE] = "double",
                                        [GZT_SMALL] = "int"};
    return names[type];
}

/* A type of C by the name that devices know it by; narrow integers keep their width. */
static const char *device_type(enum gzt_type type, const char *name)
{
    if (type != GZT_SMALL)
        return gzt_type_text(type);
    return strcmp(name, "_Bool") == 0 ? "bool" : strcmp(name, "signed char") == 0 ? "char" : name;
}

static const char *type_of_decl(const struct gzt_decl *decl)
{
    return device_type(decl->type, decl->type_name);
}

/* ------------------------------------------------------------------------------- coefficients */

int gzt_words_of(enum gzt_type state, enum gzt_type type)
{
    bool wide = type == GZT_LONG || type == GZT_ULONG || type == GZT_DOUBLE;
    return state == GZT_DOUBLE || !wide ? 1 : 2;
}

static void add_slot(const struct gzt_program *program, struct gzt_layout *layout,
                     enum gzt_content content, int number, enum gzt_type type)
{
    int words = gzt_words_of(program->type, type);
    if (layout->slots < GZT_MAX_SLOTS)
        layout->slot[layout->slots++] =
            (struct gzt_slot){content, number, type, layout->words, words};
    layout->words += words;
}

int gzt_lay_out(struct gzt_program *program, struct gzt_layout *layout)
{
    enum { MOST = 128 };
    memset(layout, 0, sizeof *layout);
    for (int i = 0; i < program->scalar_count; i++)
        add_slot(program, layout, GZT_IS_SCALAR, i, program->scalars[i]->type);
    for (int axis = 0; axis < program->dimensions; axis++)
        if (program->axis_value[axis])
            add_slot(program, layout, GZT_IS_ORIGIN, axis, GZT_INT);
    if (program->time_value)
        add_slot(program, layout, GZT_IS_TIME, 0, GZT_INT);
    for (int i = 0; i < program->point_count; i++)
        for (int axis = 0; axis < program->dimensions; axis++)
            add_slot(program, layout, GZT_IS_PLACE, i * GZT_AXES + axis, GZT_INT);
    for (int i = 0; program->system && i < program->sweeps; i++)
        for (int k = 0; gzt_is_needed(program, i) && k < 2 * program->dimensions; k++)
            add_slot(program, layout, GZT_IS_BOUND, i * 2 * GZT_AXES + k, GZT_INT);
    if (layout->words > MOST)
        return gzt_refuse(program->source, program->time.node->begin,
                          "%d scalars, loop variables and bounds are read: at most %d fit",
                          layout->words, MOST);
    return 0;
}

static const struct gzt_slot *find_slot(const struct writer *writer, enum gzt_content content,
                                        int number)
{
    for (int i = 0; i < writer->layout->slots; i++)
        if (writer->layout->slot[i].content == content && writer->layout->slot[i].number == number)
            return &writer->layout->slot[i];
    return NULL;
}

/* What elements of `array`, COEF or STEP, hold. */
static void write_held(struct writer *writer, const struct gzt_slot *slot, const char *array)
{
    static const char *const from_bits[] = {
        [GZT_INT] = "GZ_TO_INT",     [GZT_UINT] = "GZ_TO_INT",      [GZT_SMALL] = "GZ_TO_INT",
        [GZT_FLOAT] = "GZ_TO_FLOAT", [GZT_DOUBLE] = "GZ_TO_DOUBLE", [GZT_LONG] = "GZ_TO_LONG",
        [GZT_ULONG] = "GZ_TO_LONG"};
    if (slot->type == writer->program->type)
        gzt_add(&writer->text, "%s(%d)", array, slot->first);
    else if (writer->program->type == GZT_DOUBLE ||
             (writer->program->type == GZT_INT && slot->type != GZT_FLOAT && slot->words == 1))
        gzt_add(&writer->text, "((%s)%s(%d))", gzt_type_text(slot->type), array, slot->first);
    else if (slot->words == 1)
        gzt_add(&writer->text, "((%s)%s(%s(%d)))", gzt_type_text(slot->type), from_bits[slot->type],
                array, slot->first);
    else
        gzt_add(&writer->text, "((%s)%s(%s(%d), %s(%d)))", gzt_type_text(slot->type),
                from_bits[slot->type], array, slot->first, array, slot->first + 1);
}

static void write_slot(struct writer *writer, const struct gzt_slot *slot)
{
    write_held(writer, slot, "COEF");
}

/* ------------------------------------------------------------------------------------ reads */

static const struct gzt_read *find_read(const struct writer *writer, const struct gzt_node *node)
{
    const struct gzt_measure *measure = writer->measuring ? writer->program->measure : NULL;
    struct gzt_read **reads = measure ? measure->reads : writer->program->reads;
    int count = measure ? measure->read_count : writer->program->read_count;
    for (int i = 0; i < count; i++)
        if (reads[i]->node == node &&
            (!writer->field || reads[i]->part == writer->field->version[writer->version].part))
            return reads[i];
    return NULL;
}

static void note_cell(struct writer *writer, int array, const int d[GZT_AXES])
{
    struct gzt_cell cell = {array, {d[0], d[1], d[2]}}, *added;
    int i = 0;

    while (i < writer->cell_count && memcmp(writer->cells[i], &cell, sizeof cell) != 0)
        i++;
    if (i == writer->cell_count) {
        added = gzt_alloc(sizeof cell);
        *added = cell;
        gzt_push(&writer->cells, &writer->cell_count, added);
    }
}

/* AT or COEF_AT of an element. */
static void write_cell(struct writer *writer, int array, const int d[GZT_AXES])
{
    note_cell(writer, array, d);
    if (array < 0)
        gzt_add(&writer->text, "AT(%d, %d, %d)", d[0], d[1], d[2]);
    else
        gzt_add(&writer->text, "COEF_AT(%d, %d, %d, %d)", array, d[0], d[1], d[2]);
}

/* Of a system: an element as the parts of numbers below `before` have left it. */
static void write_version(struct writer *writer, const struct gzt_array *array, int before,
                          const int d[GZT_AXES])
{
    int part = gzt_last_part(writer->program, array, before);
    int field = gzt_field_of(writer->program, array);
    if (part >= 0) {
        gzt_add(&writer->text, "gz_v%d", gzt_version_of(writer->field, part, d));
        return;
    }
    /* What no part sets is the same in both of a pair. */
    for (int i = 0; i < writer->program->system->fields && field < 0; i++)
        if (writer->program->system->field[i].partner == array)
            field = i;
    /* What never is read, since a part before sets it for certain. */
    if (field < 0) {
        gzt_add(&writer->text, "0");
        return;
    }
    note_cell(writer, -1 - field, d);
    if (writer->program->system->fields == 1)
        gzt_add(&writer->text, "AT(%d, %d, %d)", d[0], d[1], d[2]);
    else
        gzt_add(&writer->text, "FIELD(%d, %d, %d, %d)", field, d[0], d[1], d[2]);
}

static const int center[GZT_AXES];

static struct gzk_reads reads_of(const struct writer *writer)
{
    struct gzk_reads reads = {.own_column = true};
    int axis = writer->program->dimensions - 1;
    for (int i = 0; i < writer->cell_count; i++) {
        const struct gzt_cell *cell = writer->cells[i];
        bool across = false;
        for (int k = 0; k < axis; k++)
            across = across || cell->offset[k] != 0;
        reads.arrays += cell->array >= 0;
        reads.state += cell->array < 0;
        reads.column += cell->array < 0 && !across;
        reads.own_column &= cell->array >= 0 || !across || cell->offset[axis] == 0;
    }
    return reads;
}

/* What a loop has anew: an element of an array, or a number. */
static void write_step(struct writer *writer, const struct gzt_input *input, int number)
{
    const struct gzt_program *program = writer->program;
    bool value = gzt_is_value(program, input);
    struct gzt_slot slot = {.type = gzt_step_type(program, input), .first = number};
    slot.words = gzt_words_of(program->type, slot.type);
    if (value)
        write_held(writer, &slot, "STEP");
    else
        gzt_add(&writer->text, "STEP_AT(%d)", number);
}

static void write_read(struct writer *writer, const struct gzt_read *read)
{
    enum gzt_type type = read->node->type;
    bool converted =
        (read->role == GZT_CONSTANT || read->role == GZT_PER_STEP) && type != writer->program->type;

    int far[GZT_AXES];
    for (int axis = 0; axis < GZT_AXES; axis++)
        far[axis] = read->offset[axis] + writer->shift[axis];
    if (converted)
        gzt_add(&writer->text, "((%s)", gzt_type_text(type));
    if (read->role == GZT_STATE && writer->field)
        write_version(writer, writer->program->arrays[read->number], read->before, far);
    else if (read->role == GZT_STATE)
        write_cell(writer, -1, read->offset);
    else if (read->role == GZT_OLDER)
        gzt_add(&writer->text, "OLDER");
    else if (read->role == GZT_NEW || read->role == GZT_OLD)
        gzt_add(&writer->text, read->role == GZT_NEW ? "NEW" : "OLD");
    else if (read->role == GZT_CONSTANT)
        write_cell(writer, read->number, far);
    else if (read->role == GZT_PER_STEP)
        write_step(writer, writer->program->per_step[read->number],
                   gzt_step_number(writer->program, read->number));
    else
        write_slot(writer, find_slot(writer, GZT_IS_SCALAR, read->number));
    if (converted)
        gzt_add(&writer->text, ")");
}

static const char *const cells[] = {"CELL_X", "CELL_Y", "CELL_Z"};

/* The loop variables: the cell's coordinate moved by where the grid begins. */
static bool write_iterator(struct writer *writer, const struct gzt_node *node)
{
    struct gzt_space space = gzt_space_of(writer->program, writer->sweep);
    int loop = gzt_variable_of(&space, node->decl);

    for (int axis = 0; loop >= 0 && axis < writer->program->dimensions; axis++)
        if (writer->sweep->axis_loop[axis] == loop) {
            if (writer->values) {
                gzt_add(&writer->text, "((%s)%s)", node->decl->type_name, writer->values[axis]);
                return true;
            }
            gzt_add(&writer->text, "((%s)(%s + ", gzt_type_text(node->decl->type), cells[axis]);
            write_slot(writer, find_slot(writer, GZT_IS_ORIGIN, axis));
            int more = writer->shift[axis] - writer->sweep->add[axis];
            gzt_add(&writer->text, more ? " + (%d)))" : "))", more);
            return true;
        }
    if (node->decl != writer->program->time.iterator)
        return false;
    if (writer->values) {
        if (!writer->time)
            return false;
        gzt_add(&writer->text, "((%s)%s)", node->decl->type_name, writer->time);
        return true;
    }
    gzt_add(&writer->text, "((%s)((int)(LOOP / %d) * %d + ", gzt_type_text(node->decl->type),
            gzt_levels(writer->program), writer->program->time.step);
    write_slot(writer, find_slot(writer, GZT_IS_TIME, 0));
    gzt_add(&writer->text, "))");
    return true;
}

/* ------------------------------------------------------------------------------- expressions */

/* The user's text between two places, comments and line markers gone. */
static void write_between(struct writer *writer, int begin, int end)
{
    const char *source = writer->program->source->text, *text;
    if (begin >= end)
        return;
    text = gzt_clean(writer->program->source, begin, end);
    bool before = strchr(" \t\n", source[begin]) != NULL;
    bool behind = end > begin && strchr(" \t\n", source[end - 1]) != NULL;
    gzt_add(&writer->text, "%s%s%s", before ? " " : "", text, behind && *text ? " " : "");
}

/* OpenCL takes no number with a fraction before ?. */
static bool needs_comparison(const struct gzt_node *node, int i)
{
    const enum gzt_type type = node->child[i]->type;
    return node->kind == GZT_TERNARY && i == 0 && (type == GZT_FLOAT || type == GZT_DOUBLE);
}

/* What stands before a child: the user's text, but for the words that C++ has for signs. */
static void write_before(struct writer *writer, const struct gzt_node *node, int i, int at)
{
    bool sign = (node->kind == GZT_BINARY && i == 1) || (node->kind == GZT_UNARY && i == 0);
    const char *text = sign ? gzt_clean(writer->program->source, at, node->child[i]->begin) : "";
    if (isalpha((unsigned char)text[0]))
        gzt_add(&writer->text, " %s ", node->op);
    else
        write_between(writer, at, node->child[i]->begin);
}

static void write_children(struct writer *writer, const struct gzt_node *node)
{
    int at = node->begin;
    for (int i = 0; i < node->count; i++) {
        bool compared = needs_comparison(node, i);
        write_before(writer, node, i, at);
        gzt_add(&writer->text, "%s", compared ? "(0 != " : "");
        write_node(writer, node->child[i]);
        gzt_add(&writer->text, "%s", compared ? ")" : "");
        at = node->child[i]->end;
    }
    write_between(writer, at, node->end);
}

/* gzf_ and the name of a function; those of the same name are told apart. */
static void write_function_name(struct writer *writer, const struct gzt_decl *function)
{
    struct gzt_decl *const *functions = writer->program->functions;
    int same = 0;
    for (int i = 0; i < writer->program->function_count && functions[i] != function; i++)
        same += strcmp(functions[i]->name, function->name) == 0;
    gzt_add(&writer->text, "gzf_%s", function->name);
    if (same)
        gzt_add(&writer->text, "_%d", same);
}

/* The same name on devices for float, double and int. */
static const char *device_name(const struct gzt_math *math)
{
    return gzt_format("GZ_%c_%s",
                      math->type == GZT_FLOAT ? 'F'
                      : math->type == GZT_INT ? 'I'
                                              : 'D',
                      math->device);
}

/* C converts arguments to the parameters' types; the devices' functions are overloaded instead. */
static void write_call(struct writer *writer, const struct gzt_node *node)
{
    const struct gzt_decl *function = node->decl;
    const struct gzt_math *math = gzt_math_of(node);
    bool own = !math;

    if (own)
        write_function_name(writer, function);
    else
        gzt_add(&writer->text, "%s", device_name(math));
    gzt_add(&writer->text, "(");
    for (int i = 0; i < node->count; i++) {
        gzt_add(&writer->text, "%s(%s)(", i ? ", " : "",
                own ? type_of_decl(function->parameters[i]) : gzt_type_text(math->type));
        write_node(writer, node->child[i]);
        gzt_add(&writer->text, ")");
    }
    gzt_add(&writer->text, ")");
}

/* Literals of long long are long on devices, whose long has 64 bits. */
static void write_integer(struct writer *writer, const struct gzt_node *node)
{
    const char *text = gzt_node_text(writer->program->source, node);
    if (strchr(text, '\'') || text[1] == 'b' || text[1] == 'B') {
        gzt_add(&writer->text,
                node->type == GZT_INT || node->type == GZT_SMALL ? "%.0s%ld" : "((%s)%ldL)",
                gzt_type_text(node->type), node->value);
        return;
    }
    char *last = strpbrk(text, "lL");
    if (last && (last[1] == 'l' || last[1] == 'L'))
        gzt_add(&writer->text, "%.*s%s", (int)(last - text), text, last + 1);
    else
        gzt_add(&writer->text, "%s", text);
}

/* Devices know no ' between digits. */
static void write_fraction(struct writer *writer, const struct gzt_node *node)
{
    for (const char *c = gzt_node_text(writer->program->source, node); *c; c++)
        if (*c != '\'')
            gzt_add_bytes(&writer->text, c, 1);
}

static void write_cast(struct writer *writer, const struct gzt_node *node)
{
    gzt_add(&writer->text, "((%s)(", device_type(node->type, node->type_name));
    write_node(writer, node->child[node->count - 1]);
    gzt_add(&writer->text, "))");
}

/* In values, what a temporary holds takes its place. */
static void write_value(struct writer *writer, const struct gzt_value *value, const char *type)
{
    enum { MOST = 1 << 20 };
    if (writer->text.length > MOST) {
        gzt_refuse(writer->program->source, writer->sweep->statement->begin,
                   "%s: the temporaries that it reads depend on one another in too many ways",
                   gzt_node_text(writer->program->source, writer->sweep->write.node));
        return;
    }
    gzt_add(&writer->text, "((%s)(", type);
    if (value->kind == GZT_VALUE_CHOICE) {
        gzt_add(&writer->text, "(");
        write_node(writer, value->node);
        gzt_add(&writer->text, ") ? ");
        write_value(writer, value->a, type);
        gzt_add(&writer->text, " : ");
        write_value(writer, value->b, type);
    } else {
        if (value->kind == GZT_VALUE_UPDATED) {
            write_value(writer, value->a, type);
            gzt_add(&writer->text, " %s (", value->op);
        }
        if (value->node)
            write_node(writer, value->node);
        else
            gzt_add(&writer->text, "1");
        gzt_add(&writer->text, "%s", value->kind == GZT_VALUE_UPDATED ? ")" : "");
    }
    gzt_add(&writer->text, "))");
}

/* The name of a temporary in the body; those of the same name are told apart. */
static void write_local_name(struct writer *writer, int number)
{
    struct gzt_decl *const *locals = writer->sweep->locals;
    int same = 0;
    for (int i = 0; i < number; i++)
        same += strcmp(locals[i]->name, locals[number]->name) == 0;
    gzt_add(&writer->text, "gzl_%s", locals[number]->name);
    if (same)
        gzt_add(&writer->text, "_%d", same);
}

static bool write_local(struct writer *writer, const struct gzt_node *node)
{
    int number = writer->sweep ? gzt_local_of(writer->sweep, node->decl) : -1;
    if (number < 0)
        return false;
    if (writer->values || writer->measuring)
        write_value(writer, gzt_value_at(writer->sweep, node), node->decl->type_name);
    else
        write_local_name(writer, number);
    return true;
}

static bool write_alias(struct writer *writer, const struct gzt_node *node)
{
    const struct gzt_node *meant = gzt_alias_of(writer->program, node);
    if (writer->values && writer->toggle && node->decl == writer->program->toggle) {
        gzt_add(&writer->text, "%s", writer->toggle);
        return true;
    }
    if (writer->values && writer->toggle && node->decl && node->decl == writer->program->opposite) {
        gzt_add(&writer->text, "(1 - %s)", writer->toggle);
        return true;
    }
    if (!meant)
        return false;
    gzt_add(&writer->text, "((%s)(", gzt_type_text(node->decl->type));
    write_node(writer, meant);
    gzt_add(&writer->text, "))");
    return true;
}

/* A declaration in a function, by the devices' types. */
static void write_declaration(struct writer *writer, const struct gzt_node *node)
{
    for (int i = 0; i < node->count; i++) {
        const struct gzt_decl *decl = node->child[i]->decl;
        gzt_add(&writer->text, "%s%s gzv_%s", i ? " " : "", type_of_decl(decl), decl->name);
        if (node->child[i]->count) {
            gzt_add(&writer->text, " = ");
            write_node(writer, node->child[i]->child[0]);
        }
        gzt_add(&writer->text, ";");
    }
}

/* Whether C makes another type of a number by rules that devices do not know: what a bit-field or
 * an enumeration becomes in arithmetic. */
static bool is_promoted(const struct gzt_node *node)
{
    const struct gzt_node *bare = gzt_bare(node);
    return node->kind == GZT_IMPLICIT && gzt_is_integer(node->type) &&
           (bare->is_bit_field || bare->is_enumeration);
}

/* Of what a point is set to: the element, or a part that is computed elsewhere. */
static void write_part(struct writer *writer, const struct gzt_part *part)
{
    struct gzt_slot slot = {.type = part->type, .first = gzt_part_number(writer->program, part)};
    slot.words = gzt_words_of(writer->program->type, part->type);
    write_held(writer, &slot, "STEP");
}

static bool write_of_point(struct writer *writer, const struct gzt_node *node)
{
    const struct gzt_part *part = NULL;
    if (!writer->point)
        return false;
    switch (gzt_point_role(writer->program, writer->point, node, &part)) {
    case GZT_POINT_ELEMENT:
        gzt_add(&writer->text, "gz_new");
        break;
    case GZT_POINT_PART:
        write_part(writer, part);
        break;
    case GZT_POINT_OTHER:
        write_children(writer, node);
        break;
    }
    return true;
}

static void write_node(struct writer *writer, const struct gzt_node *node)
{
    if (write_of_point(writer, node))
        return;
    const struct gzt_read *read =
        writer->in_function || writer->values ? NULL : find_read(writer, node);
    if (writer->base && strcmp(gzt_node_text(writer->program->source, node), writer->base) == 0) {
        gzt_add(&writer->text, "%s", writer->other);
        return;
    }
    if (read) {
        write_read(writer, read);
        return;
    }
    if (node->kind == GZT_REF && !writer->in_function &&
        (write_local(writer, node) || write_alias(writer, node) || write_iterator(writer, node)))
        return;
    if (writer->values) {
        write_children(writer, node);
        return;
    }
    if (is_promoted(node))
        write_cast(writer, node);
    else if (node->kind == GZT_REF && node->decl->constant && !node->decl->variable)
        gzt_add(&writer->text, "((%s)%ldL)", gzt_type_text(node->type), node->value);
    else if (node->kind == GZT_REF && writer->in_function && node->decl->variable)
        gzt_add(&writer->text, "gzv_%s",
                node->decl->name); /* its own name may be a device's word */
    else if (node->kind == GZT_CALL)
        write_call(writer, node);
    else if (node->kind == GZT_LITERAL_INT)
        write_integer(writer, node);
    else if (node->kind == GZT_LITERAL_FLOAT)
        write_fraction(writer, node);
    else if (node->kind == GZT_CAST)
        write_cast(writer, node);
    else if (node->kind == GZT_DECL)
        write_declaration(writer, node);
    else
        write_children(writer, node);
}

const char *gzt_evaluated(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          const struct gzt_node *node, const char *const values[GZT_AXES],
                          const char *time)
{
    struct writer writer = {.program = program, .sweep = sweep, .values = values, .time = time};
    write_node(&writer, node);
    return gzt_string(&writer.text);
}

const char *gzt_toggled(const struct gzt_program *program, const struct gzt_sweep *sweep,
                        const struct gzt_node *node, const char *const values[GZT_AXES],
                        const char *time, const char *toggle)
{
    struct writer writer = {
        .program = program, .sweep = sweep, .values = values, .time = time, .toggle = toggle};
    write_node(&writer, node);
    return gzt_string(&writer.text);
}

const char *gzt_elsewhere(const struct gzt_program *program, const struct gzt_sweep *sweep,
                          const struct gzt_node *node, const char *const values[GZT_AXES],
                          const char *base, const char *other)
{
    struct writer writer = {
        .program = program, .sweep = sweep, .values = values, .base = base, .other = other};
    write_node(&writer, node);
    return gzt_string(&writer.text);
}

const char *gzt_set_elsewhere(const struct gzt_program *program, const struct gzt_point *point,
                              const char *element)
{
    static const char *const none[GZT_AXES] = {"0", "0", "0"};
    struct writer writer = {.program = program,
                            .sweep = program->sweep,
                            .values = none,
                            .time = "gz_time",
                            .base = gzt_node_text(program->source, point->element),
                            .other = element};
    write_node(&writer, point->assignment);
    return gzt_string(&writer.text);
}

/* -------------------------------------------------------------------------------- statements */

static void write_statement(struct writer *writer, const struct gzt_node *node, int indent);

static void write_indent(struct writer *writer, int indent)
{
    gzt_add(&writer->text, "%*s", 4 * indent, "");
}

/* What an assignment, of any kind, sets its target to. */
static void write_assigned(struct writer *writer, const struct gzt_node *node)
{
    const struct gzt_node *target = gzt_bare(node->child[0]);
    if (node->kind == GZT_UNARY) {
        write_node(writer, target);
        gzt_add(&writer->text, " %c 1", strpbrk(node->op, "+-")[0]);
    } else if (gzt_is_binary(node, "=")) {
        write_node(writer, node->child[1]);
    } else {
        write_node(writer, target);
        gzt_add(&writer->text, " %.*s (", (int)strlen(node->op) - 1, node->op);
        write_node(writer, node->child[1]);
        gzt_add(&writer->text, ")");
    }
}

/* If the cell is that of a point, its new value anew. */
static void write_point(struct writer *writer, int number, int indent)
{
    const struct gzt_program *program = writer->program;
    write_indent(writer, indent);
    gzt_add(&writer->text, "if (");
    for (int axis = 0; axis < program->dimensions; axis++) {
        gzt_add(&writer->text, "%s%s == ", axis ? " && " : "", cells[axis]);
        write_slot(writer, find_slot(writer, GZT_IS_PLACE, number * GZT_AXES + axis));
    }
    writer->point = program->points[number];
    if (writer->point->acts) {
        gzt_add(&writer->text, " && 0 != ");
        write_part(writer, writer->point->acts);
    }
    gzt_add(&writer->text, ")\n");
    write_indent(writer, indent + 1);
    gzt_add(&writer->text, "gz_new = (GZ_T)(");
    write_assigned(writer, writer->point->assignment);
    writer->point = NULL;
    gzt_add(&writer->text, ");\n");
}

static void write_assignment(struct writer *writer, const struct gzt_node *node, int indent)
{
    bool points = writer->program->point_count > 0;
    if (points) {
        write_indent(writer, indent);
        gzt_add(&writer->text, "{\n");
    }
    write_indent(writer, indent + points);
    if (writer->field)
        gzt_add(&writer->text, "gz_v%d = ", writer->version);
    else
        gzt_add(&writer->text, points ? "GZ_T gz_new = (GZ_T)(" : "return ");
    write_assigned(writer, node);
    gzt_add(&writer->text, points ? ");\n" : ";\n");
    if (!points)
        return;
    for (int ahead = 0; ahead < 2; ahead++)
        for (int i = 0; i < writer->program->point_count; i++)
            if (writer->program->points[i]->ahead == ahead)
                write_point(writer, i, indent + 1);
    write_indent(writer, indent + 1);
    gzt_add(&writer->text, "return gz_new;\n");
    write_indent(writer, indent);
    gzt_add(&writer->text, "}\n");
}

static void write_if(struct writer *writer, const struct gzt_node *node, int indent)
{
    write_indent(writer, indent);
    gzt_add(&writer->text, "if (");
    write_node(writer, node->child[0]);
    gzt_add(&writer->text, ") {\n");
    write_statement(writer, node->child[1], indent + 1);
    write_indent(writer, indent);
    gzt_add(&writer->text, "}\n");
    if (node->count < 3)
        return;
    /* What is guarded returns, so an else needs no word. */
    if (!writer->field) {
        write_statement(writer, node->child[2], indent);
        return;
    }
    write_indent(writer, indent);
    gzt_add(&writer->text, "else {\n");
    write_statement(writer, node->child[2], indent + 1);
    write_indent(writer, indent);
    gzt_add(&writer->text, "}\n");
}

static void write_preparation(struct writer *writer, const struct gzt_node *node, int indent);

static void write_preparing_if(struct writer *writer, const struct gzt_node *node, int indent)
{
    for (int i = 1; i < node->count; i++) {
        const struct gzt_node **list = NULL;
        int count = 0;
        write_indent(writer, indent);
        gzt_add(&writer->text, i == 1 ? "if (" : "else ");
        if (i == 1)
            write_node(writer, node->child[0]);
        gzt_add(&writer->text, i == 1 ? ") {\n" : "{\n");
        gzt_statements(node->child[i], &list, &count);
        for (int k = 0; k < count; k++)
            write_preparation(writer, list[k], indent + 1);
        write_indent(writer, indent);
        gzt_add(&writer->text, "}\n");
    }
}

/* A statement that sets temporaries, which are declared at the top. */
static void write_preparation(struct writer *writer, const struct gzt_node *node, int indent)
{
    if (node->kind == GZT_IF) {
        write_preparing_if(writer, node, indent);
        return;
    }
    if (node->kind != GZT_DECL) {
        write_indent(writer, indent);
        write_node(writer, node);
        gzt_add(&writer->text, ";\n");
        return;
    }
    for (int i = 0; i < node->count; i++)
        if (node->child[i]->count) {
            write_indent(writer, indent);
            write_local_name(writer, gzt_local_of(writer->sweep, node->child[i]->decl));
            gzt_add(&writer->text, " = ");
            write_node(writer, node->child[i]->child[0]);
            gzt_add(&writer->text, ";\n");
        }
}

static void write_locals(struct writer *writer, int indent)
{
    for (int i = 0; i < writer->sweep->local_count; i++) {
        write_indent(writer, indent);
        gzt_add(&writer->text, "%s ", type_of_decl(writer->sweep->locals[i]));
        write_local_name(writer, i);
        gzt_add(&writer->text, ";\n");
    }
}

static void write_statement(struct writer *writer, const struct gzt_node *node, int indent)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    gzt_statements(node, &list, &count);
    for (int i = 0; i < count; i++)
        if (i + 1 < count)
            write_preparation(writer, list[i], indent);
        else if (list[i]->kind == GZT_IF)
            write_if(writer, list[i], indent);
        else
            write_assignment(writer, list[i], indent);
}

static void write_sweep(struct writer *writer, int number)
{
    const struct gzt_program *program = writer->program;
    bool first = program->sweeps == 2 && number == 0;
    writer->sweep = &program->sweep[number];
    if (first)
        gzt_add(&writer->text, "    if (LOOP %% 2 == 0) {\n");
    write_locals(writer, first ? 2 : 1);
    write_statement(writer, writer->sweep->statement, first ? 2 : 1);
    if (writer->sweep->guarded) {
        gzt_add(&writer->text, "%sreturn GZ_KEPT;\n", first ? "        " : "    ");
        note_cell(writer, -1, center);
    }
    if (first)
        gzt_add(&writer->text, "    }\n");
}

static bool is_tested(const struct gzt_version *version)
{
    bool tested = false;
    for (int k = 0; k < 2 * GZT_AXES; k++)
        tested = tested || version->tested[k];
    return tested;
}

/* Whether a version's cell is among its part's, as far as that is to be asked. */
static void write_within(struct writer *writer, const struct gzt_version *version)
{
    const char *between = "";
    for (int k = 0; k < 2 * GZT_AXES; k++) {
        if (!version->tested[k])
            continue;
        gzt_add(&writer->text, "%s(%s + (%d) %s ", between, cells[k / 2], version->offset[k / 2],
                k % 2 ? "<" : ">=");
        write_slot(writer, find_slot(writer, GZT_IS_BOUND, version->part * 2 * GZT_AXES + k));
        gzt_add(&writer->text, ")");
        between = " & ";
    }
}

/* Stops at what must not be computed where C does not: a call may not end, and a whole number may
 * be divided by 0. */
static int stops_at(const struct gzt_node *node, void *data)
{
    (void)data;
    bool divides =
        node->kind == GZT_BINARY && strpbrk(node->op, "/%") && gzt_is_integer(node->type);
    return divides || (node->kind == GZT_CALL && !gzt_math_of(node));
}

/* Whether a part may be computed for any cell: its statements set real numbers, without conditions.
 * A choice between two numbers costs a processor's vectors less than a branch. */
static bool is_free(const struct gzt_program *program, const struct gzt_sweep *sweep)
{
    const struct gzt_node **list = NULL;
    int count = 0;
    bool free = program->type == GZT_FLOAT || program->type == GZT_DOUBLE;
    gzt_statements(sweep->statement, &list, &count);
    for (int i = 0; i < count; i++)
        free = free && list[i]->kind != GZT_IF;
    for (int i = 0; i < sweep->local_count; i++)
        free =
            free && (sweep->locals[i]->type == GZT_FLOAT || sweep->locals[i]->type == GZT_DOUBLE);
    return free && gzt_walk(sweep->statement, stops_at, NULL) == 0;
}

/* A value of a part at a distance: what its element was before, where the cell is not the part's.
 */
static void write_one(struct writer *writer, const struct gzt_version *version)
{
    const char *type = gzt_type_text(writer->program->type);
    int number = writer->version;
    bool tested = is_tested(version);
    bool chosen = tested && is_free(writer->program, writer->sweep);
    gzt_add(&writer->text, "        %s gz_v%d = ", type, number);
    write_version(writer, writer->sweep->write.array, version->part, version->offset);
    gzt_add(&writer->text, ";\n");
    if (version->never)
        return;
    if (chosen) {
        gzt_add(&writer->text, "        const %s gz_o%d = gz_v%d;\n        ", type, number, number);
    } else if (tested) {
        gzt_add(&writer->text, "        if (");
        write_within(writer, version);
        gzt_add(&writer->text, ") ");
    } else {
        gzt_add(&writer->text, "        ");
    }
    gzt_add(&writer->text, "{\n");
    write_locals(writer, 3);
    write_statement(writer, writer->sweep->statement, 3);
    gzt_add(&writer->text, "        }\n");
    if (!chosen)
        return;
    gzt_add(&writer->text, "        gz_v%d = (", number);
    write_within(writer, version);
    gzt_add(&writer->text, ") ? gz_v%d : gz_o%d;\n", number, number);
}

/* The next value of a field: what it is made of, one value after the other. */
static void write_field(struct writer *writer, int number)
{
    const struct gzt_program *program = writer->program;
    const struct gzt_field *field = writer->field = &program->system->field[number];
    static const int own[GZT_AXES];
    if (program->system->fields == 1)
        gzt_add(&writer->text, "    {\n");
    else
        gzt_add(&writer->text, "    if (THIS == %d) {\n", number);
    for (int i = 0; i < field->versions; i++) {
        writer->version = i;
        memcpy(writer->shift, field->version[i].offset, sizeof writer->shift);
        writer->sweep = &program->sweep[field->version[i].part];
        write_one(writer, &field->version[i]);
        memset(writer->shift, 0, sizeof writer->shift);
    }
    gzt_add(&writer->text, "        return ");
    write_version(writer, field->partner, program->sweeps, own);
    gzt_add(&writer->text, ";\n    }\n");
    writer->field = NULL;
}

static void write_fields(struct writer *writer)
{
    for (int i = 0; i < writer->program->system->fields; i++)
        write_field(writer, i);
    if (writer->program->system->fields > 1)
        gzt_add(&writer->text, "    return 0;\n");
}

/* ----------------------------------------------------------------------------------- helpers */

static void write_function(struct writer *writer, const struct gzt_decl *function)
{
    gzt_add(&writer->text, "GZ_INLINE %s ", device_type(function->result, function->result_name));
    write_function_name(writer, function);
    gzt_add(&writer->text, "(");
    for (int i = 0; i < function->parameter_count; i++)
        gzt_add(&writer->text, "%s%s gzv_%s", i ? ", " : "", type_of_decl(function->parameters[i]),
                function->parameters[i]->name);
    gzt_add(&writer->text, ")\n");
    write_node(writer, function->body);
    gzt_add(&writer->text, "\n");
}

struct math_set {
    const struct gzt_math *functions[64];
    int count;
};

/* Which functions of the C library are called, each once. */
static int collect_math(const struct gzt_node *node, void *data)
{
    struct math_set *set = data;
    const struct gzt_math *math = node->kind == GZT_CALL ? gzt_math_of(node) : NULL;
    for (int i = 0; i < set->count; i++)
        if (set->functions[i] == math)
            return 0;
    if (math && set->count < 64)
        set->functions[set->count++] = math;
    return 0;
}

/* std::min and std::max: of equal arguments, and of those with NaN, the first. */
static void write_std(struct writer *writer, const struct gzt_math *math)
{
    const char *type = gzt_type_text(math->type);
    bool least = strcmp(math->name, "min") == 0;
    gzt_add(&writer->text, "GZ_INLINE %s %s(%s a, %s b)\n{\n    return %s ? b : a;\n}\n", type,
            device_name(math), type, type, least ? "b < a" : "a < b");
}

/* What devices make of a function: OpenCL's abs has no sign, and of two zeros fmin and fmax may
 * return either, where the C libraries of x86 return the second. */
static void write_device_math(struct writer *writer, const struct gzt_math *math, const char *name)
{
    const char *type = gzt_type_text(math->type);
    if (strcmp(math->device, "fmin") == 0 || strcmp(math->device, "fmax") == 0)
        gzt_add(&writer->text,
                "GZ_INLINE %s %s(%s a, %s b)\n{\n"
                "    return a != a ? b : b != b ? a : a %c b ? a : b;\n}\n",
                type, name, type, type, math->device[2] == 'i' ? '<' : '>');
    else
        gzt_add(&writer->text, "#define %s %s%s\n", name,
                strcmp(math->device, "abs") == 0 ? "(int)" : "", math->device);
}

/* GZ_D_sqrt and the like: C's own names on the host. */
static void write_math(struct writer *writer)
{
    struct math_set set = {.count = 0};
    for (int i = 0; i < writer->program->sweeps; i++)
        gzt_walk(writer->program->sweep[i].statement, collect_math, &set);
    if (writer->program->measure && writer->program->measure->fold) {
        gzt_walk(writer->program->measure->sweep.statement, collect_math, &set);
        if (writer->program->measure->values)
            gzt_walk(writer->program->measure->value[0], collect_math, &set);
        if (writer->program->measure->condition)
            gzt_walk(writer->program->measure->condition, collect_math, &set);
    }
    for (int i = 0; i < writer->program->function_count; i++)
        gzt_walk(writer->program->functions[i]->body, collect_math, &set);
    for (int i = 0; i < set.count; i++) {
        const struct gzt_math *math = set.functions[i];
        const char *name = device_name(math);
        if (gzt_is_of_cxx(math)) {
            write_std(writer, math);
            continue;
        }
        gzt_add(&writer->text, "#if defined __OPENCL_VERSION__ || defined __CUDACC__\n");
        write_device_math(writer, math, name);
        gzt_add(&writer->text, "#else\n#define %s %s\n#endif\n", name, math->name);
    }
}

static void write_helpers(struct writer *writer)
{
    bool bits = false;
    for (int i = 0; i < writer->layout->slots; i++)
        bits = bits || (writer->program->type != GZT_DOUBLE &&
                        writer->layout->slot[i].type != writer->program->type);
    for (int i = 0; i < writer->program->per_step_count; i++)
        bits = bits || gzt_step_type(writer->program, writer->program->per_step[i]) !=
                           writer->program->type;
    bits = bits || (writer->program->type != GZT_DOUBLE && writer->program->point_count > 0);
    gzt_add(&writer->text, "#ifndef GZ_HELPERS\n#define GZ_HELPERS\n%s", bits ? gzt_bits : "");
    write_math(writer);
    writer->in_function = true;
    for (int i = 0; i < writer->program->function_count; i++)
        write_function(writer, writer->program->functions[i]);
    writer->in_function = false;
    gzt_add_kept(&writer->text, writer->program->constant_count);
}

/* How far a loop takes a cell: the larger is what counts, or the sum. */
static void write_measure(struct writer *writer)
{
    const struct gzt_measure *measure = writer->program->measure;
    bool whole = gzt_measure_type(writer->program) == 4;
    writer->measuring = true;
    writer->sweep = &measure->sweep;
    gzt_add(&writer->text, "#ifdef GZ_MEASURE\nGZ_MEASURE\n{\n    return ");
    if (measure->condition) {
        gzt_add(&writer->text, "!(");
        write_node(writer, measure->condition);
        gzt_add(&writer->text, ") ? 0 : ");
    }
    gzt_add(&writer->text, "%s(", measure->finds == GZT_LEAST ? "-" : whole ? "(long)" : "");
    if (measure->values)
        write_node(writer, measure->value[0]);
    else
        gzt_add(&writer->text, "1");
    gzt_add(&writer->text, ");\n}\n#endif\n");
}

const char *gzt_body(const struct gzt_program *program, const struct gzt_layout *layout,
                     struct gzk_reads *reads)
{
    struct writer writer = {.program = program, .layout = layout};
    struct gzt_place place = gzt_place_of(program->source, program->time.node->begin);
    const char *slash = strrchr(place.file, '/');

    gzt_add(&writer.text, "/* Made by gzc of %s, line %d. */\n",
            gzt_shown(slash ? slash + 1 : place.file), place.line);
    write_helpers(&writer);
    gzt_add(&writer.text, "GZ_UPDATE\n{\n");
    if (program->system)
        write_fields(&writer);
    for (int i = 0; i < program->sweeps && !program->system; i++)
        write_sweep(&writer, i);
    gzt_add(&writer.text, "}\n");
    *reads = reads_of(&writer);
    if (program->measure && program->measure->fold)
        write_measure(&writer);
    return gzt_string(&writer.text);
}
