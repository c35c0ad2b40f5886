/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include "files.h"
#include "output.h"
#include "tables.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------- judging */

static bool belongs(const judge_point *p, const report_column *c)
{
    return (!c->app || strcmp(p->table->apps[p->row->app].name, c->app) == 0) &&
           (c->variant < 0 || (int)p->row->cfg.variant == c->variant);
}

/* The points of a column into `out`, numbered anew; how many. */
static size_t points_of(const report *r, const judge_point *from, const report_column *c,
                        judge_point *out)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (belongs(&from[i], c))
            out[n++] = from[i];
    judge_number(out, n);
    return n;
}

static void add_column(report *r, const char *name, const char *app, int variant)
{
    bool any = false;
    for (int k = 0; k < r->n_columns; k++)
        if (strcmp(r->column[k].name, name) == 0)
            return;
    report_column c = {.name = name, .app = app, .variant = variant};
    for (size_t i = 0; i < r->n && !any; i++)
        any = belongs(&r->points[i], &c);
    if (any && r->n_columns < REPORT_COLUMNS)
        r->column[r->n_columns++] = c;
}

/* The stencils, all of them, and if there are other variants these, and all variants together. */
static void add_columns(report *r)
{
    for (int t = 0; t < r->n_tables; t++)
        for (int a = 0; a < r->tables[t].n_apps; a++)
            add_column(r, r->tables[t].apps[a].name, r->tables[t].apps[a].name,
                       GZ_VARIANT_TRAPEZOID);
    add_column(r, "all", NULL, GZ_VARIANT_TRAPEZOID);
    int trapezoids = r->n_columns;
    add_column(r, gz_name(GZ_VARIANTS, GZ_VARIANT_STREAM), NULL, GZ_VARIANT_STREAM);
    add_column(r, gz_name(GZ_VARIANTS, GZ_VARIANT_NAIVE), NULL, GZ_VARIANT_NAIVE);
    if (r->n_columns > trapezoids)
        add_column(r, "all variants", NULL, -1);
}

static void judge_by(report *r, gz_model model, judge_point *work)
{
    report_model *m = &r->of[r->n_models++];
    m->model = model;
    m->points = cli_room(r->n, sizeof *m->points);
    memcpy(m->points, r->points, r->n * sizeof *m->points);
    m->described = judge_predict(m->points, r->n, model, m->missing);
    for (int k = 0; k < r->n_columns; k++)
        judge(work, points_of(r, m->points, &r->column[k], work), &m->verdict[k]);
}

void report_make(const measured *tables, int n_tables, report *out)
{
    size_t rows = 0;
    *out = (report){.tables = tables, .n_tables = n_tables};
    for (int t = 0; t < n_tables; t++)
        rows += tables[t].n_rows;
    out->points = cli_room(rows, sizeof *out->points);
    judge_point *work = cli_room(rows, sizeof *work);
    for (int t = 0; t < n_tables; t++)
        out->n += judge_points(&tables[t], out->points + out->n);
    add_columns(out);
    for (report_column *c = out->column; c < out->column + out->n_columns; c++)
        judge_noise(work, points_of(out, out->points, c, work), &c->floor);
    for (int k = GZ_MODEL_MENG2011; k <= REPORT_MODELS; k++)
        judge_by(out, (gz_model)k, work);
    free(work);
}

void report_free(report *r)
{
    for (int k = 0; k < r->n_models; k++)
        free(r->of[k].points);
    free(r->points);
    *r = (report){0};
}

/* ---------------------------------------------------------------------------------------- lines */

/* NaN if there is none. */
static double floor_value(const judge_floor *f, int line)
{
    return f->known && judge_about[line].form == JUDGE_FLOORED ? f->verdict.of[line] : (double)NAN;
}

