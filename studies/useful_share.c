/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * useful_share.c - how much of a tile is committed, over the height: a trapezoid that is a cube,
 * and a streamed tile, in the local memory of a block of today's GPUs.
 */
#include "study.h"
#include "tile_share.h"

static const study_spec spec = {
    .name = "useful_share",
    .what =
        "share of a tile that is committed, for trapezoids and streamed tiles of doubles in 227 "
        "KiB",
    .source = "geometry of the tilings, Eqs. 3 and 19 for trapezoids; streamed tiles as of Nguyen "
              "et al., SC 2010",
    .columns = {{"tiling", "text", "trapezoid: a square or cube; stream: pieces of 128 planes"},
                {"D", "1", "dimensions"},
                {"radius", "elements", "radius of the stencil"},
                {"h", "loops", "height"},
                {"side", "elements", "of the largest tile that fits, ghost zone included"},
                {"useful", "1", "elements committed over elements loaded"},
                {"work", "1", "elements computed over those that are needed"}}};

/* Of a block of the H100 and H200. */
static const double local_bytes = 227 * 1024, element_bytes = 8, piece = 128;
enum { RADII = 2, HEIGHTS = 32 };

static void rows(study *s)
{
    static const gz_variant variants[] = {GZ_VARIANT_TRAPEZOID, GZ_VARIANT_STREAM};
    study_note(s, "of geometry alone: the same for every device");
    for (int dim = 2; dim <= GZ_MAX_DIM; dim++)
        for (int radius = 1; radius <= RADII; radius++)
            for (int v = 0; v < 2; v++)
                for (int h = 1; h <= HEIGHTS; h++) {
                    tile_share share;
                    tile_case one = {.variant = variants[v],
                                     .dim = dim,
                                     .radius = radius,
                                     .height = h,
                                     .piece = piece,
                                     .local_bytes = local_bytes,
                                     .element_bytes = element_bytes};
                    if (tile_share_of(&one, &share))
                        study_row(
                            s, STUDY_TEXT(gz_variant_name(variants[v])),
                            STUDY_NUMBERS(dim, radius, h, share.side, share.useful, share.work));
                }
}

int main(int argc, char **argv)
{
    return study_run(argc, argv, &spec, rows);
}
