/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unlower FILE [-- FLAGS] - prints FILE after the preprocessor, each region printed back from its
 * intermediate representation (kernels/translate/ir/ir.h): loads and phis as variables, other
 * values where an operation uses them, arguments of a choice only where it chooses them. So the
 * lowering is tested against a compiler, whether gzc takes a region or not.
 */
#include "../../kernels/translate/ir/ir.h"
#include "../../kernels/translate/program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct printer {
    const struct ir_region *ir;
    struct gzt_text *text;
    int *name;  /* by value: the number of its temporary in the block that is open, 0 if none */
    int names;  /* given so far */
    int *known; /* values that have one, as a stack: a block takes back its own */
    int count;
    char **always; /* by value, once it was computed */
};

static bool is_unnamed(const char *c)
{
    return strstr(c, "(unnamed") || strstr(c, "(anonymous");
}

/* A value's type as it stands before a name. Pointers to arrays are "double[m] *". */
static const char *type_of(const struct ir_value *v)
{
    int length = (int)strlen(v->c);
    while (length > 0 && strchr("* ", v->c[length - 1]))
        length--;
    return gzt_format("__typeof__(%.*s)%s%s", length, v->c, v->c + length,
                      v->type == IR_POINTER ? " *" : "");
}

/* "(T)", or nothing for a type that cannot be written. */
static const char *cast(const struct ir_value *v)
{
    return is_unnamed(v->c) ? "" : gzt_format("(%s)", type_of(v));
}

/* Whether a variable is gone once the region's text is, or was never there: it gets a storage. */
static bool is_within(const struct ir_region *ir, const struct gzt_decl *decl, int frame)
{
    const struct gzt_region *region = ir->region;
    return frame != 0 || !decl ||
           (decl->offset >= region->statements[0]->begin &&
            decl->offset < region->statements[region->statement_count - 1]->end);
}

static const char *variable(const struct ir_region *ir, const struct gzt_decl *decl, int frame)
{
    return is_within(ir, decl, frame) ? gzt_format("s%d_%d_", decl->offset, frame) : decl->name;
}

static bool is_saved(const struct printer *p, const struct ir_value *v)
{
    const struct ir_value *place = v->code == IR_LIVE_IN ? v->a[0] : NULL;
    while (place && (place->code == IR_FIELD || place->code == IR_FIRST ||
                     (place->code == IR_STEP && place->a[1]->code == IR_CONST)))
        place = place->a[0];
    return place && place->code == IR_ADDRESS && !is_within(p->ir, place->decl, place->frame);
}

static const char *whole(const struct ir_value *v)
{
    return v->whole == LONG_MIN ? gzt_format("(%s(-%ldL - 1))", cast(v), LONG_MAX)
                                : gzt_format("(%s%ldL)", cast(v), v->whole);
}

/* How a value is written, once `need` was called for it. */
static const char *ref(const struct printer *p, const struct ir_value *v)
{
    if (p->name[v->number])
        return gzt_format("v%d_", p->name[v->number]);
    switch (v->code) {
    case IR_CONST:
        return !v->text                ? whole(v)
               : v->type == IR_POINTER ? v->text
                                       : gzt_format("(%s%s)", cast(v), v->text);
    case IR_ADDRESS:
        return gzt_format("(%s&%s)", cast(v), variable(p->ir, v->decl, v->frame));
    case IR_STEP:
        return gzt_format("(%s(%s + %s))", cast(v), ref(p, v->a[0]), ref(p, v->a[1]));
    case IR_FIRST:
        return gzt_format("(%s*%s)", cast(v), ref(p, v->a[0]));
    case IR_FIELD:
        return gzt_format("(%s&(%s)->%s)", cast(v), ref(p, v->a[0]), v->text + (v->text[0] == '.'));
    case IR_LOAD:
        return gzt_format("l%d_", v->op->number);
    case IR_EXIT:
        return ref(p, v->a[0]);
    default: /* a variable of the region's */
        return gzt_format("x%d_", v->number);
    }
}

/* By value: whether it is computed whenever `v` is. */
static const char *always(struct printer *p, const struct ir_value *v)
{
    if (p->always[v->number])
        return p->always[v->number];
    size_t values = (size_t)p->ir->values;
    char *marks = p->always[v->number] = gzt_alloc(values);
    bool ends = v->code == IR_PHI || v->code == IR_RESULT;
    int count = ends ? 0 : v->code == IR_SELECT ? 1 : v->arguments;
    marks[v->number] = 1;
    for (int a = 0; a < count; a++)
        for (size_t i = 0; i < values; i++)
            marks[i] |= always(p, v->a[a])[i];
    for (size_t i = 0; v->code == IR_SELECT && i < values; i++)
        marks[i] |= always(p, v->a[1])[i] & always(p, v->a[2])[i];
    return marks;
}

