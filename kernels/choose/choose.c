/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "choose.h"

#include "data.h"
#include "defaults.h"
#include "files.h"
#include "modelled.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------- files */

static int fail(struct gzk_error *error, gz_status status, const gz_error *why)
{
    return gzk_fail(error, status == GZ_ENOMEM ? GZK_FAILED : GZK_INVALID, "%s",
                    status == GZ_ENOMEM ? "out of host memory" : why->text);
}

/* The stencil's counts; of one without a reference nobody took any. */
static gz_status open_app(struct gzk_chooser *c, gz_model asked, gz_error *why)
{
    gz_status status = c->described && c->stencil->reference
                           ? gz_app_open(c->stencil->name, c->file, &c->app, why)
                           : GZ_EUNKNOWN;
    /* On a CPU the counts of another device say less than what the stencil reads. */
    bool others = status == GZ_OK && c->device->info.is_cpu && asked != GZ_MODEL_MENG2011 &&
                  !gz_profile_matches(&c->model, &c->app);
    if (status == GZ_EUNKNOWN || others) {
        gzk_describe_uncounted(c->stencil, c->stencil->operations, &c->app);
        return GZ_OK;
    }
    if (status == GZ_OK && !gz_quantity_stated(&c->app.tile_reads))
        gzk_describe_reads(c->stencil, &c->app);
    return status;
}

int gzk_chooser_open(struct gzk_chooser *c, const struct gzk_device *device,
                     const struct gzk_stencil *stencil, const char *file, const gz_device *model,
                     gz_model asked, struct gzk_error *error)
{
    const struct gzk_device_info *info = &device->info;
    gz_error why = {{0}};

    *c = (struct gzk_chooser){.device = device, .stencil = stencil, .described = file != NULL};
    c->builtin = !file          ? gzk_builtin_name(info, info->is_cpu)
                 : info->is_cpu ? "generic-cpu"
                                : "generic-gpu";
    c->file = file ? file : c->builtin;
    if (file)
        c->model = gzk_model_of(model, device);
    else if (!gzk_generic_device(info, info->is_cpu, &c->model))
        return fail(error, GZ_ENOMEM, NULL);
    gz_status status = open_app(c, asked, &why);
    return status ? fail(error, status, &why) : 0;
}

int gzk_chooser_complete(struct gzk_chooser *c, struct gzk_error *error)
{
    return gzk_complete_device(&c->device->info, &c->model) ? 0 : fail(error, GZ_ENOMEM, NULL);
}

/* ---------------------------------------------------------------------------------- searching */

gz_tune_request gzk_chooser_request(const struct gzk_chooser *c, const struct gzk_config *run,
                                    const struct gzk_given *given)
{
    gz_tune_request request = gzk_request(run, given);
    request.loops = (double)run->loops;
    request.limits.shared_bytes = c->device ? (double)c->device->info.local_bytes : 0;
    if (given->height[1] == 0)
        request.limits.height_max = request.loops;
    return request;
}

/* Which model the candidates are predicted by, and why. */
static void say_model(struct gzk_chooser *c, const gz_tune_request *request,
                      const gz_candidate *first, const gz_error *lacks)
{
    gz_config asked = gz_config_of(request, first);
    c->by = first->model;
    asked.model = request->model;
    if (c->device && !c->described)
        snprintf(c->why.text, sizeof c->why.text,
                 "by the built-in file %s, since the device is not calibrated", c->builtin);
    else if (lacks)
        snprintf(c->why.text, sizeof c->why.text, "completed by the built-in file %s, since %.400s",
                 c->builtin, lacks->text);
    else
        gz_model_for(&c->model, &c->app, &asked, &c->why);
}

/* The first reason; NULL if there is none. */
static const gz_error *first_of(const gz_error why[GZ_VARIANT_CAPACITY])
{
    for (int v = 0; v < GZ_VARIANT_CAPACITY; v++)
        if (why[v].text[0])
            return &why[v];
    return NULL;
}

static gz_status search(struct gzk_chooser *c, const struct gzk_config *run,
                        const gz_tune_request *request, bool ideas, gz_candidate *out, size_t room,
                        size_t *found, gz_error *why)
{
    return ideas && !run->ending
               ? gz_ideas(&c->model, &c->app, request, out, room, found, c->unpredicted, why)
               : gzk_search_tiles(&c->model, &c->app, request, run, out, room, found, why);
}

