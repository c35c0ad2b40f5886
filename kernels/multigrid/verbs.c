/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiled once for each type: GZ_T, and GZM_TABLE, the name of its table.
 */
#include "verbs.h"

#include "operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a body reads. */
struct cell {
    const GZ_T *u, *aux, *coef; /* the state and array 0 at the cell, or where they begin */
    ptrdiff_t row, plane, stride;
    int size[3], x, y, z;
    long loop;
    bool periodic;
};

#define INLINE static inline __attribute__((always_inline))
#define COEF(k) c->coef[k]
#define CELL_X c->x
#define CELL_Y c->y
#define CELL_Z c->z
#define LOOP c->loop

/* The element at a place that may lie outside. */
static GZ_T at(const struct cell *c, const GZ_T *array, int dx, int dy, int dz)
{
    const int *size = c->size;
    int x = c->x + dx, y = c->y + dy, z = c->z + dz;
    if (c->periodic) {
        x = ((x % size[0]) + size[0]) % size[0];
        y = ((y % size[1]) + size[1]) % size[1];
        z = ((z % size[2]) + size[2]) % size[2];
    } else if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) {
        return 0;
    }
    return array[z * c->plane + y * c->row + x];
}

/* `inside`: all neighbours are, and `u` and `aux` are at the cell. */
#define AT(dx, dy, dz) (inside ? c->u[(dx) + (dy)*c->row + (dz)*c->plane] : at(c, c->u, dx, dy, dz))
#define COEF_AT(k, dx, dy, dz)                                                                     \
    (inside ? c->aux[(k)*c->stride + (dx) + (dy)*c->row + (dz)*c->plane]                           \
            : at(c, c->aux + (k)*c->stride, dx, dy, dz))

/* Rows inside the grid have a loop without conditions, but for their ends. */
INLINE void sweep_by(GZ_T (*body)(const struct cell *, bool inside), const struct gzm_grid *grid,
                     long loop, const GZ_T *from, GZ_T *restrict to)
{
    const int *size = grid->data->size, nx = size[0], r = grid->radius;
    const GZ_T *aux = grid->data->aux;
    struct cell c = {.coef = grid->data->coefficients,
                     .row = nx,
                     .plane = (ptrdiff_t)nx * size[1],
                     .stride = (ptrdiff_t)grid->data->stride,
                     .size = {nx, size[1], size[2]},
                     .loop = loop,
                     .periodic = grid->periodic};
    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++) {
            bool whole = z >= r && z < size[2] - r && y >= r && y < size[1] - r && nx > 2 * r;
            int lo = whole ? r : nx, hi = whole ? nx - r : nx;
            ptrdiff_t row = z * c.plane + y * c.row;
            struct cell e = c;
            e.u = from;
            e.aux = aux;
            e.y = y;
            e.z = z;
            for (int i = 0; i < lo + nx - hi; i++) {
                e.x = i < lo ? i : i - lo + hi;
                to[row + e.x] = body(&e, false);
            }
            for (int x = lo; x < hi; x++) {
                struct cell here = c;
                here.u = from + row + x;
                here.aux = aux + row + x;
                here.x = x;
                here.y = y;
                here.z = z;
                to[row + x] = body(&here, true);
            }
        }
}

