/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generic.h"

#include "data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULUS = 1024, BODY = 2000 };

struct generic generic;

/* All bodies, the last one first. */
struct body {
    struct body *before;
    char text[BODY];
};
static struct body *bodies;

/* ------------------------------------------------------------------------------- the reference */

static size_t index_of(const struct gzk_data *data, const int cell[3])
{
    return ((size_t)cell[2] * (size_t)data->size[1] + (size_t)cell[1]) * (size_t)data->size[0] +
           (size_t)cell[0];
}

/* Element of an array at a distance from a cell. A double holds all types' elements. */
static double element(const struct gzk_data *data, const void *array, const int cell[3],
                      const int d[3])
{
    int place[3];
    for (int i = 0; i < 3; i++) {
        gz_edge edge = generic.stencil.edge[i];
        int n = data->size[i], p = cell[i] + d[i];
        if ((p < 0 || p >= n) && (edge == GZ_EDGE_ZERO || edge == GZ_EDGE_KEEP))
            return 0;
        if (edge == GZ_EDGE_CLAMP)
            place[i] = p < 0 ? 0 : p >= n ? n - 1 : p;
        else
            place[i] = (p % n + n) % n;
    }
    return gzk_element(array, generic.stencil.type, index_of(data, place));
}

static void *array_of(const struct gzk_data *data, size_t k)
{
    return (char *)data->aux + k * data->stride * (size_t)generic.stencil.bytes;
}

static bool is_kept(const struct gzk_data *data, const int cell[3])
{
    const struct gzk_stencil *s = &generic.stencil;
    for (int i = 0; i < s->dim; i++)
        if (s->edge[i] == GZ_EDGE_KEEP &&
            (cell[i] < s->radius[i] || cell[i] >= data->size[i] - s->radius[i]))
            return true;
    return false;
}

static void put(void *array, size_t i, double value)
{
    switch (generic.stencil.type) {
    case GZK_INT:
        ((int *)array)[i] = (int)value;
        break;
    case GZK_FLOAT:
        ((float *)array)[i] = (float)value;
        break;
    case GZK_DOUBLE:
        ((double *)array)[i] = value;
        break;
    }
}

static const void *field_of(const struct gzk_data *data, const void *state, int f)
{
    return (const char *)state + (size_t)f * data->cells * (size_t)generic.stencil.bytes;
}

/* The next value of field `f`. */
static double next(const struct gzk_data *data, long loop, int f, const void *from, double older,
                   const int cell[3])
{
    static const int here[3] = {0};
    const struct gzk_stencil *s = &generic.stencil;
    size_t step = (size_t)(s->coefficient_arrays + gzk_border_arrays(s)) +
                  (size_t)loop * (size_t)s->step_arrays;
    double sum = generic.position == 3 ? (double)loop : cell[generic.position];

    if (s->red_black && (cell[0] + cell[1] + cell[2] + loop) % 2 != 0)
        return element(data, field_of(data, from, f), cell, here);
    for (int k = 0; k < generic.count; k++) {
        const struct generic_term *t = &generic.terms[k];
        const void *array =
            t->array < 0 ? field_of(data, from, -1 - t->array) : array_of(data, (size_t)t->array);
        sum += (t->weight + f) * element(data, array, cell, t->d);
    }
    if (s->older)
        sum += 3 * older;
    for (int k = 0; k < s->step_arrays; k++)
        sum += (2 + k) * element(data, array_of(data, step + (size_t)k), cell, here);
    for (int k = 0; k < s->coefficients; k++)
        sum += (k + 1) * gzk_element(data->coefficients, s->type, (size_t)k);
    return sum - MODULUS * floor(sum / MODULUS);
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    const struct gzk_stencil *s = &generic.stencil;
    size_t i = 0;
    int fields = gzi_fields(&s->shape), cell[3];

    for (int f = 0; f < fields; f++)
        for (cell[2] = 0; cell[2] < data->size[2]; cell[2]++)
            for (cell[1] = 0; cell[1] < data->size[1]; cell[1]++)
                for (cell[0] = 0; cell[0] < data->size[0]; cell[0]++, i++)
                    put(to, i,
                        is_kept(data, cell)
                            ? gzk_element(array_of(data, (size_t)(s->coefficient_arrays + f) +
                                                             (loop % 2 ? 0 : (size_t)fields)),
                                          s->type, i - (size_t)f * data->cells)
                            : next(data, loop, f, from, gzk_element(to, s->type, i), cell));
}

/* ------------------------------------------------------------------------------------- the data */

static double random_value(uint64_t seed, size_t i)
{
    double value = (double)(gzk_random(seed, i) % (64 * MODULUS)) / 64;
    return generic.stencil.type == GZK_INT ? floor(value) : value;
}

static void set_coefficients(struct gzk_data *data)
{
    for (size_t k = 0; k < (size_t)generic.stencil.coefficients; k++)
        put(data->coefficients, k, (double)(5 + 2 * k));
}

/* An array of `aux` that lies at those elements of the part's and of the grid's. */
static void fill_array(struct gzk_data *data, size_t own, size_t grid, uint64_t seed)
{
    GZK_EACH_CELL (data, cell)
        put(data->aux, own + cell.own, random_value(seed, grid + cell.grid));
}

