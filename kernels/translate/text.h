/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text.h - text that grows, and memory that lives as long as the program gzc runs.
 */
#ifndef GZT_TEXT_H
#define GZT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory, never freed before the program ends; ends the program with a message and status 1
 * if there is none. */
void *gzt_alloc(size_t bytes);

/* A copy of `length` bytes, terminated. */
char *gzt_copy(const char *from, size_t length);

/* printf into such memory. */
char *gzt_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct gzt_text {
    char *bytes; /* terminated; NULL while empty */
    size_t length, room;
};

/* Appends formatted text, or `length` bytes as they are. */
void gzt_add(struct gzt_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gzt_add_bytes(struct gzt_text *text, const char *bytes, size_t length);

/* A text between quotes, as C writes it; appends each of some lines so, and what follows it. */
const char *gzt_quoted(const char *text);
void gzt_add_quoted(struct gzt_text *text, const char *lines, const char *behind);

/* A text with a question mark for each character that is none to be seen. */
const char *gzt_shown(const char *text);

/* The length of the identifier, or the digits, that a text begins with. */
size_t gzt_word(const char *text);

/* The text behind the first such word that is not at its beginning, or NULL. */
const char *gzt_behind(const char *text, const char *word);

/* Whether a text is in a list that ends with NULL, or is NULL itself. */
bool gzt_is_one_of(const char *text, const char *const *list);

/* The text, "" if nothing was added. */
const char *gzt_string(const struct gzt_text *text);

/* Appends `element` to `*list`, an array of pointers of which `*count` are used, and NULL behind.
 */
void gzt_push(void *list, int *count, const void *element);

/* Whether a pointer is in such an array. */
bool gzt_is_listed(const void *list, int count, const void *element);

#endif