int gzk_chooser_search(struct gzk_chooser *c, const struct gzk_config *run,
                       const struct gzk_given *given, bool to_measure, gz_candidate *out,
                       size_t room, size_t *found, struct gzk_error *error)
{
    const gz_tune_request request = gzk_chooser_request(c, run, given);
    /* What else says which variants a file does not describe? */
    bool ideas = to_measure || c->described;
    gz_error why = {{0}};

    memset(c->lacking, 0, sizeof c->lacking);
    memset(c->unpredicted, 0, sizeof c->unpredicted);
    gz_status status = search(c, run, &request, ideas, out, room, found, &why);
    if (c->device && status != GZ_ENOMEM && request.model != GZ_MODEL_MENG2011 &&
        (status || first_of(c->unpredicted))) {
        memcpy(c->lacking, c->unpredicted, sizeof c->lacking);
        if (gzk_chooser_complete(c, error) != 0)
            return error->status;
        status = search(c, run, &request, ideas, out, room, found, &why);
    }
    if (status)
        return fail(error, status, &why);
    say_model(c, &request, out, first_of(c->lacking));
    return 0;
}

double gzk_predict(const struct gzk_chooser *c, const struct gzk_config *config)
{
    gz_config cfg;
    gz_prediction prediction;
    if (!c->device || !gzk_to_model(config, GZ_MODEL_AUTO, &cfg))
        return (double)NAN;
    cfg.beyond = 1;
    return gz_predict(&c->model, &c->app, &cfg, config->height, &prediction, NULL)
               ? (double)NAN
               : prediction.seconds_per_loop;
}

/* ---------------------------------------------------------------------------------------- ways */

int gzk_ways_new(size_t room, struct gzk_ways *ways, struct gzk_error *error)
{
    *ways = (struct gzk_ways){.way = calloc(room, sizeof *ways->way),
                              .measured = calloc(room, sizeof *ways->measured)};
    return ways->way && ways->measured ? 0 : fail(error, GZ_ENOMEM, NULL);
}

void gzk_ways_free(struct gzk_ways *ways)
{
    for (size_t k = 0; k < ways->count; k++)
        free(ways->way[k].failed);
    free(ways->way);
    free(ways->measured);
    *ways = (struct gzk_ways){.count = 0};
}

/* Those that the device runs; `predicted`: and whose time is. */
static int find(struct gzk_chooser *c, const struct gzk_config *run, const struct gzk_given *given,
                bool predicted, size_t room, struct gzk_ways *ways, struct gzk_error *error)
{
    gz_candidate *out = calloc(room, sizeof *out);
    size_t found = 0;
    int status = gzk_ways_new(room, ways, error);

    if (status == 0)
        status = out ? gzk_chooser_search(c, run, given, !predicted, out, room, &found, error)
                     : fail(error, GZ_ENOMEM, NULL);
    for (size_t k = 0; k < found && status == 0; k++) {
        struct gzk_way *way = &ways->way[ways->count];
        *way = (struct gzk_way){.predicted = out[k], .config = *run};
        ways->count += !(predicted && isnan(out[k].seconds_per_loop)) &&
                       gzk_from_model(&out[k], c->device, &way->config);
    }
    free(out);
    if (status == 0 && ways->count == 0)
        status =
            gzk_fail(error, predicted ? GZK_INVALID : GZK_FAILED,
                     "the device cannot run any of the %scandidates", predicted ? "model's " : "");
    return status;
}

int gzk_choose(struct gzk_chooser *c, const struct gzk_given *given, struct gzk_config *run,
               gz_candidate *predicted, struct gzk_error *error)
{
    enum { CANDIDATES = 64 };
    struct gzk_ways ways;
    int status = find(c, run, given, true, CANDIDATES, &ways, error);
    if (status == 0) {
        *run = ways.way[0].config;
        *predicted = ways.way[0].predicted;
    }
    gzk_ways_free(&ways);
    return status;
}

int gzk_ways_find(struct gzk_chooser *c, const struct gzk_config *run,
                  const struct gzk_given *given, size_t room, struct gzk_ways *ways,
                  struct gzk_error *error)
{
    return find(c, run, given, false, room, ways, error);
}

const struct gzk_way *gzk_ways_best(const struct gzk_ways *ways)
{
    return &ways->way[ways->best.candidate];
}

/* ----------------------------------------------------------------------------------- measuring */

/* Compiles a new way, and the likely next ones in other processes at the same time. Nothing is
 * measured meanwhile: on kept tables two at a time are 7 waits for compilers instead of 11, four
 * 4.5. */
