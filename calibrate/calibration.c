/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibration.h"

#include "counters.h"
#include "fit.h"
#include "microbench.h"
#include "oclgrind.h"
#include "profile.h"
#include "query.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With seven rounds an interval reaches to the extremes; with 21 five disturbed ones in a tail do
 * no harm (gzc_median). */
enum { ROUNDS = 21, QUICK_ROUNDS = 7 };

/* Length of the longest point of a measurement, seconds: long against a timer's step, and short
 * enough to fall between two interrupts or turns of a scheduler now and then. */
static const double sample_s = 0.002, quick_sample_s = 0.001;

/* No round begins after this, seconds, but for the first QUICK_ROUNDS. */
static const double budget_s = 30, quick_budget_s = 5;

/* A clock that is this unsure is not the device's own doing. */
static const double restless = 0.05;

/* On a CPU: by what runs differ besides, a relative standard deviation, and rounds of one run do
 * not; where memory and code happen to lie, say. From six runs of all stencils on a CPU of two
 * cores. */
static const double between_runs = 0.02;

/* Two counts of the same instructions that differ by no more than this agree: a share. */
static const double same_count = 0.01;

/* What the paper measured on the GTX 280, for what cannot be measured here, and what it assumed. */
static const double paper_fence_overhead = 210.3, paper_mu = 0.5, paper_beta = 0.5, paper_sigma = 5;

/* Everything between the queries and the files. */
struct workshop {
    struct gzk_device *device;
    const struct gzc_request *request;
    struct gzc_query query;
    struct gzc_lab *lab;
    int rounds, profile_count;
    struct gzc_profile *profiles[GZC_MAX_APPS];
    double samples[GZC_PROPERTIES][GZC_MAX_SAMPLES];
    double misc_s[GZC_MAX_APPS][GZC_MAX_SAMPLES], iter_s[GZC_MAX_APPS][GZC_MAX_SAMPLES];
    struct gzc_estimate property[GZC_PROPERTIES]; /* value NaN where there is none */
    struct gzc_estimate clock;                    /* Hz */
};

void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE])
{
    snprintf(name, GZ_NAME_SIZE, "%.*s", GZ_NAME_SIZE - 1, device->info.name);
    if (!name[0])
        snprintf(name, GZ_NAME_SIZE, "%s", device->info.address);
}

double gzc_calibration_work(const struct gzc_request *request, int apps)
{
    int rounds = request->quick ? QUICK_ROUNDS : ROUNDS;
    return 1 + (double)rounds * (gzc_bench_count + apps) + apps + (request->fit ? 4.0 * apps : 0);
}

/* --------------------------------------------------------------------------------- measuring */

static int prepare(struct workshop *w, struct gzk_error *error)
{
    const struct gzc_request *request = w->request;
    int status = gzc_lab_open(w->device, request->quick ? quick_sample_s : sample_s, request->stop,
                              &w->lab, error);
    for (size_t s = 0;
         s < gzk_stencil_count && status == 0 && !*request->stop && w->profile_count < GZC_MAX_APPS;
         s++) {
        const struct gzk_stencil *stencil = &gzk_stencils[s];
        if (request->stencil && request->stencil != stencil)
            continue;
        status = gzc_profile_open(w->device, stencil, w->device->info.cache_bytes,
                                  &w->profiles[w->profile_count], error);
        w->profile_count += status == 0;
    }
    return status;
}

/* One round of everything. */
static int run_round(struct workshop *w, int round, struct gzk_error *error)
{
    struct gzc_samples samples;
    int status = 0;
    for (int p = 0; p < GZC_PROPERTIES; p++)
        samples.value[p] = (double)NAN;
    for (int b = 0; b < gzc_bench_count && status == 0; b++) {
        gzc_progress_step(w->request->progress, 1, gzc_bench_name(b));
        status = gzc_bench_run(w->lab, b, &samples, error);
    }
    for (int p = 0; p < GZC_PROPERTIES; p++)
        w->samples[p][round] = samples.value[p];
    for (int a = 0; a < w->profile_count && status == 0; a++) {
        struct gzc_costs costs;
        gzc_progress_step(w->request->progress, 1, "stencils");
        status = gzc_profile_time(w->profiles[a], w->request->stop, &costs, error);
        w->misc_s[a][round] = costs.misc.value;
        w->iter_s[a][round] = costs.iter.value;
    }
    return status;
}