#define SWEEP(op, verb)                                                                            \
    INLINE GZ_T op##_##verb##_body(const struct cell *c, bool inside)                              \
    {                                                                                              \
        GZM_##verb(op);                                                                            \
    }                                                                                              \
    static void op##_##verb(const struct gzm_grid *grid, long loop, const GZ_T *from, GZ_T *to)    \
    {                                                                                              \
        sweep_by(op##_##verb##_body, grid, loop, from, to);                                        \
    }
#define SWEEPS(op) GZM_EACH_VERB(SWEEP, op)
GZM_EACH_OPERATOR(SWEEPS)

static void sweep(const struct gzm_grid *grid, enum gzm_verb verb, long loop, const void *from,
                  void *to)
{
#define NAME(op, verb) [GZM_DO_##verb] = op##_##verb,
#define NAMES(op) [GZM_##op] = {GZM_EACH_VERB(NAME, op)},
    static void (*const sweeps[GZM_FORMS][GZM_VERBS])(const struct gzm_grid *, long, const GZ_T *,
                                                      GZ_T *) = {GZM_EACH_OPERATOR(NAMES)};
    sweeps[grid->form][verb](grid, loop, from, to);
}

/* The weight at a place; 0 if there is none. */
static double weight_at(const struct gzm_filter *filter, int x, int y, int z)
{
    int a = abs(x), b = abs(y), c = abs(z), most = a > b ? a : b, least = a < b ? a : b;
    int by_size[3] = {least < c ? least : c, 0, most > c ? most : c};
    by_size[1] = a + b + c - by_size[0] - by_size[2];
    for (int k = 0; k < filter->count; k++)
        if (memcmp(filter->points[k].distance, by_size, sizeof by_size) == 0)
            return filter->points[k].weight[0];
    return 0;
}

static void filter(const struct gzm_grid *grid, const struct gzm_filter *filter, const void *from,
                   void *to)
{
    const int *size = grid->data->size, r = filter->reach;
    struct cell c = {.row = size[0],
                     .plane = (ptrdiff_t)size[0] * size[1],
                     .size = {size[0], size[1], size[2]},
                     .periodic = grid->periodic};
    memset(to, 0, grid->data->cells * sizeof(GZ_T));
    for (int dz = -r; dz <= r; dz++)
        for (int dy = abs(dz) - r; dy <= r - abs(dz); dy++)
            for (int dx = abs(dz) + abs(dy) - r; dx <= r - abs(dz) - abs(dy); dx++) {
                GZ_T weight = (GZ_T)weight_at(filter, dx, dy, dz), *sum = to;
                for (c.z = 0; c.z < size[2]; c.z++)
                    for (c.y = 0; c.y < size[1]; c.y++)
                        for (c.x = 0; c.x < size[0]; c.x++)
                            *sum++ += weight * at(&c, from, dx, dy, dz);
            }
}

static void restrict_to(const struct gzm_grid *grid, const void *residual, void *coarse)
{
    const int *size = grid->data->size;
    const ptrdiff_t row = size[0], plane = row * size[1];
    GZ_T *out = coarse;
    for (int z = 0; z < size[2]; z += 2)
        for (int y = 0; y < size[1]; y += 2) {
            const GZ_T *a = (const GZ_T *)residual + z * plane + y * row;
            for (int x = 0; x < size[0] / 2; x++)
                *out++ = GZM_RESTRICT(a, a + row, a + plane, a + plane + row, 2 * x);
        }
}

/* A coarse level's array. */
struct coarse {
    const GZ_T *array, *coef;
    int size[3];
};

/* Its element (x, y, z), of which each may be one outside. */
static GZ_T coarse_at(const struct coarse *c, int x, int y, int z)
{
    const GZ_T outside = COEF(GZM_OUTSIDE);
    int place[3] = {x, y, z};
    GZ_T factor = 1;
    for (int i = 0; i < 3; i++)
        if (place[i] < 0 || place[i] >= c->size[i]) {
            bool below = place[i] < 0;
            place[i] = below == (outside == 0) ? c->size[i] - 1 : 0;
            factor *= outside == 0 ? 1 : outside;
        }
    return factor * c->array[((ptrdiff_t)place[2] * c->size[1] + place[1]) * c->size[0] + place[0]];
}

/* Between rows (y1, z1), which is nearest, (y1, z2), (y2, z1) and (y2, z2). */
static GZ_T between(const struct coarse *c, int x, int y1, int y2, int z1, int z2)
{
    return GZM_BETWEEN(coarse_at(c, x, y1, z1), coarse_at(c, x, y1, z2), coarse_at(c, x, y2, z1),
                       coarse_at(c, x, y2, z2));
}

static void prolong(const struct gzm_grid *grid, const void *from, void *state)
{
    const struct gzk_data *data = grid->data;
    const struct coarse of = {from,
                              data->coefficients,
                              {data->size[0] / 2, data->size[1] / 2, data->size[2] / 2}},
                        *c = &of; /* for COEF */
    GZ_T *u = state;
    for (int z = 0; z < data->size[2]; z++)
        for (int y = 0; y < data->size[1]; y++) {
            int y1 = y / 2, z1 = z / 2, y2 = y1 + 2 * (y % 2) - 1, z2 = z1 + 2 * (z % 2) - 1;
            GZ_T before = between(c, -1, y1, y2, z1, z2), here = between(c, 0, y1, y2, z1, z2);
            for (int x = 0; x < c->size[0]; x++) {
                GZ_T after = between(c, x + 1, y1, y2, z1, z2);
                *u++ += GZM_MIX(here, before);
                *u++ += GZM_MIX(here, after);
                before = here;
                here = after;
            }
        }
}

static double norm(const void *array, size_t count)
{
    const GZ_T *r = array;
    GZ_T most = 0;
    for (size_t i = 0; i < count; i++)
        most = GZM_LARGER(most, r[i] < 0 ? -r[i] : r[i]);
    return (double)most;
}

static double dot(const GZ_T *a, const GZ_T *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)a[i] * (double)b[i];
    return sum;
}

static void centre(void *array, size_t count)
{
    GZ_T *v = array;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)v[i];
    for (size_t i = 0; i < count; i++)
        v[i] -= (GZ_T)(sum / (double)count);
}

/* Conjugate gradients, to a share of the residual that no cycle's factor comes near [Hestenes and
 * Stiefel 1952]. */
static void solve(const struct gzm_grid *grid, bool singular, void *state, void *work)
{
    enum { MOST_STEPS = 2000 };
    const double enough = 1e-3;
    size_t count = grid->data->cells;
    GZ_T *u = state, *r = work, *p = r + count, *q = p + count;

    sweep(grid, GZM_DO_RESIDUAL, 0, u, r);
    if (singular)
        centre(r, count);
    memcpy(p, r, count * sizeof *p);
    double rr = dot(r, r, count), aim = enough * enough * rr;
    for (int k = 0; k < MOST_STEPS && rr > aim; k++) {
        sweep(grid, GZM_DO_APPLY, 0, p, q);
        double curvature = dot(p, q, count);
        if (!(curvature > 0))
            break;
        GZ_T step = (GZ_T)(rr / curvature);
        for (size_t i = 0; i < count; i++) {
            u[i] += step * p[i];
            r[i] -= step * q[i];
        }
        double next = dot(r, r, count);
        GZ_T turn = (GZ_T)(next / rr);
        for (size_t i = 0; i < count; i++)
            p[i] = r[i] + turn * p[i];
        rr = next;
    }
    if (singular)
        centre(u, count);
}

const struct gzm_verbs GZM_TABLE = {.sweep = sweep,
                                    .filter = filter,
                                    .restrict_to = restrict_to,
                                    .prolong = prolong,
                                    .norm = norm,
                                    .solve = solve,
                                    .centre = centre};
