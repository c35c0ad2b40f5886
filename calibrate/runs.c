/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "runs.h"

#include "defaults.h"
#include "numbers.h"
#include "output.h"
#include "registry.h"
#include "spawn.h"
#include "tiles.h"
#include "timing.h"
#include "variants.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LOOPS = 12,         /* of a run: whole stages of all heights that are run */
    SMALL_LOOPS = 240,  /* the same on a CPU's small grid, where a loop takes microseconds */
    SMALL_LOOPS_3 = 60, /* in three dimensions, where it takes several times as many */
    LARGE_LOOPS = 2,    /* and on its large one, at height 1 */
    HIGHEST = 6,
    STAGE_LOOPS = 256,
    FEW_STAGES = 2, /* of a run that shows what its first one costs */
    GPU_STAGES = 8, /* the same on a GPU, whose events resolve half a microsecond */
    RUNS = 3,       /* timed runs of a point in a try */
    SPLIT = 2       /* blocks: with short rows and with long ones */
};

/* Cells of the small and the middle grid: a CPU's run takes some milliseconds. A GPU's middle grid
 * fills it. */
static const double cpu_cells[2] = {1 << 14, 1 << 19}, gpu_cells[2] = {1 << 18, 1 << 22};

/* What the arrays of a CPU's large grid take together, bytes: several times its last cache, unless
 * that is one of the largest. A GPU's large grid has so many cells, unless its arrays took more
 * than a share of its memory. */
static const double large_bytes = 200e6, gpu_large_cells = 1 << 25, gpu_large_share = 0.25;

/* Blocks with short and with long rows. On a CPU the long rows compute a multiple of its vector's
 * lanes (two radii are added), the short ones leave a remainder. */
static const int cpu_blocks[3][SPLIT][3] = {
    {{512, 1, 1}, {4096, 1, 1}}, {{32, 32, 1}, {256, 32, 1}}, {{8, 8, 8}, {64, 16, 16}}};
static const int gpu_blocks[3][SPLIT][3] = {
    {{256, 1, 1}, {1024, 1, 1}}, {{16, 16, 1}, {64, 16, 1}}, {{8, 8, 4}, {32, 8, 8}}};

/* A height that commits less of its tile takes long and says little. */
static const double least_committed = 0.1;

/* A try of all runs of a stencil takes a few seconds; longer and something hangs. */
enum { LIMIT_S = 120 };

/* What all tries may take, seconds on two quiet cores: of nearly empty stages, and of a stencil. */
static const double stages_s = 5, stencil_s = 6;

/* ------------------------------------------------------------------------------------ the plan */

static double committed_share(const struct gzk_config *config, int height)
{
    double share = 1;
    for (int i = 0; i < config->stencil->dim; i++)
        share *= 1 - 2.0 * config->stencil->radius[i] * height / config->block[i];
    return share;
}

/* The highest height of at most HIGHEST that commits enough, 1 at least. */
static int high(const struct gzk_config *config)
{
    int height = gzk_max_height(config->stencil, config->block);
    height = height < HIGHEST ? height : HIGHEST;
    while (height > 1 && (LOOPS % height != 0 || committed_share(config, height) < least_committed))
        height--;
    return height;
}

static void set_block(struct gzk_config *config, const struct gzk_device_info *info, int which)
{
    const struct gzk_stencil *stencil = config->stencil;
    const int *block = (info->is_cpu ? cpu_blocks : gpu_blocks)[stencil->dim - 1][which];
    for (int i = 0; i < 3; i++) {
        bool used = i < stencil->dim;
        /* A short side must leave something at height 2 of a wide stencil. */
        int least = used ? 4 * stencil->radius[i] + 4 : 1;
        config->block[i] = block[i] > least ? block[i] : least;
        if (info->is_cpu && which == 1 && i == 0)
            config->block[i] += 2 * stencil->radius[i];
    }
    gzk_default_threads(config, info->max_threads, info->is_cpu);
}

static void set_size(struct gzk_config *config, double cells)
{
    int dim = config->stencil->dim;
    for (int i = 0; i < 3; i++)
        config->size[i] = i < dim ? (int)lround(pow(cells, 1.0 / dim)) : 1;
}

/* ---------------------------------------------------------------- variants other than trapezoid */

/* Cells of the large grid. */
static double large_cells(const struct gzk_device_info *info, const struct gzk_stencil *stencil)
{
    double cell = gzk_bytes_per_cell(stencil, 1);
    return info->is_cpu
               ? large_bytes / cell
               : fmin(gpu_large_cells, gpu_large_share * (double)info->memory_bytes / cell);
}

