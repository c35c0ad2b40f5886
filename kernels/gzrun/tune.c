/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune.h"

#include "common.h"
#include "compile_ahead.h"
#include "data.h"
#include "defaults.h"
#include "files.h"
#include "interrupt.h"
#include "modelled.h"
#include "numbers.h"
#include "progress.h"
#include "si.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Candidates that are looked for, of which the device may refuse some; and tries of one: the first,
 * and up to four rounds among the best. */
enum { ROOM = 1000, MOST_TRIES = 5 };

/* A try takes this long at most unless --budget says otherwise, and a run that takes so long is the
 * only one of its try. */
static const double try_s = 0.5, long_run_s = 0.25;

/* Beyond this share of runs whose prediction is off by a factor of 1.6, the device's calibration is
 * no good. */
static const double too_many = 0.5;

struct candidate {
    gz_candidate predicted; /* its time NaN: without a prediction */
    struct gzk_config config;
    bool compiled; /* or being compiled by another process */
    int tries;
    double each[MOST_TRIES], seconds_per_loop, spread; /* if measured: lower quartile, largest */
    char *failed;                                      /* why it did */
};

struct tuning {
    const struct gzk_where *where;
    const struct gzk_options *options;
    gz_device device; /* as the model has it */
    gz_model model;   /* that predicts, and why it does */
    gz_error why, unpredicted[GZ_VARIANT_CAPACITY], completed[GZ_VARIANT_CAPACITY];
    gz_app app;
    struct candidate *candidates;
    size_t count, *measured, runs; /* `measured`: numbers of the candidates, in order */
    bool out_of_time;
    double gain; /* expected of one more run */
    gz_tuner_result best;
    /* While measuring. */
    gz_tuner *tuner;
    struct gzk_data data;
    struct gzk_session *session;
    void *state, *reference; /* of --verify */
};

/* The variants that were given; 0: all that there are. */
static unsigned variants_of(const struct gzk_options *options)
{
    unsigned variants = 0;
    for (int k = 0; k < options->space.variant_count; k++) {
        int variant = gz_by_name(GZ_VARIANTS, gzk_variants[options->space.variants[k]].name);
        variants |= variant >= 0 ? 1U << variant : 0;
    }
    return variants;
}

static gz_tune_request request_of(const struct gzk_options *options,
                                  const struct gzk_device_info *info)
{
    const struct gzk_config *config = &options->config;
    gz_tune_request request = {.model = options->model,
                               .variants = variants_of(options),
                               .loops = (double)config->loops,
                               .limits = {.shared_bytes = (double)info->local_bytes,
                                          .height_max = (double)config->loops,
                                          .arrays_held = gzk_arrays_held(config->stencil)}};
    for (int i = 0; i < config->stencil->dimensions; i++)
        request.data_length[i] = config->size[i];
    for (int k = 0; k < options->space.sync_count; k++)
        request.syncs |= 1U << options->space.syncs[k];
    return request;
}

static const char *generic_name(const struct tuning *t)
{
    const struct gzk_device_info *info = &t->where->device->info;
    return t->where->described ? info->is_cpu ? "generic-cpu" : "generic-gpu"
                               : gzk_builtin_name(info, info->is_cpu);
}

/* Which model the candidates are predicted by, and why. */
static void set_model(struct tuning *t, const gz_candidate *first, const gz_error *lacks)
{
    gz_config asked = first->config;
    t->model = asked.model;
    asked.model = t->options->model;
    if (!t->where->described)
        snprintf(t->why.text, sizeof t->why.text,
                 "by the built-in file %s, since the device is not calibrated", generic_name(t));
    else if (lacks)
        snprintf(t->why.text, sizeof t->why.text, "completed by the built-in file %s, since %.400s",
                 generic_name(t), lacks->text);
    else
        gz_model_for(&t->device, &t->app, &asked, &t->why);
}

/* A stencil that is not calibrated, by what it reads. */
static void describe_app(struct tuning *t)
{
    const struct gzk_stencil *stencil = t->options->config.stencil;
    gzk_describe_uncounted(stencil, stencil->operations, &t->app);
}

