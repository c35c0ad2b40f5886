/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2 behind the library's interface, on a CPU's and a GPU's files filled in by hand: terms add up;
 * the gradient equals differences of predictions; the run's loops count where, and only where, each
 * of them reads something new; and each missing quantity that it needs is named in one line.
 */
#include "gz2.h"
#include "gzmodel.h"
#include "model_device.h"
#include "tap.h"

static gz_device a_device(int gpu)
{
    gz_device d = gpu ? a_gpu(1e5) : a_bare_cpu(2, 1e5);
    put_quantities(&d, NULL, "max_threads_per_block 1024 stage_graph 2e-6 graph_overhead 1000");
    if (gpu) {
        gz_set(&d, "effective_bandwidth", 8e11);
    } else {
        put_quantities(&d, NULL,
                       "copy_cell 2e-10 copy_row 6e-9 stream_copy 4e-11 stream_bandwidth 2.5e10 "
                       "naive_bandwidth 1.5e10 stream_row 4e-9 naive_row 8e-10");
    }
    return d;
}

static gz_app an_app(int gpu)
{
    gz_app a = {.name = "Star", .key = "star", .dim = 2, .halo_width = {2, 2}};
    a.profile_elements = quantity(250000);
    a.profile_sm_count = quantity(30);
    put_quantities(NULL, &a,
                   "element_size 4 stencil_arrays 2 insts_per_sm_misc 3000 insts_per_sm_iter 2000");
    if (!gpu) {
        put_quantities(NULL, &a, "cell_time 5e-10 stream_cell_time 2e-10 naive_cell_time 7e-10");
    }
    return a;
}

static gz_config a_config(int gpu, gz_sync sync)
{
    return (gz_config){.data_length = {1000, 700},
                       .block_len = {64, 40},
                       .threads = {gpu ? 32 : 1, gpu ? 8 : 1},
                       .sync = sync,
                       .model = GZ_MODEL_GZ2};
}

static void predicts(int gpu)
{
    gz_device d = a_device(gpu);
    gz_app a = an_app(gpu);
    double worst_sum = 0, worst_own = 0;
    gz_error error = {{0}};
    int failed = 0;

    for (int sync = 0; sync < 3; sync++)
        for (int h = 1; h <= 12; h++) {
            gz_config cfg = a_config(gpu, (gz_sync)sync);
            gz_prediction p;
            if (gz_predict(&d, &a, &cfg, h, &p, &error)) {
                tap_note("%s", error.text);
                failed++;
                continue;
            }
            double sum = 0;
            for (int k = 0; k < p.term_count; k++)
                sum += p.term[k];
            worst_sum = fmax(worst_sum, fabs(sum / p.cpl - 1));
            worst_own =
                fmax(worst_own, fabs(p.cpl / (p.seconds_per_loop * d.clock_rate.value) - 1));
            worst_own = fmax(worst_own, fabs(p.cps / (h * p.cpl) - 1));
        }
    tap_ok(failed == 0, "%s: predicts in every mode at every height", gpu ? "GPU" : "CPU");
    tap_ok(worst_sum < 1e-13, "terms add up to %.1e", worst_sum);
    tap_ok(worst_own < 1e-14, "cycles are seconds times the clock");
}

/* As a_config, of a variant, at the height `*h`. */
static gz_config of_variant(int gpu, gz_sync sync, gz_variant variant, double *h)
{
    gz_config cfg = a_config(gpu, sync);
    cfg.variant = variant;
    *h = variant == GZ_VARIANT_NAIVE ? 1 : 4;
    if (variant == GZ_VARIANT_STREAM) {
        cfg.stream_len = 120;
        cfg.threads[1] = 1;
    }
    return cfg;
}

/* States what a run costs once, of a run of 24 loops; and on a CPU what depends on its caches. */
static void state_runs(int gpu, gz_device *d, gz_config *cfg)
{
    gz_set(d, "run_launch", 3e-5);
    gz_set(d, "run_fence", 7e-6);
    cfg->loops = 24;
    if (gpu)
        return;
    d->shared_mem_per_block = quantity(2e6);
    gz_set(d, "core_exchange", 2e-11);
}

