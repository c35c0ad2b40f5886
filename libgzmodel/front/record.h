/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * record.h - a result: each fact once, as a key and a value, which JSON has in full and people read
 * in SI units.
 */
#ifndef GZ_CLI_RECORD_H
#define GZ_CLI_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { CLI_RECORD_LINES = 64 };

/* What a key means, in a clause for people, and the unit of its value, or NULL. */
struct cli_meaning {
    const char *key, *unit, *meaning;
};

struct cli_record {
    json_t *object;
    const struct cli_meaning *meanings; /* NULL, or a list that ends with a NULL */
    struct cli_line {
        const char *key, *meaning;
        char *text;
    } lines[CLI_RECORD_LINES];
    int count;
    bool failed; /* memory was short */
};

/* From the first record on, the program ends if JSON gets no memory. */
void cli_record_new(struct cli_record *record);
void cli_record_free(struct cli_record *record);

/* Adds a fact under a literal key. JSON gets `value`, which the record takes over; NULL: people
 * alone read it. They get what `format` prints; without it the value: numbers with three digits and
 * an SI prefix if `unit` is not NULL, whole numbers of an array as 20x20 or with `unit` in between;
 * and no line of null or where nothing is printed. A list of objects becomes a table below, with a
 * column for each member, and one for each member that is an object. */
void cli_record_add(struct cli_record *record, const char *key, const char *unit, json_t *value,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A number as a value of JSON: null if it is not finite; the same unless it is above 0. */
json_t *cli_json_number(double value);
json_t *cli_json_known(double value);
/* n whole numbers as an array. */
json_t *cli_json_extents(const int *extents, int n);

/* A value of JSON, which is released, with all digits of numbers; non-zero if memory is short. */
int cli_json_write(json_t *value, FILE *to);

/* Writes it as JSON or as lines for people; non-zero if memory is short. */
int cli_record_write(struct cli_record *record, bool json, FILE *to);

#endif
