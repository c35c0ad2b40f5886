/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.c - times the stencils on a real device for validation: nearly empty kernels, then grids
 * from far inside the cache to far beyond it, three blocks, every height and every mode, and
 * adaptive selection. Writes one table (measured.h).
 *
 * The order is random, drawn from the seed before anything runs. All points of one application and
 * grid, a group, follow each other, so that points that will be compared were measured within a
 * short time; the order of the groups is random too, so that what drifts over the run falls on no
 * size in particular.
 *
 * The time for everything is given (--total). Each group gets a slice of what is left of it, by
 * what its points need at least and evenly beyond that. Within a slice, every point is measured
 * once; then, while there is time, those that are not quiet are tried again, and at last the quiet
 * ones once more, since a whole try may have been disturbed evenly. Points for which there is no
 * time at all are left out, and counted.
 *
 * After each group, and when interrupted, what was measured so far is written beside the table as
 * TABLE.partial, itself a valid table; --resume takes it up again in the same order.
 */
#include "adaptive.h"
#include "interrupt.h"
#include "measured.h"
#include "options.h"
#include "progress.h"
#include "registry.h"
#include "timing.h"

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

/* The grids, by the bytes that a loop touches at least over the device's last cache. */
static const double cache_shares[GRIDS] = {1 / 256., 1 / 24., 1 / 3., 3};

/* Extents are multiples of these, in one, two and three dimensions. */
static const int edge_steps[4] = {0, 1024, 32, 8};

/* Where the driver does not say. */
static const double usual_cache_bytes = 32 << 20, usual_memory_bytes = 1 << 30;

/* The largest array may take this share of the device's memory (OpenCL promises a quarter). What a
 * stencil reads afresh in each loop lies there for all loops of a run, so on the largest grid it
 * limits the loops, or where not even `least_loops` fit, the grid. */
static const double array_share = 0.24;
static const long least_loops = 12;

static const int small_edges[4][GRIDS] = {
    {0}, {4096, 8192, 16384, 32768}, {64, 96, 128, 192}, {16, 20, 24, 32}};

/* Starting tiles. A CPU's rows are long, because they are what it vectorises. */
static const int gpu_blocks[4][BLOCKS][3] = {{{0}},
                                             {{256, 1, 1}, {512, 1, 1}, {1024, 1, 1}},
                                             {{16, 16, 1}, {32, 16, 1}, {32, 32, 1}},
                                             {{8, 8, 4}, {8, 8, 8}, {16, 8, 8}}};
static const int cpu_blocks[4][BLOCKS][3] = {{{0}},
                                             {{512, 1, 1}, {1024, 1, 1}, {4096, 1, 1}},
                                             {{32, 32, 1}, {64, 64, 1}, {256, 32, 1}},
                                             {{8, 8, 8}, {32, 32, 32}, {64, 16, 16}}};

/* Tiles of three cells in each dimension, of which one is committed: as good as empty. */
static const int sync_tiles[SYNC_COUNTS] = {1, 8, 64, 512, 4096};

/* Runs are made this long by more loops, where those are no memory. */
static const double run_s = 0.002;
static const long most_loops = 4096;

/* Tries of one point. */
enum { TRIES = 8 };

/* By how much of the time for everything a group may overrun its slice, so that none is starved. */
static const double slack = 0.005;

/* Of a group's slice, at most, for adaptive selection. */
static const double adaptive_share = 0.25;

static const long adaptive_loops = 30;
static const uint64_t data_seed = 1;

typedef struct swept_app {
    const struct gzk_stencil *stencil;
    gz_app app;
    char *text; /* the application's file in one line */
} swept_app;

/* One application on one grid, or (edge 0) its nearly empty kernels. */
typedef struct group {
    const swept_app *a;
    int edge;
    measured_row *rows; /* in the order of their measurement */
    size_t n;
    double planned_s;         /* what its points need at least, roughly */
    bool adapted;             /* adaptive selection is measured, or not of this group */
    measured_row adaptive[2]; /* from the model's height, and from 1 */
} group;

enum { MAX_GROUPS = MEASURED_MAX_APPS * (GRIDS + 1) };

typedef struct sweep {
    struct cli_options options;
    bool small;         /* the least that still has every kind of row */
    double budget_s;    /* on the device for one try of a point, at most */
    double total_s;     /* for everything; 0: not given */
    int max_height;     /* loops */
    uint64_t seed;      /* of the order */
    const char *on;     /* the device's address; NULL: found by the device file's name */
    const char *folder; /* of the application files; NULL: that of the device file */
    struct gzk_device *device;
    gz_device model;
    double cache_bytes, memory_bytes; /* its device file's, or what is usual */
    char *device_text;                /* the device's file in one line */
    int n_apps;
    swept_app apps[MEASURED_MAX_APPS];
    int n_groups;
    group groups[MAX_GROUPS];
    double start_s, end_s; /* of everything, on gzc_now's clock */
    struct gzc_progress bar;
    char *about;       /* the table's lines before its columns */
    measured before;   /* what an interrupted sweep had measured */
    long planned;      /* points of the sweep */
    long points, done; /* rows measured; those of the sweep among them */
    long quiet, noisy; /* of the rows measured */
    long tries;
    uint64_t drawn; /* random numbers so far */
    int sync_count; /* modes: restart, fence, graph, in this order */
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
    OWN_MAX_HEIGHT = CLI_FIRST_OWN << 5,
    OWN_TOTAL = CLI_FIRST_OWN << 6,
    OWN_RESUME = CLI_FIRST_OWN << 7
};

