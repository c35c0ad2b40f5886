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

/* What is read can be written, and what is written reads as the same. */
static double sd_of(const gz_device *dev, const gz_app *app, int param)
{
    const gz_quantity *q = gz_param_quantity((gz_device *)dev, (gz_app *)app, param);
    return q ? q->sd : 0;
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

static void check_device_written(const gz_device *dev, const gz_note *notes)
{
    char note[128];
    gz_device again;
    gz_error error = {""};
    char *text;
    require(gz_device_text(dev, notes, &text, &error) == GZ_OK, "a device is written", error.text);
    require(gz_device_parse(text, strlen(text), dev->key, &again, &error) == GZ_OK,
            "a written device is read", error.text);
    require(strcmp(dev->name, again.name) == 0 &&
                strcmp(note_of(text, strlen(text), note), notes[0].text) == 0,
            "texts return", text);
    for (int p = 0; p < gz_param_count(); p++)
        require(sd_of(dev, NULL, p) == sd_of(&again, NULL, p), "sd returns", text);
    gz_text_free(text);
}

static void check_app_written(const gz_app *app, const gz_note *notes)
{
    char note[128];
    gz_app again;
    gz_error error = {""};
    char *text;
    require(gz_app_text(app, notes, &text, &error) == GZ_OK, "an application is written",
            error.text);
    require(gz_app_parse(text, strlen(text), app->key, &again, &error) == GZ_OK,
            "a written application is read", error.text);
    require(strcmp(app->profile_device, again.profile_device) == 0 &&
                strcmp(note_of(text, strlen(text), note), notes[0].text) == 0,
            "texts return", text);
    for (int p = 0; p < gz_param_count(); p++)
        require(sd_of(NULL, app, p) == sd_of(NULL, &again, p), "sd returns", text);
    gz_text_free(text);
}

int fuzz_accepts(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    gz_device dev, dev_again, gtx280;
    gz_app app, app_again, hotspot;
    gz_error error = {""};
    char note[128];
    const gz_note notes[] = {{"", note}, {NULL, NULL}};
    require(!gz_device_open("gtx280", &gtx280, &error) &&
                !gz_app_open("hotspot", NULL, &hotspot, &error),
            "built-in files are valid", error.text);

    int accepted = 0;
    note_of(text, size, note);
    gz_status status = gz_device_parse(text, size, "fuzz", &dev, &error);
    if (status)
        check_refusal(data, size, status, &error);
    else
        check_accepted(&dev, &hotspot);
    if (!status)
        check_device_written(&dev, notes);
    require(gz_device_parse(text, size, "fuzz", &dev_again, NULL) == status,
            "asking for no message changes nothing", error.text);
    accepted |= status == GZ_OK;

    status = gz_app_parse(text, size, "fuzz", &app, &error);
    if (status)
        check_refusal(data, size, status, &error);
    else
        check_accepted(&gtx280, &app);
    if (!status)
        check_app_written(&app, notes);
    require(gz_app_parse(text, size, "fuzz", &app_again, NULL) == status,
            "asking for no message changes nothing", error.text);
    return accepted || status == GZ_OK;
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
