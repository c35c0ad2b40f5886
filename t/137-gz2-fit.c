/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second model's fit, on runs that the model itself makes: parameters found again without
 * noise, from far starts, on CPUs and GPUs; one optimum if the model is linear; what the runs do
 * not determine, or cannot tell apart, said; zero parameters held at the bound; one wild run that
 * moves little; the gradient at the optimum; and intervals from left-out residuals that cover.
 */
#include "gz2_fit.h"
#include "gz2_reference.h"
#include "tap.h"

enum { RUNS = 60 };

static double gaussian(unsigned long long *state)
{
    return sqrt(-2 * log(gz2_uniform(state, 1e-12, 1))) *
           cos(6.283185307179586 * gz2_uniform(state, 0, 1));
}

/* A CPU, or a GPU, with a star of five points. */
static gzi_gz2 a_model(int gpu)
{
    gzi_gz2 m = {.device = {.units = gpu ? 40 : 2,
                            .warp = gpu ? 32 : 1,
                            .blocks = gpu ? 16 : 1,
                            .local_unit = gpu ? 1e5 : 0,
                            .line = 64,
                            .sharpness = 4},
                 .stencil = {.dim = 2, .radius = {1, 1}, .bytes = 4, .loaded = 1, .reads = 5}};
    m.value[GZI_GZ2_CACHE] = 2e7;
    m.value[GZI_GZ2_NORM] = 3;
    m.value[GZI_GZ2_DRAM] = 1e-10;
    m.value[GZI_GZ2_LAUNCH] = 6e-6;
    m.value[GZI_GZ2_FENCE] = 4e-7;
    if (gpu) {
        m.value[GZI_GZ2_LOAD] = 4e-7;
        m.value[GZI_GZ2_CHAIN] = 1e-7;
        m.value[GZI_GZ2_ISSUE] = 2e-8;
    } else {
        m.value[GZI_GZ2_COPY_CELL] = 2e-10;
        m.value[GZI_GZ2_COPY_ROW] = 7e-9;
        m.value[GZI_GZ2_CELL] = 5e-10;
    }
    return m;
}

static void make_runs(unsigned long long *state, const gzi_gz2 *m, double noise, gzi_gz2_run *runs)
{
    static const int lengths[] = {16, 32, 64, 128, 256};
    for (int i = 0; i < RUNS; i++) {
        gzi_gz2_prediction p;
        int gpu = m->device.warp > 1;
        do {
            long grid = (long)gz2_logarithmic(state, 100, 4000);
            runs[i] = (gzi_gz2_run){.group = i};
            runs[i].config = (gzi_gz2_config){.grid = {grid, grid, 1},
                                              .block = {lengths[gz2_whole(state, 0, gpu ? 2 : 4)],
                                                        lengths[gz2_whole(state, 0, 2)], 1},
                                              .threads = {gpu ? 16 : 1, gpu ? 8 : 1, 1},
                                              .height = gz2_whole(state, 1, 6),
                                              .loops = 12,
                                              .mode = i % 2 ? GZI_GZ2_FENCES : GZI_GZ2_RESTARTS};
        } while (gzi_gz2_predict(m, &runs[i].config, &p) != GZI_GZ2_OK);
        runs[i].seconds = p.seconds * exp(noise * gaussian(state));
    }
}

static int unknowns_of(const gzi_gz2 *m, double off, gzi_gz2_unknown *u)
{
    int n = 0;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
        if (m->value[j] > 0 && j != GZI_GZ2_CACHE && j != GZI_GZ2_NORM) {
            double factor = n % 2 ? off : 1 / off;
            u[n++] = (gzi_gz2_unknown){.parameter = (gzi_gz2_parameter)j,
                                       .stencil = -1,
                                       .start = m->value[j] * factor,
                                       .prior = 1e6};
        }
    return n;
}

static double worst_of(const gzi_gz2 *m, const gzi_gz2_unknown *u, int n)
{
    double worst = 0;
    for (int j = 0; j < n; j++)
        worst = fmax(worst, fabs(u[j].value / m->value[u[j].parameter] - 1));
    return worst;
}

