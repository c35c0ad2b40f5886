/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2 against the reference, which adds up tile after tile in long double: values on
 * random CPUs and GPUs, shares that add up, slopes by every parameter against differences of the
 * reference (of sixth order).
 */
#include "gz2_reference.h"
#include "quantities.h"
#include "tap.h"
#include "tolerance.h"

enum { CASES = 1000 };

/* d reference / d parameter: central differences of sixth order about the parameter's value;
 * one-sided values are not needed, since the reference is analytic about positive ones, maxima
 * aside: the step is as small as long double's digits allow, so that it rarely crosses one. */
static long double difference(const gzi_gz2 *model, const gzi_gz2_config *config, int j)
{
    static const long double weight[] = {0, 45.0L / 60, -9.0L / 60, 1.0L / 60};
    long double value[GZI_GZ2_PARAMETERS], sum = 0, step = 1e-5L * (long double)model->value[j];
    for (int k = 0; k < GZI_GZ2_PARAMETERS; k++)
        value[k] = (long double)model->value[k];
    for (int k = 1; k <= 3; k++) {
        value[j] = (long double)model->value[j] + k * step;
        sum += weight[k] * gz2_reference(model, config, value);
        value[j] = (long double)model->value[j] - k * step;
        sum -= weight[k] * gz2_reference(model, config, value);
    }
    return sum / step;
}

int main(void)
{
    unsigned long long state = gz2_seed(5);
    double worst_value = 0, worst_sum = 0, worst_slope[GZI_GZ2_PARAMETERS] = {0};
    int defined = 0, agree = 1, slopes = 0, fences = 0, variants[3] = {0}, columns = 0;

    for (int k = 0; k < CASES; k++) {
        gzi_gz2 model;
        gzi_gz2_config config;
        gzi_gz2_prediction p;
        long double value[GZI_GZ2_PARAMETERS], want;
        double sum = 0;
        gz2_random_model(&state, &model);
        gz2_random_config(&state, &model, 100, &config);
        gz2_random_variant(&state, &model, &config);
        for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
            value[j] = (long double)model.value[j];
        want = gz2_reference(&model, &config, value);
        int status = gzi_gz2_predict(&model, &config, &p);
        agree &= (status == GZI_GZ2_OK) == !isnan((double)want);
        if (status != GZI_GZ2_OK || want == 0)
            continue;
        if (gz2_is_merged(&model, &config))
            continue;
        defined++;
        variants[config.variant]++;
        columns += gzi_gz2_columns(&model, &config);
        fences += config.sync == GZ_SYNC_FENCE;
        worst_value = fmax(worst_value, fabs(p.seconds / (double)want - 1));
        for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
            sum += p.share[j];
        worst_sum = fmax(worst_sum, fabs(sum / p.seconds - 1));
        for (int j = 0; k % tap_bulk(16, 4) == 0 && j < GZI_GZ2_PARAMETERS; j++) {
            if (!(model.value[j] > 0))
                continue;
            double scale = p.seconds / model.value[j],
                   slope = (double)difference(&model, &config, j);
            worst_slope[j] = fmax(worst_slope[j], fabs(p.slope[j] - slope) / scale);
            slopes++;
        }
    }
    double worst = 0;
    for (int j = 0; j < GZI_GZ2_PARAMETERS; j++) {
        if (worst_slope[j] > 1e-10)
            tap_note("%s: %g", gz_param_about(GZI_P_OWN + j)->name, worst_slope[j]);
        worst = fmax(worst, worst_slope[j]);
    }
    tap_ok(agree, "defined whenever the reference is");
    tap_ok(defined > CASES / 2 && fences > defined / 5, "%d cases, %d with fences", defined,
           fences);
    tap_ok(variants[0] > 100 && variants[1] > 100 && variants[2] > 100,
           "%d trapezoids, %d streamed tiles, %d blocks without local memory", variants[0],
           variants[1], variants[2]);
    tap_ok(columns > 20 && columns < variants[GZ_VARIANT_STREAM] - 100,
           "%d of these with columns in registers", columns);
    tap_ok(worst_value < 1e-12, "values agree to %.1e", worst_value);
    tap_ok(worst_sum < 1e-12, "shares add up to %.1e", worst_sum);
    tap_ok(worst < 1e-10, "%d slopes agree to %.1e, relative to time over parameter", slopes,
           worst);
    return tap_done();
}
