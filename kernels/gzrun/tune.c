/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "modes.h"

#include "common.h"
#include "data.h"
#include "files.h"
#include "interrupt.h"
#include "numbers.h"
#include "progress.h"
#include "record.h"
#include "si.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways that are looked for, of which the device may refuse some. */
enum { ROOM = 1000 };

/* An interrupt waits for the way that is compiled or measured, at most so long. */
enum { MOST_COMPILING_S = 20 };

/* A try takes this long at most, and a run that takes so long is the only one of its try. */
static const double try_s = 0.5, long_run_s = 0.25;

/* Beyond this share of runs whose prediction is off by a factor of 1.6, the device's calibration is
 * no good. */
static const double too_many = 0.5;

struct tuning {
    const struct gzk_where *where;
    const struct gzk_options *options;
    struct gzk_chooser chooser;
    struct gzk_ways ways;
    struct gzk_bench bench;
    struct cli_progress bar;
    double end_s;
};

/* The variants and synchronisations that were given. */
static struct gzk_given given_of(const struct gzk_options *options)
{
    struct gzk_given given = {.model = options->model,
                              .syncs = options->sync_given ? options->space.syncs : 0};
    for (int v = 0; v < gzk_variant_count && options->variant_given; v++)
        if (options->space.variants & 1U << v)
            given.variants |= gzk_model_variant((gz_variant)v);
    return given;
}

static int open_chooser(struct tuning *t, struct gzk_error *error)
{
    return gzk_where_chooser(t->where, t->options->config.stencil, t->options->model, &t->chooser,
                             error);
}

/* ------------------------------------------------------------------------------------ measuring */

/* A difference from the reference is a failure. */
static int verify(const struct gzk_bench *bench, struct gzk_error *error)
{
    struct gzk_comparison comparison;
    int status = gzk_bench_compare(bench, &comparison, error);
    if (status != 0 || comparison.wrong == 0)
        return status;
    return gzk_fail(error, GZK_INVALID, "%zu of %zu elements differ from the reference",
                    comparison.wrong,
                    gzk_state_elements(bench->options->config.stencil, &bench->data));
}

static void compile(void *of, const struct gzk_config *config)
{
    struct tuning *t = of;
    struct gzk_config stage = *config;
    struct gzk_error refused;
    double ignored;
    stage.loops = stage.height < stage.loops ? stage.height : stage.loops;
    gzk_session_run(t->bench.session, &stage, &cli_interrupted, &ignored, &refused);
}

/* One try of a way. What it cannot run, or does not in time, or wrongly, has failed. */
static int time_way(void *of, const struct gzk_way *way, struct gzk_timing *timing,
                    struct gzk_error *error)
{
    struct tuning *t = of;
    struct gzk_effort effort = gzk_effort_of(t->options);
    effort.brief = true;
    effort.long_s = long_run_s;
    effort.budget_s = try_s;
    int status = gzk_time_config(t->bench.session, &way->config, &effort, timing, error);
    return status == 0 && t->options->verify && way->tries == 0 ? verify(&t->bench, error) : status;
}

static bool goes_on(void *of, const struct gzk_ways *ways)
{
    (void)ways;
    return cli_now() < ((const struct tuning *)of)->end_s;
}

static void show(void *of, const struct gzk_ways *ways, const struct gzk_way *next,
                 const gz_tuner_result *best, double gain)
{
    struct tuning *t = of;
    const struct gzk_config *config = &next->config;
    char what[160], so_far[60] = "";
    (void)ways;
    if (best)
        snprintf(so_far, sizeof so_far, "best %s, gain %.1f %%: ", cli_si(best->seconds, "s").text,
                 100 * gain);
    snprintf(what, sizeof what, "%s%s %s, height %d, %s%s", so_far,
             gzk_variants[config->variant].name,
             gzk_extents_text(config->block, config->stencil->dim).text, config->height,
             gz_name(GZ_SYNCS, config->sync), next->tries > 0 ? ", again" : "");
    cli_progress_step(&t->bar, next->tries > 0 ? 0.1 : 1, what);
}

