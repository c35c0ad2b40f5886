/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_rate - unknowns solved for a second over the size of the grid, by gzmg and by a plain
 * multigrid in C with OpenMP, and what HPGMG-FV reached on a machine of this kind.
 */
#include "multigrid_run.h"
#include "numbers.h"
#include "plain.h"
#include "plain_multigrid.h"

enum { TURNS = 3, MOST = 40, SWEEPS = 2 };
static const double tolerance = 1e-10;

static const struct method {
    const char *name;
    bool plain;
    int depth;
    bool full;
} methods[] = {{"plain, V", true, 0, false},
               {"plain, F start", true, 0, true},
               {"depth 1, V", false, 1, false},
               {"model, V", false, 0, false},
               {"model, F start", false, 0, true}};
enum { METHODS = sizeof methods / sizeof *methods };

/* One solution by the plain multigrid; its seconds, and the cycles. */
static double solve_plain(struct plain_multigrid *plain, const double *f, bool full, int *cycles)
{
    plain_multigrid_put(plain, f);
    double begin = cli_now(), first = plain_multigrid_norm(plain), now = first;
    for (*cycles = 0; now > tolerance * first && *cycles < MOST; ++*cycles) {
        plain_multigrid_cycle(plain, SWEEPS, full && *cycles == 0);
        now = plain_multigrid_norm(plain);
    }
    if (!(now <= tolerance * first))
        exit(cli_fail(CLI_FAILED, "the plain multigrid does not converge"));
    return cli_now() - begin;
}

/* All methods on one grid, by turns. */
static void rows_of(device_study *s, int extent)
{
    static const multigrid_kind kind = {"",    GZM_7_POINT, GZM_DIRICHLET, GZM_RED_BLACK,
                                        false, SWEEPS};
    int turns = s->small ? 1 : TURNS, cycles[METHODS];
    double rate[METHODS][TURNS];
    multigrid_run runs[METHODS];
    const multigrid_run *any = &runs[METHODS - 1];
    struct plain_multigrid *plain = plain_multigrid_new(extent);

    if (!plain)
        exit(cli_fail(CLI_FAILED, "out of host memory for a grid of %d^3", extent));
    for (int m = 0; m < METHODS; m++)
        if (!methods[m].plain)
            multigrid_open(s, &kind, extent, methods[m].depth, &runs[m]);
    for (int turn = 0; turn < turns; turn++)
        for (int m = 0; m < METHODS; m++)
            rate[m][turn] =
                (double)any->count /
                (methods[m].plain
                     ? solve_plain(plain, any->f, methods[m].full, &cycles[m])
                     : multigrid_solve(&runs[m], methods[m].full, tolerance, MOST, &cycles[m]));
    plain_multigrid_free(plain);
    for (int m = 0; m < METHODS; m++) {
        cli_sort(rate[m], (size_t)turns);
        study_row(&s->table, STUDY_TEXT(methods[m].name, "measured"),
                  STUDY_NUMBERS(extent, cli_quantile(rate[m], (size_t)turns, 0.5), rate[m][0],
                                rate[m][turns - 1], cycles[m]));
        if (!methods[m].plain)
            multigrid_close(&runs[m]);
    }
}

/* HPGMG-FV, 7-point with coefficients, red-black, V-cycles or F-cycles, gcc -O3 -march=native, two
 * threads on two cores of a Xeon, to 1e-10. */
static const struct hpgmg {
    const char *name;
    int extent, cycles;
    double low, high;
} hpgmg[] = {{"HPGMG-FV, V", 64, 12, 4.0e6, 4.7e6},
             {"HPGMG-FV, V", 128, 12, 3.2e6, 3.2e6},
             {"HPGMG-FV, F", 128, 0, 4.5e6, 4.5e6}};

void device_study_rows(device_study *s)
{
    study_note(&s->table,
               "ours: star7, u = 0 at the faces, two sweeps before and after, double, to "
               "a residual of 1e-10; median of the %d turns that they take",
               TURNS);
    study_note(&s->table, "plain: C with OpenMP, made as HPGMG-FV is, on %d threads", plain_pin());
    study_note(&s->table, "HPGMG-FV was measured apart, on another machine of that kind (two cores "
                          "of a Xeon); its operator has coefficients; 0 cycles: not recorded");
    for (int extent = 32; extent <= (s->small ? 32 : 256); extent *= 2)
        rows_of(s, extent);
    for (size_t k = 0; k < sizeof hpgmg / sizeof *hpgmg; k++)
        study_row(&s->table, STUDY_TEXT(hpgmg[k].name, "noted"),
                  STUDY_NUMBERS(hpgmg[k].extent, (hpgmg[k].low + hpgmg[k].high) / 2, hpgmg[k].low,
                                hpgmg[k].high, hpgmg[k].cycles));
}

const char *const study_own = gzs_multigrid_rate_txt;
