/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stream_crossover.c - where streamed tiles compute less than trapezoids do: over the local memory
 * of a block, by dimension, radius and height.
 */
#include "study.h"
#include "tile_share.h"

const char *const study_own = gzs_stream_crossover_txt;

static const double element_bytes = 8, piece = 128;
/* 16 KiB to 64 MiB. */
static const double least_bytes = 16384, most_bytes = 67108864;
enum { RADII = 2, POINTS = 97 };
static const int heights[] = {2, 4, 8};

/* Both at once; zero unless both fit. */
static int both(int dim, int radius, int h, double bytes, tile_share share[2])
{
    tile_case one = {.variant = GZ_VARIANT_TRAPEZOID,
                     .dim = dim,
                     .radius = radius,
                     .height = h,
                     .piece = piece,
                     .local_bytes = bytes,
                     .element_bytes = element_bytes};
    int fits = tile_share_of(&one, &share[0]);
    one.variant = GZ_VARIANT_STREAM;
    return fits && tile_share_of(&one, &share[1]);
}

static void curve(study *s, int dim, int radius, int h)
{
    double last_gain = 0;
    for (int k = 0; k < POINTS; k++) {
        double bytes = study_geometric(least_bytes, most_bytes, k, POINTS), gain;
        tile_share share[2];
        if (!both(dim, radius, h, bytes, share))
            continue;
        gain = share[0].work / share[1].work;
        study_row(s, STUDY_TEXT("curve"),
                  STUDY_NUMBERS(dim, radius, h, bytes, share[0].work, share[1].work, gain));
        if (last_gain > 1 && gain <= 1)
            study_row(s, STUDY_TEXT("crossover"),
                      STUDY_NUMBERS(dim, radius, h, bytes, share[0].work, share[1].work, gain));
        last_gain = gain;
    }
}

void study_rows(study *s)
{
    study_note(s, "of geometry alone: the same for every device");
    for (int dim = 2; dim <= GZ_MAX_DIM; dim++)
        for (int radius = 1; radius <= RADII; radius++)
            for (size_t k = 0; k < sizeof heights / sizeof *heights; k++)
                curve(s, dim, radius, heights[k]);
}
