/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.c - times the stencils on a real device for validation: grids from far inside the cache
 * to beyond it, three blocks, every height and every mode, then nearly empty kernels and adaptive
 * selection. Writes one table (measured.h).
 *
 * The order is random. All points of one application and grid follow each other, so that points
 * that will be compared were measured within a short time; the order of these groups is random too,
 * so that what drifts over the run falls on no size in particular. A point that stayed noisy is
 * measured again at the end of its group, and its surer measurement counts.
 */
#include "interrupt.h"
#include "measured.h"
#include "options.h"
#include "progress.h"
#include "runner.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------- what is swept
 */

enum { GRIDS = 4, BLOCKS = 3, SYNC_COUNTS = 5 };

/* Edges of the grids, from far inside a cache to beyond it. */
static const int gpu_edges[4][GRIDS] = {
    {0}, {65536, 1000000, 4000000, 16000000}, {512, 1024, 4096, 8192}, {64, 128, 256, 448}};
static const int cpu_edges[4][GRIDS] = {
    {0}, {16384, 131072, 524288, 2097152}, {192, 512, 1024, 2048}, {24, 48, 96, 128}};
static const int small_edges[4][GRIDS] = {
    {0}, {4096, 8192, 16384, 32768}, {64, 96, 128, 192}, {16, 20, 24, 32}};

/* Starting tiles. A CPU's rows are long, because they are what it vectorises. */
static const int gpu_blocks[4][BLOCKS][3] = {{{0}},
                                             {{256, 1, 1}, {512, 1, 1}, {1024, 1, 1}},
                                             {{16, 16, 1}, {32, 16, 1}, {32, 32, 1}},
                                             {{8, 8, 8}, {16, 8, 8}, {32, 8, 4}}};
static const int cpu_blocks[4][BLOCKS][3] = {{{0}},
                                             {{512, 1, 1}, {1024, 1, 1}, {4096, 1, 1}},
                                             {{32, 32, 1}, {64, 64, 1}, {256, 16, 1}},
                                             {{8, 8, 8}, {16, 16, 16}, {64, 8, 8}}};

/* Tiles of three cells in each dimension, of which one is committed: as good as empty. */
static const int sync_tiles[SYNC_COUNTS] = {1, 8, 64, 512, 4096};

/* Every height is measured up to this one, then four an octave. */
static const int dense_heights = 8;
static const double octave_step = 1.189207115002721; /* 2^(1/4) */

static const long adaptive_loops = 30;
static const uint64_t data_seed = 1;

typedef struct swept_app {
    const struct gzk_stencil *stencil;
    gz_app app;
    char *text; /* the application's file in one line */
} swept_app;

typedef struct sweep {
    struct cli_options options;
    bool small;         /* the least that still has every kind of row */
    double budget_s;    /* on the device for one point */
    int max_height;     /* loops */
    uint64_t seed;      /* of the order */
    const char *on;     /* the device's address; NULL: found by the device file's name */
    const char *folder; /* of the application files; NULL: that of the device file */
    struct gzk_device *device;
    gz_device model;
    char *device_text; /* the device's file in one line */
    int n_apps;
    swept_app apps[MEASURED_MAX_APPS];
    struct gzc_progress bar;
    FILE *to;
    char *out;
    size_t out_size;
    long points, noisy, tries; /* rows written; those noisy; measurements */
    uint64_t drawn;            /* random numbers so far */
    int sync_count;            /* modes: restart, fence, graph, in this order */
    gz_sync syncs[3];
} sweep;

/* Frees what a failure may leave behind too. */
static int failed(sweep *s, const struct gzk_error *error)
{
    gzc_progress_end(&s->bar);
    return cli_fail(error->status, "%s", error->text);
}

/* --------------------------------------------------------------------------------- command line */

enum own_bit {
    OWN_ON = CLI_FIRST_OWN,
    OWN_APPS = CLI_FIRST_OWN << 1,
    OWN_SMALL = CLI_FIRST_OWN << 2,
    OWN_BUDGET = CLI_FIRST_OWN << 3,
    OWN_SEED = CLI_FIRST_OWN << 4,
    OWN_MAX_HEIGHT = CLI_FIRST_OWN << 5
};

static sweep the_sweep = {.budget_s = 0.25, .max_height = 32, .seed = 1};

static int read_on(void *into, const char *text)
{
    ((sweep *)into)->on = text;
    return CLI_DONE;
}

static int read_apps(void *into, const char *text)
{
    ((sweep *)into)->folder = text;
    return CLI_DONE;
}

