/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmdline.h"

#include "files.h"
#include "registry.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What gzrun's own options store, some of it to be interpreted once the stencil is known. */
static struct own {
    struct gzk_options *options;
    struct cli_extents threads;
    const char *stencil; /* a shared object, or NULL */
} own;

enum own_bit {
    OWN_THREADS = CLI_FIRST_OWN,
    OWN_VARIANT = CLI_FIRST_OWN << 1,
    OWN_CONTRACT = CLI_FIRST_OWN << 2,
    OWN_LOOPS = CLI_FIRST_OWN << 3,
    OWN_RUNS = CLI_FIRST_OWN << 4,
    OWN_BUDGET = CLI_FIRST_OWN << 5,
    OWN_SEED = CLI_FIRST_OWN << 6,
    OWN_VERIFY = CLI_FIRST_OWN << 7,
    OWN_INPUT = CLI_FIRST_OWN << 8,
    OWN_OUTPUT = CLI_FIRST_OWN << 9,
    OWN_T4 = CLI_FIRST_OWN << 10,
    OWN_MATRIX = CLI_FIRST_OWN << 11,
    OWN_ADAPTIVE = CLI_FIRST_OWN << 12,
    OWN_STENCIL = CLI_FIRST_OWN << 13,
    OWN_PIECE = CLI_FIRST_OWN << 14
};

static struct gzk_options *options_of(void *into)
{
    return ((struct own *)into)->options;
}

/* Reads a whole number in [least, most]; doubles hold those up to 2^53 exactly. */
static int read_whole(const char *what, const char *text, double least, double most, double *value)
{
    int status = cli_read_number(what, text, value);
    if (status == CLI_DONE && (*value != floor(*value) || *value < least || *value > most))
        return cli_fail(CLI_BAD_INPUT,
                        "%s: %.60s is out of range: must be a whole number from "
                        "%.0f to %.0f",
                        what, text, least, most);
    return status;
}

static int read_threads(void *into, const char *text)
{
    return cli_read_extents("--threads", text, &((struct own *)into)->threads);
}

static int read_variant(void *into, const char *text)
{
    char list[200] = "";
    for (int k = 0; k < gzk_variant_count; k++) {
        size_t length = strlen(list);
        if (strcmp(text, gzk_variants[k].name) == 0) {
            options_of(into)->config.variant = (enum gzk_variant)k;
            return CLI_DONE;
        }
        snprintf(list + length, sizeof list - length, "%s%s",
                 k == 0                       ? ""
                 : k == gzk_variant_count - 1 ? " or "
                                              : ", ",
                 gzk_variants[k].name);
    }
    return cli_fail(CLI_BAD_INPUT, "--variant: \"%.60s\" is unknown: must be %s", text, list);
}

static int read_contract(void *into, const char *text)
{
    bool on = strcmp(text, "on") == 0;
    if (!on && strcmp(text, "off") != 0)
        return cli_fail(CLI_BAD_INPUT, "--contract: \"%.60s\" is unknown: must be on or off", text);
    options_of(into)->config.contract = on;
    return CLI_DONE;
}

static int read_loops(void *into, const char *text)
{
    double loops = 0;
    int status = read_whole("--loops", text, 1, 1e9, &loops);
    options_of(into)->config.loops = (long)loops;
    return status;
}

static int read_runs(void *into, const char *text)
{
    double runs = 0;
    int status = read_whole("--runs", text, 1, GZK_MAX_RUNS, &runs);
    options_of(into)->runs = (int)runs;
    return status;
}

static int read_seed(void *into, const char *text)
{
    return cli_read_seed("--seed", text, &options_of(into)->seed);
}

static int read_budget(void *into, const char *text)
{
    double *budget_s = &options_of(into)->budget_s;
    int status = cli_read_number("--budget", text, budget_s);
    if (status == CLI_DONE && !(*budget_s > 0))
        return cli_fail(CLI_BAD_INPUT, "--budget: %.60s is out of range: must be greater than 0",
                        text);
    return status;
}

static int read_input(void *into, const char *text)
{
    struct gzk_options *options = options_of(into);
    if (options->input_count == GZK_MAX_INPUTS)
        return cli_fail(CLI_BAD_INPUT,
                        "--input: \"%.60s\" is one too many: must be at most %d files", text,
                        (int)GZK_MAX_INPUTS);
    options->inputs[options->input_count++] = text;
    return CLI_DONE;
}

static int read_file(const char *what, const char *text, const char **name)
{
    *name = text;
    return *text ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "%s: the name of the file is empty", what);
}

static int read_output(void *into, const char *text)
{
    return read_file("--output", text, &options_of(into)->output);
}

static int read_matrix(void *into, const char *text)
{
    return read_file("--matrix", text, &options_of(into)->matrix);
}

static int read_t4(void *into, const char *text)
{
    return read_file("--t4", text, &options_of(into)->t4);
}

static int read_stencil(void *into, const char *text)
{
    return read_file("--stencil", text, &((struct own *)into)->stencil);
}

static int read_piece(void *into, const char *text)
{
    double piece = 0;
    int status = read_whole("--piece", text, 1, 1 << 30, &piece);
    options_of(into)->piece = (int)piece;
    return status;
}