/* Device and stencil as calibrated; without a file, a device of this kind. */
static gz_status open_files(struct tuning *t, gz_error *why)
{
    const struct gzk_stencil *stencil = t->options->config.stencil;
    const struct gzk_device_info *info = &t->where->device->info;
    if (!t->where->described) {
        describe_app(t);
        return gzk_generic_device(info, info->is_cpu, &t->device) ? GZ_OK : GZ_ENOMEM;
    }
    t->device = gzk_model_of(&t->where->model, t->where->device);
    gz_status status = gz_app_open(stencil->name, t->where->described, &t->app, why);
    /* On a CPU the counts of another device say less than what the stencil reads. */
    bool others = status == GZ_OK && info->is_cpu && t->options->model != GZ_MODEL_MENG2011 &&
                  !gz_profile_matches(&t->device, &t->app);
    if (status == GZ_EUNKNOWN || others) {
        describe_app(t);
        return GZ_OK;
    }
    if (status == GZ_OK && !gz_quantity_stated(&t->app.tile_reads))
        gzk_describe_reads(stencil, &t->app);
    return status;
}

/* Why a variant is not predicted; NULL if all are. */
static const gz_error *lacking(const gz_error unpredicted[GZ_VARIANT_CAPACITY])
{
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++)
        if (unpredicted[v].text[0])
            return &unpredicted[v];
    return NULL;
}

/* Looks for candidates by files of which what they lack is taken from the built-in file of such a
 * device: on kept tables of CPUs whose files lack streamed tiles, the tuner needs 8.0 runs so, 10.4
 * by the built-in file alone, and 8.9 without predictions of them. */
static gz_status complete(struct tuning *t, const gz_tune_request *request, gz_candidate *out,
                          size_t *found, gz_error *why)
{
    memcpy(t->completed, t->unpredicted, sizeof t->completed);
    if (!gzk_complete_device(&t->where->device->info, &t->device))
        return GZ_ENOMEM;
    return gz_ideas(&t->device, &t->app, request, out, ROOM, found, t->unpredicted, why);
}

/* Finds the candidates that the device can run. Returns an exit status; GZK_INVALID with `why` if
 * there is none. */
static int find_candidates(struct tuning *t, gz_error *why)
{
    const gz_tune_request request = request_of(t->options, &t->where->device->info);
    gz_candidate *out = calloc(ROOM, sizeof *out);
    size_t found = 0;

    t->candidates = calloc(ROOM, sizeof *t->candidates);
    t->measured = calloc(ROOM, sizeof *t->measured);
    gz_status status = out && t->candidates && t->measured ? open_files(t, why) : GZ_ENOMEM;
    if (!status)
        status = gz_ideas(&t->device, &t->app, &request, out, ROOM, &found, t->unpredicted, why);
    if (status != GZ_ENOMEM && request.model != GZ_MODEL_MENG2011 &&
        (status || lacking(t->unpredicted)))
        status = complete(t, &request, out, &found, why);
    if (!status)
        set_model(t, out, lacking(t->completed));
    for (size_t k = 0; k < found && !status; k++) {
        struct candidate *candidate = &t->candidates[t->count];
        *candidate = (struct candidate){.predicted = out[k], .config = t->options->config};
        t->count += gzk_from_model(&candidate->predicted, t->where->device, &candidate->config);
    }
    free(out);
    return status == GZ_ENOMEM ? GZK_FAILED : status ? GZK_INVALID : GZK_OK;
}

static void forget(struct tuning *t)
{
    for (size_t k = 0; k < t->count; k++)
        free(t->candidates[k].failed);
    free(t->candidates);
    free(t->measured);
}

/* ------------------------------------------------------------------------------------- measuring
 */

/* Compares what the last run left with the reference; a difference is a failure. */
static int verify(struct tuning *t, const struct gzk_config *config, struct gzk_error *error)
{
    struct gzk_serial serial = {config->stencil, &t->data, config->loops};
    struct gzk_comparison comparison;
    int status = gzk_session_read(t->session, t->state, error);
    if (status != 0)
        return status;
    gzk_compare(&serial, t->state, t->reference, config->contract, &comparison);
    return comparison.wrong == 0
               ? 0
               : gzk_fail(error, GZK_INVALID, "%zu of %zu elements differ from the reference",
                          comparison.wrong, gzk_state_elements(config->stencil, &t->data));
}

