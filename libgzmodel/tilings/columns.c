/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * columns.c - whether the planes of a streamed tile lie in rings in local memory or, on a GPU, each
 * thread's columns along the stream in its registers: what the kernels choose unless a layout is
 * asked for (kernels: stream.c, config.c). Boxes, which read other planes beside their own column,
 * keep rings. Tested to be the same (t/650-gz2-kernels.c).
 */
#include "quantities.h"
#include "tiling.h"

#include <math.h>

/* Threads of a streamed tile on a GPU: more would leave each too few registers; and with fewer they
 * have enough for more columns. */
enum { MOST_THREADS = 512, LEAST_THREADS = 128 };

gzi_columns gzi_columns_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h)
{
    int last = app->dim - 1, cpu = gzi_is_cpu(dev);
    gzi_columns c = {.star = !cpu && app->dim > 1 && app->own_column.value > 0,
                     .height = h,
                     .radius = last >= 0 ? app->halo_width[last] / 2 : 0,
                     .words = app->element_size.value / 4,
                     .arrays = app->stencil_arrays.value - 1,
                     .coefficients = app->coefficients.value,
                     .x = 1,
                     .rows = 1,
                     .threads = 1};
    for (int i = 0; i < last; i++) {
        double own = cfg->threads[i] > 0 ? cfg->threads[i] : cfg->block_len[i];
        *(i == 0 ? &c.x : &c.rows) = ceil(cfg->block_len[i] / own);
        c.threads *= own;
    }
    return c;
}

double gzi_column_registers(const gzi_columns *c)
{
    /* Addresses, what each level takes besides, the coefficient arrays' planes, each column's
     * places. */
    static const double addresses = 34, level = 2, planes = 12, places = 5, coefficient = 2;
    double values = c->height * (2 * c->radius + 1) + 3 * c->radius - 2 + c->arrays;
    return addresses + level * c->height + (c->arrays > 0 ? planes : 0) +
           coefficient * c->coefficients + c->x * c->rows * (places + c->words * values);
}

/* Registers that each thread of a group may have, if a multiprocessor has one group at a time: they
 * are given to four warps at a time, eight to each thread. [CUDA's occupancy calculator] */
static double registers_for(double threads)
{
    static const double all = 65536, most = 255, together = 128, unit = 8;
    return fmin(most, floor(all / (ceil(threads / together) * together) / unit) * unit);
}

double gzi_ring_registers(const gzi_columns *c)
{
    static const double least = 64, more = 32;
    return least + fmin(more, (registers_for(c->threads) - least) / 2);
}

int gzi_takes_columns(const gzi_columns *c)
{
    static const double most_columns = 8;
    return c->star && c->radius >= 1 && c->x * c->rows <= most_columns &&
           gzi_column_registers(c) <= registers_for(c->threads);
}

/* Halves the threads of a block, along x last, because neighbours in x share memory transactions,
 * until there are at most `most`. */
static void limit_threads(const gz_app *app, double most, double *threads)
{
    for (int i = app->dim - 1; i >= 0;) {
        double product = 1;
        for (int k = 0; k < app->dim; k++)
            product *= threads[k];
        if (product <= most)
            break;
        if (threads[i] > 1 && isfinite(threads[i])) /* else the block is refused later */
            threads[i] = ceil(threads[i] / 2);
        else
            i--;
    }
}

void gzi_set_threads(const gz_device *dev, const gz_app *app, double limit, double h,
                     gz_config *cfg)
{
    int streamed = cfg->variant == GZ_VARIANT_STREAM;
    int cpu = gzi_is_cpu(dev);
    gz_config fewer;

    for (int i = 0; i < app->dim; i++)
        cfg->threads[i] = streamed && (i == app->dim - 1 || cpu) ? 1 : cfg->block_len[i];
    fewer = *cfg;
    if (streamed)
        limit = fmin(limit, MOST_THREADS);
    limit_threads(app, limit, cfg->threads);
    for (double most = limit; streamed && !cpu && most >= LEAST_THREADS; most = floor(most / 2)) {
        gz_config tried = fewer;
        limit_threads(app, most, tried.threads);
        gzi_columns columns = gzi_columns_of(dev, app, &tried, h);
        if (gzi_takes_columns(&columns)) {
            *cfg = tried;
            break;
        }
    }
}
