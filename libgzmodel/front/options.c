/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * options.c - see options.h.
 */
#include "options.h"

#include "nearest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------- values */

/* Reads a finite decimal number, the whole text of it: no white space, hexadecimal, infinity or
 * NaN. `what` names it in messages. */
static int read_number(const char *what, const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    /* strtod also takes white space, hexadecimal, "inf" and "nan" */
    bool plain = strspn(text, "0123456789.eE+-") == (size_t)(end - text);
    if (end > text && plain && strlen(end) == 1 && strchr("kK", *end))
        return cli_fail(CLI_BAD_INPUT,
                        "%s: \"%.60s\" is not a number: did you mean %.15g or %.15g?", what, text,
                        1024 * *out, 1000 * *out);
    if (end == text || *end || !plain)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: \"%.60s\" is not a number (expected, for example, 12 or 1.5e3)", what,
                        text);
    if (!isfinite(*out))
        return cli_fail(CLI_BAD_INPUT, "%s: %.60s is too large: must be at most 1.79e308", what,
                        text);
    if (errno == ERANGE)
        return cli_fail(CLI_BAD_INPUT, "%s: %.60s is too close to 0 to be represented", what, text);
    return CLI_DONE;
}

const char *cli_device_file(const char *device)
{
    for (size_t k = 0; device && gz_builtin_name(NULL, k); k++)
        if (strcmp(device, gz_builtin_name(NULL, k)) == 0)
            return NULL;
    return device;
}

const char *cli_app_file(const char *app)
{
    for (size_t k = 0; app && gz_builtin_name("generic-gpu", k); k++)
        if (strcmp(app, gz_builtin_name("generic-gpu", k)) == 0)
            return NULL;
    return app;
}

int cli_read_in_range(const char *what, const char *text, bool whole, double least, double most,
                      double *out)
{
    double value = 0;
    int status = read_number(what, text, &value);
    if (status)
        return status;
    if (value < least || value > most || (whole && value != floor(value)))
        return cli_fail(CLI_BAD_INPUT, "%s %.60s: must be a %snumber from %.15g to %.15g", what,
                        text, whole ? "whole " : "", least, most);
    *out = value;
    return CLI_DONE;
}

int cli_read_time(const char *what, const char *text, double least, double most, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
    char number[32];
    size_t n = strcspn(text, "numsh"), k = 0, count = sizeof units / sizeof *units;
    double value = 0;
    while (k < count && strcmp(text + n, units[k].name) != 0)
        k++;
    snprintf(number, sizeof number, "%.*s", (int)(k < count ? n : strlen(text)), text);
    int status = read_number(what, number, &value);
    value *= k < count ? units[k].seconds : 1;
    if (!status && !(value >= least && value <= most))
        return cli_fail(CLI_BAD_INPUT, "%s %.60s: must be from %.3gs to %.3gh", what, text, least,
                        most / 3600);
    if (!status)
        *seconds = value;
    return status;
}

int cli_read_seed(const char *what, const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return cli_fail(CLI_BAD_INPUT,
                        "%s: \"%.60s\" is not a whole number (expected, for example, 12)", what,
                        text);
    if (errno == ERANGE || value > INT64_MAX)
        return cli_fail(CLI_BAD_INPUT, "%s: %.60s is too large: must be at most %llu", what, text,
                        (unsigned long long)INT64_MAX);
    *out = value;
    return CLI_DONE;
}

