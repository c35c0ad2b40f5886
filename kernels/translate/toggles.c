/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "toggles.h"

#include "emit.h"
#include "loops.h"

#include <string.h>

/* What variables hold while the statements of a time loop run: the toggle's value at its beginning,
 * or 1 less that. */
enum { OTHERWISE = -1, SAME, FLIPPED, MOST_HELD = 8 };
struct holders {
    const struct gzt_decl *decl[MOST_HELD];
    int value[MOST_HELD];
    int count;
};

static int held(const struct holders *holders, const struct gzt_decl *decl)
{
    for (int i = 0; i < holders->count; i++)
        if (holders->decl[i] == decl)
            return holders->value[i];
    return OTHERWISE;
}

static void hold(struct holders *holders, const struct gzt_decl *decl, int value)
{
    int i = 0;
    while (i < holders->count && holders->decl[i] != decl)
        i++;
    if (i == MOST_HELD)
        return;
    holders->decl[i] = decl;
    holders->value[i] = value;
    holders->count += i == holders->count;
}

static bool is_number(const struct gzt_node *node, long value)
{
    return node->constant && node->value == value;
}

static int flipped(int value)
{
    return value == OTHERWISE ? OTHERWISE : 1 - value;
}

static int value_of(const struct holders *holders, const struct gzt_node *node);

/* a + 1, modulo 2. */
static int next_value(const struct holders *holders, const struct gzt_node *sum)
{
    sum = gzt_bare(sum);
    if (!gzt_is_binary(sum, "+"))
        return OTHERWISE;
    return is_number(sum->child[1], 1)   ? flipped(value_of(holders, sum->child[0]))
           : is_number(sum->child[0], 1) ? flipped(value_of(holders, sum->child[1]))
                                         : OTHERWISE;
}

static int value_of(const struct holders *holders, const struct gzt_node *node)
{
    node = gzt_bare(node);
    if (node->kind == GZT_CAST && node->count == 1 && gzt_is_integer(node->type))
        return value_of(holders, node->child[0]);
    if (node->kind == GZT_REF)
        return held(holders, node->decl);
    if (node->kind == GZT_UNARY && strcmp(node->op, "!") == 0)
        return flipped(value_of(holders, node->child[0]));
    if (node->kind == GZT_TERNARY && is_number(node->child[1], 0) && is_number(node->child[2], 1))
        return flipped(value_of(holders, node->child[0]));
    if ((gzt_is_binary(node, "-") || gzt_is_binary(node, "^")) && is_number(node->child[0], 1))
        return flipped(value_of(holders, node->child[1]));
    if (gzt_is_binary(node, "^") && is_number(node->child[1], 1))
        return flipped(value_of(holders, node->child[0]));
    if ((gzt_is_binary(node, "%") && is_number(node->child[1], 2)) ||
        (gzt_is_binary(node, "&") && is_number(node->child[1], 1)))
        return next_value(holders, node->child[0]);
    return OTHERWISE;
}

/* The variable that a statement sets, and its new value; NULL if it sets none, or several. */
static const struct gzt_decl *set_by(const struct gzt_node *node, const struct holders *holders,
                                     int *value)
{
    const struct gzt_decl *decl = gzt_assigned(node);
    *value = OTHERWISE;
    if (decl && gzt_is_binary(node, "="))
        *value = value_of(holders, node->child[1]);
    else if (decl && gzt_is_binary(node, "^=") && is_number(node->child[1], 1))
        *value = flipped(held(holders, decl));
    if (node->kind != GZT_DECL || node->count != 1 || node->child[0]->count != 1)
        return decl;
    *value = value_of(holders, node->child[0]->child[0]);
    return node->child[0]->decl;
}

/* What variables hold behind a statement, the variables of a declaration one by one. */
static void hold_all(struct holders *holders, const struct gzt_node *node)
{
    int value;
    const struct gzt_decl *decl = set_by(node, holders, &value);
    if (decl)
        hold(holders, decl, value);
    for (int i = 0; i < node->count && node->kind == GZT_DECL && node->count > 1; i++)
        if (node->child[i]->count == 1)
            hold(holders, node->child[i]->decl, value_of(holders, node->child[i]->child[0]));
}

/* The statements of a time loop, `first` the one behind its sweeps; values follow from those from
 * `begin` on. */
struct statements {
    const struct gzt_node *time, **list;
    int count, first, begin;
};

/* Whether all that a loop does to a variable stands behind its sweeps. */
static bool is_set_behind(const struct statements *all, const struct gzt_decl *decl)
{
    int behind = 0;
    for (int i = all->first; i < all->count; i++)
        behind += gzt_assigned(all->list[i]) == decl;
    return behind == gzt_assignments(all->time->child[3], decl) && !gzt_holds(all->time, decl);
}

