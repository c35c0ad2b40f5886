/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "second.h"

#include "contents.h"
#include "gz2_contract.h"
#include "gz2_fit.h"
#include "variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOLDS = 6,
    DEVICE_UNKNOWNS = 20,
    STENCIL_UNKNOWNS = 5,
    MAX_UNKNOWNS = DEVICE_UNKNOWNS + STENCIL_UNKNOWNS * GZC_MAX_APPS,
    SPARE = 3 /* runs more than unknowns, at least */
};

/* A parameter that is fitted: where, and from which order of magnitude, if no benchmark says one.
 */
struct fitted {
    gzi_gz2_parameter parameter;
    double start;
    bool cpu, gpu, of_stencil;
    int mode; /* the only mode that tells it; -1: any */
};
static const struct fitted fitted[] = {
    {GZI_GZ2_STREAM_COPY, 5e-11, true, false, false, -1},
    {GZI_GZ2_STREAM_DRAM, 1e-10, true, false, false, -1},
    {GZI_GZ2_STREAM_CELL, 3e-10, true, false, true, -1},
    {GZI_GZ2_STREAM_REST, 5e-10, true, false, true, -1},
    {GZI_GZ2_STREAM_ROWS, 5e-9, true, false, false, -1},
    {GZI_GZ2_NAIVE_DRAM, 1e-10, true, false, false, -1},
    {GZI_GZ2_NAIVE_CELL, 1e-9, true, false, true, -1},
    {GZI_GZ2_NAIVE_ROWS, 5e-9, true, false, false, -1},
    {GZI_GZ2_LAUNCH, 5e-6, true, true, false, GZ_SYNC_RESTART},
    {GZI_GZ2_GRAPH, 2e-6, true, true, false, GZ_SYNC_GRAPH},
    {GZI_GZ2_FENCE, 1e-7, true, true, false, GZ_SYNC_FENCE},
    {GZI_GZ2_RUN, 2e-5, true, true, false, -1},
    {GZI_GZ2_RUN_FENCE, 5e-6, true, true, false, GZ_SYNC_FENCE},
    {GZI_GZ2_COPY_CELL, 3e-10, true, false, false, -1},
    {GZI_GZ2_COPY_ROW, 1e-8, true, false, false, -1},
    {GZI_GZ2_COPY_EDGE, 3e-10, true, false, false, -1},
    {GZI_GZ2_EXCHANGE, 2e-11, true, false, false, GZ_SYNC_RESTART},
    {GZI_GZ2_LOAD, 5e-7, false, true, false, -1},
    {GZI_GZ2_LINE, 1e-9, false, true, false, -1},
    {GZI_GZ2_DRAM, 1e-10, true, true, false, -1},
    {GZI_GZ2_AHEAD_DRAM, 1e-10, true, false, false, -1},
    {GZI_GZ2_CELL, 5e-10, true, false, true, -1},
    {GZI_GZ2_REST, 5e-10, true, false, true, -1},
    {GZI_GZ2_CHAIN, 1e-7, false, true, true, -1},
    {GZI_GZ2_ISSUE, 1e-8, false, true, true, -1}};

/* Deviations of the priors over their starts: orders of magnitude, but as much as its value of what
 * a benchmark measured; and the least of the bandwidth's time, since a bandwidth is not infinite.
 *
 * A benchmark's copy of a row has been off by a factor of four from what the runs say. On the kept
 * tables a width of 1 errs by 9.7 and 16.6 % in the median, 40 and 48 % at the 95th percentile, as
 * without any prior (9.5 and 15.3 %; 41 and 47 %), if the benchmark is of that day or of another;
 * 0.5 gains 2 % at that percentile from the first, and loses 9 from the second; 0.2 loses 31. */
static const double weak = 10, measured_prior = 1, least_share = 0.05;

/* What the fit works on. */
struct work {
    int n_models, n_runs, n_unknowns;
    gzi_gz2 model[GZC_MAX_APPS];
    gzi_gz2_run run[GZC_SECOND_MAX];
    double residual[GZC_SECOND_MAX]; /* of the runs when they are left out; NaN for empty stages */
    gzi_gz2_unknown unknown[MAX_UNKNOWNS];
    gz_device dev;
    gz_app app;
};