int cli_read_extents(const char *what, const char *text, struct cli_extents *out)
{
    *out = (struct cli_extents){0};
    for (const char *at = text;; at++) {
        char piece[64];
        size_t length = strcspn(at, "x");
        if (out->count == GZ_MAX_DIM)
            return cli_fail(CLI_BAD_INPUT, "%s: \"%.60s\" has more than %d extents", what, text,
                            GZ_MAX_DIM);
        if (length == 0 || length >= sizeof piece)
            return cli_fail(
                CLI_BAD_INPUT,
                "%s: \"%.60s\" is not a list of extents (expected, for example, 2000 or 2000x1000)",
                what, text);
        memcpy(piece, at, length);
        piece[length] = '\0';
        double *extent = &out->length[out->count++];
        int status = read_number(what, piece, extent);
        if (status)
            return status;
        if (!(*extent >= 1) || *extent != floor(*extent))
            return cli_fail(CLI_BAD_INPUT, "%s: extent %s: must be a whole number, at least 1",
                            what, piece);
        at += length;
        if (!*at)
            return CLI_DONE;
    }
}

static int read_height(void *into, const char *text)
{
    double *height = &((struct cli_options *)into)->height;
    int status = read_number("--height", text, height);
    if (!status && !(*height > 0))
        return cli_fail(CLI_BAD_INPUT, "--height: %s is out of range: must be greater than 0",
                        text);
    return status;
}

static int read_choice(const char *what, const char *text, const char *const *names, int *value)
{
    char all[128] = "";
    for (*value = 0; names[*value]; ++*value)
        if (strcmp(text, names[*value]) == 0)
            return CLI_DONE;
    for (int k = 0; names[k]; k++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s",
                 used == 0      ? ""
                 : names[k + 1] ? ", "
                                : " or ",
                 names[k]);
    }
    return cli_fail(CLI_BAD_INPUT, "%s: \"%.60s\" is unknown: must be %s", what, text, all);
}

/* The value of a name (gz_by_name); a name that does not exist is refused with those that do. */
static int read_name(const char *what, const char *text, gz_kind kind, int *value)
{
    enum { MOST = 16 };
    const char *names[MOST + 1] = {NULL};
    for (int k = 0; k < MOST && gz_name(kind, k); k++)
        names[k] = gz_name(kind, k);
    return read_choice(what, text, names, value);
}

int cli_lengths(const char *what, const struct cli_extents *extents, const gz_app *app,
                double out[GZ_MAX_DIM])
{
    if (extents->count != 1 && extents->count != app->dim)
        return cli_fail(CLI_BAD_INPUT,
                        "%s has %d extents, but the application %s has D = %d: must be %d, or one "
                        "for all dimensions",
                        what, extents->count, app->name, app->dim, app->dim);
    for (int i = 0; i < app->dim; i++)
        out[i] = extents->length[extents->count == 1 ? 0 : i];
    return CLI_DONE;
}

/* ------------------------------------------------------------------------------------ options */

static const struct cli_option common[] = {
    {CLI_DEVICE, 'd', "device", "NAME|FILE", "device: a built-in name, or a device file",
     .as = CLI_TEXT, .at = offsetof(struct cli_options, device)},
    {CLI_APP, 'a', "app", "NAME|FILE", "application: a built-in name, or an application file",
     .as = CLI_TEXT, .at = offsetof(struct cli_options, app)},
    {CLI_SIZE, 's', "size", "LxLxL", "grid, elements; one number means all dimensions",
     .as = CLI_EXTENTS, .at = offsetof(struct cli_options, size)},
    {CLI_BLOCK, 'b', "block", "LxLxL", "thread block (the starting tile), elements; likewise",
     .as = CLI_EXTENTS, .at = offsetof(struct cli_options, block)},
    {CLI_SYNC, 'y', "sync", "MODE", "synchronisation: restart (the default), fence or graph",
     .as = CLI_NAME, .kind = GZ_SYNCS, .at = offsetof(struct cli_options, sync)},
    {CLI_HEIGHT, 'H', "height", "H", "trapezoid height, loops", .read = read_height},
    {CLI_TAU, 0, "tau", "READING", "Eq. 11's tau: printed (left out, the default) or scaled",
     .as = CLI_NAME, .kind = GZ_TAUS, .at = offsetof(struct cli_options, tau)},
    {CLI_JSON, 0, "json", NULL, "print JSON instead of a table", .as = CLI_FLAG},
    {CLI_OUTPUT, 'o', NULL, "FILE", "write to FILE instead of standard output (-)", .as = CLI_FILE,
     .at = offsetof(struct cli_options, output)},
    {CLI_LIST, 'l', "list", NULL, "list what there is to choose from", .as = CLI_FLAG},
    {CLI_QUIET, 'q', NULL, NULL, "show no progress", .as = CLI_FLAG},
    {CLI_COMPLETION, 0, "completion", NULL, "print a completion script for bash", .as = CLI_FLAG},
    {CLI_HELP, 'h', "help", NULL, "print this text", .as = CLI_FLAG},
    {CLI_VERSION, 'V', "version", NULL, "print the version", .as = CLI_FLAG},
    {0},
};

