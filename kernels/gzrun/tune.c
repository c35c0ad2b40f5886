/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune.h"

#include "common.h"
#include "interrupt.h"
#include "modelled.h"
#include "progress.h"
#include "si.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many candidates are requested, of which the device may refuse some. */
enum { REQUESTED = 400 };

struct candidate {
    gz_candidate predicted;
    struct gzk_config config;
    bool measured;
    double seconds_per_loop, spread; /* if measured */
};

struct tuning {
    const struct gzk_where *where;
    const struct gzk_options *options;
    gz_model model; /* that ranks, and why it does */
    gz_error why;
    gz_app app;
    struct candidate *candidates;
    int count, best; /* `best`: the fastest of those measured */
};

/* The model's variants that were given; 0: all that the model describes. */
static unsigned variants_of(const struct gzk_options *options)
{
    unsigned variants = 0;
    for (int k = 0; k < options->space.variant_count; k++) {
        int variant = gz_by_name(GZ_VARIANTS, gzk_variants[options->space.variants[k]].name);
        variants |= variant >= 0 ? 1U << variant : 0;
    }
    return variants;
}

/* Whether one of the candidates before this differs from it by less than a tenth in each extent of
 * the block, and in nothing else: measuring both would teach little. */
static bool is_like_others(const struct tuning *t, const struct candidate *candidate)
{
    const struct gzk_config *mine = &candidate->config;
    for (const struct candidate *other = t->candidates; other < candidate; other++) {
        const struct gzk_config *its = &other->config;
        bool like = its->variant == mine->variant && its->sync == mine->sync;
        for (int i = 0; i < 3 && like; i++)
            like = abs(its->block[i] - mine->block[i]) < 0.1 * mine->block[i];
        if (like)
            return true;
    }
    return false;
}

/* The model of the candidates, and why. */
static void set_model(struct tuning *t, const gz_device *model, const gz_candidate *best)
{
    gz_config asked = best->config;
    t->model = asked.model;
    asked.model = t->options->model;
    gz_model_for(model, &t->app, &asked, &t->why);
}

/* Ranks by the model. Returns an exit status; GZK_INVALID with `why` if there is no candidate. */
static int rank(struct tuning *t, int most, gz_error *why)
{
    const struct gzk_config *config = &t->options->config;
    const struct gzk_device_info *info = &t->where->device->info;
    const gz_device model = gzk_model_of(&t->where->model, t->where->device);
    gz_tune_request request = {.model = t->options->model};
    gz_candidate *out = calloc(REQUESTED, sizeof *out);
    size_t found = 0;
    int status = GZK_OK;

    if (!out)
        return GZK_FAILED;
    for (int i = 0; i < config->stencil->dimensions; i++)
        request.data_length[i] = config->size[i];
    for (int k = 0; k < t->options->space.sync_count; k++)
        request.syncs |= 1U << t->options->space.syncs[k];
    request.variants = variants_of(t->options);
    request.loops = (double)config->loops;
    /* What the device holds at once: two states and the coefficient arrays. */
    request.limits.shared_bytes = (double)info->local_bytes;
    request.limits.height_max = (double)config->loops;
    request.limits.arrays_held = 2 + config->stencil->coefficient_arrays;
    if (gz_app_open(config->stencil->name, t->where->described, &t->app, why) != GZ_OK ||
        gz_tune(&model, &t->app, &request, out, REQUESTED, &found, why) != GZ_OK)
        status = GZK_INVALID;
    else
        set_model(t, &model, out);
    for (size_t k = 0; k < found && status == GZK_OK && t->count < most; k++) {
        struct candidate *candidate = &t->candidates[t->count];
        *candidate = (struct candidate){.predicted = out[k], .config = t->options->config};
        t->count += gzk_from_model(&candidate->predicted, t->where->device, &candidate->config) &&
                    !is_like_others(t, candidate);
    }
    free(out);
    return status;
}

/* ------------------------------------------------------------------------------------- measuring
 */

static int measure(struct tuning *t, struct gzk_session *session, struct candidate *candidate,
                   struct gzk_error *error)
{
    static struct gzk_timing timing; /* static for its thousand times */
    struct gzk_effort effort = gzk_effort_of(t->options);
    int status = gzk_time_config(session, &candidate->config, &effort, &timing, error);
    if (status == GZK_INVALID)
        return 0;
    if (status != 0)
        return status;
    candidate->measured = true;
    candidate->seconds_per_loop = timing.seconds_per_loop;
    candidate->spread = timing.spread;
    return 0;
}