/* Compiles a new candidate, and the likely next ones beside it in other processes. Nothing is
 * measured meanwhile: on kept tables two at a time are 7 waits for compilers instead of 11,
 * four 4.5.
 */
static void compile(struct tuning *t, const gz_tuner_step *step)
{
    const struct gzk_device_info *info = &t->where->device->info;
    struct candidate *own = &t->candidates[step->candidate];
    struct gzk_config stage = own->config;
    struct gzk_error refused;
    double ignored;
    bool sent = false;
    if (own->compiled || !gzk_compiles_apart(t->where->device))
        return;
    own->compiled = true;
    for (size_t k = 0; k < step->ahead_count; k++) {
        struct candidate *next = &t->candidates[step->ahead[k]];
        if (!next->compiled &&
            gzk_compilers_send(t->where->compilers, info->address, &next->config))
            sent = next->compiled = true;
    }
    if (!sent)
        return;
    stage.loops = stage.height < stage.loops ? stage.height : stage.loops;
    gzk_session_run(t->session, &stage, &cli_interrupted, &ignored, &refused);
    gzk_compilers_wait(t->where->compilers);
}

/* One try of a candidate. What it cannot run, or does not in time, or wrongly, has failed. */
static int measure(struct tuning *t, size_t number, struct gzk_error *error)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct candidate *candidate = &t->candidates[number];
    struct gzk_effort effort = gzk_effort_of(t->options);
    gz_error why = {{0}};
    effort.brief = true;
    effort.long_s = long_run_s;
    effort.budget_s = t->options->budget_given ? effort.budget_s : try_s;
    if (candidate->tries == 0)
        t->measured[t->runs++] = number;
    int status = gzk_time_config(t->session, &candidate->config, &effort, &timing, error);
    if (status == 0 && t->options->verify && candidate->tries == 0)
        status = verify(t, &candidate->config, error);
    if (cli_interrupted)
        return status;
    if (status == 0) {
        double sorted[MOST_TRIES];
        size_t n = (size_t)++candidate->tries;
        candidate->each[n - 1] = timing.quartile[0];
        memcpy(sorted, candidate->each, sizeof sorted);
        cli_sort(sorted, n);
        candidate->seconds_per_loop = cli_tried(sorted, n);
        candidate->spread = fmax(candidate->spread, timing.spread);
    } else if (!candidate->failed) {
        candidate->failed = cli_text("%s", error->text);
    }
    /* What disturbs a run makes it longer, so that the faster half of the runs tells the time and
     * its scatter: a normal distribution's median and lower quartile are 0.674 deviations apart. */
    double time = status == 0 ? timing.quartile[0] : (double)NAN;
    double sd = status == 0 && time > 0 ? log(timing.seconds_per_loop / time) / 0.674 : 0;
    gz_status told = gz_tuner_tell(t->tuner, number, time, sd, &why);

    *error = (struct gzk_error){0};
    return told ? gzk_fail(error, GZK_FAILED, "%s", why.text) : 0;
}

static void show(const struct tuning *t, struct cli_progress *bar, const gz_tuner_step *step)
{
    const struct gzk_config *config = &t->candidates[step->candidate].config;
    gz_tuner_result best;
    char what[160], so_far[60] = "";
    if (gz_tuner_best(t->tuner, &best, NULL) == GZ_OK)
        snprintf(so_far, sizeof so_far, "best %s, gain %.1f %%: ", gzk_si(best.seconds, "s").text,
                 100 * step->gain);
    snprintf(what, sizeof what, "%s%s %s, height %d, %s", so_far,
             gzk_variants[config->variant].name,
             gzk_extents_text(config->block, config->stencil->dimensions).text, config->height,
             gz_name(GZ_SYNCS, config->sync));
    cli_progress_step(bar, 1, what);
}

