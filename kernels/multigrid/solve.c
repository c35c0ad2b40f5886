/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solve.h"

#include "data.h"
#include "levels.h"
#include "numbers.h"

#include <float.h>
#include <math.h>

enum { SLOW = 5 }; /* cycles over which the residual must fall */

/* Whether the last cycles have gained next to nothing. */
static bool is_slow(const struct gzm_history *h)
{
    static const double slow = 0.95;
    return h->cycles >= SLOW && !(h->residual[h->cycles] < slow * h->residual[h->cycles - SLOW]);
}

/* Whether it is plain that no cycle will help, and why; `first` is what residuals are compared
 * with. */
static bool is_hopeless(const struct gzm_history *h, double first, enum gzk_type type,
                        struct gzk_error *why)
{
    static const double blown = 1e3;
    int k = h->cycles;
    double now = h->residual[k];
    if (!isfinite(now))
        return gzk_fail(why, GZK_FAILED, "the residual is %s after %d cycle%s",
                        isnan(now) ? "NaN" : "infinite", k, k == 1 ? "" : "s");
    if (now > blown * first)
        return gzk_fail(why, GZK_FAILED,
                        "diverges: the residual has grown from %g to %g in %d cycles",
                        h->residual[0], now, k);
    if (!is_slow(h))
        return false;
    return gzk_fail(why, GZK_FAILED,
                    "stagnates: the residual went from %g to %g of the first in the last %d "
                    "cycles, and %s rounds to %.1g",
                    h->residual[k - SLOW] / h->residual[0], now / h->residual[0], (int)SLOW,
                    gzk_type_name(type), type == GZK_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON);
}

/* A device that computes nothing, or something else, shows where the residual is known. */
static void check_first(struct gzm *mg, double residual)
{
    if (mg->state != 0 || isnan(mg->rhs) || residual == mg->rhs)
        return;
    GZM_TRY(mg, gzk_fail(mg->error, GZK_FAILED,
                         "the device computes wrongly or nothing: the residual of 0 is %g, not "
                         "the right-hand side's %g",
                         isnan(residual) ? fabs(residual) : residual, mg->rhs));
}

/* The reference and the target of residuals, and the state of the decision. */
struct course {
    double first, aim;
    bool looked; /* at the state's rounding, since a cycle gained little */
    bool ended;
};

/* Whether the last cycle is the first that has not halved the residual. */
static bool gains_little(const struct gzm_history *h, struct course *course)
{
    int k = h->cycles;
    bool little = k > 0 && !course->looked && h->residual[k] > 0.5 * h->residual[k - 1];
    course->looked |= little;
    return little;
}

/* Decides whether cycles end here. The state's rounding, for which it is read, is looked at before
 * the first cycle, since a solution may have been given, where a cycle gains little for the first
 * time, and where cycles end without reaching the aim. */
static void judge(struct gzm *mg, const struct gzm_effort *effort, struct gzm_history *h,
                  struct course *course)
{
    double now = h->residual[h->cycles];
    bool last = h->cycles >= effort->most;

    if (mg->status == 0)
        h->converged = isfinite(now) && now <= course->aim;
    if (mg->status == 0 && !h->converged && isfinite(now) &&
        (h->cycles == 0 || gains_little(h, course) || last || is_slow(h))) {
        double rounding = gzm_rounding(mg);
        h->converged = h->at_rounding = mg->status == 0 && isfinite(rounding) && now <= rounding;
    }
    course->ended = mg->status != 0 || h->converged ||
                    is_hopeless(h, course->first, mg->setup.problem.type, &h->why);
    if (course->ended || !last)
        return;
    course->ended = true;
    gzk_fail(&h->why, GZK_FAILED, "%d cycle%s left %.3g of the residual, not %.3g", h->cycles,
             h->cycles == 1 ? "" : "s", now / course->first, course->aim / course->first);
}

