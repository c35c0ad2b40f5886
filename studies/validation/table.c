/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table.c - reading and writing tables of measurements (see table.h).
 */
#include "table.h"

#include "files.h"
#include "numbers.h"
#include "output.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    C_APP,
    C_SYNC,
    C_SIZE,
    C_BLOCK,
    C_KIND,
    C_QUALITY,
    C_HEIGHT,
    C_LOOPS,
    C_RUNS,
    C_SECONDS,
    C_SPREAD,
    C_TRIES,
    COLUMNS
};

static const struct {
    const char *name, *unit, *meaning;
} columns[COLUMNS] = {
    {"app", "text", "application"},
    {"sync", "text", "synchronisation between stages"},
    {"size", "text", "grid, elements"},
    {"block", "text", "starting tile, elements"},
    {"kind", "text",
     "sweep: trapezoids; stream, naive: as sweep, of that variant; sync: nearly empty kernels; "
     "from_model, from_one: adaptive selection"},
    {"quality", "text",
     "quiet: spread under 0.02; averaged: standard error of the median is; else noisy"},
    {"h", "loops", "trapezoid height (of an adaptive run: of its last whole stage)"},
    {"loops", "loops", "length of one run"},
    {"runs", "1", "timed runs of all tries"},
    {"seconds", "s", "time per loop, lower quartile of the tries"},
    {"spread", "1", "interquartile range of a try's runs over their median, mean of the tries"},
    {"tries", "text",
     "medians of the tries in s, each in a process of its own, in order, joined by commas"},
};

static const char *const kind_names[MEASURED_KINDS] = {"sweep",    "sync",   "from_model",
                                                       "from_one", "stream", "naive"};
static const char *const quality_names[MEASURED_QUALITIES] = {"quiet", "averaged", "noisy"};

/* Whether a quality is that of a spread and runs. The spread is written with three digits, so one
 * at the limit may be either. */
static int is_quality_of(measured_quality quality, double spread, int runs)
{
    static const double rounding = 0.006;
    return quality == measured_quality_of(spread * (1 - rounding), runs) ||
           quality == measured_quality_of(spread, runs) ||
           quality == measured_quality_of(spread * (1 + rounding), runs);
}

/* The median's standard error over it is that of a normal distribution: sqrt(pi / 2) / 1.349 spread
 * / sqrt(runs). */
measured_quality measured_quality_of(double spread, int runs)
{
    if (spread < MEASURED_LIMIT)
        return MEASURED_QUIET;
    return 0.9290 * spread / sqrt((double)runs) < MEASURED_LIMIT ? MEASURED_AVERAGED
                                                                 : MEASURED_NOISY;
}

int measured_add_try(measured_row *row, double seconds, double spread, int runs)
{
    double sorted[MEASURED_MAX_TRIES];
    if (row->tries >= MEASURED_MAX_TRIES)
        return 0;
    row->spread = (row->spread * row->tries + spread) / (row->tries + 1);
    row->each[row->tries++] = seconds;
    row->runs += runs;
    memcpy(sorted, row->each, (size_t)row->tries * sizeof *sorted);
    cli_sort(sorted, (size_t)row->tries);
    row->seconds = cli_tried(sorted, (size_t)row->tries);
    row->quality = measured_quality_of(row->spread, row->runs);
    return 1;
}

double measured_scatter(const measured_row *row)
{
    double sorted[MEASURED_MAX_TRIES];
    memcpy(sorted, row->each, (size_t)row->tries * sizeof *sorted);
    cli_sort(sorted, (size_t)row->tries);
    return cli_tried_scatter(sorted, (size_t)row->tries);
}

void measured_write_columns(size_t rows, FILE *to)
{
    fprintf(to, "# rows: %zu of %d columns\n", rows, (int)COLUMNS);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(to, "# column %s: %s, %s\n", columns[c].name, columns[c].unit, columns[c].meaning);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(to, "%s%c", columns[c].name, c + 1 < COLUMNS ? '\t' : '\n');
}

void measured_write_row(const measured_row *row, const char *app, int dim, FILE *to)
{
    fprintf(to, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%ld\t%d\t%.6g\t%.3g", app,
            gz_name(GZ_SYNCS, row->cfg.sync), cli_lengths_text(dim, row->cfg.data_length).text,
            cli_lengths_text(dim, row->cfg.block_len).text, kind_names[row->kind],
            quality_names[row->quality], row->height, row->loops, row->runs, row->seconds,
            row->spread);
    for (int k = 0; k < row->tries; k++)
        fprintf(to, "%c%.6g", k ? ',' : '\t', row->each[k]);
    putc('\n', to);
}

