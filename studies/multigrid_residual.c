/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_residual - the residual over the time, by depths, sweeps and kinds of start.
 */
#include "multigrid_run.h"
#include "numbers.h"

enum { TURNS = 5, MOST = 20 };

/* A method: the median of its turns, cycle by cycle. */
static const struct method {
    const char *name;
    int sweeps, depth;
    bool full;
} methods[] = {{"V(2,2), depth 1", 2, 1, false},
               {"V(2,2), model", 2, 0, false},
               {"V(1,1), model", 1, 0, false},
               {"V(3,3), model", 3, 0, false},
               {"F start, V(2,2), model", 2, 0, true}};

static void rows_of(device_study *s, const struct method *method, int extent)
{
    multigrid_kind kind = {"", GZM_7_POINT, GZM_DIRICHLET, GZM_RED_BLACK, false, method->sweeps};
    int depth[GZM_MAX_LEVELS], turns = s->small ? 1 : TURNS, cycles = 0;
    double seconds[MOST + 1][TURNS], residual[MOST + 1] = {1};
    multigrid_run run;

    for (int k = 0; k < GZM_MAX_LEVELS; k++)
        depth[k] = method->depth;
    multigrid_open(s, &kind, extent, depth, &run);
    for (int turn = 0; turn < turns; turn++) {
        multigrid_put(&run);
        double first = multigrid_norm(&run), begin = cli_now();
        seconds[0][turn] = 0;
        for (cycles = 0; cycles < MOST && residual[cycles] > 1e-10; cycles++) {
            residual[cycles + 1] =
                multigrid_cycle(&run, GZM_V, method->full && cycles == 0) / first;
            seconds[cycles + 1][turn] = cli_now() - begin;
        }
    }
    for (int k = 0; k <= cycles; k++) {
        cli_sort(seconds[k], (size_t)turns);
        study_row(
            &s->table, STUDY_TEXT(method->name),
            STUDY_NUMBERS(extent, k, cli_quantile(seconds[k], (size_t)turns, 0.5), residual[k]));
    }
    multigrid_close(&run);
}

static void rows(device_study *s)
{
    study_note(&s->table, "-laplace u = f, u = 0 at the faces, red-black, double; %d turns", TURNS);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        rows_of(s, &methods[k], s->small ? 32 : 128);
}

int main(int argc, char **argv)
{
    static const study_spec spec = {
        .name = "multigrid_residual",
        .what = "the residual over the time of a solution",
        .source = "gzmg",
        .columns = {{"method", "text", "cycle with its sweeps, and whose depths"},
                    {"extent", "elements", "cells a side of the grid"},
                    {"cycle", "1", "cycles done; full multigrid is the first"},
                    {"seconds", "s", "since the first began, norms included: median of the turns"},
                    {"residual", "1", "largest magnitude over the first"}},
    };
    return device_study_run(argc, argv, &spec, rows);
}