/* Measures the tuner's choices until it stops, the time is over or the user interrupts. */
static int measure_all(struct tuning *t, double gain, struct gzk_error *error)
{
    enum { EXPECTED = 14 };
    const struct gzk_options *options = t->options;
    const struct gzk_measuring measuring = {.time = time_way,
                                            .show = show,
                                            .goes_on = goes_on,
                                            .of = t,
                                            .tuner = {.gain = gain},
                                            .stop = &cli_interrupted,
                                            .compile = compile,
                                            .compilers = t->where->compilers};
    cli_expect_late_end(MOST_COMPILING_S);
    t->end_s = options->time_s > 0 ? cli_now() + options->time_s : HUGE_VAL;
    cli_progress_start(&t->bar, EXPECTED, options->quiet);
    int status = gzk_ways_measure(&t->chooser, &t->ways, &measuring, error);
    cli_progress_end(&t->bar);
    return status;
}

/* Finds the fastest by measurement; a `gain` below 0: among all. Returns an exit status. */
static int tune(struct tuning *t, double gain)
{
    struct gzk_error error = {0};
    int status = gzk_bench_open(t->where->device, t->options, &t->bench);
    if (status == CLI_DONE && measure_all(t, gain, &error) != 0)
        status = gzk_complain(&error);
    gzk_bench_close(&t->bench);
    return status;
}

/* -------------------------------------------------------------------------------------- results */

/* How far the prediction is from what was measured: in percent, or as a factor from 2 on. */
static struct gzk_phrase missed(const struct gzk_way *way)
{
    struct gzk_phrase m = {"none"};
    double ratio = way->predicted.seconds_per_loop / way->seconds_per_loop;
    double factor = ratio < 1 ? 1 / ratio : ratio;
    const char *too = ratio < 1 ? "fast" : "slow";
    if (factor >= 2)
        snprintf(m.text, sizeof m.text, "%.*f times too %s", factor < 10 ? 1 : 0, factor, too);
    else if (fabs(ratio - 1) < 0.005)
        strcpy(m.text, "right");
    else if (!isnan(factor))
        snprintf(m.text, sizeof m.text, "%.0f %% too %s", 100 * fabs(ratio - 1), too);
    return m;
}

/* Why no more was measured. */
static struct gzk_phrase why_stopped(const struct tuning *t)
{
    struct gzk_phrase p;
    const struct gzk_ways *ways = &t->ways;
    if (ways->cut)
        snprintf(p.text, sizeof p.text, "%s: one more run is expected to gain %.2g %%",
                 cli_interrupted ? "interrupted" : "the time is over", 100 * ways->gain);
    else if (ways->best.stop == GZ_TUNER_KNOWN)
        strcpy(p.text, "no further run is expected to gain 0.5 %");
    else if (ways->best.stop == GZ_TUNER_MOST)
        snprintf(p.text, sizeof p.text,
                 "the limit is reached: one more run is expected to gain %.2g %%",
                 100 * ways->gain);
    else
        snprintf(p.text, sizeof p.text, "all %zu candidates were measured", ways->count);
    return p;
}

static void write_row(const struct tuning *t, size_t number, FILE *to)
{
    const struct gzk_way *c = &t->ways.way[number];
    int dimensions = c->config.stencil->dim;
    bool predicted = !isnan(c->predicted.seconds_per_loop);
    fprintf(to, "%c %-14s %-12s %6d  %-8s %-10s %12s", number == t->ways.best.candidate ? '*' : ' ',
            gzk_extents_text(c->config.block, dimensions).text,
            gzk_extents_text(c->config.threads, dimensions).text, c->config.height,
            gz_name(GZ_SYNCS, c->config.sync), gzk_variants[c->config.variant].name,
            predicted ? cli_si(c->predicted.seconds_per_loop, "s").text : "-");
    if (c->failed)
        fprintf(to, " %12s %8s  %s\n", "failed", "", c->failed);
    else
        fprintf(to, " %12s %7.1f%%  %s\n", cli_si(c->seconds_per_loop, "s").text, 100 * c->spread,
                missed(c).text);
}