/* A number from `least` to `most`, whole where `whole`. */
static int read_in_range(const char *what, const char *text, bool whole, double least, double most,
                         double *out)
{
    int status = cli_read_number(what, text, out);
    if (status)
        return status;
    if (*out < least || *out > most || (whole && *out != floor(*out)))
        return cli_fail(CLI_BAD_INPUT, "%s %s: must be a %snumber from %g to %g", what, text,
                        whole ? "whole " : "", least, most);
    return CLI_DONE;
}

static int read_budget(void *into, const char *text)
{
    return read_in_range("--budget", text, false, 0.001, 3600, &((sweep *)into)->budget_s);
}

static int read_seed(void *into, const char *text)
{
    double x;
    int status = read_in_range("--seed", text, true, 0, 1e15, &x);
    if (!status)
        ((sweep *)into)->seed = (uint64_t)x;
    return status;
}

static int read_max_height(void *into, const char *text)
{
    double x;
    int status = read_in_range("--max-height", text, true, 2, 1024, &x);
    if (!status)
        ((sweep *)into)->max_height = (int)x;
    return status;
}

static const struct cli_option own_options[] = {
    {OWN_ON, 0, "on", "ADDRESS", "the device itself (default: the one of the file's name)",
     read_on},
    {OWN_APPS, 0, "apps", "DIR", "folder of the application files (default: that of the device's)",
     read_apps},
    {OWN_SMALL, 0, "small", NULL, "small grids, few points: a minute at most", NULL},
    {OWN_BUDGET, 0, "budget", "SECONDS", "on the device for one point (default 0.25)", read_budget},
    {OWN_SEED, 0, "seed", "N", "of the random order (default 1)", read_seed},
    {OWN_MAX_HEIGHT, 0, "max-height", "H", "highest trapezoid (default 32)", read_max_height},
    {0},
};

static const struct cli_program program = {
    .name = "measure",
    .usage =
        "Usage: measure -d FILE -o TABLE [NAME...]\n"
        "\n"
        "Times stencils (by default pathfinder, hotspot, poisson and cell) on the device that\n"
        "the file describes, as gz-calibrate wrote it, over grids, blocks, heights and modes,\n"
        "and writes a table for validate.\n",
    .more = "Exit status: 0 done, 1 failed or interrupted, 2 the command line or an input was\n"
            "wrong, 77 no such device here.\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_QUIET | CLI_HELP | CLI_VERSION,
    .own = own_options,
    .own_into = &the_sweep,
};

/* -------------------------------------------------------------------------------------- inputs */

/* A JSON file in one line (between its tokens a line's end is as good as a blank). */
static int slurp(const char *path, char **text)
{
    FILE *from = fopen(path, "r");
    size_t size = 0, room = 0;
    ssize_t n = from ? getdelim(text, &room, '\0', from) : -1;
    if (n < 0) {
        int why = errno;
        if (from)
            fclose(from);
        return cli_fail(CLI_BAD_INPUT, "%s: cannot be read: %s", path,
                        why ? strerror(why) : "it is empty");
    }
    fclose(from);
    for (char *c = *text; *c; c++)
        if (*c != '\n' && *c != '\r')
            (*text)[size++] = *c;
    (*text)[size] = '\0';
    return CLI_DONE;
}

static int open_app(sweep *s, const char *name)
{
    swept_app *a = &s->apps[s->n_apps];
    const char *slash = strrchr(s->options.device, '/');
    char path[1200];
    gz_error error;
    a->stencil = gzk_stencil_find(name);
    if (!a->stencil)
        return cli_fail(CLI_BAD_INPUT, "%s: no stencil of that name; see gzrun --list", name);
    for (int k = 0; k < s->n_apps; k++)
        if (s->apps[k].stencil == a->stencil)
            return cli_fail(CLI_BAD_INPUT, "%s: given twice", name);
    if (s->folder)
        snprintf(path, sizeof path, "%s/%s.json", s->folder, name);
    else
        snprintf(path, sizeof path, "%.*s%s.json", slash ? (int)(slash + 1 - s->options.device) : 0,
                 s->options.device, name);
    int status = slurp(path, &a->text);
    s->n_apps++; /* so that its text is freed whatever follows */
    if (!status && gz_app_parse(a->text, strlen(a->text), path, &a->app, &error))
        status = cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (!status && a->app.dim != a->stencil->dimensions)
        status = cli_fail(CLI_BAD_INPUT, "%s: %d dimensions: the stencil has %d", path, a->app.dim,
                          a->stencil->dimensions);
    return status;
}

