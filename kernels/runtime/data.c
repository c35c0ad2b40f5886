/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data.h"

#include "variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double gzk_element(const void *array, enum gzk_type type, size_t i)
{
    switch (type) {
    case GZK_INT:
        return ((const int *)array)[i];
    case GZK_FLOAT:
        return (double)((const float *)array)[i];
    case GZK_DOUBLE:
        break;
    }
    return ((const double *)array)[i];
}

void gzk_set_element(void *array, enum gzk_type type, size_t i, double value)
{
    switch (type) {
    case GZK_INT:
        ((int *)array)[i] = (int)value;
        return;
    case GZK_FLOAT:
        ((float *)array)[i] = (float)value;
        return;
    case GZK_DOUBLE:
        ((double *)array)[i] = value;
    }
}

const char *gzk_type_name(enum gzk_type type)
{
    static const char *const names[] = {
        [GZK_INT] = "int", [GZK_FLOAT] = "float", [GZK_DOUBLE] = "double"};
    return names[type];
}

size_t gzk_state_elements(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    return (size_t)gzi_fields(&stencil->shape) * data->cells;
}

size_t gzk_state_bytes(const struct gzk_stencil *stencil, const struct gzk_data *data)
{
    return gzk_state_elements(stencil, data) * (size_t)stencil->bytes;
}

double gzk_bytes_per_cell(const struct gzk_stencil *stencil, long loops)
{
    return stencil->bytes * (gzi_fields(&stencil->shape) + gzi_loaded(&stencil->shape) +
                             (double)loops * stencil->step_arrays);
}

static gz_quantity counted(int value)
{
    return (gz_quantity){value, 0, GZ_ORIGIN_COUNTED};
}

static gz_quantity assumed(double value)
{
    return (gz_quantity){value, 0, GZ_ORIGIN_DEFAULT};
}

void gzk_describe_reads(const struct gzk_stencil *stencil, gz_app *app)
{
    const gz_reads *reads = &stencil->reads;
    bool known = reads->state > 0;
    if (reads->own_column)
        app->own_column = counted(1);
    /* What is compared is the cell before and after. */
    int compared = stencil->measure ? 2 : 0;
    if (known)
        app->tile_reads = counted(reads->state + stencil->older + reads->arrays + compared);
    if (stencil->older)
        *gz_param_quantity(NULL, app, gz_param_by_name("older_state")) = counted(1);
    if (gzi_fields(&stencil->shape) > 1)
        *gz_param_quantity(NULL, app, gz_param_by_name("fields")) =
            counted(gzi_fields(&stencil->shape));
    if (known && reads->own_column)
        app->column_reads = counted(reads->column + stencil->older);
}

void gzk_stencil_describe(const struct gzk_stencil *stencil, gz_app *app)
{
    app->dim = stencil->dim;
    for (int i = 0; i < stencil->dim; i++)
        app->halo_width[i] = 2 * stencil->radius[i];
    app->element_size = counted(stencil->bytes);
    app->stencil_arrays = counted(gzi_loaded(&stencil->shape));
    app->elements_per_op = counted(stencil->step_arrays);
    gz_quantity *const rules[3] = {&app->edge_rule, &app->edge_rule_1, &app->edge_rule_2};
    for (int i = 0; i < stencil->dim; i++)
        if (stencil->edge[i] != (i == 0 ? GZ_EDGE_CLAMP : stencil->edge[0]))
            *rules[i] =
                counted((int)(stencil->edge[i] == GZ_EDGE_KEEP ? GZ_EDGE_ZERO : stencil->edge[i]));
    gzk_describe_reads(stencil, app);
    if (stencil->coefficients > 0)
        app->coefficients = counted(stencil->coefficients);
}

void gzk_describe_uncounted(const struct gzk_stencil *stencil, double operations, gz_app *app)
{
    /* An imagined run on one multiprocessor, of a warp for each 32 elements. */
    static const double elements = 1e6, warps = 1e6 / 32;
    *app = (gz_app){.dim = 0};
    snprintf(app->name, sizeof app->name, "%s", stencil->name);
    snprintf(app->key, sizeof app->key, "%s", stencil->name);
    gzk_stencil_describe(stencil, app);
    double reads = app->tile_reads.value + stencil->step_arrays + stencil->step_values;
    app->profile_elements = assumed(elements);
    app->profile_sm_count = assumed(1);
    app->insts_per_sm_iter = assumed(warps * (operations + 4 * reads + 5));
    app->insts_per_sm_misc = assumed(warps * 8 * gzi_loaded(&stencil->shape));
    app->bank_conflict_rate = assumed(0);
}