/* ------------------------------------------------------------------------------------- reading */

/* Lines that state threads, at most. */
enum { MOST_THREADS = 8 };

typedef struct reader {
    const char *path;
    long line;
    measured *table;
    int has_format, has_device, has_rows, has_header;
    size_t rows, points; /* as stated; points 0 unless the table is partial */
    size_t room;         /* rows that fit */
    bool committed;      /* tiles go by what they commit */
    struct {
        char block[40], threads[40];
    } threads[MOST_THREADS]; /* as stated, of tiles of these lengths, or "" of every tile */
    int n_threads;
    char *about;
    size_t about_size;
    FILE *about_to;
    gz_error *error;
} reader;

__attribute__((format(printf, 2, 3))) static gz_status refuse(reader *r, const char *format, ...)
{
    va_list args;
    int used = r->line
                   ? snprintf(r->error->text, sizeof r->error->text, "%s:%ld: ", r->path, r->line)
                   : snprintf(r->error->text, sizeof r->error->text, "%s: ", r->path);
    if (used < 0 || (size_t)used >= sizeof r->error->text)
        return GZ_EFORMAT;
    va_start(args, format);
    vsnprintf(r->error->text + used, sizeof r->error->text - (size_t)used, format, args);
    va_end(args);
    return GZ_EFORMAT;
}

/* The rest of `line` after `prefix`; NULL if it begins otherwise. */
static const char *after(const char *line, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(line, prefix, n) == 0 ? line + n : NULL;
}

static gz_status read_app(reader *r, const char *text)
{
    measured *t = r->table;
    const char *colon = strstr(text, ": ");
    size_t n = colon ? (size_t)(colon - text) : 0;
    if (n == 0 || n >= MEASURED_NAME_SIZE)
        return refuse(r, "\"# app\" without a name: \"# app NAME: {...}\" is expected");
    if (t->n_apps == MEASURED_MAX_APPS)
        return refuse(r, "more than %d applications", MEASURED_MAX_APPS);
    measured_app *app = &t->apps[t->n_apps];
    memcpy(app->name, text, n);
    app->name[n] = '\0';
    for (int k = 0; k < t->n_apps; k++)
        if (strcmp(t->apps[k].name, app->name) == 0)
            return refuse(r, "application %s is there twice", app->name);
    char label[300];
    snprintf(label, sizeof label, "%s:%ld, app %s", r->path, r->line, app->name);
    gz_status status = gz_app_parse(colon + 2, strlen(colon + 2), label, &app->app, r->error);
    t->n_apps += status == GZ_OK;
    return status;
}

/* "# rows: N of M columns". */
static gz_status read_statement(reader *r, const char *text)
{
    char expected[80];
    if (r->has_rows)
        return refuse(r, "a second line \"# rows\": one is expected");
    r->has_rows = 1;
    r->rows = strtoul(text, NULL, 10);
    snprintf(expected, sizeof expected, "%zu of %d columns", r->rows, (int)COLUMNS);
    return strcmp(text, expected) == 0
               ? GZ_OK
               : refuse(r, "\"# rows: %.40s\": must be \"# rows: N of %d columns\"", text,
                        (int)COLUMNS);
}

/* "# threads: 1x32", or "# threads 32x32: 32x8" of tiles of 32x32. */
static gz_status read_threads(reader *r, const char *line, const char *text)
{
    const char *colon = strstr(text, ": ");
    size_t block = colon ? strspn(text, " 0123456789x") : 0;
    if (r->n_threads == MOST_THREADS)
        return refuse(r, "more than %d lines \"# threads\"", MOST_THREADS);
    if (!colon || text + block != colon || block >= sizeof r->threads->block)
        return refuse(r, "\"%.60s\": must be \"# threads: 1x32\" or \"# threads 32x32: 32x8\"",
                      line);
    snprintf(r->threads[r->n_threads].block, sizeof r->threads->block, "%.*s",
             (int)(block ? block - 1 : 0), text + (block > 0));
    snprintf(r->threads[r->n_threads++].threads, sizeof r->threads->threads, "%s", colon + 2);
    fprintf(r->about_to, "%s\n", line);
    return GZ_OK;
}

/* The threads of a tile, as a text; "" where nothing is stated. */
static void threads_of(const reader *r, const char *block, char *out, size_t room)
{
    const char *found = "";
    for (int k = 0; k < r->n_threads; k++)
        if (!r->threads[k].block[0] || strcmp(r->threads[k].block, block) == 0)
            found = r->threads[k].threads;
    snprintf(out, room, "%s", found);
}

