/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 045-write - what the library writes reads back as the same structure, with the same notes, to the
 * last bit; what its reader would refuse is not written; which application's file is found.
 */
#include "cases.h"
#include "gzmodel/parameters.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CASES 300

static gz_error error;

/* Equal in every quantity, by bits of the numbers and not of the padding. */
static int same_quantities(gz_device *a, gz_device *b, gz_app *x, gz_app *y)
{
    int same = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        const gz_quantity *q = gz_param_quantity(a, x, p), *r = gz_param_quantity(b, y, p);
        same &= !q || (q->value == r->value && q->sd == r->sd && q->origin == r->origin);
    }
    return same;
}

/* Whether a file has that note on a quantity, or, by "", on itself; "": none. */
static int has_note(const json_t *root, const char *name, const char *want)
{
    const json_t *profile = json_object_get(root, "profile"), *owner = root;
    if (name[0]) {
        owner = json_object_get(root, name);
        owner = owner ? owner : json_object_get(profile, name);
        owner = owner ? owner
                      : json_object_get(profile, name + 8 * (strncmp(name, "profile_", 8) == 0));
    }
    const char *note = json_string_value(json_object_get(owner, "note"));
    return root && strcmp(note ? note : "", want) == 0;
}

/* Whether a text has these notes, and no others. */
static int has_notes(const char *text, const gz_note *notes)
{
    json_t *root = json_loads(text, 0, NULL);
    int same = 1;
    for (int p = -1; p < gz_param_count(); p++) {
        const char *name = p < 0 ? "" : gz_param_about(p)->name, *want = "";
        for (const gz_note *n = notes; n && n->name; n++)
            if (strcmp(n->name, name) == 0)
                want = n->text;
        same &= has_note(root, name, want);
    }
    json_decref(root);
    return same;
}

/* Whether a device survives being written and read; the key is its file's. */
static int device_returns(gz_device *dev, const gz_note *notes)
{
    gz_device again;
    char *text;
    if (gz_device_text(dev, notes, &text, &error) ||
        gz_device_parse(text, strlen(text), dev->key, &again, &error)) {
        tap_note("%s", error.text);
        return 0;
    }
    int noted = has_notes(text, notes);
    gz_text_free(text);
    return same_quantities(dev, &again, NULL, NULL) && strcmp(dev->name, again.name) == 0 &&
           strcmp(dev->key, again.key) == 0 && noted;
}

static int app_returns(gz_app *app, const gz_note *notes)
{
    gz_app again;
    char *text;
    if (gz_app_text(app, notes, &text, &error) ||
        gz_app_parse(text, strlen(text), app->key, &again, &error)) {
        tap_note("%s", error.text);
        return 0;
    }
    int noted = has_notes(text, notes);
    gz_text_free(text);
    return same_quantities(NULL, NULL, app, &again) && strcmp(app->name, again.name) == 0 &&
           strcmp(app->key, again.key) == 0 &&
           strcmp(app->profile_device, again.profile_device) == 0 && app->dim == again.dim &&
           memcmp(app->halo_width, again.halo_width, sizeof app->halo_width) == 0 && noted;
}

static void builtin(void)
{
    gz_device dev;
    gz_app app;
    int devices = 1, apps = 1, noted = 0;
    for (size_t d = 0; gz_builtin_name(NULL, d); d++) {
        const char *name = gz_builtin_name(NULL, d);
        devices &= !gz_device_open(name, &dev, &error) && strcmp(dev.key, name) == 0;
        devices &= device_returns(&dev, NULL);
        for (size_t a = 0; gz_builtin_name(name, a); a++) {
            const char *app_name = gz_builtin_name(name, a);
            apps &= !gz_app_open(app_name, name, &app, &error) && strcmp(app.key, app_name) == 0 &&
                    gz_profile_matches(&dev, &app);
            apps &= app_returns(&app, NULL);
            json_t *file = json_loads(gz_builtin_text(name, a), 0, NULL);
            noted += !has_note(file, "insts_per_sm_iter", "");
            json_decref(file);
        }
    }
    tap_ok(devices, "the built-in devices return");
    tap_ok(apps && noted > 0, "and their applications, with their notes");
}

/* A quantity in its range, with as many digits as it can have: all ranges hold 1, and those of
 * times, rates and shares what is below. */
static gz_quantity random_quantity(gsl_rng *rng, int param)
{
    static const char *const fractional[] = {"Hz", "B/s", "cycle"};
    int whole_only = param != GZ_P_FENCE_EXPOSURE && param != GZ_P_LATENCY_HIDING &&
                     param != GZ_P_DIMENSION_PENALTY && param != GZ_P_INSTS_PER_SM_ITER;
    for (int k = 0; k < 3; k++)
        whole_only &= strcmp(gz_param_about(param)->unit, fractional[k]) != 0;
    return (gz_quantity){.value = whole_only ? 1 : log_uniform(rng, 1e-12, 1),
                         .sd = gsl_rng_uniform_int(rng, 2) ? 0 : log_uniform(rng, 1e-300, 1e300),
                         .origin = (gz_origin)whole(rng, GZ_ORIGIN_PAPER, GZ_ORIGIN_DEFAULT)};
}

