/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * program - what a program of the library's users calls, all of it, printed, for 257-new-quantity.
 */
#include <gzmodel.h>
#include <gzmodel/parameters.h>
#include <gzmodel/searches.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gz_error error;

static void must(const char *what, gz_status status)
{
    printf("%s: %s\n", what, gz_strerror(status));
    if (status) {
        printf("%s\n", error.text);
        exit(1);
    }
}

/* Prints the bytes that a result ought to fill, as far as the program knows its structure. */
static void show(const char *what, const double *values, size_t n)
{
    printf("%s", what);
    for (size_t k = 0; k < n; k++)
        printf(" %.17g", values[k]);
    printf("\n");
}

/* Each result with bytes behind it that the library must not write over. */
#define RESULT(type, name)                                                                         \
    struct {                                                                                       \
        gz_##type value;                                                                           \
        char fence[FENCE];                                                                         \
    } name;                                                                                        \
    memset(name.fence, 7, sizeof name.fence)
enum { FENCE = 64 };

static void results(const gz_device *dev, const gz_app *app, const gz_config *cfg)
{
    RESULT(prediction, p);
    RESULT(gradient, gradient);
    RESULT(sensitivity, sensitivity);
    RESULT(optimum, best);
    RESULT(choice, choice);
    RESULT(uncertainty, spread);

    must("predict", gz_predict(dev, app, cfg, 2, &p.value, &error));
    show("CPL, CPS, CostEffect, s",
         (double[]){p.value.cpl, p.value.cps, p.value.cost_effect, p.value.seconds_per_loop,
                    p.value.term[GZ_TERM_ITER_MEM]},
         5);
    must("gradient", gz_predict_gradient(dev, app, cfg, 2, &gradient.value, &error));
    show("dCPL/dp", gradient.value.dcpl_dp, GZ_P_BLOCK_LEN + 1);
    must("optimize", gz_optimize(dev, app, cfg, NULL, &best.value, &error));
    show("optimum",
         (double[]){best.value.continuous, best.value.integer, best.value.height_max,
                    best.value.speedup, best.value.prediction.cpl},
         5);
    must("sensitivity", gz_sensitivity_at_optimum(dev, app, cfg, &sensitivity.value, &error));
    show("elasticities", sensitivity.value.cpl, GZ_P_BLOCK_LEN + 1);
    must("choose", gz_choose(dev, app, cfg, &choice.value, &error));
    show("choice", (double[]){choice.value.delta, choice.value.gain, choice.value.choice}, 3);
    must("propagate", gz_propagate(dev, app, cfg, 2, 1.96, &spread.value, &error));
    show("intervals", spread.value.cpl, 2);

    const char *fences[] = {p.fence,    gradient.fence, sensitivity.fence,
                            best.fence, choice.fence,   spread.fence};
    for (size_t k = 0; k < sizeof fences / sizeof *fences; k++)
        for (size_t i = 0; i < FENCE; i++)
            if (fences[k][i] != 7) {
                printf("result %zu was written beyond its end\n", k);
                exit(1);
            }
}

static void searches(const gz_device *dev, const gz_app *app)
{
    gz_adapt adapt;
    gz_tune_request request = {.data_length = {1000, 1000}};
    gz_candidate found[3];
    size_t n = 0;
    must("tune", gz_tune(dev, app, &request, found, 3, &n, &error));
    for (size_t k = 0; k < n && k < 3; k++)
        printf("%d x %d, height %d, %s: %.17g s\n", found[k].way.block[0], found[k].way.block[1],
               found[k].way.height, gz_name(GZ_SYNCS, found[k].way.sync),
               found[k].seconds_per_loop);
    must("adapt", gz_adapt_start(&adapt, 2, 8, 0, &error));
    printf("next %d\n", gz_adapt_next(&adapt, 100));
}

static void parameters(gz_device *dev, gz_app *app, gz_config *cfg)
{
    for (int p = 0; p <= GZ_P_BLOCK_LEN; p++)
        printf("%d %s %s %.17g\n", p, gz_param_about(p)->name, gz_param_about(p)->unit,
               gz_param_value(dev, app, cfg, p));
    int clock = gz_param_by_name("clock_rate");
    must("set", gz_param_set(dev, app, cfg, clock, 1e9, &error));
    printf("clock %g\n", dev->clock_rate.value);
    must("set by name", gz_set(dev, "copy_row", 2e-8));
    must("set by name", gz_app_set(app, "cell_time", 3e-10));
    printf("own %g %g\n", gz_get(dev, "copy_row"), gz_app_get(app, "cell_time"));
    const gz_note notes[] = {{"clock_rate", "set by hand"}, {NULL, NULL}};
    char *text = NULL;
    must("text", gz_device_text(dev, notes, &text, &error));
    fputs(text, stdout);
    must("parse", gz_device_parse(text, strlen(text), "again", dev, &error));
    printf("%s\n", dev->key);
    gz_text_free(text);
}

int main(void)
{
    gz_device dev;
    gz_app app;
    gz_config cfg = {.data_length = {2000, 2000}, .block_len = {20, 20}};
    must("device", gz_device_open("gtx280", &dev, &error));
    must("application", gz_app_open("hotspot", "gtx280", &app, &error));
    must("check", gz_check(&dev, &app, &cfg, &error));
    printf("%s %s %d\n", dev.key, app.key, gz_profile_matches(&dev, &app));
    results(&dev, &app, &cfg);
    searches(&dev, &app);
    parameters(&dev, &app, &cfg);
    return 0;
}
