/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2's part of a calibration on runs that the model itself makes with known
 * parameters, for a CPU and for a GPU: found again without noise; with noise, intervals that hold
 * new runs; what the runs cannot tell apart is said; nothing is changed if they are too few. What a
 * benchmark measured stays where the runs do not determine it. A device whose cache or bandwidth
 * moved by half while it was calibrated is called busy, and no other. The plan bounds what a
 * stencil takes: programs, large grids and the work on them.
 */
#include "drift.h"
#include "gz2_quantities.h"
#include "kernel_text.h"
#include "modelled.h"
#include "quantities.h"
#include "registry.h"
#include "tap.h"

#include <gsl/gsl_randist.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"hotspot", "pathfinder", "star7"};
enum { APPS = sizeof names / sizeof *names, NEW = 60 };

struct world {
    struct gzk_device device;
    struct gzc_calibration files; /* as they are before the fit */
    struct gzc_runs runs;
    gz_device dev; /* as they are in truth */
    gz_app app[APPS];
};

static void state(struct gzc_calibration *files, int param, double value)
{
    files->device.entries[param] = gzc_entry_of(value, 0, GZ_ORIGIN_MEASURED, "made up");
}

static void make_files(struct world *w, int is_cpu)
{
    struct gzc_calibration *f = &w->files;
    state(f, GZ_P_CLOCK_RATE, 2e9);
    state(f, GZ_P_MEM_BANDWIDTH, is_cpu ? 4e10 : 8e11);
    state(f, GZ_P_UNCONTENDED_LATENCY, 300);
    state(f, GZ_P_BLOCKS_PER_SM, is_cpu ? 1 : 16);
    state(f, GZ_P_CPI, 1);
    state(f, GZ_P_FENCE_EXPOSURE, 0.5);
    state(f, GZ_P_LATENCY_HIDING, 0.5);
    state(f, GZ_P_DIMENSION_PENALTY, 5);
    state(f, GZ_P_MAX_THREADS_PER_BLOCK, 4096);
    state(f, GZ_P_SM_COUNT, is_cpu ? 4 : 40);
    state(f, GZ_P_WARP_SIZE, is_cpu ? 1 : 32);
    state(f, GZI_P(EFFECTIVE_CACHE), 30e6);
    state(f, GZI_P(EFFECTIVE_BANDWIDTH), is_cpu ? 4e10 : 8e11);
    state(f, GZ_P_LAUNCH_OVERHEAD, 6000);
    state(f, GZ_P_FENCE_OVERHEAD, 300);
    state(f, GZ_P_CACHE_LINE, is_cpu ? 64 : 128);
    state(f, GZ_P_SHARED_MEM_PER_BLOCK, 1 << 20);
    if (!is_cpu) {
        state(f, GZI_P(CACHE_BANDWIDTH), 1e15);
        state(f, GZ_P_SHARED_MEM_PER_SM, 1 << 20);
        state(f, GZ_P_MAX_THREADS_PER_SM, 2048);
        state(f, GZ_P_MAX_BLOCKS_PER_SM, 16);
    }
    f->app_count = APPS;
    for (int a = 0; a < APPS; a++) {
        const struct gzk_stencil *stencil = gzk_stencil_find(names[a]);
        struct gzc_file *app = &f->apps[a];
        app->app.dim = stencil->dim;
        for (int i = 0; i < app->app.dim; i++)
            app->app.halo_width[i] = 2 * stencil->radius[i];
        app->app.element_size.value = stencil->bytes;
        app->app.stencil_arrays.value = gzi_loaded(&stencil->shape);
        app->app.elements_per_op.value = stencil->step_arrays;
        app->app.profile_elements.value = 1e6;
        app->app.profile_sm_count.value = 1;
        app->entries[GZ_P_INSTS_PER_SM_MISC] = app->entries[GZ_P_INSTS_PER_SM_ITER] =
            gzc_entry_of(1, 0, GZ_ORIGIN_MEASURED, "made up");
    }
}

static void set(struct world *w, int app, int param, double value)
{
    gz_quantity *q = gz_param_quantity(&w->dev, app < 0 ? NULL : &w->app[app], param);
    *q = (gz_quantity){value, 0, GZ_ORIGIN_MEASURED};
}

