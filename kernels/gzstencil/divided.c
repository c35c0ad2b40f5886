/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "divided.h"

#include "known.h"
#include "own_grid.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Loops between exchanges unless they are given: near the model's best for 100^3 cells and more
     * on today's networks. */
    USUAL_DEPTH = 4,
    MOST_CELLS = 1 << 30
};

int gzs_divided_open(const void *communicator, struct gzs_divided **made, struct gzk_error *error)
{
    struct gzs_divided *divided = calloc(1, sizeof *divided);
    if (!divided)
        return gzk_fail(error, GZK_FAILED, "out of memory");
    divided->exchange.communicator = communicator;
    int status = gzk_exchange_open(&divided->exchange, error);
    if (status != 0) {
        free(divided);
        return status;
    }
    *made = divided;
    return 0;
}

void gzs_divided_close(struct gzs_divided *divided)
{
    if (!divided)
        return;
    gzs_divided_leave(divided);
    gzk_exchange_close(&divided->exchange);
    gzk_data_free(&divided->own);
    free(divided->cuts);
    free(divided);
}

/* ------------------------------------------------------------------------------------- division */

static int check_layout(struct gzs_divided *divided, const struct gz_stencil_ranks *asked,
                        int dimensions, long loops, struct gzk_error *error)
{
    double product = 1;
    bool beyond = false;
    long numbers[6] = {asked->depth, loops, dimensions};
    for (int d = 0; d < 3; d++) {
        numbers[3 + d] = asked->layout[d];
        product *= asked->layout[d];
        beyond |= asked->layout[d] < 1 || (d >= dimensions && asked->layout[d] != 1);
        divided->split.ranks[d] = asked->layout[d];
    }
    if (!gzk_exchange_same(&divided->exchange, numbers, 6))
        return gzk_fail(error, GZK_INVALID,
                        "layout, depth and loops: must be the same on all ranks");
    if (beyond || product != divided->exchange.ranks || asked->depth < 0)
        return gzk_fail(error, GZK_INVALID,
                        "layout %dx%dx%d, depth %d: must be of all %d ranks of the communicator, 1 "
                        "along an axis that the stencil lacks, and the depth at least 0",
                        asked->layout[0], asked->layout[1], asked->layout[2], asked->depth,
                        divided->exchange.ranks);
    return 0;
}

/* Cells of the caller's domain, and of the rim where the grid ends; a rim next to another rank is
 * that rank's cells. */
static int box_extent(const struct gzk_split *split, const struct gzk_stencil *stencil, int d,
                      int place, int size)
{
    int rim = gzs_rim_of(stencil, d);
    return size - (place > 0 ? rim : 0) - (place + 1 < split->ranks[d] ? rim : 0);
}

/* Sets where each rank's box begins, which ranks in a row must agree on. `extents` has room for two
 * numbers for each place of each dimension. */
static int set_cuts(struct gzs_divided *divided, const struct gzk_stencil *stencil,
                    const struct gzk_data *local, double *extents, struct gzk_error *error)
{
    struct gzk_split *split = &divided->split;
    int places = split->ranks[0] + split->ranks[1] + split->ranks[2];
    struct gzk_domain part; /* of which the place is known */
    int *cut = divided->cuts;

    gzk_domain_of(split, divided->exchange.rank, &part);
    for (int k = 0; k < 2 * places; k++)
        extents[k] = -INT_MAX;
    for (int d = 0, at = 0; d < 3; at += split->ranks[d++]) {
        double extent = box_extent(split, stencil, d, part.place[d], local->size[d]);
        extents[at + part.place[d]] = extent;
        extents[places + at + part.place[d]] = -extent;
    }
    gzk_exchange_largest(&divided->exchange, extents, 2 * places);
    for (int d = 0, at = 0; d < 3; at += split->ranks[d++], cut++) {
        double sum = 0;
        split->cuts[d] = cut;
        for (int k = 0; k < split->ranks[d]; k++, cut++) {
            *cut = (int)sum;
            sum += extents[at + k];
            if (extents[at + k] != -extents[places + at + k])
                return gzk_fail(error, GZK_INVALID,
                                "extent: ranks at place %d along axis %d must have the same there",
                                k, d);
        }
        if (sum > INT_MAX / 2)
            return gzk_fail(error, GZK_INVALID, "the whole domain is too large");
        *cut = split->size[d] = (int)sum;
    }
    return 0;
}

static int set_depth(struct gzs_divided *divided, int asked, const struct gzk_stencil *stencil,
                     long loops, struct gzk_error *error)
{
    struct gzk_split *split = &divided->split;
    long most = gzk_split_most_loops(split, stencil->radius);
    int usual = most < 1 ? 1 : most < USUAL_DEPTH ? (int)most : USUAL_DEPTH;
    int depth = asked > 0 ? asked : usual;
    divided->depth = depth < loops ? depth : (int)loops;
    return gzk_split_deepen(stencil, divided->depth, split, error);
}