static void write_text(const struct tuning *t, FILE *to)
{
    const struct gzk_config *config = &t->options->config;
    const struct gzk_device_info *info = &t->where->device->info;
    int dimensions = config->stencil->dim;
    const struct gzk_ways *ways = &t->ways;
    const struct gzk_way *best = gzk_ways_best(ways), *first = &ways->way[ways->measured[0]];

    fprintf(to, "%s on %s, %s\nsize %s, %ld loops\nmodel %s: %s\n\n", config->stencil->name,
            info->address, info->name, gzk_extents_text(config->size, dimensions).text,
            config->loops, gz_name(GZ_MODELS, t->chooser.by), t->chooser.why.text);
    fprintf(to, "  %-14s %-12s %6s  %-8s %-10s %12s %12s %8s  %s\n", "block", "threads", "height",
            "sync", "variant", "predicted", "measured", "spread", "predicted is");
    for (size_t k = 0; k < ways->runs; k++)
        write_row(t, ways->measured[k], to);
    fprintf(to, "\nbest: %s: %s a loop (%s to %s)\n", gzk_tile_phrase(&best->config).text,
            cli_si(ways->best.seconds, "s").text, cli_si(ways->best.interval[0], "s").text,
            cli_si(ways->best.interval[1], "s").text);
    if (ways->best.tied > 0)
        fprintf(to, "a tie: %zu other%s no slower within the noise\n", ways->best.tied,
                ways->best.tied > 1 ? "s are" : " is");
    if (first != best && !first->failed)
        fprintf(to, "the model's own first choice takes %.3g times as long\n",
                first->seconds_per_loop / ways->best.seconds);
    fprintf(to, "%zu measured of %zu: %s\n", ways->runs, ways->count, why_stopped(t).text);
}

static int write_json(const struct tuning *t, FILE *to)
{
    const struct gzk_chooser *c = &t->chooser;
    json_t *how = json_pack("{s:s, s:s, s:s, s:s, s:i}", "device_file", c->file, "model",
                            gz_name(GZ_MODELS, c->by), "why", c->why.text, "stopped",
                            why_stopped(t).text, "tied", (int)t->ways.best.tied);
    if (!gz_profile_matches(&c->model, &c->app))
        json_object_set_new(how, "profile_device", json_string(c->app.profile_device));
    return cli_json_write(
        gzk_ways_json(&t->ways, &t->options->config, &t->where->device->info, how), to);
}

static int write_tuning(const struct tuning *t)
{
    struct cli_sheet sheet;
    cli_sheet_open(&sheet);
    if (t->options->json)
        sheet.failed = write_json(t, sheet.to);
    else
        write_text(t, sheet.to);
    return cli_sheet_write(&sheet, t->options->result);
}

static void warn_of_profile(const struct gzk_chooser *c)
{
    if (!gz_profile_matches(&c->model, &c->app))
        fprintf(
            stderr,
            "gzrun: the instruction counts of %s are those of %s, not of %s: see gz-calibrate\n",
            c->app.name, c->app.profile_device, c->model.name);
}

/* What was predicted by another file's help, and what the model cannot predict and is measured all
 * the same. */
static void warn_of_unpredicted(const struct gzk_chooser *c, const struct gzk_ways *ways)
{
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++) {
        const char *name = gz_name(GZ_VARIANTS, v);
        bool any = false;
        for (size_t k = 0; k < ways->count; k++)
            any = any || (int)ways->way[k].predicted.way.variant == v;
        if (c->unpredicted[v].text[0])
            cli_fail(0, "variant %s is %s: %s", name,
                     any ? "measured without a prediction" : "left out", c->unpredicted[v].text);
        else if (c->lacking[v].text[0])
            cli_fail(0, "variant %s is predicted with the help of the built-in file %s: %s", name,
                     c->builtin, c->lacking[v].text);
    }
}

static void warn_of_calibration(const struct tuning *t)
{
    const gz_tuner_result *best = &t->ways.best;
    if ((double)best->far_off > too_many * (double)best->predicted && best->predicted > 1)
        cli_fail(0, "%zu of %zu predictions are off by a factor of 1.6 or more: %s", best->far_off,
                 best->predicted,
                 t->chooser.described
                     ? "calibrate this device again (gz-calibrate)"
                     : "something else uses the device, or it is unlike others of its kind");
}

/* Whether a model describes one of the variants that were given, so that `--model` means something.
 */