static int run_rounds(struct workshop *w, struct gzk_error *error)
{
    bool quick = w->request->quick;
    double end_s = gzc_now() + (quick ? quick_budget_s : budget_s);
    int rounds = quick ? QUICK_ROUNDS : ROUNDS, status = 0;
    for (int r = 0; r < rounds && status == 0 && (r < QUICK_ROUNDS || gzc_now() < end_s); r++) {
        status = run_round(w, r, error);
        w->rounds = r + 1;
    }
    return status;
}

/* The median of those samples that are numbers; NaN where fewer than half are. */
static struct gzc_estimate reduce(const double *samples, int rounds)
{
    double valid[GZC_MAX_SAMPLES];
    int n = 0;
    for (int r = 0; r < rounds; r++)
        if (isfinite(samples[r]))
            valid[n++] = samples[r];
    if (2 * n < rounds)
        return (struct gzc_estimate){.value = (double)NAN};
    return gzc_median(valid, n);
}

/* The same for what is a time: on a CPU with what other runs would give. */
static struct gzc_estimate reduce_times(const struct workshop *w, const double *samples)
{
    struct gzc_estimate e = reduce(samples, w->rounds);
    if (w->device->info.is_cpu)
        e.sd = hypot(e.sd, between_runs * e.value);
    return e;
}

static int reduce_all(struct workshop *w, struct gzk_error *error)
{
    for (int p = 0; p < GZC_PROPERTIES; p++)
        w->property[p] =
            p == GZC_CLOCK ? reduce(w->samples[p], w->rounds) : reduce_times(w, w->samples[p]);
    w->clock = w->property[GZC_CLOCK];
    if (!isfinite(w->clock.value))
        w->clock = (struct gzc_estimate){.value = w->device->info.clock_hz};
    if (!(w->clock.value > 0))
        return gzk_fail(error, GZK_FAILED,
                        "%s: its clock can neither be measured nor does the driver state it",
                        w->device->info.address);
    static const enum gzc_property needed[] = {GZC_BANDWIDTH, GZC_LATENCY, GZC_RESTART,
                                               GZC_INSTRUCTION};
    static const char *const names[] = {"memory bandwidth", "memory latency", "kernel restart",
                                        "instruction"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(w->property[needed[i]].value > 0))
            return gzk_fail(
                error, GZK_FAILED,
                "%s: most timings of the %s did not grow with the work; try again when the "
                "device is idle, without --quick",
                w->device->info.address, names[i]);
    if (w->clock.sd > restless * w->clock.value) {
        char text[200];
        snprintf(
            text, sizeof text,
            "the clock seemed to vary by %.0f %%: something else uses the device; the deviations "
            "say how far to trust this",
            100 * w->clock.sd / w->clock.value);
        w->request->warn(text);
    }
    return 0;
}

/* ----------------------------------------------------------------------------------- entries */

/* Adds to a note; what does not fit is cut. */
__attribute__((format(printf, 2, 3))) static void add_to_note(struct gzc_entry *entry,
                                                              const char *text, ...)
{
    size_t at = strlen(entry->note);
    va_list values;
    va_start(values, text);
    vsnprintf(entry->note + at, sizeof entry->note - at, text, values);
    va_end(values);
}

/* A measured property in its unit, or in cycles, with its note. */
static struct gzc_entry measured(const struct workshop *w, enum gzc_property property, bool cycles)
{
    struct gzc_estimate e = w->property[property];
    char note[250];
    if (cycles)
        e = gzc_multiply(e, w->clock);
    gzc_lab_note(w->lab, property, note, sizeof note);
    return gzc_entry_of(e.value, e.sd, GZ_ORIGIN_MEASURED, "%s%s", note,
                        e.drifting ? "; drifted while measured" : "");
}

/* Why a property is not measured. */
static const char *reason(const struct workshop *w, enum gzc_property property)
{
    const char *why = gzc_lab_why(w->lab, property);
    return why[0] ? why : "most of its timings made no line";
}

/* What the driver says, where it says it; absent otherwise. */
static struct gzc_entry queried(double value)
{
    return value > 0 ? gzc_entry_of(value, 0, GZ_ORIGIN_QUERY, "%s", "") : (struct gzc_entry){0};
}

