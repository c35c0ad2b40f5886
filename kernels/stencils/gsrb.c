/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gsrb - star7vc's operator as Gauss-Seidel red-black sweeps. [Basu's dissertation, Listing 1.2]
 *
 * One loop is one colour's sweep, red in even loops and black in odd ones, so the radius and the
 * ghost zone per loop are those of one sweep. A cell's neighbours have the other colour and do not
 * change while it does, so a sweep in place and one between two arrays give the same; the runner's
 * two arrays serve for both. Along an axis of an odd number of cells, the periodic edge makes
 * neighbours of two cells of one colour; both then see the other's old value.
 */
#include "smoother.h"

static inline double next(const struct gzk_near *near, long turn)
{
    return turn % 2 != 0 ? gzk_at(near, 0, 0, 0) : gzk_flow(near);
}

GZK_SMOOTHER(gsrb, 3, .summary = "star7vc, red and black cells in alternate loops (Gauss-Seidel)",
             .radius = {1, 1, 1}, .red_black = true, .operations = 17, .reads = {7, 3, 6, true},
             .default_block = {8, 8, 8}, .fill = gzk_flow_fill);