/* A value as people read it, and the floor in brackets, if `f` is given. */
static void add_cell(const judge_verdict *v, const judge_floor *f, int line, FILE *to)
{
    double x = v->of[line], least = f ? floor_value(f, line) : (double)NAN;
    if (isnan(x) || (x == 0 && judge_about[line].form == JUDGE_WHOLE))
        fputs(" - |", to);
    else if (judge_about[line].form == JUDGE_WHOLE)
        fprintf(to, " %.0f |", x);
    else if (judge_about[line].form == JUDGE_PLAIN)
        fprintf(to, " %.2f |", x);
    else if (isnan(least))
        fprintf(to, " %.1f %% |", 100 * x);
    else
        fprintf(to, " %.1f %% (%.1f) |", 100 * x, 100 * least);
}

/* Whether any column has something to say on a line. */
static bool says(const report *r, const report_model *m, int line)
{
    bool any = false;
    for (int k = 0; k < r->n_columns; k++) {
        double x = m->verdict[k].of[line];
        any = any || (judge_about[line].form == JUDGE_WHOLE ? x > 0 : !isnan(x));
    }
    return any;
}

/* ------------------------------------------------------------------------------------- in words */

static void say_floor(const report *r, FILE *to)
{
    const report_column *all = &r->column[0];
    for (int k = 0; k < r->n_columns; k++)
        if (strcmp(r->column[k].name, "all") == 0)
            all = &r->column[k];
    const judge_floor *f = &all->floor;
    if (f->known)
        fprintf(to,
                "in brackets the noise floor: what a perfect model would have, by the scatter "
                "between tries (%.1f %% of a point's time in the median, %.1f %% at the 95th "
                "percentile; %d draws, seed %d; %zu points have one try)",
                100 * f->scatter[0], 100 * f->scatter[1], (int)JUDGE_DRAWS, (int)JUDGE_SEED,
                f->one_try);
    else
        fprintf(to, "no noise floor: most points have one try, so no scatter between tries");
    fprintf(to,
            "; regret is over the least measured time, and cross-fitted over the best of half of "
            "the tries, timed by the others; no 95th percentile of regrets on fewer than %d grids",
            (int)JUDGE_ENOUGH);
}

/* Which values sigma, mu and beta have, and where they come from. */
static void say_factors(const gz_device *dev, FILE *to)
{
    fprintf(to, "sigma %.3g (%s), mu %.3g (%s), beta %.3g (%s)", dev->dimension_penalty.value,
            gz_name(GZ_ORIGINS, dev->dimension_penalty.origin), dev->fence_exposure.value,
            gz_name(GZ_ORIGINS, dev->fence_exposure.origin), dev->latency_hiding.value,
            gz_name(GZ_ORIGINS, dev->latency_hiding.origin));
}

/* What a model does not describe, a line a variant. */
static void say_missing(const report_model *m, FILE *to)
{
    for (int v = 0; v < REPORT_VARIANTS; v++)
        if (m->missing[v].text[0])
            fprintf(to, "- %s, %s: not judged where %s\n", gz_name(GZ_MODELS, m->model),
                    gz_name(GZ_VARIANTS, (gz_variant)v), m->missing[v].text);
}

/* A row begins with an end of line. */
static void begin_row(const char *name, FILE *to)
{
    int indent = (int)strspn(name, " ");
    fprintf(to, "\n| %s%s |", indent ? "... " : "", name + indent);
}

static void end_header(int columns, FILE *to)
{
    fputs("\n|---|", to);
    for (int k = 0; k < columns; k++)
        fputs("---|", to);
}

static void add_model(const report *r, const report_model *m, FILE *to)
{
    begin_row(gz_name(GZ_MODELS, m->model), to);
    for (int k = 0; k < r->n_columns; k++)
        fprintf(to, " %s |", r->column[k].name);
    end_header(r->n_columns, to);
    for (int line = 0; line < JUDGE_LINES; line++) {
        if (!says(r, m, line))
            continue;
        begin_row(judge_about[line].meaning, to);
        for (int k = 0; k < r->n_columns; k++)
            add_cell(&m->verdict[k], &r->column[k].floor, line, to);
    }
    putc('\n', to);
}

