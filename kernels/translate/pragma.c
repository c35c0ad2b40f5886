/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pragma.c - finds `#pragma scop` and `#pragma gz trapezoid` and reads what they state.
 */
#include "region.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A directive being read. */
struct cursor {
    struct gzt_source *source;
    int at, end;
};

static char peek(struct cursor *cursor)
{
    while (cursor->at < cursor->end && isspace((unsigned char)cursor->source->text[cursor->at]))
        cursor->at++;
    return cursor->at < cursor->end ? cursor->source->text[cursor->at] : '\0';
}

static bool accept(struct cursor *cursor, char c)
{
    if (peek(cursor) != c)
        return false;
    cursor->at++;
    return true;
}

static const char *read_word(struct cursor *cursor)
{
    peek(cursor);
    int begin = cursor->at;
    while (cursor->at < cursor->end && (isalnum((unsigned char)cursor->source->text[cursor->at]) ||
                                        strchr("_-", cursor->source->text[cursor->at])))
        cursor->at++;
    return gzt_copy(cursor->source->text + begin, (size_t)(cursor->at - begin));
}

static int read_number(struct cursor *cursor, int *number)
{
    peek(cursor);
    const char *begin = cursor->source->text + cursor->at;
    char *end;
    long value = strtol(begin, &end, 10);
    if (end == begin || end > cursor->source->text + cursor->end || labs(value) > 100000)
        return gzt_refuse(cursor->source, cursor->at, "a whole number is expected here");
    cursor->at = (int)(end - cursor->source->text);
    *number = (int)value;
    return 0;
}

static int expect(struct cursor *cursor, char c, const char *why)
{
    return accept(cursor, c) ? 0 : gzt_refuse(cursor->source, cursor->at, "%s", why);
}

static int read_gather(struct cursor *cursor, struct gzt_annotation *annotation)
{
    do {
        if (annotation->gathers == GZT_AXES)
            return gzt_refuse(cursor->source, cursor->at, "gather has at most %d ranges", GZT_AXES);
        int *range = annotation->gather[annotation->gathers++];
        if (read_number(cursor, &range[0]) != 0 ||
            expect(cursor, ':', "a range is LOW:HIGH, for example gather(-1:1)") != 0 ||
            read_number(cursor, &range[1]) != 0)
            return -1;
    } while (accept(cursor, ','));
    return 0;
}

static int read_names(struct cursor *cursor, struct gzt_annotation *annotation)
{
    do {
        const char *name = read_word(cursor);
        if (name[0] == '\0')
            return gzt_refuse(cursor->source, cursor->at, "the name of an array is expected here");
        gzt_push(&annotation->live_out, &annotation->live_outs, name);
    } while (accept(cursor, ','));
    return 0;
}

/* height(4) obj(B) dimension(2) gather(-1:1, -1:1) live-out(A), in any order. */
static int read_clause(struct cursor *cursor, struct gzt_annotation *annotation)
{
    int begin = (peek(cursor), cursor->at), status = 0;
    const char *name = read_word(cursor), *clause = accept(cursor, '(') ? name : "";

    if (strcmp(clause, "height") == 0)
        status = read_number(cursor, &annotation->height) != 0 ? -1
                 : annotation->height < 1
                     ? gzt_refuse(cursor->source, begin, "height(%d): a height is at least 1",
                                  annotation->height)
                     : 0;
    else if (strcmp(clause, "dimension") == 0)
        status = read_number(cursor, &annotation->dimension);
    else if (strcmp(clause, "gather") == 0)
        status = read_gather(cursor, annotation);
    else if (strcmp(clause, "live-out") == 0)
        status = read_names(cursor, annotation);
    else if (strcmp(clause, "obj") == 0)
        annotation->object = read_word(cursor);
    else
        status = gzt_refuse(cursor->source, begin,
                            "\"%s\" is not a clause: must be height(N), obj(NAME), dimension(N), "
                            "gather(LOW:HIGH, ...) or live-out(NAME, ...)",
                            name);
    return status != 0 ? status : expect(cursor, ')', "\")\" is expected here");
}

/* Finds the statements of a region, the children of the innermost block around them; their ends
 * become the region's. */
