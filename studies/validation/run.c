/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run.h"

#include "defaults.h"
#include "interrupt.h"
#include "numbers.h"
#include "output.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs of nearly empty stages are made this long by more loops. */
static const double run_s = 0.002;

/* By how much of the time for everything a group may overrun its slice, so that none is starved. */
static const double slack = 0.005;

static void to_kernel(const run *r, const plan_app *a, const measured_row *row,
                      struct gzk_config *config)
{
    *config = (struct gzk_config){.stencil = a->stencil,
                                  .variant = row->cfg.variant,
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
    gzk_default_threads(config, r->device->info.max_threads, r->device->info.is_cpu);
    gzk_default_layout(config, &r->device->info);
}

/* The grid of a group on the device. */
typedef struct field {
    run *r;
    const plan_group *g;
    double end_s; /* of the group's slice */
    struct gzk_grid grid;
} field;

/* Makes the runs of a point long enough for the timer, by whole stages. */
static int lengthen(field *f, measured_row *row, struct gzk_error *error)
{
    struct gzk_config config;
    double seconds = 0;
    int status = 0;
    to_kernel(f->r, f->g->a, row, &config);
    for (int k = 0; k < 2 && status == 0; k++) /* the first one compiles */
        status = gzk_session_run(f->grid.session, &config, &cli_interrupted, &seconds, error);
    if (status == 0 && seconds < run_s) {
        long most = f->grid.data.loops / row->loops,
             repeats = (long)ceil(run_s / fmax(seconds, 1e-9));
        row->loops *= repeats < most ? repeats : most;
    }
    return status;
}

/* One try of a point: a plan and a warm-up of its own, then at least three runs. */
static int try_point(field *f, measured_row *row, double budget_s, struct gzk_error *error)
{
    enum { LEAST = 3, ENOUGH = 5 };
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_config config;
    int status = row->kind == MEASURED_SYNC && row->tries == 0 ? lengthen(f, row, error) : 0;
    double run_needs_s =
        (double)row->loops * plan_guess_s(f->r->plan->design, f->g->a, &row->cfg, row->height);
    if (row->tries > 0)
        run_needs_s = (double)row->loops * row->seconds;
    budget_s = fmin(budget_s, f->r->budget_s);
    to_kernel(f->r, f->g->a, row, &config);
    if (status == 0)
        status = gzk_time_config(
            f->grid.session, &config,
            &(struct gzk_effort){.brief = run_needs_s > RUN_LONG_S,
                                 .runs = ENOUGH * run_needs_s > budget_s ? LEAST : 0,
                                 .budget_s = budget_s,
                                 .stop = &cli_interrupted},
            &timing, error);
    if (status == 0)
        measured_add_try(row, timing.seconds_per_loop, timing.spread, timing.runs);
    return status;
}

void run_compile(run *r, struct gzk_compilers *compilers)
{
    struct gzk_config *configs = cli_room((size_t)r->plan->planned, sizeof *configs);
    size_t count = 0;
    for (const plan_group *g = r->plan->groups; g < r->plan->groups + r->plan->n_groups; g++)
        for (const measured_row *row = g->rows; row < g->rows + g->n; row++)
            if (measured_is_point(row->kind) && row->tries == 0)
                to_kernel(r, g->a, row, &configs[count++]);
    gzk_compilers_all(compilers, r->device->info.address, configs, count, r->end_s,
                      &cli_interrupted);
    free(configs);
}

/* Where the sweep is, for people: the bar counts seconds. */
static void show(run *r, const plan_group *g)
{
    char what[100], grid[24] = "nearly empty";
    r->bar.done = cli_now() - r->start_s;
    if (g->edge > 0)
        snprintf(grid, sizeof grid, "%d", g->edge);
    snprintf(what, sizeof what, "%s %s, try %d of %d, %ld tries of %ld points", g->a->stencil->name,
             grid, r->pass + 1, r->tries, schedule_tally(r->plan, r->tries).tries,
             r->plan->planned);
    cli_progress_step(&r->bar, 0, what);
}

/* A group that gives up at a fence is one of a busy machine: that point is left out. */
static bool forgive(const measured_row *row, int status, const struct gzk_error *error)
{
    if (status != GZK_FAILED || cli_interrupted || row->cfg.sync != GZ_SYNC_FENCE)
        return false;
    cli_fail(0, "a point is left out: %s", error->text);
    return true;
}

/* The point of a GPU that is being measured. */
static struct {
    run_left_out *left_out;
    int group;
    size_t row;
} current;

static void leave_out(void)
{
    run_left_out *out = current.left_out;
    if (out->n < RUN_MOST_LEFT_OUT) {
        out->at[out->n].group = current.group;
        out->at[out->n++].row = current.row;
    }
}

void run_leave_out(run *r)
{
    for (int k = 0; k < r->left_out->n; k++)
        r->plan->groups[r->left_out->at[k].group].rows[r->left_out->at[k].row].tries = r->tries;
}

static void give_up(int number)
{
    (void)number;
    leave_out();
    _exit(CLI_FAILED);
}

/* From here on until `unguard` a GPU's work on a point must end. */
static void guard(const field *f, const measured_row *row)
{
    enum { LONGEST_S = 60 };
    if (f->r->device->info.is_cpu)
        return;
    current.left_out = f->r->left_out;
    current.group = (int)(f->g - f->r->plan->groups);
    current.row = (size_t)(row - f->g->rows);
    signal(SIGALRM, give_up);
    alarm(LONGEST_S);
}

/* Whether the device is usable after that; the point is left out if not. */
static bool unguard(const field *f, int status)
{
    alarm(0);
    bool lost = status == GZK_FAILED && gzk_device_is_lost(f->r->device);
    if (lost)
        leave_out();
    return !lost;
}

/* Puts a point before what went wrong. */
static void name_point(const plan_group *g, const measured_row *row, struct gzk_error *error)
{
    const struct gzk_error why = *error;
    gzk_fail(error, why.status, "%s, grid %d, %s, %s, height %d: %.500s", g->a->stencil->name,
             g->edge, gz_name(GZ_VARIANTS, row->cfg.variant), gz_name(GZ_SYNCS, row->cfg.sync),
             row->height, why.text);
}

/* One try of each of the `due` points that are, while there is time. */
static int measure_rows(field *f, measured_row *rows, size_t n, size_t due, struct gzk_error *error)
{
    double latest_s = fmin(f->r->end_s, f->end_s + slack * f->r->total_s);
    int status = 0;
    for (measured_row *row = rows; row < rows + n && !status && cli_now() < latest_s; row++) {
        if (!schedule_wants(row, f->r->pass))
            continue;
        show(f->r, f->g);
        double each = (f->end_s - cli_now()) / (double)due--;
        guard(f, row);
        status = try_point(f, row, fmax(0, each), error);
        if (!unguard(f, status))
            name_point(f->g, row, error);
        else if (forgive(row, status, error))
            status = 0;
    }
    return status;
}

/* Runs the tries that are missing of `n` rows of a group on one grid. */
static int measure_grid(field *f, measured_row *rows, size_t n, struct gzk_error *error)
{
    int size[3] = {1, 1, 1}, status = 0;
    size_t due = 0;
    for (size_t k = 0; k < n; k++)
        due += schedule_wants(&rows[k], f->r->pass);
    for (int i = 0; i < f->g->a->app.dim; i++)
        size[i] = (int)rows->cfg.data_length[i];
    if (due > 0)
        status = gzk_grid_open(&f->grid, f->r->device, f->g->a->stencil, size,
                               plan_session_loops(f->r->plan->design, f->g->a, rows, n),
                               RUN_DATA_SEED, error);
    if (!status)
        status = measure_rows(f, rows, n, due, error);
    gzk_grid_close(&f->grid);
    return status;
}

/* A group; nearly empty kernels change their grid with each number of tiles. */
int run_group(run *r, int which, struct gzk_error *error)
{
    plan_group *g = &r->plan->groups[which];
    double now = cli_now(), end_s = schedule_slice_end(r->plan, which, r->pass, now, r->end_s);
    int status = 0;
    size_t each = g->edge > 0 ? g->n : (size_t)r->plan->design->sync_count;
    for (size_t first = 0; first < g->n && !status && cli_now() < r->end_s; first += each) {
        field f = {
            .r = r, .g = g, .end_s = now + (end_s - now) * (double)(first + each) / (double)g->n};
        status = measure_grid(&f, &g->rows[first], each, error);
    }
    /* Some hundred programs of PoCL's take gigabytes; few serve another grid. */
    gzk_device_forget(r->device);
    return status;
}
