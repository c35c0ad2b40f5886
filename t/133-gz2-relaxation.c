/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The relaxation of the second model: at most the exact model on thousands of random
 * configurations; its gradients by height, tile and parameters against differences; its minimum
 * within the bounds, flat there, and below whatever random points give.
 */
#include "gz2_reference.h"
#include "tap.h"

enum { CASES = 20000, GRADIENTS = 2000, MINIMA = 60, POINTS = 400 };

static double relaxed_at(const gzi_gz2 *model, const gzi_gz2_config *config, const double at[4])
{
    gzi_gz2_relaxed r;
    gzi_gz2_relax(model, config, at[0], at + 1, &r);
    return r.seconds;
}

static double central(double (*f)(const gzi_gz2 *, const gzi_gz2_config *, const double *),
                      const gzi_gz2 *model, const gzi_gz2_config *config, const double at[4], int i)
{
    static const double weight[] = {0, 45.0 / 60, -9.0 / 60, 1.0 / 60};
    /* Short, since the second derivative jumps in places. */
    double sum = 0, step = 3e-7 * at[i], moved[4];
    memcpy(moved, at, sizeof moved);
    for (int k = 1; k <= 3; k++) {
        moved[i] = at[i] + k * step;
        sum += weight[k] * f(model, config, moved);
        moved[i] = at[i] - k * step;
        sum -= weight[k] * f(model, config, moved);
    }
    return sum / step;
}

static void tile_of(const gzi_gz2 *model, const gzi_gz2_config *config, double tile[3])
{
    for (int i = 0; i < 3; i++)
        tile[i] = config->block[i] - 2.0 * model->stencil.radius[i] * config->height;
}

static void bound(unsigned long long *state)
{
    int above = 0, defined = 0;
    double sum = 0, least = 1;
    for (int k = 0; k < CASES; k++) {
        gzi_gz2 model;
        gzi_gz2_config config;
        gzi_gz2_prediction exact;
        gzi_gz2_relaxed relaxed;
        double tile[3];
        gz2_random_model(state, &model);
        gz2_random_config(state, &model, 1e4, &config);
        if (gzi_gz2_predict(&model, &config, &exact) != GZI_GZ2_OK || !(exact.seconds > 0))
            continue;
        tile_of(&model, &config, tile);
        gzi_gz2_relax(&model, &config, config.height, tile, &relaxed);
        defined++;
        double ratio = relaxed.seconds / exact.seconds;
        if (!(ratio <= 1 + 1e-12) && above++ < 5)
            tap_note("ratio %.17g: dim %d edges %d %d %d h %d mode %d R %g T %g", ratio,
                     model.stencil.dim, model.stencil.edge[0], model.stencil.edge[1],
                     model.stencil.edge[2], config.height, config.mode, exact.resident,
                     exact.tiles);
        sum += ratio;
        least = fmin(least, ratio);
    }
    tap_ok(defined > CASES / 2 && above == 0,
           "%d of %d configurations: the relaxation is above the exact model in %d", defined, CASES,
           above);
    tap_ok(sum / defined > 0.5 && least >= 0,
           "it is %.2f of the exact model in the mean, %.2f at least", sum / defined, least);
}

static void gradients(unsigned long long *state)
{
    double worst = 0, worst_slope = 0;
    for (int k = 0; k < GRADIENTS; k++) {
        gzi_gz2 model;
        gzi_gz2_config config;
        gzi_gz2_relaxed r;
        gz2_random_model(state, &model);
        gz2_random_config(state, &model, 1e4, &config);
        double tile[3], at[4] = {gz2_uniform(state, 1.5, 9)};
        tile_of(&model, &config, tile);
        for (int i = 0; i < 3; i++) {
            /* Off the grid's length, where T_i stops falling. */
            at[1 + i] = 1 + gz2_uniform(state, 0.1, 1) * tile[i];
            if (fabs(at[1 + i] / (double)config.grid[i] - 1) < 1e-3)
                at[1 + i] *= 1.01;
        }
        gzi_gz2_relax(&model, &config, at[0], at + 1, &r);
        if (!(r.seconds > 0))
            continue;
        for (int i = 0; i < 1 + model.stencil.dim; i++) {
            double got = i ? r.by_tile[i - 1] : r.by_height;
            double want = central(relaxed_at, &model, &config, at, i);
            worst = fmax(worst, fabs(got - want) * at[i] / r.seconds);
        }
        for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
            double was = model.value[j], step = 1e-4 * was, f[2];
            if (!(was > 0))
                continue;
            for (int side = 0; side < 2; side++) {
                model.value[j] = side ? was + step : was - step;
                f[side] = relaxed_at(&model, &config, at);
            }
            model.value[j] = was;
            worst_slope =
                fmax(worst_slope, fabs(r.slope[j] - (f[1] - f[0]) / (2 * step)) * was / r.seconds);
        }
    }
    tap_ok(worst < 1e-6, "gradients by height and tile agree to %.1e", worst);
    tap_ok(worst_slope < 1e-6, "gradients by parameters agree to %.1e", worst_slope);
}

static void minima(unsigned long long *state)
{
    int outside = 0, beaten = 0, failed = 0;
    double worst = 1;
    for (int k = 0; k < MINIMA; k++) {
        gzi_gz2 model;
        gzi_gz2_config config;
        gzi_gz2_minimum m;
        gzi_gz2_bounds bounds = {.height_max = 16, .block_max = {256, 64, 64}};
        gz2_random_model(state, &model);
        gz2_random_config(state, &model, 1e6, &config);
        for (int i = 0; i < model.stencil.dim; i++)
            config.grid[i] += 64;
        if (gzi_gz2_minimise(&model, &config, &bounds, &m)) {
            failed++;
            continue;
        }
        double room =
            model.device.local_group / ((model.stencil.loaded + 1.0) * model.stencil.bytes);
        double cells = 1;
        outside += !(m.height >= 1 && m.height <= 16);
        for (int i = 0; i < model.stencil.dim; i++) {
            double block = m.tile[i] + 2 * model.stencil.radius[i] * m.height;
            outside += !(m.tile[i] >= 1 && block <= bounds.block_max[i] * (1 + 1e-12));
            cells *= block;
        }
        outside += !(cells <= room * (1 + 1e-12));
        for (int n = 0; n < POINTS; n++) {
            double at[4] = {gz2_uniform(state, 1, 16), 1, 1, 1}, all = 1;
            int fits = 1;
            for (int i = 0; i < model.stencil.dim; i++) {
                double ghost = 2 * model.stencil.radius[i] * at[0];
                double most = fmin(bounds.block_max[i] - ghost, (double)config.grid[i]);
                at[1 + i] = gz2_logarithmic(state, 1, fmax(1, most));
                fits &= most >= 1;
                all *= at[1 + i] + ghost;
            }
            if (!fits || all > room)
                continue;
            double ratio = relaxed_at(&model, &config, at) / m.seconds;
            worst = fmin(worst, ratio);
            beaten += ratio < 1 - 5e-3;
        }
    }
    tap_ok(failed == 0, "%d minima are found", MINIMA - failed);
    tap_ok(outside == 0, "all of them within the bounds");
    tap_ok(beaten == 0, "none of %d random points beats its minimum by 0.5 %% (best: %.4f)",
           MINIMA * POINTS, worst);
}

int main(void)
{
    unsigned long long state = gz2_seed(13);
    tap_plan(7);
    bound(&state);
    gradients(&state);
    minima(&state);
    return tap_done();
}
