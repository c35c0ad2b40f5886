/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * entry.h - what calibrate finds out, quantity by quantity, on its way into device and application
 * files (gzmodel-files(5)), whose text the library makes.
 */
#ifndef GZC_ENTRY_H
#define GZC_ENTRY_H

#include "gzmodel/parameters.h"

#include <stdbool.h>

/* Bytes of a note on a quantity, and of one on a file, with their terminating zeros. */
enum { GZC_NOTE_SIZE = 512, GZC_FILE_NOTE_SIZE = 1200 };

/* A quantity with its deviation, origin and note; absent if origin is GZ_ORIGIN_NONE. */
struct gzc_entry {
    double value, sd; /* SI base units; sd 0 if exact or unknown */
    gz_origin origin;
    char note[GZC_NOTE_SIZE]; /* "" for none */
};

/* `value` and `sd` with `origin` and a note, which may be a format; it says if the deviation is
 * above the value. */
__attribute__((format(printf, 4, 5))) struct gzc_entry
gzc_entry_of(double value, double sd, gz_origin origin, const char *note, ...);

/* A device file, or with a key in `app` an application file. */
struct gzc_file {
    char name[GZ_NAME_SIZE]; /* of the device */
    gz_app
        app; /* what follows from the stencil, and where it was counted; the key names the file */
    char note[GZC_FILE_NOTE_SIZE];
    struct gzc_entry entries[GZ_PARAM_CAPACITY]; /* by gz_param; those of its kind count */
};

/* The notes of a file, which point to those of its entries. */
struct gzc_notes {
    int count;
    gz_note list[GZ_PARAM_CAPACITY + 2];
};

/* The library's structures: values to six digits and deviations to three, which is more than any
 * measurement has. `notes` may be NULL. */
void gzc_device_of(const struct gzc_file *file, gz_device *dev, struct gzc_notes *notes);
void gzc_app_of(const struct gzc_file *file, gz_app *app, struct gzc_notes *notes);

/* The text of a file, to be freed by gz_text_free. NULL if memory is short, or after `error` was
 * filled because the library's reader refuses what would be written (a value that is not finite or
 * out of range, a quantity that is missing). */
char *gzc_file_text(const struct gzc_file *file, gz_error *error);

/* The name for people of the application `stem`: that of the built-in application of this key, or
 * the stem with a capital. */
void gzc_display_name(const char *stem, char name[GZ_NAME_SIZE]);

/* Whether a file at `path` may be written for `device`: none is there, or `force`, or the one that
 * is there is for the same device (a device file by its name, an application file by the device of
 * its profile). If not, `why` says what is there. A path that is not a regular file (a pipe) may be
 * written. */
bool gzc_may_write(const char *path, const char *device, bool force, char *why, size_t size);

#endif