static sweep the_sweep = {.budget_s = 1, .max_height = 32, .seed = 1};

/* Time for everything where --total does not say. */
static const double usual_total_s = 20 * 60, small_total_s = 60;

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

static int read_budget(void *into, const char *text)
{
    return cli_read_in_range("--budget", text, false, 0.001, 3600, &((sweep *)into)->budget_s);
}

/* "90", "90s", "20m" or "1h". */
static int read_total(void *into, const char *text)
{
    static const char units[] = "smh";
    static const double seconds[] = {1, 60, 3600};
    char number[32];
    size_t n = strlen(text);
    const char *unit = n > 0 ? strchr(units, text[n - 1]) : NULL;
    double *total_s = &((sweep *)into)->total_s;
    snprintf(number, sizeof number, "%.*s", (int)(unit ? n - 1 : n), text);
    int status = cli_read_number("--total", number, total_s);
    if (status)
        return status;
    *total_s *= unit ? seconds[unit - units] : 1;
    if (*total_s < 1 || *total_s > 7 * 24 * 3600.)
        return cli_fail(CLI_BAD_INPUT, "--total %.60s: must be from 1s to 168h", text);
    return CLI_DONE;
}

static int read_seed(void *into, const char *text)
{
    double x;
    int status = cli_read_in_range("--seed", text, true, 0, 1e15, &x);
    if (!status)
        ((sweep *)into)->seed = (uint64_t)x;
    return status;
}

static int read_max_height(void *into, const char *text)
{
    double x;
    int status = cli_read_in_range("--max-height", text, true, 2, 1024, &x);
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
    {OWN_TOTAL, 0, "total", "TIME", "for everything: 90s, 20m, 1h (default 20m; with --small 60s)",
     read_total},
    {OWN_BUDGET, 0, "budget", "SECONDS", "on the device for one try of a point (default 1)",
     read_budget},
    {OWN_RESUME, 0, "resume", NULL, "take up what an interrupted sweep left in TABLE.partial",
     NULL},
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
    if (!status && gz_app_parse(a->text, strlen(a->text), path, &a->app, NULL, &error))
        status = cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (!status && a->app.dim != a->stencil->dimensions)
        status = cli_fail(CLI_BAD_INPUT, "%s: %d dimensions: the stencil has %d", path, a->app.dim,
                          a->stencil->dimensions);
    return status;
}

static double recorded(const sweep *s, const char *key, double usual)
{
    double value = s->device_text ? measured_record(s->device_text, key) : 0;
    return value > 0 ? value : usual;
}