static bool same_shape(const gzi_gz2_run *a, const gzi_gz2_run *b)
{
    return a->stencil == b->stencil && a->config.variant == b->config.variant &&
           memcmp(a->config.grid, b->config.grid, sizeof a->config.grid) == 0 &&
           memcmp(a->config.block, b->config.block, sizeof a->config.block) == 0;
}

static gz_variant variant_of_run(const gzi_gz2_run *run)
{
    return (gz_variant)run->config.variant;
}

static void add_run(struct work *w, const struct gzc_second_run *from, double seconds)
{
    static const gzi_gz2_mode modes[] = {[GZ_SYNC_RESTART] = GZI_GZ2_RESTARTS,
                                         [GZ_SYNC_FENCE] = GZI_GZ2_FENCES,
                                         [GZ_SYNC_GRAPH] = GZI_GZ2_GRAPHS};
    gzi_gz2_run *run = &w->run[w->n_runs];
    gzi_gz2_prediction p;
    int groups = 0, group = -1;
    *run = (gzi_gz2_run){.stencil = from->app,
                         .seconds = seconds,
                         .config = {.height = from->config.height,
                                    .variant = (gzi_gz2_variant)gz_by_name(
                                        GZ_VARIANTS, gzk_variants[from->config.variant].name),
                                    .loops = (double)from->config.loops,
                                    .run_share = 1 / (double)from->config.loops,
                                    .mode = modes[from->config.sync]}};
    for (int i = 0; i < 3; i++) {
        run->config.grid[i] = from->config.size[i];
        run->config.block[i] = from->config.block[i];
        run->config.threads[i] = from->config.threads[i];
    }
    if (run->config.variant == GZI_GZ2_STREAM) {
        int last = from->config.stencil->dimensions - 1;
        run->config.piece = from->config.block[last] -
                            2L * from->config.stencil->radius[last] * from->config.height;
    }
    for (int k = 0; k < w->n_runs && group < 0; k++) {
        group = same_shape(&w->run[k], run) ? w->run[k].group : -1;
        groups = w->run[k].group >= groups ? w->run[k].group + 1 : groups;
    }
    run->group = group < 0 ? groups : group;
    if (gzi_gz2_predict(&w->model[from->app], &run->config, &p) == GZI_GZ2_OK)
        w->n_runs++;
}

/* Whether a variant's runs were made in a mode (-1: any) of a stencil (-1: any). */
static bool mode_was_run(const struct work *w, gz_variant variant, int mode, int stencil)
{
    static const gz_sync syncs[] = {[GZI_GZ2_RESTARTS] = GZ_SYNC_RESTART,
                                    [GZI_GZ2_FENCES] = GZ_SYNC_FENCE,
                                    [GZI_GZ2_GRAPHS] = GZ_SYNC_GRAPH};
    for (int i = 0; i < w->n_runs; i++)
        if (variant_of_run(&w->run[i]) == variant &&
            (mode < 0 || (int)syncs[w->run[i].config.mode] == mode) &&
            (stencil < 0 || w->run[i].stencil == stencil))
            return true;
    return false;
}

/* The variant whose runs a parameter is fitted to. */
static gz_variant variant_of(gzi_gz2_parameter parameter)
{
    switch (parameter) {
    case GZI_GZ2_STREAM_COPY:
    case GZI_GZ2_STREAM_DRAM:
    case GZI_GZ2_STREAM_CELL:
    case GZI_GZ2_STREAM_REST:
    case GZI_GZ2_STREAM_ROWS:
        return GZ_VARIANT_STREAM;
    case GZI_GZ2_NAIVE_DRAM:
    case GZI_GZ2_NAIVE_CELL:
    case GZI_GZ2_NAIVE_ROWS:
        return GZ_VARIANT_NAIVE;
    default:
        return GZ_VARIANT_TRAPEZOID;
    }
}

