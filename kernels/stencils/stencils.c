/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencils.h"

#include "embedded.h"
#include "stencil_functions.h"

#include <stdlib.h>
#include <string.h>

/* Sizes and blocks of the first four are those of the paper's Fig. 7, their halo widths, stencil
 * and elements per operation are its Table 2. */
const struct gzk_stencil gzk_stencils[] = {
    {.name = "pathfinder",
     .summary = "cheapest path through a grid of weights, row by row (dynamic programming)",
     .dimensions = 1,
     .radius = {1, 0, 0},
     .type = GZK_INT,
     .edge = GZK_EDGE_CLAMP,
     .fresh_arrays = 1,
     .operations = 3,
     .default_size = {1000000, 1, 1},
     .default_block = {256, 1, 1},
     .body = gzk_pathfinder_knl,
     .set_coefficients = gzk_no_coefficients,
     .fill = gzk_pathfinder_fill,
     .reference = gzk_pathfinder_reference},
    {.name = "hotspot",
     .summary = "temperature of a processor's die under a map of power (Euler steps)",
     .dimensions = 2,
     .radius = {1, 1, 0},
     .type = GZK_FLOAT,
     .edge = GZK_EDGE_CLAMP,
     .still_arrays = 1,
     .coefficients = 5,
     .operations = 15,
     .ulp_per_loop = 2,
     .default_size = {2000, 2000, 1},
     .default_block = {20, 20, 1},
     .indexed_output = true,
     .body = gzk_hotspot_knl,
     .set_coefficients = gzk_hotspot_coefficients,
     .fill = gzk_hotspot_fill,
     .reference = gzk_hotspot_reference,
     .coordinate = gzk_hotspot_coordinate},
    {.name = "poisson",
     .summary = "Poisson's equation with a uniform source, five-point Laplacian (Jacobi sweeps)",
     .dimensions = 2,
     .radius = {1, 1, 0},
     .type = GZK_FLOAT,
     .edge = GZK_EDGE_CLAMP,
     .coefficients = 2,
     .operations = 5,
     .ulp_per_loop = 2,
     .default_size = {2000, 2000, 1},
     .default_block = {20, 20, 1},
     .body = gzk_poisson_knl,
     .set_coefficients = gzk_poisson_coefficients,
     .fill = gzk_poisson_fill,
     .reference = gzk_poisson_reference},
    {.name = "cell",
     .summary = "the Game of Life in three dimensions, 26 neighbours (cellular automaton)",
     .dimensions = 3,
     .radius = {1, 1, 1},
     .type = GZK_INT,
     .edge = GZK_EDGE_CLAMP,
     .operations = 32,
     .default_size = {100, 100, 100},
     .default_block = {8, 8, 8},
     .body = gzk_cell_knl,
     .set_coefficients = gzk_no_coefficients,
     .fill = gzk_cell_fill,
     .reference = gzk_cell_reference},
    {.name = "jacobi",
     .summary = "Poisson's equation with a square source, zero edges (Jacobi sweeps)",
     .dimensions = 2,
     .radius = {1, 1, 0},
     .type = GZK_FLOAT,
     .edge = GZK_EDGE_ZERO,
     .coefficients = 7,
     .operations = 11,
     .ulp_per_loop = 4,
     .default_size = {1022, 1022, 1},
     .default_block = {20, 20, 1},
     .body = gzk_jacobi_knl,
     .set_coefficients = gzk_jacobi_coefficients,
     .fill = gzk_jacobi_fill,
     .reference = gzk_jacobi_reference,
     .coordinate = gzk_jacobi_coordinate},
    {.name = "star7",
     .summary = "7-point star, constant coefficients (Jacobi sweeps)",
     .dimensions = 3,
     .radius = {1, 1, 1},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .coefficients = 2,
     .operations = 8,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {8, 8, 8},
     .body = gzk_star7_knl,
     .set_coefficients = gzk_star7_coefficients,
     .fill = gzk_smoother_fill,
     .reference = gzk_star7_reference},
    {.name = "star13",
     .summary = "13-point star of radius 2, constant coefficients (Jacobi sweeps)",
     .dimensions = 3,
     .radius = {2, 2, 2},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .coefficients = 3,
     .operations = 15,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {12, 12, 12},
     .body = gzk_star13_knl,
     .set_coefficients = gzk_star13_coefficients,
     .fill = gzk_smoother_fill,
     .reference = gzk_star13_reference},
    {.name = "box27",
     .summary = "27-point box, constant coefficients (Jacobi sweeps)",
     .dimensions = 3,
     .radius = {1, 1, 1},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .coefficients = 4,
     .operations = 30,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {8, 8, 8},
     .body = gzk_box27_knl,
     .set_coefficients = gzk_box27_coefficients,
     .fill = gzk_smoother_fill,
     .reference = gzk_box27_reference},
    {.name = "box125",
     .summary = "125-point box, constant coefficients (Jacobi sweeps)",
     .dimensions = 3,
     .radius = {2, 2, 2},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .coefficients = 10,
     .operations = 134,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {12, 12, 12},
     .body = gzk_box125_knl,
     .set_coefficients = gzk_box125_coefficients,
     .fill = gzk_smoother_fill,
     .reference = gzk_box125_reference},
    {.name = "star7vc",
     .summary = "7-point star, variable coefficients (Jacobi sweeps)",
     .dimensions = 3,
     .radius = {1, 1, 1},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .still_arrays = 3,
     .operations = 17,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {8, 8, 8},
     .body = gzk_star7vc_knl,
     .set_coefficients = gzk_no_coefficients,
     .fill = gzk_flow_fill,
     .reference = gzk_star7vc_reference},
    {.name = "gsrb",
     .summary = "star7vc red and black by turns, a colour a loop (Gauss-Seidel)",
     .dimensions = 3,
     .radius = {1, 1, 1},
     .type = GZK_DOUBLE,
     .edge = GZK_EDGE_PERIODIC,
     .still_arrays = 3,
     .red_black = true,
     .operations = 17,
     .ulp_per_loop = 4,
     .default_size = {128, 128, 128},
     .default_block = {8, 8, 8},
     .body = gzk_gsrb_knl,
     .set_coefficients = gzk_no_coefficients,
     .fill = gzk_flow_fill,
     .reference = gzk_gsrb_reference},
};

