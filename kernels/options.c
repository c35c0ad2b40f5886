/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char gzk_options_help[] =
    "usage: gzrun [options]\n"
    "Runs one stencil kernel on one device at one configuration, checks and times it.\n"
    "\n"
    "  -a, --app NAME         stencil (default hotspot); --list names them\n"
    "  -d, --device DEVICE    cuda:0, opencl:0, ..., or an index for cuda\n"
    "                         (default cuda:0 where there is one, else opencl:0)\n"
    "  -s, --size 2000x2000   grid, x first; one number means all dimensions\n"
    "  -b, --block 20x20      starting tile, ghost zone included\n"
    "  -H, --height N         loops per stage (default 1)\n"
    "  -y, --sync MODE        restart (default), fence or graph\n"
    "      --threads 32x8     threads of a work-group (default: the block, or what fits)\n"
    "      --variant KIND     trapezoid (default) or naive\n"
    "      --contract on|off  let a multiplication and an addition round once (default on)\n"
    "      --loops N          loops in all (default 60)\n"
    "      --runs N           timed runs (default: until the spread is small)\n"
    "      --budget SECONDS   time on the device after which no further run starts (default 2)\n"
    "      --seed N           of the random input (default 1)\n"
    "      --verify           compare the result with the serial reference\n"
    "      --input FILE...    read the state, then the arrays that do not change\n"
    "      --output FILE      write the final state\n"
    "      --t4 FILE          write the result in the T4 format of auto-tuners\n"
    "      --json             print the result as JSON\n"
    "  -o FILE                write the result to FILE; - is stdout\n"
    "      --tau              accepted for the other programs' sake; means nothing here\n"
    "  -l, --list             list stencils and devices\n"
    "  -q                     no progress on stderr\n"
    "  -h, --help             this text\n"
    "  -V, --version          the version\n";

enum option_id {
    APP,
    BLOCK,
    BUDGET,
    CONTRACT,
    DEVICE,
    HEIGHT,
    HELP,
    INPUT,
    JSON,
    LIST,
    LOOPS,
    OUTPUT,
    QUIET,
    RESULT,
    RUNS,
    SEED,
    SIZE,
    SYNC,
    T4,
    TAU,
    THREADS,
    VARIANT,
    VERIFY,
    VERSION
};

struct option {
    enum option_id id;
    char letter;      /* 0 where there is none */
    const char *name; /* NULL where there is none */
    bool takes_value;
};

static const struct option options_known[] = {
    {APP, 'a', "app", true},       {BLOCK, 'b', "block", true},
    {BUDGET, 0, "budget", true},   {CONTRACT, 0, "contract", true},
    {DEVICE, 'd', "device", true}, {HEIGHT, 'H', "height", true},
    {HELP, 'h', "help", false},    {INPUT, 0, "input", true},
    {JSON, 0, "json", false},      {LIST, 'l', "list", false},
    {LOOPS, 0, "loops", true},     {OUTPUT, 0, "output", true},
    {QUIET, 'q', NULL, false},     {RESULT, 'o', NULL, true},
    {RUNS, 0, "runs", true},       {SEED, 0, "seed", true},
    {SIZE, 's', "size", true},     {SYNC, 'y', "sync", true},
    {T4, 0, "t4", true},           {TAU, 0, "tau", false},
    {THREADS, 0, "threads", true}, {VARIANT, 0, "variant", true},
    {VERIFY, 0, "verify", false},  {VERSION, 'V', "version", false},
};

/* What was given, to be interpreted once the stencil is known. */
struct given {
    const char *app, *size, *block, *threads;
};

/* Finds the option that `argument` names; `*value` becomes what is attached to it, or NULL. */
static const struct option *find(const char *argument, const char **value)
{
    bool is_long = argument[1] == '-';
    const char *name = argument + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;

    *value = NULL;
    if (is_long ? name[length] == '=' : name[1] != '\0')
        *value = name + length + (is_long ? 1 : 0);
    for (size_t i = 0; i < sizeof options_known / sizeof *options_known; i++) {
        const struct option *option = &options_known[i];
        if (is_long ? option->name && strlen(option->name) == length &&
                          strncmp(option->name, name, length) == 0
                    : option->letter && option->letter == *name)
            return option;
    }
    return NULL;
}

