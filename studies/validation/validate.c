/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate.c - judges the model on a table of measurements: prints the verdict, and writes it as
 * tables, one of them in Markdown for the README, with those that the figures are drawn from.
 *
 * Several opinions of one table are formed. The headline is by the device file's own factors and,
 * where it leaves enough points, the strict rule (judge_rule_of). Beside it stand the other rule;
 * the paper's factors, where the file has others; and an experiment with the cache's bandwidth.
 */
#include "judge.h"
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the model is given in the place of what the device file says. */
typedef enum factors {
    FACTORS_FILE,  /* nothing */
    FACTORS_PAPER, /* sigma, mu and beta as the paper assumed them */
    FACTORS_CACHE, /* the cache's bandwidth for what a cache holds (judge_options.by_cache) */
    FACTORS_KINDS
} factors;

static const char *const factors_names[] = {"file", "paper", "cache"};
static const char *const rule_names[] = {"strict", "relaxed"};

static const double paper_sigma = 5, paper_mu = 0.5, paper_beta = 0.5;

enum own_bit { OWN_FACTORS = CLI_FIRST_OWN };

static factors chosen_factors;

static int read_factors(void *into, const char *text)
{
    for (int k = 0; k < FACTORS_KINDS; k++)
        if (strcmp(text, factors_names[k]) == 0) {
            *(factors *)into = (factors)k;
            return CLI_DONE;
        }
    return cli_fail(CLI_BAD_INPUT, "--factors %.60s: must be file, paper or cache", text);
}

static const struct cli_option own_options[] = {
    {OWN_FACTORS, 0, "factors", "WHICH",
     "of the headline and the figures: file, the device file's sigma, mu and beta (the default); "
     "paper, the paper's; cache, an experiment: the file's, and the cache's bandwidth where the "
     "cache holds the grid",
     read_factors},
    {0},
};

static const struct cli_program program = {
    .name = "validate",
    .usage =
        "Usage: validate TABLE [-d FILE] [-o FOLDER]\n"
        "\n"
        "Judges the model on a table of measurements, as measure writes it, with the device and\n"
        "application files inside; -d puts another device file in the first one's place. Prints "
        "the\nverdict; with -o also writes it, and the tables of the figures, into a folder that "
        "is "
        "there.\n",
    .more = "Exit status: 0 done, 1 failed, 2 the command line or an input was wrong.\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP | CLI_VERSION,
    .own = own_options,
    .own_into = &chosen_factors,
};

/* ------------------------------------------------------------------------------------- opinions */

/* The table, judged in one way. */
typedef struct opinion {
    factors by;
    judge_rule rule;
    measured table; /* with the device that it is judged by; its rows are the first one's */
    judge j;
} opinion;

enum { MOST_OPINIONS = FACTORS_KINDS * JUDGE_RULES };

typedef struct opinions {
    int n; /* the headline first */
    opinion each[MOST_OPINIONS];
} opinions;

static int has_other_factors(const gz_device *dev)
{
    return dev->dimension_penalty.value != paper_sigma || dev->fence_exposure.value != paper_mu ||
           dev->latency_hiding.value != paper_beta;
}

static gz_status add_opinion(opinions *all, const measured *table, factors by, judge_rule rule,
                             gz_error *error)
{
    opinion *o = &all->each[all->n];
    o->by = by;
    o->rule = rule;
    o->table = *table;
    if (by == FACTORS_PAPER) {
        gz_device *dev = &o->table.device;
        dev->dimension_penalty = (gz_quantity){paper_sigma, 0, GZ_ORIGIN_PAPER};
        dev->fence_exposure = (gz_quantity){paper_mu, 0, GZ_ORIGIN_PAPER};
        dev->latency_hiding = (gz_quantity){paper_beta, 0, GZ_ORIGIN_PAPER};
    }
    judge_options options = {.rule = rule, .by_cache = by == FACTORS_CACHE};
    gz_status status = judge_table(&o->table, options, &o->j, error);
    all->n += status == GZ_OK;
    return status;
}