static int measure_all(struct tuning *t)
{
    const struct gzk_config *config = &t->options->config;
    struct gzk_data data = {0};
    struct gzk_session *session = NULL;
    struct cli_progress bar;
    struct gzk_error error = {0};
    int status = gzk_make_data(t->options, &t->where->device->info, 1, &data);

    if (status != CLI_DONE)
        return status;
    gzk_show(t->options, "");
    status = gzk_session_new(t->where->device, config->stencil, &data, &session, &error);
    cli_progress_start(&bar, t->count, t->options->quiet);
    for (int k = 0; k < t->count && status == 0; k++) {
        struct candidate *candidate = &t->candidates[k];
        char what[100];
        snprintf(what, sizeof what, "block %s, height %d, %s, %s",
                 gzk_extents_text(candidate->config.block, config->stencil->dimensions).text,
                 candidate->config.height, gz_name(GZ_SYNCS, candidate->config.sync),
                 gzk_variants[candidate->config.variant].name);
        cli_progress_step(&bar, 1, what);
        status = measure(t, session, candidate, &error);
        if (candidate->measured &&
            (t->best < 0 || candidate->seconds_per_loop < t->candidates[t->best].seconds_per_loop))
            t->best = k;
    }
    cli_progress_end(&bar);
    gzk_session_free(session);
    gzk_data_free(&data);
    if (status == 0 && t->best < 0)
        return cli_fail(CLI_FAILED, "--tune: the device cannot run any of the %d candidates",
                        t->count);
    return status == 0 ? CLI_DONE : gzk_complain(&error);
}

/* -------------------------------------------------------------------------------------- results */

struct missed {
    char text[32];
};

/* How far the prediction is from what was measured: in percent, or as a factor from 2 on. */
static struct missed missed(const struct candidate *candidate)
{
    struct missed m;
    double ratio = candidate->predicted.seconds_per_loop / candidate->seconds_per_loop;
    double factor = ratio < 1 ? 1 / ratio : ratio;
    const char *way = ratio < 1 ? "fast" : "slow";
    if (factor >= 2)
        snprintf(m.text, sizeof m.text, "%.*f times too %s", factor < 10 ? 1 : 0, factor, way);
    else
        snprintf(m.text, sizeof m.text, "%.0f %% too %s", 100 * fabs(ratio - 1), way);
    return m;
}

static int write_text(const void *of, FILE *to)
{
    const struct tuning *t = of;
    const struct gzk_config *config = &t->options->config;
    const struct gzk_device_info *info = &t->where->device->info;
    int dimensions = config->stencil->dimensions;
    const struct candidate *best = &t->candidates[t->best], *first = &t->candidates[0];

    fprintf(to, "%s on %s, %s\nsize %s, %ld loops\nmodel %s: %s\n\n", config->stencil->name,
            info->address, info->name, gzk_extents_text(config->size, dimensions).text,
            config->loops, gz_name(GZ_MODELS, t->model), t->why.text);
    fprintf(to, "  %-14s %-12s %6s  %-8s %-10s %12s %12s %8s  %s\n", "block", "threads", "height",
            "sync", "variant", "predicted", "measured", "spread", "predicted is");
    for (int k = 0; k < t->count; k++) {
        const struct candidate *c = &t->candidates[k];
        fprintf(to, "%c %-14s %-12s %6d  %-8s %-10s %12s", k == t->best ? '*' : ' ',
                gzk_extents_text(c->config.block, dimensions).text,
                gzk_extents_text(c->config.threads, dimensions).text, c->config.height,
                gz_name(GZ_SYNCS, c->config.sync), gzk_variants[c->config.variant].name,
                gzk_si(c->predicted.seconds_per_loop, "s").text);
        if (c->measured)
            fprintf(to, " %12s %7.1f%%  %s\n", gzk_si(c->seconds_per_loop, "s").text,
                    100 * c->spread, missed(c).text);
        else
            fprintf(to, " %12s\n", "cannot run");
    }
    fprintf(to, "\nbest: block %s, height %d, %s, %s: %s a loop; predicted %s, %s\n",
            gzk_extents_text(best->config.block, dimensions).text, best->config.height,
            gz_name(GZ_SYNCS, best->config.sync), gzk_variants[best->config.variant].name,
            gzk_si(best->seconds_per_loop, "s").text,
            gzk_si(best->predicted.seconds_per_loop, "s").text, missed(best).text);
    if (t->best > 0 && first->measured)
        fprintf(to, "the model's own first choice takes %.3g times as long\n",
                first->seconds_per_loop / best->seconds_per_loop);
    return 0;
}