/* Whether nothing names a variable but the statements behind the sweeps by way of which the toggle
 * and its opposite change places. */
static bool is_aside(const struct gzt_program *program, const struct statements *all,
                     const struct gzt_decl *decl)
{
    const struct gzt_decl *const sets[] = {decl, program->toggle, program->opposite};
    bool used = false;
    for (int i = all->first; i < all->count; i++) {
        const struct holders none = {.count = 0};
        int value;
        const struct gzt_decl *set = set_by(all->list[i], &none, &value);
        bool turns = set && (set == sets[0] || set == sets[1] || set == sets[2]);
        used = used || (!turns && gzt_mentions(all->list[i], decl));
    }
    for (int i = 0; i < 3; i++)
        used = used || gzt_mentions(all->time->child[i], decl);
    for (int i = 0; i < all->first; i++)
        used = used || gzt_mentions(all->list[i], decl);
    for (int i = 0; i < program->look_count; i++)
        used = used || gzt_mentions(program->looks[i]->node, decl);
    return !used;
}

/* Notes the statements that set the toggle, its opposite, and a third variable by way of which they
 * change places. */
static void note_turns(struct gzt_program *program, const struct statements *all,
                       const struct holders *holders)
{
    for (int i = all->first; i < all->count; i++) {
        int value;
        const struct gzt_decl *decl = set_by(all->list[i], holders, &value);
        bool chooses = decl && (decl == program->toggle || decl == program->opposite);
        bool aside = decl && !chooses && program->opposite && held(holders, decl) != OTHERWISE &&
                     (!program->aside || program->aside == decl) && is_aside(program, all, decl);
        if (aside) {
            program->aside = decl;
            program->aside_flipped = held(holders, decl) == FLIPPED;
            program->aside_within = gzt_holds(all->time, decl);
        }
        if (chooses || aside)
            gzt_push(&program->turns, &program->turn_count, all->list[i]);
    }
}

/* Whether a loop makes 1 less itself of a variable and, if given, of another that is 1 less it. */
static bool take(struct gzt_program *program, const struct statements *all,
                 const struct gzt_decl *toggle, const struct gzt_decl *opposite)
{
    struct holders holders = {{toggle, opposite}, {SAME, FLIPPED}, opposite ? 2 : 1};
    if (!is_set_behind(all, toggle) || (opposite && !is_set_behind(all, opposite)))
        return false;
    for (int i = all->begin; i < all->count; i++)
        hold_all(&holders, all->list[i]);
    if (held(&holders, toggle) != FLIPPED || (opposite && held(&holders, opposite) != SAME))
        return false;
    program->toggle = toggle;
    program->opposite = opposite;
    note_turns(program, all, &holders);
    return true;
}

void gzt_take_toggle(struct gzt_program *program, const struct gzt_node *time)
{
    struct statements all = {.time = time};
    bool plain = !program->counts && !program->measure;
    gzt_statements(time->child[3], &all.list, &all.count);
    all.first = all.count;
    while (all.first > 0 && all.list[all.first - 1]->kind != GZT_FOR)
        all.first--;
    /* Of a time loop that counts in its own way, other statements may count. */
    all.begin = plain ? 0 : all.first;
    for (int alone = !plain; alone < 2; alone++)
        for (int i = all.first; i < all.count; i++)
            for (int k = all.first; k < all.count; k++) {
                const struct gzt_decl *toggle = gzt_assigned(all.list[i]);
                const struct gzt_decl *opposite = gzt_assigned(all.list[k]);
                bool fits = toggle && opposite && gzt_is_integer(toggle->type) &&
                            gzt_is_integer(opposite->type) && alone == (toggle == opposite);
                if (fits && take(program, &all, toggle, alone ? NULL : opposite))
                    return;
            }
}

bool gzt_is_turn(const struct gzt_program *program, const struct gzt_node *node)
{
    for (int i = 0; i < program->turn_count; i++)
        if (program->turns[i] == node)
            return true;
    return false;
}

void gzt_add_toggle_test(const struct gzt_program *program, struct gzt_text *text)
{
    const char *name = program->toggle->name, *stop = "gz_usable = GZ_STENCIL_OTHER_DOMAIN;\n";
    gzt_add(text, "if (%s != 0 && %s != 1)\n%s", name, name, stop);
    if (program->opposite)
        gzt_add(text, "if ((long)%s != 1 - (long)%s)\n%s", program->opposite->name, name, stop);
}
