/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate.c - gz-validate: judges the models on a table of measurements, prints the verdict, and
 * writes it and the tables of the figures. Installed as gz-validate.
 */
#include "figures.h"
#include "files.h"
#include "options.h"
#include "sides.h"
#include "variants.h"
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

enum own_bit { OWN_FACTORS = CLI_FIRST_OWN, OWN_MODEL = CLI_FIRST_OWN << 1 };

/* What the command line chose. */
typedef struct choice {
    factors by;
    int model; /* -1: all that there are */
} choice;

static choice chosen = {.model = -1};

static int read_factors(void *into, const char *text)
{
    for (int k = 0; factors_name(k); k++)
        if (strcmp(text, factors_name(k)) == 0) {
            ((choice *)into)->by = (factors)k;
            return CLI_DONE;
        }
    return cli_fail(CLI_BAD_INPUT, "--factors %.60s: must be file, paper or cache", text);
}

static int read_model(void *into, const char *text)
{
    int model = gz_by_name(GZ_MODELS, text);
    if (model < 0 || model >= BOTH_MODELS)
        return cli_fail(CLI_BAD_INPUT, "--model %.60s: must be meng2011 or gz2", text);
    ((choice *)into)->model = model;
    return CLI_DONE;
}

static const struct cli_option own_options[] = {
    {OWN_FACTORS, 0, "factors", "WHICH",
     "of the headline and the figures: file, the device file's sigma, mu and beta (the default); "
     "paper, the paper's; cache, an experiment: the file's, and the cache's bandwidth if the "
     "cache holds the grid",
     read_factors},
    {OWN_MODEL, 0, "model", "NAME",
     "judged on the points: meng2011 or gz2 (default: each that the files have what it needs for)",
     read_model},
    {0},
};

static const struct cli_program program = {
    .name = "gz-validate",
    .usage =
        "Usage: gz-validate TABLE [-d FILE] [--model NAME] [-o FOLDER]\n"
        "\n"
        "Judges the models on a table of measurements, as gz-measure writes it, with the device "
        "and\n"
        "application files inside; -d puts another device file in the first one's place. Prints\n"
        "how good the 2011 model is in detail, then the models side by side; with -o also writes\n"
        "both, and the tables of the figures, into a folder that is there.\n",
    .more = "Exit status: 0 done, 1 failed, 2 the command line or an input was wrong. See\n"
            "gz-validate(1).\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &chosen,
};

/* The files that are written into the folder of -o. */
static const char *const written[] = {"verdict.tsv",      "verdict.md",     "points.tsv",
                                      "curves.tsv",       "components.tsv", "models.tsv",
                                      "model_points.tsv", "variants.tsv"};

/* Refuses to write over the table or the device file. */
static int check_output(const struct cli_options *options)
{
    int status = CLI_DONE;
    for (size_t k = 0; k < sizeof written / sizeof *written && options->output && !status; k++) {
        char *path = cli_text("%s/%s", options->output, written[k]);
        const struct cli_file files[] = {{"TABLE", options->words[0], false},
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

static int write_all(const opinions *all, const both *sides, const variants *others,
                     const char *folder)
{
    int status = verdict_write(all, folder);
    if (!status)
        status = verdict_write_markdown(all, sides, folder);
    if (!status)
        status = sides_write(sides, &all->each[0].j, folder);
    if (!status)
        status = variants_write(others, &all->each[0].j, folder);
    return status ? status : figures_write(&all->each[0].j, folder);
}

int main(int argc, char **argv)
{
    static opinions all; /* static for their size */
    static both sides;
    static variants others;
    struct cli_options options;
    measured table;
    gz_error error;
    cli_set_program(program.name);
    int status = cli_parse(&program, argc, argv, &options);
    if (status)
        return status;
    if (cli_answered(&program, &options, &status))
        return status;
    if (options.word_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%d tables: exactly one is judged", options.word_count);
    if ((status = check_output(&options)))
        return status;
    gz_status read = measured_read(options.words[0], &table, &error);
    if (read)
        return cli_fail(read == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s", error.text);
    if (options.device)
        status = replace_device(&options, &table);
    if (!status && chosen.by == FACTORS_CACHE &&
        !(table.device.cache_size.value > 0 && table.device.cache_bandwidth.value > 0))
        status = cli_fail(CLI_BAD_INPUT,
                          "--factors cache: the device file in %s records no cache_size and "
                          "cache_bandwidth",
                          options.words[0]);
    gz_status judged = status ? GZ_OK : opinions_form(&all, &table, chosen.by, &error);
    if (judged)
        status = cli_fail(judged == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s: %s",
                          options.words[0], error.text);
    if (!status && (judged = both_judge(&table, chosen.model, &sides, &error)))
        status = cli_fail(judged == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s: %s",
                          options.device ? options.device : options.words[0], error.text);
    if (!status && variants_judge(&table, &others))
        status = cli_fail(CLI_FAILED, "out of memory");
    if (!status && options.output)
        status = write_all(&all, &sides, &others, options.output);
    if (!status) {
        verdict_print(&all, options.device);
        sides_print(&sides);
        variants_print(&others);
    }
    variants_free(&others);
    both_free(&sides);
    opinions_free(&all);
    measured_free(&table);
    return status;
}
