/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cases.c - see cases.h.
 */
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const benchmark_names[BENCHMARKS] = {"PathFinder", "HotSpot", "Poisson", "Cell"};

test_case benchmark_case(int benchmark, gz_sync sync)
{
    static const char *const app[BENCHMARKS] = {"pathfinder", "hotspot", "poisson", "cell"};
    static const double data_length[BENCHMARKS] = {1e6, 2000, 2000, 100};
    static const double block_len[BENCHMARKS] = {256, 20, 20, 8};
    test_case c = {.cfg = {.sync = sync}};
    gz_error error;
    if (gz_device_open("gtx280", &c.dev, &error) ||
        gz_app_open(app[benchmark], NULL, &c.app, &error)) {
        printf("Bail out! %s\n", error.text);
        exit(1);
    }
    for (int i = 0; i < c.app.dim; i++) {
        c.cfg.data_length[i] = data_length[benchmark];
        c.cfg.block_len[i] = block_len[benchmark];
    }
    return c;
}

gsl_rng *seeded_rng(void)
{
    const char *text = getenv("GZ_SEED");
    unsigned long seed = text ? strtoul(text, NULL, 10) : 2011;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, seed);
    printf("# random cases from GZ_SEED=%lu\n", seed);
    return rng;
}

double uniform(gsl_rng *rng, double low, double high)
{
    return low + (high - low) * gsl_rng_uniform(rng);
}

double log_uniform(gsl_rng *rng, double low, double high)
{
    return exp(uniform(rng, log(low), log(high)));
}

double whole(gsl_rng *rng, double low, double high)
{
    return low + (double)gsl_rng_uniform_int(rng, (unsigned long)(high - low) + 1);
}

static gz_quantity quantity(double value)
{
    return (gz_quantity){.value = value, .origin = GZ_ORIGIN_DEFAULT};
}

/* Zero one time in eight. */
static double or_zero(gsl_rng *rng, double value)
{
    return gsl_rng_uniform_int(rng, 8) ? value : 0;
}

/* Halo widths: whole, 0 in some dimensions but not in all. */
static void draw_halos(gsl_rng *rng, gz_app *app, double widest)
{
    for (int i = 0; i < app->dim; i++)
        app->halo_width[i] = or_zero(rng, floor(log_uniform(rng, 1, widest + 1)));
    int wide = (int)gsl_rng_uniform_int(rng, (unsigned long)app->dim);
    if (app->halo_width[wide] == 0)
        app->halo_width[wide] = 2;
}

static void draw_kind(gsl_rng *rng, gz_config *cfg)
{
    cfg->sync = (gz_sync)gsl_rng_uniform_int(rng, 3);
    cfg->tau = (gz_tau)gsl_rng_uniform_int(rng, 2);
    cfg->beyond = 1;
}

test_case random_case(gsl_rng *rng)
{
    test_case c = {
        .dev = {.name = "random",
                .clock_rate = quantity(log_uniform(rng, 5e8, 3e9)),
                .mem_bandwidth = quantity(log_uniform(rng, 5e10, 1e13)),
                .uncontended_latency = quantity(or_zero(rng, log_uniform(rng, 50, 2000))),
                .sm_count = quantity(whole(rng, 1, 200)),
                .blocks_per_sm = quantity(whole(rng, 1, 32)),
                .cpi = quantity(log_uniform(rng, 0.1, 10)),
                .launch_overhead = quantity(or_zero(rng, log_uniform(rng, 100, 1e5))),
                .fence_overhead = quantity(or_zero(rng, log_uniform(rng, 1, 1e3))),
                .fence_exposure = quantity(or_zero(rng, uniform(rng, 0, 1))),
                .latency_hiding = quantity(or_zero(rng, uniform(rng, 0, 1))),
                .dimension_penalty = quantity(uniform(rng, 0.5, 8)),
                .max_threads_per_block = quantity(whole(rng, 64, 2048)),
                .graph_overhead = quantity(or_zero(rng, log_uniform(rng, 50, 1e4)))},
        .app = {.name = "random",
                .dim = (int)whole(rng, 1, 3),
                .element_size = quantity(gsl_rng_uniform_int(rng, 2) ? 4 : 8),
                .stencil_arrays = quantity(whole(rng, 1, 4)),
                .elements_per_op = quantity(whole(rng, 0, 3)),
                .profile_sm_count = quantity(or_zero(rng, whole(rng, 1, 200))),
                .profile_elements = quantity(floor(log_uniform(rng, 1e4, 1e7))),
                .insts_per_sm_misc = quantity(or_zero(rng, log_uniform(rng, 1e2, 1e5))),
                .insts_per_sm_iter = quantity(or_zero(rng, log_uniform(rng, 1e2, 1e6))),
                .bank_conflict_rate = quantity(or_zero(rng, uniform(rng, 0, 2)))},
    };
    if (c.app.profile_sm_count.value == 0) /* one time in eight it is not stated */
        c.app.profile_sm_count = (gz_quantity){.value = 0};
    draw_kind(rng, &c.cfg);
    draw_halos(rng, &c.app, 8);
    double longest = c.app.dim == 1 ? 1024 : c.app.dim == 2 ? 64 : 24;
    for (int i = 0; i < c.app.dim; i++) {
        c.cfg.data_length[i] = floor(log_uniform(rng, 64, c.app.dim == 1 ? 1e8 : 4096));
        c.cfg.block_len[i] = whole(rng, c.app.halo_width[i] + 1, longest);
    }
    return c;
}

