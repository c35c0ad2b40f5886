/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 147-auto - which model GZ_MODEL_AUTO means, and that every function gives what that model gives,
 * bit for bit, so that a zeroed request and the command agree.
 */
#include "cases.h"
#include "tap.h"

#include <string.h>

static gz_error error;

/* A built-in device and application, with a grid and a block in two dimensions. */
static void open_case(const char *device, gz_device *dev, gz_app *app, gz_config *cfg)
{
    if (gz_device_open(device, dev, &error) || gz_app_open("hotspot", device, app, &error))
        tap_note("%s", error.text);
    *cfg = (gz_config){.data_length = {1000, 1000}, .block_len = {20, 20}};
    for (int i = 0; gz_param_value(dev, NULL, NULL, GZ_P_WARP_SIZE) == 1 && i < 2; i++)
        cfg->threads[i] = 1;
}

static void same_as(const char *device, gz_model want)
{
    gz_device dev;
    gz_app app;
    gz_config cfg, own;
    gz_prediction a, b;
    gz_optimum x, y;
    gz_choice c, d;
    gz_gradient g, e;
    open_case(device, &dev, &app, &cfg);
    own = cfg;
    own.model = want;
    tap_ok(gz_model_for(&dev, &app, &cfg, NULL) == want &&
               gz_model_for(&dev, &app, &own, NULL) == want &&
               gz_model_for(NULL, NULL, NULL, NULL) == GZ_MODEL_AUTO,
           "%s: %s", device, gz_name(GZ_MODELS, (long)want));
    int same = gz_check(&dev, &app, &cfg, &error) == GZ_OK &&
               gz_predict(&dev, &app, &cfg, 2, &a, &error) == GZ_OK &&
               gz_predict(&dev, &app, &own, 2, &b, &error) == GZ_OK && a.model == want &&
               a.cpl == b.cpl && a.seconds_per_loop == b.seconds_per_loop;
    tap_ok(same, "the same prediction, which names its model: %s", error.text);
    tap_ok(gz_optimize(&dev, &app, &cfg, NULL, &x, &error) == GZ_OK &&
               gz_optimize(&dev, &app, &own, NULL, &y, &error) == GZ_OK && x.integer == y.integer &&
               x.prediction.cpl == y.prediction.cpl,
           "the same optimum");
    tap_ok(gz_choose(&dev, &app, &cfg, &c, &error) == GZ_OK &&
               gz_choose(&dev, &app, &own, &d, &error) == GZ_OK && c.delta == d.delta &&
               c.gain == d.gain && c.choice == d.choice,
           "the same choice");
    tap_ok(gz_predict_gradient(&dev, &app, &cfg, 2, &g, &error) == GZ_OK &&
               gz_predict_gradient(&dev, &app, &own, 2, &e, &error) == GZ_OK &&
               memcmp(g.dcpl_dp, e.dcpl_dp, sizeof g.dcpl_dp) == 0,
           "the same gradient");
}

static void lists(const char *device, gz_model want)
{
    enum { TOP = 5 };
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_candidate a[TOP], b[TOP];
    size_t n = 0, m = 0;
    open_case(device, &dev, &app, &cfg);
    gz_tune_request request = {.data_length = {1000, 1000}}, own = request;
    own.model = want;
    int same = gz_tune(&dev, &app, &request, a, TOP, &n, &error) == GZ_OK &&
               gz_tune(&dev, &app, &own, b, TOP, &m, &error) == GZ_OK && n == m;
    for (size_t k = 0; same && k < n; k++)
        same &= a[k].model == want && a[k].cpl == b[k].cpl &&
                memcmp(a[k].way.block, b[k].way.block, sizeof a->way.block) == 0;
    tap_ok(same, "%s: the same list of candidates: %s", device, error.text);
}

/* What decides besides the files. */
static void decided_by_configuration(void)
{
    gz_device dev;
    gz_app app;
    gz_config cfg;
    gz_choice choice;
    gz_candidate best;
    size_t n;
    open_case("pocl-xeon-2core", &dev, &app, &cfg);
    cfg.tau = GZ_TAU_SCALED;
    tap_ok(gz_model_for(&dev, &app, &cfg, NULL) == GZ_MODEL_MENG2011, "tau is the 2011 model's");
    gz_tune_request request = {.data_length = {1000, 1000}, .tau = GZ_TAU_SCALED};
    tap_ok(gz_tune(&dev, &app, &request, &best, 1, &n, &error) == GZ_OK &&
               best.model == GZ_MODEL_MENG2011,
           "in a search, too");
    open_case("gtx280", &dev, &app, &cfg);
    cfg.variant = GZ_VARIANT_STREAM;
    tap_ok(gz_model_for(&dev, &app, &cfg, NULL) == GZ_MODEL_GZ2 &&
               gz_check(&dev, &app, &cfg, &error) == GZ_EDEVICE,
           "streamed tiles are gz2's, which says what is missing: %s", error.text);
    request = (gz_tune_request){.data_length = {1000, 1000}, .variants = 1u << GZ_VARIANT_STREAM};
    tap_ok(gz_tune(&dev, &app, &request, &best, 1, &n, &error) == GZ_EDEVICE,
           "and so does a search: %s", error.text);
    /* A file that lacks what a fence takes: restarts alone would be gz2's. */
    open_case("pocl-xeon-2core", &dev, &app, &cfg);
    int fence = gz_param_by_name("stage_fence");
    *gz_param_quantity(&dev, NULL, fence) = (gz_quantity){0};
    tap_ok(gz_choose(&dev, &app, &cfg, &choice, &error) == GZ_OK &&
               choice.restart.prediction.model == GZ_MODEL_MENG2011 &&
               choice.fence.prediction.model == GZ_MODEL_MENG2011,
           "a choice compares the two modes by one model");
}

int main(void)
{
    same_as("gtx280", GZ_MODEL_MENG2011);
    same_as("pocl-xeon-2core", GZ_MODEL_GZ2);
    lists("gtx280", GZ_MODEL_MENG2011);
    lists("pocl-xeon-2core", GZ_MODEL_GZ2);
    decided_by_configuration();
    return tap_done();
}