void gzk_edges_text(const struct gzk_stencil *stencil, char *text, size_t room)
{
    const gz_edge *edge = stencil->edge;
    bool same = true;
    for (int i = 1; i < stencil->dim; i++)
        same = same && edge[i] == edge[0];
    int length = snprintf(text, room, "%s", gzk_edges[edge[0]].name);
    for (int i = 1; i < stencil->dim && !same; i++)
        length += snprintf(text + length, room - (size_t)length, ", %s", gzk_edges[edge[i]].name);
}

int gzk_border_arrays(const struct gzk_stencil *stencil)
{
    for (int i = 0; i < stencil->dim; i++)
        if (gzk_edges[stencil->edge[i]].borders)
            return 2 * gzi_fields(&stencil->shape);
    return 0;
}

size_t gzk_step_place(const struct gzk_stencil *stencil, size_t stride, long loop)
{
    size_t fixed = (size_t)(stencil->coefficient_arrays + gzk_border_arrays(stencil)), steps, place;
    if (__builtin_mul_overflow((size_t)stencil->step_arrays, stride, &steps) ||
        __builtin_add_overflow(steps, (size_t)stencil->step_values, &steps) ||
        __builtin_mul_overflow(steps, (size_t)loop, &steps) ||
        __builtin_mul_overflow(fixed, stride, &place) ||
        __builtin_add_overflow(place, steps, &place))
        return SIZE_MAX;
    return place;
}

size_t gzk_cells(const int size[3])
{
    return (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
}

enum { BOUNDARY = 32 };

/* Up to the next boundary, as gzk_data.grid has it: from these numbers cells are filled, wherever
 * their arrays lie. */
static size_t rounded(size_t cells)
{
    return (cells + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
}

size_t gzk_stride(size_t cells)
{
    enum { PAGE = 512, APART = 85 * BOUNDARY };
    return rounded(cells) + (cells % PAGE == 0 ? APART : 0);
}

/* Says which part of which grid it is. */
static void place(struct gzk_data *data, const int grid[3], const int begin[3])
{
    memcpy(data->grid.size, grid, sizeof data->grid.size);
    memcpy(data->grid.begin, begin, sizeof data->grid.begin);
    data->grid.cells = gzk_cells(grid);
    data->grid.stride = rounded(data->grid.cells);
}

int gzk_data_room(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                  long loops)
{
    size_t bytes = (size_t)stencil->bytes, elements;

    memset(data, 0, sizeof *data);
    memcpy(data->size, size, sizeof data->size);
    data->cells = gzk_cells(size);
    data->stride = gzk_stride(data->cells);
    place(data, size, (const int[3]){0});
    data->loops = loops;
    elements = gzk_step_place(stencil, data->stride, loops);
    if (elements == SIZE_MAX)
        return -1;
    data->state = calloc(gzk_state_elements(stencil, data), bytes);
    data->aux = calloc(elements ? elements : 1, bytes);
    data->coefficients = calloc(GZK_MAX_COEFFICIENTS, bytes);
    data->older = stencil->older ? calloc(data->cells, bytes) : NULL;
    if (!data->state || !data->aux || !data->coefficients || (stencil->older && !data->older)) {
        gzk_data_free(data);
        return -1;
    }
    return 0;
}

int gzk_data_new(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                 long loops, uint64_t seed)
{
    return gzk_data_part(data, stencil, size, (const int[3]){0}, size, loops, seed);
}

int gzk_data_part(struct gzk_data *data, const struct gzk_stencil *stencil, const int grid[3],
                  const int begin[3], const int size[3], long loops, uint64_t seed)
{
    if (gzk_data_room(data, stencil, size, loops) != 0)
        return -1;
    struct gzk_data whole = {.size = {grid[0], grid[1], grid[2]},
                             .cells = gzk_cells(grid),
                             .coefficients = data->coefficients};
    if (stencil->set_coefficients)
        stencil->set_coefficients(&whole);
    place(data, grid, begin);
    stencil->fill(data, seed);
    return 0;
}

void gzk_data_free(struct gzk_data *data)
{
    free(data->state);
    free(data->aux);
    free(data->coefficients);
    free(data->older);
    data->state = data->aux = data->coefficients = data->older = NULL;
}

void gzk_small_grid(const struct gzk_stencil *stencil, int size[3])
{
    static const double cells = 1 << 12;
    for (int i = 0; i < 3; i++)
        size[i] = i < stencil->dim ? (int)lround(pow(cells, 1.0 / stencil->dim)) : 1;
}
