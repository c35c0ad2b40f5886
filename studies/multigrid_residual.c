/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_residual - the residual over the time, by depths, sweeps and kinds of start.
 */
#include "multigrid_run.h"
#include "numbers.h"

enum { TURNS = 5, MOST = 20 };

static const struct method {
    const char *name;
    int sweeps, depth;
    bool full;
} methods[] = {{"V(2,2), depth 1", 2, 1, false},
               {"V(2,2), model", 2, 0, false},
               {"V(1,1), model", 1, 0, false},
               {"V(3,3), model", 3, 0, false},
               {"F start, V(2,2), model", 2, 0, true}};
enum { METHODS = sizeof methods / sizeof *methods };

/* The turns of a method: seconds after each cycle, and residuals, which are always the same. */
typedef struct timed {
    multigrid_run run;
    int cycles;
    double seconds[MOST + 1][TURNS], residual[MOST + 1];
} timed;

static void take_turn(timed *t, const struct method *method, int turn)
{
    multigrid_put(&t->run);
    double first = multigrid_norm(&t->run), begin = cli_now();
    t->residual[0] = 1;
    t->seconds[0][turn] = 0;
    for (t->cycles = 0; t->cycles < MOST && t->residual[t->cycles] > 1e-10; t->cycles++) {
        int next = t->cycles + 1;
        t->residual[next] =
            multigrid_cycle(&t->run, GZ_CYCLE_V, method->full && t->cycles == 0) / first;
        t->seconds[next][turn] = cli_now() - begin;
    }
}

static void rows_of(device_study *s, const struct method *method, timed *t, int turns)
{
    for (int k = 0; k <= t->cycles; k++) {
        cli_sort(t->seconds[k], (size_t)turns);
        study_row(&s->table, STUDY_TEXT(method->name),
                  STUDY_NUMBERS(t->run.setup.problem.size[0], k,
                                cli_quantile(t->seconds[k], (size_t)turns, 0.5), t->residual[k]));
    }
}

void device_study_rows(device_study *s)
{
    static timed all[METHODS];
    int turns = s->small ? 1 : TURNS;

    study_note(&s->table,
               "-laplace u = f, u = 0 at the faces, red-black, double; the methods take %d turns",
               TURNS);
    for (int m = 0; m < METHODS; m++) {
        multigrid_kind kind = {"",    GZM_7_POINT,      GZM_DIRICHLET, GZM_RED_BLACK,
                               false, methods[m].sweeps};
        multigrid_open(s, &kind, s->small ? 32 : 128, methods[m].depth, &all[m].run);
    }
    for (int turn = 0; turn < turns; turn++)
        for (int m = 0; m < METHODS; m++)
            take_turn(&all[m], &methods[m], turn);
    for (int m = 0; m < METHODS; m++) {
        rows_of(s, &methods[m], &all[m], turns);
        multigrid_close(&all[m].run);
    }
}

const char *const study_own = gzs_multigrid_residual_txt;
