/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.c - the user's file with calls of libgzstencil in place of the loops.
 */
#include "emit.h"
#include "hoist.h"
#include "indent.h"
#include "locate.h"
#include "macros.h"
#include "replace.h"
#include "system_call.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The user's file as it stands. */
struct file {
    const char *path, *text;
    size_t length;
};

static int read_file(struct gzt_source *source, struct file *file)
{
    struct gzt_text text = {0};
    if (gzt_add_file(&text, source->path) != 0)
        return gzt_refuse(source, 0, "%s", strerror(errno));
    *file = (struct file){source->path, gzt_string(&text), text.length};
    return 0;
}

/* Where the directives begin that belong to the statement at `at`, such as unroll: those of the
 * lines before it. What gzc takes out stays where it is and, of a loop, OpenMP's regions do. */
static size_t with_directives(const struct file *file, size_t at, bool loop)
{
    for (;;) {
        size_t end = at, begin;
        char first[16] = "", second[16] = "";
        while (end > 0 && isspace((unsigned char)file->text[end - 1]))
            end--;
        for (begin = end; begin > 0 && file->text[begin - 1] != '\n';)
            begin--;
        if (sscanf(file->text + begin, " # pragma %15s %15s", first, second) < 1 ||
            strcmp(first, "scop") == 0 || strcmp(first, "gz") == 0 ||
            (loop && strcmp(first, "omp") == 0 && strcmp(second, "for") != 0) ||
            file->text[end - 1] == '\\')
            return at;
        at = begin;
    }
}

/* Appends a stretch of the file, without the directives of scop and gz, whose work is done; their
 * lines stay, empty. */
static void add_stretch(const struct file *file, size_t begin, size_t end, struct gzt_text *text)
{
    while (begin < end) {
        const char *stop = memchr(file->text + begin, '\n', end - begin);
        size_t next = stop ? (size_t)(stop - file->text) + 1 : end;
        const char *line = gzt_copy(file->text + begin, next - begin);
        char first[16] = "", second[16] = "";
        bool fresh = begin == 0 || file->text[begin - 1] == '\n';
        if (fresh && sscanf(line, " # pragma %15s %15s", first, second) >= 1 &&
            (strcmp(first, "scop") == 0 || strcmp(first, "endscop") == 0 ||
             (strcmp(first, "gz") == 0 && strncmp(second, "trapezoid", 9) == 0)))
            gzt_add(text, "\n");
        else
            gzt_add_bytes(text, file->text + begin, next - begin);
        begin = next;
    }
}

static void add_line_marker(struct gzt_place place, int line, struct gzt_text *text)
{
    gzt_add(text, "\n#line %d %s\n", line, gzt_quoted(place.file));
}

static int lines_between(const struct file *file, size_t begin, size_t end)
{
    int lines = 0;
    for (size_t i = begin; i < end; i++)
        lines += file->text[i] == '\n';
    return lines;
}

/* Text that is put into the file's. */
struct insertion {
    size_t at;
    const char *text;
};
enum { INSERTIONS = 4 };

/* Where a loop's head begins and ends, which must stand at `at` with nothing in it that hides what
 * is code. */
static bool find_head(const struct file *file, size_t at, const char *word, size_t *begin,
                      size_t *end)
{
    int depth = 0;
    if (strncmp(file->text + at, word, strlen(word)) != 0)
        return false;
    at += strlen(word);
    at += strspn(file->text + at, " \t\n");
    *begin = at + 1;
    for (; at < file->length && !strchr("\"'#\\{}", file->text[at]); at++) {
        bool comment = file->text[at] == '/' && strchr("/*", file->text[at + 1]);
        depth += (file->text[at] == '(') - (file->text[at] == ')');
        *end = at;
        if (comment || depth <= 0)
            return !comment && depth == 0 && at >= *begin;
    }
    return false;
}

