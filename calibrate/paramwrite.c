/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paramwrite.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deviations below this share of a value are what arithmetic leaves of exact counts. */
#define ROUNDING 1e-9

struct gzc_entry gzc_entry_of(double value, double sd, gz_origin origin, const char *note, ...)
{
    struct gzc_entry entry = {
        .value = value, .sd = sd > ROUNDING * fabs(value) ? sd : 0, .origin = origin};
    va_list args;
    va_start(args, note);
    vsnprintf(entry.note, sizeof entry.note, note, args);
    va_end(args);
    return entry;
}

/* To `digits` significant digits; whole numbers below 2^53 stay as they are. */
static double rounded(double value, int digits)
{
    char text[40];
    if (!isfinite(value) || (value == rint(value) && fabs(value) < 9007199254740992.0))
        return value;
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* NULL for what is not finite, which jansson cannot hold. */
static json_t *number(double value)
{
    if (value == rint(value) && fabs(value) < 9007199254740992.0)
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* One quantity on one line; NULL where memory is short or a number is not finite. */
static char *entry_text(const struct gzc_entry *entry, const char *unit)
{
    json_t *object =
        json_pack("{s:o*, s:s}", "value", number(rounded(entry->value, 6)), "unit", unit);
    int failed = !object || !json_object_get(object, "value");
    if (!failed && entry->origin != GZ_ORIGIN_NONE)
        failed = json_object_set_new(object, "origin", json_string(gz_origin_name(entry->origin)));
    if (!failed && entry->sd > 0)
        failed = json_object_set_new(object, "sd", number(rounded(entry->sd, 3)));
    if (!failed && entry->note[0])
        failed = json_object_set_new(object, "note", json_string(entry->note));
    char *text = failed ? NULL : json_dumps(object, JSON_REAL_PRECISION(15));
    json_decref(object);
    return text;
}

/* A string as JSON; NULL where it is not UTF-8, or memory is short. */
static char *string_text(const char *string)
{
    json_t *value = json_string(string);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    return text;
}

/* A file being written into memory. */
struct sheet {
    FILE *to;
    char *text;
    size_t size;
    const char *separator, *indent;
    bool failed;
};

static void sheet_open(struct sheet *sheet)
{
    *sheet = (struct sheet){.separator = "{\n", .indent = "  "};
    sheet->to = open_memstream(&sheet->text, &sheet->size);
    sheet->failed = !sheet->to;
}

/* Adds a member whose value is JSON already; frees it. NULL fails the sheet. */
static void sheet_add(struct sheet *sheet, const char *key, char *value)
{
    sheet->failed = sheet->failed || !value;
    if (!sheet->failed)
        fprintf(sheet->to, "%s%s\"%s\": %s", sheet->separator, sheet->indent, key, value);
    sheet->separator = ",\n";
    free(value);
}

static void sheet_add_string(struct sheet *sheet, const char *key, const char *string)
{
    sheet_add(sheet, key, string_text(string));
}

static void sheet_add_entry(struct sheet *sheet, const char *key, const char *unit,
                            const struct gzc_entry *entry)
{
    sheet_add(sheet, key, entry_text(entry, unit));
}

/* The text, which the caller frees; NULL where anything failed. */
static char *sheet_close(struct sheet *sheet, const char *end, gz_error *error)
{
    if (sheet->to) {
        fputs(end, sheet->to);
        sheet->failed = fclose(sheet->to) != 0 || sheet->failed;
    }
    if (!sheet->failed)
        return sheet->text;
    snprintf(error->text, sizeof error->text,
             "a value is not a finite number, a text is not UTF-8, or memory is short");
    free(sheet->text);
    return NULL;
}

char *gzc_device_text(const struct gzc_device_file *file, gz_error *error)
{
    struct sheet sheet;
    sheet_open(&sheet);
    sheet_add_string(&sheet, "schema", "gzmodel-device-1");
    sheet_add_string(&sheet, "name", file->name);
    if (file->note[0])
        sheet_add_string(&sheet, "note", file->note);
    for (int q = 0; q < gz_param_count(); q++)
        if (file->entries[q].origin != GZ_ORIGIN_NONE)
            sheet_add_entry(&sheet, gz_param_name(q), gz_param_unit(q), &file->entries[q]);
    char *text = sheet_close(&sheet, "\n}\n", error);
    gz_device read;
    if (text && gz_device_parse(text, strlen(text), "device file", &read, NULL, error) != GZ_OK) {
        free(text);
        return NULL;
    }
    return text;
}

char *gzc_app_text(const struct gzc_app_file *file, gz_error *error)
{
    struct sheet sheet;
    struct gzc_entry element = {.value = file->element_bytes};
    char halo[80] = "", arrays[40], per_op[40], elements[40], sm_count[40];
    for (int i = 0; i < file->dim; i++)
        snprintf(halo + strlen(halo), sizeof halo - strlen(halo), "%s%d", i ? ", " : "[",
                 file->halo_width[i]);
    snprintf(halo + strlen(halo), sizeof halo - strlen(halo), "]");
    snprintf(arrays, sizeof arrays, "%.0f", file->stencil_arrays);
    snprintf(per_op, sizeof per_op, "%.0f", file->elements_per_op);
    snprintf(sm_count, sizeof sm_count, "%.0f", file->sm_count);
    snprintf(elements, sizeof elements, "%.0f", file->elements);

    sheet_open(&sheet);
    sheet_add_string(&sheet, "schema", "gzmodel-app-1");
    sheet_add_string(&sheet, "name", file->name);
    if (file->note[0])
        sheet_add_string(&sheet, "note", file->note);
    sheet_add(&sheet, "halo_width", strdup(halo));
    sheet_add_entry(&sheet, "element_size", "B", &element);
    sheet_add(&sheet, "stencil_arrays", strdup(arrays));
    sheet_add(&sheet, "elements_per_op", strdup(per_op));
    sheet.separator = ",\n  \"profile\": {\n";
    sheet.indent = "    ";
    sheet_add_string(&sheet, "device", file->device);
    sheet_add(&sheet, "sm_count", strdup(sm_count));
    sheet_add(&sheet, "elements", strdup(elements));
    sheet_add_entry(&sheet, "insts_per_sm_misc", "1", &file->insts_misc);
    sheet_add_entry(&sheet, "insts_per_sm_iter", "1", &file->insts_iter);
    sheet_add_entry(&sheet, "bank_conflict_rate", "1", &file->conflict_rate);
    char *text = sheet_close(&sheet, "\n  }\n}\n", error);
    gz_app read;
    if (text && gz_app_parse(text, strlen(text), "application file", &read, NULL, error) != GZ_OK) {
        free(text);
        return NULL;
    }
    return text;
}

void gzc_display_name(const char *stem, char name[GZ_NAME_SIZE])
{
    gz_app known;
    bool found = gz_app_open(stem, NULL, &known, NULL) == GZ_OK;
    snprintf(name, GZ_NAME_SIZE, "%s", found ? known.name : stem);
    if (!found)
        name[0] = (char)toupper((unsigned char)name[0]);
}

bool gzc_may_write(const char *path, const char *device, bool force, char *why, size_t size)
{
    struct stat found;
    json_error_t where;
    if (force || stat(path, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0)
        return true;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    bool is_app = schema && strcmp(schema, "gzmodel-app-1") == 0;
    const json_t *stated = json_object_get(json_object_get(root, "profile"), "device");
    if (is_app && !stated)
        stated = json_object_get(root, "device");
    const char *name = json_string_value(is_app ? stated : json_object_get(root, "name"));
    bool ours = schema && strncmp(schema, "gzmodel-", 8) == 0;
    bool same = ours && name && strcmp(name, device) == 0;
    if (!ours)
        snprintf(why, size, "%s is there and is no parameter file", path);
    else if (!same)
        snprintf(why, size, "%s is there and is for %s, not for %s", path,
                 name ? name : "another device", device);
    json_decref(root);
    return same;
}