static bool on_large_grid(const struct gzk_config *run)
{
    return (double)run->size[0] * run->size[1] * run->size[2] > 2 * cpu_cells[1];
}

/* Loops of a streamed run on the large grid, each of which takes long: whole stages. */
static long large_loops(const struct gzk_config *run)
{
    return run->height < LARGE_LOOPS * 2 ? LARGE_LOOPS * (long)run->height : run->height;
}

/* Whether the large grid is larger than the middle one: a small GPU's memory may bound it. */
static bool has_large_grid(const struct gzk_device_info *info, const struct gzk_stencil *stencil)
{
    return info->is_cpu || large_cells(info, stencil) > gpu_cells[1];
}

/* A low and a high height of streamed tiles; a GPU's computes more again in each loop. */
static int stream_height(const struct gzk_device_info *info, int dimensions, bool high)
{
    if (info->is_cpu)
        return !high ? 2 : dimensions == 2 ? 6 : 4;
    return !high ? 1 : dimensions == 2 ? 4 : 2;
}

/* On a CPU's small grid the tile is that of the run before on the middle grid, so that it is not
 * compiled once more. One stencil alone has enough runs for the variant's quantities. */
static int plan_streams(const struct gzk_device *device, struct gzk_config base,
                        struct gzk_config *runs)
{
    enum { MIDDLE, LARGE };
    static const struct {
        int grid;
        bool high, whole_rows;
        gz_sync sync;
    } planned[] = {{MIDDLE, false, true, GZ_SYNC_RESTART}, {MIDDLE, true, true, GZ_SYNC_RESTART},
                   {MIDDLE, true, true, GZ_SYNC_FENCE},    {MIDDLE, true, false, GZ_SYNC_RESTART},
                   {LARGE, false, true, GZ_SYNC_RESTART},  {LARGE, true, true, GZ_SYNC_RESTART}};
    const struct gzk_device_info *info = &device->info;
    const double cells[] = {info->is_cpu ? cpu_cells[1] : gpu_cells[1],
                            large_cells(info, base.stencil)};
    int n = 0;
    base.variant = GZK_STREAM;
    for (size_t k = 0; k < sizeof planned / sizeof *planned; k++) {
        struct gzk_config run = base;
        if (planned[k].grid == LARGE && !has_large_grid(info, base.stencil))
            continue;
        set_size(&run, cells[planned[k].grid]);
        run.height = stream_height(info, base.stencil->dim, planned[k].high);
        run.sync = planned[k].sync;
        while (run.height > 1 && !gzk_stream_by_rows(&run, info, planned[k].whole_rows))
            run.height--;
        if (!gzk_stream_by_rows(&run, info, planned[k].whole_rows))
            continue;
        if (planned[k].grid == LARGE && info->is_cpu)
            run.loops = large_loops(&run);
        runs[n++] = run;
        bool on_small_too = !planned[k].whole_rows || planned[k].sync == GZ_SYNC_FENCE;
        if (on_small_too && info->is_cpu) {
            set_size(&run, 4 * cpu_cells[0]);
            runs[n++] = run;
        }
    }
    return n;
}

/* Two blocks for all grids: rows of the large one's length, which smaller grids cut, or of a GPU
 * the device's own; and short ones. */
static int plan_naive(const struct gzk_device *device, struct gzk_config base,
                      struct gzk_config *runs)
{
    enum { GRIDS = 3, SHORT_ROW = 48, WARP = 32 };
    const struct gzk_device_info *info = &device->info;
    bool large = has_large_grid(info, base.stencil);
    const double cells[GRIDS] = {info->is_cpu ? 4 * cpu_cells[0] : gpu_cells[0],
                                 info->is_cpu ? cpu_cells[1] : gpu_cells[1],
                                 large_cells(info, base.stencil)};
    int n = 0, row = info->is_cpu ? SHORT_ROW : WARP;
    base.variant = GZK_NAIVE;
    base.height = 1;
    set_size(&base, cells[large ? GRIDS - 1 : GRIDS - 2]);
    gzk_default_tile(&base, info, 0);
    for (int k = 0; k < SPLIT * (large ? GRIDS : GRIDS - 1); k++) {
        struct gzk_config run = base;
        set_size(&run, cells[k / SPLIT]);
        if (k % SPLIT == 1 && run.block[0] > row)
            run.block[0] = row;
        gzk_default_threads(&run, info->max_threads, info->is_cpu);
        if (info->is_cpu && on_large_grid(&run))
            run.loops = LARGE_LOOPS;
        runs[n++] = run;
    }
    return n;
}