static const struct cli_option own_options[] = {
    {OWN_STENCIL, 0, "stencil", "FILE", "the stencil of a shared object, in place of -a",
     read_stencil},
    {OWN_THREADS, 0, "threads", "LxLxL",
     "threads of a work-group (default: the block, or what fits)", read_threads},
    {OWN_VARIANT, 0, "variant", "KIND", "a variant that --list names (default trapezoid)",
     read_variant},
    {OWN_PIECE, 0, "piece", "L",
     "planes that a tile of variant stream commits (default: what suits the device)", read_piece},
    {OWN_CONTRACT, 0, "contract", "on|off",
     "let a multiplication and an addition round once (default on)", read_contract},
    {OWN_LOOPS, 0, "loops", "N", "loops in all (default 60)", read_loops},
    {OWN_RUNS, 0, "runs", "N", "timed runs (default: until the spread is small)", read_runs},
    {OWN_BUDGET, 0, "budget", "SECONDS",
     "time on the device after which no further run starts (default 2)", read_budget},
    {OWN_SEED, 0, "seed", "N", "seed of the random input (default 1)", read_seed},
    {OWN_ADAPTIVE, 0, "adaptive", NULL,
     "find the height while running, from that of -H on (one run)", NULL},
    {OWN_VERIFY, 0, "verify", NULL, "compare the result with the serial reference", NULL},
    {OWN_INPUT, 0, "input", "FILE...", "read the state, then the arrays that do not change",
     read_input},
    {OWN_OUTPUT, 0, "output", "FILE", "write the final state", read_output},
    {OWN_MATRIX, 0, "matrix", "FILE", "write it as gnuplot's binary matrix", read_matrix},
    {OWN_T4, 0, "t4", "FILE", "write the result in the T4 format of auto-tuners", read_t4},
    {0},
};

static const struct cli_wording wordings[] = {
    {CLI_DEVICE, "DEVICE",
     "cuda:INDEX, opencl:INDEX, or INDEX for cuda (default: the first there is)"},
    {CLI_APP, "NAME", "application: a stencil that --list names (default hotspot)"},
    {CLI_HEIGHT, "H", "trapezoid height, loops (default 1)"},
    {CLI_TAU, "READING", "accepted as in the other programs; means nothing here"},
    {0},
};

const struct cli_program gzk_program_gzrun = {
    .name = "gzrun",
    .usage = "Usage: gzrun -a hotspot -d opencl:0 -s 1024 -b 258x66 -H 4 --verify\n"
             "       gzrun --list\n"
             "\n"
             "Runs one stencil kernel on one device at one configuration: checks and times it.\n",
    .more = "Exit status: 0 done, 1 failed or the result is wrong, 2 the command line or an\n"
            "input was wrong, 77 no such device here. See gzrun(1).\n",
    .takes = CLI_DEVICE | CLI_APP | CLI_SIZE | CLI_BLOCK | CLI_SYNC | CLI_HEIGHT | CLI_TAU |
             CLI_JSON | CLI_OUTPUT | CLI_LIST | CLI_QUIET | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &own,
    .wordings = wordings,
};

/* Extents for a stencil, where any were given; those in place stay otherwise. */
static int settle_extents(const char *what, const struct cli_extents *given,
                          const struct gzk_stencil *stencil, int extents[3])
{
    gz_app app = {.dim = stencil->dimensions};
    double lengths[GZ_MAX_DIM];
    if (given->count == 0)
        return CLI_DONE;
    snprintf(app.name, sizeof app.name, "%s", stencil->name);
    int status = cli_lengths(what, given, &app, lengths);
    for (int i = 0; i < stencil->dimensions && status == CLI_DONE; i++) {
        if (lengths[i] > INT_MAX)
            return cli_fail(CLI_BAD_INPUT, "%s: extent %.9g is too large: must be at most %d", what,
                            lengths[i], INT_MAX);
        extents[i] = (int)lengths[i];
    }
    return status;
}

static int unknown_stencil(const char *name)
{
    char list[300];
    gzk_stencil_names(list, sizeof list);
    return cli_fail(CLI_BAD_INPUT, "--app: there are no kernels for \"%.60s\": must be one of %s",
                    name, list);
}

/* The stencil asked for, by name or from a shared object. */
static int find_stencil(const struct cli_options *given, const struct gzk_stencil **stencil)
{
    struct gzk_error error = {0};
    if (own.stencil && given->app)
        return cli_fail(CLI_BAD_INPUT, "--stencil: cannot be given together with --app");
    if (own.stencil)
        return gzk_stencil_load(own.stencil, stencil, &error) == 0
                   ? CLI_DONE
                   : cli_fail(error.status, "--stencil: %s", error.text);
    *stencil = gzk_stencil_find(given->app ? given->app : "hotspot");
    return *stencil ? CLI_DONE : unknown_stencil(given->app);
}

