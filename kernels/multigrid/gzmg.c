/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg - solves a Poisson or Helmholtz equation by geometric multigrid on a device, or on several
 * ranks.
 */
#include "gzmg_parts.h"

#include "data.h"
#include "device.h"
#include "files.h"
#include "interrupt.h"
#include "numbers.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is solved on this rank. Steps return an exit status, after they said what was wrong; all
 * ranks agree on it after each. */
struct job {
    struct gzm_options options;
    struct gzk_exchange exchange;
    struct gzk_device *device; /* NULL: the host */
    struct cli_progress bar;   /* of the part of the work that is under way */
    union {
        struct {
            void *f, *beta, *exact, *u, *reference;
        };
        void *arrays[5];
    };
    struct gzm_result result;
};

static int complain(struct job *job, const struct gzk_error *error)
{
    cli_progress_end(&job->bar);
    return cli_fail(error->status, "%s", error->text);
}

/* ------------------------------------------------------------------------------------ progress */

/* A part of the work begins that has no cycles yet. */
static void show_part(struct job *job, const char *what)
{
    cli_progress_begin(&job->bar, 1);
    cli_progress_step(&job->bar, 0, what);
}

/* Shows which cycle comes next; the work is what the residual has to fall, in digits, or else the
 * most cycles. */
static void show_cycle(void *of, const struct gzm_history *h)
{
    struct job *job = of;
    const struct gzm_effort *effort = &job->options.effort;
    double share = h->residual[h->cycles] / h->residual[0];
    char what[80];
    snprintf(what, sizeof what, "cycle %d, residual %.2g of the first", h->cycles + 1, share);
    job->bar.done = fmax((double)h->cycles / effort->most, log10(share) / log10(effort->tolerance));
    cli_progress_step(&job->bar, 0, what);
}

static void show_reference(void *of, const struct gzm_history *h)
{
    (void)h;
    cli_progress_step(&((struct job *)of)->bar, 1, "the serial reference's cycles");
}

/* -------------------------------------------------------------------------------------- solving */

static int make_arrays(struct job *job)
{
    const struct gzm_problem *p = &job->options.setup.problem;

    for (int k = 0; k < (job->options.verify ? 5 : 4); k++)
        if (!(job->arrays[k] = calloc(gzk_cells(p->size), GZK_BYTES(p->type))))
            return cli_fail(CLI_FAILED, "out of host memory for the arrays; give a smaller --size");
    gzm_known(p, job->exact, job->f, job->beta);
    return CLI_DONE;
}

/* The same by the serial reference, whose residuals and result it must have. */
static int verify(struct job *job, struct gzk_error *error)
{
    struct gzm_history reference;
    const struct gzm_problem *p = &job->options.setup.problem;
    const struct gzm_history *history = &job->result.history;
    struct gzm_setup setup = job->options.setup;
    struct gzm_effort effort = job->options.effort;

    setup.division = NULL;
    effort.show = show_reference;
    effort.of = job;
    cli_progress_begin(&job->bar, history->cycles);
    int status =
        gzm_solve_from(NULL, &setup, &effort, job->f, job->beta, job->reference, &reference, error);
    size_t residuals = (size_t)(1 + history->cycles) * sizeof *history->residual;
    job->result.verified = status == 0;
    job->result.equal =
        status == 0 && reference.cycles == history->cycles &&
        memcmp(reference.residual, history->residual, residuals) == 0 &&
        memcmp(job->u, job->reference, gzk_cells(p->size) * GZK_BYTES(p->type)) == 0;
    return status;
}

/* One cycle in which drivers finish compiling, then the run that counts. */
static int run(struct job *job, struct gzk_error *error)
{
    struct gzm_result *result = &job->result;
    struct gzm_effort shown = job->options.effort;
    double norm;
    struct gzm *mg;

    show_part(job, "compiling the levels' kernels");
    int status = gzm_open(job->device, &job->options.setup, job->beta, &mg, error);
    if (status != 0)
        return status;
    gzm_put(mg, job->f, NULL);
    gzm_norm(mg, &norm);
    gzm_cycle(mg, GZ_CYCLE_V);
    gzm_forget(mg);
    gzm_put(mg, job->f, NULL);
    shown.show = show_cycle;
    shown.of = job;
    cli_progress_begin(&job->bar, 1);
    gzm_solve(mg, &shown, &result->history);
    status = gzm_get(mg, job->u);
    result->levels = gzm_levels(mg);
    for (int k = 0; k < result->levels; k++)
        gzm_report(mg, k, &result->level[k]);
    if (status != 0)
        gzm_ranks_abandon(&job->exchange, error);
    gzm_ranks_sum(&job->exchange, result->level, result->levels);
    gzm_close(mg);
    return status;
}

