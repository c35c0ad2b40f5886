/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibrate - the model's parameters for a device: queried, measured, counted. Installed as
 * gz-calibrate.
 *
 * Everything is measured and every file's text is made and checked before the first byte is
 * written.
 */
#include "calibration.h"
#include "contents.h"
#include "files.h"
#include "interrupt.h"
#include "options.h"
#include "registry.h"
#include "runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------- command line */

struct own {
    const char *apps;    /* folder for the application files */
    const char *stencil; /* a shared object, or NULL */
    enum gzc_counting counting;
    enum gzc_models model;
};

enum own_bit {
    OWN_QUICK = CLI_FIRST_OWN,
    OWN_FIT = CLI_FIRST_OWN << 1,
    OWN_FORCE = CLI_FIRST_OWN << 2,
    OWN_MODEL = CLI_FIRST_OWN << 3
};

static const struct cli_option own_options[] = {
    {CLI_UNASKED, 0, "apps", "DIR", "folder for the application files (default: that of -o)",
     .as = CLI_FILE, .at = offsetof(struct own, apps)},
    {OWN_QUICK, 0, "quick", NULL, "take seconds, with wider intervals", .as = CLI_FLAG},
    {OWN_FIT, 0, "fit", NULL, "also fit mu, sigma and beta, in place of the paper's",
     .as = CLI_FLAG},
    {CLI_UNASKED, 0, "counters", "USE",
     "hardware counters of an NVIDIA GPU: on, off, or beside (the default: for notes only)",
     .as = CLI_CHOICE, .at = offsetof(struct own, counting),
     .names = (const char *const[]){[GZC_COUNTERS_BESIDE] = "beside",
                                    [GZC_COUNTERS_ON] = "on",
                                    [GZC_COUNTERS_OFF] = "off",
                                    NULL}},
    {CLI_UNASKED, 0, "stencil", "FILE", "only the stencil of a shared object; see gzrun(1)",
     .as = CLI_FILE, .at = offsetof(struct own, stencil)},
    {OWN_MODEL, 0, "model", "MODEL",
     "models whose quantities are found: both (the default), meng2011 (that of --quick), or gz2",
     .as = CLI_CHOICE, .at = offsetof(struct own, model),
     .names = (const char *const[]){[GZC_MODELS_BOTH] = "both",
                                    [GZC_MODELS_MENG2011] = "meng2011",
                                    [GZC_MODELS_GZ2] = "gz2",
                                    NULL}},
    {OWN_FORCE, 0, "force", NULL, "overwrite files of another device or kind", .as = CLI_FLAG},
    {0},
};

static const struct cli_wording wordings[] = {
    {CLI_DEVICE, "DEVICE",
     "cuda:INDEX, opencl:INDEX, or INDEX for cuda (default: the first there is)"},
    {CLI_APP, "NAME", "application: only this one; a stencil that gzrun --list names"},
    {CLI_JSON, NULL, "print everything as one JSON object"},
    {0},
};

static struct own own;
static struct cli_options options;

static const struct cli_program program = {
    .name = "gz-calibrate",
    .usage =
        "Usage: gz-calibrate [-d cuda:0] -o mygpu.json\n"
        "       gz-calibrate --stencil FILE.so -o mygpu.json\n"
        "       gz-calibrate --list\n"
        "\n"
        "Queries, measures and counts the model's parameters on a device, and writes a device\n"
        "file and an application file for each stencil (or for that of -a).\n",
    .more = "Exit status: 0 success, 1 failed, 2 the command line or an input was wrong,\n"
            "77 no such device, 130 interrupted. See gz-calibrate(1), gzmodel-files(5).\n",
    .takes = CLI_DEVICE | CLI_APP | CLI_JSON | CLI_OUTPUT | CLI_LIST | CLI_QUIET | CLI_HELP |
             CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &own,
    .wordings = wordings,
};

static struct cli_progress bar;

static bool has(unsigned bit)
{
    return (options.given & bit) != 0;
}

static int fail(const struct gzk_error *error)
{
    cli_progress_end(&bar);
    return cli_fail(error->status, "%s", error->text);
}

__attribute__((format(printf, 1, 2))) static void warn(const char *format, ...)
{
    char text[1200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    cli_progress_end(&bar);
    cli_fail(0, "%s", text);
}

/* -------------------------------------------------------------------------------------- devices */

static int list(void)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    gzk_devices_list("", sheet.to);
    return cli_sheet_write(&sheet, NULL);
}

/* --------------------------------------------------------------------------------------- output */

static bool to_stdout(void)
{
    return options.output && strcmp(options.output, "-") == 0;
}

/* Whether application files are written: into --apps, or into the device file's folder. */
static bool writes_apps(void)
{
    return own.apps || (options.output && !to_stdout());
}

