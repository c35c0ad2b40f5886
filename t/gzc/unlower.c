/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unlower FILE [-- FLAGS] - prints FILE after the preprocessor, each region printed back from its
 * intermediate representation (kernels/translate/ir/ir.h): loads and phis as variables, other
 * values where an operation uses them, arguments of a choice only where it chooses them. So the
 * lowering is tested against a compiler, whether gzc takes a region or not.
 */
#include "../../kernels/translate/ir/c.h"
#include "../../kernels/translate/region.h"

#include <stdio.h>
#include <string.h>

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

static bool is_saved(const struct ir_region *ir, const struct ir_value *v)
{
    const struct ir_value *place = v->code == IR_LIVE_IN ? v->a[0] : NULL;
    while (place && (place->code == IR_FIELD || place->code == IR_FIRST ||
                     (place->code == IR_STEP && place->a[1]->code == IR_CONST)))
        place = place->a[0];
    return place && place->code == IR_ADDRESS && !is_within(ir, place->decl, place->frame);
}

/* Variables hold what loads, phis and texts of the user's make, and what the region finds. */
static const char *have(void *data, const struct ir_value *v)
{
    const struct ir_region *ir = data;
    switch (v->code) {
    case IR_ADDRESS:
        return gzt_format("(%s&%s)", ir_c_cast(v), variable(ir, v->decl, v->frame));
    case IR_LOAD:
        return gzt_format("l%d_", v->op->number);
    case IR_PHI:
    case IR_RESULT:
    case IR_UNDEF:
        return gzt_format("x%d_", v->number);
    default:
        return is_saved(ir, v) ? gzt_format("x%d_", v->number) : NULL;
    }
}

/* The same before the region. */
static const char *have_before(void *data, const struct ir_value *v)
{
    return v->code == IR_ADDRESS ? have(data, v) : NULL;
}

static const char *user_text(const struct ir_c *p, int begin, int end)
{
    return gzt_verbatim(p->ir->source, begin, end);
}

static void need_all(struct ir_c *p, const struct ir_op *op)
{
    for (int i = 0; i < op->arguments; i++)
        if (op->argument[i])
            ir_c_value(p, op->argument[i]);
}

static bool declares(const struct ir_op *op, const struct ir_value *use)
{
    return use->decl->offset >= op->begin && use->decl->offset < op->end;
}

/* Variables that are not the user's any more stand for them in his text: ones that are values by a
 * variable of the user's name, those in memory by a macro. */
static void put_names(struct ir_c *p, const struct ir_op *op, bool on)
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

/* The user's text, whose variables hold the values that reach it, constant ones as ever; what it
 * declares gets its storage behind it. */
static void put_opaque(struct ir_c *p, const struct ir_op *op)
{
    need_all(p, op);
    for (int i = 0; i < op->uses; i++) {
        const struct ir_value *use = op->use[i], *value = op->argument[i];
        if (value && value->code != IR_UNDEF && !declares(op, use)) { /* those that change */
            const char *set = ir_c_value(p, value), *to = ir_c_value(p, use);
            gzt_add(p->text,
                    "{ %s o_ = %s; if (__builtin_memcmp(%s, &o_, sizeof o_)) *(%s *)%s = o_; }\n",
                    ir_c_type(value), set, to, ir_c_type(value), to);
        }
    }
    put_names(p, op, true);
    gzt_add(p->text, "%s;\n", user_text(p, op->begin, op->end));
    put_names(p, op, false);
    for (int i = 0; i < op->uses; i++)
        if (declares(op, op->use[i]))
            gzt_add(p->text, "__builtin_memcpy(%s, &%s, sizeof %s);\n", ir_c_value(p, op->use[i]),
                    op->use[i]->decl->name, op->use[i]->decl->name);
    for (int i = 0; i < p->ir->values; i++) {
        const struct ir_value *v = p->ir->value[i];
        if (v->code == IR_RESULT && v->op == op && v->arguments)
            gzt_add(p->text, "x%d_ = *(%s *)%s;\n", v->number, ir_c_type(v),
                    ir_c_value(p, v->a[0]));
    }
}

static void put_store(struct ir_c *p, const struct ir_op *op)
{
    const char *to = ir_c_memory(p, &op->access, op->value);
    gzt_add(p->text, "%s = %s;\n", to, ir_c_value(p, op->value));
}

static void put_copy(struct ir_c *p, const struct ir_op *op)
{
    gzt_add(p->text, "__builtin_memmove(%s, %s, %s);\n", ir_c_value(p, op->access.address),
            ir_c_value(p, op->from.address), ir_c_value(p, op->value));
}

static void put_op(struct ir_c *p, const struct ir_op *op)
{
    int count = ir_c_open(p, ""), inner;
    inner = ir_c_open(p, gzt_format("if (%s)", ir_c_value(p, op->where)));
    if (op->kind == IR_READ) {
        const char *from = ir_c_memory(p, &op->access, op->result);
        gzt_add(p->text, "l%d_ = %s;\n", op->number, from);
    } else if (op->kind == IR_STORE) {
        put_store(p, op);
    } else if (op->kind == IR_COPY) {
        put_copy(p, op);
    } else if (op->kind == IR_OUTPUT) {
        need_all(p, op);
        if (op->result)
            gzt_add(p->text, "%s = ", ir_c_value(p, op->result));
        gzt_add(p->text, "%s;\n", ir_c_call(p, op->text, op->argument, op->arguments));
    } else if (op->kind == IR_LEAVE) {
        if (op->value)
            gzt_add(p->text, "g%d_ = %s;\n", op->number, ir_c_value(p, op->value));
        gzt_add(p->text, "left_ = %d;\n", op->number + 1);
    } else {
        put_opaque(p, op);
    }
    ir_c_close(p, inner);
    ir_c_close(p, count);
}

