# SPDX-License-Identifier: GPL-3.0-or-later
#
# deep_ghost_zones_measured.gp - the best depth of a ghost zone down a V-cycle, on a device and by
# the model, a panel per smoother.

width_cm = 17
height_cm = 10.8
load plots."/style.gp"

columns_n = 3
legend_cm = 0.6
left_cm = 1.3
right_cm = 0.25
listed = distinct("app")
as_good = 0.02
point(a, k) = strcol("app") eq a && strcol("kind") eq k
at(condition) = only(condition, column("box"))

set multiplot
set logscale x 2
set xtics (64, 32, 16, 8, 4)
set logscale y 2
set ytics 1, 2
stats tsv using (column("h")) nooutput
top = 2 ** (0.3 + log(STATS_max) / log(2))
do for [k = 1:words(smoothers)] {
    a = word(smoothers, k)
    set xlabel k > 3 ? "cells a side of a box" : ""
    set ylabel k % 3 == 1 ? "best depth {/:Italic h} (loops)" : ""
    heading = a
    if (has(listed, a)) {
        stats tsv using (only(point(a, "chosen"), 100 * column("loss"))) nooutput
        heading = sprintf("%s: %.0f %%, worst %.0f %%", \
            a, STATS_median, STATS_max)
    }
    eval panel(k, heading)
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        eval with_both("measured", grey, 1.4, 1, 7, 0.9)
        eval with_mark("within 2 % of the best", tint(grey, 0.6), 7, 0.55)
        eval with_both("chosen by the model", grey, 1.2, 2, 6, 1.3)
        legend_x = legend_x - legend_sample
        eval item_text("%: lost by that choice")
    }
    if (has(listed, a)) {
        plot [85:3] [0.85:top] \
            tsv using (at(point(a, "measured") && column("loss") <= as_good)):(column("h")) \
                with points linecolor rgb tint(smoother_rgb(a), 0.6) pointtype 7 \
                pointsize mark(0.55), \
            tsv using (at(point(a, "best"))):(column("h")) \
                with linespoints linecolor rgb smoother_rgb(a) linewidth 1.4 pointtype 7 \
                pointsize mark(0.9), \
            tsv using (at(point(a, "chosen"))):(column("h")) \
                with linespoints linecolor rgb tint(smoother_rgb(a), -0.3) linewidth 1.2 \
                dashtype 2 pointtype 6 pointsize mark(1.3)
    } else {
        @empty
    }
}
unset multiplot
