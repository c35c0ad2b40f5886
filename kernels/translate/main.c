/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzc - makes stencils of annotated C loops. See gzc(1).
 */
#include "compile.h"
#include "emit.h"
#include "files.h"
#include "gzc_texts.h"
#include "inline.h"
#include "options.h"
#include "predict.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <stdio.h>
#include <string.h>

enum {
    GZC_EXPLAIN = CLI_FIRST_OWN,
    GZC_ROW = 2 * CLI_FIRST_OWN,
    GZC_BODY = 4 * CLI_FIRST_OWN,
    GZC_PREDICT = 8 * CLI_FIRST_OWN,
    GZC_CONTRACT = 16 * CLI_FIRST_OWN,
    GZC_MODEL = 32 * CLI_FIRST_OWN
};

static struct gzt_prediction_options prediction;

static const struct cli_option own[] = {
    {GZC_EXPLAIN, 0, "explain", NULL, "print what was understood", NULL},
    {GZC_ROW, 0, "row", NULL,
     "make a stencil for gzrun --stencil: a shared object, or its text if -o ends in .c", NULL},
    {GZC_BODY, 0, "body", NULL, "print the body of the stencil", NULL},
    {GZC_PREDICT, 0, "predict", NULL,
     "print what the model says of the stencil: block, height, synchronisation, time", NULL},
    {GZC_MODEL, 0, "model", "NAME",
     "with --predict: meng2011 or gz2 (default: gz2 if the device file has what it needs)",
     gzt_read_model},
    {GZC_CONTRACT, 0, "contract", NULL,
     "allow fused multiply-adds and functions that devices round differently", NULL},
    {0, 0, NULL, NULL, NULL, NULL},
};

static const struct cli_program gzc = {
    .name = "gzc",
    .usage =
        "usage: gzc [--contract] FILE -o FILE [-- FLAGS OF THE COMPILER]\n"
        "       gzc --explain|--body FILE [-- FLAGS]\n"
        "       gzc --predict [-d DEVICE] -s SIZE [--model NAME] FILE [-- FLAGS]\n"
        "       gzc --row FILE -o FILE.so [-- FLAGS]\n"
        "\n"
        "Makes stencils of the C or C++ loops in FILE that are annotated with #pragma scop and\n"
        "#pragma endscop, or with #pragma gz trapezoid. The first form writes FILE with calls\n"
        "of libgzstencil in place of the loops.\n",
    .more = "\n"
            "FLAGS are those that FILE needs to compile: -I, -D, -std.\n"
            "\n"
            "Exit status: 0 done, 1 it failed, 2 the command line or FILE was wrong.\n",
    .takes =
        CLI_DEVICE | CLI_SIZE | CLI_JSON | CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own,
    .own_into = &prediction,
};

/* What was found in one file. Static, so that it is reachable to the end. */
static struct gzt_source source;
static struct gzt_tree tree;
static struct gzt_region **regions;
static int region_count;
static struct gzt_program programs[64];
static isl_ctx *isl;

static int refuse(void)
{
    fprintf(stderr, "%s\n", source.error);
    return source.status;
}

static int understand_regions(void)
{
    struct gzt_layout layout;
    for (int i = 0; i < region_count; i++)
        if (gzt_understand(&source, isl, regions[i], &programs[i]) != 0 ||
            gzt_lay_out(&programs[i], &layout) != 0)
            return -1;
    return 0;
}

/* The same once more, with the functions that the loops call written out in them. Where nothing
 * can be, or the result does not compile, the first error stays. */
static int understand_written(void)
{
    static struct gzt_source plain;
    struct gzt_region **first = regions;
    int count = region_count;

    plain = source;
    if (!gzt_inline(&plain, &tree, first, count, &source))
        return -1;
    regions = NULL;
    region_count = 0;
    if (gzt_parse(&source, &tree) == 0 &&
        gzt_find_regions(&source, &tree, &regions, &region_count) == 0 && region_count == count)
        return understand_regions();
    source = plain;
    return -1;
}

