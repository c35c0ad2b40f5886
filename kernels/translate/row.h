/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.h - what all rows have in common: a body on the host, the serial reference, and the data. gzc
 * writes this and stencil.h behind the macros below, and the body behind it (ir/stencil.c):
 *
 *   GZ_T             the type of elements
 *   GZ_FACTS         the members of struct gzk_stencil that are numbers
 *   GZ_BUFFERS       how many buffers have a border of their own, 1 or 2
 *   GZ_TWO_BORDERS   whether each of two keeps cells of its own, which are the last constant arrays
 */
#include "stencil.h"

#include <math.h>
#include <string.h>

static const struct gzk_stencil facts = {GZ_FACTS};

/* A cell while its next value is computed. */
struct cell {
    const struct gzk_data *data;
    const GZ_T *from;
    int x, y, z, field;
    long loop;
};

/* Whether an element is at a coordinate, which the edge's rule may change. */
static inline bool is_there(int *at, int size, gz_edge edge)
{
    if (*at >= 0 && *at < size)
        return true;
    *at = edge == GZ_EDGE_PERIODIC ? (*at % size + size) % size : *at < 0 ? 0 : size - 1;
    return edge == GZ_EDGE_PERIODIC || edge == GZ_EDGE_CLAMP;
}

static inline GZ_T read_at(const struct cell *c, const GZ_T *array, int dx, int dy, int dz)
{
    const int *size = c->data->size;
    int x = c->x + dx, y = c->y + dy, z = c->z + dz;
    if (!is_there(&x, size[0], facts.edge[0]) || !is_there(&y, size[1], facts.edge[1]) ||
        !is_there(&z, size[2], facts.edge[2]))
        return 0;
    return array[((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x];
}

/* How many cells along an axis are the border's, at each end; how many arrays behind the constant
 * ones hold borders. */
static inline int rim(int axis)
{
    return facts.edge[axis] == GZ_EDGE_KEEP ? facts.radius[axis] : 0;
}
static inline int borders(void)
{
    bool keeps = facts.edge[0] == GZ_EDGE_KEEP || facts.edge[1] == GZ_EDGE_KEEP ||
                 facts.edge[2] == GZ_EDGE_KEEP;
    return keeps ? 2 * gzi_fields(&facts.shape) : 0;
}

static inline bool is_border(const struct cell *c)
{
    const int *size = c->data->size;
    return c->x < rim(0) || c->x >= size[0] - rim(0) || c->y < rim(1) || c->y >= size[1] - rim(1) ||
           c->z < rim(2) || c->z >= size[2] - rim(2);
}

static inline const GZ_T *array_of(const struct gzk_data *data, int k)
{
    return (const GZ_T *)data->aux + (size_t)k * data->stride;
}

/* What the loop has of its own: numbers, and arrays behind them. */
static inline const GZ_T *step_of(const struct cell *c)
{
    size_t one = (size_t)facts.step_values + (size_t)facts.step_arrays * c->data->stride;
    return array_of(c->data, facts.coefficient_arrays + borders()) + (size_t)c->loop * one;
}

#define GZ_INLINE static inline
#define GZ_UPDATE static GZ_T update(const struct cell *c)
#define AT(dx, dy, dz) read_at(c, c->from, dx, dy, dz)
#define FIELD(f, dx, dy, dz) read_at(c, c->from + (size_t)(f)*c->data->cells, dx, dy, dz)
#define THIS c->field
#define COEF_AT(k, dx, dy, dz) read_at(c, array_of(c->data, (int)(k)), dx, dy, dz)
#define STEP_AT(k) read_at(c, step_of(c) + facts.step_values + (size_t)(k)*c->data->stride, 0, 0, 0)
#define STEP(k) step_of(c)[k]
#define COEF(k) ((const GZ_T *)c->data->coefficients)[k]
#define CELL_X c->x
#define CELL_Y c->y
#define CELL_Z c->z
#define LOOP c->loop
#define GZ_TO_INT(a)                                                                               \
    ((union {                                                                                      \
        GZ_T of;                                                                                   \
        int bits;                                                                                  \
    }){a})                                                                                         \
        .bits
#define GZ_TO_FLOAT(a)                                                                             \
    ((union {                                                                                      \
        int bits;                                                                                  \
        float of;                                                                                  \
    }){GZ_TO_INT(a)})                                                                              \
        .of
#define GZ_TO_LONG(a, b)                                                                           \
    ((long)(((unsigned long)(unsigned)GZ_TO_INT(b) << 32) | (unsigned)GZ_TO_INT(a)))
#define GZ_TO_DOUBLE(a, b)                                                                         \
    ((union {                                                                                      \
        long bits;                                                                                 \
        double of;                                                                                 \
    }){GZ_TO_LONG(a, b)})                                                                          \
        .of

GZ_UPDATE;

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    struct cell cell = {.data = data, .from = from, .loop = loop}, *c = &cell;
    int fields = gzi_fields(&facts.shape),
        border = facts.coefficient_arrays + (int)((loop + 1) % 2) * fields;
    GZ_T *out = to;
    for (; c->field < fields; c->field++)
        for (c->z = 0; c->z < data->size[2]; c->z++)
            for (c->y = 0; c->y < data->size[1]; c->y++)
                for (c->x = 0; c->x < data->size[0]; c->x++)
                    *out++ = is_border(c) ? COEF_AT(border + c->field, 0, 0, 0) : update(c);
}

static GZ_T number(uint64_t seed, uint64_t i)
{
    return facts.type == GZK_INT     ? (GZ_T)(gzk_random(seed, i) % 10)
           : facts.type == GZK_FLOAT ? (GZ_T)gzk_random_float(seed, i)
                                     : (GZ_T)gzk_random_double(seed, i);
}

static void fill(struct gzk_data *data, uint64_t seed)
{
    size_t fields = (size_t)gzi_fields(&facts.shape), stride = data->stride;
    size_t arrays = (size_t)(facts.coefficient_arrays + borders());
    size_t step = (size_t)facts.step_values + (size_t)facts.step_arrays * stride;
    size_t bytes = data->cells * sizeof(GZ_T);
    GZ_T *state = data->state, *aux = data->aux;
    GZ_T *border = aux + (size_t)facts.coefficient_arrays * stride;
    for (size_t i = 0; i < fields * data->cells; i++)
        state[i] = number(seed - i / data->cells, i % data->cells);
    for (size_t i = 0; i < arrays * stride + (size_t)data->loops * step; i++)
        aux[i] = number(seed + 1 + i / stride, i % stride);
    if (GZ_TWO_BORDERS)
        memcpy(border - 2 * stride, state, bytes);
    /* The border of the first buffer is the state's; a single buffer has but one. */
    for (size_t k = 0; k < (size_t)borders() && k < (3 - GZ_BUFFERS) * fields; k++)
        memcpy(border + k * stride, state + k % fields * data->cells, bytes);
}