int gzm_solve(struct gzm *mg, const struct gzm_effort *effort, struct gzm_history *h)
{
    double begin = cli_now();

    *h = (struct gzm_history){.cycles = 0};
    gzm_norm(mg, &h->residual[0]);
    double whole = mg->rhs > 0 ? mg->rhs : h->residual[0];
    struct course course = {.first = fmax(whole, h->residual[0]),
                            .aim = effort->tolerance * (effort->absolute ? 1 : whole)};
    check_first(mg, h->residual[0]);
    judge(mg, effort, h, &course);
    while (!course.ended) {
        if (effort->show)
            effort->show(effort->of, h);
        if (effort->full && h->cycles == 0)
            gzm_full(mg, effort->cycle);
        else
            gzm_cycle(mg, effort->cycle);
        if (gzm_norm(mg, &h->residual[h->cycles + 1]) == 0)
            h->cycles++;
        judge(mg, effort, h, &course);
    }
    h->seconds = cli_now() - begin;
    return mg->status;
}

int gzm_solve_from(struct gzk_device *device, const struct gzm_setup *setup,
                   const struct gzm_effort *effort, const void *f, const void *beta, void *u,
                   struct gzm_history *history, struct gzk_error *error)
{
    struct gzm *mg;
    int status = gzm_open(device, setup, beta, &mg, error);

    if (status != 0)
        return status;
    gzm_put(mg, f, NULL);
    status = gzm_solve(mg, effort, history);
    if (u)
        status = gzm_get(mg, u);
    gzm_close(mg);
    return status;
}

double gzm_floor(enum gzk_type type)
{
    return type == GZK_FLOAT ? 1e-4 : 1e-11;
}

double gzm_factor(const struct gzm_history *h, double floor)
{
    enum { LAST = 5 };
    int end = h->cycles;
    while (end > 1 && !(h->residual[end] > floor * h->residual[0]))
        end--;
    int begin = end > LAST ? end - LAST : 0;
    return end > begin ? pow(h->residual[end] / h->residual[begin], 1. / (end - begin))
                       : (double)NAN;
}

/* A factor of the solution along an axis, its first derivative and the second. */
static void wave(enum gzm_edges edges, double x, double length, double out[3])
{
    const double pi = 3.14159265358979323846;
    double k = (edges == GZM_PERIODIC ? 2 : 1) * pi, s = sin(k * x), c = cos(k * x);
    bool even = edges == GZM_NEUMANN;
    k /= length;
    out[0] = even ? c : s;
    out[1] = k * (even ? -s : c);
    out[2] = -k * k * out[0];
}

static void put(const struct gzm_problem *problem, void *array, size_t i, double value)
{
    if (array)
        gzk_set_element(array, problem->type, i, value);
}

void gzm_known(const struct gzm_problem *problem, void *u, void *f, void *beta)
{
    const double two_pi = 6.28318530717958647692;
    const int *size = problem->size;
    size_t i = 0;
    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++)
            for (int x = 0; x < size[0]; x++, i++) {
                const int at[3] = {x, y, z};
                double w[3][3], cosine[3], sine[3], value = 1, b = 0.5, flow = 0, laplacian = 0;
                for (int d = 0; d < 3; d++) {
                    double place = (at[d] + 0.5) / size[d], length = (double)size[d] / size[0];
                    wave(problem->edges, place, length, w[d]);
                    value *= w[d][0];
                    cosine[d] = cos(two_pi * place);
                    sine[d] = -two_pi / length * sin(two_pi * place);
                    b *= cosine[d];
                }
                for (int d = 0; d < 3; d++) {
                    const int e = (d + 1) % 3, g = (d + 2) % 3;
                    laplacian += w[d][2] * w[e][0] * w[g][0];
                    flow += 0.5 * sine[d] * cosine[e] * cosine[g] * w[d][1] * w[e][0] * w[g][0];
                }
                bool varies = problem->op == GZM_VARIABLE;
                put(problem, u, i, value);
                put(problem, beta, i, 1 + b);
                put(problem, f, i,
                    problem->lambda * value - (varies ? 1 + b : 1) * laplacian -
                        (varies ? flow : 0));
            }
}

double gzm_error_of(const struct gzm_problem *problem, const void *u, const void *known)
{
    double most = 0;
    for (size_t i = 0; i < gzk_cells(problem->size); i++)
        most = fmax(most,
                    fabs(gzk_element(u, problem->type, i) - gzk_element(known, problem->type, i)));
    return most;
}
