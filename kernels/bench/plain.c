/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain - see plain.h. A row's ends are apart, so that the loop between them has no branch; rows
 * are restrict-qualified; blocks of rows keep the planes that are read in the cache while a thread
 * walks along the slowest dimension.
 */
#include "plain.h"
#include "lines.h"

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_max_threads() 1
#endif

/* A thread takes a part of the planes at a time, in two dimensions some rows; each has several such
 * parts to take, so that none waits for long. */
enum { MAX_ROW_BYTES = 1 << 16, PARTS_PER_THREAD = 4, MOST_ROWS = 64 };

static int parts_of(int extent)
{
    int parts = PARTS_PER_THREAD * omp_get_max_threads();
    return parts < extent ? parts : extent;
}

/* --------------------------------------------------------------------------- three dimensions */

/* The rows around a cell's, by dz + 2 and dy + 2; of coefficient array k, by dz and dy. */
struct rows {
    const double *at[5][5];
    const double *coef[3][2][2];
    int parity; /* of y + z + loop */
};

/* A cell's columns: itself, one and two to the west and to the east. */
struct columns {
    int x, w, e, ww, ee;
};

#define AT(column, dy, dz) r->at[(dz) + 2][(dy) + 2][c.column]
#define COEF_AT(i, column, dy, dz) r->coef[i][dz][dy][c.column]

INLINE double star7(const struct rows *r, const double *k, struct columns c)
{
    return k[0] * AT(x, 0, 0) + k[1] * (AT(w, 0, 0) + AT(e, 0, 0) + AT(x, -1, 0) + AT(x, 1, 0) +
                                        AT(x, 0, -1) + AT(x, 0, 1));
}

INLINE double star13(const struct rows *r, const double *k, struct columns c)
{
    double one =
        AT(w, 0, 0) + AT(e, 0, 0) + AT(x, -1, 0) + AT(x, 1, 0) + AT(x, 0, -1) + AT(x, 0, 1);
    double two =
        AT(ww, 0, 0) + AT(ee, 0, 0) + AT(x, -2, 0) + AT(x, 2, 0) + AT(x, 0, -2) + AT(x, 0, 2);
    return k[0] * AT(x, 0, 0) + k[1] * one + k[2] * two;
}

#define ENDS(dy, dz) (AT(w, dy, dz) + AT(e, dy, dz))
INLINE double box27(const struct rows *r, const double *k, struct columns c)
{
    double faces = ENDS(0, 0) + AT(x, -1, 0) + AT(x, 1, 0) + AT(x, 0, -1) + AT(x, 0, 1);
    double edges = ENDS(-1, 0) + ENDS(1, 0) + ENDS(0, -1) + ENDS(0, 1) + AT(x, -1, -1) +
                   AT(x, 1, -1) + AT(x, -1, 1) + AT(x, 1, 1);
    double corners = ENDS(-1, -1) + ENDS(1, -1) + ENDS(-1, 1) + ENDS(1, 1);
    return k[0] * AT(x, 0, 0) + k[1] * faces + k[2] * edges + k[3] * corners;
}

INLINE double star7vc(const struct rows *r, const double *k, struct columns c)
{
    double here = AT(x, 0, 0);
    (void)k;
    return COEF_AT(0, e, 0, 0) * (AT(e, 0, 0) - here) - COEF_AT(0, x, 0, 0) * (here - AT(w, 0, 0)) +
           COEF_AT(1, x, 1, 0) * (AT(x, 1, 0) - here) -
           COEF_AT(1, x, 0, 0) * (here - AT(x, -1, 0)) +
           COEF_AT(2, x, 0, 1) * (AT(x, 0, 1) - here) - COEF_AT(2, x, 0, 0) * (here - AT(x, 0, -1));
}

INLINE double gsrb(const struct rows *r, const double *k, struct columns c)
{
    double value = star7vc(r, k, c), here = AT(x, 0, 0);
    return (c.x + r->parity) % 2 != 0 ? here : value;
}