/* The next option of the program at or after `option` in one of the two tables; NULL at its end. */
static const struct cli_option *next_of(const struct cli_program *program,
                                        const struct cli_option *option)
{
    while (option && option->bit && option->bit < CLI_FIRST_OWN && !(option->bit & program->takes))
        option++;
    return option && option->bit ? option : NULL;
}

const struct cli_option *cli_first_option(const struct cli_program *program)
{
    return next_of(program, common);
}

const struct cli_option *cli_next_option(const struct cli_program *program,
                                         const struct cli_option *option)
{
    const struct cli_option *next = next_of(program, option + 1);
    return next || option->bit >= CLI_FIRST_OWN ? next : next_of(program, program->own);
}

static const struct cli_option *find_letter(const struct cli_program *program, char letter)
{
    const struct cli_option *option = cli_first_option(program);
    while (option && option->letter != letter)
        option = cli_next_option(program, option);
    return option;
}

static const struct cli_option *find_name(const struct cli_program *program, const char *name,
                                          size_t length)
{
    const struct cli_option *option = cli_first_option(program);
    while (option && !(option->name && strlen(option->name) == length &&
                       memcmp(option->name, name, length) == 0))
        option = cli_next_option(program, option);
    return option;
}

struct cli_wording cli_wording_of(const struct cli_program *program,
                                  const struct cli_option *option)
{
    for (const struct cli_wording *own = program->wordings; own && own->bit; own++)
        if (own->bit == option->bit)
            return *own;
    return (struct cli_wording){option->bit, option->argument, option->help};
}

/* Whether an option takes every word up to the next option. */
static int takes_many(const struct cli_option *option)
{
    size_t length = strlen(option->argument);
    return length > 3 && strcmp(option->argument + length - 3, "...") == 0;
}

/* Whether its argument may be left out. */
static bool is_optional(const struct cli_option *option)
{
    return option->argument && option->argument[0] == '[';
}

/* How messages call an option. */
static const char *spelling(const struct cli_option *option, char text[32])
{
    if (option->name)
        snprintf(text, 32, "--%s", option->name);
    else
        snprintf(text, 32, "-%c", option->letter);
    return text;
}