static void find_statements(struct gzt_region *region)
{
    GZT_EACH (node, gzt_function_around(region->tree, region->begin)) {
        struct gzt_node **list = NULL;
        int count = 0;
        if (node->begin >= region->begin || node->end <= region->begin) {
            node = node->last;
            continue;
        }
        for (int i = 0; i < node->count && node->kind == GZT_BLOCK; i++)
            if (node->child[i]->begin >= region->begin && node->child[i]->begin < region->end &&
                node->child[i]->kind != GZT_EMPTY)
                gzt_push(&list, &count, node->child[i]);
        if (count > 0) {
            region->statements = list;
            region->statement_count = count;
        }
    }
    int last = region->statement_count - 1;
    region->end = last < 0 ? region->begin : region->statements[last]->end;
    region->begin = last < 0 ? region->begin : region->statements[0]->begin;
}

struct search {
    struct gzt_source *source;
    const struct gzt_tree *tree;
    struct gzt_region **regions;
    int count;
    struct gzt_region *open; /* a scop that has not ended */
};

static struct gzt_region *begin_region(struct search *search, int line, int end)
{
    struct gzt_region *region = gzt_alloc(sizeof *region);
    region->directive = line;
    region->begin = end;
    region->end = search->source->length;
    region->tree = search->tree;
    return region;
}

/* A trapezoid's annotation is for the statement behind it, or for the scop around it. */
static int take_trapezoid(struct search *search, struct cursor *cursor, int line)
{
    struct gzt_region *region =
        search->open ? search->open : begin_region(search, line, cursor->end);
    while (peek(cursor) != '\0')
        if (read_clause(cursor, &region->annotation) != 0)
            return -1;
    if (search->open)
        return 0;
    GZT_EACH (node, gzt_function_around(region->tree, region->begin))
        if (node->begin >= region->begin && region->statement_count == 0)
            gzt_push(&region->statements, &region->statement_count, (struct gzt_node *)node);
    if (region->statement_count == 0)
        return gzt_refuse(search->source, line, "no loop follows #pragma gz trapezoid");
    region->begin = region->statements[0]->begin;
    region->end = region->statements[0]->end;
    gzt_push(&search->regions, &search->count, region);
    return 0;
}

static int take_line(struct search *search, int line, int end)
{
    struct cursor cursor = {search->source, line, end};
    if (!accept(&cursor, '#') || strcmp(read_word(&cursor), "pragma") != 0)
        return 0;
    const char *word = read_word(&cursor);
    if (strcmp(word, "gz") == 0 && strcmp(read_word(&cursor), "trapezoid") == 0)
        return take_trapezoid(search, &cursor, line);
    if (strcmp(word, "STDC") == 0 && strcmp(read_word(&cursor), "FENV_ACCESS") == 0 &&
        strcmp(read_word(&cursor), "ON") == 0)
        return gzt_refuse(search->source, line, "no device sets C's flags of arithmetic");
    if (strcmp(word, "omp") == 0 && strcmp(read_word(&cursor), "declare") == 0 &&
        strcmp(read_word(&cursor), "variant") == 0)
        return gzt_refuse(search->source, line, "OpenMP chooses among functions here");
    if (strcmp(word, "scop") == 0) {
        if (search->open)
            return gzt_refuse(search->source, line, "#pragma scop within another #pragma scop");
        search->open = begin_region(search, line, end);
    } else if (strcmp(word, "endscop") == 0) {
        if (!search->open)
            return gzt_refuse(search->source, line, "#pragma endscop without a #pragma scop");
        search->open->end = line;
        find_statements(search->open);
        gzt_push(&search->regions, &search->count, search->open);
        search->open = NULL;
    }
    return 0;
}

int gzt_find_regions(struct gzt_source *source, const struct gzt_tree *tree,
                     struct gzt_region ***regions, int *count)
{
    struct search search = {.source = source, .tree = tree};

    for (int line = 0; line < source->length;) {
        const char *stop = memchr(source->text + line, '\n', (size_t)(source->length - line));
        int end = stop ? (int)(stop - source->text) : source->length;
        if (take_line(&search, line, end) != 0)
            return -1;
        line = end + 1;
    }
    if (search.open)
        return gzt_refuse(source, search.open->directive, "#pragma scop without a #pragma endscop");
    if (search.count == 0)
        return gzt_refuse(source, source->length, "no #pragma scop and no #pragma gz trapezoid");
    *regions = search.regions;
    *count = search.count;
    return 0;
}
