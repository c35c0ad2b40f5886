/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweeps.h - how many sweeps to take, together with the depths that suit them: by seconds per
 * decimal digit of the residual.
 */
#ifndef GZM_SWEEPS_H
#define GZM_SWEEPS_H

#include "solve.h"

enum { GZM_MOST_SWEEPS = 4 };

/* What so many sweeps before the correction and as many after it give. */
struct gzm_rate {
    double factor;    /* of a cycle, from cycles of a problem of this kind and at most 32 elements
                         along each    axis, on the host: factors do not depend on the size */
    double seconds;   /* of a cycle, expected */
    double per_digit; /* seconds / -log10(factor) */
};

/* Sets setup->sweeps to the best of 1,1 to GZM_MOST_SWEEPS,GZM_MOST_SWEEPS for cycles of that kind,
 * and fills `rates`, from one sweep on. A cycle's time is that of gzm_expect at the depths of
 * setup->way, with what the small problem took, by the elements, for the levels on the host. The
 * variable operator is tried with gzm_known's beta. */
int gzm_choose_sweeps(struct gzk_device *device, gz_cycle cycle, struct gzm_setup *setup,
                      struct gzm_rate rates[GZM_MOST_SWEEPS], struct gzk_error *error);

#endif
