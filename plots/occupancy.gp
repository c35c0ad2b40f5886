# SPDX-License-Identifier: GPL-3.0-or-later
#
# occupancy.gp - HotSpot over the height: resident blocks fall in steps, and time rises.

width_cm = 17
height_cm = 6.8
load plots."/style.gp"

rows_n = 1
legend_cm = 0.6
tiles = distinct("tile")
tile_rgb(n) = word("0x0072B2 0xD55E00 0x009E73", n) + 0
is(n) = strcol("tile") eq word(tiles, n)

set multiplot
set xlabel h_label
stats tsv using (column("h")) nooutput
last = STATS_max
set logscale y 2
set ylabel "blocks on a multiprocessor"
eval panel(1, "occupancy")
eval legend_at(left_cm, 0.3)
do for [n = 1:words(tiles)] {
    eval with_line(sprintf("tile %s x %s", word(tiles, n), word(tiles, n)), tile_rgb(n), 1.4, 1)
}
eval with_line("if any number of blocks fitted", grey, 1, 3)
stats tsv using (column("resident")) nooutput
plot [0.5:last + 0.5] [0.9:1.3 * STATS_max] for [n = 1:words(tiles)] tsv \
    using (only(is(n), column("h") - 0.5)):(column("resident")) with steps linecolor rgb tile_rgb(n) \
    linewidth 1.4
unset logscale
set logscale y 10
set ylabel "time per loop (ms)"
set ytics (0.05, 0.1, 0.2, 0.5, 1, 2, 5)
eval panel(2, "time")
stats tsv using (column("seconds") * 1e3) nooutput
plot [0.5:last + 0.5] [STATS_min / 1.4:STATS_max * 1.3] \
    for [n = 1:words(tiles)] tsv using (only(is(n), column("h"))):(column("seconds") * 1e3) \
        with linespoints linecolor rgb tile_rgb(n) linewidth 1.2 pointtype 7 pointsize mark(0.35), \
    for [n = 1:words(tiles)] tsv using (only(is(n), column("h"))):(column("unlimited") * 1e3) \
        with lines linecolor rgb tile_rgb(n) linewidth 1 dashtype 3
unset multiplot
