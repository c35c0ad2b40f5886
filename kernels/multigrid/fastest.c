/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fastest.h"

#include "data.h"
#include "expected.h"
#include "numbers.h"
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tries of a way: the first, and up to four rounds among the best. */
enum { ROOM = 300, MOST_TRIES = 5 };

/* A try takes this long at most, and a visit that takes so long is the only one of its try. */
static const double try_s = 0.2, long_s = 0.1;
/* Of a cycle's time: the gain for which one more run is not worth it. */
static const double least_gain = 0.005;

/* A level's candidates. */
struct search {
    struct gzk_device *device;
    struct gzm *mg;
    int level;
    const volatile sig_atomic_t *stop;
    struct gzm_ideas ideas;
    gz_tuner *tuner;
    struct gzm_level_tuning *out;
    size_t number[GZM_MOST_TRIED]; /* of what was tried */
    double each[GZM_MOST_TRIED][MOST_TRIES];
};

static int run_visit(void *of, const volatile sig_atomic_t *stop, double *seconds,
                     struct gzk_error *error)
{
    const struct search *s = of;
    double begin = cli_now();
    (void)stop; /* the levels have their own */
    int status = gzm_visit(s->mg, s->level, error);
    *seconds = cli_now() - begin;
    return status;
}

/* The place of a candidate among those that were tried; a new one if it was not. */
static int place_of(struct search *s, size_t candidate)
{
    struct gzm_level_tuning *out = s->out;
    int k = 0;
    while (k < out->count && s->number[k] != candidate)
        k++;
    if (k == out->count) {
        s->number[out->count++] = candidate;
        out->tried[k] =
            (struct gzm_tried){.config = s->ideas.config[candidate],
                               .predicted_s = s->ideas.found[candidate].seconds_per_loop};
    }
    return k;
}

static void keep(struct search *s, size_t candidate, const struct gzk_timing *timing)
{
    int k = place_of(s, candidate);
    struct gzm_tried *tried = &s->out->tried[k];
    double sorted[MOST_TRIES];

    s->each[k][tried->tries++] = timing->quartile[0];
    memcpy(sorted, s->each[k], sizeof sorted);
    cli_sort(sorted, (size_t)tried->tries);
    tried->seconds = cli_tried(sorted, (size_t)tried->tries);
    tried->spread = fmax(tried->spread, timing->spread);
}

/* One try; a way that fails is told to the tuner as such. */
static int try(struct search *s, size_t candidate, struct gzk_error *error)
{
    const struct gzk_config *config = &s->ideas.config[candidate];
    const struct gzm_way way = gzm_way_of(config);
    const struct gzk_effort effort = {.budget_s = try_s, .long_s = long_s, .stop = s->stop};
    struct gzk_timing timing;
    gz_error why;

    int status = gzm_set_way(s->mg, s->level, &way, error);
    if (status == 0)
        status = gzk_time_runs(run_visit, s, config->loops, &effort, &timing, error);
    if (*s->stop)
        return status;
    double time = status == 0 ? timing.quartile[0] : (double)NAN;
    /* As gzrun has it: the median and the lower quartile are 0.674 deviations apart. */
    double sd = status == 0 ? log(timing.seconds_per_loop / time) / 0.674 : 0;
    if (status == 0)
        keep(s, candidate, &timing);
    else
        s->out->failed++;
    *error = (struct gzk_error){0};
    return gz_tuner_tell(s->tuner, candidate, time, sd, &why)
               ? gzk_fail(error, GZK_FAILED, "%s", why.text)
               : 0;
}

/* Tries what the tuner asks for, the model's own choice first. */
static int try_all(struct search *s, struct gzm_tuning *t, struct gzk_error *error)
{
    gz_tuner_step step = {.candidate = 0};
    gz_tuner_result best;
    gz_error why;
    int status = 0;

    while (status == 0 && !step.known) {
        double done = fmin((double)s->out->count / t->most, 1);
        if (t->show)
            t->show(t->of, (s->level + done) / t->levels, &s->ideas.config[step.candidate]);
        status = try(s, step.candidate, error);
        if (status == 0 && gz_tuner_next(s->tuner, &step, &why) != GZ_OK)
            status = gzk_fail(error, GZK_FAILED, "%s", why.text);
    }
    if (status == 0 && gz_tuner_best(s->tuner, &best, &why) != GZ_OK)
        status = gzk_fail(error, GZK_FAILED, "none of the ways that were tried runs on level %d",
                          s->level + 1);
    if (status == 0)
        s->out->best = place_of(s, best.candidate);
    return status;
}

