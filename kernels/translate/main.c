/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzc - makes stencils of annotated C loops. See gzc(1).
 */
#include "options.h"
#include "program.h"

#include <isl/ctx.h>
#include <isl/options.h>
#include <stdio.h>
#include <string.h>

enum { GZC_EXPLAIN = CLI_FIRST_OWN };

static const struct cli_option own[] = {
    {GZC_EXPLAIN, 0, "explain", NULL, "print what was understood", NULL},
    {0, 0, NULL, NULL, NULL, NULL},
};

static const struct cli_program gzc = {
    .name = "gzc",
    .usage =
        "usage: gzc --explain FILE [-- FLAGS OF THE COMPILER]\n"
        "\n"
        "Makes stencils of the C or C++ loops in FILE that are annotated with #pragma scop and\n"
        "#pragma endscop, or with #pragma gz trapezoid.\n",
    .more = "\n"
            "FLAGS are those that FILE needs to compile: -I, -D, -std.\n"
            "\n"
            "Exit status: 0 done, 1 it failed, 2 the command line or FILE was wrong.\n",
    .takes = CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own,
};

/* What was found in one file. Static, so that it is reachable to the end. */
static struct gzt_source source;
static struct gzt_tree tree;
static struct gzt_region **regions;
static int region_count;
static struct gzt_program programs[64];

static int refuse(void)
{
    fprintf(stderr, "%s\n", source.error);
    return source.status;
}

static int understand_all(isl_ctx *isl)
{
    int most = sizeof programs / sizeof *programs;
    if (gzt_preprocess(&source) != 0 || gzt_parse(&source, &tree) != 0 ||
        gzt_find_regions(&source, &tree, &regions, &region_count) != 0)
        return refuse();
    if (region_count > most)
        return cli_fail(CLI_BAD_INPUT, "%s: %d annotated loops: at most %d", source.path,
                        region_count, most);
    for (int i = 0; i < region_count; i++)
        if (gzt_understand(&source, isl, regions[i], &programs[i]) != 0)
            return refuse();
    return CLI_DONE;
}

static int explain_all(const struct cli_options *options)
{
    struct gzt_text text = {0};
    for (int i = 0; i < region_count; i++) {
        gzt_add(&text, "%s", i ? "\n" : "");
        gzt_explain(&programs[i], &text);
    }
    return cli_write(options->output ? options->output : "-", gzt_string(&text), text.length);
}

static int run(const struct cli_options *options)
{
    isl_ctx *isl = isl_ctx_alloc();
    if (!isl)
        return cli_fail(CLI_FAILED, "out of memory");
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    int status = understand_all(isl);
    return status == CLI_DONE ? explain_all(options) : status;
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
    if (options.word_count != 1)
        return cli_fail(CLI_BAD_INPUT,
                        options.word_count ? "\"%s\" is one file too many: must be one"
                                           : "no file given; see gzc --help",
                        options.word_count ? options.words[1] : "");
    if (!(options.given & GZC_EXPLAIN))
        return cli_fail(CLI_BAD_INPUT, "nothing to do: --explain is needed");
    source.path = options.words[0];
    source.flags = argv + own_count + 1;
    source.flag_count = own_count < argc ? argc - own_count - 1 : 0;
    return run(&options);
}
