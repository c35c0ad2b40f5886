/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libgzmg - gzmg.h on the levels of multigrid.h.
 */
#include "data.h"
#include "device.h"
#include "gzmg.h"
#include "solve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gz_mg {
    struct gzk_device *device;
    struct gzm *levels;
    struct gzm_setup setup;
    bool absolute, project;
    double mean;            /* taken away from the right-hand side */
    struct gzk_error error; /* of the levels */
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
        .sweeps = {given ? request->sweeps[0] : 2, given ? request->sweeps[1] : 2}};
    memcpy(setup->problem.size, request->size, sizeof request->size);
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        setup->way[k].height = request->depth;
    if (request->depth < 0)
        return gzk_fail(error, GZK_INVALID, "depth %d: must be 0 or more", request->depth);
    return 0;
}

static int refuse_null(const char *what, struct gzk_error *error)
{
    return gzk_fail(error, GZK_INVALID, "%s is NULL", what);
}

/* What is to be known of an array before it is used. */
struct look {
    double mean, most; /* most: its largest magnitude */
};

/* Looks at an array of the problem, whose numbers must be finite. */
static int look_at(const struct gzm_problem *p, const char *name, const void *array,
                   struct look *look, struct gzk_error *error)
{
    size_t nx = (size_t)p->size[0], ny = (size_t)p->size[1], count = nx * ny * (size_t)p->size[2];
    double sum = 0, lost = 0; /* [Kahan 1965] */

    *look = (struct look){0, 0};
    for (size_t i = 0; i < count; i++) {
        double value = gzk_element(array, p->type, i);
        if (!isfinite(value))
            return gzk_fail(error, GZK_INVALID, "%s at (%zu, %zu, %zu) is not finite", name, i % nx,
                            i / nx % ny, i / nx / ny);
        double next = value - lost, total = sum + next;
        lost = (total - sum) - next;
        sum = total;
        look->most = fmax(look->most, fabs(value));
    }
    look->mean = sum / (double)count;
    return 0;
}

/* Whether a mean is rounding's: of sums of such numbers, or of numbers known to single precision.
 */
static bool is_rounding(const struct gzm_problem *p, const struct look *look)
{
    double epsilon = p->type == GZK_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON;
    double cells = (double)p->size[0] * p->size[1] * p->size[2];
    return fabs(look->mean) <= fmax((double)FLT_EPSILON, epsilon * sqrt(cells)) * look->most;
}

/* Makes the levels of a request. */
static int make(gz_mg *mg, const struct gz_mg_request *request, const void *beta,
                struct gzk_error *error)
{
    bool on_host = request->device && strcmp(request->device, "host") == 0;
    int status = set_up(request, &mg->setup, error);

    mg->absolute = request->absolute != 0;
    mg->project = request->project != 0;
    if (status == 0 && mg->setup.problem.op == GZM_VARIABLE && !beta)
        status = gzk_fail(error, GZK_INVALID, "the operator star7vc needs beta");
    if (status == 0 && !on_host)
        status = gzk_device_open(request->device, &mg->device, error);
    mg->setup.tail = gzm_usual_tail(mg->device ? &mg->device->info : NULL);
    if (status == 0 && gzm_open(mg->device, &mg->setup, beta, &mg->levels, &mg->error) != 0)
        *error = mg->error;
    return error->status;
}

