# SPDX-License-Identifier: GPL-3.0-or-later
#
# useful_share.gp - what of a tile is committed: a cube's ghost zone eats it, a streamed tile's less;
# in 256 KiB of registers there is room for about as many columns as for rings in 227 KiB. Where both
# are the same, the wider line of the rings shows on both sides of that of the registers.

width_cm = 17
height_cm = 6.6
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
tilings = "trapezoid stream columns"
title_of(t) = t eq "stream" ? "streamed, in rings" : t eq "columns" ? "streamed, in registers" : t
tiling_rgb(t) = t eq "stream" ? 0xD55E00 : t eq "columns" ? 0x009E73 : 0x0072B2
wide(t) = t eq "columns" ? 0.8 : t eq "stream" ? 2 : 1.3
size_of(t) = t eq "columns" ? 0.4 : t eq "stream" ? 0.8 : 0.65
share(t, d, r) = strcol("tiling") eq t && column("D") == d && column("radius") == r
# Marks at these heights alone: others would merge.
marked(h) = h == 1 || h == 2 || h == 4 || h == 8 || h == 16 || h == 32

set multiplot
set logscale x 2
set xlabel "height {/:Italic h} (loops)"
set ylabel "committed share of the tile (%)"
do for [k = 1:2] {
    eval panel(k, k == 1 ? "two dimensions" : "three dimensions")
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [t in tilings] { eval with_line(title_of(t), tiling_rgb(t), wide(t), 1) }
        eval with_line("radius 2", grey, 1.5, 2)
    }
    plot [1:32] [0:100] for [t in tilings] for [r = 1:2] tsv \
        using (only(share(t, k + 1, r), column("h"))):(100 * column("useful")) \
        with lines linecolor rgb tiling_rgb(t) linewidth wide(t) dashtype r, \
        for [t in tilings] for [r = 1:2] tsv \
        using (only(share(t, k + 1, r) && marked(column("h")), column("h"))):(100 * column("useful")) \
        with points linecolor rgb tiling_rgb(t) linewidth 1.2 pointtype (r == 1 ? 7 : 6) pointsize mark(size_of(t))
}
unset multiplot
