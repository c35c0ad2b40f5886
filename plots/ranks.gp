# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranks.gp - a grid divided among ranks, predicted: a loop's time over the loops between exchanges, the best of
# these over ranks and grid, strong and weak scaling.

width_cm = 17
height_cm = 13
load plots."/style.gp"

top_cm = 1.25
legend_gap = 0.3
legend_sample = 0.5
is(k) = strcol("kind") eq k
extents = distinct_where("extent", "kind", "strong")
extent_rgb(n) = int(word("0x0072B2 0x56B4E9 0x009E73 0xE69F00 0xD55E00", n))
of_grid(n) = is("strong") && column("extent") == word(extents, n) + 0
box = distinct_where("box", "kind", "depth")
each = distinct_where("box", "kind", "weak")
legend_of(k) = legend_at(panel_left(k), panel_top(k) - top_cm + 0.85)
network = system(sprintf("sed -n 's/^# note: predicted for \\([^,]*\\),.*/\\1/p' '%s'", tsv))

set multiplot
set xlabel "loops between exchanges"
set ylabel "predicted time per loop (µs)"
eval panel(1, "time with ".box."^3 cells a rank, 4096 ranks")
eval legend_of(1)
eval with_line("in all", grey, 1.6, 1)
eval with_line("the box", 0x0072B2, 1.2, 1)
eval with_line("its halo", 0xD55E00, 1.2, 2)
eval with_line("exchange", 0x009E73, 1.2, 4)
stats tsv using (only(is("depth"), column("seconds") * 1e6)) nooutput
set logscale x 2
plot [1:26] [0:1.08 * STATS_max] \
    tsv using (only(is("depth"), column("depth"))):(column("seconds") * 1e6) with linespoints \
        linecolor rgb grey linewidth 1.6 pointtype 7 pointsize mark(0.3), \
    tsv using (only(is("depth"), column("depth"))):(column("useful") * 1e6) with lines \
        linecolor rgb 0x0072B2 linewidth 1.2, \
    tsv using (only(is("depth"), column("depth"))):(column("redundant") * 1e6) with lines \
        linecolor rgb 0xD55E00 linewidth 1.2 dashtype 2, \
    tsv using (only(is("depth"), column("depth"))):(column("exchange") * 1e6) with lines \
        linecolor rgb 0x009E73 linewidth 1.2 dashtype 4

set logscale x 10
set format x "10^{%T}"
set xlabel "ranks"
set ylabel "cells a side of the grid"
eval panel(2, "best number of loops between exchanges")
eval legend_of(2)
eval item_text("star7 over ".network.", predicted")
set logscale y 2
set ytics (256, 512, 1024, 2048, 4096)
set format y "%g"
plot [4:2e5] [180:6000] \
    tsv using (only(is("strong") && column("ranks") > 1, column("ranks"))):(column("extent")): \
        (sprintf("%d", column("depth"))) with labels
unset logscale y

set logscale y 10
set ytics auto
set format y "10^{%T}"
set ylabel "predicted time per loop (s)"
eval panel(3, "strong scaling, by cells a side (dotted: every loop)")
eval legend_of(3)
do for [n = 1:words(extents)] { eval with_line(word(extents, n), extent_rgb(n), 1.3, 1) }
stats tsv using (only(is("strong"), column("seconds"))) nooutput
plot [1:2e5] [0.4 * STATS_min:4 * STATS_max] \
    for [n = 1:words(extents)] tsv using (only(of_grid(n), column("ranks"))):(column("seconds")) \
        with lines linecolor rgb extent_rgb(n) linewidth 1.3, \
    for [n = 1:words(extents)] tsv using (only(of_grid(n) && column("ranks") > 1, column("ranks"))):(column("every_loop")) \
        with lines linecolor rgb extent_rgb(n) linewidth 1 dashtype 3

unset logscale y
set ytics auto
set format y "%g"
set ylabel "predicted time per loop (µs)"
eval panel(4, "weak scaling, ".word(each, 1)."^3 cells a rank")
eval legend_of(4)
eval with_mark("the best number", 0x0072B2, 7, 0.6)
eval with_mark("exchange in every loop", 0x0072B2, 6, 0.6)
stats tsv using (only(is("weak") && column("ranks") > 1, column("every_loop") * 1e6)) nooutput
plot [1:2e5] [0:1.1 * STATS_max] \
    tsv using (only(is("weak"), column("ranks"))):(column("seconds") * 1e6) \
        with points linecolor rgb 0x0072B2 pointtype 7 pointsize mark(0.6), \
    tsv using (only(is("weak") && column("ranks") > 1, column("ranks"))):(column("every_loop") * 1e6) \
        with points linecolor rgb 0x0072B2 pointtype 6 pointsize mark(0.6)
unset multiplot