static int store(const struct cli_option *option, char *into, const char *text)
{
    void *at = into + option->at;
    char what[32];
    double number = 0;
    int status = CLI_DONE, choice = 0, *places = at;
    bool automatic = option->automatic && strcmp(text, "auto") == 0;
    spelling(option, what);
    switch (option->as) {
    case CLI_TEXT:
    case CLI_FILE:
        if (!*text)
            return cli_fail(CLI_BAD_INPUT, "%s: the %s is empty", what,
                            option->as == CLI_FILE ? "path" : "name");
        *(const char **)at = text;
        return CLI_DONE;
    case CLI_REAL:
    case CLI_WHOLE:
        return cli_read_in_range(what, text, option->as == CLI_WHOLE, option->least, option->most,
                                 at);
    case CLI_INT:
    case CLI_LONG:
        number = option->least - 1;
        if (!automatic)
            status = cli_read_in_range(what, text, true, option->least, option->most, &number);
        if (!status && option->as == CLI_INT)
            *(int *)at = (int)number;
        else if (!status)
            *(long *)at = (long)number;
        return status;
    case CLI_TIME:
        return cli_read_time(what, text, option->least, option->most, at);
    case CLI_SEED:
        return cli_read_seed(what, text, at);
    case CLI_EXTENTS:
        if (automatic)
            *(struct cli_extents *)at = (struct cli_extents){0};
        return automatic ? CLI_DONE : cli_read_extents(what, text, at);
    case CLI_NUMBERS:
        return cli_read_numbers(what, text, option->least, option->most, at);
    case CLI_SHAPES:
        return cli_read_shapes(what, text, at);
    case CLI_PLACES:
        for (int k = 0; k < option->places && automatic; k++)
            places[k] = (int)option->least - 1;
        return automatic ? CLI_DONE
                         : cli_read_places(what, text, option->least, option->most, option->places,
                                           places);
    case CLI_NAME:
    case CLI_CHOICE:
        status = option->as == CLI_NAME ? read_name(what, text, option->kind, &choice)
                                        : read_choice(what, text, option->names, &choice);
        if (!status)
            memcpy(at, &choice, sizeof choice);
        return status;
    default:
        if (option->at > 0)
            *(bool *)at = true;
        return CLI_DONE;
    }
}

/* FNV-1a of a text, its end included, after others. */
static uint64_t hash(uint64_t before, const char *text)
{
    do
        before = (before ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return before;
}

static int accept(const struct cli_program *program, const struct cli_option *option,
                  const char *argument, struct cli_options *out)
{
    char name[32];
    out->given |= option->bit;
    if (!(option->bit & CLI_OF_PROCESS))
        out->request = hash(hash(out->request, spelling(option, name)), argument ? argument : "");
    void *into = option->bit < CLI_FIRST_OWN ? (void *)out : program->own_into;
    return option->read ? option->read(into, argument) : store(option, into, argument);
}

/* Where reading is: argv[next] is the next word. */
struct cursor {
    int argc, next;
    char **argv;
};

/* Accepts an option whose argument is `attached`, if that is not NULL, or the next word, with
 * those that follow if it takes many. */
static int take(const struct cli_program *program, const struct cli_option *option,
                const char *attached, struct cursor *at, struct cli_options *out)
{
    if (!option->argument || (!attached && is_optional(option)))
        return accept(program, option, NULL, out);
    if (!attached && at->next >= at->argc) {
        char text[32];
        return cli_fail(CLI_BAD_INPUT, "%s needs an argument: %s", spelling(option, text),
                        cli_wording_of(program, option).argument);
    }
    int status = accept(program, option, attached ? attached : at->argv[at->next++], out);
    while (!status && takes_many(option) && at->next < at->argc && at->argv[at->next][0] != '-')
        status = accept(program, option, at->argv[at->next++], out);
    return status;
}

/* No option is `word`, whose name has so many letters. */
static int unknown_option(const struct cli_program *program, const char *word, size_t length)
{
    char name[40];
    const char *nearest = NULL;
    int nearness = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    for (const struct cli_option *o = cli_first_option(program); o; o = cli_next_option(program, o))
        if (o->name && gzi_nearness(name, o->name) > nearness) {
            nearest = o->name;
            nearness = gzi_nearness(name, nearest);
        }
    if (nearest)
        return cli_fail(CLI_BAD_INPUT, "unknown option %.60s: did you mean --%s?", word, nearest);
    return cli_fail(CLI_BAD_INPUT, "unknown option %.60s: %s --help lists them", word,
                    program->name);
}

/* A word "--name" or "--name=argument". */
static int parse_long(const struct cli_program *program, const char *word, struct cursor *at,
                      struct cli_options *out)
{
    size_t length = strcspn(word + 2, "=");
    const struct cli_option *option = find_name(program, word + 2, length);
    const char *attached = word[2 + length] ? word + 2 + length + 1 : NULL;
    if (!option)
        return unknown_option(program, word, length);
    if (attached && !option->argument)
        return cli_fail(CLI_BAD_INPUT, "--%s takes no argument", option->name);
    return take(program, option, attached, at, out);
}

/* A word "-x", "-xargument" or "-xyz", several options without argument. */
static int parse_short(const struct cli_program *program, const char *word, struct cursor *at,
                       struct cli_options *out)
{
    int status = CLI_DONE;
    for (const char *letter = word + 1; *letter && !status; letter++) {
        const struct cli_option *option = find_letter(program, *letter);
        if (!option)
            return cli_fail(CLI_BAD_INPUT, "unknown option -%c: %s --help lists them", *letter,
                            program->name);
        if (option->argument)
            return take(program, option, letter[1] ? letter + 1 : NULL, at, out);
        status = accept(program, option, NULL, out);
    }
    return status;
}

/* -------------------------------------------------------------------------------- help, version */

static int help(const struct cli_program *program)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    fputs(program->usage, sheet.to);
    fputs("\nOptions:\n", sheet.to);
    for (const struct cli_option *option = cli_first_option(program); option;
         option = cli_next_option(program, option)) {
        char letter[8] = "    ", forms[64];
        struct cli_wording wording = cli_wording_of(program, option);
        const char *argument = wording.argument ? wording.argument : "";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c%s", option->letter, option->name ? ", " : "");
        snprintf(forms, sizeof forms, "%s%s%s%s%s", letter, option->name ? "--" : "",
                 option->name ? option->name : "", strchr(argument, '[') ? "" : " ", argument);
        fprintf(sheet.to, "  %-24s %s\n", forms, wording.help);
    }
    fputs("\n", sheet.to);
    fputs(program->more, sheet.to);
    return cli_sheet_write(&sheet, NULL);
}

