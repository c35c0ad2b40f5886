/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paramwrite.c - writes device and application files (JSON) by the table of quantities. Every text
 * is read back by the library's own reader before anybody sees it.
 */
#include "fail.h"
#include "quantities.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- one member */

/* Doubles from here on may leave out whole numbers. */
#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

/* The shortest decimal that reads back as `value`, as a value of jansson's is printed: NULL if it
 * is not finite, or memory is short. */
static char *number_text(double value)
{
    json_t *number = value == rint(value) && fabs(value) < WHOLE_MAX
                         ? json_integer((json_int_t)value)
                         : json_real(value); /* NULL for NaN and infinity */
    char *text = NULL;
    for (size_t digits = 15; number && digits <= 17; digits++) {
        free(text);
        text = json_dumps(number, JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits));
        json_t *again = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
        int same = again && json_number_value(again) == value;
        json_decref(again);
        if (same)
            break;
    }
    json_decref(number);
    return text;
}

/* A string as JSON; NULL if it is not UTF-8, or memory is short. */
static char *string_text(const char *string)
{
    json_t *value = json_string(string);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    return text;
}

/* A text that grows. */
struct sheet {
    char *text;
    size_t length, room;
    int failed;
    const char *separator, *indent; /* before the next member */
};

static void append(struct sheet *sheet, const char *text)
{
    size_t length = strlen(text);
    if (!sheet->failed && sheet->length + length >= sheet->room) {
        size_t room = 2 * (sheet->length + length) + 1024;
        char *larger = realloc(sheet->text, room);
        if (larger) {
            sheet->text = larger;
            sheet->room = room;
        } else {
            sheet->failed = 1;
        }
    }
    if (!sheet->failed) {
        memcpy(sheet->text + sheet->length, text, length + 1);
        sheet->length += length;
    }
}

/* Appends a piece of JSON after some text, and frees it; NULL fails the sheet. */
static void append_value(struct sheet *sheet, const char *before, char *value)
{
    append(sheet, before);
    if (value)
        append(sheet, value);
    else
        sheet->failed = 1;
    free(value);
}

static void begin_member(struct sheet *sheet, const char *key)
{
    append(sheet, sheet->separator);
    append(sheet, sheet->indent);
    append(sheet, "\"");
    append(sheet, key);
    append(sheet, "\": ");
    sheet->separator = ",\n";
}

static void add_string(struct sheet *sheet, const char *key, const char *string)
{
    begin_member(sheet, key);
    append_value(sheet, "", string_text(string));
}

/* A quantity on one line; a plain number if it has nothing but a value. */
static void add_quantity(struct sheet *sheet, const gzi_spec *spec, const gz_quantity *q,
                         const char *note)
{
    begin_member(sheet, spec->key);
    int plain = spec->place != GZI_DEVICE && strcmp(spec->about.unit, "1") == 0 && q->sd == 0 &&
                q->origin == GZ_ORIGIN_NONE && !note[0];
    append_value(sheet, plain ? "" : "{\"value\": ", number_text(q->value));
    if (plain)
        return;
    append_value(sheet, ", \"unit\": ", string_text(spec->about.unit));
    if (q->origin != GZ_ORIGIN_NONE)
        append_value(sheet, ", \"origin\": ",
                     gz_name(GZ_ORIGINS, q->origin) ? string_text(gz_name(GZ_ORIGINS, q->origin))
                                                    : NULL);
    if (q->sd != 0)
        append_value(sheet, ", \"sd\": ", number_text(q->sd));
    append_value(sheet, ", \"meaning\": ", string_text(spec->about.meaning));
    if (note[0])
        append_value(sheet, ", \"note\": ", string_text(note));
    append(sheet, "}");
}

/* The text of that note; "" if there is none. */
static const char *note_of(const gz_note *notes, const char *name)
{
    for (; notes && notes->name; notes++)
        if (strcmp(notes->name, name) == 0)
            return notes->text ? notes->text : "";
    return "";
}

/* All quantities of a place that are stated, and those that must be. */
static void add_quantities(struct sheet *sheet, enum gzi_place place, const void *owner,
                           const gz_note *notes)
{
    for (const gzi_spec *spec = gzi_quantities; spec->place; spec++) {
        if (spec->place != place)
            continue;
        const gz_quantity *q = gzi_quantity_in(owner, spec);
        if (!spec->optional || gzi_stated(q))
            add_quantity(sheet, spec, q, note_of(notes, spec->about.name));
    }
}

/* -------------------------------------------------------------------------------------- a file */

static void begin(struct sheet *sheet, const char *schema, const char *name, const gz_note *notes)
{
    *sheet = (struct sheet){.separator = "{\n", .indent = "  "};
    add_string(sheet, "schema", schema);
    add_string(sheet, "name", name);
    if (note_of(notes, "")[0])
        add_string(sheet, "note", note_of(notes, ""));
}

/* Hands the text over, unless something failed. */
static gz_status finish(struct sheet *sheet, char **text, gz_error *error)
{
    *text = NULL;
    if (!sheet->failed) {
        *text = sheet->text;
        return GZ_OK;
    }
    free(sheet->text);
    return gzi_fail(error, GZ_EFORMAT,
                    "cannot be written: a value is not a finite number, a text is not UTF-8, or "
                    "there is not enough memory");
}

/* Frees a text that the reader has refused. */
static gz_status check_read(gz_status status, char **text)
{
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

gz_status gz_device_text(const gz_device *dev, const gz_note *notes, char **text, gz_error *error)
{
    struct sheet sheet;
    gz_device read;
    if (!dev || !text)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    begin(&sheet, "gzmodel-device-1", dev->name, notes);
    add_quantities(&sheet, GZI_DEVICE, dev, notes);
    append(&sheet, "\n}\n");
    gz_status status = finish(&sheet, text, error);
    if (status)
        return status;
    status = gz_device_parse(*text, sheet.length, "device file", &read, error);
    return check_read(status, text);
}

gz_status gz_app_text(const gz_app *app, const gz_note *notes, char **text, gz_error *error)
{
    struct sheet sheet;
    gz_app read;
    if (!app || !text)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    begin(&sheet, "gzmodel-app-1", app->name, notes);
    begin_member(&sheet, "halo_width");
    for (int i = 0; i < app->dim && i < GZ_MAX_DIM; i++)
        append_value(&sheet, i ? ", " : "[", number_text(app->halo_width[i]));
    append(&sheet, app->dim > 0 ? "]" : "[]");
    add_quantities(&sheet, GZI_APP, app, notes);
    begin_member(&sheet, "profile");
    sheet.separator = "{\n";
    sheet.indent = "    ";
    if (app->profile_device[0])
        add_string(&sheet, "device", app->profile_device);
    add_quantities(&sheet, GZI_PROFILE, app, notes);
    append(&sheet, "\n  }\n}\n");
    gz_status status = finish(&sheet, text, error);
    if (status)
        return status;
    status = gz_app_parse(*text, sheet.length, "application file", &read, error);
    return check_read(status, text);
}

void gz_text_free(char *text)
{
    free(text);
}