int gzk_tune_check(const struct gzk_options *options)
{
    gz_error why = {0}, error;

    if (options->model == GZ_MODEL_AUTO || !options->variant_given)
        return CLI_DONE;
    for (int v = 0; v < gzk_variant_count; v++) {
        gz_variant variant = (gz_variant)v;
        if (!(options->space.variants & 1U << v))
            continue;
        if (!gzk_model_variant(variant) ||
            gz_model_describes(options->model, variant, &error) != GZ_EMODEL)
            return CLI_DONE;
        if (!why.text[0])
            why = error;
    }
    return why.text[0] ? cli_fail(CLI_BAD_INPUT, "--tune: %s", why.text) : CLI_DONE;
}

int gzk_tune(const struct gzk_where *where, const struct gzk_options *options)
{
    struct tuning t = {.where = where, .options = options};
    const struct gzk_given given = given_of(options);
    struct gzk_error error = {0};

    gzk_show(options, "evaluating the model");
    int status = open_chooser(&t, &error);
    if (status == 0)
        status = gzk_ways_find(&t.chooser, &options->config, &given, ROOM, &t.ways, &error);
    gzk_show(options, "");
    if (status != 0)
        status = cli_fail(status, "--tune: %s", error.text);
    if (status == CLI_DONE && !options->quiet) {
        warn_of_profile(&t.chooser);
        warn_of_unpredicted(&t.chooser, &t.ways);
    }
    if (status == CLI_DONE)
        status = tune(&t, 0);
    /* An interrupt prints one line: what is kept. */
    if (status == CLI_DONE && !options->quiet && !cli_interrupted)
        warn_of_calibration(&t);
    if (status == CLI_DONE)
        status = write_tuning(&t);
    if (status == CLI_DONE && cli_interrupted)
        status = cli_fail(CLI_FAILED, "interrupted: the best of %zu ways is kept", t.ways.runs);
    gzk_ways_free(&t.ways);
    return status;
}

/* Whether the command line leaves variant, block, height and threads open. */
static bool leaves_open(const struct gzk_where *where, const struct gzk_options *options)
{
    /* A variant that is given has tiles of its own where the device is not described. */
    bool variant = where->described ? gzk_model_variant(options->config.variant) != 0
                                    : !options->variant_given;
    return variant && !options->block_given && !options->height_given && !options->threads_given &&
           options->piece == 0 && !options->adaptive;
}

bool gzk_choose_open(const struct gzk_where *where, struct gzk_options *options)
{
    struct tuning t = {.where = where, .options = options};
    const struct gzk_given given = given_of(options);
    const struct gzk_chooser *c = &t.chooser;
    struct gzk_config *config = &options->config;
    struct gzk_error error;
    gz_candidate predicted;

    if (!leaves_open(where, options) || open_chooser(&t, &error) != 0 ||
        gzk_choose(&t.chooser, &given, config, &predicted, &error) != 0)
        return false;
    if (options->quiet)
        return true;
    warn_of_profile(c);
    fprintf(stderr,
            "gzrun: chose %s: predicted %s a loop (%s)\n"
            "gzrun: model %s: %s\n",
            gzk_tile_phrase(config).text, cli_si(predicted.seconds_per_loop, "s").text,
            c->model.name, gz_name(GZ_MODELS, c->by), c->why.text);
    return true;
}

int gzk_tune_again(const struct gzk_where *where, struct gzk_options *options)
{
    const struct gzk_device_info *info = &where->device->info;
    const struct gzk_wisdom *w = &options->wisdom;
    struct tuning t = {.where = where, .options = options};
    struct gzk_error error;

    if (gzk_wisdom_is_of(w, info))
        return CLI_DONE;
    if (!options->quiet)
        fprintf(stderr,
                "gzrun: %s was made for %s (%s), not for %s (%s): measuring its best %d again\n",
                options->plan, w->device, w->driver, info->name, info->driver, w->count);
    int status = open_chooser(&t, &error);
    if (status == 0)
        status = gzk_ways_again(w, &options->config, info, &t.ways, &error);
    status = status == 0 ? tune(&t, -1) : gzk_complain(&error);
    if (status == CLI_DONE)
        options->config = gzk_ways_best(&t.ways)->config;
    gzk_ways_free(&t.ways);
    return status;
}