static int version(const struct cli_program *program)
{
    char text[64];
    int size = snprintf(text, sizeof text, "%s %s\n", program->name, gz_version());
    return cli_write(NULL, text, (size_t)size);
}

/* ---------------------------------------------------------------------------- the command line */

/* What is answered at once. */
enum { ANSWERED = CLI_HELP | CLI_VERSION | CLI_COMPLETION };

static int parse(const struct cli_program *program, int argc, char **argv, struct cli_options *out)
{
    struct cursor at = {argc, 1, argv};
    int ended = 0, status = CLI_DONE;
    *out = (struct cli_options){
        .request = UINT64_C(0xcbf29ce484222325), .sync = GZ_SYNC_RESTART, .tau = GZ_TAU_PRINTED};
    while (at.next < argc && !status && !(out->given & ANSWERED)) {
        const char *word = argv[at.next++];
        if (!ended && strcmp(word, "--") == 0)
            ended = 1;
        else if (!ended && strncmp(word, "--", 2) == 0)
            status = parse_long(program, word, &at, out);
        else if (!ended && word[0] == '-' && word[1])
            status = parse_short(program, word, &at, out);
        else if (out->word_count == CLI_MAX_WORDS)
            status = cli_fail(CLI_BAD_INPUT, "too many words: \"%.60s\" and what follows", word);
        else
            out->words[out->word_count++] = word;
    }
    return status;
}

bool cli_begin(const struct cli_program *program, int argc, char **argv, struct cli_options *out,
               int *status)
{
    cli_set_program(program->name);
    *status = parse(program, argc, argv, out);
    if (*status != CLI_DONE || !(out->given & ANSWERED))
        return *status == CLI_DONE;
    *status = out->given & CLI_HELP      ? help(program)
              : out->given & CLI_VERSION ? version(program)
                                         : cli_completion(program);
    return false;
}

int cli_allow(const struct cli_program *program, const struct cli_options *options,
              unsigned allowed, const char *command)
{
    for (const struct cli_option *option = cli_first_option(program); option;
         option = cli_next_option(program, option))
        if (option->bit & options->given & ~allowed) {
            char text[32];
            return cli_fail(CLI_BAD_INPUT, "%s does not take %s", command, spelling(option, text));
        }
    return CLI_DONE;
}
