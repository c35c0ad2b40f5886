/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * body.h - what a body means on the host: included before each, in C that differs from C where a
 * device's language may. GZ_T and GZ_LINE are the state's type and the body's number. No guard, on
 * purpose.
 */
#undef GZ_HELPERS
#undef GZ_KEPT
#ifndef GZC_BODY_H
#define GZC_BODY_H

#include "cell.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#define GZ_INLINE static inline __attribute__((unused))
#define GZ_JOIN(a, b) a##b
#define GZ_NAMED(a, b) GZ_JOIN(a, b)
#define GZ_D_fmin GZ_NAMED(d_fmin_, GZ_LINE)
#define GZ_D_fmax GZ_NAMED(d_fmax_, GZ_LINE)
#define GZ_F_fmin GZ_NAMED(f_fmin_, GZ_LINE)
#define GZ_F_fmax GZ_NAMED(f_fmax_, GZ_LINE)
#define GZ_D_std_min GZ_NAMED(d_std_min_, GZ_LINE)
#define GZ_D_std_max GZ_NAMED(d_std_max_, GZ_LINE)
#define GZ_F_std_min GZ_NAMED(f_std_min_, GZ_LINE)
#define GZ_F_std_max GZ_NAMED(f_std_max_, GZ_LINE)
#define GZ_I_std_min GZ_NAMED(i_std_min_, GZ_LINE)
#define GZ_I_std_max GZ_NAMED(i_std_max_, GZ_LINE)
#define GZ_UPDATE                                                                                  \
    static GZ_T GZ_NAMED(value_, GZ_LINE)(const struct cell *);                                    \
    void GZ_NAMED(update_, GZ_LINE)(const struct cell *c, void *to);                               \
    void GZ_NAMED(update_, GZ_LINE)(const struct cell *c, void *to)                                \
    {                                                                                              \
        GZ_T value = GZ_NAMED(value_, GZ_LINE)(c);                                                 \
        memcpy(to, &value, sizeof value);                                                          \
    }                                                                                              \
    static GZ_T GZ_NAMED(value_, GZ_LINE)(const struct cell *gz_c)

#define GZ_MEASURE                                                                                 \
    static gz_measured GZ_NAMED(far_, GZ_LINE)(const struct cell *, GZ_T);                         \
    long double GZ_NAMED(measure_, GZ_LINE)(const struct cell *c, const void *to);                 \
    long double GZ_NAMED(measure_, GZ_LINE)(const struct cell *c, const void *to)                  \
    {                                                                                              \
        return GZ_NAMED(far_, GZ_LINE)(c, *(const GZ_T *)to);                                      \
    }                                                                                              \
    static gz_measured GZ_NAMED(far_, GZ_LINE)(const struct cell *gz_c, GZ_T NEW)

/* The place of a neighbour, or -1 where every edge rule says zero. */
static inline long gz_place(const struct cell *c, int dx, int dy, int dz)
{
    int at[3] = {c->x + dx, c->y + dy, c->z + dz};
    for (int axis = 0; axis < 3; axis++) {
        int n = c->size[axis];
        if (at[axis] >= 0 && at[axis] < n)
            continue;
        if (c->edge[axis] == 0)
            at[axis] = at[axis] < 0 ? 0 : n - 1;
        else if (c->edge[axis] == 2)
            at[axis] = (at[axis] % n + n) % n;
        else
            return -1;
    }
    return ((long)at[2] * c->size[1] + at[1]) * c->size[0] + at[0];
}

#define GZ_LOAD(array, k, dx, dy, dz)                                                              \
    ({                                                                                             \
        const long gz_at = gz_place(gz_c, dx, dy, dz);                                             \
        gz_at < 0 ? (GZ_T)0 : ((const GZ_T *)(array))[(size_t)(k)*gz_c->cells + (size_t)gz_at];    \
    })
#define AT(dx, dy, dz) GZ_LOAD(gz_c->from, 0, dx, dy, dz)
#define FIELD(f, dx, dy, dz) GZ_LOAD(gz_c->from, f, dx, dy, dz)
#define THIS gz_c->field
#define OLDER (*(const GZ_T *)gz_c->older)
#define OLD AT(0, 0, 0)
#define COEF_AT(k, dx, dy, dz) GZ_LOAD(gz_c->constant, k, dx, dy, dz)
#define STEP_AT(k) GZ_LOAD(gz_c->step, gz_c->loop * gz_c->step_arrays + (k), 0, 0, 0)
#define STEP(k) ((const GZ_T *)gz_c->values)[gz_c->loop * gz_c->step_values + (k)]
#define COEF(k) ((const GZ_T *)gz_c->coefficients)[k]
#define CELL_X gz_c->x
#define CELL_Y gz_c->y
#define CELL_Z gz_c->z
#define LOOP gz_c->loop

#define GZ_AS(type, a)                                                                             \
    ({                                                                                             \
        __typeof__(a) gz_from = (a);                                                               \
        type gz_value;                                                                             \
        memcpy(&gz_value, &gz_from, sizeof gz_value);                                              \
        gz_value;                                                                                  \
    })
#define as_int(a) GZ_AS(int, a)
#define as_uint(a) GZ_AS(unsigned, a)
#define as_float(a) GZ_AS(float, a)
#define as_double(a) GZ_AS(double, a)
#define ulong unsigned long

/* The functions of a device are overloaded, but for these two as C's; abs is unsigned, and of two
 * zeros fmin and fmax return the one that C libraries do not. */
#define GZ_EXTREME(a, op, b)                                                                       \
    ({                                                                                             \
        const __typeof__((a) + (b)) gz_one = (a), gz_two = (b);                                    \
        gz_one != gz_one   ? gz_two                                                                \
        : gz_two != gz_two ? gz_one                                                                \
        : gz_one op gz_two ? gz_one                                                                \
                           : gz_two;                                                               \
    })
#undef fmin
#undef fmax
#define fmin(a, b) GZ_EXTREME(a, <=, b)
#define fmax(a, b) GZ_EXTREME(a, >=, b)
#define abs(a) ((unsigned)abs(a))
#define __OPENCL_VERSION__ 120
#endif
