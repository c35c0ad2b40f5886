/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rewrite.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Where the directives begin that belong to the statement at `at`, such as unroll: those of the
 * lines before it, but of a loop OpenMP's regions. */
static size_t with_directives(const struct gzt_text *file, size_t at, bool loop)
{
    for (;;) {
        size_t end = at, begin;
        char first[16] = "", second[16] = "";
        while (end > 0 && isspace((unsigned char)file->bytes[end - 1]))
            end--;
        for (begin = end; begin > 0 && file->bytes[begin - 1] != '\n';)
            begin--;
        const char *line = gzt_copy(file->bytes + begin, end - begin);
        if (sscanf(line, " # pragma %15s %15s", first, second) < 1 ||
            (loop && strcmp(first, "omp") == 0 && strcmp(second, "for") != 0) ||
            line[end - begin - 1] == '\\')
            return at;
        at = begin;
    }
}

static void add_stretch(const struct gzt_text *file, size_t begin, size_t end,
                        struct gzt_text *text)
{
    if (begin < end)
        gzt_add_bytes(text, file->bytes + begin, end - begin);
}

static int lines_between(const struct gzt_text *file, size_t begin, size_t end)
{
    int lines = 0;
    for (size_t i = begin; i < end; i++)
        lines += file->bytes[i] == '\n';
    return lines;
}

/* The blanks before the line at `at`. */
static const char *margin_of(const struct gzt_text *file, size_t at)
{
    while (at > 0 && file->bytes[at - 1] != '\n')
        at--;
    return gzt_copy(file->bytes + at, strspn(file->bytes + at, " \t"));
}

/* What stays of the loops on the host rounds as C says, whatever the compiler's flags. */
static const char *const no_contraction = "#if defined __clang__\n"
                                          "#pragma STDC FP_CONTRACT OFF\n"
                                          "#elif defined __GNUC__\n"
                                          "#pragma GCC optimize (\"fp-contract=off\")\n"
                                          "#endif\n";
static const char *const headers = "#include <gzstencil.h>\n"
                                   "#ifdef _OPENMP\n#include <omp.h>\n#endif\n";

/* -------------------------------------------------------------------------------- indentation */

/* Appends lines of C behind `margin`, each a step further in than the line that has opened the
 * brace around it, or than the line before, if it belongs to that; not those for the preprocessor.
 * The last may lack its end. */
static void add_indented(struct gzt_text *text, const char *margin, const char *lines)
{
    enum { DEEPEST = 60 };
    int inside[DEEPEST + 1] = {0}, braces = 0, before = 0;
    bool goes_on = false;
    for (const char *end; lines && *lines; lines = end) {
        const char *line = lines + strspn(lines, " ");
        int length = (int)strcspn(line, "\n");
        int steps = goes_on ? before + (*line != '{') : inside[braces] - (*line == '}');
        end = line[length] ? line + length + 1 : NULL;
        if (strchr("#\n", *line)) {
            gzt_add(text, "%.*s%s", length, line, end ? "\n" : "");
            continue;
        }
        for (int i = 0; i < length && *line != '"'; i++)
            if (line[i] == '{' && braces < DEEPEST)
                inside[++braces] = steps + 1;
            else if (line[i] == '}' && braces > 0)
                braces--;
        gzt_add(text, "%s%*s%.*s%s", margin, 4 * steps, "", length, line, end ? "\n" : "");
        goes_on = strchr(";{},", line[length - 1]) == NULL;
        before = steps;
    }
}

/* ------------------------------------------------------------------------------------ the calls */

/* Begins the line before, puts a text there, and goes on where the user's does. */
static void put_lines(const char *margin, const char *lines, struct gzt_place place,
                      struct gzt_text *text)
{
    while (text->length > 0 && strchr(" \t", text->bytes[text->length - 1]))
        text->bytes[--text->length] = '\0';
    if (text->length > 0 && text->bytes[text->length - 1] != '\n')
        gzt_add(text, "\n");
    add_indented(text, margin, lines);
    gzt_add(text, "\n#line %d %s\n", place.line, gzt_quoted(place.file));
}

/* A loop, from its directives on, with a call at the head of its body, which becomes a block within
 * another. */
static void add_call_within(const struct gzt_text *file, const struct gzt_call *call, size_t begin,
                            struct gzt_text *text)
{
    const struct gzt_extent *loop = &call->loop, *body = &call->body;
    const char *margin = margin_of(file, loop->begin);
    size_t first = with_directives(file, body->begin, false);
    struct gzt_place head = loop->first;
    head.line -= lines_between(file, begin, loop->begin);
    put_lines(margin, call->before, head, text);
    gzt_add(text, "%s", begin == loop->begin ? margin : "");
    add_stretch(file, begin, first, text);
    struct gzt_place start = body->first;
    start.line -= lines_between(file, first, body->begin);
    put_lines(margin, gzt_format("{\n%s\n{", call->within), start, text);
    add_stretch(file, first, body->end, text);
    put_lines(margin, "}\n}", body->last, text);
    add_stretch(file, body->end, loop->end, text);
    put_lines(margin, call->behind, loop->last, text);
}

/* Why a call cannot stand in the file; NULL if it can. */
static const char *check_call(const struct gzt_source *source, const struct gzt_text *file,
                              const struct gzt_call *call)
{
    if (call->refusal)
        return call->refusal;
    const char *text = gzt_format("%s%s%s", call->before, call->within, call->behind);
    const char *name = gzt_own_macro(source, file->length - call->loop.begin, text);
    return name ? gzt_format("%s, which the loop names without its being replaced, is a macro, "
                             "too: must have one meaning",
                             name)
                : NULL;
}

const char *gzt_insert(struct gzt_source *source, struct gzt_call *const *calls, int count,
                       const char *functions, bool keep_going)
{
    struct gzt_text text = {0}, file = {0};
    size_t at = 0;

    if (gzt_add_file(&file, source->path) != 0)
        gzt_refuse(source, 0, "%s", strerror(errno));
    else
        gzt_locate(source, &file, calls, count);
    gzt_add(&text, "%s%s%s%s#line 1 %s\n", gzt_macro_check(source),
            source->contract ? "" : no_contraction, headers, functions, gzt_quoted(source->path));
    for (int i = 0; i < count && !source->failed; i++) {
        const char *why = check_call(source, &file, calls[i]);
        if (why) {
            gzt_refuse(source, calls[i]->offset, "%s", why);
            if (keep_going)
                gzt_say(source);
            continue;
        }
        size_t begin = with_directives(&file, calls[i]->loop.begin, true);
        add_stretch(&file, at, begin, &text);
        add_call_within(&file, calls[i], begin, &text);
        at = calls[i]->loop.end;
    }
    add_stretch(&file, at, file.length, &text);
    return source->failed ? NULL : gzt_string(&text);
}
