/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "knee.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

const double gzc_knee_most = 12;

/* Of three points, all relative to the first. */
struct knee {
    double middle, most;       /* groups */
    double at_middle, at_most; /* time */
};

/* The time at `middle` of the curve of exponent `p` through the first and the last point. With X =
 * lambda^p and Y = beta^p: X + Y = 1, X / most^p + Y = at_most^p. It falls as p rises. */
static double middle_of(const struct knee *k, double p)
{
    double x = (1 - pow(k->at_most, p)) / (1 - pow(k->most, -p));
    return pow(1 - x * (1 - pow(k->middle, -p)), 1 / p);
}

static double off(double p, void *knee)
{
    const struct knee *k = knee;
    return middle_of(k, p) - k->at_middle;
}

/* Where `off` is 0 between p, at which it is above, and the largest exponent, at which it is below.
 */
static bool solve(struct knee *k, double *exponent)
{
    enum { STEPS = 100 };
    static const double near = 1e-9;
    gsl_function f = {off, k};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    int status = solver ? gsl_root_fsolver_set(solver, &f, 1, gzc_knee_most) : GSL_ENOMEM;
    for (int i = 0; i < STEPS && status == 0; i++) {
        status = gsl_root_fsolver_iterate(solver);
        if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver),
                                   gsl_root_fsolver_x_upper(solver), 0, near) == GSL_SUCCESS)
            break;
    }
    if (status == 0)
        *exponent = gsl_root_fsolver_root(solver);
    if (solver)
        gsl_root_fsolver_free(solver);
    return status == 0;
}

bool gzc_knee_fit(const double resident[GZC_KNEE_POINTS], const double seconds[GZC_KNEE_POINTS],
                  double *exponent)
{
    static const double in_sight = 1.1;
    struct knee k = {resident[1], resident[2], seconds[1] / seconds[0], seconds[2] / seconds[0]};
    bool numbers = resident[0] == 1 && k.middle > 1 && k.most > k.middle && seconds[0] > 0 &&
                   k.at_middle > 0 && k.at_most > 0 && isfinite(k.at_middle) && k.at_most < 1;
    if (!numbers || k.at_most * k.most < in_sight)
        return false;
    if (off(1, &k) <= 0)
        *exponent = 1;
    else if (off(gzc_knee_most, &k) >= 0)
        *exponent = gzc_knee_most;
    else
        return solve(&k, exponent);
    return true;
}
