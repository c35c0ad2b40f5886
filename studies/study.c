/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study.c - what all studies share (see study.h).
 */
#include "study.h"

#include "files.h"
#include "gzmodel/parameters.h"
#include "numbers.h"
#include "options.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Grid and block of the paper's Fig. 7, the same in every dimension. */
static const struct {
    const char *app;
    double grid, block;
} fig07[STUDY_BENCHMARKS] = {
    {"pathfinder", 1000000, 256}, {"hotspot", 2000, 20}, {"poisson", 2000, 20}, {"cell", 100, 8}};

void study_note(study *s, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char line[640];
    snprintf(line, sizeof line, "# note: %s\n", text);
    if (fflush(s->notes.to) == 0 && strstr(s->notes.text, line))
        return;
    fputs(line, s->notes.to);
}

/* ------------------------------------------------------------------------------- configurations */

void study_set_block(const gz_app *app, gz_config *cfg, double len)
{
    for (int i = 0; i < app->dim; i++)
        cfg->block_len[i] = len;
}

void study_set_grid(const gz_app *app, gz_config *cfg, double len)
{
    for (int i = 0; i < app->dim; i++)
        cfg->data_length[i] = len;
}

void study_set_elements(const gz_app *app, gz_config *cfg, double elements)
{
    study_set_grid(app, cfg, round(pow(elements, 1.0 / app->dim)));
}

double study_threads(const gz_app *app, const gz_config *cfg)
{
    return cli_product(app->dim, cfg->block_len);
}

double study_elements(const gz_app *app, const gz_config *cfg)
{
    return cli_product(app->dim, cfg->data_length);
}

void study_open_app(study *s, const char *key, gz_app *app)
{
    gz_app usual;
    gz_error error;
    if (gz_app_open(key, s->device_option, app, &error) || gz_app_open(key, NULL, &usual, &error))
        exit(cli_fail(CLI_FAILED, "%s", error.text));
    memcpy(app->name, usual.name, sizeof app->name);
    if (!gz_profile_matches(&s->device, app) && s->device_option)
        study_note(s, "%s: instructions converted from %s", app->name, app->profile_device);
}

void study_open_network(study *s, gz_network *net)
{
    gz_error error;
    if (gz_network_open("infiniband-ndr", net, &error))
        exit(cli_fail(CLI_FAILED, "%s", error.text));
    study_note(s, "predicted for %s, from published figures: nothing was measured between machines",
               net->name);
}

/* The blocks of gz2 by dimension, up to the first of no length, and the number of the middle one.
 */
enum { MOST_TILES = 10 };
static const double lines[MOST_TILES][3] = {{128}, {256}, {512}, {1024}, {2048}, {4096}},
                    planes[MOST_TILES][3] = {{32, 8},  {32, 16},  {32, 32},  {64, 16},  {64, 32},
                                             {64, 64}, {128, 16}, {128, 32}, {128, 64}, {128, 128}},
                    cubes[MOST_TILES][3] = {{8, 8, 8},    {16, 8, 8},   {32, 8, 8},   {32, 16, 8},
                                            {32, 16, 16}, {32, 32, 16}, {32, 32, 32}, {64, 16, 16}};
static const double (*const tiles[GZ_MAX_DIM])[3] = {lines, planes, cubes};
static const int middle_tile[GZ_MAX_DIM] = {2, 4, 4};

void study_scale(gz_device *dev, gz_app *app, const char *name, double factor)
{
    gz_param_quantity(dev, app, gz_param_by_name(name))->value *= factor;
}

void study_change_all(gz_device *dev, gz_app *app, const study_change *changes)
{
    for (; changes->quantity; changes++)
        if (changes->sets)
            gz_set(dev, changes->quantity, changes->by);
        else
            study_scale(dev, app, changes->quantity, changes->by);
}

void study_set_threads(const gz_app *app, gz_config *cfg)
{
    double left = 256, most = app->dim > 1 ? 32 : left;
    for (int i = 0; i < app->dim; i++, most = 8) {
        /* In the paper's model a tile has a thread for each element. */
        cfg->threads[i] =
            cfg->model == GZ_MODEL_GZ2 ? fmin(cfg->block_len[i], fmin(left, most)) : 0;
        left /= fmax(1, cfg->threads[i]);
    }
}