/* What is true, of a stencil times its number from 1; and how well it is found without noise. */
struct truth {
    int param;
    bool of_app, streamed;
    double value, tolerance; /* 0: not compared */
};
static const struct truth of_both[] = {{GZI_P(STAGE_LAUNCH), 0, 0, 7e-6, 0.01},
                                       {GZI_P(STAGE_FENCE), 0, 0, 4e-7, 0},
                                       {GZI_P(RUN_LAUNCH), 0, 0, 3e-5, 0.01},
                                       {GZI_P(RUN_FENCE), 0, 0, 6e-6, 0.01},
                                       {0}};
static const struct truth of_cpu[] = {{GZI_P(STAGE_FENCE), 0, 0, 4e-7, 0.01},
                                      {GZI_P(COPY_CELL), 0, 0, 2.5e-10, 0.02},
                                      {GZI_P(COPY_ROW), 0, 0, 7e-9, 0.02},
                                      {GZI_P(COPY_EDGE), 0, 0, 4e-10, 0},
                                      {GZI_P(CORE_EXCHANGE), 0, 0, 5e-11, 0.05},
                                      {GZI_P(STREAM_COPY), 0, 0, 4e-11, 0.02},
                                      {GZI_P(STREAM_BANDWIDTH), 0, 0, 4e10 / 0.7, 0.04},
                                      {GZI_P(NAIVE_BANDWIDTH), 0, 0, 4e10 / 1.3, 0.02},
                                      /* Rows that are fetched ahead: far from a copy's. */
                                      {GZI_P(AHEAD_BANDWIDTH), 0, 0, 4e10 / 0.3, 0.15},
                                      {GZI_P(STREAM_ROW), 0, 0, 8e-9, 0.05},
                                      {GZI_P(NAIVE_ROW), 0, 0, 4e-9, 0.05},
                                      {GZI_P(CELL_TIME), 1, 0, 4e-10, 0.02},
                                      {GZI_P(REST_TIME), 1, 0, 6e-10, 0},
                                      {GZI_P(STREAM_CELL_TIME), 1, 1, 2e-10, 0.02},
                                      {GZI_P(STREAM_REST_TIME), 1, 1, 3e-10, 0.1},
                                      {GZI_P(NAIVE_CELL_TIME), 1, 0, 5e-10, 0.02},
                                      {0}};
static const struct truth of_gpu[] = {{GZI_P(LOAD_LATENCY), 0, 0, 7e-7, 0.05},
                                      {GZI_P(LOAD_INSTS), 1, 0, 30, 0},
                                      {GZI_P(COMPUTE_INSTS), 1, 0, 40, 0.1},
                                      {GZI_P(STREAM_LOAD_INSTS), 1, 1, 15, 0},
                                      {GZI_P(STREAM_COMPUTE_INSTS), 1, 1, 60, 0.1},
                                      /* Device memory takes longer, and hides most of these. */
                                      {GZI_P(NAIVE_COMPUTE_INSTS), 1, 0, 50, 0.2},
                                      {0}};

static void set_all(struct world *w, const struct truth *truth)
{
    for (const struct truth *t = truth; t->value > 0; t++)
        for (int a = 0; a < (t->of_app ? APPS : 1); a++)
            set(w, t->of_app ? a : -1, t->param, t->value * (a + 1));
}

static void make_truth(struct world *w, int is_cpu)
{
    gzc_device_of(&w->files.device, &w->dev, NULL);
    for (int a = 0; a < APPS; a++)
        gzc_app_of(&w->files.apps[a], &w->app[a], NULL);
    set_all(w, of_both);
    set_all(w, is_cpu ? of_cpu : of_gpu);
}

static double time_of(const gz_device *dev, const gz_app *app, const struct gzk_config *config)
{
    gz_prediction p;
    gz_config cfg;
    if (!gzk_to_model(config, GZ_MODEL_GZ2, &cfg))
        return (double)NAN;
    cfg.beyond = 1;
    return gz_predict(dev, app, &cfg, config->height, &p, NULL) ? (double)NAN : p.seconds_per_loop;
}

static double true_time(const struct world *w, int a, const struct gzk_config *config)
{
    return time_of(&w->dev, &w->app[a], config);
}