static void name(struct printer *p, const struct ir_value *v)
{
    p->name[v->number] = ++p->names;
    p->known[p->count++] = v->number;
}

static int open(struct printer *p, const char *before)
{
    gzt_add(p->text, "%s {\n", before);
    return p->count;
}

static void close(struct printer *p, int count)
{
    while (p->count > count)
        p->name[p->known[--p->count]] = 0;
    gzt_add(p->text, "}\n");
}

static void need(struct printer *p, const struct ir_value *v);

static void need_chosen(struct printer *p, const struct ir_value *v)
{
    for (int i = 0; i < v->number; i++)
        if (always(p, v->a[1])[i] && always(p, v->a[2])[i])
            need(p, p->ir->value[i]);
    gzt_add(p->text, "%s v%d_;\n", type_of(v), p->names + 1);
    int own = ++p->names;
    for (int i = 1; i < 3; i++) {
        int count = open(p, i == 1 ? gzt_format("if (%s)", ref(p, v->a[0])) : "else");
        need(p, v->a[i]);
        gzt_add(p->text, "v%d_ = %s%s;\n", own, cast(v), ref(p, v->a[i]));
        close(p, count);
    }
    p->name[v->number] = own;
    p->known[p->count++] = v->number;
}

static void put_call(struct printer *p, const char *function, struct ir_value *const *argument,
                     int count)
{
    gzt_add(p->text, "%s(", function);
    for (int i = 0; i < count; i++)
        gzt_add(p->text, "%s%s", i ? ", " : "", ref(p, argument[i]));
    gzt_add(p->text, ")");
}

/* Computes a value, unless it is there, in the block that is open. */
static void need(struct printer *p, const struct ir_value *v)
{
    if (p->name[v->number] || v->code == IR_PHI || v->code == IR_RESULT || is_saved(p, v))
        return;
    for (int i = 0; i < (v->code == IR_SELECT ? 1 : v->arguments); i++)
        need(p, v->a[i]);
    if (v->code == IR_SELECT) {
        need_chosen(p, v);
    } else if (v->code == IR_LIVE_IN || v->code == IR_ARITH || v->code == IR_CONVERT ||
               v->code == IR_CALL) {
        gzt_add(p->text, "%s v%d_ = %s", type_of(v), p->names + 1, cast(v));
        if (v->code == IR_LIVE_IN)
            gzt_add(p->text, "*(%s *)%s", type_of(v), ref(p, v->a[0]));
        else if (v->code == IR_CALL)
            put_call(p, v->text, v->a, v->arguments);
        else if (v->code == IR_CONVERT || v->arguments == 1)
            gzt_add(p->text, "(%s %s)", v->code == IR_CONVERT ? "" : v->text, ref(p, v->a[0]));
        else
            gzt_add(p->text, "(%s %s %s)", ref(p, v->a[0]), v->text, ref(p, v->a[1]));
        gzt_add(p->text, ";\n");
        name(p, v);
    }
}

/* What an access of a value leads to. */
static const char *memory(struct printer *p, const struct ir_access *access,
                          const struct ir_value *v)
{
    need(p, access->address);
    const char *address = ref(p, access->address);
    return is_unnamed(v->c) ? gzt_format("*%s", address)
                            : gzt_format("*(%s *)%s", type_of(v), address);
}

static const char *user_text(const struct printer *p, int begin, int end)
{
    return gzt_verbatim(p->ir->source, begin, end);
}

static void need_all(struct printer *p, const struct ir_op *op)
{
    for (int i = 0; i < op->arguments; i++)
        if (op->argument[i])
            need(p, op->argument[i]);
}

static bool declares(const struct ir_op *op, const struct ir_value *use)
{
    return use->decl->offset >= op->begin && use->decl->offset < op->end;
}

/* Variables that are not the user's any more stand for them in his text: ones that are values by a
 * variable of the user's name, those in memory by a macro. */
static void put_names(struct printer *p, const struct ir_op *op, bool on)
{
    for (int i = 0; i < op->uses; i++) {
        const struct ir_value *use = op->use[i];
        if (!is_within(p->ir, use->decl, use->frame) || declares(op, use))
            continue;
        const char *user = use->decl->name, *own = variable(p->ir, use->decl, use->frame);
        if (!op->argument[i])
            gzt_add(p->text, on ? "\n#define %s %s\n" : "\n#undef %s\n", user, own);
        else if (on)
            gzt_add(p->text, "__typeof__(%s) %s = %s;\n", own, user, own);
        else
            gzt_add(p->text, "%s = %s;\n", own, user);
    }
}