static struct gzc_entry clock_entry(const struct workshop *w)
{
    if (isfinite(w->property[GZC_CLOCK].value))
        return measured(w, GZC_CLOCK, false);
    return gzc_entry_of(w->clock.value, 0, GZ_ORIGIN_QUERY, "nominal: %s", reason(w, GZC_CLOCK));
}

/* The slope of the fence's line, which the model takes as not negative. */
static void fence_entries(const struct workshop *w, struct gzc_device_file *file)
{
    struct gzc_entry *slope = &file->entries[GZ_P_FENCE_OVERHEAD];
    if (!isfinite(w->property[GZC_FENCE_SLOPE].value)) {
        *slope = gzc_entry_of(paper_fence_overhead, 0, GZ_ORIGIN_PAPER,
                              "the GTX 280's; not measured here: %s", reason(w, GZC_FENCE_SLOPE));
        return;
    }
    *slope = measured(w, GZC_FENCE_SLOPE, true);
    if (slope->value < 0) {
        add_to_note(slope, "; the line fell by %.3g, taken as 0", -slope->value);
        slope->value = 0;
    }
    file->entries[GZ_P_FENCE_INTERCEPT] = measured(w, GZC_FENCE_INTERCEPT, true);
}

/* Blocks of the reference kernel, with those of the other stencils in the note. */
static struct gzc_entry blocks_entry(const struct workshop *w)
{
    char others[200] = "";
    bool known = false;
    int blocks = 0;
    for (int a = 0; a < w->profile_count; a++) {
        const char *name = gzc_profile_stencil(w->profiles[a])->name;
        int each = gzc_profile_blocks_per_sm(w->profiles[a], &known);
        if (blocks == 0 || strcmp(name, "hotspot") == 0)
            blocks = each;
        size_t at = strlen(others);
        snprintf(others + at, sizeof others - at, "%s%s %d", at ? ", " : "", name, each);
    }
    return gzc_entry_of(blocks, 0, known ? GZ_ORIGIN_QUERY : GZ_ORIGIN_DEFAULT,
                        "at the default blocks: %s", others);
}

static void fill_device(const struct workshop *w, struct gzc_device_file *file)
{
    const struct gzk_device_info *info = &w->device->info;
    const struct gzc_query *query = &w->query;
    struct gzc_entry *e = file->entries;
    time_t now = time(NULL);
    struct tm date;
    char day[20] = "";
    if (gmtime_r(&now, &date))
        strftime(day, sizeof day, "%Y-%m-%d", &date);
    gzc_device_name(w->device, file->name);
    snprintf(file->note, sizeof file->note, "%s, %s%s%s, %s, %s", info->name, info->driver,
             query->identity[0] ? ", " : "", query->identity, day, w->request->command);

    e[GZ_P_CLOCK_RATE] = clock_entry(w);
    e[GZ_P_MEM_BANDWIDTH] = measured(w, GZC_BANDWIDTH, false);
    e[GZ_P_UNCONTENDED_LATENCY] = measured(w, GZC_LATENCY, true);
    e[GZ_P_SM_COUNT] = queried(info->units);
    e[GZ_P_BLOCKS_PER_SM] = blocks_entry(w);
    e[GZ_P_CPI] = measured(w, GZC_INSTRUCTION, true);
    e[GZ_P_LAUNCH_OVERHEAD] = measured(w, GZC_RESTART, true);
    fence_entries(w, file);
    e[GZ_P_FENCE_EXPOSURE] = gzc_entry_of(paper_mu, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_LATENCY_HIDING] = gzc_entry_of(paper_beta, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_DIMENSION_PENALTY] = gzc_entry_of(paper_sigma, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_MAX_THREADS_PER_BLOCK] = queried(info->max_threads);
    if (isfinite(w->property[GZC_GRAPH].value))
        e[GZ_P_GRAPH_OVERHEAD] = measured(w, GZC_GRAPH, true);
    e[GZ_P_SHARED_MEM_PER_BLOCK] = queried((double)info->local_bytes);
    e[GZ_P_CLOCK_RATE_NOMINAL] = queried(info->clock_hz);
    e[GZ_P_MEMORY_CLOCK] = queried(query->memory_clock_hz);
    e[GZ_P_MEMORY_BUS_WIDTH] = queried(query->memory_bus_width_bits);
    e[GZ_P_MEMORY_SIZE] = queried((double)info->memory_bytes);
    e[GZ_P_CACHE_SIZE] = queried((double)info->cache_bytes);
    if (isfinite(w->property[GZC_CACHE_BANDWIDTH].value))
        e[GZ_P_CACHE_BANDWIDTH] = measured(w, GZC_CACHE_BANDWIDTH, false);
    e[GZ_P_SHARED_MEM_PER_SM] = queried(query->shared_per_sm_bytes);
    e[GZ_P_REGISTERS_PER_SM] = queried(query->registers_per_sm);
    e[GZ_P_MAX_THREADS_PER_SM] = queried(query->threads_per_sm);
    e[GZ_P_MAX_BLOCKS_PER_SM] = queried(query->blocks_per_sm);
    if (query->cooperative_launch >= 0)
        e[GZ_P_COOPERATIVE_LAUNCH] =
            gzc_entry_of(query->cooperative_launch, 0, GZ_ORIGIN_QUERY, "%s", "");
}

