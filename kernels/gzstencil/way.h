/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * way.h - whether a run goes to the device or stays with the original loops: whichever was faster,
 * of whole calls with all that they copy, for the same stencil, grid and number of loops up to the
 * next power of two. A way that was not timed is tried within a run, by its first few loops:
 * original loops first, and the device, whose loops are given up. What was measured
 * is kept on disk for later processes of the same program, as choice.h says of what was tried, once
 * it took a tenth of a second.
 */
#ifndef GZS_WAY_H
#define GZS_WAY_H

#include "known.h"

enum gzs_way { GZS_ON_DEVICE, GZS_ON_HOST, GZS_WAYS };

/* What is known of both ways, s. */
struct gzs_figures {
    double run[GZS_WAYS];   /* that this run takes; 0 if it was not measured */
    double spent[GZS_WAYS]; /* by each, since the other was last tried */
};

/* The faster way. Original loops that were not measured are tried at once, since they stop; the
 * device once they have taken as long as its first kernel, or take twice that; the slower way again
 * when what that costs is little against the time since. */
enum gzs_way gzs_way_of(const struct gzs_figures *figures);

/* The way of a run of `loops` loops over a grid, as GZ_ORIGINAL says or as is known; and why, in
 * words, with the figures if GZ_REPORT is 1. `measured`: gzs_way_took is to be called.
 * The way is tried against the figures, for the loops that are expected. */
struct gzs_chosen {
    enum gzs_way way;
    bool measured;
    struct gzs_figures figures;
    double loops;
    char why[160];
};
void gzs_way_choose(const struct gzs_known *known, const int size[3], long loops,
                    struct gzs_chosen *chosen);

/* Tells how long such a run took. */
void gzs_way_took(const struct gzs_known *known, const int size[3], long loops, enum gzs_way way,
                  double seconds);

/* Whether the way goes on after `done` loops, of which the last ones took `loop_s` each: unless the
 * other way is faster by more than a tenth or, if the device was not measured, unless what is left
 * takes twice as long as its first kernel or, of loops that data end, what has run took 0.24 s. */
bool gzs_way_goes(const struct gzs_known *known, const struct gzs_chosen *chosen, double done,
                  double loop_s);

/* Tells how long a loop of the first few took, of a run that was given up for the other way, which
 * does all but `done`. */
void gzs_way_tried(const struct gzs_known *known, const int size[3], long loops, enum gzs_way way,
                   long done, double loop_s);

/* Tells after how many loops the data ended a run; and how many those of the last one were, 0 if
 * that is not known. */
void gzs_way_ended(const struct gzs_known *known, const int size[3], long loops);
long gzs_way_loops(const struct gzs_known *known, const int size[3]);

#endif