static int understand_all(void)
{
    int most = sizeof programs / sizeof *programs;
    if (gzt_preprocess(&source) != 0 || gzt_parse(&source, &tree) != 0 ||
        gzt_find_regions(&source, &tree, &regions, &region_count) != 0)
        return refuse();
    if (region_count > most)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: at most %d", source.path,
                        region_count, most);
    if (understand_regions() != 0 && understand_written() != 0)
        return refuse();
    return CLI_DONE;
}

static int write_text(const struct cli_options *options, const char *text)
{
    return cli_write(options->output, text, strlen(text));
}

static int explain_all(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < region_count; i++) {
        gzt_add(&text, "%s", i ? "\n" : "");
        gzt_explain(&programs[i], &text);
    }
    return write_text(options, gzt_string(&text));
}

static int write_bodies(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < region_count; i++) {
        struct gzt_layout layout;
        if (gzt_lay_out(&programs[i], &layout) != 0)
            return refuse();
        gzt_add(&text, "%s%s", i ? "\n" : "", gzt_body(&programs[i], &layout));
    }
    return write_text(options, gzt_string(&text));
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int write_row(const struct cli_options *options)
{
    struct gzt_layout layout;
    if (region_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: --row takes a file with one",
                        source.path, region_count);
    if (!options->output || strcmp(options->output, "-") == 0)
        return cli_fail(CLI_BAD_INPUT, "--row needs -o FILE.so");
    if (gzt_lay_out(&programs[0], &layout) != 0)
        return refuse();
    const char *text = gzt_row(&programs[0], &layout, gzt_stencil_h);
    return ends_in(options->output, ".c") ? write_text(options, text)
                                          : gzt_compile(text, options->output);
}

static int predict_one(const struct cli_options *options)
{
    if (region_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: --predict takes a file with one",
                        source.path, region_count);
    struct gzt_layout layout;
    if (gzt_lay_out(&programs[0], &layout) != 0)
        return refuse();
    return gzt_predict(&programs[0], &layout, options, &prediction);
}

static int write_file(const struct cli_options *options)
{
    if (!options->output)
        return cli_fail(CLI_BAD_INPUT,
                        "nothing to do: -o FILE, --explain, --row, --body or --predict");
    const char *text = gzt_rewrite(programs, region_count);
    return text ? write_text(options, text) : refuse();
}

static int run(const struct cli_options *options)
{
    const struct cli_file files[] = {{"the source", options->words[0], false},
                                     {"-o", options->output, true}};
    if (cli_check_files(files, sizeof files / sizeof *files) != CLI_DONE)
        return CLI_BAD_INPUT;
    isl = isl_ctx_alloc();
    if (!isl)
        return cli_fail(CLI_FAILED, "out of memory");
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    int status = understand_all();
    if (status != CLI_DONE)
        return status;
    if (options->given & GZC_EXPLAIN)
        return explain_all(options);
    if (options->given & GZC_PREDICT)
        return predict_one(options);
    if (options->given & GZC_BODY)
        return write_bodies(options);
    return options->given & GZC_ROW ? write_row(options) : write_file(options);
}

int main(int argc, char **argv)
{
    struct cli_options options;
    int own_count = argc, status;

    for (int i = 1; i < argc && own_count == argc; i++)
        if (strcmp(argv[i], "--") == 0)
            own_count = i;
    cli_set_program("gzc");
    status = cli_parse(&gzc, own_count, argv, &options);
    if (status != CLI_DONE)
        return status;
    if (options.given & CLI_COMPLETION)
        return cli_completion(&gzc);
    if (options.given & (CLI_HELP | CLI_VERSION))
        return options.given & CLI_HELP ? cli_help(&gzc) : cli_version(&gzc);
    if (options.word_count == 0)
        return cli_fail(CLI_BAD_INPUT, "no file given; see gzc --help");
    if (options.word_count > 1)
        return cli_fail(CLI_BAD_INPUT, "\"%s\" is one file too many", options.words[1]);
    source.path = options.words[0];
    source.contract = (options.given & GZC_CONTRACT) != 0;
    source.flags = argv + own_count + 1;
    source.flag_count = own_count < argc ? argc - own_count - 1 : 0;
    return run(&options);
}