/* The user's text, whose variables hold the values that reach it; what it declares gets its
 * storage behind it. */
static void put_opaque(struct printer *p, const struct ir_op *op)
{
    need_all(p, op);
    for (int i = 0; i < op->uses; i++) {
        const struct ir_value *use = op->use[i], *value = op->argument[i];
        if (value && value->code != IR_UNDEF && !declares(op, use))
            gzt_add(p->text, "*(%s *)%s = %s;\n", type_of(value), ref(p, use), ref(p, value));
    }
    put_names(p, op, true);
    gzt_add(p->text, "%s;\n", user_text(p, op->begin, op->end));
    put_names(p, op, false);
    for (int i = 0; i < op->uses; i++)
        if (declares(op, op->use[i]))
            gzt_add(p->text, "__builtin_memcpy(%s, &%s, sizeof %s);\n", ref(p, op->use[i]),
                    op->use[i]->decl->name, op->use[i]->decl->name);
    for (int i = 0; i < p->ir->values; i++) {
        const struct ir_value *v = p->ir->value[i];
        if (v->code == IR_RESULT && v->op == op && v->arguments)
            gzt_add(p->text, "x%d_ = *(%s *)%s;\n", v->number, type_of(v), ref(p, v->a[0]));
    }
}

static void put_store(struct printer *p, const struct ir_op *op)
{
    const char *to = memory(p, &op->access, op->value);
    need(p, op->value);
    gzt_add(p->text, "%s = %s;\n", to, ref(p, op->value));
}

static void put_op(struct printer *p, const struct ir_op *op)
{
    int count = open(p, ""), inner;
    need(p, op->where);
    inner = open(p, gzt_format("if (%s)", ref(p, op->where)));
    if (op->kind == IR_READ) {
        const char *from = memory(p, &op->access, op->result);
        gzt_add(p->text, "l%d_ = %s;\n", op->number, from);
    } else if (op->kind == IR_STORE) {
        put_store(p, op);
    } else if (op->kind == IR_OUTPUT) {
        need_all(p, op);
        if (op->result)
            gzt_add(p->text, "%s = ", ref(p, op->result));
        put_call(p, op->text, op->argument, op->arguments);
        gzt_add(p->text, ";\n");
    } else if (op->kind == IR_LEAVE) {
        if (op->value) {
            need(p, op->value);
            gzt_add(p->text, "g%d_ = %s;\n", op->number, ref(p, op->value));
        }
        gzt_add(p->text, "left_ = %d;\n", op->number + 1);
    } else {
        put_opaque(p, op);
    }
    close(p, inner);
    close(p, count);
}

/* Phis get their arguments `at`, all at once. */
static void put_phis(struct printer *p, const struct ir_loop *loop, int at)
{
    int count = open(p, "");
    for (int i = 0; i < loop->phis; i++)
        if (loop->phi[i]->a[at]->code != IR_UNDEF) {
            need(p, loop->phi[i]->a[at]);
            gzt_add(p->text, "%s n%d_ = %s;\n", type_of(loop->phi[i]), i,
                    ref(p, loop->phi[i]->a[at]));
        }
    for (int i = 0; i < loop->phis; i++)
        if (loop->phi[i]->a[at]->code != IR_UNDEF)
            gzt_add(p->text, "x%d_ = n%d_;\n", loop->phi[i]->number, i);
    close(p, count);
}

static void put_loop(struct printer *p, const struct ir_loop *loop);

static void put_block(struct printer *p, const struct ir_block *block)
{
    for (int i = 0; i < block->items; i++)
        if (block->item[i]->op)
            put_op(p, block->item[i]->op);
        else
            put_loop(p, block->item[i]->loop);
}

static void put_loop(struct printer *p, const struct ir_loop *loop)
{
    int count = open(p, "");
    need(p, loop->where);
    int entered = open(p, gzt_format("if (%s)", ref(p, loop->where)));
    put_phis(p, loop, 0);
    int turn = open(p, "for (;;)");
    put_block(p, &loop->head);
    int head = open(p, "");
    need(p, loop->holds);
    gzt_add(p->text, "if (!%s) break;\n", ref(p, loop->holds));
    close(p, head);
    put_block(p, &loop->body);
    put_phis(p, loop, 1);
    close(p, turn);
    close(p, entered);
    close(p, count);
}

static void put_results(struct printer *p)
{
    const struct ir_region *ir = p->ir;
    int count = open(p, "");
    for (int i = 0; i < ir->results; i++) {
        need(p, ir->result[i].value);
        gzt_add(p->text, "%s n%d_ = %s;\n", type_of(ir->result[i].value), i,
                ref(p, ir->result[i].value));
    }
    for (int i = 0; i < ir->results; i++)
        gzt_add(p->text, "*(%s *)%s = n%d_;\n", type_of(ir->result[i].value),
                ref(p, ir->result[i].address), i);
    close(p, count);
}

