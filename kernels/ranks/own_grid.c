/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "own_grid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place in the grid as two coefficients, since a float holds whole numbers to 2^24 only. */
enum { PLACE_BASE = 4096 };

/* Whether a body reads its cell's place in a dimension that is divided. */
static bool asks_for_place(const struct gzk_stencil *stencil, const struct gzk_split *split)
{
    static const char *const words[] = {"CELL_X", "CELL_Y", "CELL_Z"};
    bool asks = false;
    for (int d = 0; d < 3; d++)
        asks |= split->ranks[d] > 1 && strstr(stencil->body, words[d]);
    return asks;
}

size_t gzk_place_text(const struct gzk_split *split, int first, char *text)
{
    size_t length = 0;
    for (int d = 0; d < 3; d++)
        if (split->ranks[d] > 1)
            length += (size_t)snprintf(
                text + length, GZK_PLACE_TEXT - length,
                "#undef CELL_%c\n#define CELL_%c ((gz_%c + %d * (int)COEF(%d) + (int)COEF(%d)) %% "
                "%d)\n",
                "XYZ"[d], "XYZ"[d], "xyz"[d], (int)PLACE_BASE, first + 2 * d, first + 2 * d + 1,
                split->periodic[d] ? split->size[d] : INT_MAX);
    return length;
}

void gzk_place_numbers(const struct gzk_split *split, const struct gzk_domain *part,
                       enum gzk_type type, int first, void *coefficients)
{
    for (int d = 0; d < 3; d++) {
        int home = gzk_domain_home(split, part, d, 0), k = first + 2 * d;
        gzk_set_element(coefficients, type, (size_t)k, home / PLACE_BASE);
        gzk_set_element(coefficients, type, (size_t)k + 1, home % PLACE_BASE);
    }
}

/* Puts the places before the body. */
static int place_cells(const struct gzk_split *split, const struct gzk_domain *part,
                       struct gzk_own_grid *own, struct gzk_error *error)
{
    struct gzk_stencil *stencil = &own->stencil;
    int first = stencil->coefficients;
    size_t room = strlen(stencil->body) + strlen(stencil->name) + GZK_PLACE_TEXT + 20;

    if (first + GZK_PLACE_NUMBERS > GZK_MAX_COEFFICIENTS)
        return gzk_fail(error, GZK_INVALID,
                        "%s has %d coefficients and asks for its cells' places: on ranks it may "
                        "have %d at most",
                        stencil->name, first, (int)(GZK_MAX_COEFFICIENTS - GZK_PLACE_NUMBERS));
    own->body = malloc(room);
    if (!own->body)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    size_t length = gzk_place_text(split, first, own->body);
    gzk_place_numbers(split, part, stencil->type, first, own->data.coefficients);
    snprintf(own->body + length, room - length, "#line 1 \"%s\"\n%s", stencil->name, stencil->body);
    stencil->body = own->body;
    stencil->coefficients += GZK_PLACE_NUMBERS;
    return 0;
}

void gzk_copy_arrays(const struct gzk_stencil *stencil, const struct gzk_data *from,
                     struct gzk_data *to, gzk_array_copy *copy, void *of)
{
    size_t bytes = (size_t)stencil->bytes, values = bytes * (size_t)stencil->step_values;
    int fixed = stencil->coefficient_arrays + gzk_border_arrays(stencil);
    const char *source = from->aux;
    char *target = to->aux;

    for (size_t k = 0; k < (size_t)fixed; k++)
        copy(of, source + bytes * k * from->stride, target + bytes * k * to->stride);
    for (long loop = 0; loop < from->loops && stencil->step_arrays + stencil->step_values > 0;
         loop++) {
        const char *here = source + bytes * gzk_step_place(stencil, from->stride, loop);
        char *there = target + bytes * gzk_step_place(stencil, to->stride, loop);
        memcpy(there, here, values);
        for (size_t k = 0; k < (size_t)stencil->step_arrays; k++)
            copy(of, here + values + bytes * k * from->stride,
                 there + values + bytes * k * to->stride);
    }
    if (stencil->older)
        copy(of, from->older, to->older);
    copy(of, from->state, to->state);
}

struct cut {
    const struct gzk_split *split;
    const struct gzk_domain *part;
    size_t bytes;
};

static void cut(void *of, const void *grid, void *own)
{
    const struct cut *by = of;
    gzk_domain_take(by->split, by->part, by->bytes, grid, own);
}

static int cut_data(const struct gzk_data *grid, const struct gzk_split *split,
                    const struct gzk_domain *part, struct gzk_own_grid *own)
{
    size_t bytes = (size_t)own->stencil.bytes;
    struct cut by = {split, part, bytes};
    if (gzk_data_room(&own->data, &own->stencil, part->size, grid->loops) != 0)
        return -1;
    memcpy(own->data.coefficients, grid->coefficients, bytes * GZK_MAX_COEFFICIENTS);
    gzk_copy_arrays(&own->stencil, grid, &own->data, cut, &by);
    return 0;
}

static int make_data(const struct gzk_initial *initial, const struct gzk_split *split,
                     const struct gzk_domain *part, struct gzk_own_grid *own)
{
    int begin[3];
    for (int d = 0; d < 3; d++)
        begin[d] = gzk_domain_home(split, part, d, 0);
    return initial->grid ? cut_data(initial->grid, split, part, own)
                         : gzk_data_part(&own->data, &own->stencil, split->size, begin, part->size,
                                         initial->loops, initial->seed);
}

int gzk_own_grid_make(const struct gzk_stencil *stencil, const struct gzk_initial *initial,
                      const struct gzk_split *split, const struct gzk_domain *part,
                      struct gzk_own_grid *own, struct gzk_error *error)
{
    int status = 0;

    *own = (struct gzk_own_grid){.stencil = *stencil};
    if (make_data(initial, split, part, own) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory for a rank's arrays");
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