static void make_runs(struct world *w, gsl_rng *rng, double noise)
{
    struct gzk_config plan[GZC_STENCIL_RUNS + GZC_STAGE_RUNS];
    w->runs.n = 0;
    w->runs.tries = GZC_TRIES;
    for (int a = -1; a < APPS; a++) {
        int of = a < 0 ? 0 : a;
        int n = gzc_runs_plan(&w->device, gzk_stencil_find(names[of]),
                              a < 0 ? GZC_RUNS_STAGES : GZC_RUNS_STENCIL, plan);
        for (int i = 0; i < n; i++, w->runs.n++) {
            w->runs.app[w->runs.n] = of;
            w->runs.config[w->runs.n] = plan[i];
            for (int k = 0; k < w->runs.tries; k++)
                w->runs.seconds[k][w->runs.n] =
                    true_time(w, of, &plan[i]) * exp(noise > 0 ? gsl_ran_gaussian(rng, noise) : 0);
        }
    }
}

/* Those of rows of so many cells alone. */
static void make_runs_of(struct world *w, gsl_rng *rng, double noise, int least, int most)
{
    int n = 0;
    make_runs(w, rng, noise);
    for (int i = 0; i < w->runs.n; i++)
        if (w->runs.config[i].block[0] >= least && w->runs.config[i].block[0] <= most) {
            w->runs.app[n] = w->runs.app[i];
            w->runs.config[n] = w->runs.config[i];
            for (int k = 0; k < w->runs.tries; k++)
                w->runs.seconds[k][n] = w->runs.seconds[k][i];
            n++;
        }
    w->runs.n = n;
}

static void make_world(struct world *w, int is_cpu)
{
    memset(w, 0, sizeof *w);
    w->device.backend = &gzk_opencl;
    w->device.info.is_cpu = is_cpu;
    w->device.info.units = is_cpu ? 4 : 40;
    w->device.info.max_threads = is_cpu ? 4096 : 1024;
    w->device.info.local_bytes = 1 << 20;
    w->device.info.memory_bytes = (size_t)16 << 30;
    make_files(w, is_cpu);
    make_truth(w, is_cpu);
}

/* The files after the fit, which begins from the world's; and why there is none. */
static struct gzc_calibration result;
static struct gzc_quality quality;
static char why[200];

static bool refit(const struct world *w, bool is_cpu)
{
    why[0] = '\0';
    return gzc_quantities_fit(&w->runs, is_cpu, &result, &quality, why, sizeof why);
}

static bool fit(const struct world *w, bool is_cpu)
{
    memcpy(&result, &w->files, sizeof result);
    return refit(w, is_cpu);
}

/* The time as the files state it after the fit. */
static double found_time(int a, const struct gzk_config *config)
{
    gz_device dev;
    gz_app app;
    gzc_device_of(&result.device, &dev, NULL);
    gzc_app_of(&result.apps[a], &app, NULL);
    return time_of(&dev, &app, config);
}

static void is_found(const struct truth *truth)
{
    for (const struct truth *t = truth; t->value > 0; t++)
        for (int a = 0; a < (t->of_app ? APPS : 1); a++) {
            const struct gzc_entry *entries =
                t->of_app ? result.apps[a].entries : result.device.entries;
            const char *name = gz_param_about(t->param)->name;
            if (t->streamed && result.apps[a].app.dim == 1)
                tap_ok(entries[t->param].origin == GZ_ORIGIN_NONE, "no %s in one dimension", name);
            else if (t->tolerance > 0)
                tap_close(entries[t->param].value, t->value * (a + 1), t->tolerance, name);
        }
}

/* Runs that were not fitted to: other sizes, blocks and heights. */
static void new_config(struct world *w, gsl_rng *rng, int a, struct gzk_config *config)
{
    struct gzk_config plan[GZC_STENCIL_RUNS];
    int n = gzc_runs_plan(&w->device, gzk_stencil_find(names[a]), GZC_RUNS_STENCIL, plan);
    *config = plan[gsl_rng_uniform_int(rng, (unsigned long)n)];
    config->height = config->variant == GZK_NAIVE ? 1 : 1 + (int)gsl_rng_uniform_int(rng, 3);
    for (int i = 0; i < config->stencil->dim; i++) {
        config->size[i] = (int)(config->size[i] * (0.7 + 0.6 * gsl_rng_uniform(rng)));
        config->block[i] += (int)gsl_rng_uniform_int(rng, 8);
    }
}