static gz_status read_comment(reader *r, const char *line)
{
    const char *rest;
    if (r->has_header)
        return refuse(r, "a \"#\" line after the header row: all of them come before it");
    if ((rest = after(line, "# measured: "))) {
        if (r->has_format)
            return refuse(r, "a second line \"# measured\": one is expected");
        if (strcmp(rest, MEASURED_FORMAT) != 0)
            return refuse(r, "format %s: this program reads " MEASURED_FORMAT, rest);
        r->has_format = 1;
        return GZ_OK;
    }
    if ((rest = after(line, "# rows: ")))
        return read_statement(r, rest);
    if ((rest = after(line, "# partial: ")))
        r->points = strtoul(rest, NULL, 10);
    if ((rest = after(line, "# device file: "))) {
        char label[300];
        if (r->has_device)
            return refuse(r, "a second device file: one is expected");
        r->has_device = 1;
        snprintf(label, sizeof label, "%s:%ld, device file", r->path, r->line);
        return gz_device_parse(rest, strlen(rest), label, &r->table->device, r->error);
    }
    if ((rest = after(line, "# app ")))
        return read_app(r, rest);
    if (strcmp(line, "# tiles: committed") == 0)
        r->committed = true;
    if ((rest = after(line, "# threads")))
        return read_threads(r, line, rest);
    if (!after(line, "# column "))
        fprintf(r->about_to, "%s\n", line);
    return GZ_OK;
}

static gz_status read_header(reader *r, char **cell, int n)
{
    r->has_header = 1;
    if (!r->has_format)
        return refuse(r, "no line \"# measured: " MEASURED_FORMAT
                         "\" before the header: not a table of measurements");
    if (!r->has_device)
        return refuse(r, "no line \"# device file: {...}\" before the header");
    if (!r->has_rows)
        return refuse(r, "no line \"# rows: N of %d columns\" before the header", (int)COLUMNS);
    if (n != COLUMNS)
        return refuse(r, "%d columns: %d are expected, from app to %s", n, (int)COLUMNS,
                      columns[COLUMNS - 1].name);
    for (int c = 0; c < COLUMNS; c++)
        if (strcmp(cell[c], columns[c].name) != 0)
            return refuse(r, "column %d is \"%s\": must be \"%s\"", c + 1, cell[c],
                          columns[c].name);
    return GZ_OK;
}

/* A number in its range; whole if `whole`. */
static gz_status read_number(reader *r, int column, const char *text, int whole, double least,
                             double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out) || *out < least || *out > 1e15 ||
        (whole && *out != floor(*out)) || strspn(text, "+-.0123456789eE") != strlen(text))
        return refuse(r, "%s is \"%s\": must be a %s from %g to 1e15", columns[column].name, text,
                      whole ? "whole number" : "number", least);
    return GZ_OK;
}

static gz_status read_lengths(reader *r, int column, char *text, int dim, double out[GZ_MAX_DIM])
{
    char *place = text;
    for (int i = 0; i < dim; i++) {
        char *x = strchr(place, 'x');
        if ((x != NULL) != (i + 1 < dim))
            return refuse(r, "%s is not %d length%s joined by \"x\"", columns[column].name, dim,
                          dim > 1 ? "s" : "");
        if (x)
            *x = '\0';
        gz_status status = read_number(r, column, place, 1, 1, &out[i]);
        if (status)
            return status;
        place = x ? x + 1 : place;
    }
    return GZ_OK;
}

/* The index of `text` among `n` names, or -1. */
static int which(const char *text, const char *const *names, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(text, names[k]) == 0)
            return k;
    return -1;
}

bool measured_same_place(const measured_row *a, const measured_row *b, int dim)
{
    bool same = a->kind == b->kind && a->cfg.sync == b->cfg.sync &&
                (a->height == b->height || measured_is_adaptive(a->kind));
    for (int i = 0; i < dim; i++)
        same = same && a->cfg.data_length[i] == b->cfg.data_length[i] &&
               a->cfg.block_len[i] == b->cfg.block_len[i];
    return same;
}