/* Measures what the tuner asks for, until it knows or the time is over. */
static int measure_all(struct tuning *t, struct gzk_error *error)
{
    enum { EXPECTED = 14 };
    const struct gzk_options *options = t->options;
    double end_s = options->time_s > 0 ? cli_now() + options->time_s : HUGE_VAL;
    struct cli_progress bar;
    gz_tuner_step step;
    gz_error why = {{0}};
    int status = 0;
    cli_progress_start(&bar, EXPECTED, options->quiet);
    while (status == 0) {
        if (gz_tuner_next(t->tuner, &step, &why) != GZ_OK)
            status = gzk_fail(error, GZK_FAILED, "%s", why.text);
        if (status != 0 || step.known)
            break;
        t->gain = step.again ? t->gain : step.gain;
        t->out_of_time = t->runs > 0 && cli_now() >= end_s;
        if (t->out_of_time)
            break;
        show(t, &bar, &step);
        compile(t, &step);
        status = measure(t, step.candidate, error);
    }
    if (status == 0 && step.stop)
        t->gain = step.gain;
    cli_progress_end(&bar);
    return status;
}

static int start_tuner(struct tuning *t, struct gzk_error *error)
{
    const gz_tuner_request request = {.gain = t->options->gain, .most = (size_t)t->options->top};
    gz_candidate *all = calloc(t->count, sizeof *all);
    gz_error why = {{0}};
    gz_status status = all ? GZ_OK : GZ_ENOMEM;
    for (size_t k = 0; all && k < t->count; k++)
        all[k] = t->candidates[k].predicted;
    if (all)
        status = gz_tuner_new(&t->device, &t->app, all, t->count, &request, &t->tuner, &why);
    free(all);
    return status ? gzk_fail(error, GZK_FAILED, "%s", all ? why.text : "out of host memory") : 0;
}

static int start_reference(struct tuning *t, struct gzk_error *error)
{
    const struct gzk_config *config = &t->options->config;
    struct gzk_serial serial = {config->stencil, &t->data, config->loops};
    size_t bytes = gzk_state_bytes(config->stencil, &t->data);
    if (!t->options->verify)
        return 0;
    gzk_show(t->options, "computing the serial reference");
    t->state = malloc(bytes);
    t->reference = malloc(bytes);
    return t->state && t->reference
               ? gzk_reference_run(&serial, t->reference, &cli_interrupted, error)
               : gzk_fail(error, GZK_FAILED, "out of host memory for the serial reference");
}

/* Finds the fastest by measurement. Returns an exit status. */
static int tune(struct tuning *t)
{
    const struct gzk_config *config = &t->options->config;
    struct gzk_error error = {0};
    int status =
        gzk_make_data(t->options, &t->where->device->info, t->options->verify ? 3 : 1, &t->data);

    if (status != CLI_DONE)
        return status;
    status = start_reference(t, &error);
    gzk_show(t->options, "");
    if (status == 0)
        status = start_tuner(t, &error);
    if (status == 0)
        status = gzk_session_new(t->where->device, config->stencil, &t->data, &t->session, &error);
    if (status == 0)
        status = measure_all(t, &error);
    if (status == 0 && gz_tuner_best(t->tuner, &t->best, NULL) != GZ_OK)
        status = gzk_fail(&error, GZK_FAILED,
                          "--tune: none of the %zu candidates that were tried runs: %s", t->runs,
                          t->candidates[t->measured[0]].failed);
    gz_tuner_free(t->tuner);
    gzk_session_free(t->session);
    gzk_data_free(&t->data);
    free(t->state);
    free(t->reference);
    return status == 0 ? CLI_DONE : gzk_complain(&error);
}

/* -------------------------------------------------------------------------------------- results */

struct phrase {
    char text[160];
};

/* How far the prediction is from what was measured: in percent, or as a factor from 2 on. */
static struct phrase missed(const struct candidate *candidate)
{
    struct phrase m = {"none"};
    double ratio = candidate->predicted.seconds_per_loop / candidate->seconds_per_loop;
    double factor = ratio < 1 ? 1 / ratio : ratio;
    const char *way = ratio < 1 ? "fast" : "slow";
    if (factor >= 2)
        snprintf(m.text, sizeof m.text, "%.*f times too %s", factor < 10 ? 1 : 0, factor, way);
    else if (!isnan(factor))
        snprintf(m.text, sizeof m.text, "%.0f %% too %s", 100 * fabs(ratio - 1), way);
    return m;
}

