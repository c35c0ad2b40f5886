/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compiled once for each type: GZ_T, and GZM_TABLE, the name of its table.
 */
#include "verbs.h"

#include "operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FAR = 2 }; /* elements to the farthest neighbour of any operator along an axis */

/* A row of a grid, and what its bodies read: rows of the state and of array 1 by their distances
 * along z and y, the row of array 0. */
struct row {
    const GZ_T *u[2 * FAR + 1][2 * FAR + 1], *beta[3][3], *f;
    GZ_T coef[GZM_COEFS]; /* a copy, which no result overlaps */
    int count, y, z;
    long loop;
    bool periodic;
};

#define INLINE static inline __attribute__((always_inline))
#define COEF(k) row->coef[k]
#define CELL_X x
#define CELL_Y row->y
#define CELL_Z row->z
#define LOOP row->loop

static int around(int x, int count)
{
    return x >= 0 && x < count ? x : (x % count + count) % count;
}

/* Row (y, z) of an array, which may lie outside. */
static const GZ_T *row_of(const struct gzm_grid *grid, const GZ_T *array, int y, int z)
{
    const int *size = grid->data->size;
    if (!grid->periodic && (y < 0 || y >= size[1] || z < 0 || z >= size[2]))
        return grid->zeros;
    return array + ((ptrdiff_t)around(z, size[2]) * size[1] + around(y, size[1])) * size[0];
}

/* Element x of a row, which may lie outside. */
INLINE GZ_T element(const struct row *row, const GZ_T *elements, int x)
{
    if (!row->periodic && (x < 0 || x >= row->count))
        return 0;
    return elements[around(x, row->count)];
}

/* `inside`: so are all neighbours along x. */
#define NEAR(elements, dx) (inside ? (elements)[x + (dx)] : element(row, elements, x + (dx)))
#define AT(dx, dy, dz) NEAR(row->u[FAR + (dz)][FAR + (dy)], dx)
#define COEF_AT(k, dx, dy, dz) NEAR((k) == 0 ? row->f : row->beta[1 + (dz)][1 + (dy)], dx)

static void rows_around(struct row *row, const struct gzm_grid *grid, const GZ_T *u)
{
    const GZ_T *f = grid->data->aux, *beta = f + grid->data->stride;
    const int r = grid->radius;
    bool variable = grid->form == GZM_STAR7VC || grid->form == GZM_STAR7VC_WALLS;

    row->f = row_of(grid, f, row->y, row->z);
    for (int dz = -r; dz <= r; dz++)
        for (int dy = -r; dy <= r; dy++) {
            row->u[FAR + dz][FAR + dy] = row_of(grid, u, row->y + dy, row->z + dz);
            if (variable)
                row->beta[1 + dz][1 + dy] = row_of(grid, beta, row->y + dy, row->z + dz);
        }
}

INLINE void sweep_by(GZ_T (*body)(const struct row *, int x, bool inside),
                     const struct gzm_grid *grid, long loop, const GZ_T *from, GZ_T *restrict to)
{
    const int *size = grid->data->size, count = size[0], r = grid->radius;
    const int lo = count > 2 * r ? r : count, hi = count - lo;
    struct row row = {.count = count, .loop = loop, .periodic = grid->periodic};
    memcpy(row.coef, grid->data->coefficients, sizeof row.coef);
    for (row.z = 0; row.z < size[2]; row.z++)
        for (row.y = 0; row.y < size[1]; row.y++, to += count) {
            rows_around(&row, grid, from);
            for (int x = 0; x < lo; x++)
                to[x] = body(&row, x, false);
            for (int x = lo; x < hi; x++)
                to[x] = body(&row, x, true);
            for (int x = hi > lo ? hi : lo; x < count; x++)
                to[x] = body(&row, x, false);
        }
}

#define SWEEP(op, verb)                                                                            \
    INLINE GZ_T op##_##verb##_body(const struct row *row, int x, bool inside)                      \
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
    struct row row = {.count = size[0], .periodic = grid->periodic};
    memset(to, 0, grid->data->cells * sizeof(GZ_T));
    for (int dz = -r; dz <= r; dz++)
        for (int dy = abs(dz) - r; dy <= r - abs(dz); dy++)
            for (int dx = abs(dz) + abs(dy) - r; dx <= r - abs(dz) - abs(dy); dx++) {
                GZ_T weight = (GZ_T)weight_at(filter, dx, dy, dz), *sum = to;
                for (int z = 0; z < size[2]; z++)
                    for (int y = 0; y < size[1]; y++) {
                        const GZ_T *elements = row_of(grid, from, y + dy, z + dz);
                        for (int x = 0; x < size[0]; x++)
                            *sum++ += weight * element(&row, elements, x + dx);
                    }
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

#define GZ_INLINE static inline
#define GZ_GLOBAL
#define GZ_LOCAL
#define GZ_RESTRICT restrict

GZ_INLINE int gz_min(int a, int b)
{
    return a < b ? a : b;
}

GZ_INLINE int gz_max(int a, int b)
{
    return a > b ? a : b;
}

#include "coarse.knl"

static void prolong(const struct gzm_grid *grid, const void *coarse, void *state)
{
    enum { BLOCK = 64 };
    const int *size = grid->data->size, cx = size[0] / 2;
    const GZ_T *coef = grid->data->coefficients;
    GZ_T *u = state;
    for (int z = 0; z < size[2]; z++)
        for (int y = 0; y < size[1]; y++)
            for (int first = 0; first < cx; first += BLOCK) {
                GZ_T row[BLOCK + 2], *between = row + 1;
                int count = gz_min(BLOCK, cx - first);
                gz_between_rows(coarse, row, first - 1, first + count + 1, cx, size[1] / 2,
                                size[2] / 2, y, z, coef[GZM_OUTSIDE], 0, 1);
                for (int x = 0; x < count; x++) {
                    *u++ += GZM_MIX(between[x], between[x - 1]);
                    *u++ += GZM_MIX(between[x], between[x + 1]);
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
