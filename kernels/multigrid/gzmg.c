/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg - solves a Poisson or Helmholtz equation by geometric multigrid on a device, or on several
 * ranks.
 */
#include "gzmg_ranks.h"
#include "gzmg_result.h"

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

/* The problem's arrays on the host. */
struct arrays {
    size_t bytes; /* of each */
    union {
        struct {
            void *f, *beta, *exact, *u, *reference;
        };
        void *each[5];
    };
};

/* Of the part of the work that is under way. */
static struct cli_progress bar;

static struct gzm_ranks ranks;

static int complain(const struct gzk_error *error)
{
    cli_progress_end(&bar);
    return cli_fail(error->status, "%s", error->text);
}

static int make_arrays(const struct gzm_options *options, struct arrays *arrays)
{
    const struct gzm_problem *p = &options->setup.problem;
    size_t cells = gzk_cells(p->size);
    size_t element = GZK_BYTES(p->type);

    *arrays = (struct arrays){.bytes = cells * element};
    for (int k = 0; k < (options->verify ? 5 : 4); k++)
        if (!(arrays->each[k] = calloc(cells, element)))
            return cli_fail(CLI_FAILED, "out of host memory for the arrays; give a smaller --size");
    gzm_known(p, arrays->exact, arrays->f, arrays->beta);
    return CLI_DONE;
}

/* The largest error of a known solution. */
static double error_of(const struct gzm_options *options, const struct arrays *arrays)
{
    enum gzk_type type = options->setup.problem.type;
    double most = 0;
    for (size_t i = 0; i < arrays->bytes / GZK_BYTES(type); i++)
        most =
            fmax(most, fabs(gzk_element(arrays->u, type, i) - gzk_element(arrays->exact, type, i)));
    return most;
}

/* A part of the work begins that has no cycles yet. */
static void show_part(const char *what)
{
    cli_progress_begin(&bar, 1);
    cli_progress_step(&bar, 0, what);
}

/* Shows which cycle comes next; the work is what the residual has to fall, in digits, or else the
 * most cycles. */
static void show_cycle(void *of, const struct gzm_history *h)
{
    const struct gzm_effort *effort = of;
    double share = h->residual[h->cycles] / h->residual[0];
    char what[80];
    snprintf(what, sizeof what, "cycle %d, residual %.2g of the first", h->cycles + 1, share);
    bar.done = fmax((double)h->cycles / effort->most, log10(share) / log10(effort->tolerance));
    cli_progress_step(&bar, 0, what);
}

/* Shows what is measured next. */
static void show_try(void *of, double share, const struct gzk_config *next)
{
    char what[120];
    (void)of;
    snprintf(what, sizeof what, "level %s: %s %s, depth %d", gzk_extents_text(next->size, 3).text,
             gzk_variants[next->variant].name, gzk_extents_text(next->block, 3).text, next->height);
    bar.done = share;
    cli_progress_step(&bar, 0, what);
}

/* Measures how each level is smoothed fastest. */
static int tune(struct gzk_device *device, const struct gzm_options *options,
                const struct arrays *arrays, struct gzm_setup *setup, struct gzm_tuning *tuning,
                struct gzk_error *error)
{
    *tuning = (struct gzm_tuning){.most = GZM_USUAL_TRIED, .show = show_try};
    show_part("compiling the levels' kernels");
    return gzm_tune(device, options->effort.cycle, setup, arrays->f, arrays->beta, tuning, error);
}

static void show_reference(void *of, const struct gzm_history *h)
{
    (void)of;
    (void)h;
    cli_progress_step(&bar, 1, "the serial reference's cycles");
}

/* The same by the serial reference, whose residuals and result it must have. */
static int verify(const struct gzm_options *options, const struct arrays *arrays,
                  struct gzm_result *result, struct gzk_error *error)
{
    static struct gzm_history reference;
    const struct gzm_history *history = &result->history;
    struct gzm_setup setup = options->setup;
    struct gzm_effort effort = options->effort;
    struct gzm *mg;

    setup.division = NULL;
    effort.show = show_reference;
    int status = gzm_open(NULL, &setup, arrays->beta, &mg, error);
    if (status != 0)
        return status;
    status = gzm_put(mg, arrays->f, NULL, error);
    cli_progress_begin(&bar, history->cycles);
    if (status == 0)
        status = gzm_solve(mg, &effort, &reference, error);
    if (status == 0)
        status = gzm_get(mg, arrays->reference, error);
    gzm_close(mg);
    size_t residuals = (size_t)(1 + history->cycles) * sizeof *history->residual;
    result->verified = status == 0;
    result->equal = status == 0 && reference.cycles == history->cycles &&
                    memcmp(reference.residual, history->residual, residuals) == 0 &&
                    memcmp(arrays->u, arrays->reference, arrays->bytes) == 0;
    return status;
}

