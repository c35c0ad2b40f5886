/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 145-contract - a model is used through its contract only: without the Newton iteration of its
 * own, and even without derivatives in h, the 2011 model has the same best whole height; a model
 * that is not smooth has its best among all whole heights, found by trying each; heights that
 * it refuses are left out.
 */
#include "cases.h"
#include "model.h"
#include "tap.h"
#include "tolerance.h"

#define CASES 2000

/* CPL that jumps with the height: neighbours give no hint of the minimum. */
static gz_status jumpy(const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                       gz_prediction *out, gz_error *error)
{
    (void)dev, (void)app, (void)cfg;
    *out = (gz_prediction){.height = h, .cpl = 1 + fmod(h * 7919, 101)};
    out->seconds_per_loop = out->cpl;
    if (fmod(h, 5) == 0) {
        if (error)
            strcpy(error->text, "no room");
        return GZ_EHEIGHT;
    }
    return GZ_OK;
}

static void same_height(gsl_rng *rng)
{
    gzi_model plain = gzi_meng2011;
    plain.minimise = NULL;
    plain.curve = NULL;
    int wrong = 0, compared = 0, stop = 0;
    for (int k = 0; k < CASES; k++) {
        test_case c = random_case(rng);
        gz_optimum newton, tried;
        gz_bounds bounds = {k % 3 == 0 ? whole(rng, 1, 3) : 0, k % 4 == 0 ? whole(rng, 3, 9) : 0};
        gz_status a = gz_optimize(&c.dev, &c.app, &c.cfg, &bounds, &newton, NULL);
        gz_status b = gzi_optimize(&plain, &c.dev, &c.app, &c.cfg, &bounds, NULL, &tried, NULL);
        if (a || b) {
            wrong += a != b;
            continue;
        }
        compared++;
        double close = fabs(tried.prediction.cpl - newton.prediction.cpl);
        wrong += (tried.integer != newton.integer && close > TOL_TIE * newton.prediction.cpl) ||
                 tried.height_max != newton.height_max ||
                 fabs(tried.speedup - newton.speedup) > TOL_VALUE * newton.speedup;
        stop += tried.stop == GZ_STOP_WHOLE && tried.continuous == tried.integer &&
                tried.truncated == tried.integer;
    }
    tap_ok(!wrong && compared > CASES / 2, "every whole height and Newton agree, %d cases",
           compared);
    tap_ok(stop == compared, "and what trying says of itself is true");
}

static void not_smooth(void)
{
    gzi_model model = {.name = "jumpy", .predict = jumpy};
    test_case c = benchmark_case(PATHFINDER, GZ_SYNC_RESTART);
    int good = 1, refused = 1;
    for (int first = 1; first <= 40; first++)
        for (int last = first; last <= 60; last++) {
            gz_bounds bounds = {first, last};
            gz_optimum got;
            gz_error error = {""};
            int want = 0;
            for (int h = first; h <= last; h++)
                if (h % 5 && (!want || fmod(h * 7919, 101) < fmod(want * 7919, 101)))
                    want = h;
            gz_status status =
                gzi_optimize(&model, &c.dev, &c.app, &c.cfg, &bounds, NULL, &got, &error);
            if (want)
                good &=
                    status == GZ_OK && got.integer == want && got.evaluations == last - first + 1;
            else
                refused &= status == GZ_EHEIGHT && strcmp(error.text, "no room") == 0;
        }
    tap_ok(good, "a model that jumps: the best of all whole heights that it does not refuse");
    tap_ok(refused, "and its own message if it refuses all");
}

static void too_many(void)
{
    gzi_model model = {.name = "jumpy", .predict = jumpy};
    test_case c = benchmark_case(PATHFINDER, GZ_SYNC_RESTART);
    c.cfg.beyond = 1;
    c.cfg.block_len[0] = 1e9;
    gz_optimum got;
    gz_error error = {""};
    gz_bounds bounds = {0, 1000};
    tap_ok(gzi_optimize(&model, &c.dev, &c.app, &c.cfg, NULL, NULL, &got, &error) == GZ_EHEIGHT &&
               strstr(error.text, "1000000"),
           "more heights than can be tried are refused: %s", error.text);
    tap_ok(gzi_optimize(&model, &c.dev, &c.app, &c.cfg, &bounds, NULL, &got, &error) == GZ_OK,
           "unless bounds leave fewer");
}

/* What the registry says of every model. */
static void registry(void)
{
    int good = 1, models = 0;
    for (int k = 0; k < GZI_MODELS; k++) {
        const gzi_model *model = gzi_models[k];
        if (!model)
            continue;
        models++;
        good &= model->name && model->predict && model->gradient && model->variants &&
                model->term_count >= 1 && model->term_count <= GZ_TERM_CAPACITY &&
                gz_by_name(GZ_MODELS, model->name) == k && !model->work_new == !model->work_free;
        for (int term = 0; term < model->term_count; term++)
            good &= gz_term_name((gz_model)k, term) && gz_term_meaning((gz_model)k, term);
    }
    tap_ok(good && models >= 1, "each of %d models keeps the contract's form", models);
}

int main(void)
{
    gsl_rng *rng = seeded_rng();
    same_height(rng);
    gsl_rng_free(rng);
    not_smooth();
    too_many();
    registry();
    return tap_done();
}
