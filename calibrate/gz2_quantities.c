/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_quantities.h"

#include "contents.h"
#include "estimate.h"
#include "modelled.h"
#include "numbers.h"
#include "output.h"
#include "unknowns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FOLDS = 6,
    SPARE = 3, /* runs more than unknowns, at least */
    VARIANTS = GZ_VARIANT_NAIVE + 1
};

/* What the fit works on. */
struct work {
    const struct gzc_runs *runs;
    bool is_cpu;
    char left_out[300], failed[200]; /* which variants and why; why the last fit was none */
    struct gzc_fit fit;
    gz_app app[GZC_MAX_APPS];
    struct gzc_fit_run run[GZC_RUNS_MAX];
    double residual[GZC_RUNS_MAX]; /* of the runs when they are left out; NaN for empty stages */
    struct gzc_unknown kept[GZ_PARAM_CAPACITY]; /* a device's, which the runs do not determine */
    int kept_count;
};

/* ----------------------------------------------------------------------------------------- runs */

static bool same_shape(const struct gzc_fit_run *a, const struct gzc_fit_run *b)
{
    return a->app == b->app && a->cfg.variant == b->cfg.variant &&
           memcmp(a->cfg.data_length, b->cfg.data_length, sizeof a->cfg.data_length) == 0 &&
           memcmp(a->cfg.block_len, b->cfg.block_len, sizeof a->cfg.block_len) == 0;
}

/* Adds run number `i`, unless it was refused; what its model does not describe is left out once the
 * quantities have a value. */
static void add_run(struct work *w, int i)
{
    const struct gzc_runs *runs = w->runs;
    struct gzc_fit_run *run = &w->run[w->fit.run_count];
    int groups = 0, group = -1;
    *run = (struct gzc_fit_run){
        .app = runs->app[i], .height = runs->config[i].height, .seconds = gzc_runs_time(runs, i)};
    if (!(run->seconds > 0) || !gzk_to_model(&runs->config[i], GZ_MODEL_GZ2, &run->cfg))
        return;
    run->cfg.beyond = 1;
    for (int k = 0; k < w->fit.run_count && group < 0; k++) {
        group = same_shape(&w->run[k], run) ? w->run[k].group : -1;
        groups = w->run[k].group >= groups ? w->run[k].group + 1 : groups;
    }
    run->group = group < 0 ? groups : group;
    w->fit.run_count++;
}

static int runs_of(const struct work *w, gz_variant variant)
{
    int n = 0;
    for (int i = 0; i < w->fit.run_count; i++)
        n += w->run[i].cfg.variant == variant;
    return n;
}

/* Whether a run is a nearly empty stage, whose tiles commit a cell each: their residuals say
 * nothing of runs that compute. */
static bool is_stage(const struct work *w, const struct gzc_fit_run *run)
{
    const gz_app *app = &w->app[run->app];
    for (int i = 0; i < app->dim; i++)
        if (run->cfg.block_len[i] != 1 + app->halo_width[i] * run->height)
            return false;
    return run->cfg.variant == GZ_VARIANT_TRAPEZOID;
}

/* ------------------------------------------------------------------------------------- unknowns */

/* The variant whose runs determine an unknown. */
static gz_variant variant_of(const struct work *w, int unknown)
{
    return gz_param_about(w->fit.unknown[unknown].param)->fit.variant;
}

static int unknowns_of(const struct work *w, gz_variant variant)
{
    int n = 0;
    for (int j = 0; j < w->fit.unknown_count; j++)
        n += variant_of(w, j) == variant;
    return n;
}

/* Leaves a variant out, and notes why. */
static void leave_out(struct work *w, gz_variant variant, const char *why)
{
    size_t at = strlen(w->left_out);
    int kept = 0;
    for (int i = 0; i < w->fit.run_count; i++)
        if (w->run[i].cfg.variant != variant)
            w->run[kept++] = w->run[i];
    w->fit.run_count = kept;
    for (int j = w->fit.unknown_count - 1; j >= 0; j--)
        if (variant_of(w, j) == variant)
            gzc_unknowns_drop(&w->fit, j);
    snprintf(w->left_out + at, sizeof w->left_out - at, "%svariant %s is not fitted: %s",
             at ? "; " : "", gz_name(GZ_VARIANTS, variant), why);
}