static bool is_memory(gzi_gz2_parameter parameter)
{
    return parameter == GZI_GZ2_DRAM || parameter == GZI_GZ2_STREAM_DRAM ||
           parameter == GZI_GZ2_NAIVE_DRAM || parameter == GZI_GZ2_AHEAD_DRAM;
}

/* What a benchmark measured of a parameter of the device; 0 if none did. */
static double measured(const struct work *w, gzi_gz2_parameter parameter)
{
    return (int)parameter < GZI_GZ2_OF_STENCIL ? w->model[0].value[parameter] : 0;
}

/* Where a parameter's fit starts: what benchmarks say of it. */
static double start_of(const struct work *w, const struct fitted *f)
{
    const gz_device *dev = &w->dev;
    double clock = dev->clock_rate.value, value = measured(w, f->parameter);
    if (value > 0)
        return value;
    if (f->parameter == GZI_GZ2_LAUNCH && gz_quantity_stated(&dev->launch_overhead))
        value = dev->launch_overhead.value / clock;
    if (f->parameter == GZI_GZ2_GRAPH && gz_quantity_stated(&dev->graph_overhead))
        value = dev->graph_overhead.value / clock;
    return value > 0 ? value : f->start;
}

/* Whether any run's time depends on a parameter that adds to it: on a single core, none does on
 * what bytes from other cores cost. Others may enter only once they have a value. */
static bool depends(const struct work *w, gzi_gz2_parameter parameter)
{
    gzi_gz2_term term = gzi_gz2_term_of(parameter);
    if (term != GZI_GZ2_SYNC && term != GZI_GZ2_MEMORY)
        return true;
    for (int i = 0; i < w->n_runs; i++) {
        gzi_gz2_prediction p;
        if (gzi_gz2_predict(&w->model[w->run[i].stencil], &w->run[i].config, &p) == GZI_GZ2_OK &&
            p.slope[parameter] > 0)
            return true;
    }
    return false;
}

