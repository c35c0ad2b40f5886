/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * useful_share.c - how much of a tile is committed, over the height: a trapezoid that is a cube,
 * and streamed tiles, with rings of planes in local memory or with columns in registers, in what a
 * multiprocessor of today's GPUs has.
 */
#include "study.h"
#include "tile_share.h"

#include <stdbool.h>

const char *const study_own = gzs_useful_share_txt;

/* Of a block of the H100 and H200, which has all registers; a quarter of these is for addresses and
 * what is being computed, which is an assumption. */
static const double local_bytes = 227 * 1024, register_bytes = 0.75 * 256 * 1024;
static const double element_bytes = 8, piece = 128;
enum { RADII = 2, HEIGHTS = 32 };

void study_rows(study *s)
{
    static const struct {
        const char *name;
        gz_variant variant;
        bool in_registers;
    } forms[] = {{"trapezoid", GZ_VARIANT_TRAPEZOID, false},
                 {"stream", GZ_VARIANT_STREAM, false},
                 {"columns", GZ_VARIANT_STREAM, true}};
    enum { FORMS = sizeof forms / sizeof *forms };
    study_note(s, "of geometry alone: the same for every device");
    for (int dim = 2; dim <= GZ_MAX_DIM; dim++)
        for (int radius = 1; radius <= RADII; radius++)
            for (int v = 0; v < FORMS; v++)
                for (int h = 1; h <= HEIGHTS; h++) {
                    tile_share share;
                    tile_case one = {.variant = forms[v].variant,
                                     .dim = dim,
                                     .radius = radius,
                                     .height = h,
                                     .piece = piece,
                                     .local_bytes = local_bytes,
                                     .register_bytes = forms[v].in_registers ? register_bytes : 0,
                                     .element_bytes = element_bytes};
                    if (tile_share_of(&one, &share))
                        study_row(
                            s, STUDY_TEXT(forms[v].name),
                            STUDY_NUMBERS(dim, radius, h, share.side, share.useful, share.work));
                }
}