static void exact(struct world *w, int is_cpu, gsl_rng *rng)
{
    double worst = 0;
    int variants = 0;
    make_runs(w, rng, 0);
    tap_ok(fit(w, is_cpu), "fitted %s", why);
    for (int k = 0; k < NEW; k++) {
        struct gzk_config config;
        int a = k % APPS;
        new_config(w, rng, a, &config);
        double truth = true_time(w, a, &config), found = found_time(a, &config);
        if (truth > 0 && found > 0) {
            worst = fmax(worst, fabs(found / truth - 1));
            variants |= 1 << config.variant;
        }
    }
    tap_ok(worst < (is_cpu ? 0.03 : 0.06) && variants == 7,
           "without noise new runs are predicted, %.2g at worst", worst);
    is_found(of_both);
    is_found(is_cpu ? of_cpu : of_gpu);
}

/* How often the stated interval of a prediction holds a new try. */
static void noisy(struct world *w, int is_cpu, gsl_rng *rng)
{
    static const double noise = 0.05;
    int held = 0, all = 0, fits = 0, launch = 0, trials = tap_bulk(4, 8);
    int close[GZK_NAIVE + 1] = {0}, of[GZK_NAIVE + 1] = {0};
    for (int t = 0; t < trials; t++) {
        make_runs(w, rng, noise);
        if (!fit(w, is_cpu))
            continue;
        fits++;
        const struct gzc_entry *l = &result.device.entries[GZI_P(STAGE_LAUNCH)];
        launch += fabs(l->value - 7e-6) <= GZC_Z95 * l->sd;
        for (int k = 0; k < NEW; k++) {
            struct gzk_config config;
            int a = k % APPS;
            /* The quality is that of the trapezoids. */
            do
                new_config(w, rng, a, &config);
            while (config.variant != GZK_TRAPEZOID);
            double found = found_time(a, &config);
            double seen = true_time(w, a, &config) * exp(gsl_ran_gaussian(rng, noise));
            if (!(seen > 0) || !(found > 0))
                continue;
            held += fabs(log(found / seen)) <= quality.width;
            all++;
        }
        for (int k = 0; k < NEW; k++) {
            struct gzk_config config;
            new_config(w, rng, k % APPS, &config);
            double found = found_time(k % APPS, &config);
            double truth = true_time(w, k % APPS, &config);
            if (!(truth > 0) || !(found > 0))
                continue;
            close[config.variant] += fabs(found / truth - 1) <= 2 * noise;
            of[config.variant]++;
        }
    }
    tap_ok(fits == trials, "%d of %d noisy sets of runs are fitted", fits, trials);
    /* New tiles are unlike those that were run, on a GPU more so. */
    tap_ok(held >= (is_cpu ? 0.9 : 0.83) * all, "intervals hold %d of %d new tries", held, all);
    /* A GPU hides a plain kernel's instructions behind device memory in most of its few runs. */
    for (int v = GZK_STREAM; v <= GZK_NAIVE; v++)
        tap_ok(of[v] >= 3 * trials && close[v] >= (!is_cpu && v == GZK_NAIVE ? 0.8 : 0.9) * of[v],
               "of new runs of variant %s %d of %d are within 10 %%", gzk_variants[v].name,
               close[v], of[v]);
    tap_ok(launch >= trials - 2, "the launch's interval holds it in %d of %d", launch, trials);
    double scatter = gzc_runs_scatter(&w->runs);
    tap_ok(scatter > 0.8 * noise && scatter < 1.2 * noise, "the tries' scatter is found: %.3g",
           scatter);
}

static void refused(struct world *w)
{
    int n = w->runs.n;
    w->runs.n = 6;
    tap_ok(!fit(w, true) && memcmp(&result, &w->files, sizeof result) == 0, "too few runs: %s",
           why);
    w->runs.n = n;
    result.device.entries[GZI_P(EFFECTIVE_CACHE)] = (struct gzc_entry){0};
    tap_ok(!refit(w, true) && strstr(why, "effective_cache") != NULL, "no cache's size: %s", why);
}

/* A GPU's launches and fences are then what its microbenchmarks say: 6,000 cycles, and 300 for each
 * of 40 x 16 blocks, at 2 GHz. */