/* The headline, then the other rule, then other factors by the headline's rule and by the other. */
static gz_status form_opinions(opinions *all, const measured *table, gz_error *error)
{
    const int there[FACTORS_KINDS] = {1, has_other_factors(&table->device),
                                      table->cache_bytes > 0 && table->cache_bytes_s > 0};
    judge_rule rule = judge_rule_of(table),
               other = rule == JUDGE_STRICT ? JUDGE_RELAXED : JUDGE_STRICT;
    gz_status status = add_opinion(all, table, chosen_factors, rule, error);
    if (!status)
        status = add_opinion(all, table, chosen_factors, other, error);
    for (int k = 0; k < FACTORS_KINDS && !status; k++) {
        if (!there[k] || k == (int)chosen_factors)
            continue;
        status = add_opinion(all, table, (factors)k, rule, error);
        if (!status)
            status = add_opinion(all, table, (factors)k, other, error);
    }
    return status;
}

static void free_opinions(opinions *all)
{
    for (int k = 0; k < all->n; k++)
        judge_free(&all->each[k].j);
}

/* In words: which values sigma, mu and beta have, and where from. */
static void say_factors(const opinion *o, FILE *to)
{
    const gz_device *dev = &o->table.device;
    fprintf(to, "sigma %.3g (%s), mu %.3g (%s), beta %.3g (%s)%s", dev->dimension_penalty.value,
            gz_origin_name(dev->dimension_penalty.origin), dev->fence_exposure.value,
            gz_origin_name(dev->fence_exposure.origin), dev->latency_hiding.value,
            gz_origin_name(dev->latency_hiding.origin),
            o->by == FACTORS_CACHE ? ", cache bandwidth where the cache holds the grid" : "");
}

static void say_rule(const opinion *o, FILE *to)
{
    fprintf(to, "%s rule: %s, %zu of %zu points", rule_names[o->rule],
            o->rule == JUDGE_STRICT
                ? "an interquartile range under 2 % of the median"
                : "an interquartile range, or a standard error of the median, under 2 %",
            o->j.n_sound, o->j.n_points);
}

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

/* A value as people read it. */
static void write_cell(const judge_verdict *v, int line, char text[32])
{
    double x = value(v, line);
    snprintf(text, 32, "-");
    if (isnan(x))
        return;
    if (lines[line].form == COUNT)
        snprintf(text, 32, "%.0f", x);
    else if (lines[line].form == PERCENT)
        snprintf(text, 32, "%.1f %%", 100 * x);
    else
        snprintf(text, 32, "%.2f", x);
}

static void print_cell(const judge_verdict *v, int line)
{
    char text[32];
    write_cell(v, line, text);
    printf("%*s", CELL, text);
}

/* Which lines compare the opinions. */
static int compares(int line)
{
    static const char *const names[] = {"curves", "points", "regret",      "regret_95", "within_5",
                                        "error",  "ratio",  "correlation", "sync_hits", "coverage"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(lines[line].name, names[k]) == 0)
            return 1;
    return 0;
}

static void print_verdict(const opinions *all, const char *other_device)
{
    const opinion *head = &all->each[0];
    const judge *j = &head->j;
    const measured *t = &head->table;
    fputs(t->about, stdout);
    if (other_device)
        printf("# judged with: %s\n", other_device);
    printf("# factors: ");
    say_factors(head, stdout);
    printf("\n# points: ");
    say_rule(head, stdout);
    printf("\n\n%-48s", "");
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
    printf("\nThe best fixed height over everything is %d.\n\n", j->fixed_height);
    printf("%-48s", "all, factors by:");
    for (int k = 0; k < all->n; k++)
        printf("%*s", CELL, factors_names[all->each[k].by]);
    printf("\n%-48s", "     rule:");
    for (int k = 0; k < all->n; k++)
        printf("%*s", CELL, rule_names[all->each[k].rule]);
    putchar('\n');
    for (int line = 0; line < LINES; line++) {
        if (!compares(line))
            continue;
        printf("%-48s", lines[line].meaning);
        for (int k = 0; k < all->n; k++)
            print_cell(&all->each[k].j.all, line);
        putchar('\n');
    }
    printf("The first column is the headline.\n");
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
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!status && (n < 0 || (size_t)n >= sizeof path))
        status = cli_fail(CLI_BAD_INPUT, "-o %s: the name is too long", folder);
    if (!status)
        status = cli_write(path, s->text, s->size);
    free(s->text);
    return status;
}

#define COUNT_OF(a) (int)(sizeof(a) / sizeof *(a))