int study_tile(const gz_app *app, int k, gz_config *cfg)
{
    const double *block = k < MOST_TILES ? tiles[app->dim - 1][k] : NULL;
    if (!block || block[0] <= 0)
        return 0;
    memcpy(cfg->block_len, block, (size_t)app->dim * sizeof *block);
    study_set_threads(app, cfg);
    return 1;
}

/* What gz2's studies start from: 2^24 elements in the middle of the blocks. */
static void open_gz2_benchmarks(study *s)
{
    if (s->spec.models == STUDY_BOTH)
        study_note(
            s, "on 2^24 elements, in blocks whose elements, which the columns call threads, are "
               "more than threads");
    for (int k = 0; k < STUDY_BENCHMARKS; k++) {
        study_benchmark *b = s->benchmark + s->n_benchmarks++;
        gz_error error;
        study_open_app(s, fig07[k].app, &b->app);
        b->cfg = (gz_config){.sync = GZ_SYNC_RESTART, .model = GZ_MODEL_GZ2};
        study_set_elements(&b->app, &b->cfg, 1 << 24);
        study_tile(&b->app, middle_tile[b->app.dim - 1], &b->cfg);
        if (gz_check(&s->device, &b->app, &b->cfg, &error))
            exit(cli_fail(CLI_BAD_INPUT, "%s", error.text));
    }
}

static void open_benchmarks(study *s)
{
    for (int k = 0; k < STUDY_BENCHMARKS; k++) {
        study_benchmark *b = s->benchmark + s->n_benchmarks;
        gz_error error;
        study_open_app(s, fig07[k].app, &b->app);
        if (s->spec.only && strcmp(s->spec.only, b->app.name) != 0)
            continue;
        b->cfg = (gz_config){.sync = GZ_SYNC_RESTART, .model = GZ_MODEL_MENG2011};
        study_set_grid(&b->app, &b->cfg, fig07[k].grid);
        double len = fig07[k].block;
        study_set_block(&b->app, &b->cfg, len);
        while (len > 0 && gz_check(&s->device, &b->app, &b->cfg, &error) == GZ_ETHREADS)
            study_set_block(&b->app, &b->cfg, --len);
        if (gz_check(&s->device, &b->app, &b->cfg, &error)) {
            study_note(s, "%s is left out: within %.15g threads no block commits a tile",
                       b->app.name, s->device.max_threads_per_block.value);
            continue;
        }
        study_note(s, "%s: grid %s, block %s%s unless a column says otherwise", b->app.name,
                   cli_lengths_text(b->app.dim, b->cfg.data_length).text,
                   cli_lengths_text(b->app.dim, b->cfg.block_len).text,
                   len < fig07[k].block ? " (the largest that the device allows)" : "");
        s->n_benchmarks++;
    }
}

const study_benchmark *study_find(const study *s, const char *app)
{
    for (int k = 0; k < s->n_benchmarks; k++)
        if (strcmp(s->benchmark[k].app.name, app) == 0)
            return s->benchmark + k;
    return NULL;
}

/* -------------------------------------------------------------------------------- command line */

/* What the options store. */
typedef struct own {
    gz_model model;
} own;

static const struct cli_option own_options[] = {
    {CLI_UNASKED, 'm', "model", "NAME",
     "meng2011 or gz2, if the study has both (default: the first that it has)", .as = CLI_NAME,
     .kind = GZ_MODELS, .at = offsetof(own, model)},
    {0},
};

/* Reads the command line; ends the program if it is wrong or needs nothing more. */
static void read_command_line(study *s, int argc, char **argv)
{
    const study_spec *spec = &s->spec;
    bool paper = spec->models != STUDY_GZ2, gz2 = spec->models != STUDY_PAPER;
    own given = {.model = paper ? GZ_MODEL_MENG2011 : GZ_MODEL_GZ2};
    char usage[600];
    const struct cli_program program = {.name = spec->name,
                                        .usage = usage,
                                        .more = "",
                                        .takes = CLI_DEVICE | CLI_OUTPUT | CLI_HELP,
                                        .own = own_options,
                                        .own_into = &given};
    struct cli_options options;
    snprintf(usage, sizeof usage,
             "Usage: %s [-d NAME|FILE] [-m MODEL] [-o FILE]\nWrites a TSV: %s.\n", spec->name,
             spec->what);
    int status;
    if (!cli_begin(&program, argc, argv, &options, &status))
        exit(status);
    if (options.word_count > 0)
        exit(cli_fail(CLI_BAD_INPUT, "what is \"%s\"? see --help", options.words[0]));
    if (!(given.model == GZ_MODEL_MENG2011 ? paper : given.model == GZ_MODEL_GZ2 && gz2))
        exit(cli_fail(CLI_BAD_INPUT, "--model %s: this study has %s",
                      gz_name(GZ_MODELS, given.model),
                      !gz2    ? "meng2011 alone"
                      : paper ? "meng2011 and gz2"
                              : "gz2 alone"));
    s->model = given.model;
    /* A device that the model describes. */
    s->device_option = options.device             ? options.device
                       : s->model == GZ_MODEL_GZ2 ? "h200"
                                                  : "gtx280";
    s->out_path = options.output && strcmp(options.output, "-") != 0 ? options.output : NULL;
    const struct cli_file files[] = {{"-d", cli_device_file(s->device_option), false},
                                     {"-o", s->out_path, true}};
    status = cli_check_files(files, 2);
    if (status)
        exit(status);
}

