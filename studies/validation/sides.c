/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sides.h"

#include "numbers.h"
#include "output.h"
#include "sheet.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CELL = 18 };

/* The lines of a verdict, in order; `floor` is -1 for what has none. */
static const struct {
    const char *name, *meaning;
    size_t offset; /* in second_verdict */
    int floor;     /* offset in both_floor */
    enum { COUNT, PERCENT, PLAIN } form;
} lines[] = {
#define OF(member) offsetof(second_verdict, member)
#define FLOOR(member) (int)offsetof(both_floor, member)
    {"points", "points judged", OF(points), -1, COUNT},
    {"error", "error of the predicted time, median", OF(error[0]), FLOOR(error[0]), PERCENT},
    {"error_95", "  95th percentile", OF(error[1]), FLOOR(error[1]), PERCENT},
    {"ratio", "predicted over measured, median", OF(bias), -1, PLAIN},
    {"coverage", "times within the 95 % interval", OF(coverage), -1, PERCENT},
    {"curves", "curves over the height", OF(curves), -1, COUNT},
    {"height", "regret of the height, median", OF(height[0]), FLOOR(height[0]), PERCENT},
    {"height_95", "  95th percentile", OF(height[1]), FLOOR(height[1]), PERCENT},
    {"constant", "regret of the best constant height, median", OF(constant), -1, PERCENT},
    {"constant_95", "  95th percentile", OF(constant_95), -1, PERCENT},
    {"pairs", "tiles, each in every mode", OF(pairs), -1, COUNT},
    {"mode_within_2", "mode's regret at most 2 %, share", OF(mode_within_2), FLOOR(mode_within_2),
     PERCENT},
    {"problems", "grids, to choose all for", OF(problems), -1, COUNT},
    {"joint", "regret of tile, height and mode, median", OF(joint[0]), FLOOR(joint[0]), PERCENT},
    {"joint_95", "  95th percentile", OF(joint[1]), FLOOR(joint[1]), PERCENT},
    {"joint_five", "best of the first five, median", OF(joint_five[0]), FLOOR(joint_five[0]),
     PERCENT},
    {"joint_five_95", "  95th percentile", OF(joint_five[1]), FLOOR(joint_five[1]), PERCENT},
#undef OF
#undef FLOOR
};
enum { LINES = sizeof lines / sizeof *lines };

static double value(const second_verdict *v, int line)
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

/* NaN if there is none. */
static double floor_value(const both_floor *f, int line)
{
    double x;
    if (!f->known || lines[line].floor < 0)
        return (double)NAN;
    memcpy(&x, (const char *)f + lines[line].floor, sizeof x);
    return x;
}

/* A value, and the floor in brackets. */
static void write_cell(const second_verdict *v, const both_floor *f, int line, char text[48])
{
    double x = value(v, line), least = floor_value(f, line);
    if (isnan(x))
        snprintf(text, 48, "-");
    else if (lines[line].form == COUNT)
        snprintf(text, 48, "%.0f", x);
    else if (lines[line].form == PLAIN)
        snprintf(text, 48, "%.2f", x);
    else if (isnan(least))
        snprintf(text, 48, "%.1f %%", 100 * x);
    else
        snprintf(text, 48, "%.1f %% (%.1f)", 100 * x, 100 * least);
}

static void say_floor(const both *b, FILE *to)
{
    if (b->all.known)
        fprintf(to,
                "in brackets the noise floor: what a perfect model would have, by the scatter "
                "between tries (%.1f %% of a point's time in the median, %.1f %% at the 95th "
                "percentile; %d draws, seed %d; %zu of %zu points have one try)",
                100 * b->all.scatter[0], 100 * b->all.scatter[1], (int)BOTH_DRAWS, (int)BOTH_SEED,
                b->all.one_try, b->n);
    else
        fprintf(to, "no noise floor: most points have one try, so no scatter between tries");
}

void sides_print(const both *b)
{
    const measured *t = b->table;
    char cell[48];
    printf("\nThe models side by side; ");
    say_floor(b, stdout);
    puts(".");
    for (int k = 0; k < b->n_models; k++) {
        const both_model *m = &b->of[k];
        if (m->missing.text[0]) {
            printf("\n%s: not judged: %s\n", gz_name(GZ_MODELS, m->model), m->missing.text);
            continue;
        }
        printf("\n%-44s", gz_name(GZ_MODELS, m->model));
        for (int a = 0; a < t->n_apps; a++)
            printf("%*s", CELL, t->apps[a].name);
        printf("%*s\n", CELL, "all");
        for (int line = 0; line < LINES; line++) {
            printf("%-44s", lines[line].meaning);
            for (int a = 0; a <= t->n_apps; a++) {
                int last = a == t->n_apps;
                write_cell(last ? &m->all : &m->app[a], last ? &b->all : &b->app[a], line, cell);
                printf("%*s", CELL, cell);
            }
            putchar('\n');
        }
    }
}

