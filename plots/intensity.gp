# SPDX-License-Identifier: GPL-3.0-or-later
#
# intensity.gp - Section 6.3: the less computation per byte, the more ghost zones gain.

width_cm = 17
height_cm = 7.6
load plots."/style.gp"

rows_n = 1
legend_cm = 0
listed = distinct("app")
at(a, t, k) = strcol("app") eq a && strcol("tile") eq t && strcol("kind") eq k
families = ""
do for [a in smoothers] {
    if (has(listed, a) && has(distinct_where("kind", "app", a), "curve")) {
        families = families.(families eq "" ? "" : " ").a
    }
}
boxes = has(distinct("tile"), "box") ? smoothers : ""
title_of(a) = a eq "Star7" ? "radius 1" : a eq "Star13" ? "radius 2" : "radius 1, four arrays"

# Labels stand where the curves leave room.
ink = "#202020"
on_left = "Poisson Star7 Star13 Gsrb"
rise(a) = a eq "Box27" ? -1.1 : a eq "Box125" ? 1.0 : a eq "Cell" ? 1.1 : 0.5
shift_of(a) = has("Box27 Box125", a) ? 0.2 : 0.8
# Those of a list that have them on the right, or on the left.
right_of(list) = picked(list, 0, 1, "")
left_of(list) = picked(list, 1, 1, "")
picked(list, side, k, so_far) = k > words(list) ? so_far : picked(list, side, k + 1, \
    has(on_left, word(list, k)) == side ? so_far." ".word(list, k) : so_far)

set multiplot
set logscale x 10
set xlabel "arithmetic intensity (flops per byte)"
set ylabel "speedup over {/:Italic h} = 1"
set xtics (0.1, 0.3, 1, 3, 10)
eval panel(1, "thread blocks are the tiles")
eval legend_at(panel_left(1) + 3.2, panel_top(1) + 0.3)
if (has(distinct_where("app", "tile", "block"), "Star7")) {
    eval with_mark("the smoothers", grey, 6, 0.8)
}
stats tsv using (only(strcol("tile") eq "block", column("speedup"))) nooutput
top = 1 + 1.15 * (STATS_max - 1) + 0.05
plot [0.05:20] [0.9:top] \
    for [a in apps] tsv using (only(at(a, "block", "curve"), column("intensity"))):(column("speedup")) \
        with lines linecolor rgb tint(app_rgb(a), 0.3) linewidth 1.2 dashtype app_dash(a), \
    for [a in boxes] tsv using (only(at(a, "block", "own"), column("intensity"))):(column("speedup")) \
        with points linecolor rgb smoother_rgb(a) pointtype smoother_open(a) pointsize mark(0.8), \
    for [a in apps] tsv using (only(at(a, "block", "own"), column("intensity"))):(column("speedup")) \
        with points linecolor rgb app_rgb(a) pointtype filled(a) pointsize mark(1.1), \
    for [a in right_of(apps)] tsv \
        using (only(at(a, "block", "own"), column("intensity"))):(column("speedup")):(a) \
        with labels left offset shift_of(a), rise(a) textcolor rgb ink, \
    for [a in left_of(apps)] tsv \
        using (only(at(a, "block", "own"), column("intensity"))):(column("speedup")):(a) \
        with labels right offset -0.8, -0.5 textcolor rgb ink

eval panel(2, "a box of 64 cells a side is the tile")
if (boxes ne "") {
    eval legend_at(0, 0)
    do for [n = 1:words(families)] {
        a = word(families, n)
        legend_x = panel_left(2) + 0.2
        legend_y = height_cm - bottom_cm - 0.4 * (words(families) - n) - 0.35
        eval with_line(title_of(a), tint(smoother_rgb(a), 0.3), 1.2, series_dash(n))
    }
    stats tsv using (only(strcol("tile") eq "box", column("speedup"))) nooutput
    plot [0.05:20] [0.9:1 + 1.08 * (STATS_max - 1)] \
        for [n = 1:words(families)] tsv \
            using (only(at(word(families, n), "box", "curve"), column("intensity"))) \
                :(column("speedup")) \
            with lines linecolor rgb tint(smoother_rgb(word(families, n)), 0.3) linewidth 1.2 \
            dashtype series_dash(n), \
        for [a in boxes] tsv \
            using (only(at(a, "box", "own"), column("intensity"))):(column("speedup")) \
            with points linecolor rgb smoother_rgb(a) pointtype smoother_filled(a) \
            pointsize mark(1.1), \
        for [a in right_of(boxes)] tsv \
            using (only(at(a, "box", "own"), column("intensity"))):(column("speedup")):(a) \
            with labels left offset shift_of(a), rise(a) textcolor rgb ink, \
        for [a in left_of(boxes)] tsv \
            using (only(at(a, "box", "own"), column("intensity"))):(column("speedup")):(a) \
            with labels right offset -0.8, -0.5 textcolor rgb ink
} else {
    @empty
}
unset multiplot
