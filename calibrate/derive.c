/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * derive.c - application files on the paper's GeForce GTX 280 for the stencils that the paper does
 * not have, from the table that count.c writes. For developers; not installed.
 *
 * Nobody has counted these stencils' warp instructions on that GPU. What there is: instructions of
 * another machine (LLVM's intermediate code, by Oclgrind), counted for all stencils alike, and the
 * paper's own counts for four of them. So a stencil gets what is counted times the median over the
 * four of printed over counted, as an assumption. How little that is worth shows in how far the
 * four are from their median: the root mean square of the logarithms is the relative deviation.
 * It is beyond 1, for Cell's sake, whose program in the paper must have been another: 980
 * instructions a cell and loop for 27 cells to add.
 */
#include "data.h"
#include "entry.h"
#include "files.h"
#include "numbers.h"
#include "output.h"
#include "registry.h"
#include "stencil.h"
#include "variants.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STENCILS = 32, PRINTED = 4, WARP = 32 };

static const char *const printed[PRINTED] = {"pathfinder", "hotspot", "poisson", "cell"};

/* Instructions a cell: once, and in each loop. */
struct counts {
    double misc, iter;
};

struct table {
    int n;
    const struct gzk_stencil *stencil[MAX_STENCILS];
    struct counts counts[MAX_STENCILS];
};

/* Printed over counted. */
struct factor {
    double ratio[PRINTED], median, deviation; /* deviation relative */
};

/* Reads count.c's table. */
static int read_table(const char *path, struct table *table)
{
    FILE *from = fopen(path, "r");
    char line[400], name[40], block[40], threads[40];
    int status = from ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "%s: %s", path, strerror(errno));
    *table = (struct table){0};
    for (int row = 1, header = 0; !status && fgets(line, sizeof line, from); row++) {
        struct counts c;
        if (line[0] == '#' || !header++) /* notes, then the header */
            continue;
        int got = sscanf(line, "%39s %39s %39s %lf %lf", name, block, threads, &c.misc, &c.iter);
        const struct gzk_stencil *stencil = got == 5 ? gzk_stencil_find(name) : NULL;
        if (!stencil || !(c.misc > 0) || !(c.iter > 0) || !isfinite(c.misc + c.iter) ||
            table->n == MAX_STENCILS) {
            status = cli_fail(CLI_BAD_INPUT,
                              "%s:%d: must be a stencil's name, block, threads and two counts "
                              "above 0",
                              path, row);
        } else {
            table->stencil[table->n] = stencil;
            table->counts[table->n++] = c;
        }
    }
    if (from)
        fclose(from);
    return status;
}

static int find(const struct table *table, const char *name)
{
    for (int k = 0; k < table->n; k++)
        if (strcmp(table->stencil[k]->name, name) == 0)
            return k;
    return -1;
}

/* Cells per thread of one multiprocessor's warps: what InstsPerSM is times instructions a cell
 * [Eq. 14]. */
static double scale(const gz_device *dev, double elements)
{
    return elements / (WARP * dev->sm_count.value);
}

static void conclude(struct factor *f)
{
    double sorted[PRINTED], sum = 0;
    memcpy(sorted, f->ratio, sizeof sorted);
    cli_sort(sorted, PRINTED);
    f->median = cli_quantile(sorted, PRINTED, 0.5);
    for (int k = 0; k < PRINTED; k++)
        sum += pow(log(f->ratio[k] / f->median), 2);
    f->deviation = sqrt(sum / PRINTED);
}

/* Compares the paper's counts with the table's; `elements` gets the N of each dimensionality. */
static int compare(const gz_device *dev, const struct table *table, struct factor *misc,
                   struct factor *iter, double elements[GZ_MAX_DIM + 1])
{
    for (int k = 0; k < PRINTED; k++) {
        gz_app app;
        gz_error error;
        int at = find(table, printed[k]);
        if (at < 0)
            return cli_fail(CLI_BAD_INPUT, "the table has no row for %s", printed[k]);
        if (gz_app_open(printed[k], "gtx280", &app, &error))
            return cli_fail(CLI_FAILED, "%s", error.text);
        double each = scale(dev, app.profile_elements.value);
        misc->ratio[k] = app.insts_per_sm_misc.value / each / table->counts[at].misc;
        iter->ratio[k] = app.insts_per_sm_iter.value / each / table->counts[at].iter;
        elements[app.dim] = app.profile_elements.value;
    }
    conclude(misc);
    conclude(iter);
    return CLI_DONE;
}