/* Adds a run on a grid of so many cells. */
static void add_run(struct gzk_config *run, const struct gzk_config *base, double cells, long loops,
                    int height, gz_sync sync)
{
    *run = *base;
    set_size(run, cells);
    run->loops = loops;
    run->height = height;
    run->sync = sync;
}

/* On a CPU's small grid the same heights as on the middle one, so that nothing more is compiled;
 * its large one at height 1 alone, a GPU's without fences, which cost no more there. A few stages
 * of the small grid determine the cost of a run. */
static int plan_block(const struct gzk_device_info *info, const struct gzk_config *base,
                      struct gzk_config *runs)
{
    bool is_cpu = info->is_cpu;
    const double *cells = is_cpu ? cpu_cells : gpu_cells;
    /* The two modes of the short runs; a graph is distinguished from restarts by nearly empty
     * stages. */
    static const gz_sync modes[] = {GZ_SYNC_RESTART, GZ_SYNC_FENCE};
    const struct gzk_stencil *s = base->stencil;
    int highest = high(base), n = 0, heights[2] = {1, highest};
    long small = !is_cpu ? LOOPS : s->dim == 3 ? SMALL_LOOPS_3 : SMALL_LOOPS;
    for (int m = 0; m < 2 && !is_cpu; m++)
        add_run(&runs[n++], base, cells[0], small, highest < 2 ? highest : 2, modes[m]);
    for (int k = 0; k < (highest > 1 ? 2 : 1); k++)
        for (int m = 0; m < 2; m++) {
            if (is_cpu)
                add_run(&runs[n++], base, cells[0], small, heights[k], modes[m]);
            add_run(&runs[n++], base, cells[1], LOOPS, heights[k], modes[m]);
        }
    for (int m = 0; m < 2 && is_cpu; m++)
        add_run(&runs[n++], base, large_cells(info, s), LARGE_LOOPS, 1, modes[m]);
    for (int k = 0; k < (highest > 1 ? 2 : 1) && !is_cpu && has_large_grid(info, s); k++)
        add_run(&runs[n++], base, large_cells(info, s), LOOPS, heights[k], GZ_SYNC_RESTART);
    long few = is_cpu ? FEW_STAGES : GPU_STAGES;
    for (int m = 0; m < 2; m++)
        add_run(&runs[n++], base, cells[0], few * highest, highest, modes[m]);
    return n;
}

/* In one dimension a CPU's prefetcher fetches rows ahead: so many arrays for every loop that
 * it cannot follow them, on a grid whose arrays are large together. */
static int plan_arrays(struct gzk_config base, struct gzk_config *runs)
{
    static const gz_sync modes[] = {GZ_SYNC_RESTART, GZ_SYNC_FENCE};
    const struct gzk_stencil *s = base.stencil;
    double cells = large_bytes / gzk_bytes_per_cell(s, LOOPS);
    int n = 0;
    if (LOOPS > gzk_max_height(s, base.block) || committed_share(&base, LOOPS) < least_committed)
        return 0;
    for (int m = 0; m < 2; m++)
        add_run(&runs[n++], &base, cells, LOOPS, LOOPS, modes[m]);
    return n;
}

static int plan_stencil(const struct gzk_device *device, struct gzk_config base,
                        struct gzk_config *runs)
{
    int n = 0;
    for (int which = 0; which < SPLIT; which++) {
        set_block(&base, &device->info, which);
        n += plan_block(&device->info, &base, runs + n);
        if (device->info.is_cpu && which == 0 && base.stencil->dim == 1 &&
            base.stencil->step_arrays > 0)
            n += plan_arrays(base, runs + n);
    }
    if (base.stencil->dim > 1)
        n += plan_streams(device, base, runs + n);
    return n + plan_naive(device, base, runs + n);
}

static int plan_stages(const struct gzk_device *device, struct gzk_config base,
                       struct gzk_config *runs)
{
    int n = 0, modes = device->backend == &gzk_cuda ? GZ_SYNC_GRAPH + 1 : GZ_SYNC_GRAPH;
    base.height = 1;
    base.loops = STAGE_LOOPS;
    for (int k = 0; k < GZK_EMPTY_STAGES; k++) {
        gzk_empty_stage(&base, k);
        gzk_default_threads(&base, device->info.max_threads, device->info.is_cpu);
        /* Every other number of tiles also in a run of few stages. */
        for (int m = 0; m < modes; m++)
            for (int few = 0; few < (k % 2 ? 2 : 1); few++) {
                runs[n] = base;
                runs[n].loops = few ? FEW_STAGES : STAGE_LOOPS;
                runs[n++].sync = (gz_sync)m;
            }
    }
    return n;
}