/* Why no more was measured. */
static struct phrase why_stopped(const struct tuning *t)
{
    struct phrase p;
    double least = t->options->gain > 0 ? t->options->gain : 0.005, gain = 100 * t->gain;
    if (t->out_of_time)
        snprintf(p.text, sizeof p.text,
                 "the time is over: one more run is expected to gain %.2g %%", gain);
    else if (t->best.stop == GZ_TUNER_KNOWN)
        snprintf(p.text, sizeof p.text, "no further run is expected to gain %.2g %%", 100 * least);
    else if (t->best.stop == GZ_TUNER_MOST)
        snprintf(p.text, sizeof p.text,
                 "as many as were to be measured: one more is expected to gain %.2g %%", gain);
    else
        snprintf(p.text, sizeof p.text, "all %zu candidates were measured", t->count);
    return p;
}

static void write_row(const struct tuning *t, size_t number, FILE *to)
{
    const struct candidate *c = &t->candidates[number];
    int dimensions = c->config.stencil->dimensions;
    bool predicted = !isnan(c->predicted.seconds_per_loop);
    fprintf(to, "%c %-14s %-12s %6d  %-8s %-10s %12s", number == t->best.candidate ? '*' : ' ',
            gzk_extents_text(c->config.block, dimensions).text,
            gzk_extents_text(c->config.threads, dimensions).text, c->config.height,
            gz_name(GZ_SYNCS, c->config.sync), gzk_variants[c->config.variant].name,
            predicted ? gzk_si(c->predicted.seconds_per_loop, "s").text : "-");
    if (c->failed)
        fprintf(to, " %12s %8s  %s\n", "failed", "", c->failed);
    else
        fprintf(to, " %12s %7.1f%%  %s\n", gzk_si(c->seconds_per_loop, "s").text, 100 * c->spread,
                missed(c).text);
}

static int write_text(const void *of, FILE *to)
{
    const struct tuning *t = of;
    const struct gzk_config *config = &t->options->config;
    const struct gzk_device_info *info = &t->where->device->info;
    int dimensions = config->stencil->dimensions;
    const struct candidate *best = &t->candidates[t->best.candidate],
                           *first = &t->candidates[t->measured[0]];

    fprintf(to, "%s on %s, %s\nsize %s, %ld loops\nmodel %s: %s\n\n", config->stencil->name,
            info->address, info->name, gzk_extents_text(config->size, dimensions).text,
            config->loops, gz_name(GZ_MODELS, t->model), t->why.text);
    fprintf(to, "  %-14s %-12s %6s  %-8s %-10s %12s %12s %8s  %s\n", "block", "threads", "height",
            "sync", "variant", "predicted", "measured", "spread", "predicted is");
    for (size_t k = 0; k < t->runs; k++)
        write_row(t, t->measured[k], to);
    fprintf(to, "\nbest: block %s, height %d, %s, %s: %s a loop (%s to %s)\n",
            gzk_extents_text(best->config.block, dimensions).text, best->config.height,
            gz_name(GZ_SYNCS, best->config.sync), gzk_variants[best->config.variant].name,
            gzk_si(t->best.seconds, "s").text, gzk_si(t->best.interval[0], "s").text,
            gzk_si(t->best.interval[1], "s").text);
    if (t->best.tied > 0)
        fprintf(to, "a tie: %zu other%s no slower within the noise\n", t->best.tied,
                t->best.tied > 1 ? "s are" : " is");
    if (first != best && !first->failed)
        fprintf(to, "the model's own first choice takes %.3g times as long\n",
                first->seconds_per_loop / t->best.seconds);
    fprintf(to, "%zu measured of %zu: %s\n", t->runs, t->count, why_stopped(t).text);
    return 0;
}

static json_t *candidate_object(const struct candidate *c, int dimensions)
{
    const double *interval = c->predicted.interval;
    json_t *object = json_pack(
        "{s:o, s:o, s:i, s:s, s:s}", "block", gzk_extents_json(c->config.block, dimensions),
        "threads", gzk_extents_json(c->config.threads, dimensions), "height", c->config.height,
        "sync", gz_name(GZ_SYNCS, c->config.sync), "variant", gzk_variants[c->config.variant].name);
    if (object && !isnan(c->predicted.seconds_per_loop)) {
        json_object_set_new(object, "seconds_per_loop", json_real(c->predicted.seconds_per_loop));
        json_object_set_new(object, "interval", json_pack("[f, f]", interval[0], interval[1]));
    }
    if (object && c->failed) {
        json_object_set_new(object, "failed", json_string(c->failed));
    } else if (object) {
        json_object_set_new(object, "measured_seconds_per_loop", json_real(c->seconds_per_loop));
        json_object_set_new(object, "spread", json_real(c->spread));
    }
    return object;
}

