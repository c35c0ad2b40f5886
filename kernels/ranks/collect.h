/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collect.h - a whole grid from its parts: on rank 0, or on every rank.
 */
#ifndef GZK_COLLECT_H
#define GZK_COLLECT_H

#include "domains.h"
#include "exchange.h"

/* The boxes of all ranks' own grids, `bytes` an element, into `grid` on rank 0, which is not read
 * elsewhere. */
int gzk_collect(struct gzk_exchange *exchange, const struct gzk_split *split, size_t bytes,
                const void *own, void *grid, struct gzk_error *error);

/* The same into `grid` on every rank, of a division without halos whose grid has at most INT_MAX
 * bytes. */
int gzk_share(struct gzk_exchange *exchange, const struct gzk_split *split, size_t bytes,
              const void *own, void *grid, struct gzk_error *error);

#endif