/* Reads a whole number in [least, most]. */
static int read_long(const char *what, const char *text, long least, long most, long *value,
                     struct gzk_error *error)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno == ERANGE || *value < least || *value > most)
        return gzk_fail(error, GZK_INVALID, "%s %s: a whole number from %ld to %ld is expected",
                        what, text, least, most);
    return 0;
}

/* Reads AxBxC for `dimensions` dimensions, or one number for all of them. */
static int read_extents(const char *what, const char *text, int dimensions, int extents[3],
                        struct gzk_error *error)
{
    static const char *const shapes[] = {"", "1000", "1000x1000", "100x100x100"};
    const char *place = text;
    int count = 0;

    extents[0] = extents[1] = extents[2] = 1;
    while (count < dimensions) {
        char *end;
        errno = 0;
        long extent = strtol(place, &end, 10);
        if (end == place || *place == '+' || *place == '-' || *place == ' ' || errno == ERANGE ||
            extent < 1 || extent > INT_MAX)
            break;
        extents[count++] = (int)extent;
        if (*end == '\0') {
            if (count == 1)
                for (int i = 1; i < dimensions; i++)
                    extents[i] = extents[0];
            if (count == 1 || count == dimensions)
                return 0;
            break;
        }
        if (*end != 'x')
            break;
        place = end + 1;
    }
    return gzk_fail(error, GZK_INVALID,
                    "%s %s: %d whole number%s from 1 on %s expected, like %s; one number means all",
                    what, text, dimensions, dimensions > 1 ? "s" : "",
                    dimensions > 1 ? "are" : "is", shapes[dimensions]);
}

/* Finds `text` among `count` choices. */
static int read_choice(const char *what, const char *text, const char *const *choices, int count,
                       int *choice, struct gzk_error *error)
{
    char list[100] = "";
    for (*choice = 0; *choice < count; ++*choice) {
        if (strcmp(text, choices[*choice]) == 0)
            return 0;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *choice ? ", " : "",
                 choices[*choice]);
    }
    return gzk_fail(error, GZK_INVALID, "%s %s: one of %s is expected", what, text, list);
}

static int take_flag(enum option_id id, struct gzk_options *options)
{
    switch (id) {
    case HELP:
        options->help = true;
        break;
    case JSON:
        options->json = true;
        break;
    case LIST:
        options->list = true;
        break;
    case QUIET:
        options->quiet = true;
        break;
    case VERIFY:
        options->verify = true;
        break;
    case VERSION:
        options->version = true;
        break;
    default: /* --tau */
        break;
    }
    return 0;
}

static int take_number(enum option_id id, const char *value, struct gzk_options *options,
                       struct gzk_error *error)
{
    long number = 0;
    int status;
    char *end;

    switch (id) {
    case HEIGHT:
        status = read_long("--height", value, 1, INT_MAX, &number, error);
        options->config.height = (int)number;
        return status;
    case LOOPS:
        return read_long("--loops", value, 1, 1000000000, &options->config.loops, error);
    case RUNS:
        status = read_long("--runs", value, 1, 1000, &number, error);
        options->runs = (int)number;
        return status;
    case SEED:
        status = read_long("--seed", value, 0, LONG_MAX, &number, error);
        options->seed = (uint64_t)number;
        return status;
    default: /* --budget */
        options->budget_s = strtod(value, &end);
        if (end == value || *end != '\0' || !(options->budget_s > 0) || isinf(options->budget_s))
            return gzk_fail(error, GZK_INVALID,
                            "--budget %s: a number of seconds above 0 is "
                            "expected",
                            value);
        return 0;
    }
}

static int take_value(enum option_id id, const char *value, struct gzk_options *options,
                      struct given *given, struct gzk_error *error)
{
    static const char *const syncs[] = {"restart", "fence", "graph"};
    static const char *const variants[] = {"trapezoid", "naive"};
    static const char *const switches[] = {"off", "on"};
    int choice = 0, status = 0;

