/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.c - gz-measure: times the stencils on a real device for validation, by a plan
 * (sweep_plan.h), a schedule (schedule.h) and runs (run.h), and writes one table (table.h). Each
 * pass over the plan, which gives every point one try, is a process of its own, so with fresh
 * buffers; they hand the table on in TABLE.partial. Installed as gz-measure.
 */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "files.h"
#include "interrupt.h"
#include "numbers.h"
#include "options.h"
#include "resume.h"
#include "run.h"
#include "spawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct sweep {
    struct cli_options options;
    const char *on; /* the device's address; NULL: found by the device file's name */
    plan_design design;
    plan plan;
    run run;
    struct gzk_compilers compilers;
    char *partial;   /* path of the partial table */
    char *about;     /* the table's lines before its columns */
    measured before; /* what an interrupted sweep had measured */
    int argc;
    char **argv;
    int (*job)(struct sweep *s); /* of a process of its own */
} sweep;

/* --------------------------------------------------------------------------------- command line */

enum own_bit {
    OWN_SMALL = CLI_FIRST_OWN,
    OWN_RESUME = CLI_FIRST_OWN << 1,
    OWN_FORCE = CLI_FIRST_OWN << 2
};

static sweep the_sweep = {.run = {.budget_s = 1, .tries = SCHEDULE_TRIES},
                          .design = {.max_height = 32, .seed = 1}};

/* Time for everything if --total does not say. */
static const double usual_total_s = 20 * 60, small_total_s = 60;

static const struct cli_option own_options[] = {
    {CLI_UNASKED, 0, "on", "ADDRESS", "the device itself (default: the one of the file's name)",
     .as = CLI_TEXT, .at = offsetof(sweep, on)},
    {OWN_SMALL, 0, "small", NULL, "small grids, few points: a minute at most", .as = CLI_FLAG},
    {CLI_UNASKED, 0, "total", "TIME",
     "for everything: 90s, 20m, 1h (default 20m; with --small 60s)", .as = CLI_TIME,
     .at = offsetof(sweep, run.total_s), .least = 1, .most = 7 * 24 * 3600.},
    {CLI_UNASKED, 0, "budget", "SECONDS", "on the device for one try of a point (default 1)",
     .as = CLI_REAL, .at = offsetof(sweep, run.budget_s), .least = 0.001, .most = 3600},
    {OWN_RESUME, 0, "resume", NULL, "take up what an interrupted sweep left in TABLE.partial",
     .as = CLI_FLAG},
    {OWN_FORCE, 0, "force", NULL,
     "replace a table that is there, or what an interrupted sweep left", .as = CLI_FLAG},
    {CLI_UNASKED, 0, "tries", "N", "of each point, each in a process of its own (default 5)",
     .as = CLI_INT, .at = offsetof(sweep, run.tries), .least = 1, .most = MEASURED_MAX_TRIES},
    {CLI_UNASKED, 0, "seed", "N", "of the random order (default 1)", .as = CLI_SEED,
     .at = offsetof(sweep, design.seed)},
    {CLI_UNASKED, 0, "max-height", "H", "highest trapezoid (default 32)", .as = CLI_INT,
     .at = offsetof(sweep, design.max_height), .least = 2, .most = 1024},
    {0},
};

static const struct cli_program program = {
    .name = "gz-measure",
    .usage =
        "Usage: gz-measure -d NAME|FILE -o TABLE [NAME...]\n"
        "\n"
        "Times stencils (by default pathfinder, hotspot, poisson and cell) on the device that\n"
        "gz-calibrate described, over grids, blocks, heights and modes, and writes a table for\n"
        "gz-validate.\n",
    .more = "Exit status: 0 done, 1 failed or interrupted, 2 the command line or an input was\n"
            "wrong, 77 no such device here. See gz-measure(1).\n",
    .takes = CLI_DEVICE | CLI_OUTPUT | CLI_QUIET | CLI_HELP | CLI_VERSION | CLI_COMPLETION,
    .own = own_options,
    .own_into = &the_sweep,
};