static void make_unknowns(struct work *w, bool is_cpu)
{
    for (size_t k = 0; k < sizeof fitted / sizeof *fitted; k++) {
        const struct fitted *f = &fitted[k];
        if (!(is_cpu ? f->cpu : f->gpu) || !depends(w, f->parameter))
            continue;
        for (int a = 0; a < (f->of_stencil ? w->n_models : 1); a++) {
            bool dram = is_memory(f->parameter);
            double start = start_of(w, f);
            if (mode_was_run(w, variant_of(f->parameter), f->mode, f->of_stencil ? a : -1))
                w->unknown[w->n_unknowns++] = (gzi_gz2_unknown){
                    .parameter = f->parameter,
                    .stencil = f->of_stencil ? a : -1,
                    .start = start,
                    .prior = measured(w, f->parameter) > 0 ? measured_prior : weak,
                    .like = f->parameter == GZI_GZ2_REST          ? GZI_GZ2_CELL
                            : f->parameter == GZI_GZ2_STREAM_REST ? GZI_GZ2_STREAM_CELL
                                                                  : 0,
                    .least = dram ? least_share * start : 0};
        }
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of what is a number; NaN for none. Sorts. */
static double median(double *values, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    if (kept == 0)
        return (double)NAN;
    qsort(values, (size_t)kept, sizeof *values, ascending);
    return kept % 2 ? values[kept / 2] : (values[kept / 2 - 1] + values[kept / 2]) / 2;
}

/* Whether a run is a nearly empty stage, whose tiles commit a cell each: their residuals say
 * nothing of runs that compute. */
static bool is_stage(const struct work *w, const gzi_gz2_run *run)
{
    const gzi_gz2_stencil *s = &w->model[run->stencil].stencil;
    for (int i = 0; i < s->dim; i++)
        if (run->config.block[i] != 1 + 2 * s->radius[i] * run->config.height)
            return false;
    return variant_of_run(run) == GZ_VARIANT_TRAPEZOID;
}

/* The standard deviation of a run's prediction over it, from parameters that are taken as
 * independent; NaN if there is none. */
static double relative_sd(const struct work *w, const gzi_gz2_run *run)
{
    gzi_gz2_prediction p;
    double variance = 0;
    if (gzi_gz2_predict(&w->model[run->stencil], &run->config, &p) != GZI_GZ2_OK)
        return (double)NAN;
    for (int j = 0; j < w->n_unknowns; j++)
        if (w->unknown[j].stencil < 0 || w->unknown[j].stencil == run->stencil) {
            double part = p.slope[w->unknown[j].parameter] * w->unknown[j].sd;
            variance += part * part;
        }
    return variance > 0 ? sqrt(variance) / p.seconds : (double)NAN;
}

/* The residuals of a variant's runs; how many. */
static size_t residuals_of(const struct work *w, gz_variant variant, double *residual)
{
    size_t n = 0;
    for (int i = 0; i < w->n_runs; i++)
        if (variant_of_run(&w->run[i]) == variant)
            residual[n++] = w->residual[i];
    return n;
}

/* The factor by which the parameters' deviations must grow for 95 % of the variant's runs that were
 * left out to lie in the intervals that follow from them, but for the scatter of a single try: they
 * have neither their correlations nor the model's errors in them. */
static double widening(const struct work *w, gz_variant variant)
{
    double score[GZC_SECOND_MAX];
    size_t n = 0;
    for (int i = 0; i < w->n_runs; i++)
        if (variant_of_run(&w->run[i]) == variant)
            score[n++] = w->residual[i] / relative_sd(w, &w->run[i]);
    double most = gzi_gz2_half_width(score, n, 0);
    return most > 0 ? most / GZC_Z95 : 1;
}

/* How good the fit is on a variant's runs. */
static struct gzc_second_quality quality_of(const struct work *w,
                                            const struct gzc_second_runs *runs, gz_variant variant)
{
    struct gzc_second_quality quality = {0};
    double residual[GZC_SECOND_MAX];
    size_t n = residuals_of(w, variant, residual);
    quality.used = (int)n;
    quality.width = gzi_gz2_half_width(residual, n, gzc_second_scatter(runs));
    quality.factor = widening(w, variant) * quality.width / gzi_gz2_half_width(residual, n, 0);
    for (size_t i = 0; i < n; i++)
        residual[i] = fabs(expm1(residual[i]));
    quality.error = median(residual, (int)n);
    return quality;
}

static struct gzc_entry *entry_of(struct gzc_calibration *result, const gzi_gz2_unknown *u)
{
    int param = u->parameter == GZI_GZ2_DRAM          ? GZ_P_EFFECTIVE_BANDWIDTH
                : u->parameter == GZI_GZ2_STREAM_DRAM ? GZ_P_STREAM_BANDWIDTH
                : u->parameter == GZI_GZ2_NAIVE_DRAM  ? GZ_P_NAIVE_BANDWIDTH
                : u->parameter == GZI_GZ2_AHEAD_DRAM  ? GZ_P_AHEAD_BANDWIDTH
                                                      : gzi_gz2_quantity(u->parameter);
    if (u->stencil < 0)
        return &result->device.entries[param];
    for (int k = 0; k < GZC_APP_SECOND; k++)
        if (gzc_app_second[k] == param)
            return &result->apps[u->stencil].second[k];
    return NULL;
}

/* Puts a found value into its file, with what the runs cannot tell. */
static void put(const struct work *w, const struct gzc_second_runs *runs,
                const struct gzc_second_quality *quality, int j, struct gzc_calibration *result)
{
    const gzi_gz2_unknown *u = &w->unknown[j];
    struct gzc_entry *entry = entry_of(result, u);
    double value = u->value, sd = u->sd * quality->factor, was = entry->value;
    bool dram = is_memory(u->parameter);
    if (dram) {
        sd = w->dev.sm_count.value / value * (sd / value);
        value = w->dev.sm_count.value / value;
    }
    *entry = gzc_entry_of(value, sd, GZ_ORIGIN_FITTED, "gz2: %d runs, %d %s%s each", quality->used,
                          runs->tries, runs->tries == 1 ? "try" : "tries",
                          runs->separate ? " in processes of their own" : "");
    if (was > 0)
        gzc_note(entry, "; drawn towards %.4g, what its microbenchmark gave", was);
    if (!(u->value > 0))
        gzc_note(entry, "; at its bound");
    else if (u->determined < 0.5)
        gzc_note(entry, "; the runs hardly determine it");
    if (u->alike >= 0)
        gzc_note(entry, "; hardly told from %s", gzi_gz2_name(w->unknown[u->alike].parameter));
}

/* Says of a variant's parameters and runs how good they are. */
static void note_file(const struct work *w, const struct gzc_second_runs *runs, gz_variant variant,
                      const struct gzc_second_quality *quality, char *note, size_t size)
{
    size_t at = strlen(note);
    int alike = 0, weakly = 0, unknowns = 0;
    for (int j = 0; j < w->n_unknowns; j++) {
        if (variant_of(w->unknown[j].parameter) != variant)
            continue;
        unknowns++;
        alike += w->unknown[j].alike >= 0;
        weakly += w->unknown[j].determined < 0.5;
    }
    snprintf(
        note + at, size - at,
        "; gz2%s%s: %d parameters fitted to %d runs; runs left out are %.3g %% off in the median, "
        "95 %% within a factor of %.3g; tries scatter by %.2g %%; %d parameters are hardly "
        "told from another and %d hardly determined, see their notes",
        variant == GZ_VARIANT_TRAPEZOID ? "" : ", variant ",
        variant == GZ_VARIANT_TRAPEZOID ? "" : gz_name(GZ_VARIANTS, variant), unknowns,
        quality->used, 100 * quality->error, exp(quality->width), 100 * gzc_second_scatter(runs),
        alike, weakly);
}

/* An edge that moved from sample to sample has no sharpness of its own, nor one that is as soft as
 * the benchmark tries: then there are several steps, of several caches. The model's default counts.
 */
static void forget_sharpness(struct gzc_calibration *result)
{
    static const double sure = 0.1, soft = 1.01;
    struct gzc_entry *cache = &result->device.entries[GZ_P_EFFECTIVE_CACHE];
    struct gzc_entry *sharpness = &result->device.entries[GZ_P_CACHE_SHARPNESS];
    bool moved = cache->sd > sure * cache->value;
    if (!moved && !(sharpness->value > 0 && sharpness->value < soft))
        return;
    *sharpness = (struct gzc_entry){0};
    gzc_note(cache, moved ? "; it moved, so the sharpness is the model's own"
                          : "; no single step, so the sharpness is the model's own");
}

static bool fit(struct work *w, char *why, size_t size)
{
    gzi_gz2_fitted done;
    size_t n = (size_t)w->n_runs;
    if (w->n_runs < w->n_unknowns + SPARE) {
        snprintf(why, size, "only %d of its runs could be made, for %d parameters", w->n_runs,
                 w->n_unknowns);
        return false;
    }
    if (gzi_gz2_left_out(w->model, w->n_models, w->run, n, w->unknown, w->n_unknowns, FOLDS,
                         w->residual) ||
        gzi_gz2_fit(w->model, w->n_models, w->run, n, NULL, w->unknown, w->n_unknowns, &done) ||
        !done.converged) {
        snprintf(why, size, "the fit to %d runs did not converge", w->n_runs);
        return false;
    }
    for (int i = 0; i < w->n_runs; i++)
        if (is_stage(w, &w->run[i]))
            w->residual[i] = (double)NAN;
    return true;
}

/* Leaves a variant out that has too few runs for its parameters, and says so. */
static void leave_out(struct work *w, gz_variant variant, char *note, size_t size)
{
    int runs = 0, unknowns = 0, kept = 0;
    for (int i = 0; i < w->n_runs; i++)
        runs += variant_of_run(&w->run[i]) == variant;
    for (int j = 0; j < w->n_unknowns; j++)
        unknowns += variant_of(w->unknown[j].parameter) == variant;
    if (unknowns > 0 && runs >= unknowns + SPARE)
        return;
    for (int i = 0; i < w->n_runs; i++)
        if (variant_of_run(&w->run[i]) != variant)
            w->run[kept++] = w->run[i];
    w->n_runs = kept;
    kept = 0;
    for (int j = 0; j < w->n_unknowns; j++)
        if (variant_of(w->unknown[j].parameter) != variant)
            w->unknown[kept++] = w->unknown[j];
    w->n_unknowns = kept;
    size_t at = strlen(note);
    if (runs == 0)
        snprintf(note + at, size - at, "; gz2, variant %s, is left out: no runs",
                 gz_name(GZ_VARIANTS, variant));
    else
        snprintf(note + at, size - at,
                 "; gz2, variant %s, is left out: only %d of its runs could be made, for %d "
                 "parameters",
                 gz_name(GZ_VARIANTS, variant), runs, unknowns);
}

static bool make_models(struct work *w, const struct gzc_second_runs *runs, bool is_cpu,
                        const struct gzc_calibration *result, char *why, size_t size)
{
    gzc_device_of(&result->device, &w->dev, NULL);
    const char *missing = !gz_quantity_stated(&w->dev.warp_size)
                              ? "warp_size, which the driver does not state"
                          : !gz_quantity_stated(&w->dev.effective_cache)
                              ? "effective_cache: no edge of the last cache is in sight of the "
                                "sizes that were copied"
                              : NULL;
    if (missing) {
        snprintf(why, size, "there is no %s", missing);
        return false;
    }
    for (int a = 0; a < result->app_count; a++) {
        gzc_app_of(&result->apps[a], &w->app, NULL);
        w->app.registers_per_thread = runs->registers[a] > 0 && !is_cpu
                                          ? (gz_quantity){runs->registers[a], 0, GZ_ORIGIN_QUERY}
                                          : (gz_quantity){0};
        gzi_gz2_of_files(&w->dev, &w->app, &w->model[a]);
    }
    w->n_models = result->app_count;
    return true;
}

/* Fits all variants' parameters together, since they share what synchronisation and exchange take,
 * and puts them into the files' contents. */
static bool fit_all(struct work *w, const struct gzc_second_runs *runs, bool is_cpu,
                    struct gzc_calibration *result, struct gzc_second_quality *quality, char *why,
                    size_t size)
{
    char *note = result->device.note, left_out[sizeof result->device.note] = "";
    if (!make_models(w, runs, is_cpu, result, why, size))
        return false;
    for (int i = 0; i < runs->n; i++) {
        double seconds = gzc_second_time(&runs->run[i], runs->tries);
        if (seconds > 0)
            add_run(w, &runs->run[i], seconds);
    }
    make_unknowns(w, is_cpu);
    for (int v = GZ_VARIANT_STREAM; v <= GZ_VARIANT_NAIVE && is_cpu; v++)
        leave_out(w, (gz_variant)v, left_out, sizeof left_out);
    if (!fit(w, why, size))
        return false;
    for (int v = GZ_VARIANT_TRAPEZOID; v <= GZ_VARIANT_NAIVE; v++) {
        struct gzc_second_quality own = quality_of(w, runs, (gz_variant)v);
        for (int j = 0; j < w->n_unknowns; j++)
            if (variant_of(w->unknown[j].parameter) == (gz_variant)v)
                put(w, runs, &own, j, result);
        if (own.used > 0)
            note_file(w, runs, (gz_variant)v, &own, note, sizeof result->device.note);
        if (v == GZ_VARIANT_TRAPEZOID)
            *quality = own;
    }
    size_t at = strlen(note);
    snprintf(note + at, sizeof result->device.note - at, "%s", left_out);
    return true;
}

bool gzc_second_fit(const struct gzc_second_runs *runs, bool is_cpu, struct gzc_calibration *result,
                    struct gzc_second_quality *quality, char *why, size_t size)
{
    struct work *w = calloc(1, sizeof *w);
    bool done = false;
    forget_sharpness(result);
    if (w)
        done = fit_all(w, runs, is_cpu, result, quality, why, size);
    else
        snprintf(why, size, "out of memory");
    free(w);
    for (int a = 0; a < result->app_count && done; a++) {
        struct gzc_entry *own = result->apps[a].second;
        if (runs->registers[a] > 0 && !is_cpu)
            own[GZC_REGISTERS] =
                gzc_entry_of(runs->registers[a], 0, GZ_ORIGIN_QUERY, "of the compiled kernel");
    }
    return done;
}
