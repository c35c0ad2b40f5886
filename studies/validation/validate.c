/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate.c - gz-validate: judges the models on tables of measurements, prints the verdict, and
 * writes it and the tables of the figures. Installed as gz-validate.
 */
#include "figures.h"
#include "files.h"
#include "options.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* Tables that can be judged together, at most. */
enum { MOST_TABLES = 64 };

static const struct cli_wording wordings[] = {
    {CLI_OUTPUT, "FOLDER", "also write verdict and tables into FOLDER, which must exist"},
    {0},
};

static const struct cli_program program = {
    .name = "gz-validate",
    .usage =
        "Usage: gz-validate TABLE... [-d FILE] [-o FOLDER]\n"
        "\n"
        "Judges the models on tables of measurements, as gz-measure writes them, with the device "
        "and\n"
        "application files inside; several tables are judged together. -d puts another device "
        "file\n"
        "in the place of the one in the table. Prints how good each model is; with -o also writes\n"
        "that, and of one table the tables of the figures, into a folder that is there.\n",
    .more = "Exit status: 0 done, 1 failed, 2 the command line or an input was wrong. See\n"
            "gz-validate(1).\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .wordings = wordings,
};

/* The files that are written into the folder of -o. */
static const char *const written[] = {"verdict.md",     "points.tsv", "curves.tsv",
                                      "components.tsv", "models.tsv", "variants.tsv"};

/* Refuses to write over the table or the device file. */
static int check_output(const struct cli_options *options)
{
    int status = CLI_DONE;
    for (size_t k = 0; k < sizeof written / sizeof *written && options->output; k++)
        for (int t = 0; t < options->word_count && !status; t++) {
            char *path = cli_text("%s/%s", options->output, written[k]);
            const struct cli_file files[] = {{"TABLE", options->words[t], false},
                                             {"-d", cli_device_file(options->device), false},
                                             {"-o", path, true}};
            status = path ? cli_check_files(files, sizeof files / sizeof *files)
                          : cli_fail(CLI_FAILED, "out of memory");
            free(path);
        }
    return status;
}

/* Puts the device file of -d in the place of the one inside the table; refuses that of another
 * device than the table was measured on. */
static int replace_device(const struct cli_options *options, measured *table)
{
    gz_device device;
    gz_error error;
    if (gz_device_open(options->device, &device, &error))
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (strcmp(device.name, table->device.name) != 0)
        return cli_fail(CLI_BAD_INPUT,
                        "%s describes %s, but %s was measured on %s: -d takes another file of that "
                        "device (gz-calibrate writes one there); gz-measure makes a table of this "
                        "one",
                        options->device, device.name, options->words[0], table->device.name);
    table->device = device;
    return CLI_DONE;
}

/* Reads the tables; `*n` are there, also after a failure. */
static int read_tables(const struct cli_options *options, measured *tables, int *n)
{
    gz_error error;
    for (*n = 0; *n < options->word_count; ++*n) {
        gz_status read = measured_read(options->words[*n], &tables[*n], &error);
        if (read)
            return cli_fail(read == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s", error.text);
    }
    return options->device ? replace_device(options, &tables[0]) : CLI_DONE;
}

static int judge_tables(const struct cli_options *options, const measured *tables, int n)
{
    static report r; /* static for its size */
    report_make(tables, n, &r);
    int status = report_write(&r, options->device, options->output);
    if (!status && options->output && n == 1)
        status = figures_write(&r, options->output);
    report_free(&r);
    return status;
}

int main(int argc, char **argv)
{
    static measured tables[MOST_TABLES];
    struct cli_options options;
    int n = 0, status;
    if (!cli_begin(&program, argc, argv, &options, &status))
        return status;
    if (options.word_count < 1 || options.word_count > MOST_TABLES)
        return cli_fail(CLI_BAD_INPUT, "%d tables are given: must be from 1 to %d",
                        options.word_count, MOST_TABLES);
    if (options.device && options.word_count > 1)
        return cli_fail(CLI_BAD_INPUT, "-d: replaces the device of one table, but %d are given",
                        options.word_count);
    status = check_output(&options);
    if (!status)
        status = read_tables(&options, tables, &n);
    if (!status)
        status = judge_tables(&options, tables, n);
    for (int t = 0; t < n; t++)
        measured_free(&tables[t]);
    return status;
}
