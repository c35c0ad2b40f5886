/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate.c - judges the model on a table of measurements: prints the verdict, and writes the
 * tables that the figures are drawn from.
 */
#include "judge.h"
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_program program = {
    .name = "validate",
    .usage =
        "Usage: validate TABLE [-d FILE] [-o FOLDER]\n"
        "\n"
        "Judges the model on a table of measurements, as measure writes it, with the device and\n"
        "application files inside; -d puts another device file in the first one's place. Prints "
        "the verdict; with -o also writes the tables of the\n"
        "figures into a folder that is there.\n",
    .more = "Exit status: 0 done, 1 failed, 2 the command line or an input was wrong.\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP | CLI_VERSION,
};

/* -------------------------------------------------------------------------------------- verdict */

/* The lines of the verdict, in order. Shares and relative differences are printed in percent. */
static const struct {
    const char *name, *meaning;
    size_t offset; /* in judge_verdict */
    enum { COUNT, PERCENT, PLAIN } form;
} lines[] = {
    {"curves", "curves over the height", offsetof(judge_verdict, curves), COUNT},
    {"points", "sound points", offsetof(judge_verdict, points), COUNT},
    {"noisy", "noisy points, left out", offsetof(judge_verdict, noisy), COUNT},
    {"moved", "curves judged at the height next to the model's", offsetof(judge_verdict, moved),
     COUNT},
    {"regret", "regret of the model's height, median", offsetof(judge_verdict, regret[0]), PERCENT},
    {"regret_95", "  95th percentile", offsetof(judge_verdict, regret[1]), PERCENT},
    {"regret_max", "  largest", offsetof(judge_verdict, regret[2]), PERCENT},
    {"within_5", "  curves with at most 5 %", offsetof(judge_verdict, within_5), PERCENT},
    {"one", "regret of height 1, median", offsetof(judge_verdict, one), PERCENT},
    {"fixed", "regret of the best fixed height", offsetof(judge_verdict, fixed), PERCENT},
    {"random", "regret of a random height", offsetof(judge_verdict, random), PERCENT},
    {"from_one", "adaptive from 1, 30 loops, simulated", offsetof(judge_verdict, from_one),
     PERCENT},
    {"from_model", "adaptive from the model, simulated", offsetof(judge_verdict, from_model),
     PERCENT},
    {"real_from_one", "adaptive from 1, on the device", offsetof(judge_verdict, real_from_one),
     PERCENT},
    {"real_from_model", "adaptive from the model, on the device",
     offsetof(judge_verdict, real_from_model), PERCENT},
    {"error", "error of the predicted time, median", offsetof(judge_verdict, error[0]), PERCENT},
    {"error_95", "  95th percentile", offsetof(judge_verdict, error[1]), PERCENT},
    {"ratio", "predicted over measured, median", offsetof(judge_verdict, ratio), PLAIN},
    {"memory", "  h = 1 on the largest grid", offsetof(judge_verdict, part[JUDGE_MEMORY]), PLAIN},
    {"computation", "  h > 1 on the smallest grid",
     offsetof(judge_verdict, part[JUDGE_COMPUTATION]), PLAIN},
    {"sync", "  nearly empty kernels", offsetof(judge_verdict, part[JUDGE_SYNC]), PLAIN},
    {"correlation", "rank correlation over heights, median", offsetof(judge_verdict, correlation),
     PLAIN},
    {"sync_hits", "cheaper synchronisation chosen", offsetof(judge_verdict, sync_hits), PERCENT},
    {"coverage", "times within the 95 % interval", offsetof(judge_verdict, coverage), PERCENT},
    {"height_coverage", "best heights within theirs", offsetof(judge_verdict, height_coverage),
     PERCENT},
};
enum { LINES = sizeof lines / sizeof *lines, CELL = 12 };

static double value(const judge_verdict *v, int line)
{
    const char *at = (const char *)v + lines[line].offset;
    size_t count;
    double x;
    if (lines[line].form == COUNT) {
        memcpy(&count, at, sizeof count);
        return (double)count;
    }
    memcpy(&x, at, sizeof x);
    return x;
}