int gzc_runs_plan(const struct gzk_device *device, const struct gzk_stencil *stencil,
                  enum gzc_runs_of what, struct gzk_config *runs)
{
    struct gzk_config base = {
        .stencil = stencil, .variant = GZK_TRAPEZOID, .loops = LOOPS, .contract = true};
    return (what == GZC_RUNS_STAGES ? plan_stages : plan_stencil)(device, base, runs);
}

/* --------------------------------------------------------------------------------------- tries */

static bool same_grid(const struct gzk_config *a, const struct gzk_config *b)
{
    return memcmp(a->size, b->size, sizeof a->size) == 0;
}

/* A run that takes longer than this is timed once: it says little of what lasts microseconds, and
 * disturbances average out in it. */
static const double long_s = 0.02;

/* All runs on the grid of number `first`, whose arrays suffice for the most loops: a long one once,
 * a short one several times, of which the median counts. A run on a CPU's large grid is long, so
 * that one stage must do to compile it and to fill the caches. */
static int try_grid(struct gzk_device *device, const struct gzk_config *runs, int first, int n,
                    double *seconds, struct gzk_error *error)
{
    struct gzk_grid grid;
    struct gzk_timing timing;
    long loops = 0;
    for (int i = first; i < n; i++)
        if (same_grid(&runs[first], &runs[i]) && runs[i].loops > loops)
            loops = runs[i].loops;
    int status =
        gzk_grid_open(&grid, device, runs[first].stencil, runs[first].size, loops, 1, error);
    for (int i = first; i < n && status == 0; i++) {
        struct gzk_error refused;
        const struct gzk_effort effort = {.runs = RUNS,
                                          .long_s = long_s,
                                          .brief = device->info.is_cpu && on_large_grid(&runs[i]),
                                          .stop = &gzk_never};
        if (same_grid(&runs[first], &runs[i]))
            seconds[i] = gzk_time_config(grid.session, &runs[i], &effort, &timing, &refused) == 0
                             ? timing.seconds_per_loop
                             : (double)NAN;
    }
    gzk_grid_close(&grid);
    return status;
}

/* One try, in fresh buffers. */
static int try_all(struct gzk_device *device, const struct gzk_config *runs, int n, double *seconds,
                   struct gzk_error *error)
{
    int status = 0;
    for (int i = 0; i < n && status == 0; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++)
            seen = seen || same_grid(&runs[k], &runs[i]);
        if (!seen)
            status = try_grid(device, runs, i, n, seconds, error);
    }
    return status;
}

/* -------------------------------------------------------------------------- separate processes */

/* One try of the runs from `first` to `end`. */
struct order {
    int first, end, number;
    char address[64]; /* of the device */
};

/* Makes a try in this process, which is new. */
static int make_try(struct gzc_runs *all, const struct order *order)
{
    struct gzk_device *device;
    alarm(LIMIT_S);
    strcpy(all->error.text, "it was stopped before it finished");
    return gzk_device_open(order->address, &device, &all->error) != 0 ||
           try_all(device, all->config + order->first, order->end - order->first,
                   all->seconds[order->number] + order->first, &all->error) != 0;
}

/* Starts a process for each try that is requested, and answers with its status. */
static void serve(void *all, int from)
{
    struct order order;
    int status;

    while (recv(from, &order, sizeof order, MSG_WAITALL) == sizeof order) {
        pid_t child = fork();
        if (child == 0)
            _exit(make_try(all, &order));
        if (waitpid(child, &status, 0) != child || send(from, &status, sizeof status, 0) < 0)
            break;
    }
}

struct gzc_runs *gzc_runs_new(void)
{
    struct gzc_runs *all =
        mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || (all->server = cli_serve(serve, all, &all->to)) < 0)
        exit(cli_fail(CLI_FAILED, "no process can be started for the runs of gz2"));
    /* A group of its own, whose end is that of all its processes; an interrupt is no matter to it.
     */
    setpgid(all->server, all->server);
    return all;
}

void gzc_runs_free(struct gzc_runs *all)
{
    kill(-all->server, SIGKILL);
    waitpid(all->server, NULL, 0);
    munmap(all, sizeof *all);
}

/* Adds a stencil's runs. */
static void add_runs(const struct gzc_rounds *rounds, int app, enum gzc_runs_of what,
                     struct gzc_runs *all)
{
    all->stencil[app] = gzc_profile_stencil(rounds->profiles[app]);
    int n = gzc_runs_plan(rounds->device, all->stencil[app], what, all->config + all->n);
    for (int i = 0; i < n; i++)
        all->app[all->n++] = app;
}

