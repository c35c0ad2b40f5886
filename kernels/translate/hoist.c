/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hoist.h"

#include "text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Behind a literal that begins here. */
static const char *skip_literal(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote)
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

/* Where the token begins that follows, blanks and the lines of directives left out. */
static const char *next_token(const char *at)
{
    while (isspace((unsigned char)*at) || *at == '#')
        at += *at == '#' ? strcspn(at, "\n") : 1;
    return at;
}

/* Behind the bracket that closes the one that begins here, or the text's end. */
static const char *skip_brackets(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"' || *at == '\'') {
            at = skip_literal(at);
            continue;
        }
        depth += *at == '(' || *at == '{' || *at == '[';
        depth -= *at == ')' || *at == '}' || *at == ']';
        at += *at != '\0';
    } while (*at && depth > 0);
    return at;
}

static bool is_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) &&
           at[length] != '_';
}

/* Behind the statement that follows. */
static const char *skip_statement(const char *at)
{
    at = next_token(at);
    bool is_if = is_word(at, "if");
    if (*at == '{')
        return skip_brackets(at);
    if (is_if || is_word(at, "for") || is_word(at, "while")) {
        at = skip_statement(skip_brackets(strchr(at, '(')));
        const char *next = next_token(at);
        return is_if && is_word(next, "else") ? skip_statement(next + strlen("else")) : at;
    }
    while (*at && *at != ';')
        at = strchr("({[\"'", *at) ? skip_brackets(at) : at + 1;
    return *at ? at + 1 : at;
}

/* Behind what declares the variable of a loop of gzc's own there, its type and its name; 0 if
 * nothing does. */
static int declaration(const char *line, int *type)
{
    int end = 0;
    *type = 0;
    if (sscanf(line, "for (%*[a-z]%n gz_%*[a-z_0-9]%n = ", type, &end) < 0)
        return 0;
    return *type > 0 && line[*type] == ' ' && strncmp(line + end, " = ", 3) == 0 ? end : 0;
}

const char *gzt_hoisted(const char *statements)
{
    enum { DEEPEST = 64 };
    const char *ends[DEEPEST];
    struct gzt_text text = {0};
    int open = 0, type;
    for (const char *at = statements; *at; at++) {
        for (; open > 0 && ends[open - 1] == at; open--)
            gzt_add(&text, "\n}");
        bool begins = at == statements || at[-1] == '\n';
        int end = begins && open < DEEPEST ? declaration(at, &type) : 0;
        if (end == 0) {
            gzt_add_bytes(&text, at, 1);
            continue;
        }
        int head = (int)strlen("for (");
        gzt_add(&text, "{\n%.*s;\nfor (", end - head, at + head);
        ends[open++] = skip_statement(at);
        at += type;
    }
    for (; open > 0; open--)
        gzt_add(&text, "\n}");
    return gzt_string(&text);
}
