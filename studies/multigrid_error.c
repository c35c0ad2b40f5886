/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * multigrid_error - the error of a known solution over the unknowns, by operators of orders 2
 * to 10.
 */
#include "multigrid_run.h"

#include <math.h>

static const multigrid_kind kinds[] = {
    {"order 2: star7", GZM_7_POINT, GZM_PERIODIC, GZM_RED_BLACK, false, 2},
    {"order 4: star13", GZM_13_POINT, GZM_PERIODIC, GZM_JACOBI, false, 4},
    {"order 6: box27", GZM_27_POINT, GZM_PERIODIC, GZM_JACOBI, true, 2},
    {"order 10: box125", GZM_125_POINT, GZM_PERIODIC, GZM_JACOBI, true, 2}};

/* Cycles go on until rounding stops them. */
static void row(device_study *s, const multigrid_kind *kind, int extent, double *before)
{
    enum { MOST = 30 };
    multigrid_run run;
    int cycles;
    multigrid_open(s, kind, extent, 0, &run);
    multigrid_solve(&run, false, 1e-14, MOST, &cycles);
    double error = multigrid_error_of(&run);
    study_row(
        &s->table, STUDY_TEXT(kind->name),
        STUDY_NUMBERS(extent, (double)run.count, error, *before > 0 ? log2(*before / error) : 0));
    *before = error;
    multigrid_close(&run);
}

void device_study_rows(device_study *s)
{
    study_note(&s->table, "-laplace u = f, u the product of sin(2 pi x), periodic; double");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double before = 0;
        for (int extent = 8; extent <= (s->small ? 16 : 128); extent *= 2)
            row(s, &kinds[k], extent, &before);
    }
}

const char *const study_own = gzs_multigrid_error_txt;
