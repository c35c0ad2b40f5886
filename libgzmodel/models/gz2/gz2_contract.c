/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_contract.c - gz2 behind the contract of models/model.h: checks, predictions in
 * cycles, and their derivatives by the quantities.
 */
#include "gz2_contract.h"
#include "fail.h"
#include "gz2_parts.h"
#include "model.h"
#include "quantities.h"
#include "tiling.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The workspace of searches: device and application once for all configurations. */
typedef struct work_t {
    const gz_device *dev;
    const gz_app *app;
    gzi_gz2 model;
} work_t;

/* Loops of the run that per-step arrays are as long as, if the configuration does not say: as many
 * as the paper's adaptive runs. */
enum { LOOPS = 30 };

static gzi_gz2_config make_config(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                                  double h)
{
    gzi_gz2_config config = {.way = gzi_way_of(dev, app, cfg, (int)h),
                             .grid = {1, 1, 1},
                             .loops = fmax(h, cfg->loops > 0 ? cfg->loops : LOOPS),
                             .run_share = cfg->loops > 0 ? 1 / fmax(h, cfg->loops) : 0};
    for (int i = 0; i < app->dim; i++)
        config.grid[i] = (long)cfg->data_length[i];
    return config;
}

/* -------------------------------------------------------------------------------------- checks */

static gz_status missing(gz_error *error, const char *what, const char *why)
{
    return gzi_fail(error, GZ_EDEVICE,
                    "device: %s is missing: model gz2 needs %s (gz-calibrate measures it)", what,
                    why);
}

static const char *name_of(gzi_gz2_parameter j)
{
    return gz_param_about(GZI_P_OWN + (int)j)->name;
}

/* What a device must state, and for what: those of its kind, for the quantity's modes, and for its
 * variant or for all. */
static const struct {
    gzi_gz2_parameter of;
    int for_all;
    const char *why;
} needs[] = {
    {GZI_GZ2_EFFECTIVE_CACHE, 1, "the measured size of the last cache"},
    {GZI_GZ2_STAGE_LAUNCH, 1, "what launching a stage takes"},
    {GZI_GZ2_STAGE_FENCE, 1, "what a fence between stages takes"},
    {GZI_GZ2_STAGE_GRAPH, 1, "what launching a stage from a graph takes"},
    {GZI_GZ2_STREAM_COPY, 0, "what copying a byte into a tile of variant stream takes on a CPU"},
    {GZI_GZ2_STREAM_ROW, 0, "what a row of variant stream takes on a CPU"},
    {GZI_GZ2_NAIVE_ROW, 0, "what a row of variant naive takes on a CPU"},
    {GZI_GZ2_COPY_CELL, 0, "what copying an element into a tile takes on a CPU"},
    {GZI_GZ2_CACHE_BANDWIDTH, 1, "the bandwidth of a GPU's last cache"}};

static int needs_it(const gz_device *dev, const gz_config *cfg, size_t k)
{
    const gz_param_fit *about = &gzi_quantities[GZI_P_OWN + (int)needs[k].of].about.fit;
    return gzi_gz2_is_for(needs[k].of, dev) && (!about->syncs || about->syncs & 1u << cfg->sync) &&
           (needs[k].for_all || about->variant == cfg->variant);
}

static gz_status check_device(const gz_device *dev, const gz_config *cfg, gz_error *error)
{
    if (!gzi_stated(&dev->warp_size))
        return missing(error, "warp_size", "the threads that issue together, 1 on CPUs");
    for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
        if (needs_it(dev, cfg, k) && !gzi_stated(gzi_own(dev, NULL, needs[k].of)))
            return missing(error, name_of(needs[k].of), needs[k].why);
    if (!gzi_is_cpu(dev) && !gzi_stated(&dev->shared_mem_per_sm))
        return missing(error, "shared_mem_per_sm",
                       "what limits the blocks that a multiprocessor holds, and vendors state");
    return GZ_OK;
}

