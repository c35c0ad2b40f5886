/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table.h - the table of what a device really took: one row a configuration, and in its `#`
 * lines everything that is needed to judge the model on it without the device, or to run it again.
 *
 *     # measured: 3              the format
 *     # rows: N of 12 columns     how many follow: a table that was cut is refused
 *     # partial: N of M points    if not all points of the sweep have been measured
 *     # KEY: TEXT                 device, driver, clocks, date, command, seed, loops, ...
 *     # tiles: committed          if tiles go by what they commit, whatever the height
 *     # threads: 1x32             of every tile, where they are not one a cell
 *     # threads 32x32: 32x8       of the tiles of these lengths
 *     # device file: {...}        the device's quantities, a whole device file in one line
 *     # app NAME: {...}           those of an application, one line each
 *     # column NAME: UNIT, MEANING
 *     app  sync  size  block  kind  quality  h  loops  runs  seconds  spread  tries
 *
 * Kinds of rows: "sweep", the comparison itself, of trapezoids; "stream" and "naive", the same of
 * streamed tiles and of blocks without local memory; "sync", kernels that are as good as empty, for
 * the synchronisation alone; in tables of before December 2026 also "from_model" and "from_one", a
 * run under adaptive selection that started at the model's height and at 1.
 */
#ifndef GZ_TABLE_H
#define GZ_TABLE_H

#include "gzmodel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MEASURED_MAX_APPS = 32, MEASURED_NAME_SIZE = 32, MEASURED_MAX_TRIES = 16 };

/* The format. */
#define MEASURED_FORMAT "3"

typedef enum measured_kind {
    MEASURED_SWEEP,
    MEASURED_SYNC,
    MEASURED_FROM_MODEL,
    MEASURED_FROM_ONE,
    MEASURED_STREAM,
    MEASURED_NAIVE,
    MEASURED_KINDS
} measured_kind;

/* How sure a point is. */
typedef enum measured_quality {
    MEASURED_QUIET, /* the interquartile range of its runs is under MEASURED_LIMIT of the median */
    MEASURED_AVERAGED, /* it is not, but the median's standard error is */
    MEASURED_NOISY,    /* neither: kept out of the verdict */
    MEASURED_QUALITIES
} measured_quality;

#define MEASURED_LIMIT 0.02

/* The variant of a row's tiles, which its configuration names too; whether it is a point of the
 * comparison; and whether it is a run under adaptive selection, of no height in particular. */
static inline gz_variant measured_variant(measured_kind kind)
{
    return kind == MEASURED_STREAM  ? GZ_VARIANT_STREAM
           : kind == MEASURED_NAIVE ? GZ_VARIANT_NAIVE
                                    : GZ_VARIANT_TRAPEZOID;
}
static inline int measured_is_point(measured_kind kind)
{
    return kind == MEASURED_SWEEP || kind == MEASURED_STREAM || kind == MEASURED_NAIVE;
}
static inline int measured_is_adaptive(measured_kind kind)
{
    return kind == MEASURED_FROM_MODEL || kind == MEASURED_FROM_ONE;
}

/* A streamed tile's piece along the last dimension, from its block, ghost zone included. */
static inline double measured_piece(const gz_app *app, const gz_config *cfg, int height)
{
    return cfg->block_len[app->dim - 1] - app->halo_width[app->dim - 1] * height;
}

typedef struct measured_row {
    int app; /* index in the table */
    measured_kind kind;
    gz_config cfg; /* beyond is set: what was measured is judged, whatever the limit on threads */
    double tile[GZ_MAX_DIM]; /* what tells tiles apart: the block's lengths, or those committed */
    measured_quality quality;
    int height;     /* loops; of an adaptive run, that of its last whole stage */
    long loops;     /* of one run */
    int runs;       /* of all tries */
    double seconds; /* per loop, s: the lower quartile of the tries' medians (cli_tried) */
    double spread;  /* interquartile range over median of a try's runs, mean of the tries, 1 */
    int tries;      /* in processes of their own, spread in time */
    double each[MEASURED_MAX_TRIES]; /* the tries' medians in the order of their measurement, s */
} measured_row;

typedef struct measured_app {
    char name[MEASURED_NAME_SIZE]; /* as in the rows: the stencil's */
    gz_app app;
} measured_app;

typedef struct measured {
    gz_device device;
    int n_apps;
    measured_app apps[MEASURED_MAX_APPS];
    measured_row *rows;
    size_t n_rows;
    char *about; /* the `#` lines of KEY: TEXT as they stand, each with its end of line */
} measured;

/* Reads a table, strictly: it has as many rows and columns as it states, each configuration once,
 * each quality that of its spread and runs, the model is defined for every row. If it cannot be
 * read or is not sound, `error` says what, where and what would be right; returns GZ_OK, GZ_EIO,
 * GZ_EFORMAT or GZ_ENOMEM. Ended by measured_free, which is harmless on a zeroed structure. */
gz_status measured_read(const char *path, measured *table, gz_error *error);
/* The same from a text of `size` bytes, ended by a zero; messages call it `label`. */
gz_status measured_parse(const char *text, size_t size, const char *label, measured *table,
                         gz_error *error);
void measured_free(measured *table);

/* Whether two rows of one application, of so many dimensions, are the same configuration. */
bool measured_same_place(const measured_row *a, const measured_row *b, int dim);

/* Adds a try to a row: its median time per loop, the spread and the number of its runs. False if
 * there is no room for one more. */
int measured_add_try(measured_row *row, double seconds, double spread, int runs);

/* Relative standard deviation of a row's time, from the scatter between its tries
 * (cli_tried_scatter). NaN for fewer than two. */
double measured_scatter(const measured_row *row);

/* The lines that state how many rows follow and declare the columns, and the header row; one row.
 */
void measured_write_columns(size_t rows, FILE *to);
void measured_write_row(const measured_row *row, const char *app, int dim, FILE *to);

measured_quality measured_quality_of(double spread, int runs);

#endif
