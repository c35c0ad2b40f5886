/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit of a model's quantities, on runs that gz2 itself makes: quantities found again without
 * noise, from far starts, on CPUs and GPUs; one optimum if the model is linear; what the runs do
 * not determine, or cannot tell apart, said; quantities of nothing held at the bound; one wild run
 * that moves little; the cost at the optimum; and intervals from left-out residuals that cover.
 */
#include "fit.h"
#include "gz2_cases.h"
#include "quantities.h"
#include "tap.h"

enum { RUNS = 60, MOST = 16 };

static double gaussian(unsigned long long *state)
{
    return sqrt(-2 * log(gz2_uniform(state, 1e-12, 1))) *
           cos(6.283185307179586 * gz2_uniform(state, 0, 1));
}

/* What is fitted, with its true value; those of one kind of device end with 0. */
struct truth {
    int param;
    bool of_app, inverse;
    double value;
};
static const struct truth of_cpu[] = {{GZI_P(STAGE_LAUNCH), false, false, 6e-6},
                                      {GZI_P(STAGE_FENCE), false, false, 2e-7},
                                      {GZI_P(COPY_CELL), false, false, 2e-10},
                                      {GZI_P(COPY_ROW), false, false, 7e-9},
                                      {GZI_P(EFFECTIVE_BANDWIDTH), false, true, 2e10},
                                      {GZI_P(CELL_TIME), true, false, 5e-10},
                                      {0}};
static const struct truth of_gpu[] = {{GZI_P(STAGE_LAUNCH), false, false, 6e-6},
                                      {GZI_P(STAGE_FENCE), false, false, 2e-7},
                                      {GZI_P(LOAD_LATENCY), false, false, 4e-7},
                                      {GZI_P(EFFECTIVE_BANDWIDTH), false, true, 4e11},
                                      {GZI_P(LOAD_INSTS), true, false, 60},
                                      {GZI_P(COMPUTE_INSTS), true, false, 40},
                                      {0}};

static struct gzc_fit fit;
static gz_app app;
static struct gzc_fit_run runs[RUNS];
static struct gzc_unknown *const u = fit.unknown;

static void state_quantity(int param, double value)
{
    gz_quantity *q = gz_param_quantity(&fit.dev, &app, param);
    *q = (gz_quantity){value, 0, GZ_ORIGIN_MEASURED};
}

/* A CPU, or a GPU, with a star of five points. */
static const struct truth *a_model(bool gpu)
{
    const struct truth *truth = gpu ? of_gpu : of_cpu;
    if (gz_device_open("gtx280", &fit.dev, NULL) || gz_app_open("hotspot", NULL, &app, NULL))
        exit(1);
    state_quantity(GZ_P_SM_COUNT, gpu ? 40 : 2);
    state_quantity(GZ_P_WARP_SIZE, gpu ? 32 : 1);
    state_quantity(GZ_P_SHARED_MEM_PER_BLOCK, 1e6);
    state_quantity(GZ_P_SHARED_MEM_PER_SM, 1e6);
    state_quantity(GZI_P(EFFECTIVE_CACHE), 2e7);
    state_quantity(GZI_P(RUN_LAUNCH), 0);
    if (gpu)
        state_quantity(GZI_P(CACHE_BANDWIDTH), 1e15);
    for (const struct truth *t = truth; t->value > 0; t++)
        state_quantity(t->param, t->value);
    fit = (struct gzc_fit){
        .dev = fit.dev, .apps = &app, .app_count = 1, .runs = runs, .run_count = RUNS};
    return truth;
}

static void make_runs(unsigned long long *state, bool gpu, double noise)
{
    static const int lengths[] = {16, 32, 64, 128, 256};
    for (int i = 0; i < RUNS; i++) {
        do {
            double grid = round(gz2_logarithmic(state, 100, 4000));
            runs[i] = (struct gzc_fit_run){.group = i, .height = gz2_whole(state, 1, 6)};
            runs[i].cfg = (gz_config){.data_length = {grid, grid},
                                      .block_len = {lengths[gz2_whole(state, 0, gpu ? 2 : 4)],
                                                    lengths[gz2_whole(state, 0, 2)]},
                                      .threads = {gpu ? 16 : 1, gpu ? 8 : 1},
                                      .loops = 60,
                                      .model = GZ_MODEL_GZ2,
                                      .beyond = 1,
                                      .sync = i % 2 ? GZ_SYNC_FENCE : GZ_SYNC_RESTART};
        } while (!(gzc_fit_predict(&fit, &runs[i], NULL) > 0));
        runs[i].seconds = gzc_fit_predict(&fit, &runs[i], NULL) * exp(noise * gaussian(state));
    }
}