static void compile(const struct gzk_chooser *c, struct gzk_ways *ways, const gz_tuner_step *step,
                    const struct gzk_measuring *m)
{
    struct gzk_way *own = &ways->way[step->candidate];
    bool sent = false;
    if (!m->compile || own->compiled || !gzk_compiles_apart(c->device))
        return;
    own->compiled = true;
    for (size_t k = 0; k < step->ahead_count; k++) {
        struct gzk_way *next = &ways->way[step->ahead[k]];
        if (!next->compiled &&
            gzk_compilers_send(m->compilers, c->device->info.address, &next->config))
            sent = next->compiled = true;
    }
    if (sent) {
        m->compile(m->of, &own->config);
        gzk_compilers_wait(m->compilers);
    }
}

static void keep(struct gzk_way *way, const struct gzk_timing *timing)
{
    double sorted[GZK_MOST_TRIES];
    size_t n = (size_t)++way->tries;
    way->each[n - 1] = timing->quartile[0];
    memcpy(sorted, way->each, sizeof sorted);
    cli_sort(sorted, n);
    way->seconds_per_loop = cli_tried(sorted, n);
    way->spread = fmax(way->spread, timing->spread);
}

/* One try of a way; the tuner gets its result. */
static int try(struct gzk_ways *ways, size_t number, gz_tuner *tuner, const struct gzk_measuring *m,
               struct gzk_error *error)
{
    struct gzk_timing timing;
    struct gzk_way *way = &ways->way[number];
    gz_error why = {{0}};

    if (way->tries == 0)
        ways->measured[ways->runs++] = number;
    int status = m->time(m->of, way, &timing, error);
    if (*m->stop) {
        ways->runs -= way->tries == 0;
        return 0;
    }
    if (status == 0)
        keep(way, &timing);
    else if (!way->failed)
        way->failed = cli_text("%s", error->text);
    /* Disturbances make a run longer, so the faster half of the runs gives the time and its
     * scatter: a normal distribution's median and lower quartile are 0.674 deviations apart. */
    double time = status == 0 && timing.quartile[0] > 0 ? timing.quartile[0] : (double)NAN;
    double sd = isnan(time) ? 0 : log(timing.seconds_per_loop / time) / 0.674;
    *error = (struct gzk_error){0};
    return gz_tuner_tell(tuner, number, time, sd, &why)
               ? gzk_fail(error, GZK_FAILED, "%s", why.text)
               : 0;
}

static gz_status start_tuner(const struct gzk_chooser *c, const struct gzk_ways *ways,
                             const gz_tuner_request *request, gz_tuner **tuner, gz_error *why)
{
    gz_candidate *all = calloc(ways->count, sizeof *all);
    for (size_t k = 0; all && k < ways->count; k++)
        all[k] = ways->way[k].predicted;
    gz_status status =
        all ? gz_tuner_new(&c->model, &c->app, all, ways->count, request, tuner, why) : GZ_ENOMEM;
    free(all);
    return status;
}

int gzk_ways_measure(const struct gzk_chooser *c, struct gzk_ways *ways,
                     const struct gzk_measuring *m, struct gzk_error *error)
{
    gz_tuner *tuner = NULL;
    gz_tuner_step step;
    gz_error why = {{0}};
    gz_status told = start_tuner(c, ways, &m->tuner, &tuner, &why);
    int status = told ? fail(error, told, &why) : 0;

    while (status == 0 && !ways->cut) {
        gz_tuner_result best;
        bool any = gz_tuner_best(tuner, &best, NULL) == GZ_OK;
        if (gz_tuner_next(tuner, &step, &why) != GZ_OK)
            status = gzk_fail(error, GZK_FAILED, "%s", why.text);
        if (status != 0)
            break;
        ways->gain = step.again && !step.stop ? ways->gain : step.gain;
        ways->cut =
            *m->stop || (!step.known && ways->runs > 0 && m->goes_on && !m->goes_on(m->of, ways));
        if (step.known || ways->cut)
            break;
        if (m->show)
            m->show(m->of, ways, &ways->way[step.candidate], any ? &best : NULL, step.gain);
        compile(c, ways, &step, m);
        status = try(ways, step.candidate, tuner, m, error);
    }
    if (status == 0 && gz_tuner_best(tuner, &ways->best, NULL) != GZ_OK)
        status = ways->runs == 0
                     ? gzk_fail(error, GZK_FAILED, "interrupted before a way was measured")
                     : gzk_fail(error, GZK_FAILED, "none of the %zu ways that were tried runs: %s",
                                ways->runs, ways->way[ways->measured[0]].failed);
    gz_tuner_free(tuner);
    return status;
}
