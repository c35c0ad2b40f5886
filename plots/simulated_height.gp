# SPDX-License-Identifier: GPL-3.0-or-later
#
# simulated_height.gp - the paper's Fig. 7 on a simulated GPU of the GTX 280's generation: cycles of the
# kernels, and what both models predict. Cycles are those of 1.3 GHz, which the paper counts.

width_cm = 17
height_cm = 11
load plots."/validate.gp"

legend_cm = 1.0
thousands = 1.3e9 / 1e3
names = "pathfinder hotspot poisson cell"
titles = "PathFinder HotSpot Poisson Cell"
along(a) = only(strcol("app") eq a && strcol("kind") eq "height", column("x"))
cycles(a, c) = only(strcol("app") eq a && strcol("kind") eq "height", column(c) * thousands)
set multiplot
set xlabel h_label
do for [k = 1:4] {
    a = word(names, k)
    eval panel(k, word(titles, k))
    set ylabel "{/:Italic CPL} (10^3 cycles)"
    if (k == 1) {
        set label 90 device at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.6, 0.8)
        eval with_mark("simulated", grey, 7, 0.7)
        eval with_line("2011 model", 0x0072B2, 1.3, 1)
        if (two_models) { eval with_line("gz2", 0xD55E00, 1.3, 2) }
    }
    if (has(distinct_where("kind", "app", a), "height")) {
        high = 0
        do for [c in "measured predicted gz2"] {
            if (c ne "gz2" || two_models) {
                stats tsv using (cycles(a, c)) nooutput
                high = STATS_max > high ? STATS_max : high
            }
        }
        stats tsv using (along(a)) nooutput
        set xtics STATS_max > 12 ? 4 : STATS_max > 6 ? 2 : 1
        plot [0.5:STATS_max + 0.5] [0:1.08 * high] \
            tsv using (along(a)):(cycles(a, "predicted")) with lines linecolor rgb 0x0072B2 linewidth 1.3, \
            for [m in (two_models ? "gz2" : "")] tsv using (along(a)):(cycles(a, m)) \
                with lines linecolor rgb 0xD55E00 linewidth 1.3 dashtype 2, \
            tsv using (along(a)):(cycles(a, "measured")) with points linecolor rgb grey pointtype 7 pointsize mark(0.6)
    } else {
        eval empty_since("not simulated")
    }
}
unset multiplot
