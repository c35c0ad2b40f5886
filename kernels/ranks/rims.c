/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rims.h"

#include "numbers.h"
#include "variants.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RIMS = 6 };

/* Along one side: a slab of the own grid, a grid of its own. */
struct rim {
    struct gzk_box slab;  /* in the own grid */
    struct gzk_box right; /* likewise: what the slab gives that the stage got wrong */
    struct gzk_own_grid own;
    struct gzk_session *session;
    struct gzk_plan *plan;
};

struct gzk_rims {
    struct gzk_session *session;
    int size[3]; /* of the own grid */
    int count;
    struct rim rims[MOST_RIMS];
    struct gzk_carrier *carrier;
};

void gzk_rims_free(struct gzk_rims *rims)
{
    if (!rims)
        return;
    for (int k = 0; k < rims->count; k++) {
        gzk_plan_free(rims->rims[k].plan);
        gzk_session_free(rims->rims[k].session);
        gzk_own_grid_free(&rims->rims[k].own);
    }
    gzk_carrier_free(rims->carrier);
    free(rims);
}

/* The `thick` cells at one end of the own grid in dimension `d`, and all there is in the others. */
static struct gzk_box end_of(const int size[3], int d, bool behind, int thick)
{
    struct gzk_box box = {.extent = {size[0], size[1], size[2]}};
    box.extent[d] = thick < size[d] ? thick : size[d];
    box.begin[d] = behind ? size[d] - box.extent[d] : 0;
    return box;
}

/* A stage of h loops carries what halos of depth w lacked r h cells further, and so it does with
 * the slab's end, which is cut out of the middle: w + r h cells of w + 2 r h are right. */
static int make_rim(const struct gzk_rims_of *of, int d, bool behind, struct rim *rim,
                    struct gzk_error *error)
{
    int halo = of->split->depth[d], spoiled = of->stencil->radius[d] * of->config->height;
    struct gzk_domain slab = *of->part;
    struct gzk_config config = *of->config;

    rim->slab = end_of(slab.size, d, behind, halo + 2 * spoiled);
    rim->right = end_of(slab.size, d, behind, halo + spoiled);
    slab.lead[d] -= rim->slab.begin[d];
    slab.size[d] = rim->slab.extent[d];
    int status = gzk_own_grid_make(of->stencil, of->initial, of->split, &slab, &rim->own, error);
    if (status == 0)
        status =
            gzk_session_new(of->device, &rim->own.stencil, &rim->own.data, &rim->session, error);
    config.stencil = &rim->own.stencil;
    memcpy(config.size, slab.size, sizeof config.size);
    config.loops = config.height;
    if (gzk_variants[config.variant].whole_rows)
        config.block[0] = config.size[0];
    return status == 0 ? gzk_plan_new(rim->session, &config, &rim->plan, error) : status;
}

int gzk_rims_new(const struct gzk_rims_of *of, struct gzk_rims **made, struct gzk_error *error)
{
    const struct gzk_domain *part = of->part;
    struct gzk_rims *rims = calloc(1, sizeof *rims);
    if (!rims)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    rims->session = of->session;
    memcpy(rims->size, part->size, sizeof rims->size);
    int status = gzk_carrier_new(of->device, of->stencil->type, &rims->carrier, error);
    for (int d = 0; d < 3; d++) {
        const bool neighbour[2] = {part->lead[d] > 0,
                                   part->lead[d] + part->box.extent[d] < part->size[d]};
        for (int behind = 0; behind < 2 && status == 0; behind++)
            if (neighbour[behind])
                status = make_rim(of, d, behind, &rims->rims[rims->count++], error);
    }
    if (status != 0) {
        gzk_rims_free(rims);
        return status;
    }
    *made = rims;
    return 0;
}

/* Copies the slabs out of the state that the stage began with, or what they have right into the one
 * that it made. */
static int carry(struct gzk_rims *rims, bool back, const volatile sig_atomic_t *stop,
                 struct gzk_error *error)
{
    const struct gzk_arrays own = gzk_session_arrays(rims->session);
    struct gzk_launch launches[MOST_RIMS];

    for (int k = 0; k < rims->count; k++) {
        const struct rim *rim = &rims->rims[k];
        const struct gzk_box *box = back ? &rim->right : &rim->slab;
        int begin[3];
        for (int d = 0; d < 3; d++)
            begin[d] = box->begin[d] - rim->slab.begin[d];
        struct gzk_area here = gzk_area_in(back ? own.state : own.before, rims->size, box->begin);
        struct gzk_area there =
            gzk_area_in(gzk_session_arrays(rim->session).state, rim->slab.extent, begin);
        launches[k] = gzk_carrier_launch(rims->carrier, back ? there : here, back ? here : there,
                                         box->extent);
    }
    return gzk_carrier_run(rims->carrier, launches, rims->count, stop, error);
}

int gzk_rims_run(struct gzk_rims *rims, long loop, long loops, const volatile sig_atomic_t *stop,
                 double *compute_s, double *pack_s, struct gzk_error *error)
{
    double begin = cli_now(), seconds;
    int status = carry(rims, false, stop, error);
    double taken = cli_now();
    for (int k = 0; k < rims->count && status == 0; k++)
        status = gzk_plan_advance(rims->rims[k].plan, loop, loops, stop, &seconds, error);
    double computed = cli_now();
    if (status == 0)
        status = carry(rims, true, stop, error);
    *compute_s += computed - taken;
    *pack_s += taken - begin + cli_now() - computed;
    return status;
}