/* -------------------------------------------------------------------------------------- inputs */

static int open_app(sweep *s, const char *name)
{
    plan_design *d = &s->design;
    plan_app *a = &d->apps[d->n_apps];
    gz_error error;
    a->stencil = gzk_stencil_find(name);
    if (!a->stencil)
        return cli_fail(CLI_BAD_INPUT, "%s: no stencil of that name; see gzrun --list", name);
    for (int k = 0; k < d->n_apps; k++)
        if (d->apps[k].stencil == a->stencil)
            return cli_fail(CLI_BAD_INPUT, "%s: given twice", name);
    if (gz_app_open(name, s->options.device, &a->app, &error))
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (a->app.dim != a->stencil->dim)
        return cli_fail(CLI_BAD_INPUT, "%s: %d dimensions: the stencil has %d", name, a->app.dim,
                        a->stencil->dim);
    if (!gz_profile_matches(&d->model, &a->app))
        cli_fail(0, "the instruction counts of %s are those of %s, not of %s: see gz-calibrate",
                 name, a->app.profile_device, d->model.name);
    d->n_apps++;
    return CLI_DONE;
}

static int open_device(sweep *s)
{
    struct gzk_error error;
    if (s->on && gzk_device_open(s->on, &s->run.device, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    if (!s->on && gzk_device_open_described(&s->design.model, &s->run.device, &error) != 0)
        return cli_fail(error.status, "%s: give its address by --on, or calibrate", error.text);
    return CLI_DONE;
}

static int open_inputs(sweep *s)
{
    static const char *const usual[] = {"pathfinder", "hotspot", "poisson", "cell"};
    plan_design *d = &s->design;
    gz_error why;
    int status = CLI_DONE, given = s->options.word_count;
    if (gz_device_open(s->options.device, &d->model, &why))
        status = cli_fail(CLI_BAD_INPUT, "%s", why.text);
    for (int k = 0; !status && k < (given ? given : 4); k++)
        status = open_app(s, given ? s->options.words[k] : usual[k]);
    if (!status)
        status = open_device(s);
    if (status)
        return status;
    double cache = gz_get(&d->model, "effective_cache");
    d->cache_measured = !isnan(cache);
    d->cache_bytes = d->cache_measured ? cache : d->model.cache_size.value;
    d->memory_bytes = d->model.memory_size.value;
    d->is_cpu = s->run.device->info.is_cpu;
    d->syncs[d->sync_count++] = GZ_SYNC_RESTART;
    d->syncs[d->sync_count++] = GZ_SYNC_FENCE;
    if (d->model.graph_overhead.origin != GZ_ORIGIN_NONE)
        d->syncs[d->sync_count++] = GZ_SYNC_GRAPH;
    return CLI_DONE;
}

/* Nothing that was measured is lost: the table neither replaces another, or what an interrupted
 * sweep left, nor an input. */
static int check_output(sweep *s)
{
    const char *output = s->options.output;
    bool force = (s->options.given & OWN_FORCE) != 0, resume = (s->options.given & OWN_RESUME) != 0;
    if (!output || strcmp(output, "-") == 0)
        return cli_fail(CLI_BAD_INPUT, "give the table by -o: TABLE.partial lies beside it");
    s->partial = cli_partial_path(output);
    if (!s->partial)
        return cli_fail(CLI_FAILED, "out of memory");
    const struct cli_file files[] = {{"-d", cli_device_file(s->options.device), false},
                                     {"-o", output, true},
                                     {"the partial table of -o,", s->partial, true}};
    int status = cli_check_files(files, sizeof files / sizeof *files);
    if (!status)
        status = cli_check_replaces("-o", output, force || resume);
    if (!status)
        status = cli_check_partial(output, s->partial, resume || force, "--force");
    return status;
}

/* --------------------------------------------------------------------------------------- output */

/* The value of a "# KEY: VALUE" line of a table's, up to its end; NULL if there is none. */
static const char *line_of(const char *about, const char *key, int *length)
{
    const char *at = strstr(about, key);
    if (!at)
        return NULL;
    at += strlen(key);
    *length = (int)strcspn(at, "\n");
    return at;
}

static void write_about(const sweep *s, FILE *to)
{
    const struct gzk_device_info *info = &s->run.device->info;
    const struct cli_date now = cli_date(CLI_DATE);
    int length = 0;
    const char *begun = s->before.about ? line_of(s->before.about, "# date: ", &length) : NULL;
    fprintf(to, "# measured: %s\n# device: %s\n# address: %s\n# driver: %s\n", MEASURED_FORMAT,
            s->design.model.name, info->address, info->driver);
    fprintf(to, "# clocks: %.0f MHz core, %.0f MHz memory (nominal, 0 where unknown)\n",
            1e-6 * info->clock_hz, 1e-6 * info->memory_clock_hz);
    fprintf(to, "# processors: %d units, %.0f bytes of cache, %zu bytes of local memory\n",
            info->units, (double)info->cache_bytes, info->local_bytes);
    if (begun)
        fprintf(to, "# date: %.*s\n", length, begun);
    if (begun && s->options.given & OWN_RESUME)
        fprintf(to, "# resumed: %s\n", now.text);
    if (!begun)
        fprintf(to, "# date: %s\n", now.text);
    cli_write_command(to, s->argc, s->argv);
    fprintf(to, "# seed: %llu of the order, %llu of the data\n", (unsigned long long)s->design.seed,
            (unsigned long long)RUN_DATA_SEED);
    fprintf(to, "# cache: %.0f bytes, %s\n", s->design.cache_bytes,
            s->design.cache_measured
                ? "as a benchmark found it (effective_cache of the device file)"
                : "as the driver reports it (cache_size of the device file; 0: it does not)");
    fprintf(
        to,
        "# rules: heights up to %d that divide the loops of a run, at which a quarter of the tile "
        "is committed (1 and 2: anything); all heights of a curve run the same number of loops; %d "
        "tries of a point, each in a process and pass of its own over all points; in a try three "
        "runs at least after one that does not count (a stage of it if a run takes over %g s), "
        "where there is time until their interquartile range is under %g of the median or %g s are "
        "spent\n",
        s->design.max_height, s->run.tries, RUN_LONG_S, MEASURED_LIMIT, s->run.budget_s);
}

/* A file's text in one line: between its tokens a line's end is as good as a blank. */
static gz_status write_file(const char *key, const char *name, gz_status status, char *text,
                            FILE *to)
{
    fprintf(to, "# %s%s: ", key, name);
    for (const char *c = text; c && *c; c++)
        putc(*c == '\n' ? ' ' : *c, to);
    putc('\n', to);
    gz_text_free(text);
    return status;
}

static gz_status write_files(const plan_design *d, FILE *to)
{
    char *text;
    gz_status status = gz_device_text(&d->model, NULL, &text, NULL);
    status = write_file("device file", "", status, text, to);
    for (int k = 0; k < d->n_apps && !status; k++) {
        status = gz_app_text(&d->apps[k].app, NULL, &text, NULL);
        status = write_file("app ", d->apps[k].stencil->name, status, text, to);
    }
    return status;
}

static int make_about(sweep *s)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    write_about(s, sheet.to);
    gz_status written = write_files(&s->design, sheet.to);
    if (fclose(sheet.to) != 0)
        written = GZ_ENOMEM;
    s->about = sheet.text;
    return written ? cli_fail(CLI_FAILED, "%s", gz_strerror(written)) : CLI_DONE;
}

/* Writes what there is to `path`, s->partial or the table itself; a table that lacks points says
 * how many. */
static int write_table(const sweep *s, const char *path)
{
    schedule_count count = schedule_tally(&s->plan, s->run.tries);
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    fputs(s->about, sheet.to);
    if (count.done < s->plan.planned)
        fprintf(sheet.to, "# partial: %ld of %ld points of the sweep\n", count.done,
                s->plan.planned);
    measured_write_columns((size_t)count.rows, sheet.to);
    for (const plan_group *g = s->plan.groups; g < s->plan.groups + s->plan.n_groups; g++)
        for (const measured_row *row = g->rows; row < g->rows + g->n; row++)
            if (row->runs > 0)
                measured_write_row(row, g->a->stencil->name, g->a->app.dim, sheet.to);
    return path == s->partial ? cli_sheet_write_own(&sheet, path) : cli_sheet_write(&sheet, path);
}

/* ---------------------------------------------------------------------------------------- sweep */

/* What will be missing if the time is too short is better said before than after. */
static void warn_of_time(const sweep *s)
{
    long missing;
    double least_s = schedule_needs_s(&s->plan, &missing);
    if (least_s > s->run.total_s && !(s->options.given & CLI_QUIET))
        cli_fail(0, "%ld points in %.0f s: may be too little; --total %.0fm should be enough",
                 missing, s->run.total_s * s->run.tries, ceil(least_s * s->run.tries / 60));
}

/* One try of every point that lacks it, group after group, while there is time; again through the
 * groups whose slice was too short. */
static int sweep_pass(sweep *s)
{
    struct gzk_error error = {0};
    run *r = &s->run;
    plan *p = &s->plan;
    int status = 0, written = CLI_DONE;
    r->plan = p;
    r->start_s = cli_now();
    r->end_s = r->start_s + r->total_s;
    resume_take_over(p, &s->before);
    run_leave_out(r);
    if (r->pass == 0)
        warn_of_time(s);
    cli_progress_start(&r->bar, r->total_s, (s->options.given & CLI_QUIET) != 0);
    for (int i = 0; i < SCHEDULE_ROUNDS * p->n_groups && !status && !written; i++) {
        int k = i % p->n_groups;
        if (!schedule_lacks(&p->groups[k], r->pass) || cli_now() > r->end_s)
            continue;
        status = run_group(r, k, &error);
        if (schedule_tally(p, r->tries).done > 0)
            written = write_table(s, s->partial);
    }
    cli_progress_end(&r->bar);
    long done = schedule_tally(p, r->tries).done;
    if (status && cli_interrupted && done > 0)
        return cli_fail(CLI_FAILED, "interrupted: %ld of %ld points are in %s; --resume goes on",
                        done, p->planned, s->partial);
    return status ? cli_fail(error.status, "%s", error.text) : written;
}

/* What was measured before, and the lines before the table's columns. */
static int prepare(sweep *s)
{
    bool resume = (s->options.given & OWN_RESUME) != 0;
    bool goes_on = s->run.pass > 0 ? cli_is_there(s->partial) : resume;
    int status = goes_on ? resume_read(s->partial, &s->before) : CLI_DONE;
    if (!status)
        status = make_about(s);
    if (!status && goes_on)
        status = resume_check(s->partial, s->about);
    if (!status && s->run.pass == 0 && !resume)
        remove(s->partial);
    if (!status)
        plan_make(&s->design, &s->plan);
    return status;
}

static void close_sweep(sweep *s)
{
    plan_free(&s->plan);
    measured_free(&s->before);
    free(s->about);
    free(s->partial);
    gzk_device_close(s->run.device);
}

/* What a pass does in its own process; the last one writes the table. */
static int one_pass(sweep *s)
{
    int status = open_inputs(s);
    if (!status)
        status = prepare(s);
    if (!status)
        status = sweep_pass(s);
    if (status || s->run.pass + 1 < s->run.tries)
        return status;
    status = write_table(s, s->options.output);
    if (status)
        return status;
    schedule_count count = schedule_tally(&s->plan, s->run.tries);
    if (count.short_of > 0)
        cli_fail(0,
                 "the time was up: %ld of %ld points were measured, %ld of them fewer than %d "
                 "times; --resume goes on in more",
                 count.done, s->plan.planned, count.done - (s->plan.planned - count.short_of),
                 s->run.tries);
    else
        remove(s->partial);
    if (!(s->options.given & CLI_QUIET))
        fprintf(stderr, "%ld rows, %ld of them quiet, %ld noisy; %ld tries\n", count.rows,
                count.quiet, count.noisy, count.tries);
    return CLI_DONE;
}

/* Has all kernels compiled: on a CPU, whose driver keeps what it compiled. */
static int compile(sweep *s)
{
    if (!freopen("/dev/null", "w", stderr))
        return CLI_FAILED;
    int status = open_inputs(s);
    if (status || !s->run.device->info.is_cpu)
        return status;
    status = prepare(s);
    if (status)
        return status;
    s->run.plan = &s->plan;
    resume_take_over(&s->plan, &s->before);
    run_compile(&s->run, &s->compilers);
    return CLI_DONE;
}

static int do_job(void *with, int part, int parts)
{
    sweep *s = with;
    (void)part, (void)parts;
    cli_catch_interrupts();
    int status = s->job(s);
    close_sweep(s);
    return status;
}

static int in_process(sweep *s, int (*job)(sweep *s), int *interrupt)
{
    s->job = job;
    int status = cli_in_processes(1, do_job, s, interrupt);
    if (status < 0)
        return cli_fail(CLI_FAILED, "no process can be started for try %d", s->run.pass + 1);
    return status;
}

/* Of the time for everything, at most, for compiling before anything is timed. */
static const double for_compiling = 0.5;

/* Compiles on all cores, before anything is timed; for one core alone the first pass does, as what
 * there is no time for here. What fails here fails in the first pass, too, which says it. */
static int compile_all(sweep *s)
{
    int interrupt = 0;
    s->run.end_s = cli_now() + for_compiling * s->run.total_s;
    gzk_compilers_start(&s->compilers, GZK_MOST_COMPILERS, 0);
    if (s->compilers.count > 0)
        in_process(s, compile, &interrupt);
    gzk_compilers_stop(&s->compilers);
    return interrupt ? cli_fail(128 + interrupt, "interrupted: nothing was measured") : CLI_DONE;
}

/* Pass after pass, each of which gets its share of the time that is left. */
static int sweep_to_table(sweep *s)
{
    double end_s = cli_now() + s->run.total_s;
    int interrupt, status = compile_all(s);
    run_left_out *out =
        mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!status && out == MAP_FAILED)
        status = cli_fail(CLI_FAILED, "out of memory");
    s->run.left_out = out;
    for (int pass = 0; pass < s->run.tries && !status;) {
        int before = out->n;
        s->run.pass = pass;
        s->run.total_s = fmax(0.1, (end_s - cli_now()) / (s->run.tries - pass));
        status = in_process(s, one_pass, &interrupt);
        if (status != CLI_FAILED || out->n == before || interrupt)
            pass++;
        else if (out->n < RUN_MOST_LEFT_OUT)
            status = cli_fail(
                CLI_DONE, "what makes the device unusable is left out; another process goes on");
    }
    return status;
}

int main(int argc, char **argv)
{
    sweep *s = &the_sweep;
    int status;
    if (!cli_begin(&program, argc, argv, &s->options, &status))
        return status;
    s->argc = argc;
    s->argv = argv;
    s->design.small = (s->options.given & OWN_SMALL) != 0;
    if (!(s->run.total_s > 0))
        s->run.total_s = s->design.small ? small_total_s : usual_total_s;
    if (!s->options.device)
        return cli_fail(CLI_BAD_INPUT,
                        "no device: give by -d its name, or its file as gz-calibrate writes it");
    if (strchr(s->options.device, ':') && !cli_is_there(s->options.device))
        return cli_fail(CLI_BAD_INPUT,
                        "-d %.60s: a device's name or file is expected; an address goes to --on",
                        s->options.device);
    status = check_output(s);
    if (!status)
        status = sweep_to_table(s);
    close_sweep(s);
    return status;
}
