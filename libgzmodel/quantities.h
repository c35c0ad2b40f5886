/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quantities.h - every quantity of a device and of an application, stated once: its key in the
 * files, unit, range and place in its structure. Checks, file reader and parameter names share it.
 */
#ifndef GZ_QUANTITY_H
#define GZ_QUANTITY_H

#include "gzmodel.h"

typedef struct gzi_spec {
    const char *key;    /* in the files */
    const char *symbol; /* the paper's */
    const char *unit;   /* in the files */
    size_t offset;      /* of the gz_quantity in gz_device or gz_app */
    double min, max;
    int above_min; /* the range excludes its lower end */
    int whole;     /* the files demand a whole number */
    int optional;  /* may be absent */
    int param;     /* its gz_param, or -1 where it is a limit and not part of CPL */
} gzi_spec;

#define GZI_DEVICE_SPECS 14
extern const gzi_spec gzi_device_specs[GZI_DEVICE_SPECS];

/* What a device file may record beside them, for people and other programs: the model has no use
 * for it, so the reader checks it and gz_device does not hold it. */
#define GZI_DEVICE_RECORDS 12
extern const gzi_spec gzi_device_records[GZI_DEVICE_RECORDS];

/* The application's scalars: first those outside, then those inside its "profile". */
#define GZI_APP_SPECS 7
extern const gzi_spec gzi_app_specs[GZI_APP_SPECS];
#define GZI_APP_PROFILE_FROM 3

/* Largest halo width and lengths; large enough for any use, small enough for whole doubles. */
#define GZI_HALO_MAX 1e6
#define GZI_DATA_LENGTH_MAX 1e15
#define GZI_BLOCK_LEN_MAX 1e9

static inline const gz_quantity *gzi_device_quantity(const gz_device *dev, const gzi_spec *spec)
{
    return (const gz_quantity *)(const void *)((const char *)dev + spec->offset);
}

static inline const gz_quantity *gzi_app_quantity(const gz_app *app, const gzi_spec *spec)
{
    return (const gz_quantity *)(const void *)((const char *)app + spec->offset);
}

/* Whether `value` is a finite number in the range of `spec`; NaN is not. */
static inline int gzi_in_range(const gzi_spec *spec, double value)
{
    return spec->above_min ? value > spec->min && value <= spec->max
                           : value >= spec->min && value <= spec->max;
}

/* The range of `spec` in words, "greater than 0" say, into `text`. */
void gzi_range_text(const gzi_spec *spec, char *text, size_t size);

#endif