/* The stencil whose stages are nearly empty: the reference, or the only one. */
static int stage_app(const struct gzc_rounds *rounds)
{
    for (int a = 0; a < rounds->profile_count; a++)
        if (strcmp(gzc_profile_stencil(rounds->profiles[a])->name, "hotspot") == 0)
            return a;
    return 0;
}

/* A try that fails is left out, with a warning. */
static int try_runs(const struct gzc_rounds *rounds, struct gzc_runs *all, int first, int end,
                    int number, struct gzk_error *error)
{
    enum { POLL_MS = 100 };
    const struct gzc_request *request = rounds->request;
    struct order order = {first, end, number, ""};
    struct pollfd answer = {all->to, POLLIN, 0};
    int status = -1;

    snprintf(order.address, sizeof order.address, "%s", rounds->device->info.address);
    if (send(all->to, &order, sizeof order, MSG_NOSIGNAL) != sizeof order)
        return gzk_fail(error, GZK_FAILED, "the process that makes the runs of gz2 has ended");
    while (poll(&answer, 1, POLL_MS) <= 0)
        if (*request->stop)
            return gzk_fail(error, GZK_FAILED, "interrupted");
    if (recv(all->to, &status, sizeof status, 0) != sizeof status || status != 0)
        request->warn("a try of gz2's runs of %s failed: %s", all->config[first].stencil->name,
                      all->error.text);
    return 0;
}

/* Registers of a thread in the kernel of a stencil's first run, which the resident groups follow
 * from. */
static void count_registers(const struct gzc_rounds *rounds, struct gzc_runs *all)
{
    for (int i = 0; i < all->n; i++) {
        const struct gzk_program *program;
        struct gzk_build_report report;
        struct gzk_error refused;
        int app = all->app[i];
        if (rounds->device->info.is_cpu || all->registers[app] > 0 ||
            gzk_device_program(rounds->device, &all->config[i], &program, &refused) != 0)
            continue;
        rounds->device->backend->report(program, &report);
        all->registers[app] = report.registers > 0 ? report.registers : 0;
    }
}

int gzc_runs_observe(const struct gzc_rounds *rounds, struct gzc_runs *all, struct gzk_error *error)
{
    int stages = stage_app(rounds), status = 0, first[GZC_MAX_APPS + 2] = {0};
    all->tries = rounds->request->quick ? 1 : GZC_TRIES;
    add_runs(rounds, stages, GZC_RUNS_STAGES, all);
    for (int a = 0; a < rounds->profile_count; a++) {
        first[a + 1] = all->n;
        add_runs(rounds, a, GZC_RUNS_STENCIL, all);
    }
    first[rounds->profile_count + 1] = all->n;
    double begun_s = cli_now();
    for (int k = 0; k < all->tries && status == 0; k++) {
        /* The first try also compiles. Three show which are disturbed: the others are left out if
         * there is no time for them. */
        if (k > 2 && !gzc_has_time(begun_s, stages_s + stencil_s * rounds->profile_count, k)) {
            all->tries = k;
            break;
        }
        for (int a = 0; a <= rounds->profile_count && status == 0; a++) {
            cli_progress_step(rounds->request->progress, 4, "runs of the stencils");
            status = try_runs(rounds, all, first[a], first[a + 1], k, error);
        }
    }
    if (status == 0)
        count_registers(rounds, all);
    return status;
}

/* ------------------------------------------------------------------------------------- samples */

/* The tries of a run that were not refused, ascending. */
static int valid_tries(const struct gzc_runs *runs, int i, double valid[GZC_TRIES])
{
    int n = 0;
    for (int k = 0; k < runs->tries; k++)
        if (runs->seconds[k][i] > 0)
            valid[n++] = runs->seconds[k][i];
    cli_sort(valid, (size_t)n);
    return n;
}

double gzc_runs_time(const struct gzc_runs *runs, int i)
{
    double valid[GZC_TRIES];
    int n = valid_tries(runs, i, valid), made = 0;
    for (int k = 0; k < runs->tries; k++)
        made += runs->seconds[k][i] != 0;
    return n > 0 && 2 * n > made ? cli_tried(valid, (size_t)n) : (double)NAN;
}

double gzc_runs_scatter(const struct gzc_runs *runs)
{
    double sum = 0;
    int counted = 0;
    for (int i = 0; i < runs->n; i++) {
        double valid[GZC_TRIES];
        int n = valid_tries(runs, i, valid);
        sum += n > 1 ? cli_try_scatter(valid, (size_t)n) : 0;
        counted += n > 1;
    }
    return counted > 0 ? sum / counted : 0;
}
