/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "operators.h"
#include "own_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gzm_grid gzm_level_grid(const struct gzm *mg, const struct gzm_level *level)
{
    struct gzm_grid grid = mg->grid;
    grid.data = &level->data;
    return grid;
}

/* The second array, beta, of a level's data. */
static void *beta_of(const struct gzm *mg, const struct gzm_level *level)
{
    return (char *)level->data.aux + level->data.stride * mg->bytes;
}

/* Copies beta to the finest level; of mixed precision its levels in float see what is left. */
static int take_beta(struct gzm *mg, const void *beta, struct gzk_error *error)
{
    const struct gzk_data *data = &mg->levels[0].data;
    size_t nx = (size_t)data->size[0], ny = (size_t)data->size[1];

    memcpy(beta_of(mg, &mg->levels[0]), beta, data->cells * mg->bytes);
    for (size_t i = 0; i < data->cells; i++) {
        double value = gzk_element(beta, mg->setup.problem.type, i);
        if (!(value > 0 && isfinite(value)))
            return gzk_fail(error, GZK_INVALID,
                            "beta is %g at (%zu, %zu, %zu): must be above 0 and finite", value,
                            i % nx, i / nx % ny, i / nx / ny);
    }
    return 0;
}

/* The arrays of level k in host memory, its beta, but for the first, from the level before. */
static int make_data(struct gzm *mg, int k, struct gzk_error *error)
{
    const struct gzm_problem *problem = &mg->setup.problem;
    struct gzm_level *level = &mg->levels[k];

    if (gzk_data_room(&level->data, &mg->smoother, level->size, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a level of %.0f elements",
                        gzm_cells(level->size));
    gzm_set_coefficients(problem, level->size, level->data.coefficients);
    if (problem->op != GZM_VARIABLE || k == 0)
        return 0;
    const struct gzm_grid finer = gzm_level_grid(mg, level - 1);
    mg->verbs->restrict_to(&finer, beta_of(mg, level - 1), beta_of(mg, level));
    return 0;
}

/* Takes the norm of A, of which no sum may overflow. */
static int take_norm(struct gzm *mg, struct gzk_error *error)
{
    const struct gzm_problem *problem = &mg->setup.problem;
    const struct gzm_level *finest = &mg->levels[0];
    const double most = problem->type == GZK_FLOAT ? 1e30 : 1e300;
    double beta = 1;

    if (problem->op == GZM_VARIABLE)
        beta = mg->verbs->norm(beta_of(mg, finest), finest->data.cells);
    mg->norm = gzm_operator_norm(problem, finest->data.coefficients, beta);
    if (mg->norm <= most)
        return 0;
    return gzk_fail(error, GZK_INVALID,
                    "lambda %g and beta up to %g: the operator is too large for %s",
                    problem->lambda, beta, gzk_type_name(problem->type));
}

/* Leaves of level k's data this rank's own grid. */
static int cut_data(struct gzm *mg, int k, struct gzk_error *error)
{
    const struct gzm_division *division = mg->setup.division;
    struct gzm_level *level = &mg->levels[k], own = {.on_host = false};
    struct gzk_domain part;

    gzk_domain_of(&division->split[k], division->exchange->rank, &part);
    if (gzk_data_room(&own.data, &mg->smoother, part.size, 1) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a rank's level");
    memcpy(own.data.coefficients, level->data.coefficients, GZM_COEFS * mg->bytes);
    gzk_place_numbers(&division->split[k], &part, mg->setup.problem.type, GZM_PLACE,
                      own.data.coefficients);
    if (mg->setup.problem.op == GZM_VARIABLE)
        gzk_domain_take(&division->split[k], &part, mg->bytes, beta_of(mg, level),
                        beta_of(mg, &own));
    gzk_data_free(&level->data);
    level->data = own.data;
    return 0;
}

/* Makes level k from its data, which then go unless it stays on the host. */
static int make_level(struct gzm *mg, int k, struct gzk_error *error)
{
    struct gzm_level *level = &mg->levels[k];
    bool last = k == mg->count - 1, reached = k > 0 && !mg->levels[k - 1].on_host;
    int status = gzm_is_divided(&mg->setup, k) ? cut_data(mg, k, error) : 0;

    if (status == 0 && (!level->on_host || reached)) {
        status = gzk_session_new(mg->device, &mg->smoother, &level->data, &level->session, error);
        if (status == 0)
            status = gzk_session_reset(level->session, error);
    }
    gzm_share_renew(&level->share);
    if (status == 0 && gzm_is_divided(&mg->setup, k))
        status = gzm_share_new(mg->device, level->session, mg->setup.division, k, &mg->smoother,
                               mg->setup.stop, &level->share, error);
    if (status == 0 && !level->on_host) {
        gzk_data_free(&level->data);
        return mg->setup.mixed ? 0 : gzm_way_make(mg, level, &mg->setup.way[k], error);
    }
    if (status == 0) {
        level->other = calloc(level->data.cells, mg->bytes);
        level->work = last ? calloc(3 * level->data.cells, mg->bytes) : NULL;
        if (!level->other || (last && !level->work))
            status = gzk_fail(error, GZK_FAILED, "out of host memory for a level of %zu elements",
                              level->data.cells);
    }
    return status;
}

int gzm_levels_make(struct gzm *mg, const void *beta, struct gzk_error *error)
{
    const struct gzm_sizes sizes = gzm_sizes(&mg->setup, mg->device != NULL);

    mg->count = mg->setup.mixed ? 1 : sizes.count;
    for (int k = 0; k < mg->count; k++) {
        mg->levels[k].on_host = k >= sizes.on_device;
        memcpy(mg->levels[k].size, sizes.of[k], sizeof sizes.of[k]);
    }
    if (sizes.on_device == 0)
        mg->device = NULL;
    int status = make_data(mg, 0, error);
    if (status == 0 && mg->setup.problem.op == GZM_VARIABLE)
        status = take_beta(mg, beta, error);
    if (status == 0)
        status = take_norm(mg, error);
    for (int k = 0; k < mg->count && status == 0; k++) {
        if (k + 1 < mg->count)
            status = make_data(mg, k + 1, error);
        if (status == 0)
            status = make_level(mg, k, error);
    }
    return status;
}