    switch (id) {
    case APP:
        given->app = value;
        break;
    case BLOCK:
        given->block = value;
        break;
    case CONTRACT:
        status = read_choice("--contract", value, switches, 2, &choice, error);
        options->config.contract = choice == 1;
        break;
    case DEVICE:
        options->device = value;
        break;
    case INPUT:
        if (options->input_count == GZK_MAX_INPUTS)
            return gzk_fail(error, GZK_INVALID, "--input %s: at most %d files", value,
                            (int)GZK_MAX_INPUTS);
        options->inputs[options->input_count++] = value;
        break;
    case OUTPUT:
        options->output = value;
        break;
    case RESULT:
        options->result = strcmp(value, "-") == 0 ? NULL : value;
        break;
    case SIZE:
        given->size = value;
        break;
    case SYNC:
        status = read_choice("--sync", value, syncs, 3, &choice, error);
        options->config.sync = (enum gzk_sync)choice;
        break;
    case T4:
        options->t4 = value;
        break;
    case THREADS:
        given->threads = value;
        break;
    case VARIANT:
        status = read_choice("--variant", value, variants, 2, &choice, error);
        options->config.variant = (enum gzk_variant)choice;
        break;
    default:
        return take_number(id, value, options, error);
    }
    return status;
}

/* Interprets what depends on the stencil. */
static int settle(struct gzk_options *options, const struct given *given, struct gzk_error *error)
{
    struct gzk_config *config = &options->config;
    const struct gzk_stencil *stencil = gzk_stencil_find(given->app);
    int status = 0;

    if (!stencil) {
        char list[300] = "";
        for (size_t i = 0; i < gzk_stencil_count; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                     gzk_stencils[i].name);
        return gzk_fail(error, GZK_INVALID, "--app %s: kernels exist for %s", given->app, list);
    }
    config->stencil = stencil;
    memcpy(config->size, stencil->default_size, sizeof config->size);
    memcpy(config->block, stencil->default_block, sizeof config->block);
    if (given->size)
        status = read_extents("--size", given->size, stencil->dimensions, config->size, error);
    if (status == 0 && given->block)
        status = read_extents("--block", given->block, stencil->dimensions, config->block, error);
    if (status == 0 && given->threads) {
        options->threads_given = true;
        status =
            read_extents("--threads", given->threads, stencil->dimensions, config->threads, error);
    }
    return status;
}

int gzk_options_read(int argc, char **argv, struct gzk_options *options, struct gzk_error *error)
{
    struct given given = {.app = "hotspot"};
    int status = 0;

    *options = (struct gzk_options){
        .config = {.height = 1, .loops = 60, .contract = true}, .budget_s = 2, .seed = 1};
    for (int i = 1; i < argc && status == 0; i++) {
        const struct option *option;
        const char *value;

        if (argv[i][0] != '-' || argv[i][1] == '\0')
            return gzk_fail(error, GZK_INVALID, "%s: options begin with -; see gzrun --help",
                            argv[i]);
        option = find(argv[i], &value);
        if (!option)
            return gzk_fail(error, GZK_INVALID, "%s: no such option; see gzrun --help", argv[i]);
        if (!option->takes_value) {
            if (value)
                return gzk_fail(error, GZK_INVALID, "%s: takes no value", argv[i]);
            take_flag(option->id, options);
            if (options->help || options->version || options->list)
                return 0;
            continue;
        }
        if (!value && i + 1 < argc)
            value = argv[++i];
        if (!value || *value == '\0')
            return gzk_fail(error, GZK_INVALID, "%s: a value is missing", argv[argc - 1]);
        status = take_value(option->id, value, options, &given, error);
        while (status == 0 && option->id == INPUT && i + 1 < argc && argv[i + 1][0] != '-')
            status = take_value(INPUT, argv[++i], options, &given, error);
    }
    return status == 0 ? settle(options, &given, error) : status;
}