test_case extreme_case(gsl_rng *rng, double decades)
{
    double low = pow(10, -decades), high = pow(10, decades);
    double counts = fmin(high, 1e9);
    test_case c = {
        .dev = {.name = "extreme",
                .clock_rate = quantity(log_uniform(rng, low, high)),
                .mem_bandwidth = quantity(log_uniform(rng, low, high)),
                .uncontended_latency = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .sm_count = quantity(floor(log_uniform(rng, 1, counts))),
                .blocks_per_sm = quantity(floor(log_uniform(rng, 1, counts))),
                .cpi = quantity(log_uniform(rng, low, high)),
                .launch_overhead = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .fence_overhead = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .fence_exposure = quantity(or_zero(rng, log_uniform(rng, low, 1))),
                .latency_hiding = quantity(or_zero(rng, 1 - log_uniform(rng, 1e-15, 1))),
                .dimension_penalty = quantity(log_uniform(rng, low, high)),
                .max_threads_per_block = quantity(1024),
                .graph_overhead = quantity(or_zero(rng, log_uniform(rng, low, high)))},
        .app = {.name = "extreme",
                .dim = (int)whole(rng, 1, 3),
                .element_size = quantity(log_uniform(rng, low, high)),
                .stencil_arrays = quantity(log_uniform(rng, low, high)),
                .elements_per_op = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .profile_sm_count = quantity(floor(log_uniform(rng, 1, counts))),
                .profile_elements = quantity(log_uniform(rng, 1, high)),
                .insts_per_sm_misc = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .insts_per_sm_iter = quantity(or_zero(rng, log_uniform(rng, low, high))),
                .bank_conflict_rate = quantity(or_zero(rng, log_uniform(rng, low, high)))},
    };
    draw_kind(rng, &c.cfg);
    draw_halos(rng, &c.app, 1e5);
    for (int i = 0; i < c.app.dim; i++) {
        c.cfg.data_length[i] = floor(log_uniform(rng, 1, fmin(high, 1e15)));
        /* from a committed tile of next to nothing at height 1 to a pole at a million */
        c.cfg.block_len[i] = c.app.halo_width[i] * (1 + log_uniform(rng, 1e-12, 10)) + 1e-3;
        c.cfg.block_len[i] = fmax(1, c.cfg.block_len[i] * log_uniform(rng, 1, 10));
    }
    return c;
}

double random_height(gsl_rng *rng, const test_case *c)
{
    double u = uniform(rng, -8, 12); /* h/pole = 1/(1 + exp(-u)) */
    double h = gz_pole(&c->app, &c->cfg) / (1 + exp(-u));
    return h < gz_pole(&c->app, &c->cfg) ? h : gz_pole(&c->app, &c->cfg) / 2;
}

void show_case(const test_case *c)
{
    printf("# %d-D, %s, tau %s\n", c->app.dim, gz_name(GZ_SYNCS, c->cfg.sync),
           gz_name(GZ_TAUS, c->cfg.tau));
    for (int p = 0; p < gz_param_count(); p++) {
        double value = gz_param_value(&c->dev, &c->app, &c->cfg, p);
        if (!isnan(value))
            printf("#   %s %.17g\n", gz_param_about(p)->name, value);
    }
}