static char *app_path(const char *stem)
{
    char *name = cli_text("%s.json", stem);
    char *path = !name      ? NULL
                 : own.apps ? cli_text("%s/%s", own.apps, name)
                            : cli_beside(options.output, name);
    free(name);
    return path;
}

/* Refuses what must not be overwritten or cannot be written, and folders that are not there, before
 * anything is measured. */
static int check_path(const char *path, const char *device)
{
    char why[1200];
    struct stat found;
    char *folder = cli_beside(path, ".");
    bool there = folder && stat(folder, &found) == 0 && S_ISDIR(found.st_mode);
    free(folder);
    if (!there)
        return cli_fail(CLI_BAD_INPUT, "%s: there is no folder for it: create that first", path);
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
        return cli_fail(CLI_BAD_INPUT, "%s: is a folder: give the name of a file in it", path);
    if (!gzc_may_write(path, device, has(OWN_FORCE), why, sizeof why))
        return cli_fail(CLI_BAD_INPUT, "%s: give another -o or --apps, or --force", why);
    return cli_check_writable(path);
}

static int check_paths(const char *device, const struct gzk_stencil *only)
{
    int status = CLI_DONE;
    if (options.output && !to_stdout())
        status = check_path(options.output, device);
    size_t count = only ? 1 : gzk_stencil_count;
    for (size_t s = 0; s < count && writes_apps() && status == CLI_DONE; s++) {
        const struct gzk_stencil *stencil = only ? only : gzk_stencils[s];
        char *path = app_path(stencil->name);
        status = path ? check_path(path, device) : cli_fail(CLI_FAILED, "out of memory");
        if (path && options.output && cli_same_file(path, options.output))
            status = cli_fail(
                CLI_BAD_INPUT,
                "-o %s: this is also the path of the application file of %s: give another name",
                options.output, stencil->name);
        free(path);
    }
    return status;
}

static void print_entry(FILE *to, const char *key, const char *unit, const struct gzc_entry *entry)
{
    char value[40], sd[40] = "";
    if (entry->origin == GZ_ORIGIN_NONE)
        return;
    snprintf(value, sizeof value, entry->value == rint(entry->value) ? "%.0f" : "%.5g",
             entry->value);
    if (fabs(entry->value) >= 1e7)
        snprintf(value, sizeof value, "%.5g", entry->value);
    if (entry->sd > 0)
        snprintf(sd, sizeof sd, "%.2g", entry->sd);
    fprintf(to, "  %-22s %11s %9s  %-5s  %-8s  %s\n", key, value, sd, strcmp(unit, "1") ? unit : "",
            gz_name(GZ_ORIGINS, entry->origin), entry->note);
}

/* The entries of a file, behind its line. */
static void print_entries(FILE *to, const struct gzc_file *file)
{
    for (int q = 0; q < gz_param_count(); q++)
        print_entry(to, gz_param_about(q)->name, gz_param_about(q)->unit, &file->entries[q]);
}

/* The table for people. */
static void print_table(FILE *to, const struct gzc_calibration *c)
{
    fprintf(to, "%s\n  %-22s %11s %9s  %-5s  %-8s  %s\n", c->device.name, "quantity", "value", "sd",
            "unit", "origin", "note");
    print_entries(to, &c->device);
    for (const struct gzc_file *app = c->apps; app < c->apps + c->app_count; app++) {
        fprintf(to, "%s, N = %.0f\n", app->app.name, app->app.profile_elements.value);
        print_entries(to, app);
    }
}

/* Prints the table, or everything as one JSON object. */
static int print_result(const struct gzc_calibration *c, const char *device_text,
                        char *const *app_texts)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    if (has(CLI_JSON)) {
        fprintf(sheet.to, "{\"device\": %s, \"apps\": [", device_text);
        for (int a = 0; a < c->app_count; a++)
            fprintf(sheet.to, "%s%s", a ? ", " : "", app_texts[a]);
        fprintf(sheet.to, "]}\n");
    } else {
        print_table(sheet.to, c);
        if (!options.output && !writes_apps())
            fputs("not kept: -o FILE writes a device file, and its application files\n", sheet.to);
    }
    return cli_sheet_write(&sheet, NULL);
}

