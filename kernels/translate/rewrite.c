/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rewrite.h"

#include "locate.h"
#include "macros.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The first two words of a #pragma in the line at `at`; false if it is none. */
static bool is_pragma(const char *at, char first[16], char second[16])
{
    const char *line = gzt_copy(at, strcspn(at, "\n"));
    first[0] = second[0] = '\0';
    return sscanf(line, " # pragma %15s %15s", first, second) >= 1;
}

/* Where the directives begin that belong to the statement at `at`, such as unroll: those of the
 * lines before it. What gzc takes out stays where it is and, of a loop, OpenMP's regions do. */
static size_t with_directives(const struct gzt_text *file, size_t at, bool loop)
{
    for (;;) {
        size_t end = at, begin;
        char first[16], second[16];
        while (end > 0 && isspace((unsigned char)file->bytes[end - 1]))
            end--;
        for (begin = end; begin > 0 && file->bytes[begin - 1] != '\n';)
            begin--;
        if (!is_pragma(file->bytes + begin, first, second) || strcmp(first, "scop") == 0 ||
            strcmp(first, "gz") == 0 ||
            (loop && strcmp(first, "omp") == 0 && strcmp(second, "for") != 0) ||
            file->bytes[end - 1] == '\\')
            return at;
        at = begin;
    }
}

/* Appends a stretch of the file, without the directives of scop and gz, whose work is done; their
 * lines stay, empty. */
static void add_stretch(const struct gzt_text *file, size_t begin, size_t end,
                        struct gzt_text *text)
{
    for (size_t next; begin < end; begin = next) {
        const char *line = file->bytes + begin, *stop = memchr(line, '\n', end - begin);
        char first[16], second[16];
        next = stop ? (size_t)(stop - file->bytes) + 1 : end;
        if ((begin == 0 || line[-1] == '\n') && is_pragma(line, first, second) &&
            (strcmp(first, "scop") == 0 || strcmp(first, "endscop") == 0 ||
             (strcmp(first, "gz") == 0 && strncmp(second, "trapezoid", 9) == 0)))
            gzt_add(text, "\n");
        else
            gzt_add_bytes(text, line, next - begin);
    }
}

static void add_line_marker(struct gzt_place place, int line, struct gzt_text *text)
{
    gzt_add(text, "\n#line %d %s\n", line, gzt_quoted(place.file));
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

enum { DEEPEST = 60 };

/* How far in a line belongs that follows what was added. */
struct indent {
    const char *margin;      /* blanks before every line, before four for each step */
    int steps[DEEPEST];      /* of the lines within each open brace, the outermost first */
    int braces, parentheses; /* open ones */
    int more;                /* steps for what belongs to the statement before */
};

static int steps_within(const struct indent *indent)
{
    return indent->braces ? indent->steps[indent->braces - 1] : 0;
}

/* The quote that ends the literal which begins at `at`. */
static size_t end_of_literal(const char *line, size_t at)
{
    char quote = line[at++];
    while (line[at] && line[at] != quote)
        at += line[at] == '\\' && line[at + 1] ? 2 : 1;
    return line[at] ? at : at - 1;
}

/* Counts a line's brackets; what is within a brace is a step further in than the line. */
static void count_brackets(struct indent *indent, const char *line, int steps)
{
    for (size_t i = 0; line[i]; i++)
        if (line[i] == '"' || line[i] == '\'')
            i = end_of_literal(line, i);
        else if (line[i] == '(' || line[i] == ')')
            indent->parentheses += line[i] == '(' ? 1 : -1;
        else if (line[i] == '{' && indent->braces < DEEPEST)
            indent->steps[indent->braces++] = steps + 1;
        else if (line[i] == '}' && indent->braces > 0)
            indent->braces--;
}

static bool ends_statement(const char *line)
{
    return strchr(";{},", line[strlen(line) - 1]) != NULL;
}

static void add_line(struct gzt_text *text, struct indent *indent, const char *line)
{
    int steps = steps_within(indent) + (line[0] == '}' ? -1 : indent->more);

    if (indent->parentheses > 0)
        steps++;
    gzt_add(text, "%s%*s%s", indent->margin, 4 * steps, "", line);
    count_brackets(indent, line, steps);
    if (indent->parentheses == 0)
        indent->more = ends_statement(line) ? 0 : indent->more + 1;
}

/* The line at `*at` without blanks around it; `*at` is behind it then, NULL at the end. */
static const char *next_line(const char **at)
{
    const char *line = *at + strspn(*at, " ");
    size_t length = strcspn(line, "\n");

    *at = line[length] ? line + length + 1 : NULL;
    return gzt_copy(line, length);
}

/* Appends lines of C behind `margin`, each indented by the braces before it but those for the
 * preprocessor; the last may lack its end. A brace alone in a line joins the statement before, if
 * it belongs to that. */
static void add_indented(struct gzt_text *text, const char *margin, const char *lines)
{
    struct indent indent = {.margin = margin};
    while (lines && *lines) {
        const char *line = next_line(&lines);
        if (line[0] == '#' || line[0] == '\0') {
            gzt_add(text, "%s", line);
        } else {
            bool opens = lines && strncmp(lines + strspn(lines, " "), "{\n", 2) == 0;
            if (opens && !ends_statement(line)) {
                line = gzt_format("%s {", line);
                next_line(&lines);
            }
            add_line(text, &indent, line);
        }
        gzt_add(text, lines ? "\n" : "");
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
    add_line_marker(place, place.line, text);
}

/* A loop with a call at the head of its body, which becomes a block within another. */
static int add_call_within(struct gzt_source *source, const struct gzt_text *file,
                           const struct gzt_call *call, size_t begin, struct gzt_text *text)
{
    const struct gzt_extent *loop = &call->loop, *body = &call->body;
    const char *margin = margin_of(file, loop->begin);
    size_t first = with_directives(file, body->begin, false);
    const char *name =
        gzt_own_macro(source, file->length - begin,
                      gzt_format("%s%s%s", call->before, call->within, call->behind));
    if (name)
        return gzt_refuse(source, call->offset,
                          "%s, which the loop names without its being replaced, is a macro, too: "
                          "must have one meaning",
                          name);
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
    return 0;
}

const char *gzt_insert(struct gzt_source *source, struct gzt_call *const *calls, int count,
                       const char *functions, int *refused)
{
    struct gzt_text text = {0}, file = {0};
    size_t at = 0;

    *refused = -1;
    if (gzt_add_file(&file, source->path) != 0) {
        gzt_refuse(source, 0, "%s", strerror(errno));
        return NULL;
    }
    if (gzt_locate(source, &file, calls, count, refused) != 0)
        return NULL;
    gzt_add(&text, "%s%s%s%s#line 1 %s\n", gzt_macro_check(source),
            source->contract ? "" : no_contraction, headers, functions, gzt_quoted(source->path));
    for (int i = 0; i < count; i++) {
        size_t begin = with_directives(&file, calls[i]->loop.begin, true);
        add_stretch(&file, at, begin, &text);
        if (add_call_within(source, &file, calls[i], begin, &text) != 0) {
            *refused = i;
            return NULL;
        }
        at = calls[i]->loop.end;
    }
    add_stretch(&file, at, file.length, &text);
    return gzt_string(&text);
}