const size_t gzk_stencil_count = sizeof gzk_stencils / sizeof *gzk_stencils;

const struct gzk_stencil *gzk_stencil_find(const char *name)
{
    for (size_t i = 0; i < gzk_stencil_count; i++)
        if (strcmp(gzk_stencils[i].name, name) == 0)
            return &gzk_stencils[i];
    return NULL;
}

size_t gzk_type_bytes(enum gzk_type type)
{
    static const size_t bytes[] = {
        [GZK_INT] = sizeof(int), [GZK_FLOAT] = sizeof(float), [GZK_DOUBLE] = sizeof(double)};
    return bytes[type];
}

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

const char *gzk_type_name(enum gzk_type type)
{
    static const char *const names[] = {
        [GZK_INT] = "int", [GZK_FLOAT] = "float", [GZK_DOUBLE] = "double"};
    return names[type];
}

int gzk_stencil_arrays(const struct gzk_stencil *stencil)
{
    return 1 + stencil->still_arrays;
}

size_t gzk_stencil_bytes_per_cell(const struct gzk_stencil *stencil)
{
    size_t elements = 2 + (size_t)stencil->still_arrays + (size_t)stencil->fresh_arrays;
    return elements * gzk_type_bytes(stencil->type);
}

int gzk_data_new(struct gzk_data *data, const struct gzk_stencil *stencil, const int size[3],
                 long loops, uint64_t seed)
{
    size_t bytes = gzk_type_bytes(stencil->type), arrays, elements;

    memset(data, 0, sizeof *data);
    memcpy(data->size, size, sizeof data->size);
    data->cells = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    /* Each array begins on a boundary of 32 elements, as the state does. */
    data->stride = (data->cells + 31) / 32 * 32;
    data->loops = loops;
    arrays = (size_t)stencil->still_arrays + (size_t)loops * (size_t)stencil->fresh_arrays;
    if (__builtin_mul_overflow(arrays, data->stride, &elements))
        return -1;
    data->state = calloc(data->cells, bytes);
    data->aux = calloc(elements ? elements : 1, bytes);
    data->coefficients = calloc(GZK_MAX_COEFFICIENTS, bytes);
    if (!data->state || !data->aux || !data->coefficients) {
        gzk_data_free(data);
        return -1;
    }
    stencil->set_coefficients(data);
    stencil->fill(data, seed);
    return 0;
}

void gzk_data_free(struct gzk_data *data)
{
    free(data->state);
    free(data->aux);
    free(data->coefficients);
    data->state = data->aux = data->coefficients = NULL;
}

uint64_t gzk_random(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void gzk_no_coefficients(struct gzk_data *data)
{
    (void)data;
}