/* ------------------------------------------------------------------------------ applications */

/* InstsPerSM from warp instructions per cell: times N over M; what noise made negative is 0. */
static struct gzc_entry insts_entry(const struct workshop *w, const struct gzc_profile *profile,
                                    struct gzc_estimate per_cell, gz_origin origin,
                                    const char *note)
{
    double scale = gzc_profile_elements(profile) / w->device->info.units;
    return gzc_entry_of(fmax(per_cell.value, 0) * scale, per_cell.sd * scale, origin, "%s%s%s",
                        note, per_cell.value < 0 ? "; below 0 within noise, taken as 0" : "",
                        per_cell.drifting ? "; drifted while measured" : "");
}

/* From time: only the product of instructions and CPI enters the model, so seconds per cell over
 * seconds per instruction give the instructions that go with the CPI of the device's file. */
static void fill_timed(const struct workshop *w, int a, struct gzc_app_file *app)
{
    const struct gzc_profile *profile = w->profiles[a];
    struct gzc_estimate one = w->property[GZC_INSTRUCTION];
    struct gzc_estimate misc = gzc_divide(reduce_times(w, w->misc_s[a]), one);
    struct gzc_estimate iter = gzc_divide(reduce_times(w, w->iter_s[a]), one);
    app->insts_misc = insts_entry(w, profile, misc, GZ_ORIGIN_MEASURED,
                                  "time on cached data over time of an instruction: the intercept");
    app->insts_iter = insts_entry(w, profile, iter, GZ_ORIGIN_MEASURED,
                                  "time on cached data over time of an instruction: the slope");
    app->conflict_rate =
        gzc_entry_of(0, 0, GZ_ORIGIN_DEFAULT, "conflicts are in the time that was measured");
}

static int fill_counted(const struct workshop *w, int a, struct gzc_counters *counters,
                        struct gzc_app_file *app, struct gzk_error *error)
{
    struct gzc_costs costs;
    double conflicts;
    int status =
        gzc_profile_count(w->profiles[a], counters, w->request->stop, &costs, &conflicts, error);
    if (status != 0)
        return status;
    app->insts_misc = insts_entry(w, w->profiles[a], costs.misc, GZ_ORIGIN_COUNTED,
                                  gzc_counter_metric(GZC_WARP_INSTRUCTIONS));
    app->insts_iter = insts_entry(w, w->profiles[a], costs.iter, GZ_ORIGIN_COUNTED,
                                  gzc_counter_metric(GZC_WARP_INSTRUCTIONS));
    app->conflict_rate =
        gzc_entry_of(conflicts, 0, GZ_ORIGIN_COUNTED, "%s", gzc_counter_metric(GZC_BANK_CONFLICTS));
    /* The same by time, for whoever wants to know how far the two agree. */
    struct gzc_estimate timed =
        gzc_divide(reduce(w->iter_s[a], w->rounds), w->property[GZC_INSTRUCTION]);
    add_to_note(&app->insts_iter, "; by time on cached data %.4g",
                timed.value * gzc_profile_elements(w->profiles[a]) / w->device->info.units);
    return 0;
}

