/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "operators.h"
#include "own_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The second array, beta, of a level's data. */
static void *beta_of(const struct gzm *mg, const struct gzm_level *level)
{
    return (char *)level->data.aux + level->data.stride * mg->bytes;
}

/* Copies beta to the finest level. */
static void take_beta(struct gzm *mg, const void *beta)
{
    const struct gzk_data *data = &mg->levels[0].data;
    size_t nx = (size_t)data->size[0], ny = (size_t)data->size[1];

    memcpy(beta_of(mg, &mg->levels[0]), beta, data->cells * mg->bytes);
    for (size_t i = 0; i < data->cells && mg->status == 0; i++) {
        double value = gzk_element(beta, mg->setup.problem.type, i);
        if (!(value > 0 && isfinite(value)))
            mg->status = gzk_fail(mg->error, GZK_INVALID,
                                  "beta is %g at (%zu, %zu, %zu): must be above 0 and finite",
                                  value, i % nx, i / nx % ny, i / nx / ny);
    }
}

/* The arrays of level k in host memory, its beta from the level before or, of the first, the one
 * given. */
static void make_data(struct gzm *mg, int k, const void *beta)
{
    struct gzm_level *level = &mg->levels[k];

    if (gzk_data_room(&level->data, &mg->smoother, level->size, 1) != 0)
        GZM_TRY(mg,
                gzk_fail(mg->error, GZK_FAILED, "out of host memory for a level of %.0f elements",
                         gzm_cells(level->size)));
    if (mg->status != 0)
        return;
    gzm_set_coefficients(&mg->setup.problem, level->size, level->data.coefficients);
    if (mg->setup.problem.op != GZM_VARIABLE)
        return;
    if (k == 0) {
        take_beta(mg, beta);
        return;
    }
    mg->verbs->restrict_to(&(level - 1)->grid, beta_of(mg, level - 1), beta_of(mg, level));
}

/* Takes the norm of A, of which no sum may overflow. */
static void take_norm(struct gzm *mg)
{
    const struct gzm_problem *problem = &mg->setup.problem;
    const struct gzm_level *finest = &mg->levels[0];
    const double most = problem->type == GZK_FLOAT ? 1e30 : 1e300;
    double beta = 1;

    if (mg->status != 0)
        return;
    if (problem->op == GZM_VARIABLE)
        beta = mg->verbs->norm(beta_of(mg, finest), finest->data.cells);
    mg->norm = gzm_operator_norm(problem, finest->data.coefficients, beta);
    if (!(mg->norm <= most))
        mg->status = gzk_fail(mg->error, GZK_INVALID,
                              "lambda %g and beta up to %g: the operator is too large for %s",
                              problem->lambda, beta, gzk_type_name(problem->type));
}

/* Leaves of level k's data this rank's own grid. */
static void cut_data(struct gzm *mg, int k)
{
    const struct gzm_division *division = mg->setup.division;
    struct gzm_level *level = &mg->levels[k], own = {.on_host = false};
    struct gzk_domain part;

    gzk_domain_of(&division->split[k], division->exchange->rank, &part);
    if (gzk_data_room(&own.data, &mg->smoother, part.size, 1) != 0) {
        mg->status = gzk_fail(mg->error, GZK_FAILED, "out of host memory for a rank's level");
        return;
    }
    memcpy(own.data.coefficients, level->data.coefficients, GZM_COEFS * mg->bytes);
    gzk_place_numbers(&division->split[k], &part, mg->setup.problem.type, GZM_PLACE,
                      own.data.coefficients);
    if (mg->setup.problem.op == GZM_VARIABLE)
        gzk_domain_take(&division->split[k], &part, mg->bytes, beta_of(mg, level),
                        beta_of(mg, &own));
    gzk_data_free(&level->data);
    level->data = own.data;
}

/* The arrays of a level on the device. */
static void make_session(struct gzm *mg, struct gzm_level *level)
{
    GZM_TRY(mg,
            gzk_session_new(mg->device, &mg->smoother, &level->data, &level->session, mg->error));
    GZM_TRY(mg, gzk_session_reset(level->session, mg->error));
}

/* Makes level k from its data, which then go unless it stays on the host. */
static void make_level(struct gzm *mg, int k)
{
    struct gzm_level *level = &mg->levels[k];
    bool divided = gzm_is_divided(&mg->setup, k);
    size_t bytes = level->data.cells * mg->bytes;

    if (mg->status != 0)
        return;
    if (divided)
        cut_data(mg, k);
    if (!level->on_host || (k > 0 && !mg->levels[k - 1].on_host))
        make_session(mg, level);
    if (divided)
        gzm_share_make(mg, level);
    if (level->on_host) {
        level->other = gzm_room(mg, bytes);
        level->work = k == mg->count - 1 ? gzm_room(mg, 3 * bytes) : NULL;
        return;
    }
    gzk_data_free(&level->data);
    gzm_way_make(mg, level, &mg->setup.way[k]);
}

void gzm_levels_make(struct gzm *mg, const void *beta)
{
    const struct gzm_sizes sizes = gzm_sizes(&mg->setup, mg->device != NULL);

    mg->count = sizes.count;
    for (int k = 0; k < mg->count; k++) {
        struct gzm_level *level = &mg->levels[k];
        level->on_host = k >= sizes.on_device;
        level->grid = mg->grid;
        level->grid.data = &level->data;
        memcpy(level->size, sizes.of[k], sizeof sizes.of[k]);
    }
    if (sizes.on_device == 0)
        mg->device = NULL;
    make_data(mg, 0, beta);
    take_norm(mg);
    for (int k = 0; k < mg->count; k++) {
        if (k + 1 < mg->count)
            make_data(mg, k + 1, beta);
        make_level(mg, k);
    }
}
