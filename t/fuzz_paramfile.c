/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_paramfile.c - what must hold for the file readers on any bytes whatever.
 */
#include "fuzz.h"
#include "gzmodel/parameters.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A refusal is of the text, and its message names a place inside it. */
static void check_refusal(const uint8_t *data, size_t size, gz_status status, const gz_error *error)
{
    unsigned long line = 0, column = 0, lines = 1;
    int end = 0;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    require(status == GZ_EFORMAT, "only the format is refused", error->text);
    require(sscanf(error->text, "fuzz:%lu:%lu: %n", &line, &column, &end) == 2 && end > 0,
            "the message starts with label:line:column", error->text);
    require(error->text[end] != '\0', "the message says what is wrong", error->text);
    require(line >= 1 && line <= lines && column >= 1 && column <= size + 1,
            "the place is in the text", error->text);
    require(strpbrk(error->text, "\n\r\t\033") == NULL, "the message is one line", error->text);
}

/* What the readers accept, the model accepts. */
static void check_accepted(const gz_device *dev, const gz_app *app)
{
    gz_config cfg = {.beyond = 1};
    gz_error error = {""};
    for (int i = 0; i < app->dim; i++) {
        cfg.data_length[i] = 1000;
        cfg.block_len[i] = app->halo_width[i] + 1;
    }
    require(gz_check(dev, app, &cfg, &error) == GZ_OK, "what is read is in range", error.text);
}

/* The note of a file's text, if it has room; else "". */
static const char *note_of(const char *text, size_t size, char note[128])
{
    json_t *root = json_loadb(text, size, 0, NULL);
    const char *found = json_string_value(json_object_get(root, "note"));
    snprintf(note, 128, "%s", found && strlen(found) < 128 ? found : "");
    json_decref(root);
    return note;
}

/* What is read can be written, and what is written reads as the same: a device, or an application.
 */
static void check_written(int is_device, gz_device *dev, gz_app *app, const gz_note *notes)
{
    char note[128], *text;
    gz_device dev_again;
    gz_app app_again;
    gz_error error = {""};
    gz_status status = is_device ? gz_device_text(dev, notes, &text, &error)
                                 : gz_app_text(app, notes, &text, &error);
    require(status == GZ_OK, "it is written", error.text);
    status = is_device ? gz_device_parse(text, strlen(text), dev->key, &dev_again, &error)
                       : gz_app_parse(text, strlen(text), app->key, &app_again, &error);
    require(status == GZ_OK, "what is written is read", error.text);
    require(strcmp(is_device ? dev->name : app->profile_device,
                   is_device ? dev_again.name : app_again.profile_device) == 0 &&
                strcmp(note_of(text, strlen(text), note), notes[0].text) == 0,
            "texts return", text);
    for (int p = 0; p < gz_param_count(); p++) {
        const gz_quantity *q = gz_param_quantity(is_device ? dev : NULL, is_device ? NULL : app, p);
        require(!q || q->sd == gz_param_quantity(is_device ? &dev_again : NULL,
                                                 is_device ? NULL : &app_again, p)
                                   ->sd,
                "sd returns", text);
    }
    gz_text_free(text);
}

/* Reads a device, or an application, and another one of each that it goes with. */
static int accepts(const uint8_t *data, size_t size, int is_device, const gz_note *notes)
{
    const char *text = (const char *)data;
    gz_device dev;
    gz_app app;
    gz_error error = {""};
    require(!gz_device_open("gtx280", &dev, &error) && !gz_app_open("hotspot", NULL, &app, &error),
            "built-in files are valid", error.text);
    gz_status status = is_device ? gz_device_parse(text, size, "fuzz", &dev, &error)
                                 : gz_app_parse(text, size, "fuzz", &app, &error);
    if (status) {
        check_refusal(data, size, status, &error);
    } else {
        check_accepted(&dev, &app);
        check_written(is_device, &dev, &app, notes);
    }
    require((is_device ? gz_device_parse(text, size, "fuzz", &dev, NULL)
                       : gz_app_parse(text, size, "fuzz", &app, NULL)) == status,
            "asking for no message changes nothing", error.text);
    return status == GZ_OK;
}

int fuzz_accepts(const uint8_t *data, size_t size)
{
    char note[128];
    const gz_note notes[] = {{"", note_of((const char *)data, size, note)}, {NULL, NULL}};
    return accepts(data, size, 1, notes) + accepts(data, size, 0, notes) > 0;
}

const char *fuzz_start(size_t index)
{
    size_t devices = 0;
    while (gz_builtin_name(NULL, devices))
        devices++;
    if (index < devices)
        return gz_builtin_text(NULL, index);
    return gz_builtin_name("gtx280", index - devices) ? gz_builtin_text("gtx280", index - devices)
                                                      : NULL;
}