static void refused_on_gpu(struct world *w)
{
    const struct gzc_entry *e = result.device.entries;
    w->runs.n = 6;
    tap_ok(!fit(w, false) && fabs(e[GZI_P(STAGE_LAUNCH)].value - 3e-6) < 1e-12 &&
               fabs(e[GZI_P(STAGE_FENCE)].value - 96e-6) < 1e-12 &&
               e[GZI_P(STAGE_GRAPH)].origin == GZ_ORIGIN_NONE,
           "too few runs of a GPU: %s", e[GZI_P(STAGE_LAUNCH)].note);
}

/* Of so many cores few tiles go astray between them, too. */
static void many_cores(struct world *w, gsl_rng *rng)
{
    enum { CORES = 64 };
    state(&w->files, GZ_P_SM_COUNT, CORES);
    w->device.info.units = CORES;
    make_truth(w, true);
    make_runs(w, rng, 0);
    bool fitted = fit(w, true);
    double exchange = result.device.entries[GZI_P(CORE_EXCHANGE)].value;
    tap_ok(fitted && fabs(exchange / 5e-11 - 1) < 0.1,
           "of few tiles for each of many cores, a byte from another one: %.3g s %s", exchange,
           why);
}

/* With noise, and runs of short rows alone, rows are less well distinguished from cells: then a
 * benchmark of them helps. */
static void measured_too(struct world *w)
{
    const int draws = tap_bulk(1, 4);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double off[2] = {0, 0};
    for (int k = 0; k < 2 * draws; k++) {
        int with = k % 2;
        if (!with)
            make_runs_of(w, rng, 0.2, 1, 511);
        result = w->files;
        if (with) {
            state(&result, GZI_P(COPY_CELL), 2.5e-10);
            state(&result, GZI_P(COPY_ROW), 7e-9);
        }
        off[with] +=
            (refit(w, true) ? fabs(result.device.entries[GZI_P(COPY_ROW)].value / 7e-9 - 1) : 1) /
            draws;
    }
    tap_ok(off[1] <= off[0],
           "with noise a row is %.2g off in the mean with a benchmark of it, %.2g without", off[1],
           off[0]);
    tap_ok(strstr(result.device.entries[GZI_P(COPY_ROW)].note,
                  "drawn towards 7e-09, what its microbenchmark gave") != NULL,
           "which the note says: %s", result.device.entries[GZI_P(COPY_ROW)].note);
    gsl_rng_free(rng);
}

/* Whether a deviation above a value is there without a word. */
static int unsaid(const struct gzc_entry *entries)
{
    int n = 0;
    for (int q = 0; q < gz_param_count(); q++)
        n += entries[q].sd > fabs(entries[q].value) &&
             !strstr(entries[q].note, "not distinguished from 0");
    return n;
}

/* The value of a row, with a benchmark of it, after a fit to runs with noise: all, or those of long
 * rows alone. */
static void fit_row(struct world *w, gsl_rng *rng, const struct gzc_entry *benchmark, bool all,
                    double noise)
{
    make_runs_of(w, rng, noise, all ? 1 : 512, INT_MAX);
    result = w->files;
    result.device.entries[GZI_P(COPY_ROW)] = *benchmark;
    refit(w, true);
}

/* What the runs determine is fitted, though a benchmark measured another value; of what they do
 * not, that value stays, with its deviation. */
static void kept(struct world *w)
{
    const int draws = tap_bulk(1, 4);
    const struct gzc_entry row = gzc_entry_of(4e-9, 2e-10, GZ_ORIGIN_MEASURED, "made up");
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    const struct gzc_entry *found = &result.device.entries[GZI_P(COPY_ROW)];
    const struct gzc_entry *at = &result.device.entries[GZI_P(STAGE_LAUNCH)];
    int fitted = 0, kept = 0, silent = 0, launch = 0;
    for (int k = 0; k < draws; k++) {
        fit_row(w, rng, &row, true, 0.02);
        fitted += fabs(found->value / 7e-9 - 1) < 0.05 && found->origin == GZ_ORIGIN_FITTED;
        fit_row(w, rng, &row, false, 0.5);
        kept += found->value == row.value && found->sd == row.sd && found->origin == row.origin &&
                strstr(found->note, "made up; kept, since the runs do not determine it: ") != NULL;
        silent += unsaid(result.device.entries);
        for (int a = 0; a < APPS; a++)
            silent += unsaid(result.apps[a].entries);
        launch += fabs(at->value / 3e-6 - 1) < 1e-9 &&
                  strstr(at->note, "launch_overhead's; kept, since the runs do not") != NULL;
    }
    tap_ok(fitted == draws, "what the runs determine is fitted in %d of %d", fitted, draws);
    tap_ok(kept == draws, "what they do not stays as measured in %d of %d: %s", kept, draws,
           found->note);
    tap_ok(launch > 0, "nor does a launch change, in %d: it is that of its microbenchmark", launch);
    tap_ok(silent == 0, "no deviation is above its value without a word");
    gsl_rng_free(rng);
}

