/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve.h"

#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Solves the small problem for a random right-hand side; its factor and the time of a cycle. */
static int try_small(const struct gzm_setup *setup, gz_cycle cycle, double *factor, double *seconds,
                     struct gzk_error *error)
{
    const struct gzm_effort effort = {.cycle = cycle, .tolerance = 0, .most = 8};
    const enum gzk_type type = setup->problem.type;
    size_t cells = gzk_cells(setup->problem.size);
    size_t bytes = GZK_BYTES(type);
    struct gzm_history history;
    void *f = calloc(cells, bytes), *beta = calloc(cells, bytes);
    int status = f && beta ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");

    if (status == 0) {
        gzm_known(&setup->problem, NULL, NULL, beta);
        for (size_t i = 0; i < cells; i++)
            gzk_set_element(
                f, type, i,
                (type == GZK_FLOAT ? (double)gzk_random_float(1, i) : gzk_random_double(1, i)) -
                    0.5);
        status = gzm_solve_from(NULL, setup, &effort, f, beta, NULL, &history, error);
    }
    if (status == 0) {
        *factor = gzm_factor(&history, gzm_floor(type));
        *seconds = history.cycles > 0 ? history.seconds / history.cycles : 0;
    }
    free(f);
    free(beta);
    return status;
}

/* The time of a cycle; `cell_s` is what an element of the finest level takes where all levels are
 * on the host. */
static int expect(const struct gzk_device *device, gz_cycle cycle, const struct gzm_setup *setup,
                  double cell_s, double *seconds, struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(setup, device != NULL);
    int first = sizes.on_device;
    gz_vcycle_time time;
    double host_s = cell_s * (double)gzk_cells(sizes.of[first]);
    int status = gzm_expect(first > 0 ? device : NULL, cycle, setup, host_s, &time, error);
    *seconds = first == 0 ? host_s : time.levels > 0 ? time.seconds : HUGE_VAL;
    return status;
}

int gzm_choose_sweeps(struct gzk_device *device, gz_cycle cycle, struct gzm_setup *setup,
                      struct gzm_rate rates[GZM_MOST_SWEEPS], struct gzk_error *error)
{
    enum { SMALL = 32 };
    struct gzm_setup tried = *setup, small = *setup;
    int status = 0, best = 0;

    for (int i = 0; i < 3; i++)
        small.problem.size[i] = small.problem.size[i] < SMALL ? small.problem.size[i] : SMALL;
    for (int k = 0; k < GZM_MOST_SWEEPS && status == 0; k++) {
        double host = 0;
        for (int i = 0; i < 2; i++)
            tried.sweeps[i] = small.sweeps[i] = k + 1;
        status = try_small(&small, cycle, &rates[k].factor, &host, error);
        if (status == 0)
            status = expect(device, cycle, &tried, host / (double)gzk_cells(small.problem.size),
                            &rates[k].seconds, error);
        bool falls = rates[k].factor > 0 && rates[k].factor < 1;
        rates[k].per_digit = falls ? rates[k].seconds / -log10(rates[k].factor) : HUGE_VAL;
        best = rates[k].per_digit < rates[best].per_digit ? k : best;
    }
    for (int i = 0; i < 2 && status == 0; i++)
        setup->sweeps[i] = best + 1;
    return status;
}