/* What a table says of itself that a reader of its verdict wants to know. */
static void write_about(const measured *t, FILE *to)
{
    static const char *const keys[] = {
        "# device: ", "# driver: ", "# date: ", "# resumed: ", "# converted: ", "# partial: "};
    for (const char *line = t->about; *line; line += strcspn(line, "\n") + 1)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strncmp(line, keys[k], strlen(keys[k])) == 0)
                fprintf(to, "- %.*s\n", (int)strcspn(line, "\n") - 2, line + 2);
    fputs("- factors: ", to);
    say_factors(&t->device, to);
    putc('\n', to);
}

/* Breaks lines outside tables at blanks, to at most 120 columns. */
static void fold(char *line)
{
    while (*line) {
        char *end = line + strcspn(line, "\n"), *blank = line + 120;
        if (*line != '|' && end > blank) {
            while (blank > line && *blank != ' ')
                blank--;
            if (blank > line)
                *(end = blank) = '\n';
        }
        line = end + (*end != '\0');
    }
}

/* On standard output, and into a folder if that is not NULL. */
static int write_markdown(const report *r, const char *other_device, const char *folder)
{
    sheet s;
    cli_sheet_open(&s);
    if (r->n_tables == 1)
        fprintf(s.to, "# Verdict on a table of %s\n\n", r->tables[0].device.name);
    else
        fprintf(s.to, "# Verdict on %d tables together\n\n", r->n_tables);
    for (int t = 0; t < r->n_tables; t++)
        write_about(&r->tables[t], s.to);
    if (other_device)
        fprintf(s.to, "- judged with: %s\n", other_device);
    fputs("- the models side by side, ", s.to);
    say_floor(r, s.to);
    putc('\n', s.to);
    for (int k = 0; k < r->n_models; k++)
        say_missing(&r->of[k], s.to);
    for (int k = 0; k < r->n_models; k++)
        if (r->of[k].described > 0)
            add_model(r, &r->of[k], s.to);
    if (fflush(s.to) == 0)
        fold(s.text);
    int status = folder ? cli_write(NULL, s.text, s.size) : cli_sheet_write(&s, NULL);
    return status || !folder ? status : sheet_write(&s, folder, "verdict.md");
}

/* --------------------------------------------------------------------------------------- tables */

static int write_models(const report *r, const char *folder)
{
    sheet s;
    sheet_head(&s, &r->tables[0], "models: how good each is on the same points",
               gzs_validate_models_txt);
    for (int k = 0; k < r->n_models; k++)
        for (int c = 0; c < r->n_columns && r->of[k].described > 0; c++)
            for (int line = 0; line < JUDGE_LINES; line++) {
                double x = r->of[k].verdict[c].of[line],
                       least = floor_value(&r->column[c].floor, line);
                if (isnan(x))
                    continue;
                fprintf(s.to, "%s\t%s\t%s\t%.6g\t", gz_name(GZ_MODELS, r->of[k].model),
                        r->column[c].name, judge_about[line].name, x);
                fprintf(s.to, isnan(least) ? "-\n" : "%.6g\n", least);
            }
    return sheet_write(&s, folder, "models.tsv");
}

int report_write(const report *r, const char *other_device, const char *folder)
{
    int status = write_markdown(r, other_device, folder);
    return status || !folder ? status : write_models(r, folder);
}

/* --------------------------------------------------------------------------------------- sheets */

void sheet_head(sheet *s, const measured *table, const char *what, const char *columns)
{
    cli_sheet_open(s);
    fprintf(s->to, "# %s\n%s", what, table->about);
    for (const char *line = columns; *line; line = strchr(line, '\n') + 1)
        fprintf(s->to, "# %.*s\n", (int)strcspn(line, "\n"), line);
    for (const char *line = columns; *line; line = strchr(line, '\n') + 1) {
        const char *name = line + strlen("column ");
        fprintf(s->to, "%s%.*s", line == columns ? "" : "\t", (int)strcspn(name, ":"), name);
    }
    putc('\n', s->to);
}

int sheet_write(sheet *s, const char *folder, const char *name)
{
    char *path = cli_text("%s/%s", folder, name);
    int status = path ? cli_sheet_write(s, path) : cli_fail(CLI_FAILED, "out of memory");
    free(path);
    return status;
}