/* Where the caller's arrays lie: a rim next to another rank is in the halo. */
static int find_caller(struct gzs_divided *divided, const struct gzk_stencil *stencil,
                       const struct gzk_data *local, struct gzk_error *error)
{
    struct gzk_domain *part = &divided->part;
    double cells = 1;
    gzk_domain_of(&divided->split, divided->exchange.rank, part);
    for (int d = 0; d < 3; d++) {
        divided->caller.begin[d] = part->lead[d] > 0 ? part->lead[d] - gzs_rim_of(stencil, d) : 0;
        divided->caller.extent[d] = local->size[d];
        cells *= part->size[d];
    }
    return cells > MOST_CELLS ? gzk_fail(error, GZK_INVALID, "the domain is too large") : 0;
}

int gzs_divided_split(struct gzs_divided *divided, const struct gz_stencil_ranks *asked,
                      const struct gzk_stencil *stencil, const struct gzk_data *local, char *place,
                      struct gzk_error *error)
{
    int status = check_layout(divided, asked, stencil->dim, local->loops, error);
    if (status == 0 && gzi_fields(&stencil->shape) > 1)
        status = gzk_fail(error, GZK_INVALID, "several fields are not divided among ranks yet");
    if (status != 0)
        return status;
    const int *ranks = divided->split.ranks;
    size_t places = (size_t)ranks[0] + (size_t)ranks[1] + (size_t)ranks[2];
    double *extents = malloc(2 * places * sizeof *extents);
    divided->cuts = malloc((places + 3) * sizeof *divided->cuts);
    if (!extents || !divided->cuts)
        status = gzk_fail(error, GZK_FAILED, "out of memory");
    status = gzk_exchange_all(&divided->exchange, status, error);
    if (status == 0)
        status = set_cuts(divided, stencil, local, extents, error);
    if (status == 0)
        status = set_depth(divided, asked->depth, stencil, local->loops, error);
    if (status == 0)
        status = find_caller(divided, stencil, local, error);
    if (status == 0)
        place[gzk_place_text(&divided->split, stencil->coefficients, place)] = '\0';
    free(extents);
    return status;
}

int gzs_divided_make(struct gzs_divided *divided, const struct gzk_stencil *stencil, long loops,
                     struct gzk_error *error)
{
    divided->stencil = stencil;
    return gzk_data_room(&divided->own, stencil, divided->part.size, loops) == 0
               ? 0
               : gzk_fail(error, GZK_FAILED, "out of memory");
}

/* --------------------------------------------------------------------------------------- arrays */

/* Arrays that go through the state, whose halo is exchanged. */
struct spreading {
    struct gzs_divided *divided;
    int status;
    struct gzk_error *error;
};

static void spread(void *of, const void *from, void *to)
{
    struct spreading *by = of;
    struct gzs_divided *divided = by->divided;
    struct gzk_halo_spent spent = {0};
    gzk_box_put(&divided->caller, divided->part.size, (size_t)divided->stencil->bytes, from,
                divided->own.state);
    int status = gzk_session_reset(divided->session, by->error);
    int moved = gzk_halo_exchange(divided->halo, NULL, &gzk_never, &spent, by->error);
    if (status == 0 && moved == 0)
        status = gzk_session_read(divided->session, to, by->error);
    by->status = by->status != 0 ? by->status : status != 0 ? status : moved;
}

int gzs_divided_put(struct gzs_divided *divided, struct gzk_device *device,
                    const struct gzk_data *local, struct gzk_error *error)
{
    const struct gzk_stencil *stencil = divided->stencil;
    struct gzk_session *session = NULL;
    struct spreading by = {.divided = divided, .error = error};

    memcpy(divided->own.coefficients, local->coefficients,
           GZK_MAX_COEFFICIENTS * (size_t)stencil->bytes);
    gzk_place_numbers(&divided->split, &divided->part, stencil->type,
                      stencil->coefficients - GZK_PLACE_NUMBERS, divided->own.coefficients);
    int status = gzk_session_new(device, stencil, &divided->own, &session, error);
    status = gzs_divided_enter(divided, device, session, status, error);
    if (status == 0) {
        gzk_copy_arrays(stencil, local, &divided->own, spread, &by);
        status = gzk_exchange_all(&divided->exchange, by.status, error);
    }
    gzs_divided_leave(divided);
    gzk_session_free(session);
    return status;
}

/* ------------------------------------------------------------------------------------------ run */

int gzs_divided_enter(struct gzs_divided *divided, struct gzk_device *device,
                      struct gzk_session *session, int status, struct gzk_error *error)
{
    divided->session = session;
    if (status == 0)
        status = gzk_halo_new(device, session, &divided->exchange, &divided->split,
                              divided->stencil, divided->depth, 1, &divided->halo, error);
    return gzk_exchange_all(&divided->exchange, status, error);
}

void gzs_divided_leave(struct gzs_divided *divided)
{
    gzk_halo_free(divided->halo);
    divided->halo = NULL;
    divided->session = NULL;
}

int gzs_divided_read(struct gzs_divided *divided, struct gzk_session *session, int age, void *to,
                     struct gzk_error *error)
{
    void *own = divided->own.state; /* its loops' beginning is on the device */
    int status = gzk_session_read_age(session, age, own, error);
    if (status == 0)
        gzk_box_get(&divided->caller, divided->part.size, (size_t)divided->stencil->bytes, own, to);
    return status;
}
