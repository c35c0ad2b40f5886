/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was allocated, chained so that checkers of memory see that it is still reachable. */
struct block {
    struct block *next;
    max_align_t memory[];
};
static struct block *blocks;

void *gzt_alloc(size_t bytes)
{
    struct block *block = calloc(1, sizeof *block + bytes);
    if (!block) {
        fprintf(stderr, "gzc: out of memory\n");
        exit(1);
    }
    block->next = blocks;
    blocks = block;
    return block->memory;
}

char *gzt_copy(const char *from, size_t length)
{
    char *copy = gzt_alloc(length + 1);
    memcpy(copy, from, length);
    return copy;
}

__attribute__((format(printf, 1, 0))) static char *format_list(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    char one[1];
    int length = vsnprintf(one, sizeof one, format, args);
    char *text = gzt_alloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *gzt_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = format_list(format, args);
    va_end(args);
    return text;
}

void gzt_add_bytes(struct gzt_text *text, const char *bytes, size_t length)
{
    if (text->length + length + 1 > text->room) {
        size_t room = 2 * (text->length + length + 1);
        char *grown = gzt_alloc(room);
        if (text->length > 0)
            memcpy(grown, text->bytes, text->length);
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void gzt_add(struct gzt_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *more = format_list(format, args);
    va_end(args);
    gzt_add_bytes(text, more, strlen(more));
}

const char *gzt_quoted(const char *text)
{
    struct gzt_text quoted = {0};
    gzt_add(&quoted, "\"");
    for (; *text; text++)
        gzt_add(&quoted,
                *text == '\n'                   ? "\\n"
                : iscntrl((unsigned char)*text) ? "\\%03o"
                : strchr("\"\\", *text)         ? "\\%c"
                                                : "%c",
                (unsigned char)*text);
    gzt_add(&quoted, "\"");
    return gzt_string(&quoted);
}

void gzt_add_quoted(struct gzt_text *text, const char *lines, const char *behind)
{
    enum { MOST = 400 }; /* compilers limit literals */
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        length = length < MOST ? length + (lines[length] == '\n') : MOST;
        gzt_add(text, "    %s%s\n", gzt_quoted(gzt_copy(lines, length)), behind);
        lines += length;
    }
}

size_t gzt_word(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

const char *gzt_behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    while (*text && (text = strstr(text + 1, word)))
        if (gzt_word(text - 1) == 0 && gzt_word(text) == length)
            return text + length;
    return NULL;
}

bool gzt_is_one_of(const char *text, const char *const *list)
{
    while (list && *list && strcmp(*list, text) != 0)
        list++;
    return list && *list;
}

const char *gzt_string(const struct gzt_text *text)
{
    return text->bytes ? text->bytes : "";
}

void gzt_push(void *list, int *count, const void *element)
{
    const void ***array = list;
    /* Room doubles at every power of two. */
    size_t used = (size_t)*count + 1;
    if ((used & (used - 1)) == 0) {
        const void **grown = gzt_alloc(2 * used * sizeof *grown);
        if (*count > 0)
            memcpy(grown, *array, (size_t)*count * sizeof *grown);
        *array = grown;
    }
    (*array)[(*count)++] = element;
}

bool gzt_is_listed(const void *list, int count, const void *element)
{
    const void *const *array = list;
    while (count > 0 && array[count - 1] != element)
        count--;
    return count > 0;
}

const char *gzt_shown(const char *text)
{
    char *shown = gzt_copy(text, strlen(text));
    for (char *c = shown; *c; c++)
        *c = iscntrl((unsigned char)*c) ? '?' : *c;
    return shown;
}