static void has_gradient(int gpu, gz_variant variant)
{
    static const double weight[] = {0, 8.0 / 12, -1.0 / 12};
    double worst = 0;
    int entered = 0, silent = 1, made = 0;
    for (int sync = 0; sync < 3; sync++) {
        gz_device d = a_device(gpu);
        gz_app a = an_app(gpu);
        double h;
        gz_config cfg = of_variant(gpu, (gz_sync)sync, variant, &h);
        gz_gradient g;
        state_runs(gpu, &d, &cfg);
        if (gz_predict_gradient(&d, &a, &cfg, h, &g, NULL))
            continue;
        made++;
        for (int p = 0; p < gz_param_count(); p++) {
            gz_quantity *q = gz_param_quantity(&d, &a, p);
            int count = p == GZ_P_SM_COUNT || p == GZ_P_BLOCKS_PER_SM || p == GZ_P_WARP_SIZE ||
                        p == GZ_P_PROFILE_SM_COUNT || p == GZ_P_ELEMENT_SIZE ||
                        p == GZ_P_STENCIL_ARRAYS;
            if (!q || !gz_quantity_stated(q) || count || gz_param_about(p)->group != GZ_GROUP_MODEL)
                continue;
            double was = q->value, step = 1e-3 * was, sum = 0;
            for (int k = 1; k <= 2; k++)
                for (int side = -1; side <= 1; side += 2) {
                    gz_prediction at;
                    q->value = was + side * k * step;
                    if (gz_predict(&d, &a, &cfg, h, &at, NULL) == GZ_OK)
                        sum += side * weight[k] * at.cpl;
                }
            q->value = was;
            double slope = sum / step, scale = was > 0 ? g.cpl / was : 1;
            entered += g.dcpl_dp[p] != 0;
            if (was == 0)
                continue;
            worst = fmax(worst, fabs(g.dcpl_dp[p] - slope) / scale);
            if (fabs(g.dcpl_dp[p] - slope) / scale > 1e-8)
                tap_note("%s: %g, by differences %g", gz_param_about(p)->name, g.dcpl_dp[p], slope);
        }
        silent &= isnan(g.dcpl_dh) && g.cpl > 0;
    }
    tap_ok(worst < 1e-8 && entered >= 4 * made && made == 3 - (variant == GZ_VARIANT_NAIVE),
           "%s, %s: %d derivatives agree with differences to %.1e", gpu ? "GPU" : "CPU",
           gz_name(GZ_VARIANTS, variant), entered, worst);
    tap_ok(silent, "and there are none in h");
}

static void refuses(const char *what, const gz_device *d, const gz_app *a, const gz_config *cfg,
                    double h, gz_status want, const char *part)
{
    gz_error error = {{0}};
    gz_prediction p;
    gz_status got = gz_predict(d, a, cfg, h, &p, &error);
    tap_ok(got == want && strstr(error.text, part) && !strchr(error.text, '\n'), "%s", what);
    if (got != want || !strstr(error.text, part))
        tap_note("status %d: %s", got, error.text);
}

/* What a GPU's file must state is named in one line that says how to get it; what usual cycles
 * stand for may be missing. */
static void lacks_on_gpu(void)
{
    static const char *const needed[][2] = {{"cache_bandwidth", "gz-calibrate measures it"},
                                            {"shared_mem_per_sm", "vendors state"}};
    static const struct {
        const char *name;
        double usual;
    } may[] = {{"issue_rate", 4 * 1.6e9},
               {"shared_bandwidth", 128 * 1.6e9},
               {"instruction_latency", 4 / 1.6e9},
               {"barrier_latency", 30 / 1.6e9},
               {"load_latency", 500 / 1.6e9}};
    gz_app app = an_app(1);
    for (int v = GZ_VARIANT_TRAPEZOID; v <= GZ_VARIANT_NAIVE; v++) {
        double h;
        gz_config cfg = of_variant(1, GZ_SYNC_RESTART, (gz_variant)v, &h);
        for (size_t k = 0; k < 2; k++) {
            gz_device less = a_device(1);
            *quantity_of(&less, NULL, needed[k][0]) = (gz_quantity){0};
            refuses(needed[k][0], &less, &app, &cfg, h, GZ_EDEVICE, needed[k][0]);
            refuses(needed[k][1], &less, &app, &cfg, h, GZ_EDEVICE, needed[k][1]);
        }
        for (size_t k = 0; k < sizeof may / sizeof *may; k++) {
            gz_device stated = a_device(1), absent = stated;
            gz_prediction p = {.cpl = 0}, q = {.cpl = -1};
            gz_set(&stated, may[k].name, may[k].usual);
            *quantity_of(&absent, NULL, may[k].name) = (gz_quantity){0};
            gz_predict(&stated, &app, &cfg, h, &p, NULL);
            gz_predict(&absent, &app, &cfg, h, &q, NULL);
            tap_close(q.cpl, p.cpl, 1e-14, may[k].name);
        }
    }
}