/* The first of these characters outside parentheses from `at` on; `end` if there is none. */
static size_t find_char(const struct file *file, size_t at, size_t end, const char *any)
{
    for (int depth = 0; at < end; at++) {
        char c = file->text[at];
        if (depth == 0 && strchr(any, c))
            return at;
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    return end;
}

/* What makes a condition ask whether to go on first. */
static bool ask_first(const struct file *file, int levels, size_t begin, size_t end,
                      struct insertion *put)
{
    if (begin + strspn(file->text + begin, " \t\n") >= end)
        return false;
    put[0] = (struct insertion){
        begin, gzt_format("%sgz_stencil_go(gz_run, %d) && (",
                          isspace((unsigned char)file->text[begin]) ? " " : "", levels)};
    put[1] = (struct insertion){end, ")"};
    return true;
}

/* Makes a loop over numbers begin behind those that are done, too. */
static int stop_for(const struct file *file, int levels, size_t at, struct insertion *put)
{
    size_t begin, end;
    if (!find_head(file, at, "for", &begin, &end))
        return 0;
    size_t first = find_char(file, begin, end, ";"), second = find_char(file, first + 1, end, ";");
    size_t set = find_char(file, begin, first, "=");
    if (second >= end || set >= first || find_char(file, begin, first, ",") < first)
        return 0;
    put[0] = (struct insertion){set + 1, " ("};
    put[1] = (struct insertion){first, ") + gz_past"};
    return ask_first(file, levels, first + 1, second, put + 2) ? 4 : 0;
}

/* Makes the original loops ask whether to go on, if what they do next is told by what they left: of
 * a time loop over numbers, and of while. */
static int stop_loops(const struct gzt_program *program, const struct file *file, size_t at,
                      struct insertion *put)
{
    size_t begin, end;
    if (gzt_keeps_time(program))
        return 0;
    if (!program->counts && !program->measure)
        return stop_for(file, gzt_levels(program), at, put);
    return find_head(file, at, "while", &begin, &end) &&
                   ask_first(file, gzt_levels(program), begin, end, put)
               ? 2
               : 0;
}

/* Ends a part before the directives that belong to the statement behind it. */
static void leave_directives(const struct file *file, struct gzt_extent *part)
{
    size_t end = with_directives(file, part->end, false);
    part->last.line -= lines_between(file, end, part->end);
    part->end = end;
}

/* The blanks before the line at `at`. */
static const char *margin_of(const struct file *file, size_t at)
{
    while (at > 0 && file->text[at - 1] != '\n')
        at--;
    return gzt_copy(file->text + at, strspn(file->text + at, " \t"));
}

/* What stands before and behind the original loop, in a block of its own and without the warnings
 * that the user's flags ask for. */
static int add_call(struct gzt_program *program, struct gzt_text *call, struct gzt_text *end)
{
    gzt_add(call, "{\nGZ_STENCIL_QUIET\n");
    if ((program->system ? gzt_add_system_call : gzt_add_call)(program, call) != 0)
        return -1;
    gzt_add(call, "\nGZ_STENCIL_LOUD");
    gzt_add(end, "GZ_STENCIL_QUIET\n");
    (program->system ? gzt_add_system_end : gzt_add_end)(program, end);
    gzt_add(end, "GZ_STENCIL_LOUD\n}");
    return 0;
}

/* The call, with the original loop and its directives in it, which begin at `begin`. */
static int add_part(const struct gzt_source *source, const struct file *file,
                    struct gzt_program *program, const struct gzt_extent *loop, size_t begin,
                    struct gzt_text *text)
{
    struct gzt_text call = {0}, end = {0};
    struct insertion put[INSERTIONS];
    size_t at = loop->begin + strspn(file->text + loop->begin, " \t\n");
    int puts = stop_loops(program, file, at, put);
    program->stops = puts > 0;
    if (add_call(program, &call, &end) != 0)
        return -1;
    const char *name = gzt_own_macro(source, file->length - begin,
                                     gzt_format("%s%s", gzt_string(&call), gzt_string(&end)));
    if (name)
        return gzt_refuse(program->source, program->time.node->begin,
                          "%s, which the loop names without its being replaced, is a macro, too: "
                          "must have one meaning",
                          name);
    struct gzt_indent indent = {.margin = margin_of(file, at)};
    while (text->length > 0 && strchr(" \t", text->bytes[text->length - 1]))
        text->bytes[--text->length] = '\0';
    if (text->length > 0 && text->bytes[text->length - 1] != '\n')
        gzt_add(text, "\n");
    gzt_add_indented(text, &indent, gzt_hoisted(gzt_string(&call)));
    add_line_marker(loop->first, loop->first.line - lines_between(file, begin, loop->begin), text);
    gzt_add(text, "%s", begin == at ? indent.margin : "");
    for (int i = 0; i < puts; begin = put[i++].at) {
        add_stretch(file, begin, put[i].at, text);
        gzt_add(text, "%s", put[i].text);
    }
    add_stretch(file, begin, loop->end, text);
    gzt_add(text, "\n");
    gzt_add_indented(text, &indent, gzt_hoisted(gzt_string(&end)));
    add_line_marker(loop->last, loop->last.line, text);
    if (loop->inner && file->text[loop->end] != '\n')
        gzt_add(text, "%s", margin_of(file, loop->end));
    return 0;
}

/* What stays of the loops on the host rounds as C says, whatever the compiler's flags. */
static const char *const no_contraction = "#if defined __clang__\n"
                                          "#pragma STDC FP_CONTRACT OFF\n"
                                          "#elif defined __GNUC__\n"
                                          "#pragma GCC optimize (\"fp-contract=off\")\n"
                                          "#endif\n";
static const char *const headers = "#include <gzstencil.h>\n"
                                   "#ifdef _OPENMP\n#include <omp.h>\n#endif\n";

/* Something that stands before or behind what is replaced. */
static void bound_part(const struct gzt_program *program, const struct gzt_node *node,
                       enum gzt_position position, struct gzt_extent *extent)
{
    int offset = gzt_first_offset(program->source, node->begin);
    if (position == GZT_BEHIND && (!extent->until || offset < extent->until))
        extent->until = offset;
    if (position == GZT_BEFORE && offset > extent->after)
        extent->after = offset;
}

/* With ifs beside the sweeps, what stands between these. */
static void set_part(const struct gzt_program *program, struct gzt_extent *extent)
{
    const struct gzt_counts *counts = program->counts;
    extent->inner = gzt_keeps_time(program);
    for (int i = 0; i < program->look_count; i++)
        bound_part(program, program->looks[i]->node, program->looks[i]->position, extent);
    for (int i = 0; counts && extent->inner && i < counts->count; i++)
        bound_part(program, counts->statement[i], i < counts->ahead ? GZT_BEFORE : GZT_BEHIND,
                   extent);
}

const char *gzt_rewrite(struct gzt_source *source, struct gzt_program *programs, int count)
{
    struct gzt_text text = {0};
    struct gzt_extent **loops = NULL;
    struct file file = {0};
    size_t at = 0;
    int loop_count = 0;

    for (int i = 0; i < count; i++) {
        struct gzt_extent *loop = gzt_alloc(sizeof *loop);
        loop->offset = gzt_first_offset(programs[i].source, programs[i].time.node->begin);
        set_part(&programs[i], loop);
        gzt_push(&loops, &loop_count, loop);
    }
    if (read_file(source, &file) != 0 ||
        gzt_locate(source, file.text, file.length, loops, count) != 0)
        return NULL;
    gzt_add(&text, "%s%s%s#line 1 %s\n", gzt_macro_check(source),
            source->contract ? "" : no_contraction, headers, gzt_quoted(file.path));
    for (int i = 0; i < count; i++) {
        if (loops[i]->until)
            leave_directives(&file, loops[i]);
        size_t begin =
            loops[i]->inner ? loops[i]->begin : with_directives(&file, loops[i]->begin, true);
        add_stretch(&file, at, begin, &text);
        if (add_part(source, &file, &programs[i], loops[i], begin, &text) != 0)
            return NULL;
        at = loops[i]->end;
    }
    add_stretch(&file, at, file.length, &text);
    return gzt_string(&text);
}

/* ------------------------------------------------------------------------------------- calls */

static struct gzt_extent *extent_of(int offset, bool inner)
{
    struct gzt_extent *extent = gzt_alloc(sizeof *extent);
    extent->offset = offset;
    extent->inner = inner;
    return extent;
}

/* Begins the line before, puts a text there, and goes on where the user's does. */
static void put_lines(const char *margin, const char *lines, struct gzt_place place,
                      struct gzt_text *text)
{
    struct gzt_indent indent = {.margin = margin};
    while (text->length > 0 && strchr(" \t", text->bytes[text->length - 1]))
        text->bytes[--text->length] = '\0';
    if (text->length > 0 && text->bytes[text->length - 1] != '\n')
        gzt_add(text, "\n");
    gzt_add_indented(text, &indent, gzt_hoisted(lines));
    add_line_marker(place, place.line, text);
}

/* A loop with a call at the head of its body, which becomes a block within another. */
static int add_call_within(struct gzt_source *source, const struct file *file,
                           const struct gzt_call *call, const struct gzt_extent *loop,
                           struct gzt_extent *body, size_t begin, struct gzt_text *text)
{
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

const char *gzt_insert(struct gzt_source *source, const struct gzt_call *calls, int count,
                       const char *functions)
{
    struct gzt_text text = {0};
    struct gzt_extent **extents = NULL;
    struct file file = {0};
    size_t at = 0;
    int extent_count = 0;

    for (int i = 0; i < 2 * count; i++)
        gzt_push(&extents, &extent_count,
                 extent_of(gzt_first_offset(source, calls[i / 2].offset), i % 2));
    if (read_file(source, &file) != 0 ||
        gzt_locate(source, file.text, file.length, extents, extent_count) != 0)
        return NULL;
    gzt_add(&text, "%s%s%s%s#line 1 %s\n", gzt_macro_check(source),
            source->contract ? "" : no_contraction, headers, functions, gzt_quoted(file.path));
    for (int i = 0; i < count; i++) {
        size_t begin = with_directives(&file, extents[2 * i]->begin, true);
        add_stretch(&file, at, begin, &text);
        if (add_call_within(source, &file, &calls[i], extents[2 * i], extents[2 * i + 1], begin,
                            &text) != 0)
            return NULL;
        at = extents[2 * i]->end;
    }
    add_stretch(&file, at, file.length, &text);
    return gzt_string(&text);
}
