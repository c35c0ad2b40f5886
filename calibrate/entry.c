/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "entry.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deviations below this share of a value are what arithmetic leaves of exact counts. */
#define ROUNDING 1e-9

/* Says of a deviation above its value what that means. */
static void note_uncertain(struct gzc_entry *entry)
{
    size_t at = strlen(entry->note);
    if (entry->sd > fabs(entry->value))
        snprintf(entry->note + at, sizeof entry->note - at, "%snot distinguished from 0",
                 at ? "; " : "");
}

struct gzc_entry gzc_entry_of(double value, double sd, gz_origin origin, const char *note, ...)
{
    struct gzc_entry entry = {
        .value = value, .sd = sd > ROUNDING * fabs(value) ? sd : 0, .origin = origin};
    va_list args;
    va_start(args, note);
    vsnprintf(entry.note, sizeof entry.note, note, args);
    va_end(args);
    note_uncertain(&entry);
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

/* Adds a note to a list, which stays ended. */
static void add_note(struct gzc_notes *notes, const char *name, const char *text)
{
    if (notes && text[0]) {
        notes->list[notes->count++] = (gz_note){name, text};
        notes->list[notes->count] = (gz_note){NULL, NULL};
    }
}

/* Puts a file's entries where they belong, and its notes into a list. */
static void put(const struct gzc_file *file, gz_device *dev, gz_app *app, struct gzc_notes *notes)
{
    if (notes)
        *notes = (struct gzc_notes){.count = 0};
    add_note(notes, "", file->note);
    for (int q = 0; q < gz_param_count(); q++) {
        const struct gzc_entry *entry = &file->entries[q];
        gz_quantity *quantity = gz_param_quantity(dev, app, q);
        if (!quantity || entry->origin == GZ_ORIGIN_NONE)
            continue;
        *quantity = (gz_quantity){rounded(entry->value, 6), rounded(entry->sd, 3), entry->origin};
        add_note(notes, gz_param_about(q)->name, entry->note);
    }
}

void gzc_device_of(const struct gzc_file *file, gz_device *dev, struct gzc_notes *notes)
{
    *dev = (gz_device){.name = ""};
    memcpy(dev->name, file->name, sizeof dev->name);
    put(file, dev, NULL, notes);
}

void gzc_app_of(const struct gzc_file *file, gz_app *app, struct gzc_notes *notes)
{
    *app = file->app;
    put(file, NULL, app, notes);
}

char *gzc_file_text(const struct gzc_file *file, gz_error *error)
{
    gz_device dev;
    gz_app app;
    struct gzc_notes notes;
    char *text;
    if (file->app.key[0]) {
        gzc_app_of(file, &app, &notes);
        gz_app_text(&app, notes.list, &text, error);
    } else {
        gzc_device_of(file, &dev, &notes);
        gz_device_text(&dev, notes.list, &text, error);
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

/* The name of the device that the parameter file at `path` is for: "" if it does not say, NULL if
 * it is not a parameter file. */
static const char *device_of(const char *path, gz_device *dev, gz_app *app)
{
    if (gz_device_open(path, dev, NULL) == GZ_OK)
        return dev->name;
    return gz_app_open(path, NULL, app, NULL) == GZ_OK ? app->profile_device : NULL;
}

bool gzc_may_write(const char *path, const char *device, bool force, char *why, size_t size)
{
    struct stat found;
    gz_device dev;
    gz_app app;
    if (force || stat(path, &found) != 0 || !S_ISREG(found.st_mode) || found.st_size == 0)
        return true;
    const char *name = device_of(path, &dev, &app);
    bool same = name && strcmp(name, device) == 0;
    if (!name)
        snprintf(why, size, "%s is there and is not a parameter file", path);
    else if (!same)
        snprintf(why, size, "%s is there and is for %s, not for %s", path,
                 name[0] ? name : "another device", device);
    return same;
}
