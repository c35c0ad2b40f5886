/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * count.c - counts every stencil's instructions by Oclgrind, a thread a cell as on the paper's GPU,
 * and writes the table from which derive.c makes application files. For developers; not installed.
 */
#include "interrupt.h"
#include "oclgrind.h"
#include "output.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Threads of a block on the GeForce GTX 280. */
enum { MAX_THREADS = 512 };

/* The first line that is not empty of what `oclgrind --version` prints. */
static void version_of(const struct gzc_simulator *simulator, char *line, size_t size)
{
    char command[sizeof simulator->oclgrind + 20];
    snprintf(command, sizeof command, "'%s' --version", simulator->oclgrind);
    FILE *from = popen(command, "r");
    line[0] = '\0';
    while (from && fgets(line, (int)size, from) && line[0] == '\n')
        continue;
    line[strcspn(line, "\n")] = '\0';
    if (from)
        pclose(from);
}

static void put_head(const struct gzc_simulator *simulator, FILE *to)
{
    char date[20] = "", version[100];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    version_of(simulator, version, sizeof version);
    fprintf(to,
            "# counts: instructions of LLVM's intermediate code that the stencils execute\n"
            "# source: %s, which ran gzrun as calibrate does\n"
            "# command: make counts\n"
            "# date: %s\n"
            "# rules: at most %d threads a block, one a cell where they suffice; a line over the "
            "loops of one stage\n"
            "# column stencil: text, name\n"
            "# column block: text, starting tile, elements\n"
            "# column threads: text, of a block\n"
            "# column misc: instructions, once per loaded cell and stage\n"
            "# column iter: instructions, per computed cell and loop\n"
            "stencil\tblock\tthreads\tmisc\titer\n",
            version, date, MAX_THREADS);
}

static void put_row(const struct gzc_simulated *counted, FILE *to)
{
    const struct gzk_config *c = &counted->config;
    fprintf(to, "%s\t%dx%dx%d\t%dx%dx%d\t%.6g\t%.6g\n", c->stencil->name, c->block[0], c->block[1],
            c->block[2], c->threads[0], c->threads[1], c->threads[2], counted->misc, counted->iter);
}

int main(int argc, char **argv)
{
    struct gzc_simulator simulator;
    struct gzk_error error = {.text = ""};
    struct cli_sheet sheet;
    cli_set_program("count");
    if (argc != 2 || argv[1][0] == '-')
        return cli_fail(CLI_BAD_INPUT,
                        "usage: count TABLE (needs gzrun beside it, and oclgrind in PATH)");
    cli_catch_interrupts();
    if (gzc_simulator_find(&simulator, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    if (cli_sheet_open(&sheet) != CLI_DONE)
        return CLI_FAILED;
    put_head(&simulator, sheet.to);
    int status = 0;
    for (size_t s = 0; s < gzk_stencil_count && status == 0; s++) {
        struct gzc_simulated counted;
        status = gzc_simulate(&simulator, gzk_stencils[s], MAX_THREADS, false, &cli_interrupted,
                              &counted, &error);
        if (status == 0)
            put_row(&counted, sheet.to);
    }
    if (status == 0)
        return cli_sheet_write(&sheet, argv[1]);
    fclose(sheet.to);
    free(sheet.text);
    return cli_fail(status, "%s", error.text);
}