void sides_markdown(const both *b, FILE *to)
{
    const measured *t = b->table;
    char cell[48];
    fputs("\n- models side by side, ", to);
    say_floor(b, to);
    fputs("\n", to);
    for (int k = 0; k < b->n_models; k++)
        if (b->of[k].missing.text[0])
            fprintf(to, "- %s: not judged: %s\n", gz_name(GZ_MODELS, b->of[k].model),
                    b->of[k].missing.text);
    for (int k = 0; k < b->n_models; k++) {
        const both_model *m = &b->of[k];
        if (m->missing.text[0])
            continue;
        fprintf(to, "\n| %s |", gz_name(GZ_MODELS, m->model));
        for (int a = 0; a < t->n_apps; a++)
            fprintf(to, " %s |", t->apps[a].name);
        fputs(" all |\n|---|", to);
        for (int a = 0; a <= t->n_apps; a++)
            fputs("---|", to);
        putc('\n', to);
        for (int line = 0; line < LINES; line++) {
            int indent = (int)strspn(lines[line].meaning, " ");
            fprintf(to, "| %s%s |", indent ? "... " : "", lines[line].meaning + indent);
            for (int a = 0; a <= t->n_apps; a++) {
                int last = a == t->n_apps;
                write_cell(last ? &m->all : &m->app[a], last ? &b->all : &b->app[a], line, cell);
                fprintf(to, " %s |", cell);
            }
            putc('\n', to);
        }
    }
}

static int write_verdicts(const both *b, const judge *j, const char *folder)
{
    static const sheet_column columns[] = {
        {"model", "text", "model"},
        {"app", "text", "application, or all"},
        {"measure", "text", "what is judged (shares, not percent)"},
        {"value", "1", "its value"},
        {"floor", "text", "what a perfect model would have (1); - if that is not stated"}};
    const measured *t = b->table;
    sheet s;
    sheet_head(&s, j, "models: how good each is on the same points", columns,
               SHEET_COLUMNS(columns));
    for (int k = 0; k < b->n_models; k++) {
        const both_model *m = &b->of[k];
        for (int a = 0; a <= t->n_apps && !m->missing.text[0]; a++)
            for (int line = 0; line < LINES; line++) {
                int last = a == t->n_apps;
                double x = value(last ? &m->all : &m->app[a], line),
                       least = floor_value(last ? &b->all : &b->app[a], line);
                if (isnan(x))
                    continue;
                fprintf(s.to, "%s\t%s\t%s\t%.6g\t", gz_name(GZ_MODELS, m->model),
                        last ? "all" : t->apps[a].name, lines[line].name, x);
                fprintf(s.to, isnan(least) ? "-\n" : "%.6g\n", least);
            }
    }
    return sheet_write(&s, folder, "models.tsv");
}

static int write_points(const both *b, const judge *j, const char *folder)
{
    static const sheet_column columns[] = {
        {"model", "text", "model"},
        {"kind", "text", "judged: no point of the table was used to calibrate"},
        {"app", "text", "application"},
        {"sync", "text", "synchronisation between stages"},
        {"cells", "1", "elements of the grid"},
        {"block_x", "1", "elements of the starting tile, x"},
        {"h", "loops", "trapezoid height"},
        {"measured", "s", "time per loop"},
        {"predicted", "s", "time per loop"}};
    const measured *t = b->table;
    sheet s;
    sheet_head(&s, j, "model_points: predicted and measured, all models on the same points",
               columns, SHEET_COLUMNS(columns));
    for (int k = 0; k < b->n_models; k++) {
        const both_model *m = &b->of[k];
        for (size_t i = 0; i < b->n && !m->missing.text[0]; i++) {
            const measured_row *r = b->row[i];
            const measured_app *a = &t->apps[r->app];
            fprintf(s.to, "%s\tjudged\t%s\t%s\t%.15g\t%.15g\t%d\t%.6g\t%.6g\n",
                    gz_name(GZ_MODELS, m->model), a->name, gz_name(GZ_SYNCS, r->cfg.sync),
                    cli_product(a->app.dim, r->cfg.data_length), r->cfg.block_len[0], r->height,
                    r->seconds, m->predicted[i]);
        }
    }
    return sheet_write(&s, folder, "model_points.tsv");
}

int sides_write(const both *b, const judge *j, const char *folder)
{
    int status = write_verdicts(b, j, folder);
    return status ? status : write_points(b, j, folder);
}