static void print_cell(const judge_verdict *v, int line)
{
    double x = value(v, line);
    if (isnan(x))
        printf("%*s", CELL, "-");
    else if (lines[line].form == COUNT)
        printf("%*.0f", CELL, x);
    else if (lines[line].form == PERCENT)
        printf("%*.1f %%", CELL - 2, 100 * x);
    else
        printf("%*.3f", CELL, x);
}

static void print_verdict(const judge *j, const char *other_device)
{
    const measured *t = j->table;
    fputs(t->about, stdout);
    if (other_device)
        printf("# judged with: %s\n", other_device);
    printf("\n%-48s", "");
    for (int k = 0; k < t->n_apps; k++)
        printf("%*s", CELL, t->apps[k].name);
    printf("%*s\n", CELL, "all");
    for (int line = 0; line < LINES; line++) {
        printf("%-48s", lines[line].meaning);
        for (int k = 0; k < t->n_apps; k++)
            print_cell(&j->app[k], line);
        print_cell(&j->all, line);
        putchar('\n');
    }
    printf("\nThe best fixed height over everything is %d.\n", j->fixed_height);
}

/* --------------------------------------------------------------------------------------- tables */

/* A table for the figures, in memory until it is whole. */
typedef struct sheet {
    FILE *to;
    char *text;
    size_t size;
} sheet;

typedef struct column {
    const char *name, *unit, *meaning;
} column;

static void sheet_open(sheet *s, const judge *j, const char *what, const column *columns, int n)
{
    s->to = open_memstream(&s->text, &s->size);
    if (!s->to)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    fprintf(s->to, "# %s\n%s", what, j->table->about);
    for (int k = 0; k < n; k++)
        fprintf(s->to, "# column %s: %s, %s\n", columns[k].name, columns[k].unit,
                columns[k].meaning);
    for (int k = 0; k < n; k++)
        fprintf(s->to, "%s%c", columns[k].name, k + 1 < n ? '\t' : '\n');
}

static int sheet_write(sheet *s, const char *folder, const char *name)
{
    char path[1200];
    int status = fclose(s->to) == 0 ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    int n = snprintf(path, sizeof path, "%s/%s.tsv", folder, name);
    if (!status && (n < 0 || (size_t)n >= sizeof path))
        status = cli_fail(CLI_BAD_INPUT, "-o %s: the name is too long", folder);
    if (!status)
        status = cli_write(path, s->text, s->size);
    free(s->text);
    return status;
}

#define COUNT_OF(a) (int)(sizeof(a) / sizeof *(a))

static int write_verdict(const judge *j, const char *folder)
{
    static const column columns[] = {{"app", "text", "application, or all"},
                                     {"measure", "text", "what is judged (shares, not percent)"},
                                     {"value", "1", "its value"}};
    sheet s;
    sheet_open(&s, j, "verdict: how good the model is, a value in each row", columns,
               COUNT_OF(columns));
    for (int k = 0; k <= j->table->n_apps; k++)
        for (int line = 0; line < LINES; line++) {
            int last = k == j->table->n_apps;
            double x = value(last ? &j->all : &j->app[k], line);
            if (!isnan(x))
                fprintf(s.to, "%s\t%s\t%.6g\n", last ? "all" : j->table->apps[k].name,
                        lines[line].name, x);
        }
    return sheet_write(&s, folder, "verdict");
}

static const char *quality(const measured_row *row)
{
    return row->quality == MEASURED_NOISY ? "noisy" : "sound";
}

static int write_points(const judge *j, const char *folder)
{
    static const column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"size", "text", "grid, elements"},
        {"block", "text", "starting tile, elements"},
        {"quality", "text", "sound, or noisy and left out of the verdict"},
        {"h", "loops", "trapezoid height"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop"},
        {"predicted_low", "s", "95 % interval, lower end"},
        {"predicted_high", "s", "95 % interval, upper end"},
        {"sync_share", "1", "predicted share of GlbSync*"},
        {"memory_share", "1", "predicted share of LoadSten*, Commit* and IterMem*"}};
    sheet s;
    sheet_open(&s, j, "points: measured beside predicted, one configuration in each row", columns,
               COUNT_OF(columns));
    for (size_t k = 0; k < j->n_points; k++) {
        const judge_point *p = &j->points[k];
        const measured_row *r = p->row;
        const gz_components *c = &p->predicted.components;
        const measured_app *a = &j->table->apps[r->app];
        char size[96], block[96];
        measured_lengths(a->app.dim, r->cfg.data_length, size, sizeof size);
        measured_lengths(a->app.dim, r->cfg.block_len, block, sizeof block);
        fprintf(s.to, "%s\t%s\t%s\t%s\t%s\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.4f\t%.4f\n",
                a->name, gz_sync_name(r->cfg.sync), size, block, quality(r), r->height, r->seconds,
                r->seconds * fmax(1 - r->spread / 2, 0.01), r->seconds * (1 + r->spread / 2),
                p->predicted.seconds_per_loop, p->seconds[0], p->seconds[1],
                c->glb_sync / p->predicted.cpl,
                (c->load_sten + c->commit + c->iter_mem) / p->predicted.cpl);
    }
    return sheet_write(&s, folder, "points");
}

