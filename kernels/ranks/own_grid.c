/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "own_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place in the grid as two coefficients, since a float holds whole numbers to 2^24 only. */
enum { PLACE_BASE = 4096, PLACE_NUMBERS = 2 * 3 };

static void set_number(struct gzk_data *data, enum gzk_type type, int k, int value)
{
    switch (type) {
    case GZK_INT:
        ((int *)data->coefficients)[k] = value;
        return;
    case GZK_FLOAT:
        ((float *)data->coefficients)[k] = (float)value;
        return;
    case GZK_DOUBLE:
        ((double *)data->coefficients)[k] = value;
    }
}

/* Whether a body asks for its cell's place in a dimension that is divided. */
static bool asks_for_place(const struct gzk_stencil *stencil, const struct gzk_split *split)
{
    static const char *const words[] = {"CELL_X", "CELL_Y", "CELL_Z"};
    bool asks = false;
    for (int d = 0; d < 3; d++)
        asks |= split->ranks[d] > 1 && strstr(stencil->body, words[d]);
    return asks;
}

/* Puts definitions before the body by which CELL_X, _Y and _Z are those of the whole grid. */
static int place_cells(const struct gzk_split *split, const struct gzk_domain *part,
                       struct gzk_own_grid *own, struct gzk_error *error)
{
    struct gzk_stencil *stencil = &own->stencil;
    int first = stencil->coefficients;
    size_t room = strlen(stencil->body) + 1000, length = 0;

    if (first + PLACE_NUMBERS > GZK_MAX_COEFFICIENTS)
        return gzk_fail(error, GZK_INVALID,
                        "%s has %d coefficients and asks for its cells' places: on ranks it may "
                        "have %d at most",
                        stencil->name, first, (int)(GZK_MAX_COEFFICIENTS - PLACE_NUMBERS));
    own->body = malloc(room);
    if (!own->body)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    for (int d = 0; d < 3; d++) {
        int home = gzk_domain_home(split, part, d, 0), k = first + 2 * d;
        set_number(&own->data, stencil->type, k, home / PLACE_BASE);
        set_number(&own->data, stencil->type, k + 1, home % PLACE_BASE);
        if (split->ranks[d] > 1)
            length += (size_t)snprintf(
                own->body + length, room - length,
                "#undef CELL_%c\n#define CELL_%c ((gz_%c + %d * (int)COEF(%d) + (int)COEF(%d)) %% "
                "%d)\n",
                "XYZ"[d], "XYZ"[d], "xyz"[d], (int)PLACE_BASE, k, k + 1, split->size[d]);
    }
    snprintf(own->body + length, room - length, "#line 1 \"%s\"\n%s", stencil->name, stencil->body);
    stencil->body = own->body;
    stencil->coefficients += PLACE_NUMBERS;
    return 0;
}

/* Copies an array between the whole grid's `aux` and the own grid's. */
static void cut(const struct gzk_split *split, const struct gzk_domain *part, size_t bytes,
                const void *grid, size_t from, void *own, size_t to)
{
    gzk_domain_take(split, part, bytes, (const char *)grid + bytes * from,
                    (char *)own + bytes * to);
}

static void cut_arrays(const struct gzk_stencil *stencil, const struct gzk_data *grid,
                       const struct gzk_split *split, const struct gzk_domain *part,
                       struct gzk_data *own)
{
    size_t bytes = gzk_type_bytes(stencil->type), values = (size_t)stencil->step_values;
    int fixed = stencil->coefficient_arrays + gzk_border_arrays(stencil);

    cut(split, part, bytes, grid->state, 0, own->state, 0);
    if (stencil->older)
        cut(split, part, bytes, grid->older, 0, own->older, 0);
    for (size_t k = 0; k < (size_t)fixed; k++)
        cut(split, part, bytes, grid->aux, k * grid->stride, own->aux, k * own->stride);
    for (long loop = 0; loop < grid->loops && stencil->step_arrays + stencil->step_values > 0;
         loop++) {
        size_t from = gzk_step_place(stencil, grid->stride, loop);
        size_t to = gzk_step_place(stencil, own->stride, loop);
        memcpy((char *)own->aux + bytes * to, (const char *)grid->aux + bytes * from,
               bytes * values);
        for (size_t k = 0; k < (size_t)stencil->step_arrays; k++)
            cut(split, part, bytes, grid->aux, from + values + k * grid->stride, own->aux,
                to + values + k * own->stride);
    }
}

int gzk_own_grid_make(const struct gzk_stencil *stencil, const struct gzk_data *grid,
                      const struct gzk_split *split, const struct gzk_domain *part,
                      struct gzk_own_grid *own, struct gzk_error *error)
{
    size_t bytes = gzk_type_bytes(stencil->type);
    int status = 0;

    *own = (struct gzk_own_grid){.stencil = *stencil};
    if (gzk_data_room(&own->data, stencil, part->size, grid->loops) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a rank's arrays");
    memcpy(own->data.coefficients, grid->coefficients, bytes * GZK_MAX_COEFFICIENTS);
    cut_arrays(stencil, grid, split, part, &own->data);
    if (asks_for_place(stencil, split))
        status = place_cells(split, part, own, error);
    if (status != 0)
        gzk_own_grid_free(own);
    return status;
}

void gzk_own_grid_free(struct gzk_own_grid *own)
{
    gzk_data_free(&own->data);
    free(own->body);
    own->body = NULL;
}