/* What computing an element takes on a CPU: of the application, and else of the device. */
static const struct {
    gzi_gz2_parameter own, by_reads;
    const char *where;
} element_times[] = {
    [GZ_VARIANT_TRAPEZOID] = {GZI_GZ2_CELL_TIME, GZI_GZ2_READ_TIME, ""},
    [GZ_VARIANT_STREAM] = {GZI_GZ2_STREAM_CELL_TIME, GZI_GZ2_STREAM_READ_TIME,
                           "in a tile of variant stream "},
    [GZ_VARIANT_NAIVE] = {GZI_GZ2_NAIVE_CELL_TIME, GZI_GZ2_NAIVE_READ_TIME, "by variant naive "}};

static int states_own(const gz_app *app, gz_variant variant)
{
    return gzi_stated(gzi_own(NULL, app, element_times[variant].own));
}

static int states_reads(const gz_device *dev, gz_variant variant)
{
    return gzi_stated(gzi_own(dev, NULL, element_times[variant].by_reads));
}

int gzi_gz2_by_reads(const gz_device *dev, const gz_app *app, gz_variant variant)
{
    return gzi_is_cpu(dev) && (unsigned)variant <= GZ_VARIANT_NAIVE && !states_own(app, variant) &&
           states_reads(dev, variant);
}

static gz_status check_app(const gz_device *dev, const gz_app *app, gz_variant variant,
                           gz_error *error)
{
    if (gzi_is_cpu(dev) && !states_own(app, variant) && !states_reads(dev, variant))
        return gzi_fail(error, GZ_EAPP,
                        "application: %s is missing: model gz2 needs what computing an element "
                        "%stakes on this CPU (gz-calibrate measures it)",
                        name_of(element_times[variant].own), element_times[variant].where);
    for (int i = 0; i < app->dim; i++)
        if (fmod(app->halo_width[i], 2) != 0)
            return gzi_fail(error, GZ_EAPP,
                            "application: halo_width[%d] is %g: model gz2 needs an even number, as "
                            "wide on either side",
                            i, app->halo_width[i]);
    return GZ_OK;
}

static gz_status check(const gz_device *dev, const gz_app *app, const gz_config *cfg,
                       gz_error *error)
{
    /* Tiles that an end of the grid cuts are counted one by one. */
    static const double most_block = 1e6, most_grid = 1e12;
    gz_status status = check_device(dev, cfg, error);
    if (!status && cfg->variant == GZ_VARIANT_NAIVE && cfg->sync == GZ_SYNC_FENCE)
        status = gzi_fail(error, GZ_EMODEL,
                          "variant naive has no fences, since each of its loops is a launch: must "
                          "be sync restart or graph");

    if (!status)
        status = check_app(dev, app, cfg->variant, error);
    if (!status && cfg->stream_len != floor(cfg->stream_len))
        status = gzi_fail(error, GZ_ECONFIG,
                          "stream_len is %.9g elements: model gz2 needs a whole number",
                          cfg->stream_len);
    for (int i = 0; !status && i < app->dim; i++) {
        double grid = cfg->data_length[i], block = cfg->block_len[i], threads = cfg->threads[i];
        if (grid != floor(grid) || grid > most_grid)
            status = gzi_fail(error, GZ_ECONFIG,
                              "size: extent %d is %.9g elements: model gz2 needs a whole number of "
                              "at most %g",
                              i, grid, most_grid);
        else if (!(cfg->variant == GZ_VARIANT_STREAM && i == app->dim - 1) &&
                 (block != floor(block) || block > most_block))
            status =
                gzi_fail(error, GZ_ECONFIG,
                         "block: extent %d is %.9g elements: model gz2 needs a whole number of "
                         "at most %g",
                         i, block, most_block);
        else if (threads != floor(threads) || threads > most_block)
            status = gzi_fail(error, GZ_ECONFIG,
                              "threads: extent %d is %.9g: model gz2 needs a whole number of at "
                              "most %g",
                              i, threads, most_block);
    }
    return status;
}

/* ---------------------------------------------------------------------------------- prediction */

