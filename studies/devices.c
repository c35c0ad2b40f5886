/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * devices.c - the best height by stencil over the GPUs of ten years and the paper's, and why it
 * moves: with free launches, with all data in the cache, with as little local memory as a GTX 280.
 */
#include "study.h"

const char *const study_own = gzs_devices_txt;

static const struct {
    const char *key;
    int year;
} gpus[] = {{"gtx280", 2008},  {"p100-pcie", 2016},  {"v100", 2017},      {"a100-40", 2020},
            {"a100-80", 2020}, {"a40", 2020},        {"rtx3090", 2020},   {"a10", 2021},
            {"mi210", 2021},   {"mi250x-die", 2021}, {"h100-pcie", 2022}, {"h100-sxm", 2022},
            {"l40", 2022},     {"rtx4090", 2022},    {"h200", 2023},      {"l4", 2023},
            {"mi300x", 2023},  {"b200", 2024}};

static const struct kind {
    const char *name;
    study_change changes[3];
} kinds[] = {{"own", {{0}}},
             {"launch", {{"launch_overhead", 0, 0}, {"stage_launch", 0, 0}}},
             {"memory", {{"mem_bandwidth", 100, 0}, {"effective_cache", 100, 0}}},
             {"local", {{"shared_mem_per_block", 16384, 1}, {"shared_mem_per_sm", 16384, 1}}}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The fastest block at height 1. */
static double best_at_one(const gz_device *dev, const study_benchmark *t)
{
    gz_config cfg = t->cfg;
    double least = 0;
    for (int k = 0; study_tile(&t->app, k, &cfg); k++) {
        gz_prediction p;
        if (gz_predict(dev, &t->app, &cfg, 1, &p, NULL) == GZ_OK &&
            (least == 0 || p.seconds_per_loop < least))
            least = p.seconds_per_loop;
    }
    return least;
}

static void add(study *s, const gz_device *own, const study_benchmark *t, int year,
                const struct kind *of)
{
    gz_device dev = *own;
    gz_config best;
    gz_optimum optimum;
    study_change_all(&dev, NULL, of->changes);
    double launch = t->cfg.model == GZ_MODEL_GZ2 ? gz_get(&dev, "stage_launch")
                                                 : dev.launch_overhead.value / dev.clock_rate.value;
    if (!study_best_tile(&dev, &t->app, &t->cfg, &best, &optimum)) {
        study_note(s, "left out: %s on %s, %s by %s: no block fits", t->app.name, dev.key, of->name,
                   gz_name(GZ_MODELS, t->cfg.model));
        return;
    }
    study_row(s, STUDY_TEXT(dev.key, t->app.name, gz_name(GZ_MODELS, t->cfg.model), of->name),
              STUDY_NUMBERS(year, optimum.integer,
                            best_at_one(&dev, t) / optimum.prediction.seconds_per_loop,
                            study_threads(&t->app, &best), optimum.prediction.seconds_per_loop,
                            launch * dev.mem_bandwidth.value));
}

void study_rows(study *s)
{
    for (size_t g = 0; g < sizeof gpus / sizeof *gpus; g++) {
        gz_device dev;
        gz_error error;
        if (gz_device_open(gpus[g].key, &dev, &error))
            exit(cli_fail(CLI_FAILED, "%s", error.text));
        for (int k = 0; k < s->n_benchmarks; k++) {
            study_benchmark t = s->benchmark[k];
            t.cfg.model = GZ_MODEL_MENG2011;
            add(s, &dev, &t, gpus[g].year, &kinds[0]);
            t.cfg.model = GZ_MODEL_GZ2;
            for (int what = 0; gpus[g].year > 2010 && what < KINDS; what++)
                add(s, &dev, &t, gpus[g].year, &kinds[what]);
        }
    }
    study_note(s, "the paper's device has no quantities of gz2");
}