static int open_inputs(sweep *s)
{
    static const char *const usual[] = {"pathfinder", "hotspot", "poisson", "cell"};
    struct gzk_error error;
    gz_error why;
    const char *path = s->options.device;
    int status = slurp(path, &s->device_text);
    if (!status && gz_device_parse(s->device_text, strlen(s->device_text), path, &s->model, &why))
        status = cli_fail(CLI_BAD_INPUT, "%s", why.text);
    int given = s->options.word_count;
    for (int k = 0; !status && k < (given ? given : 4); k++)
        status = open_app(s, given ? s->options.words[k] : usual[k]);
    if (status)
        return status;
    if (!s->on)
        status =
            gzk_device_open_named(s->model.name, GZ_NAME_SIZE - 1, &s->device, &error)
                ? cli_fail(error.status, "%s: give its address by --on, or calibrate", error.text)
                : CLI_DONE;
    else if (gzk_device_open(s->on, &s->device, &error) != 0)
        status = cli_fail(error.status, "%s", error.text);
    if (status)
        return status;
    s->syncs[s->sync_count++] = GZ_SYNC_RESTART;
    s->syncs[s->sync_count++] = GZ_SYNC_FENCE;
    if (s->model.graph_overhead.origin != GZ_ORIGIN_NONE)
        s->syncs[s->sync_count++] = GZ_SYNC_GRAPH;
    return CLI_DONE;
}

/* -------------------------------------------------------------------------------------- points */

static enum gzk_sync kernel_sync(gz_sync sync)
{
    return sync == GZ_SYNC_FENCE ? GZK_FENCE : sync == GZ_SYNC_GRAPH ? GZK_GRAPH : GZK_RESTART;
}

static void to_kernel(const sweep *s, const swept_app *a, const measured_row *row,
                      struct gzk_config *config)
{
    *config = (struct gzk_config){.stencil = a->stencil,
                                  .sync = kernel_sync(row->cfg.sync),
                                  .size = {1, 1, 1},
                                  .block = {1, 1, 1},
                                  .threads = {1, 1, 1},
                                  .height = row->height,
                                  .loops = row->loops,
                                  .contract = true};
    for (int i = 0; i < a->app.dim; i++) {
        config->size[i] = (int)row->cfg.data_length[i];
        config->block[i] = (int)row->cfg.block_len[i];
    }
    gzk_default_threads(config, s->device->info.max_threads, s->device->info.is_cpu);
}

/* Whole stages, so that no shorter last one blurs the height: two at least, and eight loops. */
static long loops_of(int height)
{
    return height * (height < 4 ? (7L / height + 1) : 2);
}

/* Whether a quarter of the tile at least is committed. Higher trapezoids compute several times
 * what they keep: they take long and are never
 * best. The lowest three are measured wherever they commit anything. */
static bool worth_it(const gz_app *app, const gz_config *cfg, int h)
{
    static const int always = 3;
    double share = 1;
    for (int i = 0; i < app->dim; i++)
        share *= fmax(0, 1 - app->halo_width[i] * h / cfg->block_len[i]);
    return share >= (h <= always ? DBL_MIN : 0.25);
}

static bool add_row(measured_row **rows, size_t *n, const measured_row *row)
{
    measured_row *more = realloc(*rows, (*n + 1) * sizeof *more);
    if (!more)
        return false;
    *rows = more;
    more[(*n)++] = *row;
    return true;
}

/* All heights of one block and mode: the rule of dense_heights, and the model's own. */
static bool add_heights(const sweep *s, const swept_app *a, const measured_row *like,
                        measured_row **rows, size_t *n)
{
    measured_row row = *like;
    gz_optimum best;
    int most = 1, model = 0;
    while (most < s->max_height && worth_it(&a->app, &row.cfg, most + 1))
        most++;
    if (gz_optimize(&s->model, &a->app, &row.cfg, &(gz_bounds){.upper = most}, &best) == GZ_OK)
        model = best.integer;
    double next = 1;
    for (int h = 1; h <= most; h++) {
        bool due = h >= next || h == most;
        if (!due && h != model)
            continue;
        if (due)
            next = h < dense_heights ? h + 1 : fmax(h + 1, floor(h * octave_step + 0.5));
        row.height = h;
        row.loops = loops_of(h);
        if (!add_row(rows, n, &row))
            return false;
    }
    return true;
}