/* Leaves a variant out if it has too few runs for its quantities. */
static void leave_out_few(struct work *w, gz_variant variant)
{
    int runs = runs_of(w, variant), unknowns = unknowns_of(w, variant);
    char why[80] = "it has no runs";
    if (unknowns > 0 && runs >= unknowns + SPARE)
        return;
    if (runs > 0)
        snprintf(why, sizeof why, "only %d of its runs could be made, for %d parameters", runs,
                 unknowns);
    leave_out(w, variant, why);
}

/* -------------------------------------------------------------------------------------- quality */

/* The standard deviation of a run's prediction over it, from quantities that are taken as
 * independent; NaN if there is none. */
static double relative_sd(const struct work *w, const struct gzc_fit_run *run)
{
    gz_gradient gradient;
    double variance = 0;
    if (isnan(gzc_fit_predict(&w->fit, run, &gradient)))
        return (double)NAN;
    for (int j = 0; j < w->fit.unknown_count; j++) {
        const struct gzc_unknown *u = &w->fit.unknown[j];
        if (u->app < 0 || u->app == run->app)
            variance += pow(gradient.dcpl_dp[u->param] * u->sd, 2);
    }
    return variance > 0 ? sqrt(variance) / gradient.cpl : (double)NAN;
}

/* How good the fit is on a variant's runs. The factor is that by which the quantities' deviations
 * must grow for 95 % of the variant's runs that were left out to lie in the intervals that follow
 * from them: they have neither their correlations nor the model's errors in them. */
static struct gzc_quality quality_of(const struct work *w, gz_variant variant)
{
    struct gzc_quality quality = {0};
    double residual[GZC_RUNS_MAX] = {0}, score[GZC_RUNS_MAX] = {0};
    int n = 0, known = 0;
    for (int i = 0; i < w->fit.run_count; i++)
        if (w->run[i].cfg.variant == variant) {
            score[n] = w->residual[i] / relative_sd(w, &w->run[i]);
            residual[n++] = w->residual[i];
        }
    double own = gzc_fit_half_width(residual, n, 0), most = gzc_fit_half_width(score, n, 0);
    quality.used = n;
    quality.width = gzc_fit_half_width(residual, n, gzc_runs_scatter(w->runs));
    quality.factor = (most > 0 ? most / GZC_Z95 : 1) * quality.width / own;
    for (int i = 0; i < n; i++)
        if (!isnan(residual[i]))
            residual[known++] = fabs(expm1(residual[i]));
    cli_sort(residual, (size_t)known);
    quality.error = cli_quantile(residual, (size_t)known, 0.5);
    return quality;
}

/* ----------------------------------------------------------------------------------- determined */

/* Whether a benchmark measured what the fit of an unknown starts from. */
static bool was_measured(const struct work *w, const struct gzc_unknown *u)
{
    gz_device before = w->fit.before;
    int source = u->app < 0 ? gzc_unknowns_source(&before, u->param) : -1;
    return source >= 0 && gz_param_quantity(&before, NULL, source)->origin == GZ_ORIGIN_MEASURED;
}

/* The unknown that the runs say least of, of those that they do not determine better than what was
 * measured; -1: none. `factor` is by variant. */
static int least_determined(const struct work *w, const double *factor)
{
    double most = 0;
    int least = -1;
    for (int j = 0; j < w->fit.unknown_count; j++) {
        const struct gzc_unknown *u = &w->fit.unknown[j];
        double spread = u->spread * factor[variant_of(w, j)];
        if (spread > most && was_measured(w, u) &&
            !gzc_fit_determines(u, factor[variant_of(w, j)])) {
            most = spread;
            least = j;
        }
    }
    return least;
}

/* Takes out an unknown that the runs do not determine: what was measured is kept. Whether there was
 * one. */