/* Oclgrind's counts go beside what was measured, not in its place: they are of another machine's
 * instructions, so only their proportion compares. */
static int fill_simulated(const struct workshop *w, int a, const struct gzc_simulator *simulator,
                          struct gzc_app_file *app, struct gzk_error *error)
{
    const struct gzk_device_info *info = &w->device->info;
    struct gzc_simulated simulated;
    int status = gzc_simulate(simulator, gzc_profile_stencil(w->profiles[a]), info->max_threads,
                              info->is_cpu, w->request->stop, &simulated, error);
    if (status != 0)
        return status;
    double timed = reduce(w->misc_s[a], w->rounds).value / reduce(w->iter_s[a], w->rounds).value;
    add_to_note(&app->insts_misc,
                "; Oclgrind counts %.4g LLVM instructions a cell, %.3g of a loop's (by time %.3g)",
                simulated.misc, simulated.misc / simulated.iter, timed);
    add_to_note(
        &app->insts_iter,
        "; Oclgrind counts %.4g LLVM instructions a cell, %.3g of them loads of device memory",
        simulated.iter, simulated.loads_iter);
    return 0;
}

/* Says of one quantity how it compares with the count by address, in its own unit. */
static void compare_places(struct gzc_entry *entry, double by_place)
{
    double difference = fabs(by_place - entry->value), largest = fmax(by_place, entry->value);
    double share = largest > 0 ? difference / largest : 0;
    if (entry->origin != GZ_ORIGIN_COUNTED)
        add_to_note(entry, "; %s, by address, counts %.4g", gzc_sass_metric, by_place);
    else if (share <= same_count)
        add_to_note(entry, "; %s, by address, agrees within %.2g %%", gzc_sass_metric,
                    fmax(100 * share, 0.001));
    else
        add_to_note(entry, "; %s, by address, does not agree: %.4g, %.3g %% off", gzc_sass_metric,
                    by_place, 100 * share);
}

/* Confirms how the instructions divide, by SASS metrics, or says in the notes why not. They come
 * last, since they patch the kernels. */
static int confirm_apps(const struct workshop *w, struct gzc_calibration *result,
                        struct gzk_error *error)
{
    struct gzc_sass *sass = NULL;
    struct gzk_error why = {.text = ""};
    const char *colon = strchr(w->device->info.address, ':');
    if (w->device->backend != &gzk_cuda || !colon)
        return 0;
    bool able = gzc_sass_open(atoi(colon + 1), gzc_cuda_context(), &sass, &why) == 0;
    for (int a = 0; a < w->profile_count && !*w->request->stop; a++) {
        struct gzc_app_file *app = &result->apps[a];
        struct gzc_costs costs;
        double scale = gzc_profile_elements(w->profiles[a]) / w->device->info.units;
        if (able)
            able =
                gzc_profile_count_places(w->profiles[a], sass, w->request->stop, &costs, &why) == 0;
        if (able) {
            compare_places(&app->insts_misc, costs.misc.value * scale);
            compare_places(&app->insts_iter, costs.iter.value * scale);
        } else {
            add_to_note(&app->insts_misc, "; not confirmed by SASS metrics: %s", why.text);
            add_to_note(&app->insts_iter, "; not confirmed by SASS metrics: %s", why.text);
        }
    }
    gzc_sass_close(sass);
    return *w->request->stop ? gzk_fail(error, GZK_FAILED, "interrupted") : 0;
}

static void fill_app(const struct workshop *w, int a, struct gzc_app_file *app)
{
    const struct gzk_stencil *stencil = gzc_profile_stencil(w->profiles[a]);
    char shape[200];
    snprintf(app->stem, sizeof app->stem, "%s", stencil->name);
    snprintf(app->name, sizeof app->name, "%s", stencil->name);
    app->name[0] = (char)toupper((unsigned char)app->name[0]);
    gzc_device_name(w->device, app->device);
    app->sm_count = w->device->info.units;
    gzc_profile_describe(w->profiles[a], shape, sizeof shape);
    snprintf(app->note, sizeof app->note, "%s; %s", shape, w->request->command);
    app->dim = stencil->dimensions;
    for (int i = 0; i < stencil->dimensions; i++)
        app->halo_width[i] = 2 * stencil->radius[i];
    app->element_bytes = (double)gzk_type_bytes(stencil->type);
    app->stencil_arrays = gzk_stencil_arrays(stencil);
    app->elements_per_op = stencil->fresh_arrays;
    app->elements = gzc_profile_elements(w->profiles[a]);
}