static void add_unknown(int param, bool of_app, bool inverse, double start, double prior)
{
    u[fit.unknown_count++] = (struct gzc_unknown){.param = param,
                                                  .app = of_app ? 0 : -1,
                                                  .inverse = inverse,
                                                  .start = start,
                                                  .prior = prior,
                                                  .least = inverse ? 1e-6 : 0,
                                                  .like = -1};
}

static void make_unknowns(const struct truth *truth, double off)
{
    fit.unknown_count = 0;
    for (const struct truth *t = truth; t->value > 0; t++)
        add_unknown(t->param, t->of_app, t->inverse,
                    t->value * (fit.unknown_count % 2 ? off : 1 / off), 1e6);
}

static double worst_of(const struct truth *truth)
{
    double worst = 0;
    for (int j = 0; j < fit.unknown_count; j++)
        worst = fmax(worst, fabs(u[j].value / truth[j].value - 1));
    return worst;
}

static void recovers(unsigned long long *state, bool gpu)
{
    const struct truth *truth = a_model(gpu);
    make_runs(state, gpu, 0);
    make_unknowns(truth, 5);
    bool done = gzc_fit_solve(&fit, NULL), determined = true;
    tap_ok(done && fit.converged && worst_of(truth) < 1e-4,
           "%s: %d quantities found again to %.1e in %d steps", gpu ? "GPU" : "CPU",
           fit.unknown_count, worst_of(truth), fit.iterations);
    tap_ok(fit.scale < 1e-5, "nothing remains");
    for (int j = 0; j < fit.unknown_count; j++)
        determined = determined && u[j].determined > 0.99;
    tap_ok(determined, "all of them are determined");
}

/* The cost at the quantities of `fit`, as fit.h says, without priors. */
static double cost(void)
{
    double sum = 0;
    for (int i = 0; i < RUNS; i++) {
        double r = gzc_fit_predict(&fit, &runs[i], NULL) / runs[i].seconds - 1;
        sum += 0.02 * (sqrt(1 + r * r / 0.01) - 1);
    }
    return sum;
}

static void is_optimal(unsigned long long *state)
{
    const struct truth *truth = a_model(false);
    struct gzc_unknown first[MOST];
    double apart = 0;
    int lower = 0;
    make_runs(state, false, 0.1);
    make_unknowns(truth, 0.2);
    gzc_fit_solve(&fit, NULL);
    memcpy(first, u, sizeof first);
    make_unknowns(truth, 3);
    gzc_fit_solve(&fit, NULL);
    for (int j = 0; j < fit.unknown_count; j++)
        apart = fmax(apart, fabs(u[j].value - first[j].value) / (u[j].sd + 1e-300));
    tap_ok(apart < 1e-2, "linear: two starts end within %.1e standard deviations", apart);
    double least = cost();
    const gz_device dev = fit.dev;
    const gz_app found = app;
    for (int k = 0; k < 2000; k++) {
        for (int j = 0; j < fit.unknown_count; j++) {
            gz_quantity *q = gz_param_quantity(&fit.dev, &app, u[j].param);
            q->value = fmax(u[j].inverse ? 1 : 0, q->value + 0.05 * gaussian(state) * u[j].start);
        }
        lower += cost() < least * (1 - 1e-9);
        fit.dev = dev;
        app = found;
    }
    tap_ok(lower == 0, "none of 2000 points near the optimum costs less");
    tap_ok(fabs(fit.cost / least - 1) < 1e-6, "whose cost is stated");
}

static void holds_bounds(unsigned long long *state)
{
    const struct truth *truth = a_model(false);
    int negative = 0;
    make_runs(state, false, 0.03);
    make_unknowns(truth, 2);
    /* More by fences once a run: nothing in truth. And nothing is launched from graphs. */
    int none = fit.unknown_count;
    add_unknown(GZI_P(RUN_FENCE), false, false, 5e-6, 10);
    add_unknown(GZI_P(STAGE_GRAPH), false, false, 1e-6, 10);
    gzc_fit_solve(&fit, NULL);
    for (int j = 0; j < fit.unknown_count; j++)
        negative += u[j].value < 0;
    tap_ok(negative == 0 && u[none].value < 1e-5,
           "no quantity is negative; one that is zero stays small: %.1e", u[none].value);
    tap_ok((u[none].value > 0) == !u[none].at_bound && (u[none].value > 0 || u[none].sd == 0),
           "at its bound it is said to be, and has no deviation");
    tap_ok(u[none + 1].determined < 1e-6 && fabs(u[none + 1].value / 1e-6 - 1) < 1e-6,
           "what no run shows stays at its prior, and is said not to be determined");
    tap_ok(u[0].determined > 0.99, "and what runs show is said to be");
    tap_ok(gzc_fit_determines(&u[0], 1) && !gzc_fit_determines(&u[none + 1], 1) &&
               !gzc_fit_determines(&u[0], 1e6),
           "better than its start, unless deviations must grow much");
    make_unknowns(truth, 2);
    u[0].least = 8;
    gzc_fit_solve(&fit, NULL);
    tap_ok(u[0].at_bound && u[0].sd == 0 && u[0].spread > 0 && gzc_fit_determines(&u[0], 1) &&
               !gzc_fit_determines(&u[0], 1e6),
           "which is said at a bound as well: spread %.2g", u[0].spread);
}