static int wrapped(int i, int n)
{
    return i < 0 ? i + n : i >= n ? i - n : i;
}

/* A cell's columns at the ends of a row of `n` periodic cells. */
INLINE struct columns columns_at(int x, int n)
{
    return (struct columns){x, wrapped(x - 1, n), wrapped(x + 1, n), wrapped(x - 2, n),
                            wrapped(x + 2, n)};
}

/* Functions that compute a row of `n` periodic cells, n at least twice the radius; not inlined, so
 * that the compiler sees what restrict promises. */
#define ROW_3D(name, radius)                                                                       \
    static __attribute__((noinline)) void row_##name(                                              \
        double *restrict out, const struct rows *restrict rows, const double *restrict k, int n)   \
    {                                                                                              \
        const struct rows copy = *rows, *r = &copy;                                                \
        for (int x = 0; x < radius; x++)                                                           \
            out[x] = name(r, k, columns_at(x, n));                                                 \
        _Pragma("omp simd") for (int x = radius; x < n - radius; x++) out[x] =                     \
            name(r, k, (struct columns){x, x - 1, x + 1, x - 2, x + 2});                           \
        for (int x = 0; x < radius; x++)                                                           \
            out[n - 1 - x] = name(r, k, columns_at(n - 1 - x, n));                                 \
    }

typedef void row_function_3d(double *restrict out, const struct rows *restrict rows,
                             const double *restrict k, int n);

/* The rows around row (y, z) that a stencil of this radius reads, and those of its coefficients. */
INLINE void rows_around(const struct gzk_data *data, const double *from, int radius, bool coefs,
                        int y, int z, long loop, struct rows *r)
{
    int nx = data->size[0], ny = data->size[1], nz = data->size[2];
    const double *aux = data->aux;
    size_t lines[5] = {0};

    for (int dy = -radius; dy <= radius; dy++)
        lines[dy + 2] = (size_t)wrapped(y + dy, ny) * (size_t)nx;
    for (int dz = -radius; dz <= radius; dz++) {
        size_t plane = (size_t)wrapped(z + dz, nz) * (size_t)ny * (size_t)nx;
        for (int dy = -radius; dy <= radius; dy++)
            r->at[dz + 2][dy + 2] = from + plane + lines[dy + 2];
        for (int dy = 0; dy < 2 && coefs && dz >= 0 && dz < 2; dy++)
            for (int i = 0; i < 3; i++)
                r->coef[i][dz][dy] = aux + (size_t)i * data->stride + plane + lines[dy + 2];
    }
    r->parity = (int)((y + z + loop) % 2);
}

INLINE void sweep_3d(row_function_3d *row, int radius, bool coefs, const struct gzk_data *data,
                     long loop, const void *from, void *to, struct plain_shape shape)
{
    int nx = data->size[0], ny = data->size[1], nz = data->size[2];
    size_t row_bytes = (size_t)nx * sizeof(double);
    int parts = parts_of(nz);
    double k[GZK_MAX_COEFFICIENTS];

    memcpy(k, data->coefficients, sizeof k);
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int part = 0; part < parts; part++)
        for (int first = 0; first < ny; first += shape.rows) {
            _Alignas(LINE) double buffer[MAX_ROW_BYTES / sizeof(double)];
            struct rows r = {0};
            for (int z = part * nz / parts; z < (part + 1) * nz / parts; z++)
                for (int y = first; y < first + shape.rows && y < ny; y++) {
                    double *out = (double *)to + ((size_t)z * (size_t)ny + (size_t)y) * (size_t)nx;
                    rows_around(data, from, radius, coefs, y, z, loop, &r);
                    row(shape.bypass ? buffer : out, &r, k, nx);
                    if (shape.bypass)
                        store_row((char *)out, (const char *)buffer, row_bytes);
                }
        }
}

