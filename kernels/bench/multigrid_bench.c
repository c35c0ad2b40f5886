/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid [DEVICE [EXTENT...]] - gzmg's levels against a plain multigrid in C with OpenMP, both
 * in one run: Poisson's equation with Dirichlet edges, 7-point, double, red-black, two sweeps
 * before and after, to a residual of 1e-10. Prints TSV: a row for each extent and method with the
 * cycles, the median time, the unknowns a second, and the processor time of a turn, of all threads;
 * methods take turns. Methods: plain (V-cycles), depth 1, depth 4, model (V-cycles), and plain and
 * model after full multigrid.
 */
#include "device.h"
#include "numbers.h"
#include "options.h"
#include "output.h"
#include "plain.h"
#include "plain_multigrid.h"
#include "solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 5, SWEEPS = 2, MOST_CYCLES = 40 };
static const double tolerance = 1e-10;

static const struct method {
    const char *name;
    bool plain, full;
    int depth;
} methods[] = {{"plain", true, false, 0},      {"depth 1", false, false, 1},
               {"depth 4", false, false, 4},   {"model", false, false, 0},
               {"plain, full", true, true, 0}, {"model, full", false, true, 0}};
enum { METHODS = sizeof methods / sizeof *methods };

struct solver {
    struct plain_multigrid *plain;
    struct gzm *mg;
    double seconds[TURNS], processor[TURNS];
    int cycles;
};

static int open_solver(struct gzk_device *device, int n, const struct method *method,
                       struct solver *solver, struct gzk_error *error)
{
    struct gzm_setup setup = {
        .problem = {.edges = GZM_DIRICHLET, .type = GZK_DOUBLE, .size = {n, n, n}},
        .sweeps = {SWEEPS, SWEEPS},
        .tail = gzm_usual_tail(device ? &device->info : NULL)};
    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        setup.way[k].height = method->depth;
    *solver = (struct solver){.plain = method->plain ? plain_multigrid_new(n) : NULL};
    if (method->plain)
        return solver->plain ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
    return gzm_open(device, &setup, NULL, &solver->mg, error);
}

/* One solution; sets the cycles. */
static int solve(struct solver *solver, const struct method *method, const double *f,
                 struct gzk_error *error)
{
    static struct gzm_history history;
    const struct gzm_effort effort = {
        .cycle = GZ_CYCLE_V, .full = method->full, .tolerance = tolerance, .most = MOST_CYCLES};
    int status = 0;
    if (method->plain) {
        plain_multigrid_put(solver->plain, f);
        double first = plain_multigrid_norm(solver->plain), now = first;
        for (solver->cycles = 0; now > tolerance * first && solver->cycles < MOST_CYCLES;
             solver->cycles++) {
            plain_multigrid_cycle(solver->plain, SWEEPS, method->full && solver->cycles == 0);
            now = plain_multigrid_norm(solver->plain);
        }
        return now <= tolerance * first ? 0 : gzk_fail(error, GZK_FAILED, "plain: not converged");
    }
    status = gzm_put(solver->mg, f, NULL, error);
    status = status == 0 ? gzm_solve(solver->mg, &effort, &history, error) : status;
    solver->cycles = history.cycles;
    return status != 0 || history.converged ? status
                                            : gzk_fail(error, GZK_FAILED, "%s", history.why.text);
}

/* How far two solutions are apart, over the largest of the second. */
static double apart(const double *a, const double *b, size_t count)
{
    double most = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        double difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        most = difference <= most ? most : difference;
        largest = b[i] > largest ? b[i] : largest;
    }
    return most / largest;
}

static int run(struct gzk_device *device, int n, struct gzk_error *error)
{
    const struct gzm_problem problem = {
        .edges = GZM_DIRICHLET, .type = GZK_DOUBLE, .size = {n, n, n}};
    struct solver solvers[METHODS] = {0};
    size_t count = (size_t)n * (size_t)n * (size_t)n;
    double *f = calloc(count, sizeof *f), *u = calloc(count, sizeof *u);
    double *other = calloc(count, sizeof *other);
    int status = f && u && other ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");

    if (status == 0)
        gzm_known(&problem, NULL, f, NULL);
    for (int m = 0; m < METHODS && status == 0; m++)
        status = open_solver(device, n, &methods[m], &solvers[m], error);
    /* The first turn, which compiles and touches memory, does not count. */
    for (int turn = -1; turn < TURNS && status == 0; turn++)
        for (int m = 0; m < METHODS && status == 0; m++) {
            clock_t processor = clock();
            double begin = cli_now();
            status = solve(&solvers[m], &methods[m], f, error);
            if (turn >= 0) {
                solvers[m].seconds[turn] = cli_now() - begin;
                solvers[m].processor[turn] = (double)(clock() - processor) / CLOCKS_PER_SEC;
            }
        }
    for (int m = 0; m < METHODS && status == 0; m++) {
        if (methods[m].plain)
            plain_multigrid_get(solvers[m].plain, u);
        else
            status = gzm_get(solvers[m].mg, u, error);
        if (m == 0)
            memcpy(other, u, count * sizeof *u);
        cli_sort(solvers[m].seconds, TURNS);
        cli_sort(solvers[m].processor, TURNS);
        double seconds = cli_quantile(solvers[m].seconds, TURNS, 0.5);
        printf("%d\t%s\t%d\t%.6g\t%.4g\t%.6g\t%.2g\n", n, methods[m].name, solvers[m].cycles,
               seconds, (double)count / seconds, cli_quantile(solvers[m].processor, TURNS, 0.5),
               apart(u, other, count));
        fflush(stdout);
    }
    for (int m = 0; m < METHODS; m++) {
        plain_multigrid_free(solvers[m].plain);
        gzm_close(solvers[m].mg);
    }
    free(f);
    free(u);
    free(other);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"64", "128", "256", NULL};
    const char *const *extents = argc > 2 ? (const char *const *)argv + 2 : usual;
    struct gzk_device *device = NULL;
    struct gzk_error error = {0};

    double n = 0;

    cli_set_program("multigrid");
    for (int k = 0; extents[k]; k++)
        if (cli_read_in_range("EXTENT", extents[k], true, 4, 1024, &n) != CLI_DONE)
            return CLI_BAD_INPUT;
    int status = gzk_device_open(argc > 1 ? argv[1] : NULL, &device, &error);
    if (status == 0) {
        cli_write_call(stdout, argc, argv);
        printf("# device: %s (%s)\n# threads of plain: %d\n", device->info.name,
               device->info.driver, plain_pin());
        printf("extent\tmethod\tcycles\tseconds\tdof_per_second\tprocessor_seconds\tapart\n");
    }
    for (; status == 0 && *extents; extents++) {
        cli_read_in_range("EXTENT", *extents, true, 4, 1024, &n);
        status = run(device, (int)n, &error);
    }
    gzk_device_close(device);
    return status == 0 ? cli_write(NULL, "", 0) : cli_fail(status, "%s", error.text);
}