/* Where the region is left, once it has been left in all other ways. */
static void put_leaves(struct printer *p)
{
    for (int i = 0; i < p->ir->ops; i++) {
        const struct ir_op *op = p->ir->op[i];
        if (op->kind == IR_LEAVE)
            gzt_add(p->text, "if (left_ == %d) %s;\n", i + 1,
                    op->value ? gzt_format("return g%d_", i) : user_text(p, op->begin, op->end));
    }
}

/* The variables that hold what loads, phis and texts of the user's make, and what the region finds
 * in variables. */
static void declare(struct printer *p)
{
    const struct ir_region *ir = p->ir;
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        if (is_saved(p, v))
            gzt_add(p->text, "%s x%d_ = *(%s *)%s;\n", type_of(v), i, type_of(v), ref(p, v->a[0]));
        else if (v->code == IR_PHI || v->code == IR_RESULT || v->code == IR_UNDEF)
            gzt_add(p->text, "%s x%d_;\n", type_of(v), i);
    }
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->kind == IR_LEAVE && ir->op[i]->value)
            gzt_add(p->text, "%s g%d_;\n", type_of(ir->op[i]->value), i);
        else if (ir->op[i]->kind == IR_READ)
            gzt_add(p->text, "%s l%d_;\n", type_of(ir->op[i]->result), i);
}

/* Storage, behind the region too, for variables that are declared in it or in functions. */
static void declare_storage(struct printer *p)
{
    const struct ir_region *ir = p->ir;
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        if (v->code == IR_ADDRESS && v->decl && is_within(ir, v->decl, v->frame))
            gzt_add(p->text, "__typeof__(*(%s)0) %s;\n", type_of(v),
                    variable(ir, v->decl, v->frame));
    }
}

static void put_region(struct gzt_text *text, struct gzt_source *source,
                       const struct gzt_region *region)
{
    const struct ir_region *ir = ir_lower(source, region);
    size_t values = (size_t)ir->values + 1;
    struct printer p = {ir,
                        text,
                        gzt_alloc(values * sizeof *p.name),
                        0,
                        gzt_alloc(values * sizeof *p.known),
                        0,
                        gzt_alloc(values * sizeof *p.always)};
    const char *broken = ir_verify(ir);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    gzt_add(text, "\n{\n");
    gzt_add(text, "int left_ = 0;\n");
    declare_storage(&p);
    declare(&p);
    put_block(&p, &ir->body);
    put_results(&p);
    put_leaves(&p);
    gzt_add(text, "}\n");
}

static int end_of(const struct gzt_source *source, const struct gzt_region *region)
{
    int end = region->statements[region->statement_count - 1]->end;
    int after = end + (int)strspn(source->text + end, " \n");
    return source->text[after] == ';' ? after + 1 : end;
}

/* Leaves out what glibc's headers declare for clang, but gcc has in C. */
static void drop_own(char *text)
{
    for (char *at = text; (at = strstr(at, "typedef ")); at++) {
        size_t words = strspn(at, "abcdefghijklmnopqrstuvwxyz ");
        if (strncmp(at + words, "_Float", 6) == 0)
            memset(at, ' ', words + strcspn(at + words, ";"));
    }
}

int main(int argc, char **argv)
{
    static struct gzt_source source;
    static struct gzt_tree tree;
    static struct gzt_text text;
    struct gzt_region **regions;
    int count, at = 0;

    if (argc < 2)
        return 2;
    source.path = argv[1];
    source.flags = argv + 3;
    source.flag_count = argc > 3 ? argc - 3 : 0;
    if (gzt_check_flags(&source) != 0 || gzt_preprocess(&source) != 0 ||
        gzt_parse(&source, &tree) != 0 || gzt_find_regions(&source, &tree, &regions, &count) != 0)
        return fprintf(stderr, "%s\n", source.error), 2;
    for (int i = 0; i < count; i++) {
        gzt_add_bytes(&text, source.text + at, (size_t)(regions[i]->statements[0]->begin - at));
        put_region(&text, &source, regions[i]);
        at = end_of(&source, regions[i]);
    }
    gzt_add(&text, "%s", source.text + at);
    puts(source.cxx ? "typedef bool _Bool;" : "#include <stdbool.h>"); /* as clang's own */
    if (!source.cxx)
        drop_own(text.bytes);
    fputs(gzt_string(&text), stdout);
    return 0;
}
