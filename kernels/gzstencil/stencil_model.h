/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stencil_model.h - a configuration by the models, from a calibrated device file. Of the stencil
 * nothing was measured but what is stated here; its instructions are estimated from its operations.
 */
#ifndef GZK_MODEL_CHOICE_H
#define GZK_MODEL_CHOICE_H

#include "plan.h"

/* A stencil's profile on a CPU, for gz2: what computing an element takes by each
 * variant, s; 0 if that is not known. */
struct gzk_profile {
    double cell_time[3]; /* by gz_variant */
    double measured[3];  /* what its run took, s per loop and element, likewise */
};

/* Whether gz2 describes this device, a CPU, with a profile; and whether it does not without one,
 * for want of the time of an element that is read. */
bool gzk_model_takes_profile(const gz_device *model, const struct gzk_device *device,
                             const struct gzk_config *config);
bool gzk_model_needs_profile(const gz_device *model, const struct gzk_device *device,
                             const struct gzk_config *config);

/* The time of an element at which gz2 predicts that `config` takes `seconds` per
 * loop, s, > 0; 0 if the model does not describe it. A run that is faster than the model's other
 * terms alone gives the least time that is considered, 1e-13 s. */
double gzk_model_cell_time(const gz_device *model, const struct gzk_config *config, double seconds);

/* Sets variant, block, height and threads for the grid in `config`, and the predicted time per
 * loop, s, to the best of gz_tune by GZ_MODEL_AUTO, for device file and profile (NULL if there is
 * none). `reason` says which model it was, and why. -1 with `reason` set if there is no answer that
 * the device can run. */
int gzk_choose_by_model(const gz_device *model, const struct gzk_device *device,
                        const struct gzk_profile *profile, struct gzk_config *config,
                        double *predicted_s, gz_error *reason);

/* What is worth trying for a run, as gz2 predicts it for a device of this kind, and the tuner that
 * says which. False if memory is short or there is nothing to try. */
struct gzk_ways {
    gz_candidate *candidates;
    gz_tuner *tuner;
};
bool gzs_ways_new(const struct gzk_device *device, const struct gzk_config *config,
                  struct gzk_ways *ways);
void gzs_ways_free(struct gzk_ways *ways);

#endif