static int open_inputs(sweep *s)
{
    static const char *const usual[] = {"pathfinder", "hotspot", "poisson", "cell"};
    struct gzk_error error;
    gz_error why;
    const char *path = s->options.device;
    int status = slurp(path, &s->device_text);
    if (!status &&
        gz_device_parse(s->device_text, strlen(s->device_text), path, &s->model, NULL, &why))
        status = cli_fail(CLI_BAD_INPUT, "%s", why.text);
    s->cache_bytes = recorded(s, "cache_size", usual_cache_bytes);
    s->memory_bytes = recorded(s, "memory_size", usual_memory_bytes);
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

static void to_kernel(const sweep *s, const swept_app *a, const measured_row *row,
                      struct gzk_config *config)
{
    *config = (struct gzk_config){.stencil = a->stencil,
                                  .sync = row->cfg.sync,
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

static double cells_of(const gz_app *app, const gz_config *cfg)
{
    double cells = 1;
    for (int i = 0; i < app->dim; i++)
        cells *= cfg->data_length[i];
    return cells;
}

/* Bytes of the largest array that the device surely takes. */
static double array_bytes(const sweep *s)
{
    return array_share * s->memory_bytes;
}

/* Loops for which there is room on a grid of `cells`. */
static long room_for(const sweep *s, const struct gzk_stencil *stencil, double cells)
{
    double arrays = array_bytes(s) / (cells * (double)gzk_type_bytes(stencil->type));
    return stencil->step_arrays > 0
               ? (long)fmin((arrays - stencil->coefficient_arrays) / stencil->step_arrays,
                            (double)most_loops)
               : most_loops;
}

/* The extent, the same in all dimensions, of grid number `g`. */
static int edge_of(const sweep *s, const struct gzk_stencil *stencil, int g)
{
    int dim = stencil->dimensions, step = edge_steps[dim];
    double each = (double)gzk_type_bytes(stencil->type);
    double most = array_bytes(s) / each /
                  fmax(1, stencil->coefficient_arrays + (double)least_loops * stencil->step_arrays);
    if (s->small)
        return small_edges[dim][g];
    double cells = cache_shares[g] * s->cache_bytes / (double)gzk_stencil_bytes_per_cell(stencil);
    int up = (int)ceil(pow(cells, 1. / dim) / step), down = (int)floor(pow(most, 1. / dim) / step);
    return step * (up < down ? up : down > 1 ? down : 1);
}

/* Whether a loop touches so much that it lasts long, and that the next finds little of it near. */
static bool is_large(const sweep *s, const swept_app *a, const gz_config *cfg)
{
    return cells_of(&a->app, cfg) * (double)gzk_stencil_bytes_per_cell(a->stencil) >
           s->cache_bytes / 8;
}

/* Whole stages, so that no shorter last one blurs the height: two at least, and eight loops; on a
 * large grid one, and four loops. */
static long loops_of(const sweep *s, const swept_app *a, const gz_config *cfg, int height)
{
    long least = is_large(s, a, cfg) ? 4 : 8, stages = (least + height - 1) / height;
    return height * (least == 8 && stages < 2 ? 2 : stages);
}

/* Whether a quarter of the tile at least is committed. Higher trapezoids compute several times what
 * they keep: they take long and are never best. The lowest two are measured wherever they commit
 * anything, so that there is something to choose. */
static bool worth_it(const gz_app *app, const gz_config *cfg, int h)
{
    static const int always = 2;
    double share = 1;
    for (int i = 0; i < app->dim; i++)
        share *= fmax(0, 1 - app->halo_width[i] * h / cfg->block_len[i]);
    return share >= (h <= always ? DBL_MIN : 0.25);
}

/* The highest trapezoid that is measured in a block. */
static int highest(const sweep *s, const swept_app *a, const gz_config *cfg)
{
    int most = 1;
    while (most < s->max_height && worth_it(&a->app, cfg, most + 1))
        most++;
    long room = room_for(s, a->stencil, cells_of(&a->app, cfg));
    while (most > 1 && loops_of(s, a, cfg, most) > room)
        most--;
    return most;
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

/* ------------------------------------------------------------------------------------- the plan */

/* Whether an interrupted sweep has this point; then it is taken over. */
static bool take_over(const sweep *s, const swept_app *a, measured_row *row)
{
    for (size_t k = 0; k < s->before.n_rows; k++) {
        const measured_row *old = &s->before.rows[k];
        bool same = strcmp(s->before.apps[old->app].name, a->stencil->name) == 0 &&
                    old->kind == row->kind && old->cfg.sync == row->cfg.sync &&
                    (old->height == row->height || row->kind >= MEASURED_FROM_MODEL);
        for (int i = 0; i < a->app.dim && same; i++)
            same = old->cfg.data_length[i] == row->cfg.data_length[i] &&
                   old->cfg.block_len[i] == row->cfg.block_len[i];
        if (!same)
            continue;
        measured_row taken = *old;
        taken.app = row->app;
        *row = taken;
        return true;
    }
    return false;
}

/* Seconds per loop, roughly: the model's, without its penalty for dimensions, which on machines
 * with caches is many times too large. */
static double guess_s(const sweep *s, const swept_app *a, const gz_config *cfg, int height)
{
    gz_device plain = s->model;
    gz_prediction p;
    plain.dimension_penalty.value = 1;
    return gz_predict(&plain, &a->app, cfg, height, &p, NULL) == GZ_OK ? p.seconds_per_loop : 0;
}

/* Adds a point to a group, with what it needs at least: to compile, then six runs, each after its
 * arrays are filled. */
static bool plan_point(sweep *s, group *g, measured_row *row)
{
    static const double compile_s = 0.15, runs = 6, fill = 2;
    double loop_s = guess_s(s, g->a, &row->cfg, row->height);
    g->planned_s += compile_s + runs * loop_s * ((double)row->loops + fill);
    s->planned += row->kind == MEASURED_SWEEP;
    return add_row(&g->rows, &g->n, row);
}

static bool plan_grid(sweep *s, group *g)
{
    const swept_app *a = g->a;
    measured_row row = {.kind = MEASURED_SWEEP, .cfg.beyond = 1};
    for (int i = 0; i < a->app.dim; i++)
        row.cfg.data_length[i] = g->edge;
    for (int b = 0; b < (s->small ? 1 : BLOCKS); b++) {
        const int *block = (s->device->info.is_cpu ? cpu_blocks : gpu_blocks)[a->app.dim][b];
        for (int i = 0; i < a->app.dim; i++)
            row.cfg.block_len[i] = block[i];
        int most = highest(s, a, &row.cfg);
        for (int y = 0; y < s->sync_count; y++)
            for (row.height = 1; row.height <= most; row.height++) {
                row.cfg.sync = s->syncs[y];
                row.loops = loops_of(s, a, &row.cfg, row.height);
                if (!plan_point(s, g, &row))
                    return false;
            }
    }
    /* Arrays are filled on the host, then copied. */
    static const double fill_bytes_s = 5e8;
    row.loops = 0;
    for (size_t k = 0; k < g->n; k++)
        row.loops = g->rows[k].loops > row.loops ? g->rows[k].loops : row.loops;
    g->planned_s +=
        cells_of(&a->app, &row.cfg) * (double)gzk_type_bytes(a->stencil->type) *
        (3 + a->stencil->coefficient_arrays + (double)row.loops * a->stencil->step_arrays) /
        fill_bytes_s;
    shuffle(s, g->rows, g->n);
    return true;
}

/* Nearly empty kernels: as many tiles as sync_tiles says, in one row. */
static bool plan_sync(sweep *s, group *g)
{
    for (int k = 0; k < SYNC_COUNTS; k++)
        for (int y = 0; y < s->sync_count; y++) {
            measured_row row = {
                .kind = MEASURED_SYNC, .cfg.sync = s->syncs[y], .height = 1, .loops = 16};
            row.cfg.beyond = 1;
            for (int i = 0; i < g->a->app.dim; i++) {
                row.cfg.data_length[i] = i == 0 ? sync_tiles[k] : 1;
                row.cfg.block_len[i] = 3;
            }
            if (!plan_point(s, g, &row))
                return false;
        }
    return true;
}

/* Everything that will be measured, in its order. */
static bool plan(sweep *s)
{
    bool enough = true;
    /* What is soon done comes first, so that a short time does not leave it out. */
    for (int k = 0; k < s->n_apps; k++)
        s->groups[s->n_groups++] = (group){.a = &s->apps[k]};
    for (int k = 0; k < s->n_apps; k++)
        for (int g = 0; g < GRIDS; g++) {
            int edge = edge_of(s, s->apps[k].stencil, g);
            if (s->groups[s->n_groups - 1].a != &s->apps[k] ||
                s->groups[s->n_groups - 1].edge != edge)
                s->groups[s->n_groups++] = (group){.a = &s->apps[k], .edge = edge};
        }
    group *grids = &s->groups[s->n_apps];
    for (int k = s->n_groups - s->n_apps; k > 1; k--) {
        size_t other = draw(s, (size_t)k);
        group swap = grids[k - 1];
        grids[k - 1] = grids[other];
        grids[other] = swap;
    }
    for (int k = 0; k < s->n_groups && enough; k++) {
        group *g = &s->groups[k];
        enough = g->edge > 0 ? plan_grid(s, g) : plan_sync(s, g);
    }
    return enough;
}

/* Whether a point is still to be measured; after the first round those that are not quiet are too.
 */
static bool wanted(const measured_row *row, int round)
{
    return row->runs == 0 || (round > 0 && row->quality != MEASURED_QUIET);
}

/* When a group's slice ends: by what its wanted points need, and an even share a point of what is
 * left over. The groups before it have had their turn. */
static double slice_end(const sweep *s, int which, int round)
{
    double need = 0, points = 0, now = gzc_now(), left = fmax(0, s->end_s - now), own = 0,
           own_n = 0;
    for (int k = which; k < s->n_groups; k++) {
        const group *g = &s->groups[k];
        double missing = 0;
        for (size_t i = 0; i < g->n; i++)
            missing += wanted(&g->rows[i], round);
        double needs = g->planned_s * missing / (double)g->n;
        own = k == which ? needs : own;
        own_n = k == which ? missing : own_n;
        need += needs;
        points += missing;
    }
    if (!(points > 0) || left <= need)
        return now + (need > 0 ? left * own / need : 0);
    return now + own + (left - need) * own_n / points;
}

/* ------------------------------------------------------------------------------------ measuring */

/* The grid of a group on the device. */
typedef struct field {
    sweep *s;
    const swept_app *a;
    long loops;   /* for which there are arrays */
    double end_s; /* of the group's slice */
    struct gzk_data data;
    struct gzk_session *session;
} field;

static int field_open(field *f, const int size[3], long loops, struct gzk_error *error)
{
    f->loops = loops;
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

/* Makes the runs of a point long enough for the timer, by whole stages. */
static int lengthen(field *f, measured_row *row, struct gzk_error *error)
{
    struct gzk_config config;
    double seconds = 0;
    int status = 0;
    to_kernel(f->s, f->a, row, &config);
    for (int run = 0; run < 2 && status == 0; run++) /* the first one compiles */
        status = gzk_session_run(f->session, &config, &gzk_interrupted, &seconds, error);
    if (status == 0 && seconds < run_s) {
        long most = f->loops / row->loops, repeats = (long)ceil(run_s / fmax(seconds, 1e-9));
        row->loops *= repeats < most ? repeats : most;
    }
    return status;
}

/* One more try of a point; the quietest counts. */
static int try_point(field *f, measured_row *row, double budget_s, struct gzk_error *error)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_config config;
    bool first = row->runs == 0;
    int status = first && !is_large(f->s, f->a, &row->cfg) ? lengthen(f, row, error) : 0;
    f->s->tries++;
    to_kernel(f->s, f->a, row, &config);
    if (status == 0)
        status = gzk_time_config(f->session, &config,
                                 &(struct gzk_effort){.budget_s = fmin(budget_s, f->s->budget_s),
                                                      .stop = &gzk_interrupted},
                                 &timing, error);
    if (status || (!first && row->spread <= timing.spread))
        return status;
    row->seconds = timing.seconds_per_loop;
    row->spread = timing.spread;
    row->runs = timing.runs;
    row->quality = measured_quality_of(timing.spread, timing.runs);
    return 0;
}

/* Counts what there is. */
static void tally(sweep *s)
{
    s->points = s->done = s->quiet = s->noisy = 0;
    for (int k = 0; k < s->n_groups; k++) {
        const group *g = &s->groups[k];
        for (size_t i = 0; i < g->n + 2; i++) {
            const measured_row *row = i < g->n ? &g->rows[i] : &g->adaptive[i - g->n];
            if (row->runs == 0)
                continue;
            s->points++;
            s->done += row->kind == MEASURED_SWEEP;
            s->noisy += row->quality == MEASURED_NOISY;
            s->quiet += row->quality == MEASURED_QUIET;
        }
    }
}

/* Where the sweep is, for people: the bar counts seconds. */
static void show(sweep *s, const group *g)
{
    char what[100];
    tally(s);
    s->bar.done = gzc_now() - s->start_s;
    snprintf(what, sizeof what, "%s %s, %ld of %ld points", g->a->stencil->name,
             g->edge > 0 ? "grid" : "nearly empty", s->done, s->planned);
    if (g->edge > 0)
        snprintf(what, sizeof what, "%s %d, %ld of %ld points", g->a->stencil->name, g->edge,
                 s->done, s->planned);
    gzc_progress_step(&s->bar, 0, what);
}

/* A group that gives up at a fence is one of a busy machine: that point is left out. */
static bool forgive(const measured_row *row, int status, const struct gzk_error *error)
{
    if (status != GZK_FAILED || gzk_interrupted || row->cfg.sync != GZ_SYNC_FENCE)
        return false;
    cli_fail(0, "a point is left out: %s", error->text);
    return true;
}

/* All points once, then those that are not quiet again, in the end the quiet ones once more. */
static int measure_rows(field *f, const group *g, measured_row *const *rows, size_t n,
                        struct gzk_error *error)
{
    static const double first_share = 0.5, margin = 1.5;
    double latest_s = fmin(f->s->end_s, f->end_s + slack * f->s->total_s);
    int status = 0;
    for (size_t k = 0; k < n && !status && gzc_now() < latest_s; k++) {
        show(f->s, g);
        double each = (f->end_s - gzc_now()) / (double)(n - k);
        if (rows[k]->runs > 0)
            continue;
        status = try_point(f, rows[k], fmax(0, first_share * each), error);
        if (forgive(rows[k], status, error))
            status = 0;
    }
    for (int pass = 1; pass <= TRIES && !status; pass++)
        for (size_t k = 0; k < n && !status; k++) {
            double left = f->end_s - gzc_now();
            double again = margin * 6 * rows[k]->seconds * (double)rows[k]->loops;
            bool quiet = rows[k]->quality == MEASURED_QUIET;
            if (rows[k]->runs == 0 || again > left || quiet != (pass == TRIES))
                continue;
            show(f->s, g);
            status = try_point(f, rows[k], left / 4, error);
            if (forgive(rows[k], status, error))
                status = 0;
        }
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The q-quantile of n ascending values, interpolated between neighbours. */
static double quantile(const double *sorted, int n, double q)
{
    double place = q * (n - 1);
    int below = (int)place, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/* Adaptive selection from the model's height and from 1 [Section 5.4.2], in turns, as often as it
 * takes and there is time for. Nothing where there is no room for its loops, or not the time for
 * three runs of each, which then would hold up the sweep; the group says whether it was measured.
 */
static int measure_adaptive(field *f, group *g, const measured_row *like, double one_s,
                            struct gzk_error *error)
{
    enum { LEAST = 3, ENOUGH = 5, MOST = 15 };
    static struct gzk_adaptive run;
    double seconds[2][MOST], sorted[MOST], pair_s = 2 * (double)adaptive_loops * one_s;
    measured_row rows[2] = {*like, *like};
    struct gzk_config config;
    gz_optimum best;
    bool all_quiet = false;
    int n = 0, status = 0, most = highest(f->s, f->a, &like->cfg);
    double latest_s = fmin(f->s->end_s, f->end_s + slack * f->s->total_s);
    if (gz_optimize(&f->s->model, &f->a->app, &like->cfg, &(gz_bounds){.upper = most}, &best, NULL))
        return gzk_fail(error, GZK_FAILED, "the model has no height for %s", f->a->stencil->name);
    if (f->loops < adaptive_loops || gzc_now() + LEAST * pair_s > latest_s)
        return 0;
    for (; n < MOST && (n < LEAST || gzc_now() + pair_s < f->end_s); n++) {
        if (n >= ENOUGH && all_quiet)
            break;
        all_quiet = true;
        for (int from = 0; from < 2; from++) {
            measured_row *row = &rows[from];
            row->kind = from == 0 ? MEASURED_FROM_MODEL : MEASURED_FROM_ONE;
            row->height = from == 0 ? best.integer : 1;
            row->loops = adaptive_loops;
            to_kernel(f->s, f->a, row, &config);
            status = gzk_adaptive_run(f->session, &config, most, &gzk_interrupted, &run, error);
            if (status)
                return status;
            seconds[from][n] = run.seconds;
            memcpy(sorted, seconds[from], (size_t)(n + 1) * sizeof *sorted);
            qsort(sorted, (size_t)n + 1, sizeof *sorted, ascending);
            double median = quantile(sorted, n + 1, 0.5);
            row->height = run.height;
            row->runs = n + 1;
            row->seconds = median / (double)adaptive_loops;
            row->spread = (quantile(sorted, n + 1, 0.75) - quantile(sorted, n + 1, 0.25)) / median;
            row->quality = measured_quality_of(row->spread, row->runs);
            all_quiet = all_quiet && row->quality == MEASURED_QUIET;
        }
    }
    memcpy(g->adaptive, rows, sizeof rows);
    g->adapted = true;
    return status;
}

/* Loops for which a session has arrays. */
static long session_loops(const sweep *s, const swept_app *a, const measured_row *rows, size_t n)
{
    double cells = cells_of(&a->app, &rows->cfg), each = (double)gzk_type_bytes(a->stencil->type);
    long loops = adaptive_loops, room = room_for(s, a->stencil, cells);
    for (size_t k = 0; k < n; k++)
        loops = rows[k].loops > loops ? rows[k].loops : loops;
    /* Longer runs, as far as what is fresh in each loop fits into an eighth of the cache. */
    double more = a->stencil->step_arrays > 0 ? s->cache_bytes / 8 / cells / each : HUGE_VAL;
    more = fmin(fmax(more, (double)loops), (double)most_loops);
    return (long)more < room ? (long)more : room;
}

/* Adaptive selection restarts kernels; in the second block, for no block in particular. */
static measured_row adaptive_row(const sweep *s, const swept_app *a, const measured_row *rows)
{
    const int *block =
        (s->device->info.is_cpu ? cpu_blocks : gpu_blocks)[a->app.dim][s->small ? 0 : 1];
    measured_row row = *rows;
    for (int i = 0; i < a->app.dim; i++)
        row.cfg.block_len[i] = block[i];
    row.cfg.sync = GZ_SYNC_RESTART;
    return row;
}

/* The seconds per loop of height 1 where adaptive selection is: measured, or guessed. */
static double height_one_s(const sweep *s, const swept_app *a, const measured_row *rows, size_t n,
                           const measured_row *like)
{
    for (size_t k = 0; k < n; k++)
        if (rows[k].runs > 0 && rows[k].height == 1 && rows[k].cfg.sync == like->cfg.sync &&
            memcmp(rows[k].cfg.block_len, like->cfg.block_len, sizeof like->cfg.block_len) == 0)
            return rows[k].seconds;
    return guess_s(s, a, &like->cfg, 1);
}

/* What is wanted of `n` rows of a group on one grid, from `first` on. */
static int measure_grid(field *f, group *g, size_t first, size_t n, int round,
                        struct gzk_error *error)
{
    measured_row **todo = calloc(n, sizeof *todo), *rows = &g->rows[first];
    int size[3] = {1, 1, 1}, status = 0;
    size_t missing = 0;
    if (!todo)
        return gzk_fail(error, GZK_FAILED, "out of memory");
    for (size_t k = 0; k < n; k++)
        if (wanted(&rows[k], round))
            todo[missing++] = &rows[k];
    for (int i = 0; i < g->a->app.dim; i++)
        size[i] = (int)rows->cfg.data_length[i];
    if (missing > 0 || !g->adapted) {
        status = field_open(f, size, session_loops(f->s, g->a, rows, n), error);
        double end_s = f->end_s, reserve_s = 0;
        if (!g->adapted) {
            const measured_row like = adaptive_row(f->s, g->a, rows);
            reserve_s = fmin(10 * (double)adaptive_loops * guess_s(f->s, g->a, &like.cfg, 1),
                             adaptive_share * fmax(0, end_s - gzc_now()));
        }
        f->end_s -= reserve_s;
        if (!status)
            status = measure_rows(f, g, todo, missing, error);
        f->end_s = end_s;
    }
    if (!status && !g->adapted) {
        measured_row like = adaptive_row(f->s, g->a, rows);
        status = measure_adaptive(f, g, &like, height_one_s(f->s, g->a, rows, n, &like), error);
    }
    field_close(f);
    free(todo);
    return status;
}

/* A group; nearly empty kernels change their grid with each number of tiles. */
static int measure_group(sweep *s, int which, int round, struct gzk_error *error)
{
    group *g = &s->groups[which];
    double end_s = slice_end(s, which, round), now = gzc_now();
    int status = 0;
    size_t each = g->edge > 0 ? g->n : (size_t)s->sync_count;
    for (size_t first = 0; first < g->n && !status && gzc_now() < s->end_s; first += each) {
        field f = {.s = s,
                   .a = g->a,
                   .end_s = now + (end_s - now) * (double)(first + each) / (double)g->n};
        status = measure_grid(&f, g, first, each, round, error);
    }
    return status;
}

/* Whether there is something to measure in a group. */
static bool lacks(const group *g, int round)
{
    bool missing = !g->adapted;
    for (size_t k = 0; k < g->n; k++)
        missing = missing || wanted(&g->rows[k], round);
    return missing;
}

/* Takes over what an interrupted sweep has. */
static void take_over_all(sweep *s)
{
    for (int k = 0; k < s->n_groups; k++) {
        group *g = &s->groups[k];
        for (size_t i = 0; i < g->n; i++)
            take_over(s, g->a, &g->rows[i]);
        g->adapted = g->edge == 0 || room_for(s, g->a->stencil,
                                              cells_of(&g->a->app, &g->rows->cfg)) < adaptive_loops;
        if (g->adapted)
            continue;
        measured_row like = adaptive_row(s, g->a, g->rows);
        like.runs = 0;
        bool both = true;
        for (int from = 0; from < 2; from++) {
            g->adaptive[from] = like;
            g->adaptive[from].kind = from == 0 ? MEASURED_FROM_MODEL : MEASURED_FROM_ONE;
            both = take_over(s, g->a, &g->adaptive[from]) && both;
        }
        g->adapted = both;
    }
}

/* --------------------------------------------------------------------------------------- output */

/* The value of a "# KEY: VALUE" line of a table's, up to its end; NULL where there is none. */
static const char *line_of(const char *about, const char *key, int *length)
{
    const char *at = strstr(about, key);
    if (!at)
        return NULL;
    at += strlen(key);
    *length = (int)strcspn(at, "\n");
    return at;
}

/* Grids, blocks and what else follows from the device, so that a reader need not compute it. */
static void write_grids(const sweep *s, FILE *to)
{
    for (int k = 0; k < s->n_apps; k++) {
        const struct gzk_stencil *stencil = s->apps[k].stencil;
        fprintf(to, "# grids of %s:", stencil->name);
        for (int g = 0; g < GRIDS; g++) {
            int edge = edge_of(s, stencil, g);
            double bytes =
                pow(edge, stencil->dimensions) * (double)gzk_stencil_bytes_per_cell(stencil);
            fprintf(to, "%s %d (%.3g of the cache)", g ? "," : "", edge, bytes / s->cache_bytes);
        }
        fprintf(to, ", the same in each of %d dimensions\n", stencil->dimensions);
    }
}

static void write_about(sweep *s, int argc, char **argv, FILE *to)
{
    const struct gzk_device_info *info = &s->device->info;
    char date[40] = "";
    time_t now = time(NULL);
    struct tm utc;
    int length = 0;
    const char *begun = s->before.about ? line_of(s->before.about, "# date: ", &length) : NULL;
    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
    fprintf(to, "# measured: 1\n# device: %s\n# address: %s\n# driver: %s\n", s->model.name,
            info->address, info->driver);
    fprintf(to, "# clocks: %.0f MHz core, %.0f MHz memory (nominal, 0 where unknown)\n",
            1e-6 * info->clock_hz, 1e-6 * info->memory_clock_hz);
    fprintf(to, "# processors: %d units, %.0f bytes of cache, %zu bytes of local memory\n",
            info->units, (double)info->cache_bytes, info->local_bytes);
    if (begun)
        fprintf(to, "# date: %.*s\n# resumed: %s\n", length, begun, date);
    else
        fprintf(to, "# date: %s\n", date);
    fprintf(to, "# command:");
    for (int k = 0; k < argc; k++) /* without the folder, which is of one machine */
        fprintf(to, " %s", k == 0 && strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[k]);
    fprintf(to, "\n# seed: %llu of the order, %llu of the data\n", (unsigned long long)s->seed,
            (unsigned long long)data_seed);
    write_grids(s, to);
    fprintf(
        to,
        "# rules: every height up to %d at which a quarter of the tile is committed (1 and 2: "
        "anything) and for whose loops there is memory; at least five runs a try after one that "
        "does not count, until their interquartile range is under %g of the median or the time "
        "of the try, at most %g s, is spent; up to %d tries while the sweep's time lasts, of which "
        "the fastest quiet one counts, or else the quietest\n",
        s->max_height, MEASURED_LIMIT, s->budget_s, (int)TRIES);
    fprintf(to, "# device file: %s\n", s->device_text);
    for (int k = 0; k < s->n_apps; k++)
        fprintf(to, "# app %s: %s\n", s->apps[k].stencil->name, s->apps[k].text);
}

/* Writes what there is to `path`; a table that lacks points says how many. */
static int write_table(const sweep *s, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return cli_fail(CLI_FAILED, "out of memory");
    fputs(s->about, to);
    if (s->done < s->planned)
        fprintf(to, "# partial: %ld of %ld points of the sweep\n", s->done, s->planned);
    measured_write_columns(to);
    for (int k = 0; k < s->n_groups; k++) {
        const group *g = &s->groups[k];
        for (size_t i = 0; i < g->n + 2; i++) {
            const measured_row *row = i < g->n ? &g->rows[i] : &g->adaptive[i - g->n];
            if (row->runs > 0)
                measured_write_row(row, g->a->stencil->name, g->a->app.dim, to);
        }
    }
    int status =
        fclose(to) == 0 ? cli_write(path, text, size) : cli_fail(CLI_FAILED, "out of memory");
    free(text);
    return status;
}

/* The name of the partial table; empty where the table goes to standard output. */
static void partial_path(const sweep *s, char *path, size_t size)
{
    bool file = s->options.output && strcmp(s->options.output, "-") != 0;
    snprintf(path, size, "%s%s", file ? s->options.output : "", file ? ".partial" : "");
}

/* Reads an interrupted sweep's table. It must be of this sweep: the same device, seed, rules and
 * files, line by line; only date, command and how much there is may differ. */
static int read_before(sweep *s)
{
    static const char *const free_lines[] = {
        "# date: ", "# command:", "# resumed: ", "# partial: "};
    char path[1200], *text = NULL;
    size_t room = 0;
    gz_error why;
    partial_path(s, path, sizeof path);
    if (!path[0])
        return cli_fail(CLI_BAD_INPUT, "--resume: give the table by -o; TABLE.partial is read");
    if (measured_read(path, &s->before, &why))
        return cli_fail(CLI_BAD_INPUT, "--resume: %s", why.text);
    FILE *from = fopen(path, "r");
    bool read = from && getdelim(&text, &room, '\0', from) >= 0;
    if (from)
        fclose(from);
    int status = read ? CLI_DONE : cli_fail(CLI_BAD_INPUT, "%s: cannot be read", path);
    for (const char *line = s->about; !status && *line;) {
        size_t n = strcspn(line, "\n") + 1;
        bool counts = true, found = false;
        for (size_t k = 0; k < sizeof free_lines / sizeof *free_lines; k++)
            counts = counts && strncmp(line, free_lines[k], strlen(free_lines[k])) != 0;
        for (const char *at = text; counts && !found && at; at = strchr(at, '\n')) {
            at += *at == '\n';
            found = strncmp(at, line, n) == 0;
        }
        if (counts && !found)
            status = cli_fail(CLI_BAD_INPUT,
                              "--resume: %s is of another sweep: it lacks the line \"%.60s...\"",
                              path, line);
        line += n;
    }
    free(text);
    return status;
}

/* What will be missing if the time does not do is better known before than after. */
static void warn_of_time(const sweep *s)
{
    double least_s = 0;
    long missing = 0;
    for (int k = 0; k < s->n_groups; k++) {
        const group *g = &s->groups[k];
        long here = 0;
        for (size_t i = 0; i < g->n; i++)
            here += wanted(&g->rows[i], 0);
        least_s += g->planned_s * (double)here / (double)g->n;
        missing += here;
    }
    if (least_s > s->total_s && !(s->options.given & CLI_QUIET))
        cli_fail(0, "%ld points in %.0f s: may not do; --total %.0fm should", missing, s->total_s,
                 ceil(least_s / 60));
}

/* Groups in order, and again those that lack points or have points that are not quiet, while there
 * is time. */
static int sweep_all(sweep *s)
{
    enum { ROUNDS = 3 };
    struct gzk_error error = {0};
    char path[1200];
    int status = 0, written = CLI_DONE;
    partial_path(s, path, sizeof path);
    s->start_s = gzc_now();
    s->end_s = s->start_s + s->total_s;
    take_over_all(s);
    warn_of_time(s);
    gzc_progress_start(&s->bar, s->total_s, (s->options.given & CLI_QUIET) != 0);
    for (int k = 0; k < ROUNDS * s->n_groups && !status && !written; k++) {
        int which = k % s->n_groups, round = k / s->n_groups;
        if (!lacks(&s->groups[which], round) || gzc_now() > s->end_s)
            continue;
        status = measure_group(s, which, round, &error);
        tally(s);
        if (path[0] && s->done > 0)
            written = write_table(s, path);
    }
    gzc_progress_end(&s->bar);
    if (status && gzk_interrupted && path[0] && s->done > 0)
        return cli_fail(CLI_FAILED, "interrupted: %ld of %ld points are in %s; --resume goes on",
                        s->done, s->planned, path);
    return status ? failed(s, &error) : written;
}

/* The lines before the table's columns, and what was measured before. */
static int prepare(sweep *s, int argc, char **argv)
{
    int status = CLI_DONE;
    for (int pass = 0; pass < 2 && !status; pass++) {
        /* Again once the date of an interrupted sweep is known. */
        size_t size;
        free(s->about);
        s->about = NULL;
        FILE *to = open_memstream(&s->about, &size);
        if (to)
            write_about(s, argc, argv, to);
        if (!to || fclose(to) != 0)
            status = cli_fail(CLI_FAILED, "out of memory");
        if (!status && pass == 0 && s->options.given & OWN_RESUME)
            status = read_before(s);
    }
    if (!status && !plan(s))
        status = cli_fail(CLI_FAILED, "out of memory");
    return status;
}

static int sweep_to_table(sweep *s, int argc, char **argv)
{
    char partial[1200];
    int status = open_inputs(s);
    if (!status)
        status = prepare(s, argc, argv);
    if (!status)
        status = sweep_all(s);
    if (!status)
        status = write_table(s, s->options.output);
    if (status)
        return status;
    partial_path(s, partial, sizeof partial);
    if (s->done < s->planned)
        cli_fail(0, "the time was up: %ld of %ld points were measured; --resume goes on in more",
                 s->done, s->planned);
    else if (partial[0])
        remove(partial);
    if (!(s->options.given & CLI_QUIET))
        fprintf(stderr, "%ld rows, %ld of them quiet, %ld noisy; %ld tries in %.0f s\n", s->points,
                s->quiet, s->noisy, s->tries, gzc_now() - s->start_s);
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    sweep *s = &the_sweep;
    cli_set_program(program.name);
    int status = cli_parse(&program, argc, argv, &s->options);
    if (status)
        return status;
    if (s->options.given & CLI_HELP)
        return cli_help(&program);
    if (s->options.given & CLI_VERSION)
        return cli_version(&program);
    s->small = (s->options.given & OWN_SMALL) != 0;
    if (!(s->total_s > 0))
        s->total_s = s->small ? small_total_s : usual_total_s;
    if (!s->options.device)
        return cli_fail(CLI_BAD_INPUT, "no device: give its file by -d, as gz-calibrate writes it");
    gzk_catch_interrupts();
    status = sweep_to_table(s, argc, argv);
    for (int k = 0; k < s->n_groups; k++)
        free(s->groups[k].rows);
    measured_free(&s->before);
    free(s->about);
    free(s->device_text);
    for (int k = 0; k < s->n_apps; k++)
        free(s->apps[k].text);
    gzk_device_close(s->device);
    return status;
}