/* The tries of a row, which its time follows from. */
static gz_status read_tries(reader *r, char *text, measured_row *row)
{
    static const double rounding = 2e-5;
    measured_row again = {0};
    for (char *place = text; place;) {
        char *comma = strchr(place, ',');
        double x;
        if (comma)
            *comma++ = '\0';
        gz_status status = read_number(r, C_TRIES, place, 0, 1e-12, &x);
        if (status)
            return status;
        if (!measured_add_try(&again, x, 0, 1))
            return refuse(r, "more than %d tries", MEASURED_MAX_TRIES);
        place = comma;
    }
    if (fabs(again.seconds - row->seconds) > rounding * row->seconds)
        return refuse(r, "seconds is %g, but the lower quartile of the tries is %g", row->seconds,
                      again.seconds);
    row->tries = again.tries;
    memcpy(row->each, again.each, sizeof row->each);
    return GZ_OK;
}

/* What the numbers and names of a row say; the model must be defined there. */
static gz_status read_cells(reader *r, char **cell, measured_row *row)
{
    static const double least[COLUMNS] = {
        [C_HEIGHT] = 1, [C_LOOPS] = 1, [C_RUNS] = 1, [C_SECONDS] = 1e-12};
    measured *t = r->table;
    gz_status status;
    double number[COLUMNS], x;
    *row = (measured_row){.app = -1, .cfg.beyond = 1};
    for (int k = 0; k < t->n_apps; k++)
        if (strcmp(t->apps[k].name, cell[C_APP]) == 0)
            row->app = k;
    if (row->app < 0)
        return refuse(r, "app is \"%s\": no line \"# app %s: {...}\" describes it", cell[C_APP],
                      cell[C_APP]);
    const gz_app *app = &t->apps[row->app].app;
    int sync = gz_by_name(GZ_SYNCS, cell[C_SYNC]);
    int kind = which(cell[C_KIND], kind_names, MEASURED_KINDS);
    int quality = which(cell[C_QUALITY], quality_names, MEASURED_QUALITIES);
    if (sync < 0)
        return refuse(r, "sync is \"%s\": must be restart, fence or graph", cell[C_SYNC]);
    if (kind < 0)
        return refuse(r,
                      "kind is \"%s\": must be sweep, stream, naive, sync, from_model or from_one",
                      cell[C_KIND]);
    if (quality < 0)
        return refuse(r, "quality is \"%s\": must be quiet, averaged or noisy", cell[C_QUALITY]);
    row->cfg.sync = (gz_sync)sync;
    row->kind = (measured_kind)kind;
    row->quality = (measured_quality)quality;
    char threads[sizeof r->threads->threads];
    threads_of(r, cell[C_BLOCK], threads, sizeof threads);
    if ((status = read_lengths(r, C_SIZE, cell[C_SIZE], app->dim, row->cfg.data_length)) ||
        (status = read_lengths(r, C_BLOCK, cell[C_BLOCK], app->dim, row->cfg.block_len)))
        return status;
    for (int c = C_HEIGHT; c <= C_SPREAD; c++)
        if ((status = read_number(r, c, cell[c], c < C_SECONDS, least[c], &number[c])))
            return status;
    x = number[C_HEIGHT];
    /* Blocks count their ghost zone, but for those of variant naive, which have none. */
    gz_config block = row->cfg;
    gz_error why;
    if (row->kind == MEASURED_NAIVE && x != 1)
        return refuse(r, "h is %g: must be 1 for kind naive", x);
    if (row->kind == MEASURED_STREAM && app->dim < 2)
        return refuse(r, "kind is stream: %s has one dimension: must have two or three", app->name);
    for (int i = 0; i < app->dim && row->kind == MEASURED_NAIVE; i++)
        block.block_len[i] += app->halo_width[i];
    if (gz_check(&t->device, app, &block, &why))
        return refuse(r, "%s", why.text);
    if (x > fmin(gz_height_max(app, &block), INT_MAX))
        return refuse(r, "h is %g: this block commits nothing above %g", x,
                      fmin(gz_height_max(app, &block), INT_MAX));
    row->height = (int)x;
    for (int i = 0; i < app->dim; i++)
        row->tile[i] =
            row->cfg.block_len[i] - (r->committed ? app->halo_width[i] * row->height : 0);
    if (threads[0] && row->kind != MEASURED_SYNC &&
        (status = read_lengths(r, C_BLOCK, threads, app->dim, row->cfg.threads)))
        return status;
    row->cfg.variant = measured_variant(row->kind);
    if (row->kind == MEASURED_STREAM)
        row->cfg.stream_len = measured_piece(app, &row->cfg, row->height);
    row->cfg.loops = number[C_LOOPS];
    row->loops = (long)number[C_LOOPS];
    row->runs = (int)fmin(number[C_RUNS], 1e9);
    row->seconds = number[C_SECONDS];
    row->spread = number[C_SPREAD];
    if (!is_quality_of(row->quality, row->spread, row->runs))
        return refuse(r, "quality is \"%s\", but a spread of %s over %d runs is %s",
                      cell[C_QUALITY], cell[C_SPREAD], row->runs,
                      quality_names[measured_quality_of(row->spread, row->runs)]);
    return read_tries(r, cell[C_TRIES], row);
}

