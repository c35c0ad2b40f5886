/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outcome.h - what a run ends with: the result and the final state, compared and written.
 */
#ifndef GZK_OUTCOME_H
#define GZK_OUTCOME_H

#include "result.h"

struct gzk_outcome {
    const struct gzk_result *result;
    const struct gzk_data *data; /* of the whole grid */
    const void *state;
};

/* Compares a state with the serial reference, into the result. */
int gzk_outcome_compare(const struct gzk_options *options, const struct gzk_data *data,
                        const void *state, struct gzk_result *result, struct gzk_error *error);

/* Writes all requested files. A state that was found wrong is not written, and is a failure.
 * Returns an exit status. */
int gzk_outcome_write(const struct gzk_outcome *outcome);

#endif