/* The next random number below `n`. */
static size_t draw(sweep *s, size_t n)
{
    return (size_t)(gzk_random(s->seed, s->drawn++) % n);
}

static void shuffle(sweep *s, measured_row *rows, size_t n)
{
    for (size_t k = n; k > 1; k--) {
        size_t other = draw(s, k);
        measured_row swap = rows[k - 1];
        rows[k - 1] = rows[other];
        rows[other] = swap;
    }
}

/* ------------------------------------------------------------------------------------ measuring */

/* The grid of a group on the device. */
typedef struct field {
    sweep *s;
    const swept_app *a;
    struct gzk_data data;
    struct gzk_session *session;
} field;

static int field_open(field *f, const int size[3], long loops, struct gzk_error *error)
{
    if (gzk_data_new(&f->data, f->a->stencil, size, loops, data_seed) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a grid of %s",
                        f->a->stencil->name);
    return gzk_session_new(f->s->device, f->a->stencil, &f->data, &f->session, error);
}

static void field_close(field *f)
{
    gzk_session_free(f->session);
    gzk_data_free(&f->data);
}

/* Measures a point; a quieter measurement replaces one that is there. */
static int measure_point(field *f, measured_row *row, struct gzk_error *error)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_config config;
    to_kernel(f->s, f->a, row, &config);
    f->s->tries++;
    int status =
        gzk_measure(f->session, &config, 0, f->s->budget_s, &gzk_interrupted, &timing, error);
    if (status || (row->runs && measured_error(row->spread, row->runs) <=
                                    measured_error(timing.spread, timing.runs)))
        return status;
    row->seconds = timing.seconds_per_loop;
    row->spread = timing.spread;
    row->runs = timing.runs;
    row->quality = measured_quality_of(timing.spread, timing.runs);
    return 0;
}

static void write_row(sweep *s, const swept_app *a, const measured_row *row)
{
    measured_write_row(row, a->stencil->name, a->app.dim, s->to);
    s->points++;
    s->noisy += row->quality == MEASURED_NOISY;
}

/* Whether another try fits the budget of a point; large grids spend it on the fewest runs. */
static bool can_improve(const sweep *s, const measured_row *row)
{
    return row->seconds * (double)row->loops * row->runs < 2 * s->budget_s;
}

static int measure_rows(field *f, measured_row *rows, size_t n, struct gzk_error *error)
{
    int status = 0;
    for (int pass = 0; pass < 2 && !status; pass++)
        for (size_t k = 0; k < n && !status; k++)
            if (pass == 0 || (rows[k].quality == MEASURED_NOISY && can_improve(f->s, &rows[k])))
                status = measure_point(f, &rows[k], error);
    for (size_t k = 0; k < n && !status; k++)
        write_row(f->s, f->a, &rows[k]);
    return status;
}

/* The adaptive run of Section 5.4.2 [gz_adapt]: stages on the device one after the other, each
 * timed by itself. What counts is their time together. */
static int adaptive_run(field *f, measured_row *row, int start, int most, struct gzk_error *error)
{
    gz_adapt state;
    double total = 0, seconds;
    int status = gz_adapt_start(&state, start, most, 0) ? GZK_FAILED : 0;
    for (long left = adaptive_loops; left > 0 && !status;) {
        struct gzk_config config;
        measured_row stage = *row;
        stage.height = gz_adapt_next(&state, (int)left);
        stage.loops = stage.height;
        to_kernel(f->s, f->a, &stage, &config);
        status = gzk_session_run(f->session, &config, &gzk_interrupted, &seconds, error);
        if (status)
            break;
        bool whole = stage.height == state.height;
        gz_adapt_report(&state, stage.height, seconds);
        total += seconds;
        if (whole)
            row->height = stage.height;
        left -= stage.height;
    }
    row->seconds = total / (double)adaptive_loops;
    return status;
}

static int by_seconds(const void *a, const void *b)
{
    double x = ((const measured_row *)a)->seconds, y = ((const measured_row *)b)->seconds;
    return (x > y) - (x < y);
}