static struct gzc_entry entry(double counted, const struct factor *f, double each)
{
    double value = f->median * counted * each;
    return gzc_entry_of(value, f->deviation * value, GZ_ORIGIN_DEFAULT,
                        "unknown on this GPU; %.4g LLVM instructions a cell, counted by Oclgrind, "
                        "times %.3g, the median of printed over counted for the paper's four: "
                        "%.3g, %.3g, %.3g, %.3g, hence the deviation",
                        counted, f->median, f->ratio[0], f->ratio[1], f->ratio[2], f->ratio[3]);
}

static int write_app(const char *folder, const gz_device *dev, const struct gzk_stencil *stencil,
                     const struct counts *counted, const struct factor *misc,
                     const struct factor *iter, double elements)
{
    struct gzc_app_file app = {.dim = stencil->dimensions, .elements = elements};
    gz_app described = {.dim = 0};
    gz_error error;
    gzc_display_name(stencil->name, app.name);
    snprintf(app.device, sizeof app.device, "%s", dev->name);
    app.sm_count = dev->sm_count.value;
    snprintf(app.note, sizeof app.note, "derived, not measured: make apps%s",
             stencil->type == GZK_DOUBLE
                 ? "; the model has one CPI, so double precision counts as single, for which this "
                   "GPU has eight times the units"
                 : "");
    for (int i = 0; i < app.dim; i++)
        app.halo_width[i] = 2 * stencil->radius[i];
    app.element_bytes = (double)gzk_type_bytes(stencil->type);
    app.stencil_arrays = gzk_stencil_arrays(stencil);
    app.elements_per_op = stencil->step_arrays;
    for (int i = 0; i < stencil->dimensions; i++)
        app.edge_rule[i] = gzk_edges[stencil->edge[i]].rule;
    gzk_describe_reads(stencil, &described);
    gzc_take_reads(&described, &app);
    app.coefficients = stencil->coefficients;
    app.entries[GZ_P_INSTS_PER_SM_MISC] = entry(counted->misc, misc, scale(dev, elements));
    app.entries[GZ_P_INSTS_PER_SM_ITER] = entry(counted->iter, iter, scale(dev, elements));
    app.entries[GZ_P_BANK_CONFLICT_RATE] = gzc_entry_of(0, 0, GZ_ORIGIN_DEFAULT, "unknown");
    char *text = gzc_app_text(&app, &error);
    if (!text)
        return cli_fail(CLI_FAILED, "no valid file can be made for %s: %s", stencil->name,
                        error.text);
    char *path = cli_text("%s/%s.json", folder, stencil->name);
    int status = path ? cli_write(path, text, strlen(text)) : cli_fail(CLI_FAILED, "out of memory");
    free(path);
    gz_text_free(text);
    return status;
}

static bool is_printed(const struct gzk_stencil *stencil)
{
    for (int k = 0; k < PRINTED; k++)
        if (strcmp(printed[k], stencil->name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct table table;
    struct factor misc, iter;
    double elements[GZ_MAX_DIM + 1] = {0};
    gz_device dev;
    gz_error error;
    cli_set_program("derive");
    if (argc != 3)
        return cli_fail(CLI_BAD_INPUT, "usage: derive TABLE FOLDER");
    if (gz_device_open("gtx280", &dev, &error))
        return cli_fail(CLI_FAILED, "%s", error.text);
    int status = read_table(argv[1], &table);
    if (!status)
        status = compare(&dev, &table, &misc, &iter, elements);
    for (int k = 0; k < table.n && !status; k++)
        if (!is_printed(table.stencil[k]))
            status = write_app(argv[2], &dev, table.stencil[k], &table.counts[k], &misc, &iter,
                               elements[table.stencil[k]->dimensions]);
    return status;
}
