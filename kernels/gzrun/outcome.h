/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outcome.h - what a run ends with: the result and the final state, written.
 */
#ifndef GZK_OUTCOME_H
#define GZK_OUTCOME_H

#include "result.h"

/* Writes all requested files, with the final state and the data of the whole grid. A state that was
 * found wrong is not written, and is a failure. Returns an exit status. */
int gzk_outcome_write(const struct gzk_result *result, const struct gzk_data *data,
                      const void *state);

#endif
