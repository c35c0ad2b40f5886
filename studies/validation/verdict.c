/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include "sheet.h"
#include "sides.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const factors_names[FACTORS_KINDS] = {"file", "paper", "cache"};
static const char *const rule_names[] = {"strict", "relaxed"};

static const double paper_sigma = 5, paper_mu = 0.5, paper_beta = 0.5;

const char *factors_name(int which)
{
    return which >= 0 && which < FACTORS_KINDS ? factors_names[which] : NULL;
}

/* ------------------------------------------------------------------------------------- opinions */

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

gz_status opinions_form(opinions *all, const measured *table, factors chosen, gz_error *error)
{
    const int there[FACTORS_KINDS] = {1, has_other_factors(&table->device),
                                      table->device.cache_size.value > 0 &&
                                          table->device.cache_bandwidth.value > 0};
    judge_rule rule = judge_rule_of(table),
               other = rule == JUDGE_STRICT ? JUDGE_RELAXED : JUDGE_STRICT;
    gz_status status = add_opinion(all, table, chosen, rule, error);
    if (!status)
        status = add_opinion(all, table, chosen, other, error);
    for (int k = 0; k < FACTORS_KINDS && !status; k++) {
        if (!there[k] || k == (int)chosen)
            continue;
        status = add_opinion(all, table, (factors)k, rule, error);
        if (!status)
            status = add_opinion(all, table, (factors)k, other, error);
    }
    return status;
}

void opinions_free(opinions *all)
{
    for (int k = 0; k < all->n; k++)
        judge_free(&all->each[k].j);
}

/* In words: which values sigma, mu and beta have, and where they come from. */
static void say_factors(const opinion *o, FILE *to)
{
    const gz_device *dev = &o->table.device;
    fprintf(to, "sigma %.3g (%s), mu %.3g (%s), beta %.3g (%s)%s", dev->dimension_penalty.value,
            gz_name(GZ_ORIGINS, dev->dimension_penalty.origin), dev->fence_exposure.value,
            gz_name(GZ_ORIGINS, dev->fence_exposure.origin), dev->latency_hiding.value,
            gz_name(GZ_ORIGINS, dev->latency_hiding.origin),
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

void verdict_print(const opinions *all, const char *other_device)
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

int verdict_write(const opinions *all, const char *folder)
{
    static const sheet_column columns[] = {
        {"app", "text", "application, or all"},
        {"measure", "text", "what is judged (shares, not percent)"},
        {"value", "1", "its value"},
        {"factors", "text", "file, paper or cache"},
        {"rule", "text", "strict or relaxed"},
        {"headline", "text", "yes or no"}};
    sheet s;
    sheet_head(&s, &all->each[0].j, "verdict: how good the model is, a value in each row", columns,
               SHEET_COLUMNS(columns));
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

int verdict_write_markdown(const opinions *all, const both *sides, const char *folder)
{
    const opinion *head = &all->each[0];
    const measured *t = &head->table;
    char cell[32];
    sheet s;
    sheet_open(&s);
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
    sides_markdown(sides, s.to);
    return sheet_write(&s, folder, "verdict.md");
}