/* Finds the fastest way of a level, which takes `share` of a cycle's time. */
static int tune_level(struct search *s, struct gzm_way *way, double share, struct gzm_tuning *t,
                      struct gzk_error *error)
{
    const gz_tuner_request request = {.gain = least_gain / share, .most = (size_t)t->most};
    struct gzm_level_report report;
    gz_error why;

    gzm_report(s->mg, s->level, &report);
    struct gzk_config config = {.stencil = report.config.stencil,
                                .sync = GZ_SYNC_RESTART,
                                .height = 1,
                                .loops = report.config.loops};
    memcpy(config.size, report.size, sizeof config.size);
    int status = gzm_ideas_new(s->device, way, &config, ROOM, &s->ideas, error);
    if (status == 0 && gz_tuner_new(&s->ideas.device, &s->ideas.app, s->ideas.found, s->ideas.count,
                                    &request, &s->tuner, &why) != GZ_OK)
        status = gzk_fail(error, GZK_FAILED, "%s", why.text);
    s->out->candidates = (int)s->ideas.count;
    if (status == 0)
        status = try_all(s, t, error);
    if (status == 0)
        *way = gzm_way_of(&s->out->tried[s->out->best].config);
    gz_tuner_free(s->tuner);
    gzm_ideas_free(&s->ideas);
    return status;
}

/* A level's share of a cycle by the model; 1 if it says nothing. */
static double share_of(const gz_vcycle_time *time, int k)
{
    double sum = 0;
    for (int part = 0; part < GZ_PART_COUNT && k < time->levels; part++)
        sum += time->level[k].seconds[part];
    return sum > 0 ? sum / time->seconds : 1;
}

/* Levels with data of the problem, so that what is timed is what cycles do. */
static int open_levels(struct gzk_device *device, const struct gzm_setup *setup, const void *f,
                       const void *beta, struct gzm **mg, struct gzk_error *error)
{
    *mg = NULL;
    int status = gzm_open(device, setup, beta, mg, error);
    if (status == 0)
        status = gzm_put(*mg, f, NULL, error);
    return status == 0 ? gzm_cycle(*mg, GZM_V, error) : status;
}

int gzm_tune(struct gzk_device *device, enum gzm_cycle cycle, struct gzm_setup *setup,
             const void *f, const void *beta, struct gzm_tuning *tuning, struct gzk_error *error)
{
    static const volatile sig_atomic_t never;
    int sizes[GZM_MAX_LEVELS][3], status = 0;
    bool on_host[GZM_MAX_LEVELS];
    double begin = cli_now();
    gz_vcycle_time time;
    struct gzm *mg = NULL;

    gzm_sizes(setup, device != NULL, sizes, on_host);
    for (tuning->levels = 0; !on_host[tuning->levels];)
        tuning->levels++;
    if (tuning->levels == 0)
        return gzk_fail(error, GZK_INVALID, "all levels are computed on the host: nothing to tune");
    status = gzm_expect(device, cycle, setup, 0, &time, error);
    if (status == 0)
        status = open_levels(device, setup, f, beta, &mg, error);
    for (int k = 0; k < tuning->levels && status == 0; k++) {
        struct search s = {.device = device,
                           .mg = mg,
                           .level = k,
                           .stop = setup->stop ? setup->stop : &never,
                           .out = &tuning->level[k]};
        *s.out = (struct gzm_level_tuning){.count = 0};
        status = tune_level(&s, &setup->way[k], share_of(&time, k), tuning, error);
    }
    gzm_close(mg);
    tuning->seconds = cli_now() - begin;
    return status;
}