/* The numbers and arrays of a loop. */
static void fill_step(struct gzk_data *data, long loop, uint64_t seed)
{
    const struct gzk_stencil *s = &generic.stencil;
    size_t own = gzk_step_place(s, data->stride, loop);
    size_t grid = gzk_step_place(s, data->grid.stride, loop);
    for (int k = 0; k < s->step_values; k++)
        put(data->aux, own++, random_value(seed, grid++));
    for (size_t k = 0; k < (size_t)s->step_arrays; k++)
        fill_array(data, own + k * data->stride, grid + k * data->grid.stride, seed);
}

/* Of kept edges, the first buffer's border is the state's, the second has numbers of its own. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    const struct gzk_stencil *s = &generic.stencil;
    size_t fixed = (size_t)(s->coefficient_arrays + gzk_border_arrays(s));

    for (size_t f = 0; f < (size_t)gzi_fields(&s->shape); f++)
        GZK_EACH_CELL (data, cell)
            put(data->state, f * data->cells + cell.own,
                random_value(seed, f * data->grid.cells + cell.grid));
    for (size_t k = 0; k < fixed; k++)
        fill_array(data, k * data->stride, k * data->grid.stride, seed + 1);
    for (long loop = 0; loop < data->loops; loop++)
        fill_step(data, loop, seed + 1);
    if (s->older)
        GZK_EACH_CELL (data, cell)
            put(data->older, cell.own, random_value(seed + 2, cell.grid));
    for (int f = 0; f < gzi_fields(&s->shape) && gzk_border_arrays(s) > 0; f++)
        memcpy(array_of(data, (size_t)(s->coefficient_arrays + f)), field_of(data, data->state, f),
               data->cells * (size_t)s->bytes);
    if (gzk_border_arrays(s) > 0 && s->older)
        memcpy(array_of(data, (size_t)s->coefficient_arrays + 1), data->older,
               data->cells * (size_t)s->bytes);
}

/* ------------------------------------------------------------------------------------- the body */

__attribute__((format(printf, 2, 3))) static void append(char *body, const char *format, ...)
{
    size_t length = strlen(body);
    va_list args;
    va_start(args, format);
    vsnprintf(body + length, BODY - length, format, args);
    va_end(args);
}

/* What the reference computes, in the body's words. */
static void write_body(char *body)
{
    static const char *const positions[] = {"CELL_X", "CELL_Y", "CELL_Z", "(int)LOOP"};
    const struct gzk_stencil *s = &generic.stencil;
    bool several = gzi_fields(&s->shape) > 1;

    append(body, "GZ_UPDATE\n{\n");
    if (s->red_black)
        append(body,
               "    if ((CELL_X + CELL_Y + CELL_Z + LOOP) %% 2 != 0)\n        return %s0, 0, 0);\n",
               several ? "FIELD(THIS, " : "AT(");
    append(body, "    GZ_T sum = %s", positions[generic.position]);
    for (int k = 0; k < generic.count; k++) {
        const struct generic_term *t = &generic.terms[k];
        append(body, several ? " +\n        (%d + THIS) * " : " +\n        %d * ", t->weight);
        if (t->array < 0 && several)
            append(body, "FIELD(%d, %d, %d, %d)", -1 - t->array, t->d[0], t->d[1], t->d[2]);
        else if (t->array < 0)
            append(body, "AT(%d, %d, %d)", t->d[0], t->d[1], t->d[2]);
        else
            append(body, "COEF_AT(%d, %d, %d, %d)", t->array, t->d[0], t->d[1], t->d[2]);
    }
    if (s->older)
        append(body, " + 3 * OLDER");
    for (int k = 0; k < s->step_arrays; k++)
        append(body, " + %d * STEP_AT(%d)", 2 + k, k);
    for (int k = 0; k < s->coefficients; k++)
        append(body, " + %d * COEF(%d)", k + 1, k);
    if (s->type == GZK_INT)
        append(body, ";\n    return sum & %d;\n}\n", MODULUS - 1);
    else
        append(body, ";\n    return sum - %d * (GZ_T)(int)(sum / %d);\n}\n", MODULUS, MODULUS);
}

/* Whether no term reads the state in another plane and another column. */
static bool reads_own_column(void)
{
    int axis = generic.stencil.dim - 1;
    for (int k = 0; k < generic.count; k++) {
        const int *d = generic.terms[k].d;
        bool across = d[0] != 0 || (axis == 2 && d[1] != 0);
        if (generic.terms[k].array < 0 && d[axis] != 0 && across)
            return false;
    }
    return axis > 0 && generic.stencil.radius[axis] > 0;
}

void generic_finish(void)
{
    struct gzk_stencil *s = &generic.stencil;
    struct body *body = calloc(1, sizeof *body);
    if (!body)
        exit(1);
    body->before = bodies;
    bodies = body;
    write_body(body->text);
    s->abi = GZK_STENCIL_ABI;
    s->size = sizeof *s;
    s->name = "generic";
    s->summary = "a list of terms";
    s->body = body->text;
    s->reads.own_column = reads_own_column();
    s->operations = 10;
    for (int i = 0; i < 3; i++) {
        s->default_size[i] = 1;
        s->default_block[i] = 2 * s->radius[i] + 1;
    }
    s->set_coefficients = set_coefficients;
    s->fill = fill;
    s->fills_parts = true;
    s->reference = reference;
}