static gz_status read_row(reader *r, char **cell, int n)
{
    measured *t = r->table;
    measured_row row;
    if (n != COLUMNS)
        return refuse(r, "%d cells: %d are expected", n, (int)COLUMNS);
    gz_status status = read_cells(r, cell, &row);
    if (status)
        return status;
    for (size_t k = 0; k < t->n_rows; k++)
        if (t->rows[k].app == row.app &&
            measured_same_place(&t->rows[k], &row, t->apps[row.app].app.dim))
            return refuse(r, "the same configuration as an earlier row: each is there once");
    if (t->n_rows == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        t->rows = cli_more_room(t->rows, r->room, sizeof *t->rows);
    }
    t->rows[t->n_rows++] = row;
    return GZ_OK;
}

static gz_status read_line(reader *r, char *line)
{
    char *cell[COLUMNS + 1] = {0};
    int n = 0;
    if (line[0] == '#')
        return read_comment(r, line);
    for (char *place = line; place; n++) {
        char *tab = strchr(place, '\t');
        if (n <= COLUMNS)
            cell[n] = place;
        if (tab)
            *tab++ = '\0';
        place = tab;
    }
    return r->has_header ? read_row(r, cell, n) : read_header(r, cell, n);
}

/* Reads the lines, each of which it ends by a zero in the place of its end. */
static gz_status read_lines(reader *r, char *text)
{
    gz_status status = GZ_OK;
    while (*text && !status) {
        char *end = strchr(text, '\n');
        r->line++;
        if (!end)
            return refuse(r, "the line has no end: the table was cut");
        *end = '\0';
        status = read_line(r, text);
        text = end + 1;
    }
    return status;
}

/* What can be said only of the whole. */
static gz_status check_whole(reader *r)
{
    const measured *t = r->table;
    size_t points = 0;
    r->line = 0;
    if (!r->has_header)
        return refuse(r, "there is no header row: not a table of measurements");
    if (t->n_rows != r->rows)
        return refuse(r, "%zu rows, but it states %zu: it was cut, or put together by hand",
                      t->n_rows, r->rows);
    for (size_t k = 0; k < t->n_rows; k++)
        points += (size_t)measured_is_point(t->rows[k].kind);
    if (r->points > 0 && r->points != points)
        return refuse(r, "%zu points of the sweep, but \"# partial\" states %zu", points,
                      r->points);
    return points > 0 ? GZ_OK : refuse(r, "there are no rows of kind sweep: nothing to judge");
}

gz_status measured_parse(const char *text, size_t size, const char *label, measured *table,
                         gz_error *error)
{
    reader r = {.path = label, .table = table, .error = error};
    char why[200], *copy = memcpy(cli_room(size, 1), text, size);
    *table = (measured){0};
    *error = (gz_error){{0}};
    r.about_to = open_memstream(&r.about, &r.about_size);
    gz_status status = GZ_ENOMEM;
    if (r.about_to)
        status = cli_check_text(copy, size, why, sizeof why) ? read_lines(&r, copy)
                                                             : refuse(&r, "%s", why);
    if (!status)
        status = check_whole(&r);
    if (r.about_to && fclose(r.about_to) != 0)
        status = GZ_ENOMEM;
    table->about = r.about;
    free(copy);
    r.line = 0;
    if (status && !error->text[0])
        refuse(&r, "%s", gz_strerror(status));
    if (status)
        measured_free(table);
    return status;
}

gz_status measured_read(const char *path, measured *table, gz_error *error)
{
    reader r = {.path = path, .table = table, .error = error};
    char why[200];
    size_t size;
    *table = (measured){0};
    *error = (gz_error){{0}};
    char *text = cli_read_text(path, &size, why, sizeof why);
    if (!text) {
        refuse(&r, "%s", why);
        return GZ_EIO;
    }
    gz_status status = measured_parse(text, size, path, table, error);
    free(text);
    return status;
}

void measured_free(measured *table)
{
    free(table->rows);
    free(table->about);
    *table = (measured){0};
}