/* Refuses what means nothing on the host. */
static int check_host(const struct cli_options *given, const struct gzk_config *config)
{
    static const struct {
        unsigned bit;
        const char *name;
    } options[] = {{CLI_DEVICE, "--device"},
                   {CLI_BLOCK, "--block"},
                   {OWN_THREADS, "--threads"},
                   {CLI_SYNC, "--sync"},
                   {OWN_VERIFY, "--verify"}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (gzk_variants[config->variant].on_host && given->given & options[i].bit)
            return cli_fail(CLI_BAD_INPUT,
                            "%s: variant %s is the reference itself, on the host; leave it out",
                            options[i].name, gzk_variants[config->variant].name);
    return CLI_DONE;
}

/* Interprets what depends on the stencil, and the common options. */
static int settle(const struct cli_options *given, struct gzk_options *options)
{
    struct gzk_config *config = &options->config;
    const struct gzk_stencil *stencil;
    int status = find_stencil(given, &stencil);

    if (status != CLI_DONE)
        return status;
    const char *name = stencil->name;
    if (options->matrix && stencil->dimensions != 2)
        return cli_fail(CLI_BAD_INPUT,
                        "--matrix: %s has %d dimension%s: a matrix takes a stencil of two", name,
                        stencil->dimensions, stencil->dimensions > 1 ? "s" : "");
    config->stencil = stencil;
    memcpy(config->size, stencil->default_size, sizeof config->size);
    memcpy(config->block, stencil->default_block, sizeof config->block);
    memcpy(config->threads, (int[]){1, 1, 1}, sizeof config->threads);
    config->sync = given->sync;
    if (given->given & CLI_HEIGHT) {
        if (given->height != floor(given->height) || given->height > INT_MAX)
            return cli_fail(CLI_BAD_INPUT,
                            "--height: %.9g is out of range: must be a whole number "
                            "from 1 to %d",
                            given->height, INT_MAX);
        config->height = (int)given->height;
    }
    status = settle_extents("--size", &given->size, stencil, config->size);
    if (status == CLI_DONE)
        status = settle_extents("--block", &given->block, stencil, config->block);
    if (!(given->given & CLI_BLOCK))
        gzk_default_block(config);
    if (status == CLI_DONE)
        status = settle_extents("--threads", &own.threads, stencil, config->threads);
    if (status == CLI_DONE && options->piece > 0 && !gzk_variants[config->variant].streamed)
        return cli_fail(
            CLI_BAD_INPUT,
            "--piece: tiles of variant %s have no stream: must be left out, or --variant stream",
            gzk_variants[config->variant].name);
    if (status == CLI_DONE)
        status = check_host(given, config);
    /* The references are compiled without contraction. */
    config->contract &= !gzk_variants[config->variant].on_host;
    return status;
}

/* Refuses an output that is also an input, or another output. */
static int check_files(const struct gzk_options *options)
{
    struct cli_file files[GZK_MAX_INPUTS + 4] = {{"-o", options->result, true},
                                                 {"--output", options->output, true},
                                                 {"--matrix", options->matrix, true},
                                                 {"--t4", options->t4, true}};
    for (int k = 0; k < options->input_count; k++)
        files[4 + k] = (struct cli_file){"--input", options->inputs[k], false};
    return cli_check_files(files, 4 + (size_t)options->input_count);
}

int gzk_options_read(int argc, char **argv, struct gzk_options *options)
{
    struct cli_options given;

    *options = (struct gzk_options){
        .config = {.height = 1, .loops = 60, .contract = true}, .budget_s = 2, .seed = 1};
    own = (struct own){.options = options};
    int status = cli_parse(&gzk_program_gzrun, argc, argv, &given);
    if (status != CLI_DONE)
        return status;
    options->device = given.device;
    options->result = given.output;
    /* T4 has a place for "correct", none for "not looked at"; the reference need not be looked at.
     */
    options->verify = (given.given & (OWN_VERIFY | OWN_T4)) != 0 &&
                      !gzk_variants[options->config.variant].on_host;
    options->adaptive = (given.given & OWN_ADAPTIVE) != 0;
    options->block_given = (given.given & CLI_BLOCK) != 0;
    options->height_given = (given.given & CLI_HEIGHT) != 0;
    options->threads_given = (given.given & OWN_THREADS) != 0;
    options->json = (given.given & CLI_JSON) != 0;
    options->list = (given.given & CLI_LIST) != 0;
    options->quiet = (given.given & CLI_QUIET) != 0;
    options->help = (given.given & CLI_HELP) != 0;
    options->version = (given.given & CLI_VERSION) != 0;
    options->completion = (given.given & CLI_COMPLETION) != 0;
    if (options->help || options->version || options->completion)
        return CLI_DONE;
    if (given.word_count > 0)
        return cli_fail(CLI_BAD_INPUT, "unknown word \"%.60s\": stencils are named with -a",
                        given.words[0]);
    if (options->adaptive)
        status = cli_allow(&gzk_program_gzrun, &given,
                           ~(unsigned)(OWN_RUNS | OWN_BUDGET | OWN_VARIANT | OWN_T4 | CLI_SYNC),
                           "--adaptive");
    if (status != CLI_DONE || options->list)
        return status;
    status = check_files(options);
    return status == CLI_DONE ? settle(&given, options) : status;
}