/* One row of the two tables below, sorted so that what is one line in a figure stands together. */
typedef struct shown {
    const measured_row *row;
    int kind;
    double x, whole, part;
} shown;

static int compare_shown(const void *a, const void *b)
{
    const shown *p = a, *q = b;
    if (p->row->app != q->row->app)
        return p->row->app - q->row->app;
    if (p->kind != q->kind)
        return p->kind - q->kind;
    if (p->row->cfg.sync != q->row->cfg.sync)
        return (int)p->row->cfg.sync - (int)q->row->cfg.sync;
    return (p->x > q->x) - (p->x < q->x);
}

/* Room for three rows of a table for each of `n`. */
static shown *shown_new(size_t n)
{
    shown *rows = calloc(3 * n, sizeof *rows);
    if (!rows)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    return rows;
}

static int same_lengths(const double *a, const double *b)
{
    return memcmp(a, b, GZ_MAX_DIM * sizeof *a) == 0;
}

/* The grid and block about which the curves vary one thing: those with the most sound points, the
 * first in the table where several have as many. NULL where there are no points. */
static const gz_config *centre_of(const measured *t, int app)
{
    const gz_config *found = NULL;
    int most = -1;
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        int sound = 0;
        if (r->app != app || r->kind != MEASURED_SWEEP)
            continue;
        for (size_t i = 0; i < t->n_rows; i++)
            sound += t->rows[i].app == app && t->rows[i].kind == MEASURED_SWEEP &&
                     t->rows[i].quality != MEASURED_NOISY &&
                     same_lengths(r->cfg.data_length, t->rows[i].cfg.data_length) &&
                     same_lengths(r->cfg.block_len, t->rows[i].cfg.block_len);
        if (sound > most) {
            most = sound;
            found = &r->cfg;
        }
    }
    return found;
}

/* In the manner of the paper's Figs. 5 to 7: one thing varies in each. */
static int write_curves(const judge *j, const char *folder)
{
    static const column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"kind", "text", "what varies: block or size, at height 1, or height"},
        {"quality", "text", "sound, or noisy and left out of the verdict"},
        {"x", "1", "elements of the block, elements of the grid, or loops"},
        {"measured", "s", "time per loop"},
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop"}};
    static const char *const kinds[] = {"block", "size", "height"};
    const measured *t = j->table;
    shown *rows = shown_new(j->n_points);
    size_t n = 0;
    sheet s;
    for (int app = 0; app < t->n_apps; app++) {
        const gz_app *a = &t->apps[app].app;
        const gz_config *c = centre_of(t, app);
        for (size_t k = 0; k < j->n_points; k++) {
            const measured_row *r = j->points[k].row;
            const double x[] = {judge_elements(a, r->cfg.block_len),
                                judge_elements(a, r->cfg.data_length), r->height};
            int fixed[] = {c && same_lengths(c->block_len, r->cfg.block_len),
                           c && same_lengths(c->data_length, r->cfg.data_length), r->height == 1};
            for (int kind = 0; kind < 3 && r->app == app; kind++)
                if ((kind == 0 || fixed[0]) && (kind == 1 || fixed[1]) && (kind == 2 || fixed[2]))
                    rows[n++] = (shown){.row = r,
                                        .kind = kind,
                                        .x = x[kind],
                                        .whole = j->points[k].predicted.seconds_per_loop};
        }
    }
    qsort(rows, n, sizeof *rows, compare_shown);
    sheet_open(&s, j, "curves: measured over predicted, one thing varied at a time", columns,
               COUNT_OF(columns));
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\n", t->apps[r->app].name,
                gz_sync_name(r->cfg.sync), kinds[rows[k].kind], quality(r), rows[k].x, r->seconds,
                r->seconds * fmax(1 - r->spread / 2, 0.01), r->seconds * (1 + r->spread / 2),
                rows[k].whole);
    }
    free(rows);
    return sheet_write(&s, folder, "curves");
}

