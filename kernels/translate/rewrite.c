/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.c - the user's file with calls of libgzstencil in place of the loops.
 */
#include "emit.h"
#include "replace.h"

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
    char bytes[65536];
    size_t count;
    FILE *stream = fopen(source->path, "r");

    if (!stream)
        return gzt_refuse(source, 0, "%s", strerror(errno));
    while ((count = fread(bytes, 1, sizeof bytes, stream)) > 0)
        gzt_add_bytes(&text, bytes, count);
    fclose(stream);
    *file = (struct file){source->path, gzt_string(&text), text.length};
    return 0;
}

/* Where a line begins. */
static size_t line_start(const struct file *file, int line)
{
    size_t at = 0;
    for (int i = 1; i < line && at < file->length; i++) {
        const char *end = memchr(file->text + at, '\n', file->length - at);
        at = end ? (size_t)(end - file->text) + 1 : file->length;
    }
    return at;
}

static int line_of(const struct file *file, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at && i < file->length; i++)
        line += file->text[i] == '\n';
    return line;
}

/* Behind a comment, a literal or a single character, whichever begins at `at`. */
static size_t skip_token(const struct file *file, size_t at)
{
    const char *t = file->text;
    size_t n = file->length;

    if (t[at] == '/' && at + 1 < n && t[at + 1] == '/') {
        while (at < n && t[at] != '\n')
            at++;
        return at;
    }
    if (t[at] == '/' && at + 1 < n && t[at + 1] == '*') {
        for (at += 2; at + 1 < n && !(t[at] == '*' && t[at + 1] == '/');)
            at++;
        return at + 2;
    }
    if (t[at] == '"' || t[at] == '\'') {
        char quote = t[at++];
        while (at < n && t[at] != quote)
            at += t[at] == '\\' ? 2 : 1;
        return at + 1;
    }
    if (t[at] == '#' && (at == 0 || t[at - 1] == '\n')) {
        while (at < n && t[at] != '\n')
            at++;
        return at;
    }
    return at + 1;
}

/* Behind the bracket that closes the one at `at`. */
static size_t skip_brackets(const struct file *file, size_t at)
{
    int depth = 0;
    while (at < file->length) {
        char c = file->text[at];
        size_t next = skip_token(file, at);
        if (next == at + 1) {
            depth += c == '(' || c == '{' || c == '[';
            depth -= c == ')' || c == '}' || c == ']';
            if (depth == 0 && (c == ')' || c == '}' || c == ']'))
                return next;
        }
        at = next;
    }
    return at;
}

static size_t skip_space(const struct file *file, size_t at)
{
    while (at < file->length) {
        char c = file->text[at];
        size_t next = skip_token(file, at);
        if (!isspace((unsigned char)c) && next == at + 1)
            return at;
        at = next;
    }
    return at;
}

static bool is_word(const struct file *file, size_t at, const char *word)
{
    size_t length = strlen(word);
    return at + length < file->length && strncmp(file->text + at, word, length) == 0 &&
           !isalnum((unsigned char)file->text[at + length]) && file->text[at + length] != '_' &&
           (at == 0 || (!isalnum((unsigned char)file->text[at - 1]) && file->text[at - 1] != '_'));
}

/* Behind a statement: a block, a loop with its body, an if, or anything up to a semicolon. */
static size_t skip_statement(const struct file *file, size_t at)
{
    at = skip_space(file, at);
    if (at >= file->length)
        return at;
    if (file->text[at] == '{')
        return skip_brackets(file, at);
    if (is_word(file, at, "for") || is_word(file, at, "if") || is_word(file, at, "while")) {
        bool choice = is_word(file, at, "if");
        at = skip_space(file, at + (choice ? 2 : is_word(file, at, "for") ? 3 : 5));
        at = skip_statement(file, skip_brackets(file, at));
        size_t next = skip_space(file, at);
        return choice && is_word(file, next, "else") ? skip_statement(file, next + 4) : at;
    }
    while (at < file->length && file->text[at] != ';') {
        char c = file->text[at];
        at = c == '(' || c == '[' || c == '{' ? skip_brackets(file, at) : skip_token(file, at);
    }
    return at < file->length ? at + 1 : at;
}

static bool is_loop_word(const struct file *file, size_t at)
{
    return is_word(file, at, "for") || is_word(file, at, "while");
}

/* What is replaced: the loop over the time, in the user's file. */
struct part {
    size_t begin, end;
    struct gzt_program *program;
};

/* Where the directives begin that belong to the loop at `at`, such as unroll: those of the lines
 * before it. What gzc takes out, and OpenMP's regions, stay where they are. */
static size_t with_directives(const struct file *file, size_t at)
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
            (strcmp(first, "omp") == 0 && strcmp(second, "for") != 0) ||
            file->text[end - 1] == '\\')
            return at;
        at = begin;
    }
}

static int find_part(struct gzt_program *program, const struct file *file, struct part *part)
{
    struct gzt_place place = gzt_place_of(program->source, program->time.node->begin);

    if (strcmp(place.file, file->path) != 0)
        return gzt_refuse(program->source, program->time.node->begin,
                          "the loop stands in an included file: translate that one");
    size_t line = line_start(file, place.line), end = line_start(file, place.line + 1);
    size_t at = line + (size_t)place.column - 1;
    if (!is_loop_word(file, at))
        for (at = line; at < end && !is_loop_word(file, at);)
            at++;
    if (at >= end)
        return gzt_refuse(program->source, program->time.node->begin,
                          "the loop over the time must be written out, not by a macro");
    *part = (struct part){with_directives(file, at), skip_statement(file, at), program};
    return 0;
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

static void add_line_marker(const struct file *file, size_t at, struct gzt_text *text)
{
    gzt_add(text, "\n#line %d \"%s\"\n", line_of(file, at), file->path);
}

/* The call, with the original loop in it. */
static int add_part(const struct file *file, const struct part *part, struct gzt_text *text)
{
    if (gzt_add_call(part->program, text) != 0)
        return -1;
    add_line_marker(file, part->begin, text);
    add_stretch(file, part->begin, part->end, text);
    gzt_add(text, "\n");
    gzt_add_end(part->program, text);
    add_line_marker(file, part->end, text);
    return 0;
}

const char *gzt_rewrite(struct gzt_program *programs, int count)
{
    struct gzt_text text = {0};
    struct file file;
    size_t at = 0;

    if (read_file(programs[0].source, &file) != 0)
        return NULL;
    gzt_add(&text, "#include <gzstencil.h>\n#line 1 \"%s\"\n", file.path);
    for (int i = 0; i < count; i++) {
        struct part part = {0};
        if (find_part(&programs[i], &file, &part) != 0)
            return NULL;
        add_stretch(&file, at, part.begin, &text);
        if (add_part(&file, &part, &text) != 0)
            return NULL;
        at = part.end;
    }
    add_stretch(&file, at, file.length, &text);
    return gzt_string(&text);
}