/* Adaptive selection from the model's height and from 1, each several times in turns. */
static int measure_adaptive(field *f, const measured_row *like, struct gzk_error *error)
{
    enum { RUNS = 5 };
    measured_row runs[2][RUNS];
    gz_optimum best;
    int most = 1, status = 0;
    while (most < f->s->max_height && worth_it(&f->a->app, &like->cfg, most + 1))
        most++;
    if (gz_optimize(&f->s->model, &f->a->app, &like->cfg, &(gz_bounds){.upper = most}, &best))
        return gzk_fail(error, GZK_FAILED, "the model has no height for %s", f->a->stencil->name);
    for (int run = -1; run < RUNS && !status; run++) /* the first is not timed: it compiles */
        for (int from = 0; from < 2 && !status; from++) {
            measured_row *row = &runs[from][run < 0 ? 0 : run];
            *row = *like;
            row->kind = from == 0 ? MEASURED_FROM_MODEL : MEASURED_FROM_ONE;
            row->loops = adaptive_loops;
            row->height = from == 0 ? best.integer : 1;
            status = adaptive_run(f, row, row->height, most, error);
        }
    for (int from = 0; from < 2 && !status; from++) {
        qsort(runs[from], RUNS, sizeof *runs[from], by_seconds);
        measured_row *row = &runs[from][RUNS / 2];
        row->runs = RUNS;
        row->spread = (runs[from][3].seconds - runs[from][1].seconds) / row->seconds;
        row->quality = measured_quality_of(row->spread, row->runs);
        write_row(f->s, f->a, row);
    }
    return status;
}

/* One application on one grid. */
static int measure_group(sweep *s, const swept_app *a, int edge, struct gzk_error *error)
{
    field f = {.s = s, .a = a};
    measured_row *rows = NULL, like = {.kind = MEASURED_SWEEP, .cfg.beyond = 1};
    size_t n = 0;
    int dim = a->app.dim, size[3] = {1, 1, 1}, status = 0;
    long loops = adaptive_loops;
    bool enough = true;
    for (int i = 0; i < dim; i++) {
        size[i] = edge;
        like.cfg.data_length[i] = edge;
    }
    for (int b = 0; b < (s->small ? 1 : BLOCKS) && enough; b++) {
        const int *block = (s->device->info.is_cpu ? cpu_blocks : gpu_blocks)[dim][b];
        for (int i = 0; i < dim; i++)
            like.cfg.block_len[i] = block[i];
        for (int y = 0; y < s->sync_count && enough; y++) {
            like.cfg.sync = s->syncs[y];
            enough = add_heights(s, a, &like, &rows, &n);
        }
    }
    if (!enough)
        status = gzk_fail(error, GZK_FAILED, "out of memory");
    for (size_t k = 0; k < n; k++)
        loops = rows[k].loops > loops ? rows[k].loops : loops;
    if (!status)
        status = field_open(&f, size, loops, error);
    if (!status) {
        shuffle(s, rows, n);
        status = measure_rows(&f, rows, n, error);
    }
    /* Adaptive selection restarts kernels; in the second block, for no block in particular. */
    if (!status) {
        const int *block =
            (s->device->info.is_cpu ? cpu_blocks : gpu_blocks)[dim][s->small ? 0 : 1];
        for (int i = 0; i < dim; i++)
            like.cfg.block_len[i] = block[i];
        like.cfg.sync = GZ_SYNC_RESTART;
        status = measure_adaptive(&f, &like, error);
    }
    field_close(&f);
    free(rows);
    return status;
}

/* Nearly empty kernels: as many tiles as sync_tiles says, in one row. */
static int measure_sync(sweep *s, const swept_app *a, struct gzk_error *error)
{
    int status = 0;
    for (int k = 0; k < SYNC_COUNTS && !status; k++) {
        field f = {.s = s, .a = a};
        measured_row rows[3];
        int size[3] = {sync_tiles[k], 1, 1};
        for (int y = 0; y < s->sync_count; y++) {
            rows[y] = (measured_row){
                .kind = MEASURED_SYNC, .cfg.sync = s->syncs[y], .height = 1, .loops = 16};
            rows[y].cfg.beyond = 1;
            for (int i = 0; i < a->app.dim; i++) {
                rows[y].cfg.data_length[i] = size[i];
                rows[y].cfg.block_len[i] = 3;
            }
        }
        status = field_open(&f, size, 16, error);
        if (!status)
            status = measure_rows(&f, rows, (size_t)s->sync_count, error);
        field_close(&f);
    }
    return status;
}

/* --------------------------------------------------------------------------------------- output */

