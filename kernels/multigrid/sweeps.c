/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweeps.h"

#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double cells_of(const int size[3])
{
    return (double)size[0] * size[1] * size[2];
}

/* Solves the small problem for a random right-hand side; its factor and the time of a cycle. */
static int try_small(const struct gzm_setup *setup, enum gzm_cycle cycle, double *factor,
                     double *seconds, struct gzk_error *error)
{
    const struct gzm_effort effort = {.cycle = cycle, .tolerance = 0, .most = 8};
    /* Below this share of the first residual rounding disturbs. */
    const double floor = setup->problem.type == GZK_FLOAT ? 1e-4 : 1e-11;
    size_t cells = (size_t)cells_of(setup->problem.size);
    size_t bytes = gzk_type_bytes(setup->problem.type);
    struct gzm_history *history = malloc(sizeof *history);
    void *f = calloc(cells, bytes), *beta = calloc(cells, bytes);
    struct gzm *mg = NULL;
    int status = history && f && beta ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");

    if (status == 0) {
        gzm_known(&setup->problem, NULL, NULL, beta);
        for (size_t i = 0; i < cells; i++)
            if (setup->problem.type == GZK_FLOAT)
                ((float *)f)[i] = gzk_random_float(1, i) - 0.5F;
            else
                ((double *)f)[i] = gzk_random_double(1, i) - 0.5;
        status = gzm_open(NULL, setup, beta, &mg, error);
    }
    if (status == 0)
        status = gzm_put(mg, f, NULL, error);
    if (status == 0)
        status = gzm_solve(mg, &effort, history, error);
    if (status == 0) {
        *factor = gzm_factor(history, floor);
        *seconds = history->cycles > 0 ? history->seconds / history->cycles : 0;
    }
    gzm_close(mg);
    free(history);
    free(f);
    free(beta);
    return status;
}

/* How often a cycle visits level k. */
static double visits_of(enum gzm_cycle cycle, int k)
{
    return cycle == GZM_V ? 1 : cycle == GZM_W ? ldexp(1, k) : k + 1;
}

/* The time of a cycle; `host` is what an element of the finest level takes where all levels are on
 * the host. */
static int expect(const struct gzk_device *device, enum gzm_cycle cycle,
                  const struct gzm_setup *setup, double host, double *seconds,
                  struct gzk_error *error)
{
    struct gzk_stencil smoother;
    int sizes[GZM_MAX_LEVELS][3];
    bool on_host[GZM_MAX_LEVELS];
    int count = gzm_sizes(setup, device != NULL, sizes, on_host), status = 0, k;
    double loops = (double)(setup->sweeps[0] + setup->sweeps[1]) * gzm_loops(&setup->problem);

    *seconds = 0;
    gzm_smoother_of(&setup->problem, &smoother);
    for (k = 0; k < count && !on_host[k] && status == 0; k++) {
        struct gzk_config config = {
            .stencil = &smoother, .sync = GZ_SYNC_RESTART, .height = 1, .loops = (long)loops / 2};
        struct gzm_predicted predicted;
        memcpy(config.size, sizes[k], sizeof config.size);
        status = gzm_choose(device, &setup->way[k], &config, &predicted, error);
        /* Where the model does not know the given way, by its best at depth 1. */
        double loop = isfinite(predicted.seconds) ? predicted.seconds : predicted.shallow_s;
        *seconds += visits_of(cycle, k) * (loops * loop + 2 * predicted.shallow_s) +
                    (k == 0 ? predicted.shallow_s : 0);
    }
    if (k < count)
        *seconds += visits_of(cycle, k) * host * cells_of(sizes[k]);
    return status;
}

int gzm_choose_sweeps(struct gzk_device *device, enum gzm_cycle cycle, struct gzm_setup *setup,
                      struct gzm_rate rates[GZM_MOST_SWEEPS], struct gzk_error *error)
{
    enum { SMALL = 32 };
    struct gzm_setup tried = *setup, small = *setup;
    int status = gzm_problem_check(&setup->problem, error), best = 0;

    for (int i = 0; i < 3; i++)
        small.problem.size[i] = small.problem.size[i] < SMALL ? small.problem.size[i] : SMALL;
    for (int k = 0; k < GZM_MOST_SWEEPS && status == 0; k++) {
        double host = 0;
        for (int i = 0; i < 2; i++)
            tried.sweeps[i] = small.sweeps[i] = k + 1;
        status = try_small(&small, cycle, &rates[k].factor, &host, error);
        if (status == 0)
            status = expect(device, cycle, &tried, host / cells_of(small.problem.size),
                            &rates[k].seconds, error);
        bool falls = rates[k].factor > 0 && rates[k].factor < 1;
        rates[k].per_digit = falls ? rates[k].seconds / -log10(rates[k].factor) : HUGE_VAL;
        best = rates[k].per_digit < rates[best].per_digit ? k : best;
    }
    for (int i = 0; i < 2 && status == 0; i++)
        setup->sweeps[i] = best + 1;
    return status;
}
