/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record.h"

#include "si.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cli_record_new(struct cli_record *record)
{
    *record = (struct cli_record){.object = json_object()};
}

void cli_record_free(struct cli_record *record)
{
    for (int k = 0; k < record->count; k++)
        free(record->lines[k].text);
    json_decref(record->object);
}

static void write_value(const json_t *value, const char *unit, FILE *to)
{
    if (json_is_array(value))
        for (size_t i = 0; i < json_array_size(value); i++)
            fprintf(to, "%s%" JSON_INTEGER_FORMAT, i ? "x" : "",
                    json_integer_value(json_array_get(value, i)));
    else if (json_is_string(value))
        fputs(json_string_value(value), to);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "true" : "false", to);
    else if (json_is_integer(value))
        fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (unit)
        fputs(cli_si(json_real_value(value), unit).text, to);
    else
        fprintf(to, "%.4g", json_real_value(value));
}

void cli_record_add(struct cli_record *record, const char *key, const char *unit, json_t *value,
                    const char *format, ...)
{
    struct cli_line *line = &record->lines[record->count];
    bool shown = format || !json_is_null(value);
    size_t size = 0;
    va_list args;

    line->key = key;
    line->text = NULL;
    FILE *to =
        shown && record->count < CLI_RECORD_LINES ? open_memstream(&line->text, &size) : NULL;
    va_start(args, format);
    if (to && format)
        vfprintf(to, format, args);
    else if (to)
        write_value(value, unit, to);
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

int cli_record_write(struct cli_record *record, bool json, FILE *to)
{
    if (json)
        return cli_json_write(json_incref(record->object), to) || record->failed;
    for (int k = 0; k < record->count; k++)
        fprintf(to, "%-22s %s\n", record->lines[k].key, record->lines[k].text);
    return record->failed;
}
