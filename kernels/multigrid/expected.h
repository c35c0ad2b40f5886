/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * expected.h - what a cycle takes by the library's model, with each level smoothed as gzm_choose
 * has it.
 */
#ifndef GZM_EXPECTED_H
#define GZM_EXPECTED_H

#include "multigrid.h"

/* Fills `time` for a device of this kind; `host_s` is what a visit to the levels on the host takes,
 * s, 0 if that is not known. Without a device, or a prediction, time->levels is 0. GZK_INVALID if a
 * level cannot be smoothed. */
int gzm_expect(const struct gzk_device *device, gz_cycle cycle, const struct gzm_setup *setup,
               double host_s, gz_vcycle_time *time, struct gzk_error *error);

#endif