/* Any quantities of the table, at random. */
static void random_files(gsl_rng *rng)
{
    static gz_note notes[GZ_PARAM_CAPACITY + 2];
    static const char *const texts[] = {"", "plain", "\"quoted\" \\ and\ttabbed",
                                        "\xc3\xa9t\xc3\xa9"};
    int devices = 1, apps = 1;
    for (int k = 0; k < CASES; k++) {
        gz_device dev;
        gz_app app;
        gz_device_open("gtx280", &dev, NULL);
        gz_app_open("hotspot", NULL, &app, NULL);
        int n = 0;
        notes[n++] = (gz_note){"", texts[k % 4]};
        for (int p = 0; p < gz_param_count(); p++) {
            gz_quantity *q = gz_param_quantity(&dev, &app, p);
            if (!q || gsl_rng_uniform_int(rng, 4) == 0)
                continue;
            if (gz_param_quantity(&dev, NULL, p))
                notes[n++] = (gz_note){gz_param_about(p)->name, texts[gsl_rng_uniform_int(rng, 4)]};
            *q = random_quantity(rng, p);
        }
        notes[n] = (gz_note){NULL, NULL};
        devices &= device_returns(&dev, notes);
        const gz_note of_app[] = {
            {"", texts[k % 4]}, {"insts_per_sm_misc", texts[3 - k % 4]}, {NULL, NULL}};
        apps &= app_returns(&app, of_app);
    }
    tap_ok(devices, "%d random devices return to the last bit", CASES);
    tap_ok(apps, "%d random applications", CASES);
}

static void notes_of_any_length(void)
{
    gz_device dev;
    char *text, longer[4096];
    gz_device_open("gtx280", &dev, NULL);
    for (size_t i = 0; i + 2 < sizeof longer; i += 2)
        memcpy(longer + i, "\xc3\xa9", 3);
    const gz_note notes[] = {{"", longer}, {"cpi", longer}, {NULL, NULL}};
    int written = gz_device_text(&dev, notes, &text, &error) == GZ_OK;
    tap_ok(written && has_notes(text, notes), "notes of any length can be written");
    gz_text_free(text);
}

/* Refuses CALL with the status and a word of the message, and hands no text out. */
#define REFUSED(call, want, word)                                                                  \
    do {                                                                                           \
        char *text = (char *)1;                                                                    \
        gz_status status = call;                                                                   \
        tap_ok(status == want && !text && strstr(error.text, word), "%s", error.text);             \
    } while (0)

static void refusals(void)
{
    gz_device gtx280, dev;
    gz_app hotspot, app;
    gz_device_open("gtx280", &gtx280, NULL);
    gz_app_open("hotspot", NULL, &hotspot, NULL);
    dev = gtx280;
    dev.cpi.value = (double)NAN;
    REFUSED(gz_device_text(&dev, NULL, &text, &error), GZ_EFORMAT, "not a finite number");
    dev = gtx280;
    dev.sm_count.value = 2.5;
    REFUSED(gz_device_text(&dev, NULL, &text, &error), GZ_EFORMAT, "sm_count");
    dev = gtx280;
    dev.graph_overhead.value = 1; /* without origin */
    REFUSED(gz_device_text(&dev, NULL, &text, &error), GZ_EFORMAT, "graph_overhead");
    dev = gtx280;
    dev.cpi.origin = (gz_origin)99;
    REFUSED(gz_device_text(&dev, NULL, &text, &error), GZ_EFORMAT, "cannot be written");
    dev = gtx280;
    strcpy(dev.name, "\xff");
    REFUSED(gz_device_text(&dev, NULL, &text, &error), GZ_EFORMAT, "not UTF-8");
    app = hotspot;
    app.insts_per_sm_iter.value = -1;
    REFUSED(gz_app_text(&app, NULL, &text, &error), GZ_EFORMAT, "insts_per_sm_iter");
    app = hotspot;
    app.dim = 0;
    REFUSED(gz_app_text(&app, NULL, &text, &error), GZ_EFORMAT, "halo_width");
}

static int put(const char *path, char *text)
{
    FILE *file = fopen(path, "w");
    int done = file && text && fputs(text, file) >= 0;
    done = file && fclose(file) == 0 && done;
    gz_text_free(text);
    return done;
}

static void files(void)
{
    gz_device dev, read;
    char *text;
    gz_app app, read_app;
    struct stat found;
    char folder[] = "/tmp/gz-write-XXXXXX", path[64], other[64];
    if (!mkdtemp(folder))
        exit(1);
    gz_device_open("gtx280", &dev, NULL);
    gz_app_open("hotspot", NULL, &app, NULL);
    snprintf(path, sizeof path, "%s/device.json", folder);
    tap_ok(!gz_device_text(&dev, NULL, &text, &error) && put(path, text) &&
               !gz_device_open(path, &read, &error),
           "a device file is made and read");
    tap_ok(strcmp(read.key, folder + strlen("/tmp/")) == 0, "device.json is known by its folder");
    snprintf(other, sizeof other, "%s/hotspot.json", folder);
    app.insts_per_sm_iter.value = 4711;
    strcpy(app.profile_device, "elsewhere");
    tap_ok(!gz_app_text(&app, NULL, &text, &error) && put(other, text) &&
               !gz_app_open("hotspot", path, &read_app, &error) &&
               read_app.insts_per_sm_iter.value == 4711 && strcmp(read_app.key, "hotspot") == 0,
           "an application beside the device's file is found before the built-in one");
    tap_ok(!gz_profile_matches(&read, &read_app), "and says that it is another device's");
    tap_ok(!gz_app_open("poisson", path, &read_app, &error) &&
               strcmp(read_app.profile_device, "GeForce GTX 280") == 0,
           "one that is not beside it is the built-in one, and says so");
    tap_ok(!gz_app_open(other, NULL, &read_app, &error) && read_app.insts_per_sm_iter.value == 4711,
           "a path is a path");
    unlink(other);
    unlink(path);
    tap_ok(rmdir(folder) == 0 && stat(folder, &found) != 0, "nothing else was left behind");
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    builtin();
    random_files(rng);
    notes_of_any_length();
    refusals();
    files();
    gsl_rng_free(rng);
    return tap_done();
}
