/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fastest.h"

#include "data.h"
#include "levels.h"
#include "numbers.h"

#include <math.h>

/* A try takes this long at most, and a visit that takes so long is the only one of its try. */
static const double try_s = 0.2, long_s = 0.1;
/* Of a cycle's time: the gain for which one more run is not worth it. */
static const double least_gain = 0.005;

/* A level's candidates. */
struct search {
    struct gzm *mg;
    int level;
    const volatile sig_atomic_t *stop;
    struct gzm_tuning *tuning;
};

static int run_visit(void *of, const volatile sig_atomic_t *stop, double *seconds,
                     struct gzk_error *error)
{
    const struct search *s = of;
    double begin = cli_now();
    (void)stop, (void)error; /* the levels have their own */
    int status = gzm_visit(s->mg, s->level);
    *seconds = cli_now() - begin;
    return status;
}

static int time_way(void *of, const struct gzk_way *way, struct gzk_timing *timing,
                    struct gzk_error *error)
{
    struct search *s = of;
    const struct gzm_way as = gzm_way_of(&way->config);
    const struct gzk_effort effort = {.budget_s = try_s, .long_s = long_s, .stop = s->stop};
    int status = gzm_set_way(s->mg, s->level, &as);
    return status == 0 ? gzk_time_runs(run_visit, s, way->config.loops, &effort, timing, error)
                       : status;
}

static void show(void *of, const struct gzk_ways *ways, const struct gzk_way *next,
                 const gz_tuner_result *best, double gain)
{
    const struct search *s = of;
    const struct gzm_tuning *t = s->tuning;
    (void)best, (void)gain;
    double done = fmin((double)ways->runs / t->most, 1);
    if (t->show)
        t->show(t->of, (s->level + done) / t->levels, &next->config);
}

/* Finds the fastest way of a level, which takes `share` of a cycle's time. */
static int tune_level(const struct gzk_device *device, struct search *s, struct gzm_way *way,
                      double share, struct gzk_error *error)
{
    enum { ROOM = 300 };
    const struct gzk_measuring measuring = {
        .time = time_way,
        .show = show,
        .of = s,
        .tuner = {.gain = least_gain / share, .most = (size_t)s->tuning->most},
        .stop = s->stop};
    struct gzk_ways *ways = &s->tuning->level[s->level];
    struct gzm_level_report report;
    struct gzk_chooser chooser;

    gzm_report(s->mg, s->level, &report);
    const struct gzk_config config =
        gzm_smoothing(report.config.stencil, report.size, report.config.loops);
    const struct gzk_given given = gzm_given(way, config.loops);
    int status =
        gzk_chooser_open(&chooser, device, config.stencil, NULL, NULL, GZ_MODEL_AUTO, error);
    if (status == 0)
        status = gzk_ways_find(&chooser, &config, &given, ROOM, ways, error);
    if (status == 0)
        status = gzk_ways_measure(&chooser, ways, &measuring, error);
    if (status == 0 && ways->cut)
        status = gzk_fail(error, GZK_FAILED, "interrupted");
    if (status == 0)
        *way = gzm_way_of(&gzk_ways_best(ways)->config);
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

int gzm_tune(struct gzk_device *device, gz_cycle cycle, struct gzm_setup *setup, const void *f,
             const void *beta, struct gzm_tuning *tuning, struct gzk_error *error)
{
    double begin = cli_now();
    gz_vcycle_time time;
    struct search s = {.tuning = tuning, .stop = setup->stop ? setup->stop : &gzk_never};

    tuning->levels = gzm_sizes(setup, device != NULL).on_device;
    if (tuning->levels == 0)
        return gzk_fail(error, GZK_INVALID, "all levels are computed on the host: nothing to tune");
    int status = gzm_expect(device, cycle, setup, 0, &time, error);
    if (status == 0)
        status = gzm_open(device, setup, beta, &s.mg, error);
    if (status == 0) { /* what is timed is what cycles do */
        gzm_put(s.mg, f, NULL);
        status = gzm_cycle(s.mg, GZ_CYCLE_V);
    }
    for (; s.level < tuning->levels && status == 0; s.level++)
        status = tune_level(device, &s, &setup->way[s.level], share_of(&time, s.level), error);
    gzm_close(s.mg);
    tuning->seconds = cli_now() - begin;
    return status;
}

void gzm_tuning_free(struct gzm_tuning *tuning)
{
    for (int k = 0; k < tuning->levels; k++)
        gzk_ways_free(&tuning->level[k]);
}
