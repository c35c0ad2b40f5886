/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 166-tune-coarse - more tiles or heights than are tried one by one: what gz_tune and gz_optimize
 * then find with gz2, whose tiles and heights all count, against trying every one.
 */
#include "gzmodel.h"
#include "tap.h"

/* The search need not find the best of all; so much worse it may be. */
static const double allowance = 0.02;

static const char *const devices[] = {"h200", "pocl-xeon-2core"};

/* The best predicted time of every whole tile up to `cap` that is considered, each at its best
 * height. */
static double best_of_all(const gz_device *dev, const gz_app *app, const gz_tune_request *request,
                          double cap)
{
    double best = HUGE_VAL;
    double step = dev->warp_size.value; /* rows of whole warps */
    for (double x = step; x <= cap; x += step)
        for (double y = app->halo_width[1] + 1; y <= cap; y++) {
            gz_tune_request one = *request;
            gz_candidate found[1];
            size_t n = 0;
            if (x <= app->halo_width[0])
                continue;
            one.block_len[0] = x;
            one.block_len[1] = y;
            double held = app->stencil_arrays.value + 1;
            if (x * y * held * app->element_size.value > request->limits.shared_bytes)
                continue;
            if (!gz_tune(dev, app, &one, found, 1, &n, NULL) && n == 1)
                best = fmin(best, found[0].seconds_per_loop);
        }
    return best;
}

static void tiles(const char *name, const char *stencil)
{
    enum { CAP = 100, TOP = 5 };
    gz_device dev;
    gz_app app;
    gz_error error = {""};
    gz_candidate found[TOP];
    size_t n = 0;
    gz_tune_request request = {
        .data_length = {1000, 700},
        .model = GZ_MODEL_GZ2,
        .syncs = 1u << GZ_SYNC_RESTART,
        .variants = 1u << GZ_VARIANT_TRAPEZOID, /* others have tiles of their own */
        .limits = {.shared_bytes = 48 * 1024, .block_max = {CAP, CAP}, .height_max = 12}};
    if (gz_device_open(name, &dev, &error) || gz_app_open(stencil, name, &app, &error) ||
        gz_tune(&dev, &app, &request, found, TOP, &n, &error)) {
        tap_ok(0, "%s, %s: %s", name, stencil, error.text);
        tap_ok(0, "%s, %s: no candidates", name, stencil);
        return;
    }
    double best = best_of_all(&dev, &app, &request, CAP);
    tap_ok(found[0].seconds_per_loop <= (1 + allowance) * best &&
               found[0].seconds_per_loop >= best * (1 - 1e-12),
           "%s, %s: some of %d tiles, %.2f %% from the best of all", name, stencil, CAP * CAP,
           100 * (found[0].seconds_per_loop / best - 1));
    int distinct = n == TOP;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            distinct = distinct &&
                       memcmp(found[i].way.block, found[k].way.block, sizeof found[i].way.block);
    tap_ok(distinct, "%s, %s: the candidates differ", name, stencil);
}

static void heights(const char *name)
{
    gz_device dev;
    gz_app app;
    gz_error error = {""};
    gz_optimum best;
    gz_config cfg = {
        .data_length = {1000000}, .block_len = {6000}, .threads = {128}, .model = GZ_MODEL_GZ2};
    if (gz_device_open(name, &dev, &error) || gz_app_open("pathfinder", name, &app, &error) ||
        gz_optimize(&dev, &app, &cfg, NULL, &best, &error)) {
        tap_ok(0, "%s: %s", name, error.text);
        return;
    }
    double least = HUGE_VAL;
    for (int h = 1; h <= best.height_max; h++) {
        gz_prediction p;
        if (!gz_predict(&dev, &app, &cfg, h, &p, NULL))
            least = fmin(least, p.cpl);
    }
    tap_ok(best.prediction.cpl <= (1 + allowance) * least && best.evaluations < 600,
           "%s: %d of %d heights, %.3f %% from the best of all", name, best.evaluations,
           best.height_max, 100 * (best.prediction.cpl / least - 1));
}

int main(void)
{
    for (int k = 0; k < 2; k++) {
        tiles(devices[k], "hotspot");
        tiles(devices[k], "poisson");
        heights(devices[k]);
    }
    return tap_done();
}