#define LOOP_3D(name, radius, coefs)                                                               \
    ROW_3D(name, radius)                                                                           \
    static void run_##name(const struct gzk_data *data, long loop, const void *from, void *to,     \
                           struct plain_shape shape)                                               \
    {                                                                                              \
        sweep_3d(row_##name, radius, coefs, data, loop, from, to, shape);                          \
    }
LOOP_3D(star7, 1, false)
LOOP_3D(star13, 2, false)
LOOP_3D(box27, 1, false)
LOOP_3D(star7vc, 1, true)
LOOP_3D(gsrb, 1, true)

/* ----------------------------------------------------------------------------- two dimensions */

struct flat_rows {
    const float *north, *here, *south, *power;
};

INLINE float hotspot(const struct flat_rows *r, const float *k, int x, int west, int east)
{
    float t = r->here[x];
    float flow = r->power[x] + (r->south[x] + r->north[x] - 2 * t) * k[2] +
                 (r->here[east] + r->here[west] - 2 * t) * k[1] + (k[4] - t) * k[3];
    return t + k[0] * flow;
}

INLINE float poisson(const struct flat_rows *r, const float *k, int x, int west, int east)
{
    return (r->north[x] + r->south[x] + r->here[west] + r->here[east] + k[0]) * k[1];
}

#define ROW_2D(name)                                                                               \
    static __attribute__((noinline)) void row_##name(float *restrict out,                          \
                                                     const struct flat_rows *restrict rows,        \
                                                     const float *restrict k, int n)               \
    {                                                                                              \
        const struct flat_rows copy = *rows, *r = &copy;                                           \
        out[0] = name(r, k, 0, 0, n > 1 ? 1 : 0);                                                  \
        _Pragma("omp simd") for (int x = 1; x < n - 1; x++) out[x] = name(r, k, x, x - 1, x + 1);  \
        if (n > 1)                                                                                 \
            out[n - 1] = name(r, k, n - 1, n - 2, n - 1);                                          \
    }

typedef void row_function_2d(float *restrict out, const struct flat_rows *restrict rows,
                             const float *restrict k, int n);

static void sweep_2d(row_function_2d *row_of, const struct gzk_data *data, const void *from,
                     void *to, struct plain_shape shape)
{
    int nx = data->size[0], ny = data->size[1];
    int rows = (ny - 1) / parts_of(ny) + 1;
    float k[GZK_MAX_COEFFICIENTS];

    memcpy(k, data->coefficients, sizeof k);
#pragma omp parallel for schedule(dynamic, rows < MOST_ROWS ? rows : MOST_ROWS)
    for (int y = 0; y < ny; y++) {
        _Alignas(LINE) float buffer[MAX_ROW_BYTES / sizeof(float)];
        size_t row = (size_t)y * (size_t)nx;
        const float *here = (const float *)from + row;
        struct flat_rows r = {.north = y > 0 ? here - nx : here,
                              .here = here,
                              .south = y < ny - 1 ? here + nx : here,
                              .power = (const float *)data->aux + row};
        float *out = (float *)to + row;
        row_of(shape.bypass ? buffer : out, &r, k, nx);
        if (shape.bypass)
            store_row((char *)out, (const char *)buffer, (size_t)nx * sizeof(float));
    }
}

#define LOOP_2D(name)                                                                              \
    ROW_2D(name)                                                                                   \
    static void run_##name(const struct gzk_data *data, long loop, const void *from, void *to,     \
                           struct plain_shape shape)                                               \
    {                                                                                              \
        (void)loop;                                                                                \
        sweep_2d(row_##name, data, from, to, shape);                                               \
    }
LOOP_2D(hotspot)
LOOP_2D(poisson)

const struct plain_loop PLAIN_LOOPS[] = {
    {"star7", run_star7},     {"star13", run_star13}, {"box27", run_box27},
    {"star7vc", run_star7vc}, {"gsrb", run_gsrb},     {"hotspot", run_hotspot},
    {"poisson", run_poisson}, {NULL, NULL},
};