/* One cycle in which drivers finish compiling, then the run that counts. */
static int run(struct gzk_device *device, const struct gzm_setup *setup,
               const struct gzm_effort *effort, const struct arrays *arrays,
               struct gzm_history *history, struct gzm_level_report *levels, int *count,
               struct gzk_error *error)
{
    struct gzm_effort shown = *effort;
    double norm;
    struct gzm *mg;
    show_part("compiling the levels' kernels");
    int status = gzm_open(device, setup, arrays->beta, &mg, error);
    if (status != 0)
        return status;
    status = gzm_put(mg, arrays->f, NULL, error);
    if (status == 0)
        status = gzm_norm(mg, &norm, error);
    if (status == 0)
        status = gzm_cycle(mg, GZ_CYCLE_V, error);
    gzm_forget(mg);
    if (status == 0)
        status = gzm_put(mg, arrays->f, NULL, error);
    shown.show = show_cycle;
    shown.of = &shown;
    cli_progress_begin(&bar, 1);
    if (status == 0)
        status = gzm_solve(mg, &shown, history, error);
    if (status == 0)
        status = gzm_get(mg, arrays->u, error);
    *count = gzm_levels(mg);
    for (int k = 0; k < *count; k++)
        gzm_report(mg, k, &levels[k]);
    if (status != 0)
        gzm_ranks_abandon(&ranks, error);
    gzm_ranks_sum(&ranks, levels, *count);
    gzm_close(mg);
    return status;
}

static int write_result(const struct gzm_result *result)
{
    struct cli_sheet sheet;
    int status = cli_sheet_open(&sheet);
    if (status == CLI_DONE)
        sheet.failed = gzm_result_write(result, result->options->json, sheet.to);
    return status == CLI_DONE ? cli_sheet_write(&sheet, result->options->result) : status;
}

/* All that was asked for. */
static int compute(struct gzk_device *device, struct gzm_options *options,
                   const struct arrays *arrays, struct gzm_result *result, struct gzk_error *error)
{
    const gz_cycle cycle = options->effort.cycle;
    struct gzm_setup tuned;
    int status = 0;

    if (options->choose_sweeps) {
        show_part("trying numbers of sweeps");
        status = gzm_choose_sweeps(device, cycle, &options->setup, result->rates, error);
    }
    tuned = options->setup;
    if (status == 0 && options->tune)
        status = tune(device, options, arrays, &tuned, &result->tuning, error);
    if (status == 0)
        status = run(device, &tuned, &options->effort, arrays, &result->history, result->level,
                     &result->levels, error);
    if (status == 0 && options->verify && gzm_ranks_first(&ranks))
        status = verify(options, arrays, result, error);
    if (status == 0 && !options->ranks_given)
        status = gzm_expect(device, cycle, &tuned, 0, &result->expected, error);
    result->error = error_of(options, arrays);
    return status;
}

static int solve(struct gzk_device *device, struct gzm_options *options)
{
    static struct gzm_result result; /* static for its thousand cycles */
    struct arrays arrays;
    struct gzk_error error = {0};
    int status = make_arrays(options, &arrays);

    result.options = options;
    result.device = device ? &device->info : NULL;
    cli_progress_start(&bar, 1, options->quiet);
    if (status == CLI_DONE && compute(device, options, &arrays, &result, &error) != 0)
        status = complain(&error);
    for (size_t k = 0; k < sizeof arrays.each / sizeof *arrays.each; k++)
        free(arrays.each[k]);
    cli_progress_end(&bar);
    bool reports = status == CLI_DONE && gzm_ranks_first(&ranks);
    if (reports)
        status = write_result(&result);
    gzm_tuning_free(&result.tuning);
    if (reports && status == CLI_DONE && result.verified && !result.equal)
        return cli_fail(CLI_FAILED, "--verify: the result differs from the serial reference's");
    if (reports && status == CLI_DONE && !result.history.converged)
        return cli_fail(CLI_FAILED, "not converged: %s", result.history.why.text);
    return status;
}

/* Refuses what there is no memory for before the arrays are made. */
static int check_memory(const struct gzk_device *device, const struct gzm_options *options)
{
    const struct gzk_device_info *info = device ? &device->info : NULL;
    const struct gzk_memory needed = gzm_memory(&options->setup, info);
    struct gzk_error error;
    return gzk_memory_check(&needed, info, &error) == 0 ? CLI_DONE : complain(&error);
}

static int open_device(const struct gzm_options *options, struct gzk_device **device)
{
    struct gzk_error error;
    bool on_host = options->device && strcmp(options->device, "host") == 0;
    return on_host || gzk_device_open(options->device, device, &error) == 0 ? CLI_DONE
                                                                            : complain(&error);
}

/* Each step on all ranks, which agree on its status. */
static int run_all(struct gzm_options *options, struct gzk_device **device)
{
    int status = gzm_ranks_agree(&ranks, open_device(options, device));
    if (options->setup.tail < 0)
        options->setup.tail = gzm_usual_tail(*device ? &(*device)->info : NULL);
    if (status == CLI_DONE)
        status = gzm_ranks_divide(&ranks, *device, options);
    if (status == CLI_DONE)
        status = gzm_ranks_agree(&ranks, check_memory(*device, options));
    return status == CLI_DONE ? gzm_ranks_agree(&ranks, solve(*device, options)) : status;
}

int main(int argc, char **argv)
{
    static struct gzm_options options;
    struct gzk_device *device = NULL;
    struct gzk_error error;

    int status = gzm_options_read(argc, argv, &options);
    if (status == CLI_DONE && (options.ended || !options.ranks_given) &&
        gzk_check_alone(&error) != 0)
        return complain(&error);
    if (status != CLI_DONE || options.ended)
        return status;
    if (options.result)
        status = cli_check_files(&(struct cli_file){"-o", options.result, true}, 1);
    if (status != CLI_DONE)
        return status;
    cli_catch_interrupts();
    options.setup.stop = &cli_interrupted;
    status = gzm_ranks_begin(&ranks, &options);
    if (status != CLI_DONE)
        return status;
    status = run_all(&options, &device);
    gzk_device_close(device);
    gzm_ranks_end(&ranks);
    return status;
}