static void says_what_is_missing(void)
{
    gz_device d = a_device(0), g = a_device(1), paper;
    gz_app a = an_app(0), b = an_app(1), hotspot;
    gz_config cpu = a_config(0, GZ_SYNC_RESTART), gpu = a_config(1, GZ_SYNC_RESTART), cfg;
    double h;
    static const struct {
        const char *name;
        gz_sync sync;
    } of_device[] = {{"warp_size", GZ_SYNC_RESTART},    {"effective_cache", GZ_SYNC_RESTART},
                     {"stage_launch", GZ_SYNC_RESTART}, {"stage_fence", GZ_SYNC_FENCE},
                     {"stage_graph", GZ_SYNC_GRAPH},    {"copy_cell", GZ_SYNC_RESTART}};
    for (size_t k = 0; k < sizeof of_device / sizeof *of_device; k++) {
        gz_device less = d;
        *quantity_of(&less, NULL, of_device[k].name) = (gz_quantity){0};
        cfg = cpu;
        cfg.sync = of_device[k].sync;
        refuses(of_device[k].name, &less, &a, &cfg, 2, GZ_EDEVICE, of_device[k].name);
    }
    cfg = of_variant(0, GZ_SYNC_RESTART, GZ_VARIANT_STREAM, &h);
    gz_device less = d;
    *quantity_of(&less, NULL, "stream_copy") = (gz_quantity){0};
    refuses("stream_copy", &less, &a, &cfg, 2, GZ_EDEVICE, "stream_copy is missing");
    gz_app lacks = a;
    *quantity_of(NULL, &lacks, "stream_cell_time") = (gz_quantity){0};
    refuses("stream_cell_time", &d, &lacks, &cfg, 2, GZ_EAPP, "stream_cell_time is missing");
    cfg.block_len[0] = 1000;
    refuses("a streamed tile that does not fit", &d, &a, &cfg, 40, GZ_EHEIGHT, "does not fit");
    refuses("one that is too high", &d, &a, &cfg, 65, GZ_EHEIGHT, "up to height 64");
    cfg = of_variant(0, GZ_SYNC_RESTART, GZ_VARIANT_NAIVE, &h);
    lacks = a;
    *quantity_of(NULL, &lacks, "naive_cell_time") = (gz_quantity){0};
    refuses("naive_cell_time", &d, &lacks, &cfg, 1, GZ_EAPP, "naive_cell_time is missing");
    cfg.sync = GZ_SYNC_FENCE;
    refuses("naive with fences", &d, &a, &cfg, 1, GZ_EMODEL, "has no fences");
    gz_device_open("gtx280", &paper, NULL);
    gz_app_open("hotspot", NULL, &hotspot, NULL);
    cfg = (gz_config){.data_length = {2000, 2000}, .block_len = {20, 20}, .model = GZ_MODEL_GZ2};
    refuses("the paper's device", &paper, &hotspot, &cfg, 2, GZ_EDEVICE, "warp_size is missing");
    lacks_on_gpu();
    *quantity_of(NULL, &a, "cell_time") = (gz_quantity){0};
    refuses("cell_time", &d, &a, &cpu, 2, GZ_EAPP, "cell_time");
    g = a_device(1);
    gpu.block_len[0] = 40.5;
    refuses("a fraction of an element in a block", &g, &b, &gpu, 2, GZ_ECONFIG, "whole number");
    gpu = a_config(1, GZ_SYNC_RESTART);
    gpu.data_length[1] = 100.5;
    refuses("and in a grid", &g, &b, &gpu, 2, GZ_ECONFIG, "whole number");
    gpu = a_config(1, GZ_SYNC_RESTART);
    refuses("a fractional height", &g, &b, &gpu, 1.5, GZ_EMODEL, "whole heights");
    gpu.block_len[0] = gpu.block_len[1] = 128;
    refuses("a tile that does not fit", &g, &b, &gpu, 2, GZ_EHEIGHT, "shared_mem_per_block");
    b.halo_width[0] = 3;
    gpu = a_config(1, GZ_SYNC_RESTART);
    refuses("an uneven halo", &g, &b, &gpu, 2, GZ_EAPP, "even");
}

static double time_of(const gz_app *app, const gz_config *base, double loops)
{
    gz_device dev = a_device(0);
    gz_config cfg = *base;
    gz_prediction p;
    cfg.loops = loops;
    return gz_predict(&dev, app, &cfg, 2, &p, NULL) == GZ_OK ? p.seconds_per_loop : (double)NAN;
}