/* The terms that are reported, and the parameters whose shares each adds up. */
enum { SYNC, LATENCY, COPY, COMPUTE, DOUBLE, SHARED, CACHE, MEMORY, TERMS, NONE = -1 };
static const gzi_term terms[TERMS] = {
    [SYNC] = {"Sync", "synchronising the stages"},
    [LATENCY] = {"Latency", "latencies of loads, barriers and dependent instructions"},
    [COPY] = {"Copy", "copying tiles in and out"},
    [COMPUTE] = {"Compute", "instructions of the stencil"},
    [DOUBLE] = {"Double", "instructions in double precision"},
    [SHARED] = {"Shared", "bandwidth of load and store units"},
    [CACHE] = {"Cache", "bandwidth of the last cache"},
    [MEMORY] = {"Memory", "bandwidth of device memory"},
};

#define ROW(ID, key, symbol, unit, range, on, slot, term, ...) [GZI_GZ2_##ID] = term,
static const signed char term_of[GZI_GZ2_PARAMETERS] = {GZI_OWN(ROW)};

/* Why there is no prediction. */
static gz_status refuse(gzi_gz2_status status, const gzi_gz2 *model, const gzi_gz2_config *config,
                        gz_error *error)
{
    int streamed = config->variant == GZ_VARIANT_STREAM;
    if (!error)
        return GZ_EHEIGHT;
    if (status == GZI_GZ2_ROOM) {
        double bytes = gzi_gz2_local_bytes(model, config);
        /* The height plays no part in what other tiles need. */
        int lower = streamed ? gzi_gz2_lower_height(model, config) : 0;
        return gzi_fail(error, GZ_EHEIGHT,
                        "a block of this tile does not fit the device: it needs %g bytes of shared "
                        "memory%s%s%.0d",
                        bytes,
                        model->device.local_group > 0 && bytes > model->device.local_group
                            ? ", more than shared_mem_per_block"
                            : ", or more threads or registers than a multiprocessor has",
                        lower > 0 ? "; at most height " : "", lower);
    }
    if (streamed && config->height > GZI_LEVELS)
        return gzi_fail(error, GZ_EHEIGHT,
                        "height %d: model gz2 describes variant stream up to height %d",
                        config->height, GZI_LEVELS);
    return gzi_fail(error, GZ_EHEIGHT, "height %d leaves nothing to commit", config->height);
}

static gz_status check_finite(const gz_device *dev, double seconds, gz_error *error)
{
    return isfinite(seconds) && isfinite(seconds * dev->clock_rate.value)
               ? GZ_OK
               : gzi_fail_overflow(error);
}

static gz_status predict_at(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                            gzi_gz2_sources *s, gzi_gz2_prediction *p, gz_error *error)
{
    gzi_gz2 model;

    gzi_gz2_make_sources(dev, app, s);
    gzi_gz2_make_model(dev, app, s, &model);
    const gzi_gz2_config config = make_config(dev, app, cfg, h);
    gzi_gz2_status status = gzi_gz2_predict(&model, &config, p);
    return status ? refuse(status, &model, &config, error) : check_finite(dev, p->seconds, error);
}

static gz_status predict(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                         gz_prediction *out, gz_error *error)
{
    gzi_gz2_sources s;
    gzi_gz2_prediction p;
    double clock = dev->clock_rate.value;
    gz_status status = predict_at(dev, app, cfg, h, &s, &p, error);

    if (status)
        return status;
    *out = (gz_prediction){.height = h,
                           .t = p.tiles,
                           .passes = p.tiles / (dev->sm_count.value * p.resident),
                           .concur_blks = dev->sm_count.value * p.resident,
                           .cpl = p.seconds * clock,
                           .cps = p.seconds * clock * h,
                           .dcpl_dh = (double)NAN,
                           .seconds_per_loop = p.seconds,
                           .term_count = TERMS};
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        if (term_of[j] != NONE)
            out->term[term_of[j]] += p.share[j] * clock;
    return GZ_OK;
}

