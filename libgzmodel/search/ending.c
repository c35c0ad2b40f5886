/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ending.c - a run that its own data end (ending.md has the equations).
 */
#include "ending.h"

#include "fail.h"

#include <math.h>

gz_ending gz_ending_of(double loops, int height, int states)
{
    double h = height, cases = fmin(h, 2 * loops - 1); /* [ending 1] */
    int whole = cases == h, both = states == 2;
    if (!(loops >= 1) || height < 1 || (states != 1 && !both))
        return (gz_ending){(double)NAN, (double)NAN, (double)NAN};
    return (gz_ending){.stages = whole ? (loops + (h - 1) / 2) / h : 1, /* [ending 2] */
                       .pieces = both    ? 2 - 1 / cases
                                 : whole ? 1 - 1 / h
                                         : 1,                                    /* [ending 3] */
                       .loops = both || !whole ? (cases + 1) / 2 : (h - 1) / 2}; /* [ending 4] */
}

/* A quantity of the device; `absent` if it is not stated. */
static double stated(const gz_device *dev, const char *name, double absent)
{
    double value = gz_get(dev, name);
    return isnan(value) ? absent : value;
}

double gzi_ending_seconds(const gz_device *dev, double loops, int height, int states, double plain)
{
    double launch = stated(dev, "stage_launch", 0), first = stated(dev, "run_launch", launch);
    double between = loops > 0 ? fmax(0, 1 - height / loops) : 1;
    double body = height * plain - between * launch - (1 - between) * first; /* [ending 5] */
    if (!(loops > 0))
        return (first + body) / height;
    gz_ending end = gz_ending_of(loops, height, states);
    double all = end.stages * (first + body) + end.pieces * first + end.loops * body / height;
    return all / loops; /* [ending 6] */
}

gz_status gz_tune_ending(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                         int states, gz_candidate *out, size_t n, size_t *found, gz_error *error)
{
    const unsigned stream = 1u << GZ_VARIANT_STREAM, restart = 1u << GZ_SYNC_RESTART;
    if (!request)
        return gzi_fail_null(error, "request");
    if (states != 1 && states != 2)
        return gzi_fail(error, GZ_ECONFIG, "%d states are results: must be 1 or 2", states);
    if (request->loops != 0 && !(request->loops >= 1))
        return gzi_fail(error, GZ_ECONFIG, "loops is %g: must be 0, or at least 1", request->loops);
    if ((request->variants && !(request->variants & stream)) ||
        (request->syncs && !(request->syncs & restart)))
        return gzi_fail(error, GZ_ECONFIG,
                        "only streamed tiles, launched stage by stage, tell what ends a run");
    gz_tune_request one = *request;
    one.variants = stream;
    one.syncs = restart;
    return gzi_tune(dev, app, &one, states, out, n, found, error);
}