static bool keep_one(struct work *w)
{
    double factor[VARIANTS];
    for (int v = 0; v < VARIANTS; v++)
        factor[v] = quality_of(w, (gz_variant)v).factor;
    int least = least_determined(w, factor);
    if (least < 0)
        return false;
    struct gzc_unknown *kept = &w->kept[w->kept_count++];
    *kept = w->fit.unknown[least];
    kept->sd *= factor[variant_of(w, least)];
    gzc_unknowns_drop(&w->fit, least);
    if (!kept->inverse) /* of an absent bandwidth the model takes the one that it is a part of */
        *gz_param_quantity(&w->fit.dev, NULL, kept->param) =
            (gz_quantity){kept->start, 0, GZ_ORIGIN_MEASURED};
    return true;
}

/* Puts what was measured into a file in place of such a quantity, with what the runs say. */
static void put_kept(const struct work *w, const struct gzc_unknown *u, struct gzc_entry *entries)
{
    int source = gzc_unknowns_source(&w->fit.before, u->param);
    struct gzc_entry from = entries[source];
    double unit = u->start / gz_param_value(&w->fit.before, NULL, NULL, source);
    bool own = source == u->param;
    struct gzc_entry *entry = &entries[u->param];
    *entry = gzc_entry_of(from.value * unit, from.sd * unit, from.origin, "%s%s",
                          own ? from.note : gz_param_about(source)->name, own ? "" : "'s");
    gzc_note(entry, "; kept, since the runs do not determine it: %.3g", u->value);
    if (u->at_bound)
        gzc_note(entry, ", its bound");
    else
        gzc_note(entry, " with a deviation of %.2g", u->sd);
}

/* --------------------------------------------------------------------------------------- result */

/* Whether the runs hardly determine a value: they leave half of the prior's variance, or a
 * deviation above the value. */
static bool is_weak(const struct work *w, int j, double factor)
{
    const struct gzc_unknown *u = &w->fit.unknown[j];
    return !u->at_bound && (u->determined < 0.5 || u->sd * factor > u->value);
}

/* Puts a found value into its file, with what the runs leave open. */
static void put(const struct work *w, const struct gzc_quality *quality, int j,
                struct gzc_calibration *result)
{
    const struct gzc_unknown *u = &w->fit.unknown[j];
    struct gzc_entry *entry =
        u->app < 0 ? &result->device.entries[u->param] : &result->apps[u->app].entries[u->param];
    double was = entry->value;
    *entry = gzc_entry_of(u->value, u->sd * quality->factor, GZ_ORIGIN_FITTED,
                          "gz2: %d runs, %d %s in processes of their own each", quality->used,
                          w->runs->tries, w->runs->tries == 1 ? "try" : "tries");
    if (was > 0)
        gzc_note(entry, "; drawn towards %.4g, what its microbenchmark gave", was);
    if (u->at_bound)
        gzc_note(entry, "; at its bound");
    else if (is_weak(w, j, quality->factor))
        gzc_note(entry, "; the runs hardly determine it");
    if (u->alike >= 0)
        gzc_note(entry, "; hardly distinguished from %s",
                 gz_param_about(w->fit.unknown[u->alike].param)->name);
}

/* Says of a variant's quantities and runs how good they are. */
static void note_file(const struct work *w, gz_variant variant, const struct gzc_quality *quality,
                      char *note, size_t size)
{
    size_t at = strlen(note);
    bool trapezoid = variant == GZ_VARIANT_TRAPEZOID;
    int alike = 0, weakly = 0;
    for (int j = 0; j < w->fit.unknown_count; j++)
        if (variant_of(w, j) == variant) {
            alike += w->fit.unknown[j].alike >= 0;
            weakly += is_weak(w, j, quality->factor);
        }
    snprintf(
        note + at, size - at,
        "; gz2%s%s: %d parameters fitted to %d runs; runs left out are %.3g %% off in the median, "
        "95 %% within a factor of %.3g; tries scatter by %.2g %%; %d parameters are hardly "
        "distinguished from another and %d hardly determined, see their notes",
        trapezoid ? "" : ", variant ", trapezoid ? "" : gz_name(GZ_VARIANTS, variant),
        unknowns_of(w, variant), quality->used, 100 * quality->error, exp(quality->width),
        100 * gzc_runs_scatter(w->runs), alike, weakly);
}

/* An edge that moved from sample to sample has no sharpness of its own, nor one that is as soft as
 * the benchmark tries: then there are several steps, of several caches. The model's default counts.
 */