static void write_about(sweep *s, int argc, char **argv)
{
    const struct gzk_device_info *info = &s->device->info;
    char date[40] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    fprintf(s->to, "# measured: 1\n# device: %s\n# address: %s\n# driver: %s\n", s->model.name,
            info->address, info->driver);
    fprintf(s->to, "# clocks: %.0f MHz core, %.0f MHz memory (nominal, 0 where unknown)\n",
            1e-6 * info->clock_hz, 1e-6 * info->memory_clock_hz);
    fprintf(s->to, "# processors: %d units, %.0f bytes of cache, %zu bytes of local memory\n",
            info->units, (double)info->cache_bytes, info->local_bytes);
    fprintf(s->to, "# date: %s\n# command:", date);
    for (int k = 0; k < argc; k++) /* without the folder, which is of one machine */
        fprintf(s->to, " %s",
                k == 0 && strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[k]);
    fprintf(s->to, "\n# seed: %llu of the order, %llu of the data\n", (unsigned long long)s->seed,
            (unsigned long long)data_seed);
    fprintf(s->to,
            "# rules: every height up to %d, then four an octave up to %d and the model's own, "
            "where a quarter of the tile is committed (up to 3: anything); five runs at least "
            "after one that does not "
            "count, until their interquartile range is under %g of the median or %g s are spent; "
            "what is neither quiet nor averaged then is measured once more where time allows\n",
            dense_heights, s->max_height, MEASURED_LIMIT, s->budget_s);
    fprintf(s->to, "# device file: %s\n", s->device_text);
    for (int k = 0; k < s->n_apps; k++)
        fprintf(s->to, "# app %s: %s\n", s->apps[k].stencil->name, s->apps[k].text);
    measured_write_columns(s->to);
}

static int sweep_all(sweep *s)
{
    struct group {
        const swept_app *a;
        int edge;
    } groups[MEASURED_MAX_APPS * GRIDS];
    const int(*edges)[GRIDS] = s->small                 ? small_edges
                               : s->device->info.is_cpu ? cpu_edges
                                                        : gpu_edges;
    struct gzk_error error = {0};
    size_t n = 0;
    int status = 0;
    for (int k = 0; k < s->n_apps; k++)
        for (int g = 0; g < GRIDS; g++)
            groups[n++] = (struct group){&s->apps[k], edges[s->apps[k].app.dim][g]};
    for (size_t k = n; k > 1; k--) {
        size_t other = draw(s, k);
        struct group swap = groups[k - 1];
        groups[k - 1] = groups[other];
        groups[other] = swap;
    }
    gzc_progress_start(&s->bar, (double)(n + (size_t)s->n_apps),
                       (s->options.given & CLI_QUIET) != 0);
    for (size_t k = 0; k < n && !status; k++) {
        gzc_progress_step(&s->bar, 1, groups[k].a->stencil->name);
        status = measure_group(s, groups[k].a, groups[k].edge, &error);
    }
    for (int k = 0; k < s->n_apps && !status; k++) {
        gzc_progress_step(&s->bar, 1, "synchronisation");
        status = measure_sync(s, &s->apps[k], &error);
    }
    gzc_progress_end(&s->bar);
    return status ? failed(s, &error) : CLI_DONE;
}

int main(int argc, char **argv)
{
    sweep *s = &the_sweep;
    cli_set_program(program.name);
    /* Threads that move between cores spoil timings; the variable is read when PoCL starts. */
    setenv("POCL_AFFINITY", "1", 0);
    int status = cli_parse(&program, argc, argv, &s->options);
    if (status)
        return status;
    if (s->options.given & CLI_HELP)
        return cli_help(&program);
    if (s->options.given & CLI_VERSION)
        return cli_version(&program);
    s->small = (s->options.given & OWN_SMALL) != 0;
    if (!s->options.device)
        return cli_fail(CLI_BAD_INPUT, "no device: give its file by -d, as gz-calibrate writes it");
    gzk_catch_interrupts();
    status = open_inputs(s);
    if (!status && !(s->to = open_memstream(&s->out, &s->out_size)))
        status = cli_fail(CLI_FAILED, "out of memory");
    if (!status) {
        write_about(s, argc, argv);
        status = sweep_all(s);
    }
    if (s->to && fclose(s->to) != 0 && !status)
        status = cli_fail(CLI_FAILED, "out of memory");
    if (!status)
        status = cli_write(s->options.output, s->out, s->out_size);
    if (!status && !(s->options.given & CLI_QUIET))
        fprintf(stderr, "%ld points, %ld of them noisy, %ld measurements\n", s->points, s->noisy,
                s->tries);
    free(s->out);
    free(s->device_text);
    for (int k = 0; k < s->n_apps; k++)
        free(s->apps[k].text);
    gzk_device_close(s->device);
    return status;
}