static int write_verdict(const opinions *all, const char *folder)
{
    static const column columns[] = {{"app", "text", "application, or all"},
                                     {"measure", "text", "what is judged (shares, not percent)"},
                                     {"value", "1", "its value"},
                                     {"factors", "text", "file, paper or cache"},
                                     {"rule", "text", "strict or relaxed"},
                                     {"headline", "text", "yes or no"}};
    sheet s;
    sheet_open(&s, &all->each[0].j, "verdict: how good the model is, a value in each row", columns,
               COUNT_OF(columns));
    for (int o = 0; o < all->n; o++) {
        const judge *j = &all->each[o].j;
        for (int k = 0; k <= j->table->n_apps; k++)
            for (int line = 0; line < LINES; line++) {
                int last = k == j->table->n_apps;
                double x = value(last ? &j->all : &j->app[k], line);
                if (!isnan(x))
                    fprintf(s.to, "%s\t%s\t%.6g\t%s\t%s\t%s\n",
                            last ? "all" : j->table->apps[k].name, lines[line].name, x,
                            factors_names[all->each[o].by], rule_names[all->each[o].rule],
                            o == 0 ? "yes" : "no");
            }
    }
    return sheet_write(&s, folder, "verdict.tsv");
}

/* One row of a Markdown table begins with what it shows. */
static void write_row_of(FILE *to, const judge *j, int line)
{
    int indent = (int)strspn(lines[line].meaning, " ");
    fprintf(to, "| %s%s", indent ? "... " : "", lines[line].meaning + indent);
    if (strcmp(lines[line].name, "fixed") == 0)
        fprintf(to, ", %d", j->fixed_height);
    fputs(" |", to);
}

static void write_rule(FILE *to, int columns)
{
    fputs("|---|", to);
    for (int k = 0; k < columns; k++)
        fputs("---|", to);
    putc('\n', to);
}

/* The verdict as the README has it. */
static int write_markdown(const opinions *all, const char *folder)
{
    const opinion *head = &all->each[0];
    const measured *t = &head->table;
    char cell[32];
    sheet s;
    s.to = open_memstream(&s.text, &s.size);
    if (!s.to)
        return cli_fail(CLI_FAILED, "out of memory");
    for (const char *line = t->about; *line; line += strcspn(line, "\n") + 1) {
        static const char *const keys[] = {
            "# device: ", "# driver: ", "# date: ", "# resumed: ", "# partial: "};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strncmp(line, keys[k], strlen(keys[k])) == 0)
                fprintf(s.to, "- %.*s\n", (int)strcspn(line, "\n") - 2, line + 2);
    }
    fputs("- factors: ", s.to);
    say_factors(head, s.to);
    fputs("\n- points: ", s.to);
    say_rule(head, s.to);
    fputs("\n\n| |", s.to);
    for (int k = 0; k < t->n_apps; k++)
        fprintf(s.to, " %s |", t->apps[k].name);
    fputs(" all |\n", s.to);
    write_rule(s.to, t->n_apps + 1);
    for (int line = 0; line < LINES; line++) {
        write_row_of(s.to, &head->j, line);
        for (int k = 0; k <= t->n_apps; k++) {
            write_cell(k < t->n_apps ? &head->j.app[k] : &head->j.all, line, cell);
            fprintf(s.to, " %s |", cell);
        }
        putc('\n', s.to);
    }
    fputs("\n| over all, by factors and rule |", s.to);
    for (int k = 0; k < all->n; k++)
        fprintf(s.to, " %s, %s |", factors_names[all->each[k].by], rule_names[all->each[k].rule]);
    putc('\n', s.to);
    write_rule(s.to, all->n);
    for (int line = 0; line < LINES; line++) {
        if (!compares(line))
            continue;
        write_row_of(s.to, &head->j, line);
        for (int k = 0; k < all->n; k++) {
            write_cell(&all->each[k].j.all, line, cell);
            fprintf(s.to, " %s |", cell);
        }
        putc('\n', s.to);
    }
    return sheet_write(&s, folder, "verdict.md");
}

static const char *quality(const judge *j, const measured_row *row)
{
    return row->quality == MEASURED_QUIET ||
                   (j->options.rule == JUDGE_RELAXED && row->quality == MEASURED_AVERAGED)
               ? "sound"
               : "noisy";
}

/* The quartiles, as if they were as far from the median. */
static double lower(const measured_row *row)
{
    return row->seconds * fmax(1 - row->spread / 2, 0.01);
}

