/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include "output.h"
#include "si.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Memory for JSON: an answer without one of its members would be wrong. */
static void *allocate(size_t size)
{
    return cli_room(size, 1);
}

void cli_record_new(struct cli_record *record)
{
    json_set_alloc_funcs(allocate, free);
    *record = (struct cli_record){.object = json_object()};
}

void cli_record_free(struct cli_record *record)
{
    for (int k = 0; k < record->count; k++)
        free(record->lines[k].text);
    json_decref(record->object);
}

/* The unit of a member, or of all that a member has, which its key names. */
static const char *unit_of(const char *key)
{
    return strstr(key, "seconds") || strstr(key, "by_part") || strcmp(key, "interval") == 0 ? "s"
           : strcmp(key, "sweeps") == 0                                                     ? ","
                                                                                            : NULL;
}

/* A number with six digits, without an exponent if it is easy to read, or by its unit. */
static int write_number(double value, const char *unit, FILE *to)
{
    double size = fabs(value);
    return unit ? fprintf(to, "%s", cli_si(value, unit).text)
                : fprintf(to, size >= 1e5 && size < 1e13 ? "%.0f" : "%.6g", value);
}

/* Returns how many characters; control characters, which files' names may hold, become '?'. */
static int write_value(const json_t *value, const char *unit, FILE *to)
{
    const char *key;
    json_t *member;
    int length = 0;

    if (json_is_array(value))
        for (size_t i = 0; i < json_array_size(value); i++) {
            const json_t *one = json_array_get(value, i);
            length +=
                json_is_integer(one) ? fprintf(to, "%s%" JSON_INTEGER_FORMAT,
                                               i ? unit ? unit : "x" : "", json_integer_value(one))
                : unit
                    ? fprintf(to, "%s%s", i ? " to " : "", cli_si(json_real_value(one), unit).text)
                    : fprintf(to, "%s%.3g", i ? " " : "", json_real_value(one));
        }
    // cppcheck-suppress unknownMacro
    json_object_foreach((json_t *)value, key, member)
    {
        length += fprintf(to, "%s%s ", length > 0 ? " " : "", key);
        length += write_value(member, unit_of(key), to);
    }
    for (const char *c = json_string_value(value); c && *c; c++, length++)
        putc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, to);
    if (json_is_boolean(value) || json_is_null(value))
        length = fprintf(to, "%s",
                         json_is_null(value)   ? "-"
                         : json_is_true(value) ? "true"
                                               : "false");
    if (json_is_integer(value))
        length = fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    if (json_is_real(value))
        length = write_number(json_real_value(value), unit, to);
    return length;
}

/* Whether a value is a list of objects. */
static bool is_table(const json_t *value)
{
    return json_is_object(json_array_get(value, 0));
}

void cli_record_add(struct cli_record *record, const char *key, const char *unit, json_t *value,
                    const char *format, ...)
{
    struct cli_line *line = &record->lines[record->count];
    const struct cli_meaning *of = record->meanings;
    bool shown = format || !(json_is_null(value) || is_table(value));
    size_t size = 0;
    va_list args;

    while (of && of->key && strcmp(of->key, key) != 0)
        of++;
    line->key = key;
    line->text = NULL;
    line->meaning = of && of->key ? of->meaning : NULL;
    FILE *to =
        shown && record->count < CLI_RECORD_LINES ? open_memstream(&line->text, &size) : NULL;
    va_start(args, format);
    if (to && format)
        vfprintf(to, format, args);
    else if (to)
        write_value(value, unit || !line->meaning ? unit : of->unit, to);
    va_end(args);
    record->failed |= shown && (!to || fclose(to) != 0);
    if (size > 0)
        record->count++;
    else
        free(line->text);
    if (value)
        record->failed |= json_object_set_new(record->object, key, value) != 0;
}

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cli_json_known(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

json_t *cli_json_extents(const int *extents, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(array, json_integer(extents[i]));
    return array;
}

int cli_json_write(json_t *value, FILE *to)
{
    int bad = !value || json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(value);
    putc('\n', to);
    return bad;
}

/* The unit of a table's cells, whose lists are members `of` its rows unless NULL. */
static const char *cell_unit(const char *of, const char *key)
{
    return of && unit_of(of) ? unit_of(of) : unit_of(key);
}

/* Characters of the widest cell of each column, its head among them. */
static json_t *widths_of(json_t *list, const char *of)
{
    char *text = NULL;
    const char *key;
    size_t size, i;
    json_t *widths = json_object(), *row, *value;
    FILE *scratch = open_memstream(&text, &size);
    json_array_foreach(list, i, row)
    {
        json_object_foreach(of ? json_object_get(row, of) : row, key, value)
        {
            const json_t *known = json_object_get(widths, key);
            int widest = known ? (int)json_integer_value(known) : (int)strlen(key);
            int width = scratch ? write_value(value, cell_unit(of, key), scratch) : 0;
            if (!known || width > widest)
                json_object_set_new(widths, key, json_integer(width > widest ? width : widest));
        }
    }
    if (scratch)
        fclose(scratch);
    free(text);
    return widths;
}

/* The keys, or the values, of an object's members that are no objects. */
static void write_cells(const json_t *widths, const char *of, json_t *row, bool heads, FILE *to)
{
    const char *key;
    json_t *value;
    int apart = 0;

    json_object_foreach(row, key, value)
    {
        if (json_is_object(value) || is_table(value))
            continue;
        fprintf(to, "%*s", apart, "");
        int length = heads ? fprintf(to, "%s", key) : write_value(value, cell_unit(of, key), to);
        apart = (int)json_integer_value(json_object_get(widths, key)) - length + 2;
    }
    putc('\n', to);
}

/* Objects as rows, or objects that are members `of` these, behind their first value. */
static void write_table(json_t *list, const char *of, FILE *to)
{
    enum { WIDTH = 17 };
    size_t i;
    json_t *row, *widths = widths_of(list, of);

    putc('\n', to);
    json_array_foreach(list, i, row)
    {
        json_t *cells = of ? json_object_get(row, of) : row;
        for (int heads = i == 0; heads >= 0 && cells; heads--) {
            json_t *first = json_object_iter_value(json_object_iter(row));
            int length = !of ? WIDTH : heads ? fprintf(to, "%s", of) : write_value(first, NULL, to);
            fprintf(to, "%*s%s", WIDTH - length, "", of ? " " : "");
            write_cells(widths, of, cells, heads, to);
        }
    }
    json_decref(widths);
}

int cli_record_write(struct cli_record *record, bool json, FILE *to)
{
    const char *key, *of;
    json_t *value, *member;

    if (json)
        return cli_json_write(json_incref(record->object), to) || record->failed;
    for (const struct cli_line *line = record->lines; line < record->lines + record->count; line++)
        if (line->meaning)
            fprintf(to, "%-22s %-18s %s\n", line->key, line->text, line->meaning);
        else
            fprintf(to, "%-22s %s\n", line->key, line->text);
    json_object_foreach(record->object, key, value)
    {
        if (!is_table(value))
            continue;
        write_table(value, NULL, to);
        json_object_foreach(json_array_get(value, 0), of, member) if (json_is_object(member))
            write_table(value, of, to);
    }
    return record->failed;
}