static json_t *extents(const int values[3], int dimensions)
{
    json_t *array = json_array();
    for (int i = 0; i < dimensions; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

static json_t *candidate_object(const struct candidate *c, int dimensions)
{
    const double *interval = c->predicted.interval;
    json_t *object = json_pack(
        "{s:o, s:o, s:i, s:s, s:s, s:f, s:[f, f]}", "block", extents(c->config.block, dimensions),
        "threads", extents(c->config.threads, dimensions), "height", c->config.height, "sync",
        gz_name(GZ_SYNCS, c->config.sync), "variant", gzk_variants[c->config.variant].name,
        "seconds_per_loop", c->predicted.seconds_per_loop, "interval", interval[0], interval[1]);
    if (object && c->measured) {
        json_object_set_new(object, "measured_seconds_per_loop", json_real(c->seconds_per_loop));
        json_object_set_new(object, "spread", json_real(c->spread));
    }
    return object;
}

static int write_json(const void *of, FILE *to)
{
    const struct tuning *t = of;
    const struct gzk_config *config = &t->options->config;
    int dimensions = config->stencil->dimensions;
    json_t *candidates = json_array();

    for (int k = 0; k < t->count; k++)
        json_array_append_new(candidates, candidate_object(&t->candidates[k], dimensions));
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:o, s:o}", "app", config->stencil->name, "device",
        t->where->device->info.address, "device_file", t->where->described, "model",
        gz_name(GZ_MODELS, t->model), "why", t->why.text, "size", extents(config->size, dimensions),
        "loops", (json_int_t)config->loops, "candidates", candidates, "best",
        candidate_object(&t->candidates[t->best], dimensions));
    if (object && !gz_profile_matches(&t->where->model, &t->app))
        json_object_set_new(object, "profile_device", json_string(t->app.profile_device));
    int bad = !object || json_dumpf(object, to, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0;
    json_decref(object);
    putc('\n', to);
    return bad;
}

static void warn_of_profile(const struct tuning *t)
{
    if (!gz_profile_matches(&t->where->model, &t->app))
        fprintf(stderr, "gzrun: the instruction counts of %s are those of %s, not of %s\n",
                t->app.name, t->app.profile_device, t->where->model.name);
}

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
    struct tuning t = {.where = where, .options = options, .best = -1};
    gz_error why = {0};
    int status = CLI_DONE;

    t.candidates = calloc((size_t)options->top, sizeof *t.candidates);
    if (!t.candidates)
        return cli_fail(CLI_FAILED, "out of host memory");
    gzk_show(options, "evaluating the model");
    status = rank(&t, options->top, &why);
    gzk_show(options, "");
    if (status != 0)
        status =
            cli_fail(status, "--tune: %s", status == GZK_INVALID ? why.text : "out of host memory");
    else if (t.count == 0)
        status =
            cli_fail(CLI_FAILED, "--tune: the device cannot run any of the model's candidates");
    if (status == CLI_DONE) {
        warn_of_profile(&t);
        status = measure_all(&t);
    }
    if (status == CLI_DONE)
        status = gzk_write_whole(options->result, options->json ? write_json : write_text, &t);
    free(t.candidates);
    return status;
}

bool gzk_choose(const struct gzk_where *where, struct gzk_options *options)
{
    struct candidate candidate = {0};
    struct tuning t = {.where = where, .options = options, .candidates = &candidate};
    gz_error why;

    if (rank(&t, 1, &why) != 0 || t.count == 0)
        return false;
    options->config = candidate.config;
    if (options->quiet)
        return true;
    warn_of_profile(&t);
    fprintf(stderr,
            "gzrun: chose block %s, height %d, %s, %s: predicted %s a loop (%s)\n"
            "gzrun: model %s: %s\n",
            gzk_extents_text(candidate.config.block, options->config.stencil->dimensions).text,
            candidate.config.height, gz_name(GZ_SYNCS, candidate.config.sync),
            gzk_variants[candidate.config.variant].name,
            gzk_si(candidate.predicted.seconds_per_loop, "s").text, where->model.name,
            gz_name(GZ_MODELS, t.model), t.why.text);
    return true;
}