int gz_mg_open(const struct gz_mg_request *request, const void *beta, gz_mg **made, char *why,
               unsigned long room)
{
    struct gzk_error error = {0};

    if (made)
        *made = NULL;
    if (!request || !made) {
        refuse_null(made ? "the request" : "mg", &error);
        return answer(&error, why, room);
    }
    gz_mg *mg = calloc(1, sizeof *mg);
    int status =
        mg ? make(mg, request, beta, &error) : gzk_fail(&error, GZK_FAILED, "out of host memory");
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

/* Refuses a right-hand side for which there is no solution; `mean` is taken away. */
static int check_rhs(const gz_mg *mg, const void *f, double *mean, struct gzk_error *error)
{
    const struct gzm_problem *p = &mg->setup.problem;
    struct look look;

    *mean = 0;
    if (!f)
        return 0;
    int status = look_at(p, "f", f, &look, error);
    if (status != 0 || !gzm_is_singular(p))
        return status;
    if (!isfinite(look.mean))
        return gzk_fail(error, GZK_INVALID, "f is too large: its sum is beyond double");
    *mean = look.mean;
    if (mg->project || is_rounding(p, &look))
        return 0;
    return gzk_fail(
        error, GZK_INVALID,
        "the mean of f is %g: with %s edges and lambda %g%s there is no solution unless "
        "it is 0; take it away, or set project",
        look.mean, gzm_edge_names[p->edges], p->lambda,
        p->lambda > 0 ? ", which counts as 0," : "");
}

static int put(gz_mg *mg, const void *f, const void *u, struct gzk_error *error)
{
    double mean;
    struct look look;
    int status = check_rhs(mg, f, &mean, error);
    if (status == 0 && u)
        status = look_at(&mg->setup.problem, "u", u, &look, error);
    if (status != 0)
        return status;
    mg->mean = mean;
    if (gzm_put(mg->levels, f, u) != 0)
        *error = mg->error;
    return error->status;
}

int gz_mg_put(gz_mg *mg, const void *f, const void *u, char *why, unsigned long room)
{
    struct gzk_error error = {0};
    if (mg)
        put(mg, f, u, &error);
    else
        refuse_null("mg", &error);
    return answer(&error, why, room);
}

static int check_tolerance(const gz_mg *mg, double tolerance, struct gzk_error *error)
{
    if (mg->absolute && !(tolerance > 0 && isfinite(tolerance)))
        return gzk_fail(error, GZK_INVALID, "tolerance %g: must be above 0 if it is absolute",
                        tolerance);
    if (!mg->absolute && !(tolerance >= 0 && tolerance <= 1))
        return gzk_fail(error, GZK_INVALID, "tolerance %g: must be 0 to 1 (0: 1e-10)", tolerance);
    return 0;
}

static int solve(gz_mg *mg, double tolerance, struct gz_mg_result *result, struct gzk_error *error)
{
    const struct gzm_effort effort = {.cycle = GZ_CYCLE_V,
                                      .tolerance = tolerance > 0 ? tolerance : 1e-10,
                                      .absolute = mg->absolute,
                                      .most = GZM_MOST_CYCLES};
    struct gzm_history h;
    int status = check_tolerance(mg, tolerance, error);
    if (status != 0)
        return status;
    if (gzm_solve(mg->levels, &effort, &h) != 0)
        *error = mg->error;
    else if (!h.converged)
        *error = h.why;
    *result = (struct gz_mg_result){.cycles = h.cycles,
                                    .residual = {h.residual[0], h.residual[h.cycles]},
                                    .factor = h.cycles > 0 ? gzm_factor(&h, 0) : 0,
                                    .seconds = h.seconds,
                                    .at_rounding = h.at_rounding,
                                    .mean = mg->mean};
    return error->status;
}

int gz_mg_solve(gz_mg *mg, double tolerance, struct gz_mg_result *result, char *why,
                unsigned long room)
{
    struct gzk_error error = {0};
    struct gz_mg_result own = {0};
    if (mg)
        solve(mg, tolerance, &own, &error);
    else
        refuse_null("mg", &error);
    if (result)
        *result = own;
    return answer(&error, why, room);
}

int gz_mg_get(gz_mg *mg, void *u, char *why, unsigned long room)
{
    struct gzk_error error = {0};
    if (!mg || !u)
        refuse_null(mg ? "u" : "mg", &error);
    else if (gzm_get(mg->levels, u) != 0)
        error = mg->error;
    return answer(&error, why, room);
}