/* Of runs of two stages by restarts, each has one start of the run and one launch after it. */
static void tells_alike(unsigned long long *state)
{
    const struct truth *truth = a_model(false);
    make_runs(state, false, 0);
    for (int i = 0; i < RUNS; i++) {
        runs[i].cfg.sync = GZ_SYNC_RESTART;
        runs[i].cfg.loops = 2 * runs[i].height;
        runs[i].seconds = gzc_fit_predict(&fit, &runs[i], NULL);
    }
    fit.unknown_count = 0;
    add_unknown(GZI_P(CELL_TIME), true, false, 5e-10, 10);
    add_unknown(GZI_P(STAGE_LAUNCH), false, false, 5e-6, 10);
    add_unknown(GZI_P(RUN_LAUNCH), false, false, 5e-6, 10);
    gzc_fit_solve(&fit, NULL);
    tap_ok(u[1].alike == 2 && u[2].alike == 1 && u[0].alike == -1,
           "two columns that are the same are said to be alike, a third is not");
    tap_ok(fabs((u[1].value + u[2].value) / truth[0].value - 1) < 0.02, "and their sum is right");
}

static void is_robust(unsigned long long *state)
{
    const struct truth *truth = a_model(false);
    make_runs(state, false, 0.01);
    make_unknowns(truth, 2);
    for (int k = 0; k < 3; k++)
        runs[7 * k].seconds *= 5;
    gzc_fit_solve(&fit, NULL);
    int cell = fit.unknown_count - 1;
    double moved = fabs(u[cell].value / truth[cell].value - 1);
    tap_ok(moved < 0.1, "three runs of five times their time move the cost of a cell by %.1f %%",
           100 * moved);
    fit.by_logarithms = true;
    make_unknowns(truth, 2);
    gzc_fit_solve(&fit, NULL);
    tap_ok(fabs(u[cell].value / truth[cell].value - 1) > moved,
           "more by plain least squares of logarithms");
}

static void covers(unsigned long long *state)
{
    static struct gzc_fit_run seen[RUNS];
    double residual[RUNS];
    int covered = 0, all = 0;
    bool unchanged = true;
    for (int trial = 0; trial < 20; trial++) {
        const struct truth *truth = a_model(false);
        make_runs(state, false, 0.08);
        memcpy(seen, runs, sizeof seen);
        make_runs(state, false, 0.08);
        make_unknowns(truth, 2);
        const gz_app before = app;
        fit.runs = seen;
        gzc_fit_left_out(&fit, 6, residual);
        unchanged = unchanged && memcmp(&before, &app, sizeof app) == 0;
        double half = gzc_fit_half_width(residual, RUNS, 0);
        gzc_fit_solve(&fit, NULL);
        for (int i = 0; i < RUNS; i++, all++)
            covered += fabs(log(gzc_fit_predict(&fit, &runs[i], NULL) / runs[i].seconds)) <= half;
    }
    double share = (double)covered / all;
    tap_ok(share > 0.93 && share < 0.999, "the intervals cover %.1f %% of %d new runs", 100 * share,
           all);
    tap_ok(unchanged, "leaving out changes no application");
    tap_ok(gzc_fit_half_width(residual, RUNS, 0.1) > gzc_fit_half_width(residual, RUNS, 0),
           "scatter between tries widens them");
}

int main(void)
{
    unsigned long long state = gz2_seed(15);
    struct gzc_fit none = {.run_count = 0};
    recovers(&state, false);
    recovers(&state, true);
    is_optimal(&state);
    holds_bounds(&state);
    tells_alike(&state);
    is_robust(&state);
    covers(&state);
    tap_ok(!gzc_fit_solve(&none, NULL), "no runs are refused");
    return tap_done();
}