/* Makes all texts, which the library's reader checks; then writes them, the device's last. */
static int write_all(const struct gzc_calibration *c)
{
    gz_error why;
    char *app_texts[GZC_MAX_APPS] = {NULL};
    char *device_text = gzc_file_text(&c->device, &why);
    int status = device_text ? CLI_DONE
                             : cli_fail(CLI_FAILED, "no valid file can be made from the result: %s",
                                        why.text);
    for (int a = 0; a < c->app_count && status == CLI_DONE; a++) {
        app_texts[a] = gzc_file_text(&c->apps[a], &why);
        if (!app_texts[a])
            status = cli_fail(CLI_FAILED, "no valid file can be made from the result for %s: %s",
                              c->apps[a].app.name, why.text);
    }
    for (int a = 0; a < c->app_count && writes_apps() && status == CLI_DONE; a++) {
        char *path = app_path(c->apps[a].app.key);
        status = path ? cli_write(path, app_texts[a], strlen(app_texts[a]))
                      : cli_fail(CLI_FAILED, "out of memory");
        free(path);
    }
    if (status == CLI_DONE && options.output)
        status = cli_write(options.output, device_text, strlen(device_text));
    if (status == CLI_DONE && (!to_stdout()))
        status = print_result(c, device_text, app_texts);
    for (int a = 0; a < c->app_count; a++)
        gz_text_free(app_texts[a]);
    gz_text_free(device_text);
    return status;
}

/* The command as typed, for the files' notes. */
static void join(int argc, char **argv, char *text, size_t size)
{
    size_t at = 0;
    for (int i = 0; i < argc && at < size; i++) {
        const char *slash = strrchr(argv[i], '/');
        const char *word = i == 0 && slash ? slash + 1 : argv[i];
        int more = snprintf(text + at, size - at, "%s%s", i ? " " : "", word);
        at += more > 0 ? (size_t)more : 0;
    }
}

static int calibrate(const char *command, const struct gzk_stencil *only)
{
    struct gzk_device *device = NULL;
    struct gzk_error error;
    struct gzk_compilers compilers = {.count = 0};
    char name[GZ_NAME_SIZE];
    bool quick = has(OWN_QUICK), model = has(OWN_MODEL);
    struct gzc_request request = {.quick = quick,
                                  .fit = has(OWN_FIT),
                                  .model = quick && !model ? GZC_MODELS_MENG2011 : own.model,
                                  .counting = own.counting,
                                  .stencil = only,
                                  .command = command,
                                  .compilers = &compilers,
                                  .progress = &bar,
                                  .stop = &cli_interrupted,
                                  .warn = warn};
    bool only_gz2 = request.model == GZC_MODELS_GZ2;
    if (request.fit && only_gz2)
        return cli_fail(CLI_BAD_INPUT,
                        "--fit: cannot be given together with --model gz2: mu, sigma and beta are "
                        "factors of the 2011 model");
    /* Counts that only the 2011 model uses are taken on request. */
    if (only_gz2 && request.counting == GZC_COUNTERS_BESIDE)
        request.counting = GZC_COUNTERS_OFF;
    if (request.model != GZC_MODELS_MENG2011 || request.fit) {
        request.runs = gzc_runs_new();
        gzk_compilers_start(&compilers, GZK_MOST_COMPILERS, 0);
    }
    cli_catch_interrupts();
    int status = gzk_device_open(options.device, &device, &error) == 0 ? CLI_DONE : fail(&error);
    if (status == CLI_DONE) {
        gzc_device_name(device, name);
        status = check_paths(name, only);
    }
    struct gzc_calibration *result = cli_room(1, sizeof *result);
    if (status == CLI_DONE) {
        cli_progress_start(&bar, gzc_calibration_work(&request, only ? 1 : (int)gzk_stencil_count),
                           has(CLI_QUIET));
        if (gzc_calibrate(device, &request, result, &error) != 0)
            status = fail(&error);
        cli_progress_end(&bar);
    }
    if (status == CLI_DONE)
        status = write_all(result);
    free(result);
    gzk_compilers_stop(&compilers);
    if (request.runs)
        gzc_runs_free(request.runs);
    gzk_device_close(device);
    return status;
}

/* The one stencil that the options name; NULL for all. */
static int find_stencil(const char *app, const struct gzk_stencil **only)
{
    struct gzk_error error = {0};
    if (own.stencil && app)
        return cli_fail(CLI_BAD_INPUT, "--stencil: cannot be given together with --app");
    if (own.stencil && gzk_stencil_load(own.stencil, only, &error) != 0)
        return cli_fail(error.status, "--stencil: %s", error.text);
    if (app && !(*only = gzk_stencil_find(app)))
        return cli_fail(CLI_BAD_INPUT,
                        "-a %.60s: no such stencil: must be one that gzrun --list names", app);
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    char command[500] = "";
    int status;
    if (!cli_begin(&program, argc, argv, &options, &status))
        return status;
    if (options.word_count > 0)
        return cli_fail(CLI_BAD_INPUT, "unknown word \"%.60s\": devices are named with -d",
                        options.words[0]);
    if (has(CLI_LIST))
        return list();
    const struct gzk_stencil *only = NULL;
    status = find_stencil(options.app, &only);
    if (status != CLI_DONE)
        return status;
    join(argc, argv, command, sizeof command);
    if (to_stdout() && has(CLI_JSON))
        return cli_fail(CLI_BAD_INPUT,
                        "-o - and --json both write to standard output: give only one");
    return calibrate(command, only);
}
