/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gz2_terms.h - what the exact model and its relaxation share: terms and their norm.
 */
#ifndef GZI_GZ2_TERMS_H
#define GZI_GZ2_TERMS_H

#include "gz2.h"

/* u = || v[LATENCY..CACHED] ||_p + v[MEMORY]; what it changes by with each term and with p. */
typedef struct gzi_gz2_norm {
    double value;
    double by[GZI_GZ2_TERMS]; /* SYNC: 0 */
    double by_p;
} gzi_gz2_norm;

/* The value alone. */
double gzi_gz2_norm_value(const double term[GZI_GZ2_TERMS], double p);

void gzi_gz2_norm_make(const double term[GZI_GZ2_TERMS], double p, gzi_gz2_norm *out);

/* a(Z) = 1 / (1 + (C / Z)^m), the share of traffic that leaves the last cache, and its derivatives.
 */
typedef struct gzi_gz2_level {
    double value, by_bytes, by_cache;
} gzi_gz2_level;

gzi_gz2_level gzi_gz2_level_make(double bytes, double cache, double sharpness);

/* What a CPU's prefetcher fetches ahead of a tile, of the same form: the share of the next tile's
 * rows of so many bytes, and the share that is left of it when a tile reads and writes so many
 * streams; by_cache is the derivative by that number. The product of both is fetched ahead. */
gzi_gz2_level gzi_gz2_row_ahead(double bytes);
gzi_gz2_level gzi_gz2_streams_ahead(double streams);

/* How far rows of so many bytes, which begin so many bytes apart, are short ones: 0 to 1; by_cache
 * is the derivative by the row's bytes. */
gzi_gz2_level gzi_gz2_row_short(double bytes, double apart);

/* Bytes from one row of the grid to the next; 0 in one dimension. */
double gzi_gz2_rows_apart(const gzi_gz2 *model, const gzi_gz2_config *config);

/* Clearing a row of a tile, or a cell, over copying it: it is stored, but not loaded. */
#define GZI_GZ2_CLEARING 0.5

/* Words of 4 bytes of an element: rows are copied as vectors of bytes. */
double gzi_gz2_words(const gzi_gz2_stencil *stencil);

/* The share of a run's stages of `height` loops that another one comes before: 1 - h / loops. */
double gzi_gz2_between(const gzi_gz2_config *config, double height);

/* Whether a group is one thread of a CPU: a core, which takes tiles that adjoin. */
int gzi_gz2_is_core(const gzi_gz2 *model, const gzi_gz2_config *config);

#endif
