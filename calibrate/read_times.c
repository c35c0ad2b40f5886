/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * read_times.c - states in kept device files what calibrate has stated since it knows it, an
 * element's time for each element read (gzc_read_times), from the application files beside them.
 * For developers (`make read-times`); not installed.
 */
#include "entry.h"
#include "gz2_quantities.h"
#include "output.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(const char *path, size_t *size)
{
    FILE *from = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    *size = from && text ? fread(text, 1, (1 << 20) - 1, from) : 0;
    if (from)
        fclose(from);
    return text;
}

static int read_device(const char *path, struct gzc_device_file *file, gz_error *error)
{
    gz_device dev;
    size_t size;
    char *text = text_of(path, &size);
    if (!text || gz_device_parse(text, size, path, &dev, error)) {
        free(text);
        return -1;
    }
    *file = (struct gzc_device_file){.name = ""};
    memcpy(file->name, dev.name, sizeof file->name);
    gz_note_read(text, size, "", file->note, sizeof file->note);
    for (int q = 0; q < gz_param_count(); q++) {
        const gz_quantity *own = gz_param_quantity(&dev, NULL, q);
        struct gzc_entry *entry = &file->entries[q];
        if (!own || !gz_quantity_stated(own))
            continue;
        *entry = gzc_entry_of(own->value, own->sd, own->origin, "%s", "");
        gz_note_read(text, size, gz_param_about(q)->name, entry->note, sizeof entry->note);
    }
    free(text);
    return 0;
}

/* The applications of a folder, in the order of the folder; how many. */
static int read_apps(const char *folder, gz_app *apps)
{
    DIR *dir = opendir(folder);
    int n = 0;
    for (struct dirent *e; dir && n < GZC_MAX_APPS && (e = readdir(dir));) {
        char device[4096], name[256];
        int length = (int)strlen(e->d_name) - 5;
        snprintf(device, sizeof device, "%s/device.json", folder);
        snprintf(name, sizeof name, "%.*s", length, e->d_name);
        if (length > 0 && strcmp(e->d_name + length, ".json") == 0 && strcmp(name, "device") != 0 &&
            gz_app_open(name, device, &apps[n], NULL) == 0)
            n++;
    }
    if (dir)
        closedir(dir);
    return n;
}

static int restate(const char *folder)
{
    static gz_app apps[GZC_MAX_APPS];
    static struct gzc_device_file file;
    gz_error error = {""};
    char path[4096];
    snprintf(path, sizeof path, "%s/device.json", folder);
    if (read_device(path, &file, &error))
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    gzc_read_times(apps, read_apps(folder, apps), file.entries);
    char *text = gzc_device_text(&file, &error);
    FILE *to = text ? fopen(path, "w") : NULL;
    int written = to && fputs(text, to) >= 0;
    written = to && fclose(to) == 0 && written;
    gz_text_free(text);
    return written ? CLI_DONE : cli_fail(CLI_FAILED, "%s: cannot be written", path);
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "usage: read_times FOLDER...");
    for (int k = 1; k < argc && !status; k++)
        status = restate(argv[k]);
    return status;
}