static void forget_sharpness(struct gzc_calibration *result)
{
    static const double sure = 0.1, soft = 1.01;
    struct gzc_entry *entries = result->device.entries;
    struct gzc_entry *cache = &entries[gz_param_by_name("effective_cache")];
    struct gzc_entry *sharpness = &entries[gz_param_by_name("cache_sharpness")];
    bool moved = cache->sd > sure * cache->value;
    if (!moved && !(sharpness->value > 0 && sharpness->value < soft))
        return;
    *sharpness = (struct gzc_entry){0};
    gzc_note(cache, moved ? "; it moved, so the sharpness is the model's own"
                          : "; no single step, so the sharpness is the model's own");
}

/* ------------------------------------------------------------------------------------------ fit */

static bool solve(struct work *w)
{
    struct gzc_fit *fit = &w->fit;
    if (fit->run_count < fit->unknown_count + SPARE) {
        snprintf(w->failed, sizeof w->failed,
                 "only %d of its runs could be made, for %d parameters", fit->run_count,
                 fit->unknown_count);
        return false;
    }
    if (!gzc_fit_left_out(fit, FOLDS, w->residual) || !gzc_fit_solve(fit, NULL) ||
        !fit->converged) {
        snprintf(w->failed, sizeof w->failed, "the fit to %d runs did not converge",
                 fit->run_count);
        return false;
    }
    for (int i = 0; i < fit->run_count; i++)
        if (is_stage(w, &w->run[i]))
            w->residual[i] = (double)NAN;
    return true;
}

/* A GPU's trapezoids alone, if with other variants' runs the fit does not converge. */
static bool solve_most(struct work *w)
{
    if (solve(w))
        return true;
    if (w->is_cpu || runs_of(w, GZ_VARIANT_TRAPEZOID) == w->fit.run_count)
        return false;
    for (int v = GZ_VARIANT_STREAM; v < VARIANTS; v++)
        if (runs_of(w, (gz_variant)v) > 0)
            leave_out(w, (gz_variant)v, w->failed);
    return solve(w);
}

/* Fits what the runs determine, with the measured values as priors. */
static bool solve_any(struct work *w)
{
    bool solved;
    do
        solved = solve_most(w);
    while (solved && keep_one(w));
    return solved;
}

static bool open_files(struct work *w, const struct gzc_calibration *result)
{
    gz_device *dev = &w->fit.dev;
    gzc_device_of(&result->device, dev, NULL);
    const char *missing = !gz_quantity_stated(&dev->warp_size)
                              ? "warp_size, which the driver does not state"
                          : isnan(gz_get(dev, "effective_cache"))
                              ? "effective_cache: no edge of the last cache is in sight of the "
                                "sizes that were copied"
                              : NULL;
    if (missing) {
        snprintf(w->failed, sizeof w->failed, "there is no %s", missing);
        return false;
    }
    for (int a = 0; a < result->app_count; a++) {
        gzc_app_of(&result->apps[a], &w->app[a], NULL);
        if (w->runs->registers[a] > 0 && !w->is_cpu)
            w->app[a].registers_per_thread =
                (gz_quantity){w->runs->registers[a], 0, GZ_ORIGIN_QUERY};
    }
    w->fit.apps = w->app;
    w->fit.app_count = result->app_count;
    w->fit.runs = w->run;
    return true;
}

/* The device's time of 4 bytes read, for stencils that are not calibrated: the median of the
 * stencils' own times over what they read. Its deviation is the root mean square of the logarithms,
 * as far as stencils are from it. Absent unless there are SPARE of them. */
static struct gzc_entry read_time(const gz_app *apps, int n, int param)
{
    double ratio[GZC_MAX_APPS], squares = 0;
    int count = 0;
    for (int a = 0; a < n; a++) {
        gz_app app = apps[a];
        const gz_quantity *own = gz_param_quantity(NULL, &app, param);
        double words = app.tile_reads.value * app.element_size.value / 4;
        if (own->value > 0 && words > 0)
            ratio[count++] = own->value / words;
    }
    if (count < SPARE)
        return (struct gzc_entry){0};
    double value = gzc_median(ratio, count).value;
    for (int k = 0; k < count; k++)
        squares += log(ratio[k] / value) * log(ratio[k] / value);
    return gzc_entry_of(value, value * sqrt(squares / count), GZ_ORIGIN_FITTED,
                        "gz2: median of %d stencils' times", count);
}