static int write_json(const void *of, FILE *to)
{
    const struct tuning *t = of;
    const struct gzk_config *config = &t->options->config;
    const struct gzk_device_info *info = &t->where->device->info;
    int dimensions = config->stencil->dimensions;
    json_t *candidates = json_array();

    for (size_t k = 0; k < t->runs; k++)
        json_array_append_new(candidates,
                              candidate_object(&t->candidates[t->measured[k]], dimensions));
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:o, s:o, s:f, s:s, s:i}",
                  "app", config->stencil->name, "stencil", gzk_stencil_mark(config->stencil).text,
                  "device", info->address, "device_name", info->name, "driver", info->driver,
                  "device_file", t->where->described ? t->where->described : generic_name(t),
                  "model", gz_name(GZ_MODELS, t->model), "why", t->why.text, "size",
                  gzk_extents_json(config->size, dimensions), "loops", (json_int_t)config->loops,
                  "candidates", candidates, "best",
                  candidate_object(&t->candidates[t->best.candidate], dimensions), "expected_gain",
                  t->gain, "stopped", why_stopped(t).text, "tied", (int)t->best.tied);
    if (object && !gz_profile_matches(&t->device, &t->app))
        json_object_set_new(object, "profile_device", json_string(t->app.profile_device));
    int bad = !object || json_dumpf(object, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    putc('\n', to);
    return bad;
}

static void warn_of_profile(const struct tuning *t)
{
    if (!gz_profile_matches(&t->device, &t->app))
        fprintf(stderr, "gzrun: the instruction counts of %s are those of %s, not of %s\n",
                t->app.name, t->app.profile_device, t->device.name);
}

/* What was predicted by another file's help, and what the model cannot predict and is measured all
 * the same. */
static void warn_of_unpredicted(const struct tuning *t)
{
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++) {
        const char *name = gz_name(GZ_VARIANTS, v);
        bool any = false;
        for (size_t k = 0; k < t->count; k++)
            any = any || (int)t->candidates[k].predicted.config.variant == v;
        if (t->unpredicted[v].text[0])
            cli_fail(0, "variant %s is %s: %s", name,
                     any ? "measured without a prediction" : "left out", t->unpredicted[v].text);
        else if (t->completed[v].text[0])
            cli_fail(0, "variant %s is predicted with the help of the built-in file %s: %s", name,
                     generic_name(t), t->completed[v].text);
    }
}

static void warn_of_calibration(const struct tuning *t)
{
    if ((double)t->best.far_off > too_many * (double)t->best.predicted && t->best.predicted > 1)
        cli_fail(0, "%zu of %zu predictions are off by a factor of 1.6 or more: %s",
                 t->best.far_off, t->best.predicted,
                 t->where->described
                     ? "calibrate this device again (gz-calibrate)"
                     : "something else uses the device, or it is unlike others of its kind");
}

/* Whether a model describes one of the variants that were given, so that `--model` means something.
 */
int gzk_tune_check(const struct gzk_options *options)
{
    gz_error why = {0}, error;

    for (int k = 0; options->model != GZ_MODEL_AUTO && k < options->space.variant_count; k++) {
        int variant = gz_by_name(GZ_VARIANTS, gzk_variants[options->space.variants[k]].name);
        if (variant < 0 ||
            gz_model_describes(options->model, (gz_variant)variant, &error) != GZ_EMODEL)
            return CLI_DONE;
        if (!why.text[0])
            why = error;
    }
    return why.text[0] ? cli_fail(CLI_BAD_INPUT, "--tune: %s", why.text) : CLI_DONE;
}