/* Makes a study's description of its text, in which zeros then end its parts. */
static void read_text(char *text, study_spec *spec)
{
    study_column *column = spec->columns;
    *spec = (study_spec){.name = text};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strstr(line, ": ") + 2;
        value[-2] = '\0';
        if (line == spec->name) {
            spec->what = value;
        } else if (strncmp(line, "column ", 7) == 0) {
            char *meaning = strstr(value, ", ") + 2;
            meaning[-2] = '\0';
            *column++ = (study_column){line + 7, value, meaning};
        } else if (strcmp(line, "source") == 0) {
            spec->source = value;
        } else if (strcmp(line, "models") == 0) {
            spec->models = strcmp(value, "gz2") == 0 ? STUDY_GZ2 : STUDY_BOTH;
        } else if (strcmp(line, "only") == 0) {
            spec->only = value;
        } else {
            spec->own_grids |= strcmp(line, "grids") == 0;
            spec->any_device |= strcmp(line, "device") == 0;
        }
    }
}

void study_begin(study *s, const char *text)
{
    char *copy = cli_room(strlen(text), 1); /* of which the program's name is a part: it lasts */
    *s = (study){0};
    read_text(strcpy(copy, text), &s->spec);
    cli_sheet_open(&s->notes);
    cli_sheet_open(&s->rows);
}

void study_open(study *s, int argc, char **argv, const char *text)
{
    study_begin(s, text);
    read_command_line(s, argc, argv);
    gz_error error;
    if (gz_device_open(s->device_option, &s->device, &error))
        exit(cli_fail(CLI_BAD_INPUT, "%s", error.text));
    s->is_paper_device = strcmp(s->device.name, "GeForce GTX 280") == 0;
    if (s->model == GZ_MODEL_GZ2)
        open_gz2_benchmarks(s);
    else if (!s->spec.own_grids)
        open_benchmarks(s);
}

/* ----------------------------------------------------------------------------------------- TSV */

/* The shortest decimal that reads back as x. */
static void put_number(FILE *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    fputs(text, out);
}

void study_row(study *s, const char *const *text, size_t n_text, const double *numbers,
               size_t n_numbers)
{
    size_t n = 0;
    for (; s->spec.columns[n].name; n++) {
        const study_column *column = s->spec.columns + n;
        assert((strcmp(column->unit, "text") == 0) == (n < n_text) && n < n_text + n_numbers);
        if (n)
            fputc('\t', s->rows.to);
        if (n < n_text) {
            fputs(text[n], s->rows.to);
            continue;
        }
        if (!isfinite(numbers[n - n_text]))
            exit(cli_fail(CLI_FAILED, "%s is not a finite number", column->name));
        put_number(s->rows.to, numbers[n - n_text]);
    }
    assert(n == n_text + n_numbers);
    fputc('\n', s->rows.to);
    s->n_rows++;
}

static void put_study(study *s, FILE *out)
{
    const study_spec *spec = &s->spec;
    fprintf(out, "# %s: %s\n", spec->name, spec->what);
    if (!spec->any_device)
        fprintf(out, "# device: %s\n", s->device.name);
    if (spec->models == STUDY_BOTH && s->model == GZ_MODEL_GZ2)
        fprintf(out, "# model: gz2\n");
    fprintf(out, "# source: %s\n", spec->source);
    const study_column *end = spec->columns;
    for (; end->name; end++)
        fprintf(out, "# column %s: %s, %s\n", end->name, end->unit, end->meaning);
    fputs(s->notes.text, out);
    for (const study_column *column = spec->columns; column < end; column++)
        fprintf(out, "%s%s", column == spec->columns ? "" : "\t", column->name);
    fputc('\n', out);
    fputs(s->rows.text, out);
}

