/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rims.h - the first stage after an exchange, computed while halos travel: the whole own grid with
 * the halos as they were, then, when they have come, a rim along each side that has a neighbour
 * once more. README.md says why that is right.
 */
#ifndef GZK_RIMS_H
#define GZK_RIMS_H

#include "carry.h"
#include "own_grid.h"
#include "plan.h"

struct gzk_rims;

/* What rims are made of; all but the split, the part and the configuration must outlive them. */
struct gzk_rims_of {
    struct gzk_device *device;
    struct gzk_session *session;       /* of the own grid */
    const struct gzk_stencil *stencil; /* of the whole grid */
    const struct gzk_initial *initial;
    const struct gzk_split *split;
    const struct gzk_domain *part;
    const struct gzk_config *config; /* the own grid's */
};

int gzk_rims_new(const struct gzk_rims_of *of, struct gzk_rims **rims, struct gzk_error *error);
void gzk_rims_free(struct gzk_rims *rims);

/* Computes the rims of the session's last stage, which was of `loops` loops from number `loop`, at
 * most the height. `compute_s` and `pack_s` grow by the time for computing and for copying. */
int gzk_rims_run(struct gzk_rims *rims, long loop, long loops, const volatile sig_atomic_t *stop,
                 double *compute_s, double *pack_s, struct gzk_error *error);

#endif