static void counts_loops(void)
{
    gz_device dev = a_device(0);
    gz_app app = an_app(0);
    gz_config cfg = {
        .model = GZ_MODEL_GZ2, .data_length = {512, 512}, .block_len = {64, 64}, .threads = {1, 1}};
    tap_ok(time_of(&app, &cfg, 1e6) == time_of(&app, &cfg, 2),
           "if no loop reads anything new, their number does not matter");
    app.elements_per_op = quantity(1);
    double at[] = {2, 5, 12, 30, 100, 1e4};
    int rises = 1;
    for (int k = 1; k < 6; k++)
        rises &= time_of(&app, &cfg, at[k]) > time_of(&app, &cfg, at[k - 1]);
    tap_ok(rises, "else a longer run takes longer a loop: %g s at 2 loops, %g at 10000",
           time_of(&app, &cfg, 2), time_of(&app, &cfg, 1e4));
    tap_ok(time_of(&app, &cfg, 0) == time_of(&app, &cfg, 30), "30 if they are not given");
    tap_ok(time_of(&app, &cfg, 1) == time_of(&app, &cfg, 2), "never fewer than the height");
    gz_tune_request request = {.model = GZ_MODEL_GZ2,
                               .data_length = {512, 512},
                               .block_len = {64, 64},
                               .loops = 1000,
                               .syncs = 1U << GZ_SYNC_RESTART,
                               .variants = 1U << GZ_VARIANT_TRAPEZOID};
    gz_candidate best;
    gz_prediction p;
    gz_error error = {.text = ""};
    size_t found = 0;
    gz_status status = gz_tune(&dev, &app, &request, &best, 1, &found, &error);
    cfg = gz_config_of(&request, &best);
    tap_ok(!status && gz_predict(&dev, &app, &cfg, best.way.height, &p, NULL) == GZ_OK &&
               p.seconds_per_loop == best.seconds_per_loop,
           "a candidate has the request's loops %s", error.text);
    static const double bad[] = {-1, 0.5, 1e16, (double)NAN, (double)INFINITY};
    int refused = 0;
    for (int k = 0; k < 5; k++) {
        cfg.loops = bad[k];
        refused += gz_check(&dev, &app, &cfg, &error) == GZ_ECONFIG &&
                   strstr(error.text, "loops is ") != NULL;
    }
    tap_ok(refused == 5, "what is no number of loops is refused: %s", error.text);
}

/* A stencil without a time of its own takes the device's for each element read, which intervals are
 * as wide as. */
static void answers_by_reads(gz_variant variant)
{
    gz_device d = a_device(0);
    gz_app own = an_app(0), none = own;
    double h;
    gz_config cfg = of_variant(0, GZ_SYNC_RESTART, variant, &h);
    gz_prediction p, q;
    gz_uncertainty spread;
    gz_error error, why, own_why;
    static const char *const times[] = {"cell_time", "stream_cell_time", "naive_cell_time"};
    for (int k = 0; k < 3; k++)
        *quantity_of(NULL, &none, times[k]) = (gz_quantity){0};
    gz_model_for(&d, &none, &cfg, &why);
    tap_ok(gz_predict(&d, &none, &cfg, h, &p, &error) == GZ_EAPP && !strstr(why.text, "by what it"),
           "%s: refused without either: %s", gz_name(GZ_VARIANTS, variant), error.text);
    /* A star of five points and a coefficient: six elements. */
    double cell = gz_app_get(&own, "cell_time");
    *quantity_of(&d, NULL, "read_time") = (gz_quantity){cell / 6, cell / 12, GZ_ORIGIN_FITTED};
    gz_set(&d, "stream_read_time", gz_app_get(&own, "stream_cell_time") / 6);
    gz_set(&d, "naive_read_time", gz_app_get(&own, "naive_cell_time") / 6);
    int made = gz_predict(&d, &none, &cfg, h, &p, NULL) == GZ_OK &&
               gz_predict(&d, &own, &cfg, h, &q, NULL) == GZ_OK;
    gz_model_for(&d, &none, &cfg, &why);
    gz_model_for(&d, &own, &cfg, &own_why);
    tap_ok(made && strstr(why.text, "by what it reads") &&
               !strstr(own_why.text, "by what it reads"),
           "and then predicted by reads, which is said: %s", why.text);
    tap_close(p.cpl, q.cpl, 1e-14, "six times the device's");
    if (variant == GZ_VARIANT_TRAPEZOID)
        tap_ok(gz_propagate(&d, &none, &cfg, h, 1.96, &spread, NULL) == GZ_OK &&
                   spread.cpl_sd > 0.1 * p.cpl,
               "an interval as wide as stencils differ");
}

int main(void)
{
    answers_by_reads(GZ_VARIANT_TRAPEZOID);
    answers_by_reads(GZ_VARIANT_STREAM);
    answers_by_reads(GZ_VARIANT_NAIVE);
    predicts(0);
    predicts(1);
    for (int gpu = 0; gpu < 2; gpu++)
        for (int v = GZ_VARIANT_TRAPEZOID; v <= GZ_VARIANT_NAIVE; v++)
            has_gradient(gpu, (gz_variant)v);
    tap_string(gz_name(GZ_MODELS, GZ_MODEL_GZ2), "gz2", "the model has its name");
    tap_ok(gz_term_name(GZ_MODEL_GZ2, 0) && !gz_term_name(GZ_MODEL_GZ2, 8), "and eight terms");
    says_what_is_missing();
    counts_loops();
    return tap_done();
}