static double upper(const measured_row *row)
{
    return row->seconds * (1 + row->spread / 2);
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
                a->name, gz_sync_name(r->cfg.sync), size, block, quality(j, r), r->height,
                r->seconds, r->seconds * fmax(1 - r->spread / 2, 0.01),
                r->seconds * (1 + r->spread / 2), p->predicted.seconds_per_loop, p->seconds[0],
                p->seconds[1], c->glb_sync / p->predicted.cpl,
                (c->load_sten + c->commit + c->iter_mem) / p->predicted.cpl);
    }
    return sheet_write(&s, folder, "points.tsv");
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
static const gz_config *centre_of(const judge *j, int app)
{
    const measured *t = j->table;
    const gz_config *found = NULL;
    int most = -1;
    for (size_t k = 0; k < t->n_rows; k++) {
        const measured_row *r = &t->rows[k];
        int sound = 0;
        if (r->app != app || r->kind != MEASURED_SWEEP)
            continue;
        for (size_t i = 0; i < t->n_rows; i++)
            sound += t->rows[i].app == app && t->rows[i].kind == MEASURED_SWEEP &&
                     strcmp(quality(j, &t->rows[i]), "sound") == 0 &&
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
        const gz_config *c = centre_of(j, app);
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
                gz_sync_name(r->cfg.sync), kinds[rows[k].kind], quality(j, r), rows[k].x,
                r->seconds, r->seconds * fmax(1 - r->spread / 2, 0.01),
                r->seconds * (1 + r->spread / 2), rows[k].whole);
    }
    free(rows);
    return sheet_write(&s, folder, "curves.tsv");
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
        {"low", "s", "measured, lower quartile"},
        {"high", "s", "measured, upper quartile"},
        {"predicted", "s", "time per loop"},
        {"part", "s", "that component's share of the prediction"}};
    static const char *const kinds[] = {"memory", "computation", "sync"};
    const measured *t = j->table;
    shown *rows = shown_new(t->n_rows);
    size_t n = 0;
    sheet s;
    for (int app = 0; app < t->n_apps; app++) {
        const gz_app *a = &t->apps[app].app;
        const gz_config *c = centre_of(j, app);
        for (size_t k = 0; k < t->n_rows; k++) {
            const measured_row *r = &t->rows[k];
            gz_prediction p;
            const gz_device device = judge_device(t, j->options, r);
            if (r->app != app || gz_predict(&device, a, &r->cfg, r->height, &p, NULL))
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
    for (size_t k = 0; k < n; k++) {
        const measured_row *r = rows[k].row;
        fprintf(s.to, "%s\t%s\t%s\t%s\t%.15g\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n", t->apps[r->app].name,
                gz_sync_name(r->cfg.sync), kinds[rows[k].kind], quality(j, r), rows[k].x,
                r->seconds, lower(r), upper(r), rows[k].whole, rows[k].part);
    }
    free(rows);
    return sheet_write(&s, folder, "components.tsv");
}

static int write_all(const opinions *all, const char *folder)
{
    int status = write_verdict(all, folder);
    if (!status)
        status = write_markdown(all, folder);
    if (!status)
        status = write_points(&all->each[0].j, folder);
    if (!status)
        status = write_curves(&all->each[0].j, folder);
    return status ? status : write_components(&all->each[0].j, folder);
}

int main(int argc, char **argv)
{
    static opinions all; /* static for its size */
    struct cli_options options;
    measured table;
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
    if (options.device && gz_device_open(options.device, &table.device, &error))
        status = cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (!status && chosen_factors == FACTORS_CACHE &&
        !(table.cache_bytes > 0 && table.cache_bytes_s > 0))
        status = cli_fail(CLI_BAD_INPUT,
                          "--factors cache: the device file in %s records no cache_size and "
                          "cache_bandwidth",
                          options.words[0]);
    gz_status judged = status ? GZ_OK : form_opinions(&all, &table, &error);
    if (judged)
        status = cli_fail(judged == GZ_ENOMEM ? CLI_FAILED : CLI_BAD_INPUT, "%s: %s",
                          options.words[0], error.text);
    if (!status && options.output)
        status = write_all(&all, options.output);
    if (!status)
        print_verdict(&all, options.device);
    free_opinions(&all);
    measured_free(&table);
    return status;
}