/* Phis get their arguments `at`, all at once. */
static void put_phis(struct ir_c *p, const struct ir_loop *loop, int at)
{
    int count = ir_c_open(p, "");
    for (int i = 0; i < loop->phis; i++)
        if (loop->phi[i]->a[at]->code != IR_UNDEF)
            gzt_add(p->text, "%s n%d_ = %s;\n", ir_c_type(loop->phi[i]), i,
                    ir_c_value(p, loop->phi[i]->a[at]));
    for (int i = 0; i < loop->phis; i++)
        if (loop->phi[i]->a[at]->code != IR_UNDEF)
            gzt_add(p->text, "x%d_ = n%d_;\n", loop->phi[i]->number, i);
    ir_c_close(p, count);
}

static void put_loop(struct ir_c *p, const struct ir_loop *loop);

static void put_block(struct ir_c *p, const struct ir_block *block)
{
    for (int i = 0; i < block->items; i++)
        if (block->item[i]->op)
            put_op(p, block->item[i]->op);
        else
            put_loop(p, block->item[i]->loop);
}

static void put_loop(struct ir_c *p, const struct ir_loop *loop)
{
    int count = ir_c_open(p, "");
    int entered = ir_c_open(p, gzt_format("if (%s)", ir_c_value(p, loop->where)));
    put_phis(p, loop, 0);
    int turn = ir_c_open(p, "for (;;)");
    put_block(p, &loop->head);
    int head = ir_c_open(p, "");
    gzt_add(p->text, "if (!%s) break;\n", ir_c_value(p, loop->holds));
    ir_c_close(p, head);
    put_block(p, &loop->body);
    put_phis(p, loop, 1);
    ir_c_close(p, turn);
    ir_c_close(p, entered);
    ir_c_close(p, count);
}

static void put_results(struct ir_c *p)
{
    const struct ir_region *ir = p->ir;
    int count = ir_c_open(p, "");
    for (int i = 0; i < ir->results; i++)
        gzt_add(p->text, "%s n%d_ = %s;\n", ir_c_type(ir->result[i].value), i,
                ir_c_value(p, ir->result[i].value));
    for (int i = 0; i < ir->results; i++)
        gzt_add(p->text, "*(%s *)%s = n%d_;\n", ir_c_type(ir->result[i].value),
                ir_c_value(p, ir->result[i].address), i);
    ir_c_close(p, count);
}

/* Where the region is left, once it has been left in all other ways. */
static void put_leaves(struct ir_c *p)
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
static void declare(struct ir_c *p)
{
    const struct ir_region *ir = p->ir;
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        if (is_saved(ir, v)) {
            ir_c_value(p, ir_is_bits(v->a[0]) ? v->a[0]->a[0] : v->a[0]);
            gzt_add(p->text, "%s x%d_ = %s;\n", ir_c_type(v), i, ir_c_found(p, v));
        } else if (v->code == IR_PHI || v->code == IR_RESULT || v->code == IR_UNDEF)
            gzt_add(p->text, "%s x%d_;\n", ir_c_type(v), i);
    }
    for (int i = 0; i < ir->ops; i++)
        if (ir->op[i]->kind == IR_LEAVE && ir->op[i]->value)
            gzt_add(p->text, "%s g%d_;\n", ir_c_type(ir->op[i]->value), i);
        else if (ir->op[i]->kind == IR_READ)
            gzt_add(p->text, "%s l%d_;\n", ir_c_type(ir->op[i]->result), i);
}

/* Storage, behind the region too, for variables that are declared in it or in functions. */
static void declare_storage(struct ir_c *p)
{
    const struct ir_region *ir = p->ir;
    for (int i = 0; i < ir->values; i++) {
        const struct ir_value *v = ir->value[i];
        if (v->code == IR_ADDRESS && v->decl && is_within(ir, v->decl, v->frame))
            gzt_add(p->text, "__typeof__(*(%s)0) %s;\n", ir_c_type(v),
                    variable(ir, v->decl, v->frame));
    }
}

static void put_region(struct gzt_text *text, struct gzt_source *source,
                       const struct gzt_region *region)
{
    const struct ir_region *ir = ir_lower(source, region);
    struct ir_c p = ir_c_begin(
        (struct ir_c){.ir = ir, .text = text, .prefix = "v", .have = have, .data = (void *)ir});
    const char *broken = ir_verify(ir);
    if (broken)
        fprintf(stderr, "%s\n", broken);
    gzt_add(text, "\n{\n");
    gzt_add(text, "int left_ = 0;\n");
    p.have = have_before;
    for (int i = 0; i < ir->sizes; i++)
        gzt_add(text, "const long " IR_SIZE_NAME " = %s;\n", i, ir_c_written(&p, ir->size[i]));
    p.have = have;
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