/* Three samples before and two after, of which one quantity moves by `factor`. */
static int busy_if(struct gzc_rounds *rounds, const char *key, double factor, char *text,
                   size_t size)
{
    rounds->gz2_count = 5;
    for (rounds->bench_count = 0; gzc_benches[rounds->bench_count]; rounds->bench_count++) {
        int b = rounds->bench_count;
        rounds->benches[b].bench = gzc_benches[b];
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const char *own = gzc_benches[b]->properties[p].key;
            for (int k = 0; k < 5; k++)
                rounds->samples[b][p][k] =
                    (2 + 0.1 * (k % 2)) * (k >= 3 && own && strcmp(own, key) == 0 ? factor : 1);
        }
    }
    gzc_drift_settle(rounds, 3, text, size);
    return text[0] != '\0';
}

/* A cache that neighbours gave back meanwhile, from 62 to 132 MB: the estimate lies between, and
 * its interval holds both; what did not move stays. */
static void moves(struct gzc_rounds *rounds)
{
    static const double cache[] = {60e6, 62e6, 64e6, 130e6, 134e6};
    struct gzc_estimate none = {0}, *moved = &none, *kept = &none;
    char text[300];
    for (int b = 0; b < rounds->bench_count; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const char *key = gzc_benches[b]->properties[p].key;
            bool is_cache = key && strcmp(key, "effective_cache") == 0;
            for (int k = 0; k < 5; k++)
                rounds->samples[b][p][k] = is_cache ? cache[k] : 2;
            rounds->estimates[b][p] = gzc_median(rounds->samples[b][p], 5);
            moved = is_cache ? &rounds->estimates[b][p] : moved;
            if (key && strcmp(key, "effective_bandwidth") == 0)
                kept = &rounds->estimates[b][p];
        }
    double reach = moved->value + GZC_Z95 * moved->sd;
    tap_ok(reach < 132e6, "the median's interval ends at %.3g, under what was last seen", reach);
    gzc_drift_settle(rounds, 3, text, sizeof text);
    tap_close(moved->value, sqrt(62e6 * 132e6), 1e-9, "the estimate lies between both");
    tap_ok(moved->value - GZC_Z95 * moved->sd <= 62e6 &&
               moved->value + GZC_Z95 * moved->sd >= 132e6 && moved->sd < 0.5 * moved->value,
           "and its interval holds both: deviation %.3g", moved->sd);
    tap_ok(kept->value == 2 && kept->sd == 0, "what did not move stays");
    struct gzc_estimate settled = *moved;
    for (int b = 0; b < rounds->bench_count; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++)
            rounds->samples[b][p][3] = rounds->samples[b][p][4] = rounds->samples[b][p][1];
    gzc_drift_settle(rounds, 3, text, sizeof text);
    tap_ok(moved->value == settled.value && moved->sd == settled.sd,
           "and a quiet cache is left alone");
}

static void busy(void)
{
    struct gzc_rounds *rounds = calloc(1, sizeof *rounds);
    char text[300] = "";
    tap_ok(!busy_if(rounds, "effective_cache", 1, text, sizeof text), "nothing moved: not busy");
    tap_ok(!busy_if(rounds, "effective_cache", 1.3, text, sizeof text) &&
               !busy_if(rounds, "effective_bandwidth", 0.75, text, sizeof text),
           "moved by less than half: not busy");
    tap_ok(busy_if(rounds, "effective_cache", 0.6, text, sizeof text) &&
               strstr(text, "last cache's effective size moved from 2 to 1.23") != NULL,
           "the cache shrank: %s", text);
    tap_ok(busy_if(rounds, "effective_bandwidth", 1.7, text, sizeof text) &&
               strstr(text, "bandwidth beyond the cache moved") != NULL,
           "the bandwidth grew: %s", text);
    tap_ok(!busy_if(rounds, "cache_sharpness", 4, text, sizeof text) &&
               !busy_if(rounds, "clock_rate", 4, text, sizeof text),
           "what else moved does not count");
    moves(rounds);
    free(rounds);
}

