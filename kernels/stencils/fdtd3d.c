/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fdtd3d - Maxwell's equations in three dimensions.
 */
#include "fdtd.h"

enum { AXES = 3, FIELDS = 2 * AXES };

/* A cell, by how far it lies from the grid's first and last one. */
struct cell {
    size_t i;
    int before[AXES], behind[AXES];
};

static void fill(struct gzk_data *data, uint64_t seed)
{
    gzk_fdtd_fill(data, FIELDS, seed);
}

/* The element of `component` one cell further along an axis, or before. */
static float beside(const float *component, const struct cell *cell, const size_t apart[AXES],
                    int axis, int way)
{
    bool inside = way > 0 ? cell->behind[axis] > 0 : cell->before[axis] > 0;
    size_t i = way > 0 ? cell->i + apart[axis] : cell->i - apart[axis];
    return inside ? component[i] : 0;
}

/* The component of a field's curl along `axis`, differences taken forwards or backwards. */
static float curl(const float *const of[AXES], const struct cell *cell, const size_t apart[AXES],
                  int axis, int way)
{
    int j = (axis + 1) % AXES, k = (axis + 2) % AXES;
    float first = beside(of[k], cell, apart, j, way), second = beside(of[j], cell, apart, k, way);
    first = way > 0 ? first - of[k][cell->i] : of[k][cell->i] - first;
    second = way > 0 ? second - of[j][cell->i] : of[j][cell->i] - second;
    return first - second;
}

/* One of both fields in all cells: `next` is `now` and `factor` times the curl of the other one. */
static void sweep(const struct gzk_data *data, const float *const now[AXES],
                  const float *const other[AXES], const float *factor, float same, int way,
                  float *const next[AXES])
{
    const int *n = data->size;
    const size_t apart[AXES] = {1, (size_t)n[0], (size_t)n[0] * (size_t)n[1]};
    struct cell cell = {0};

    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, cell.i++) {
                const int place[AXES] = {x, y, z};
                for (int axis = 0; axis < AXES; axis++) {
                    cell.before[axis] = place[axis];
                    cell.behind[axis] = n[axis] - 1 - place[axis];
                }
                for (int axis = 0; axis < AXES; axis++) {
                    float change = curl(other, &cell, apart, axis, way);
                    next[axis][cell.i] = factor ? now[axis][cell.i] + factor[cell.i] * change
                                                : now[axis][cell.i] - same * change;
                }
            }
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const float *now[FIELDS], *electric[AXES];
    float *next[FIELDS];
    (void)loop;

    for (size_t f = 0; f < FIELDS; f++) {
        now[f] = (const float *)from + f * data->cells;
        next[f] = (float *)to + f * data->cells;
    }
    for (int axis = 0; axis < AXES; axis++)
        electric[axis] = next[axis];
    sweep(data, now, now + AXES, data->aux, 0, -1, next);
    sweep(data, now + AXES, electric, NULL, ((const float *)data->coefficients)[0], 1, next + AXES);
}

GZK_STENCIL(fdtd3d, .summary = "Maxwell's equations by Yee's scheme, six fields", .dim = 3,
            .radius = {1, 1, 1}, GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(ZERO), .fields = FIELDS,
            .coefficients = 1, .coefficient_arrays = 1, .operations = 30,
            .reads = {33, 13, 4, false}, .ulp_per_loop = 64, .default_size = {128, 128, 128},
            .default_block = {8, 8, 8}, .set_coefficients = gzk_fdtd_coefficients, .fill = fill,
            .fills_parts = true, .reference = reference);
