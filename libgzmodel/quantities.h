/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * quantities.h - every quantity of a device, an application and a configuration, stated once. The
 * checks, the reader and the writer of files, names, units and values, the JSON Schemas and the
 * manual's lists all come from this table.
 */
#ifndef GZ_QUANTITY_H
#define GZ_QUANTITY_H

#include "gzmodel/parameters.h"
#include "own.h"

/* Where a quantity lives, in memory and in the files. */
enum gzi_place {
    GZI_NOWHERE = 0, /* ends the table */
    GZI_DEVICE,      /* gz_device; a device file */
    GZI_APP,         /* gz_app; an application file */
    GZI_PROFILE,     /* gz_app; the "profile" of an application file */
    GZI_HALO,        /* one of gz_app's halo widths, a double */
    GZI_CONFIG       /* one of gz_config's lengths, a double */
};

/* min <= value <= max, or min < value if `above_min`; the files demand a whole number if `whole`.
 */
typedef struct gzi_range {
    double min, max;
    int above_min, whole;
} gzi_range;

typedef struct gzi_spec {
    enum gzi_place place;
    gz_param_info about;
    const char *key; /* in the files */
    size_t offset;   /* of the gz_quantity, or of the double, in its structure */
    const gzi_range *range;
    int optional;  /* may be absent */
    int dimension; /* of a length or halo width */
} gzi_spec;

/* The table, by gz_param and then GZI_P(...); in the files the quantities of a place follow each
 * other in its order. The row after the last is nowhere. */
extern const gzi_spec gzi_quantities[];

/* The number of a model's own quantity: GZI_P(COPY_ROW). */
enum { GZI_P_OWN = GZ_P_COUNT, GZI_P_END = GZI_P_OWN + GZI_GZ2_PARAMETERS };
#define GZI_P(ID) (GZI_P_OWN + GZI_GZ2_##ID)

/* Where it is stated; only the structure that it belongs to is looked at. */
static inline const gz_quantity *gzi_own(const gz_device *dev, const gz_app *app,
                                         gzi_gz2_parameter j)
{
    return j < GZI_GZ2_OF_STENCIL ? &dev->own[j] : &app->own[j - GZI_GZ2_OF_STENCIL];
}

/* The quantity of a row in its structure, which is the device for GZI_DEVICE and the application
 * for GZI_APP and GZI_PROFILE. */
static inline const gz_quantity *gzi_quantity_in(const void *owner, const gzi_spec *spec)
{
    return (const gz_quantity *)(const void *)((const char *)owner + spec->offset);
}

/* Standard deviation of a parameter, in its unit; 0 for lengths and halo widths, and for none. */
double gzi_param_sd(const gz_device *dev, const gz_app *app, int param);

/* gz_quantity_stated. */
static inline int gzi_stated(const gz_quantity *q)
{
    return q->origin != GZ_ORIGIN_NONE || q->value != 0;
}

static inline double gzi_stated_or(const gz_quantity *q, double otherwise)
{
    return gzi_stated(q) ? q->value : otherwise;
}

/* Whether a core runs a block's elements one after the other, which a device says by a warp of one
 * thread; what does not state its warp size is a GPU. */
static inline int gzi_is_cpu(const gz_device *dev)
{
    return gzi_stated(&dev->warp_size) && dev->warp_size.value <= 1;
}

/* Whether `value` is a finite number in the range; NaN is not. */
static inline int gzi_in_range(const gzi_range *range, double value)
{
    return (value > range->min || (value == range->min && !range->above_min)) &&
           value <= range->max;
}

/* The range in words, "greater than 0" say, into `text`. */
void gzi_range_text(const gzi_range *range, char *text, size_t size);

/* Largest halo width and lengths; large enough for any use, small enough for whole doubles. */
#define GZI_HALO_MAX 1e6
#define GZI_DATA_LENGTH_MAX 1e15
#define GZI_LOOPS_MAX 1e15
#define GZI_BLOCK_LEN_MAX 1e9

#endif
