/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include "data.h"
#include "operators.h"
#include "own_grid.h"

#include <stdlib.h>
#include <string.h>

static int check_setup(const struct gzk_device *device, const struct gzm_setup *setup,
                       struct gzk_error *error)
{
    enum { MOST_SWEEPS = 100 };
    for (int i = 0; i < 2; i++)
        if (setup->sweeps[i] < 0 || setup->sweeps[i] > MOST_SWEEPS)
            return gzk_fail(error, GZK_INVALID, "%d sweeps: must be 0 to %d", setup->sweeps[i],
                            (int)MOST_SWEEPS);
    if (setup->sweeps[0] + setup->sweeps[1] == 0)
        return gzk_fail(error, GZK_INVALID,
                        "no sweeps before and after the correction: must be one or more");
    if (setup->division && !device)
        return gzk_fail(error, GZK_INVALID, "ranks: must have a device each");
    int status = gzm_problem_check(&setup->problem, error);
    if (status == 0 && gzm_cells(setup->problem.size) > 1 << 30)
        status = gzk_fail(error, GZK_INVALID, "a grid of %.0f elements: must be at most %d",
                          gzm_cells(setup->problem.size), 1 << 30);
    if (status != 0)
        return status;
    const struct gzk_memory needed = gzm_memory(setup, device ? &device->info : NULL);
    return gzk_memory_check(&needed, device ? &device->info : NULL, error);
}

/* Adds the places of elements to the bodies, for parts of levels. Colours need none: what has no
 * walls is cut at even places. */
static void place_bodies(struct gzm *mg)
{
    struct gzk_stencil *const stencils[] = {&mg->smoother, &mg->residual};

    for (int k = 0; k < 2 && !mg->grid.periodic; k++) {
        const char *body = stencils[k]->body;
        mg->bodies[k] = gzm_room(mg, GZK_PLACE_TEXT + strlen(body) + 1);
        if (!mg->bodies[k])
            return;
        size_t length = gzk_place_text(&mg->setup.division->split[0], GZM_PLACE, mg->bodies[k]);
        strcpy(mg->bodies[k] + length, body);
        stencils[k]->body = mg->bodies[k];
        stencils[k]->coefficients = GZM_COEFS;
    }
}

/* NULL after a failure. */
static struct gzm *make(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
                        struct gzk_error *error)
{
    struct gzm *mg = calloc(1, sizeof *mg);

    if (!mg) {
        gzk_fail(error, GZK_FAILED, "out of host memory");
        return NULL;
    }
    mg->error = error;
    mg->setup = *setup;
    if (!mg->setup.stop)
        mg->setup.stop = &gzk_never;
    mg->device = device;
    mg->scale = 1;
    mg->bytes = GZK_BYTES(setup->problem.type);
    mg->verbs = setup->problem.type == GZK_FLOAT ? &gzm_verbs_float : &gzm_verbs_double;
    mg->grid = gzm_grid_of(&setup->problem);
    mg->grid.zeros = mg->zeros = gzm_room(mg, (size_t)setup->problem.size[0] * mg->bytes);
    gzm_smoother_of(&setup->problem, &mg->smoother);
    gzm_stencil_of(&setup->problem, GZM_DO_RESIDUAL, &mg->residual);
    mg->residual.coefficients = GZM_COEFS;
    if (setup->division)
        place_bodies(mg);
    gzm_levels_make(mg, beta);
    if (mg->device)
        gzm_kernels_make(mg);
    if (mg->status == 0)
        return mg;
    gzm_close(mg);
    return NULL;
}

int gzm_open(struct gzk_device *device, const struct gzm_setup *setup, const void *beta,
             struct gzm **made, struct gzk_error *error)
{
    struct gzk_exchange alone = {.ranks = 1};
    struct gzk_exchange *exchange = setup->division ? setup->division->exchange : &alone;
    struct gzm *mg = NULL;
    int status = check_setup(device, setup, error);

    gzk_exchange_turn(exchange, true);
    if (status == 0 && !(mg = make(device, setup, beta, error)))
        status = error->status;
    gzk_exchange_turn(exchange, false);
    status = gzk_exchange_all(exchange, status, error);
    if (status != 0)
        gzm_close(mg);
    else
        *made = mg;
    return status;
}

void gzm_close(struct gzm *mg)
{
    if (!mg)
        return;
    if (mg->device)
        mg->device->backend->buffer_free(mg->device, mg->maxima);
    for (int k = 0; k < mg->count; k++) {
        struct gzm_level *level = &mg->levels[k];
        gzk_plan_free(level->plan);
        gzm_share_free(mg, &level->share);
        gzk_session_free(level->session);
        gzk_data_free(&level->data);
        free(level->other);
        free(level->work);
    }
    free(mg->host_maxima);
    free(mg->zeros);
    free(mg->bodies[0]);
    free(mg->bodies[1]);
    free(mg);
}
