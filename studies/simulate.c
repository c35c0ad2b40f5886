/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simulate.c - adaptive selection fed by the model's times (see simulate.h).
 */
#include "simulate.h"

#include "gzmodel/searches.h"

gz_status simulate(const gz_device *dev, const gz_app *app, const gz_config *cfg, int start,
                   int loops, simulation *out)
{
    gz_config restart = *cfg;
    restart.sync = GZ_SYNC_RESTART;
    gz_prediction one, p;
    gz_status status = gz_predict(dev, app, &restart, 1, &one, NULL);
    gz_adapt state;
    if (!status)
        status = gz_adapt_start(&state, start, (int)gz_height_max(app, &restart), 0, NULL);
    double taken_s = 0;
    *out = (simulation){0};
    for (int done = 0; !status && done < loops; out->n_stages++) {
        int h = gz_adapt_next(&state, loops - done);
        status = gz_predict(dev, app, &restart, h, &p, NULL);
        if (status)
            break;
        double stage_s = h * p.seconds_per_loop;
        status = gz_adapt_report(&state, h, stage_s, NULL);
        taken_s += stage_s;
        done += h;
        out->loops[out->n_stages] = h;
    }
    if (status)
        return status;
    out->speedup = loops * one.seconds_per_loop / taken_s;
    return GZ_OK;
}