static gz_status value(const void *of, const gz_config *cfg, int h, gzi_value *out, gz_error *error)
{
    const work_t *work = of;
    const gzi_gz2_config config = make_config(work->dev, work->app, cfg, h);
    gzi_gz2_status status = gzi_gz2_seconds(&work->model, &config, &out->seconds_per_loop);
    if (status)
        return refuse(status, &work->model, &config, error);
    out->cpl = out->seconds_per_loop * work->dev->clock_rate.value;
    return check_finite(work->dev, out->seconds_per_loop, error);
}

static double least(const void *of, const gz_config *cfg, int low, int high)
{
    const work_t *work = of;
    gzi_gz2_config config = make_config(work->dev, work->app, cfg, low);

    config.height = high;
    return gzi_gz2_bound(&work->model, &config, low) * work->dev->clock_rate.value;
}

/* Adds what a parameter's slope contributes to the slopes of the quantities it comes from. */
static void add_slope(const gzi_gz2_source *s, const gz_device *dev, const gz_app *app,
                      double slope, gz_gradient *out)
{
    if (s->cycles)
        out->dcpl_dp[GZ_P_CLOCK_RATE] -= slope * s->value / dev->clock_rate.value;
    if (s->param < 0)
        return;
    double q = gz_param_value(dev, app, NULL, s->param);
    double factor = s->cycles ? s->factor / dev->clock_rate.value : s->factor;
    out->dcpl_dp[s->param] += s->inverse ? -slope * s->value / q : slope * factor;
    if (s->param == GZ_P_INSTS_PER_SM_MISC || s->param == GZ_P_INSTS_PER_SM_ITER)
        out->dcpl_dp[GZ_P_PROFILE_ELEMENTS] -= slope * s->value / app->profile_elements.value;
}

/* By every quantity that is not a whole count or a limit, at which the model jumps. */
static gz_status gradient(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                          gz_gradient *out, gz_error *error)
{
    gzi_gz2_sources s;
    gzi_gz2_prediction p;
    double clock = dev->clock_rate.value;
    gz_status status = predict_at(dev, app, cfg, h, &s, &p, error);

    if (status)
        return status;
    *out =
        (gz_gradient){.cpl = p.seconds * clock, .dcpl_dh = (double)NAN, .d2cpl_dh2 = (double)NAN};
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        add_slope(&s.of[j], dev, app, p.slope[j] * clock, out);
    out->dcpl_dp[GZ_P_CLOCK_RATE] += p.seconds;
    for (int k = 0; k < GZ_PARAM_CAPACITY; k++)
        out->d2cpl_dh_dp[k] = (double)NAN;
    return GZ_OK;
}

static void *work_new(const gz_device *dev, const gz_app *app)
{
    work_t *work = malloc(sizeof *work);
    if (work) {
        work->dev = dev;
        work->app = app;
        gzi_gz2_of_files(dev, app, &work->model);
    }
    return work;
}

static void work_free(void *work)
{
    free(work);
}

/* On GPUs, as far as tables show it: tiles 19 % (95th percentile 36 %) on an AMD W7800, 18 % (32 %)
 * and 4 % (20 %) on simulated GPUs, 18 % (31 %) on a P100; plain kernels 2 % (28 %) in float there,
 * 52 % (57 %) in double in three dimensions, for which the deviations of the device have to stand
 * in. A CPU's error is in the quantities that are fitted to its runs.
 * [studies/results; StencilGen's kernels on a P100] */
static double form_sd(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    if (dev->warp_size.value <= 1)
        return 0;
    if (cfg->variant != GZ_VARIANT_NAIVE)
        return 0.2;
    return app->dim == 3 && app->element_size.value == 8 ? 0.2 : 0.1;
}

const gzi_model gzi_gz2_model = {
    .name = "gz2",
    .terms = terms,
    .term_count = TERMS,
    .variants = 1u << GZ_VARIANT_TRAPEZOID | 1u << GZ_VARIANT_STREAM | 1u << GZ_VARIANT_NAIVE,
    .check = check,
    .predict = predict,
    .form_sd = form_sd,
    .work_new = work_new,
    .work_free = work_free,
    .value = value,
    .least = least,
    .gradient = gradient,
};