/* Component by component: where one of them stands out, the measured time beside it. */
static int write_components(const judge *j, const char *folder)
{
    static const column columns[] = {
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"kind", "text",
         "memory: over the grid's elements at h = 1; computation: over the height "
         "on the smallest grid; sync: over the blocks of nearly empty kernels"},
        {"quality", "text", "sound, or noisy"},
        {"x", "1", "elements, loops or blocks"},
        {"measured", "s", "time per loop"},
        {"predicted", "s", "time per loop"},
        {"part", "s", "that component's share of the prediction"}};
    static const char *const kinds[] = {"memory", "computation", "sync"};
    const measured *t = j->table;
    shown *rows = shown_new(t->n_rows);
    size_t n = 0;
    sheet s;
    for (int app = 0; app < t->n_apps; app++) {
        const gz_app *a = &t->apps[app].app;
        const gz_config *c = centre_of(t, app);
        for (size_t k = 0; k < t->n_rows; k++) {
            const measured_row *r = &t->rows[k];
            gz_prediction p;
            if (r->app != app || gz_predict(&t->device, a, &r->cfg, r->height, &p))
                continue;
            int central =
                r->kind == MEASURED_SWEEP && c && same_lengths(c->block_len, r->cfg.block_len);
            const int wanted[] = {central && r->height == 1,
                                  central && judge_shows(t, r, JUDGE_COMPUTATION),
                                  judge_shows(t, r, JUDGE_SYNC)};
            const double x[] = {judge_elements(a, r->cfg.data_length), r->height, p.t};
            const double part[] = {
                p.components.load_sten + p.components.commit + p.components.iter_mem,
                p.components.misc_comp + p.components.iter_comp, p.components.glb_sync};
            for (int kind = 0; kind < JUDGE_PARTS; kind++)
                if (wanted[kind])
                    rows[n++] = (shown){.row = r,
                                        .kind = kind,
                                        .x = x[kind],
                                        .whole = p.seconds_per_loop,
                                        .part = part[kind] / t->device.clock_rate.value};
        }
    }
    qsort(rows, n, sizeof *rows, compare_shown);
    sheet_open(&s, j, "components: which part of the prediction is off", columns,
               COUNT_OF(columns));
    for (size_t k = 0; k < n; k++)
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\n", t->apps[rows[k].row->app].name,
                gz_sync_name(rows[k].row->cfg.sync), kinds[rows[k].kind], quality(rows[k].row),
                rows[k].x, rows[k].row->seconds, rows[k].whole, rows[k].part);
    free(rows);
    return sheet_write(&s, folder, "components");
}

int main(int argc, char **argv)
{
    struct cli_options options;
    measured table;
    judge j;
    gz_error error;
    cli_set_program(program.name);
    int status = cli_parse(&program, argc, argv, &options);
    if (status)
        return status;
    if (options.given & CLI_HELP)
        return cli_help(&program);
    if (options.given & CLI_VERSION)
        return cli_version(&program);
    if (options.word_count != 1)
        return cli_fail(CLI_BAD_INPUT, "%d tables: exactly one is judged", options.word_count);
    gz_status read = measured_read(options.words[0], &table, &error);
    if (read)
        return cli_fail(read == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s", error.text);
    if (options.device && gz_device_open(options.device, &table.device, &error)) {
        measured_free(&table);
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    }
    gz_status judged = judge_table(&table, &j, &error);
    if (judged) {
        measured_free(&table);
        return cli_fail(judged == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s: %s",
                        options.words[0], error.text);
    }
    if (options.output)
        status = write_verdict(&j, options.output);
    if (options.output && !status)
        status = write_points(&j, options.output);
    if (options.output && !status)
        status = write_curves(&j, options.output);
    if (options.output && !status)
        status = write_components(&j, options.output);
    if (!status)
        print_verdict(&j, options.device);
    judge_free(&j);
    measured_free(&table);
    return status;
}
