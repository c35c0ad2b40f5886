/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2 on random CPUs and GPUs: values that a second implementation, which added up tile after tile
 * in long double, agreed with to 1e-12 (139-gz2-page has the equations written out); shares that
 * add up; slopes by every parameter against differences.
 */
#include "gz2_cases.h"
#include "gz2_parts.h"
#include "quantities.h"
#include "tap.h"

enum { GROUPS = 4, EACH = 250, SLOPES_EVERY = 25 };

/* The number of defined cases in each group, and the sum of their ln(seconds a loop). */
static const struct {
    int defined;
    double sum;
} kept[GROUPS] = {{246, -2971.94031993514},
                  {250, -3042.8828239024},
                  {250, -3001.69306861294},
                  {249, -3016.26870426212}};

/* d seconds / d parameter: central differences of sixth order. */
static double difference(const gzi_gz2 *model, const gzi_gz2_config *config, int j)
{
    static const double weight[] = {0, 45.0 / 60, -9.0 / 60, 1.0 / 60};
    double sum = 0, step = 1e-3 * model->value[j];
    for (int k = -3; k <= 3; k++) {
        gzi_gz2 moved = *model;
        gzi_gz2_prediction p = {.seconds = 0};
        moved.value[j] += k * step;
        gzi_gz2_predict(&moved, config, &p);
        sum += (k < 0 ? -weight[-k] : weight[k]) * p.seconds;
    }
    return sum / step;
}

int main(void)
{
    unsigned long long state = 5;
    double worst_value = 0, worst_sum = 0, worst_slope = 0;
    int cases = 0, slopes = 0, fences = 0, variants[3] = {0}, columns = 0, same = 1;

    for (int group = 0; group < GROUPS; group++) {
        int defined = 0;
        double sum = 0;
        for (int k = 0; k < EACH; k++) {
            gzi_gz2 model;
            gzi_gz2_config config;
            gzi_gz2_prediction p;
            double shares = 0;
            gz2_random_model(&state, &model);
            gz2_random_config(&state, &model, 100, &config);
            gz2_random_variant(&state, &model, &config);
            if (gzi_gz2_predict(&model, &config, &p) != GZI_GZ2_OK || p.seconds == 0)
                continue;
            defined++;
            sum += log(p.seconds);
            variants[config.variant]++;
            columns += gzi_gz2_tile_of(&model, &config).columns;
            fences += config.sync == GZ_SYNC_FENCE;
            for (int j = 0; j < GZI_GZ2_PARAMETERS; j++)
                shares += p.share[j];
            worst_sum = fmax(worst_sum, fabs(shares / p.seconds - 1));
            for (int j = 0; k % SLOPES_EVERY == 0 && j < GZI_GZ2_PARAMETERS; j++) {
                if (!(model.value[j] > 0))
                    continue;
                double scale = p.seconds / model.value[j];
                double far = fabs(p.slope[j] - difference(&model, &config, j)) / scale;
                if (far > 1e-10)
                    tap_note("%s: %g", gz_param_about(GZI_P_OWN + j)->name, far);
                worst_slope = fmax(worst_slope, far);
                slopes++;
            }
        }
        double off = fabs(sum - kept[group].sum);
        same &= defined == kept[group].defined;
        worst_value = fmax(worst_value, off);
        if (!(off < EACH * 1e-12))
            tap_note("group %d: {%d, %.15g}", group, defined, sum);
        cases += defined;
    }
    tap_ok(same, "defined as often as they were");
    tap_ok(cases > 500 && fences > cases / 5, "%d cases, %d with fences", cases, fences);
    tap_ok(variants[0] > 100 && variants[1] > 100 && variants[2] > 100,
           "%d trapezoids, %d streamed tiles, %d blocks without local memory", variants[0],
           variants[1], variants[2]);
    tap_ok(columns > 20 && columns < variants[GZ_VARIANT_STREAM] - 100,
           "%d of these with columns in registers", columns);
    tap_ok(worst_value < EACH * 1e-12, "values agree to %.1e", worst_value);
    tap_ok(worst_sum < 1e-12, "shares add up to %.1e", worst_sum);
    tap_ok(worst_slope < 1e-10, "%d slopes agree to %.1e, relative to time over parameter", slopes,
           worst_slope);
    return tap_done();
}
