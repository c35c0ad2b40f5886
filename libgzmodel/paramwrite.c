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

/* A text that grows. */
struct sheet {
    char *text;
    size_t length, room;
    int failed;
    const char *separator, *indent; /* before the next member */
};

/* Appends so many bytes to a sheet, as jansson calls it. */
static int append_bytes(const char *text, size_t length, void *to)
{
    struct sheet *sheet = to;
    if (!sheet->failed && sheet->length + length >= sheet->room) {
        size_t room = 2 * (sheet->length + length) + 1024;
        char *larger = realloc(sheet->text, room);
        if (larger) {
            sheet->text = larger;
            sheet->room = room;
        }
        sheet->failed = !larger;
    }
    if (sheet->failed)
        return -1;
    memcpy(sheet->text + sheet->length, text, length);
    sheet->length += length;
    sheet->text[sheet->length] = '\0';
    return 0;
}

static void append(struct sheet *sheet, const char *text)
{
    append_bytes(text, strlen(text), sheet);
}

/* Appends a value of JSON after some text and releases it; NULL, a string that is not UTF-8 or a
 * number that is not finite, fails the sheet. */
static void put(struct sheet *sheet, const char *before, json_t *value, size_t digits)
{
    append(sheet, before);
    if (!value || json_dump_callback(value, append_bytes, sheet,
                                     JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)) != 0)
        sheet->failed = 1;
    json_decref(value);
}

/* Doubles from here on may leave out whole numbers. */
#define WHOLE_MAX 9007199254740992.0 /* 2^53 */

/* The shortest decimal that reads back as `value`. */
static void put_number(struct sheet *sheet, const char *before, double value)
{
    char text[40];
    size_t digits = 15;
    while (digits < 17 &&
           (snprintf(text, sizeof text, "%.*g", (int)digits, value), strtod(text, NULL) != value))
        digits++;
    put(sheet, before,
        value == rint(value) && fabs(value) < WHOLE_MAX ? json_integer((json_int_t)value)
                                                        : json_real(value),
        digits);
}

static void put_string(struct sheet *sheet, const char *before, const char *string)
{
    put(sheet, before, json_string(string), 0);
}

static void begin_member(struct sheet *sheet, const char *key)
{
    const char *const parts[] = {sheet->separator, sheet->indent, "\"", key, "\": "};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        append(sheet, parts[k]);
    sheet->separator = ",\n";
}

static void add_string(struct sheet *sheet, const char *key, const char *string)
{
    begin_member(sheet, key);
    put_string(sheet, "", string);
}

/* A quantity on one line; a plain number if it has nothing but a value. */
static void add_quantity(struct sheet *sheet, const gzi_spec *spec, const gz_quantity *q,
                         const char *note)
{
    begin_member(sheet, spec->key);
    int plain = spec->place != GZI_DEVICE && strcmp(spec->about.unit, "1") == 0 && q->sd == 0 &&
                q->origin == GZ_ORIGIN_NONE && !note[0];
    put_number(sheet, plain ? "" : "{\"value\": ", q->value);
    if (plain)
        return;
    put_string(sheet, ", \"unit\": ", spec->about.unit);
    if (q->origin != GZ_ORIGIN_NONE)
        put_string(sheet, ", \"origin\": ", gz_name(GZ_ORIGINS, q->origin));
    if (q->sd != 0)
        put_number(sheet, ", \"sd\": ", q->sd);
    put_string(sheet, ", \"meaning\": ", spec->about.meaning);
    if (note[0])
        put_string(sheet, ", \"note\": ", note);
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

/* Hands the text over, unless something failed or the reader refuses it. */
static gz_status finish(struct sheet *sheet, int is_app, char **text, gz_error *error)
{
    gz_device dev;
    gz_app app;
    *text = NULL;
    if (sheet->failed) {
        free(sheet->text);
        return gzi_fail(error, GZ_EFORMAT,
                        "cannot be written: a value is not a finite number, a text is not UTF-8, "
                        "or there is not enough memory");
    }
    gz_status status =
        is_app ? gz_app_parse(sheet->text, sheet->length, "application file", &app, error)
               : gz_device_parse(sheet->text, sheet->length, "device file", &dev, error);
    if (status)
        free(sheet->text);
    else
        *text = sheet->text;
    return status;
}

gz_status gz_device_text(const gz_device *dev, const gz_note *notes, char **text, gz_error *error)
{
    struct sheet sheet;
    if (!dev || !text)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    begin(&sheet, "gzmodel-device-1", dev->name, notes);
    add_quantities(&sheet, GZI_DEVICE, dev, notes);
    append(&sheet, "\n}\n");
    return finish(&sheet, 0, text, error);
}

gz_status gz_app_text(const gz_app *app, const gz_note *notes, char **text, gz_error *error)
{
    struct sheet sheet;
    if (!app || !text)
        return gzi_fail(error, GZ_EARGUMENT, "%s", gz_strerror(GZ_EARGUMENT));
    begin(&sheet, "gzmodel-app-1", app->name, notes);
    begin_member(&sheet, "halo_width");
    for (int i = 0; i < app->dim && i < GZ_MAX_DIM; i++)
        put_number(&sheet, i ? ", " : "[", app->halo_width[i]);
    append(&sheet, app->dim > 0 ? "]" : "[]");
    add_quantities(&sheet, GZI_APP, app, notes);
    begin_member(&sheet, "profile");
    sheet.separator = "{\n";
    sheet.indent = "    ";
    if (app->profile_device[0])
        add_string(&sheet, "device", app->profile_device);
    add_quantities(&sheet, GZI_PROFILE, app, notes);
    append(&sheet, "\n  }\n}\n");
    return finish(&sheet, 1, text, error);
}

void gz_text_free(char *text)
{
    free(text);
}