void study_write(study *s)
{
    if (fflush(s->notes.to) != 0 || fflush(s->rows.to) != 0)
        exit(cli_fail(CLI_FAILED, "out of memory"));
    if (s->n_rows == 0)
        exit(cli_fail(CLI_FAILED, "no configuration of this study fits device %s", s->device.name));
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    put_study(s, sheet.to);
    if (cli_sheet_write(&sheet, s->out_path) != CLI_DONE)
        exit(CLI_FAILED);
}

void study_close(study *s)
{
    fclose(s->notes.to);
    fclose(s->rows.to);
    free(s->notes.text);
    free(s->rows.text);
}

int study_run(int argc, char **argv, const char *text, void (*rows)(study *s))
{
    study s;
    study_open(&s, argc, argv, text);
    rows(&s);
    study_write(&s);
    study_close(&s);
    return 0;
}

/* ----------------------------------------------------------------------------------- the model */

/* Whether a result is there; if it is not, only what the device or the tile forbids is left
 * out, anything else ends the study. */
static int usable(study *s, const gz_device *dev, const gz_app *app, const gz_config *cfg,
                  gz_status status, double h)
{
    if (status == GZ_OK)
        return 1;
    const struct cli_lengths_text block = cli_lengths_text(app->dim, cfg->block_len);
    switch (status) {
    case GZ_ETHREADS:
        study_note(s, "left out: %s, block %s has more than %.15g threads", app->name, block.text,
                   dev->max_threads_per_block.value);
        return 0;
    case GZ_EBLOCK:
        study_note(s, "left out: %s, block %s, halo width %.15g commits no tile", app->name,
                   block.text, app->halo_width[0]);
        return 0;
    case GZ_EHEIGHT:
        study_note(s, "left out: %s, block %s commits no tile at height %.15g", app->name,
                   block.text, h);
        return 0;
    default:
        if (cfg->model == GZ_MODEL_GZ2) {
            study_note(s, "left out: %s, %s, block %s: %s", app->name, gz_name(GZ_SYNCS, cfg->sync),
                       block.text, gz_strerror(status));
            return 0;
        }
        exit(cli_fail(CLI_FAILED, "%s, block %s: %s", app->name, block.text, gz_strerror(status)));
    }
}

int study_predict(study *s, const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                  gz_prediction *out)
{
    return usable(s, dev, app, cfg, gz_predict(dev, app, cfg, h, out, NULL), h);
}

int study_best(study *s, const gz_device *dev, const gz_app *app, const gz_config *cfg,
               gz_optimum *out)
{
    gz_bounds at_least_one = {.lower = 1};
    return usable(s, dev, app, cfg, gz_optimize(dev, app, cfg, &at_least_one, out, NULL), 1);
}

double study_linear(double first, double last, int k, int n)
{
    return k == n - 1 ? last : first + (last - first) * k / (n - 1);
}

double study_geometric(double first, double last, int k, int n)
{
    return k == n - 1 ? last : first * pow(last / first, (double)k / (n - 1));
}

/* The last height of a curve, just below the pole: nearer to it CPL says nothing more. */
static double last_height(const gz_app *app, const gz_config *cfg)
{
    return 1 + 0.98 * (gz_pole(app, cfg) - 1);
}

double study_height(const gz_app *app, const gz_config *cfg, int k, int n)
{
    double last = last_height(app, cfg), h = study_geometric(1, last, k, n);
    if (cfg->model != GZ_MODEL_GZ2)
        return h;
    return k > 0 && floor(study_geometric(1, last, k - 1, n)) == floor(h) ? 0 : floor(h);
}

int study_best_tile(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_config *best,
                    gz_optimum *out)
{
    gz_config tile = *cfg;
    int found = 0;
    for (int k = 0; study_tile(app, k, &tile); k++) {
        gz_optimum optimum;
        if (gz_optimize(dev, app, &tile, &(gz_bounds){.lower = 1}, &optimum, NULL))
            continue;
        if (!found || optimum.prediction.cpl < out->prediction.cpl) {
            *out = optimum;
            *best = tile;
            found = 1;
        }
    }
    return found;
}