/* Everything that the options request. */
static int compute(struct job *job, struct gzk_error *error)
{
    struct gzm_options *options = &job->options;
    struct gzm_result *result = &job->result;
    const gz_cycle cycle = options->effort.cycle;
    int status = 0;

    if (options->choose_sweeps) {
        show_part(job, "trying numbers of sweeps");
        status = gzm_choose_sweeps(job->device, cycle, &options->setup, result->rates, error);
    }
    if (status == 0)
        status = run(job, error);
    if (status == 0 && options->verify && job->exchange.rank == 0)
        status = verify(job, error);
    if (status == 0 && !options->ranks_given)
        status = gzm_expect(job->device, cycle, &options->setup, 0, &result->expected, error);
    if (status == 0)
        result->error = gzm_error_of(&options->setup.problem, job->u, job->exact);
    return status;
}

/* Writes the report, and says what is wrong with it. */
static int conclude(const struct job *job)
{
    const struct gzm_result *result = &job->result;
    struct cli_sheet sheet;

    cli_sheet_open(&sheet);
    sheet.failed = gzm_result_write(result, job->options.json, sheet.to);
    int status = cli_sheet_write(&sheet, job->options.result);
    if (status == CLI_DONE && result->verified && !result->equal)
        return cli_fail(CLI_FAILED, "--verify: the result differs from the serial reference's");
    if (status == CLI_DONE && !result->history.converged)
        return cli_fail(CLI_FAILED, "not converged: %s", result->history.why.text);
    return status;
}

static int solve(struct job *job)
{
    struct gzk_error error = {0};
    int status = make_arrays(job);

    job->result.options = &job->options;
    job->result.device = job->device ? &job->device->info : NULL;
    cli_progress_start(&job->bar, 1, job->options.quiet);
    if (status == CLI_DONE && compute(job, &error) != 0)
        status = complain(job, &error);
    for (size_t k = 0; k < sizeof job->arrays / sizeof *job->arrays; k++)
        free(job->arrays[k]);
    cli_progress_end(&job->bar);
    if (status == CLI_DONE && job->exchange.rank == 0)
        status = conclude(job);
    return status;
}

/* ------------------------------------------------------------------------------------------ all */

static int open_device(struct job *job)
{
    struct gzm_options *options = &job->options;
    struct gzk_error error;

    if (!options->on_host && gzk_device_open(options->device, &job->device, &error) != 0)
        return complain(job, &error);
    if (options->setup.tail < 0)
        options->setup.tail = gzm_usual_tail(job->device ? &job->device->info : NULL);
    return CLI_DONE;
}

static int divide(struct job *job)
{
    return gzm_ranks_divide(job->device, &job->options);
}

/* Refuses what there is no memory for before the arrays are made. */
static int check_memory(struct job *job)
{
    const struct gzk_device_info *info = job->device ? &job->device->info : NULL;
    const struct gzk_memory needed = gzm_memory(&job->options.setup, info);
    struct gzk_error error;
    return gzk_memory_check(&needed, info, &error) == 0 ? CLI_DONE : complain(job, &error);
}

int main(int argc, char **argv)
{
    static int (*const steps[])(struct job *) = {open_device, divide, check_memory, solve};
    static struct job job;
    struct gzm_options *options = &job.options;
    struct gzk_error error;

    int status = gzm_options_read(argc, argv, options);
    if (status == CLI_DONE && (options->ended || !options->ranks_given) &&
        gzk_check_alone(&error) != 0)
        return complain(&job, &error);
    if (status != CLI_DONE || options->ended)
        return status;
    if (options->result)
        status = cli_check_files(&(struct cli_file){"-o", options->result, true}, 1);
    if (status != CLI_DONE)
        return status;
    cli_catch_interrupts();
    options->setup.stop = &cli_interrupted;
    status = gzm_ranks_join(&job.exchange, options);
    if (status != CLI_DONE)
        return status;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && status == CLI_DONE; k++)
        status = gzk_exchange_agree(&job.exchange, steps[k](&job));
    gzk_device_close(job.device);
    gzk_exchange_close(&job.exchange);
    return status;
}