int gzk_tune(const struct gzk_where *where, const struct gzk_options *options)
{
    struct tuning t = {.where = where, .options = options};
    gz_error why = {0};

    gzk_show(options, "evaluating the model");
    int status = find_candidates(&t, &why);
    gzk_show(options, "");
    if (status != 0)
        status =
            cli_fail(status, "--tune: %s", status == GZK_INVALID ? why.text : "out of host memory");
    else if (t.count == 0)
        status = cli_fail(CLI_FAILED, "--tune: the device cannot run any of the candidates");
    if (status == CLI_DONE && !options->quiet) {
        warn_of_profile(&t);
        warn_of_unpredicted(&t);
    }
    if (status == CLI_DONE)
        status = tune(&t);
    if (status == CLI_DONE && !options->quiet)
        warn_of_calibration(&t);
    if (status == CLI_DONE)
        status = gzk_write_whole(options->result, options->json ? write_json : write_text, &t);
    forget(&t);
    return status;
}

bool gzk_leaves_open(const struct gzk_where *where, const struct gzk_options *options)
{
    /* A variant that is given has tiles of its own where the device is not described. */
    bool variant = where->described
                       ? gz_by_name(GZ_VARIANTS, gzk_variants[options->config.variant].name) >= 0
                       : options->space.variant_count == 0;
    return variant && !options->block_given && !options->height_given && !options->threads_given &&
           options->piece == 0 && !options->adaptive;
}

bool gzk_choose(const struct gzk_where *where, struct gzk_options *options)
{
    struct tuning t = {.where = where, .options = options};
    gz_error why;
    bool chosen = find_candidates(&t, &why) == 0 && t.count > 0 &&
                  !isnan(t.candidates[0].predicted.seconds_per_loop);
    if (chosen) {
        const struct candidate *best = &t.candidates[0];
        options->config = best->config;
        if (!options->quiet) {
            warn_of_profile(&t);
            fprintf(stderr,
                    "gzrun: chose block %s, height %d, %s, %s: predicted %s a loop (%s)\n"
                    "gzrun: model %s: %s\n",
                    gzk_extents_text(best->config.block, options->config.stencil->dimensions).text,
                    best->config.height, gz_name(GZ_SYNCS, best->config.sync),
                    gzk_variants[best->config.variant].name,
                    gzk_si(best->predicted.seconds_per_loop, "s").text, t.device.name,
                    gz_name(GZ_MODELS, t.model), t.why.text);
        }
    }
    forget(&t);
    return chosen;
}

/* The ways of a plan, whose times are what is expected. */
static int take_wisdom(struct tuning *t)
{
    const struct gzk_wisdom *w = &t->options->wisdom;
    t->candidates = calloc(GZK_MOST_WISE, sizeof *t->candidates);
    t->measured = calloc(GZK_MOST_WISE, sizeof *t->measured);
    if (!t->candidates || !t->measured)
        return cli_fail(CLI_FAILED, "out of host memory");
    gzk_stencil_describe(t->options->config.stencil, &t->app);
    for (int k = 0; k < w->count; k++) {
        struct candidate *c = &t->candidates[t->count++];
        *c = (struct candidate){.config = t->options->config};
        gzk_wisdom_apply(&w->best[k], &c->config);
        gzk_default_layout(&c->config, &t->where->device->info);
        gzk_to_model(&c->config, GZ_MODEL_GZ2, &c->predicted.config);
        c->predicted.height = c->config.height;
        c->predicted.seconds_per_loop = w->best[k].seconds_per_loop;
    }
    return CLI_DONE;
}

int gzk_tune_again(const struct gzk_where *where, struct gzk_options *options)
{
    const struct gzk_device_info *info = &where->device->info;
    const struct gzk_wisdom *w = &options->wisdom;
    struct tuning t = {.where = where, .options = options};

    if (gzk_wisdom_is_of(w, info))
        return CLI_DONE;
    if (!options->quiet)
        fprintf(stderr,
                "gzrun: %s was made for %s (%s), not for %s (%s): measuring its best %d again\n",
                options->plan, w->device, w->driver, info->name, info->driver, w->count);
    options->gain = -1;
    int status = take_wisdom(&t);
    if (status == CLI_DONE)
        status = tune(&t);
    if (status == CLI_DONE)
        options->config = t.candidates[t.best.candidate].config;
    forget(&t);
    return status;
}