/* What a CPU's plan for a stencil takes of time: programs that are compiled; grids, each of which
 * has arrays of its own; and cells computed beyond the middle grid. */
static void bounded(struct world *w)
{
    enum { PROGRAMS = 16, GRIDS = 5, STREAM_RUNS = 5 + 3 }; /* of 5 quantities */
    static const double large_cells = 7e8;
    int programs = 0, grids = 0, most_runs = 0, least_streams = STREAM_RUNS;
    double most_cells = 0;
    for (size_t s = 0; s < gzk_stencil_count; s++) {
        struct gzk_config plan[GZC_STENCIL_RUNS];
        uint64_t key[GZC_STENCIL_RUNS];
        int n = gzc_runs_plan(&w->device, gzk_stencils[s], GZC_RUNS_STENCIL, plan);
        int keys = 0, sizes = 0, streams = 0;
        double cells = 0;
        for (int i = 0; i < n; i++) {
            bool new_key = true, new_size = true;
            double size = (double)plan[i].size[0] * plan[i].size[1] * plan[i].size[2];
            key[i] = gzk_kernel_key(&plan[i]);
            for (int k = 0; k < i; k++) {
                new_key = new_key && key[k] != key[i];
                new_size = new_size && memcmp(plan[k].size, plan[i].size, sizeof plan->size) != 0;
            }
            streams += plan[i].variant == GZK_STREAM;
            keys += new_key;
            sizes += new_size;
            cells += size > 1 << 20 ? size * (double)plan[i].loops : 0;
        }
        programs = keys > programs ? keys : programs;
        grids = sizes > grids ? sizes : grids;
        most_runs = n > most_runs ? n : most_runs;
        if (gzk_stencils[s]->dim > 1 && streams < least_streams)
            least_streams = streams;
        most_cells = fmax(cells, most_cells);
    }
    tap_ok(programs <= PROGRAMS, "a stencil's runs need %d programs at most", programs);
    tap_ok(grids <= GRIDS, "and %d grids", grids);
    tap_ok(least_streams == STREAM_RUNS, "each stencil alone has enough streamed ones");
    tap_ok(most_runs <= GZC_STENCIL_RUNS, "they are %d at most", most_runs);
    tap_ok(most_cells < large_cells, "and compute %.3g cells of large grids", most_cells);
}

/* The median of times over reads, and how far they are from it. */
static void read_times(void)
{
    static struct gzc_entry entries[GZ_PARAM_CAPACITY];
    static gz_app apps[4];
    for (int a = 0; a < 4; a++) {
        *gz_param_quantity(NULL, &apps[a], GZI_P(CELL_TIME)) =
            (gz_quantity){(1 << a) * 1e-10 * (a + 5), 0, GZ_ORIGIN_FITTED};
        apps[a].element_size.value = 4;
        apps[a].tile_reads = (gz_quantity){a < 3 ? a + 5 : 0, 0, GZ_ORIGIN_COUNTED};
    }
    gzc_read_times(apps, 4, entries);
    tap_close(entries[GZI_P(READ_TIME)].value, 2e-10, 1e-12,
              "an element read: the median of three stencils");
    tap_close(entries[GZI_P(READ_TIME)].sd, 2e-10 * log(2) * sqrt(2.0 / 3), 1e-12,
              "and its deviation");
    tap_ok(entries[GZI_P(NAIVE_READ_TIME)].origin == GZ_ORIGIN_NONE,
           "none of what no stencil states");
}

int main(void)
{
    struct world *w = malloc(sizeof *w);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    read_times();
    tap_note("seed %lu", gsl_rng_default_seed);
    for (int is_cpu = 1; is_cpu >= 0; is_cpu--) {
        make_world(w, is_cpu);
        exact(w, is_cpu, rng);
        noisy(w, is_cpu, rng);
        if (is_cpu) {
            refused(w);
            measured_too(w);
            kept(w);
            many_cores(w, rng);
            bounded(w);
        } else {
            refused_on_gpu(w);
        }
    }
    busy();
    free(w);
    gsl_rng_free(rng);
    return tap_done();
}
