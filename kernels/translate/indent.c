/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "indent.h"

#include <stdbool.h>
#include <string.h>

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

void gzt_add_indented(struct gzt_text *text, const char *margin, const char *lines)
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