static void recovers(unsigned long long *state, int gpu)
{
    gzi_gz2 truth = a_model(gpu), m = truth;
    gzi_gz2_run runs[RUNS];
    gzi_gz2_unknown u[GZI_GZ2_PARAMETERS];
    gzi_gz2_fitted fitted;
    make_runs(state, &truth, 0, runs);
    int n = unknowns_of(&truth, 5, u);
    int done = gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, n, &fitted);
    tap_ok(done == 0 && fitted.converged && worst_of(&truth, u, n) < 1e-4,
           "%s: %d parameters found again to %.1e in %d steps", gpu ? "GPU" : "CPU", n,
           worst_of(&truth, u, n), fitted.iterations);
    tap_ok(fitted.scale < 1e-5, "nothing remains");
    int determined = 1;
    for (int j = 0; j < n; j++)
        determined &= u[j].determined > 0.99;
    tap_ok(determined, "all of them are determined");
}

/* The cost at the models' values, as fit.h says, without priors. */
static double cost_of(const gzi_gz2 *m, const gzi_gz2_run *runs)
{
    double cost = 0;
    for (int i = 0; i < RUNS; i++) {
        gzi_gz2_prediction p;
        gzi_gz2_predict(m, &runs[i].config, &p);
        double r = p.seconds / runs[i].seconds - 1;
        cost += 0.02 * (sqrt(1 + r * r / 0.01) - 1);
    }
    return cost;
}

static void is_optimal(unsigned long long *state)
{
    gzi_gz2 truth = a_model(0), m = truth, again = truth;
    gzi_gz2_run runs[RUNS];
    gzi_gz2_unknown u[GZI_GZ2_PARAMETERS], v[GZI_GZ2_PARAMETERS];
    gzi_gz2_fitted fitted, other;
    double worst = 0, apart = 0, lower = 0;
    make_runs(state, &truth, 0.1, runs);
    int n = unknowns_of(&truth, 3, u);
    unknowns_of(&truth, 0.2, v);
    gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, n, &fitted);
    gzi_gz2_fit(&again, 1, runs, RUNS, NULL, v, n, &other);
    for (int j = 0; j < n; j++)
        apart = fmax(apart, fabs(u[j].value - v[j].value) / (u[j].sd + 1e-300));
    tap_ok(apart < 1e-2, "linear: two starts end within %.1e standard deviations", apart);
    double least = cost_of(&m, runs);
    for (int k = 0; k < 2000; k++) {
        gzi_gz2 near = m;
        for (int j = 0; j < n; j++)
            near.value[u[j].parameter] =
                fmax(0, near.value[u[j].parameter] + 0.05 * gaussian(state) * u[j].start);
        lower += cost_of(&near, runs) < least * (1 - 1e-9);
        worst = fmax(worst, 1 - cost_of(&near, runs) / least);
    }
    tap_ok(lower == 0, "none of 2000 points near the optimum costs less (%.1e)", worst);
}

static void holds_bounds(unsigned long long *state)
{
    gzi_gz2 truth = a_model(0), m = truth;
    gzi_gz2_run runs[RUNS];
    gzi_gz2_unknown u[GZI_GZ2_PARAMETERS];
    gzi_gz2_fitted fitted;
    make_runs(state, &truth, 0.03, runs);
    int n = unknowns_of(&truth, 2, u), negative = 0, exchange = n;
    /* What other cores' caches hold costs nothing in truth. */
    u[n++] = (gzi_gz2_unknown){
        .parameter = GZI_GZ2_EXCHANGE, .stencil = -1, .start = 2e-11, .prior = 10};
    /* Nothing is launched from graphs. */
    u[n++] =
        (gzi_gz2_unknown){.parameter = GZI_GZ2_GRAPH, .stencil = -1, .start = 1e-6, .prior = 10};
    gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, n, &fitted);
    for (int j = 0; j < n; j++)
        negative += u[j].value < 0;
    tap_ok(negative == 0 && u[exchange].value < 5e-12,
           "no parameter is negative; one that is zero stays small: %.1e", u[exchange].value);
    tap_ok(u[n - 1].determined < 1e-6 && fabs(u[n - 1].value / 1e-6 - 1) < 1e-6,
           "what no run shows stays at its prior, and is said not to be determined");
    tap_ok(u[0].determined > 0.99, "and what runs show is said to be");
}

