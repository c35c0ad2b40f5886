# SPDX-License-Identifier: GPL-3.0-or-later
#
# deep_ghost_zones.gp - the best depth of a ghost zone and its speedup, down a V-cycle.

width_cm = 17
height_cm = 7.6
load plots."/style.gp"

rows_n = 1
legend_cm = 0.9
listed = distinct("app")
blocks = has(distinct("tile"), "block") ? listed : ""
# A place for each level, in which the smoothers stand side by side, since they would hide one another.
boxes = distinct("box")
level(b) = sum [n = 1:words(boxes)] (word(boxes, n) + 0 == b ? n : 0)
aside(a) = level(column("box")) + 0.11 * (smoother_index(a) - 3.5)
at(a, t) = only(strcol("app") eq a && strcol("tile") eq t, aside(a))

set multiplot
set xlabel "cells a side of a box, fine to coarse"
set xtics scale 0 ()
do for [n = 1:words(boxes)] { set xtics add (word(boxes, n) n) }
set grid noxtics
stats tsv using (column("h_most")) nooutput
top = 2 ** (0.35 + log(STATS_max) / log(2))
stats tsv using (column("h_most") - column("h_least")) nooutput
set logscale y 2
set ytics 1, 2
set ylabel "best depth {/:Italic h} (loops)"
eval panel(1, "best depth")
eval legend_at(left_cm, 0.3)
do for [n = 1:words(listed)] {
    a = word(listed, n)
    eval with_both(a, smoother_rgb(a), 1.2, 1, smoother_filled(a), 0.8)
}
legend_x = left_cm
legend_y = 0.75
eval with_line("a box is the tile", grey, 1.2, 1)
eval with_line("thread blocks are the tiles", grey, 1.2, 2)
if (STATS_max > 0) { eval line_item("", grey, 0.8, 1).item_text("bars: deviation of instructions") }
plot [0.5:words(boxes) + 0.5] [0.85:top] \
    for [a in listed] tsv using (at(a, "box")):(column("h")):(column("h_least")):(column("h_most")) \
        with yerrorbars linecolor rgb tint(smoother_rgb(a), 0.45) linewidth 0.8 pointtype -1, \
    for [a in listed] tsv using (at(a, "box")):(column("h")) \
        with linespoints linecolor rgb smoother_rgb(a) linewidth 1.2 \
        pointtype smoother_filled(a) pointsize mark(0.8), \
    for [a in blocks] tsv using (at(a, "block")):(column("h")) \
        with linespoints linecolor rgb smoother_rgb(a) linewidth 1.0 dashtype 2 \
        pointtype smoother_open(a) pointsize mark(0.8)

stats tsv using (column("speedup")) nooutput
unset logscale y
set ytics autofreq
set ylabel "speedup over {/:Italic h} = 1"
eval panel(2, "speedup at the best depth")
plot [0.5:words(boxes) + 0.5] [0.9:1 + 1.12 * (STATS_max - 1) + 0.1] \
    for [a in listed] tsv using (at(a, "box")):(column("speedup")) \
        with linespoints linecolor rgb smoother_rgb(a) linewidth 1.2 \
        pointtype smoother_filled(a) pointsize mark(0.8), \
    for [a in blocks] tsv using (at(a, "block")):(column("speedup")) \
        with linespoints linecolor rgb smoother_rgb(a) linewidth 1.0 dashtype 2 \
        pointtype smoother_open(a) pointsize mark(0.8)
unset multiplot
