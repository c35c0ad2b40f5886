/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

/* Elements of a rank's own grid. */
static size_t own_cells(const struct gzk_split *split, int rank, struct gzk_domain *part)
{
    gzk_domain_of(split, rank, part);
    return gzk_cells(part->size);
}

int gzk_collect(struct gzk_exchange *exchange, const struct gzk_split *split, size_t bytes,
                const void *own, void *grid, struct gzk_error *error)
{
    struct gzk_domain part;
    size_t cells = own_cells(split, exchange->rank, &part);

    if (exchange->rank > 0) {
        exchange->kind->give(exchange, own, bytes * cells);
        return 0;
    }
    gzk_domain_give(split, &part, bytes, own, grid);
    for (int peer = 1; peer < exchange->ranks; peer++) {
        size_t size = bytes * own_cells(split, peer, &part);
        void *theirs = malloc(size);
        if (!theirs)
            return gzk_fail(error, GZK_FAILED, "out of host memory for the state of rank %d", peer);
        exchange->kind->take(exchange, peer, theirs, size);
        gzk_domain_give(split, &part, bytes, theirs, grid);
        free(theirs);
    }
    return 0;
}

int gzk_share(struct gzk_exchange *exchange, const struct gzk_split *split, size_t bytes,
              const void *own, void *grid, struct gzk_error *error)
{
    struct gzk_domain part;
    size_t all = bytes * gzk_cells(split->size);
    int ranks = exchange->ranks, *sizes = malloc(2 * (size_t)ranks * sizeof *sizes), at = 0;
    char *parts = malloc(all);

    for (int k = 0; sizes && k < ranks; at += sizes[k++]) {
        sizes[k] = (int)(bytes * own_cells(split, k, &part));
        sizes[ranks + k] = at;
    }
    int status = sizes && parts ? 0 : gzk_fail(error, GZK_FAILED, "out of host memory");
    if (status == 0) {
        memcpy(parts + sizes[ranks + exchange->rank], own, (size_t)sizes[exchange->rank]);
        if (exchange->kind)
            exchange->kind->share(exchange, parts, sizes, sizes + ranks);
    }
    for (int k = 0; k < ranks && status == 0; k++) {
        gzk_domain_of(split, k, &part);
        gzk_domain_give(split, &part, bytes, parts + sizes[ranks + k], grid);
    }
    free(parts);
    free(sizes);
    return status;
}