/* Counters where they may be had; why not is said once, and is no failure. */
static struct gzc_counters *open_counters(const struct workshop *w)
{
    struct gzc_counters *counters = NULL;
    struct gzk_error why = {.text = ""};
    const char *colon = strchr(w->device->info.address, ':');
    if (w->device->backend != &gzk_cuda || !colon)
        return NULL;
    if (gzc_counters_open(atoi(colon + 1), gzc_cuda_context(), &counters, &why) == 0)
        return counters;
    char text[sizeof why.text + 80];
    snprintf(text, sizeof text, "%s; instructions are measured in time instead", why.text);
    w->request->warn(text);
    return NULL;
}

/* Whether there is a second source; why not is said where it was asked for. */
static bool find_simulator(const struct workshop *w, struct gzc_simulator *simulator)
{
    const struct gzc_request *request = w->request;
    const struct gzk_device_info *info = &w->device->info;
    struct gzk_error why = {.text = ""};
    char text[sizeof why.text + 80];
    bool asked = request->second == GZC_SECOND_OCLGRIND;
    bool fits = w->device->backend == &gzk_opencl && info->is_cpu && !request->quick;
    if (!asked && (request->second == GZC_SECOND_NONE || !fits))
        return false;
    /* A simulation in the simulator would take hours. */
    bool inside = strstr(info->driver, "Oclgrind") != NULL;
    if (!inside && gzc_simulator_find(simulator, &why) == 0)
        return true;
    snprintf(text, sizeof text, "no counts by Oclgrind: %s",
             inside ? "this device is Oclgrind's own" : why.text);
    if (asked)
        request->warn(text);
    return false;
}

static int fill_apps(const struct workshop *w, struct gzc_calibration *result,
                     struct gzk_error *error)
{
    int status = 0;
    struct gzc_counters *counters = open_counters(w);
    struct gzc_simulator simulator;
    bool simulate = find_simulator(w, &simulator);
    for (int a = 0; a < w->profile_count && status == 0; a++) {
        struct gzc_app_file *app = &result->apps[a];
        gzc_progress_step(w->request->progress, 1, "instruction counts");
        fill_app(w, a, app);
        fill_timed(w, a, app);
        if (counters && fill_counted(w, a, counters, app, error) != 0) {
            if (*w->request->stop)
                status = GZK_FAILED;
            else
                w->request->warn(error->text);
            gzc_counters_close(counters);
            counters = NULL;
        }
        if (status == 0 && simulate && fill_simulated(w, a, &simulator, app, error) != 0) {
            if (*w->request->stop)
                status = GZK_FAILED;
            else
                w->request->warn(error->text);
            simulate = false;
        }
    }
    gzc_counters_close(counters);
    result->app_count = w->profile_count;
    return status == 0 ? confirm_apps(w, result, error) : status;
}

int gzc_calibrate(struct gzk_device *device, const struct gzc_request *request,
                  struct gzc_calibration *result, struct gzk_error *error)
{
    struct workshop *w = calloc(1, sizeof *w);
    if (!w)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    *result = (struct gzc_calibration){0};
    w->device = device;
    w->request = request;
    gzc_progress_step(request->progress, 1, "kernels");
    gzc_query(device, &w->query);
    int status = prepare(w, error);
    if (status == 0)
        status = run_rounds(w, error);
    if (status == 0)
        status = reduce_all(w, error);
    if (status == 0) {
        fill_device(w, &result->device);
        status = fill_apps(w, result, error);
    }
    /* The fit needs memory of its own. */
    gzc_lab_close(w->lab);
    for (int a = 0; a < w->profile_count; a++)
        gzc_profile_close(w->profiles[a]);
    free(w);
    if (status == 0 && request->fit)
        status = gzc_fit_factors(device, request, result, error);
    if (*request->stop)
        return gzk_fail(error, GZK_FAILED, "interrupted; nothing was written");
    return status;
}