void gzc_read_times(const gz_app *apps, int n, struct gzc_entry entries[GZ_PARAM_CAPACITY])
{
    static const char *const times[][2] = {{"read_time", "cell_time"},
                                           {"stream_read_time", "stream_cell_time"},
                                           {"naive_read_time", "naive_cell_time"}};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        entries[gz_param_by_name(times[k][0])] = read_time(apps, n, gz_param_by_name(times[k][1]));
}

/* Fits all variants' quantities together, since they share what synchronisation and exchange take,
 * and puts them into the files' contents. */
static bool fit_all(struct work *w, struct gzc_calibration *result, struct gzc_quality *quality)
{
    char *note = result->device.note;
    if (!open_files(w, result))
        return false;
    for (int i = 0; i < w->runs->n; i++)
        add_run(w, i);
    gzc_unknowns_make(&w->fit, w->is_cpu);
    for (int v = GZ_VARIANT_STREAM; v < VARIANTS; v++)
        leave_out_few(w, (gz_variant)v);
    if (!solve_any(w))
        return false;
    for (int v = GZ_VARIANT_TRAPEZOID; v < VARIANTS; v++) {
        struct gzc_quality own = quality_of(w, (gz_variant)v);
        for (int j = 0; j < w->fit.unknown_count; j++)
            if (variant_of(w, j) == (gz_variant)v)
                put(w, &own, j, result);
        if (own.used > 0)
            note_file(w, (gz_variant)v, &own, note, sizeof result->device.note);
        if (v == GZ_VARIANT_TRAPEZOID)
            *quality = own;
    }
    for (int k = 0; k < w->kept_count; k++)
        put_kept(w, &w->kept[k], result->device.entries);
    if (w->is_cpu) {
        for (int a = 0; a < result->app_count; a++)
            gzc_app_of(&result->apps[a], &w->app[a], NULL);
        gzc_read_times(w->app, result->app_count, result->device.entries);
    }
    size_t at = strlen(note);
    if (w->left_out[0])
        snprintf(note + at, sizeof result->device.note - at, "; %s", w->left_out);
    return true;
}

/* Synchronisation by a GPU's microbenchmarks, where runs do not determine it; a fence is that of
 * all blocks that run at once. */
static void keep_measured(struct gzc_entry *entries, const char *why)
{
    double blocks = entries[GZ_P_SM_COUNT].value * entries[GZ_P_BLOCKS_PER_SM].value;
    const struct {
        const char *key;
        double cycles;
    } kept[] = {{"stage_launch", entries[GZ_P_LAUNCH_OVERHEAD].value},
                {"stage_graph", entries[GZ_P_GRAPH_OVERHEAD].value},
                {"stage_fence", entries[GZ_P_FENCE_INTERCEPT].value +
                                    entries[GZ_P_FENCE_OVERHEAD].value * blocks}};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        if (kept[k].cycles > 0 && entries[GZ_P_CLOCK_RATE].value > 0)
            entries[gz_param_by_name(kept[k].key)] =
                gzc_entry_of(kept[k].cycles / entries[GZ_P_CLOCK_RATE].value, 0, GZ_ORIGIN_MEASURED,
                             "its microbenchmark's: %s", why);
}

bool gzc_quantities_fit(const struct gzc_runs *runs, bool is_cpu, struct gzc_calibration *result,
                        struct gzc_quality *quality, char *why, size_t size)
{
    struct work *w = cli_room(1, sizeof *w);
    forget_sharpness(result);
    w->runs = runs;
    w->is_cpu = is_cpu;
    bool done = fit_all(w, result, quality);
    snprintf(why, size, "%s", done ? w->left_out : w->failed);
    free(w);
    if (!done && !is_cpu)
        keep_measured(result->device.entries, why);
    for (int a = 0; a < result->app_count && done; a++)
        if (runs->registers[a] > 0 && !is_cpu)
            result->apps[a].entries[GZ_P_REGISTERS_PER_THREAD] =
                gzc_entry_of(runs->registers[a], 0, GZ_ORIGIN_QUERY, "of the compiled kernel");
    return done;
}
