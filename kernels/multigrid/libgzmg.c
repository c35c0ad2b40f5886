/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libgzmg - gzmg.h on the levels of multigrid.h.
 */
#include "device.h"
#include "gzmg.h"
#include "sweeps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gz_mg {
    struct gzk_device *device;
    struct gzm *levels;
};

/* Hands the reason on. */
static int answer(const struct gzk_error *error, char *why, unsigned long room)
{
    if (error->status != 0 && why && room > 0)
        snprintf(why, room, "%s", error->text);
    return error->status;
}

/* The place of a name; NULL is the first. -1 with the reason if there is no such name. */
static int choice(const char *what, const char *name, const char *const names[],
                  struct gzk_error *error)
{
    for (int k = 0; names[k]; k++)
        if (!name || strcmp(name, names[k]) == 0)
            return k;
    gzk_fail(error, GZK_INVALID, "%s: \"%.60s\" is unknown", what, name);
    return -1;
}

static int set_up(const struct gz_mg_request *request, struct gzm_setup *setup,
                  struct gzk_error *error)
{
    int op = choice("op", request->op, gzm_operator_names, error);
    int edges = choice("edges", request->edges, gzm_edge_names, error);
    int smoother = choice("smoother", request->smoother, gzm_smoother_names, error);
    if (op < 0 || edges < 0 || smoother < 0)
        return GZK_INVALID;
    bool given = request->sweeps[0] != 0 || request->sweeps[1] != 0;
    if (!request->smoother && op > GZM_VARIABLE)
        smoother = GZM_JACOBI;
    *setup = (struct gzm_setup){
        .problem = {.op = (enum gzm_operator)op,
                    .edges = (enum gzm_edges)edges,
                    .smoother = (enum gzm_smoother)smoother,
                    .type = request->use_float ? GZK_FLOAT : GZK_DOUBLE,
                    .lambda = request->lambda,
                    .omega = request->omega,
                    .filter = request->filter != 0},
        .sweeps = {given ? request->sweeps[0] : 2, given ? request->sweeps[1] : 2},
        .tail = GZM_USUAL_TAIL,
        .mixed = request->mixed != 0};
    memcpy(setup->problem.size, request->size, sizeof request->size);
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        setup->way[k].depth = request->depth;
    if (request->depth < 0)
        return gzk_fail(error, GZK_INVALID, "depth %d: must be 0 or more", request->depth);
    return 0;
}

int gz_mg_open(const struct gz_mg_request *request, const void *beta, gz_mg **made, char *why,
               unsigned long room)
{
    struct gzk_error error = {0};
    struct gzm_setup setup;
    gz_mg *mg = calloc(1, sizeof *mg);
    bool on_host = request->device && strcmp(request->device, "host") == 0;

    *made = NULL;
    int status =
        mg ? set_up(request, &setup, &error) : gzk_fail(&error, GZK_FAILED, "out of host memory");
    if (status == 0 && setup.problem.op == GZM_VARIABLE && !beta)
        status = gzk_fail(&error, GZK_INVALID, "the operator star7vc needs beta");
    if (status == 0 && !on_host)
        status = gzk_device_open(request->device, &mg->device, &error);
    if (status == 0)
        status = gzm_open(mg->device, &setup, beta, &mg->levels, &error);
    if (status == 0)
        *made = mg;
    else
        gz_mg_close(mg);
    return answer(&error, why, room);
}

void gz_mg_close(gz_mg *mg)
{
    if (!mg)
        return;
    gzm_close(mg->levels);
    gzk_device_close(mg->device);
    free(mg);
}

int gz_mg_put(gz_mg *mg, const void *f, const void *u, char *why, unsigned long room)
{
    struct gzk_error error = {0};
    gzm_put(mg->levels, f, u, &error);
    return answer(&error, why, room);
}

int gz_mg_solve(gz_mg *mg, double tolerance, struct gz_mg_result *result, char *why,
                unsigned long room)
{
    const struct gzm_effort effort = {
        .cycle = GZM_V, .tolerance = tolerance > 0 ? tolerance : 1e-10, .most = 100};
    struct gzk_error error = {0};
    struct gzm_history *h = calloc(1, sizeof *h);

    if (!h)
        gzk_fail(&error, GZK_FAILED, "out of host memory");
    else if (gzm_solve(mg->levels, &effort, h, &error) == 0 && !h->converged)
        error = h->why;
    if (h && result)
        *result = (struct gz_mg_result){
            h->cycles, {h->residual[0], h->residual[h->cycles]}, gzm_factor(h, 0), h->seconds};
    free(h);
    return answer(&error, why, room);
}

int gz_mg_get(gz_mg *mg, void *u, char *why, unsigned long room)
{
    struct gzk_error error = {0};
    gzm_get(mg->levels, u, &error);
    return answer(&error, why, room);
}