static void tells_alike(unsigned long long *state)
{
    gzi_gz2 truth = a_model(0), m = truth;
    gzi_gz2_run runs[RUNS];
    gzi_gz2_fitted fitted;
    truth.value[GZI_GZ2_NORM] = 1;
    truth.value[GZI_GZ2_GROUP] = 2e-6;
    m = truth;
    make_runs(state, &truth, 0.03, runs);
    /* At height 1 alone, a group has one barrier. */
    for (int i = 0; i < RUNS; i++)
        runs[i].config.height = 1;
    for (int i = 0; i < RUNS; i++) {
        gzi_gz2_prediction p;
        gzi_gz2_predict(&truth, &runs[i].config, &p);
        runs[i].seconds = p.seconds;
    }
    gzi_gz2_unknown u[] = {
        {.parameter = GZI_GZ2_CELL, .stencil = -1, .start = 5e-10, .prior = 10},
        {.parameter = GZI_GZ2_GROUP, .stencil = -1, .start = 1e-6, .prior = 10},
        {.parameter = GZI_GZ2_BARRIER, .stencil = -1, .start = 1e-6, .prior = 10}};
    gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, 3, &fitted);
    tap_ok(u[1].alike == 2 && u[2].alike == 1 && u[0].alike == -1,
           "two columns that are the same are said to be alike, a third is not");
    tap_ok(fabs((u[1].value + u[2].value) / truth.value[GZI_GZ2_GROUP] - 1) < 0.02,
           "and their sum is right");
}

static void is_robust(unsigned long long *state)
{
    gzi_gz2 truth = a_model(0), m = truth;
    gzi_gz2_run runs[RUNS];
    gzi_gz2_unknown u[GZI_GZ2_PARAMETERS];
    gzi_gz2_fitted fitted;
    make_runs(state, &truth, 0.01, runs);
    int n = unknowns_of(&truth, 2, u), cell = 0;
    for (int k = 0; k < 3; k++)
        runs[7 * k].seconds *= 5;
    gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, n, &fitted);
    for (int j = 0; j < n; j++)
        if (u[j].parameter == GZI_GZ2_CELL)
            cell = j;
    tap_ok(fabs(u[cell].value / truth.value[GZI_GZ2_CELL] - 1) < 0.1,
           "three runs of five times their time move the cost of a cell by %.1f %%",
           100 * fabs(u[cell].value / truth.value[GZI_GZ2_CELL] - 1));
}

static void covers(unsigned long long *state)
{
    gzi_gz2 truth = a_model(0), m = truth;
    gzi_gz2_run runs[RUNS], fresh[RUNS];
    gzi_gz2_unknown u[GZI_GZ2_PARAMETERS];
    gzi_gz2_fitted fitted;
    double residual[RUNS];
    int covered = 0, all = 0, unchanged = 1;
    for (int trial = 0; trial < 20; trial++) {
        make_runs(state, &truth, 0.08, runs);
        make_runs(state, &truth, 0.08, fresh);
        int n = unknowns_of(&truth, 2, u);
        m = truth;
        gzi_gz2_left_out(&m, 1, runs, RUNS, u, n, 6, residual);
        unchanged &= memcmp(&m, &truth, sizeof m) == 0;
        double half = gzi_gz2_half_width(residual, RUNS, 0);
        gzi_gz2_fit(&m, 1, runs, RUNS, NULL, u, n, &fitted);
        for (int i = 0; i < RUNS; i++, all++) {
            gzi_gz2_prediction p;
            gzi_gz2_predict(&m, &fresh[i].config, &p);
            covered += fabs(log(p.seconds / fresh[i].seconds)) <= half;
        }
    }
    double share = (double)covered / all;
    tap_ok(share > 0.93 && share < 0.999, "the intervals cover %.1f %% of %d new runs", 100 * share,
           all);
    tap_ok(unchanged, "leaving out changes no model");
    tap_ok(gzi_gz2_half_width(residual, RUNS, 0.1) > gzi_gz2_half_width(residual, RUNS, 0),
           "scatter between tries widens them");
}

int main(void)
{
    unsigned long long state = gz2_seed(15);
    gzi_gz2_fitted fitted;
    tap_plan(18);
    recovers(&state, 0);
    recovers(&state, 1);
    is_optimal(&state);
    holds_bounds(&state);
    tells_alike(&state);
    is_robust(&state);
    covers(&state);
    tap_ok(gzi_gz2_fit(NULL, 0, NULL, 0, NULL, NULL, 0, &fitted) == -1, "no runs are refused");
    return tap_done();
}
