# SPDX-License-Identifier: GPL-3.0-or-later
#
# cost_efficiency.gp - Eq. 19: the share of a trapezoid that is committed, by block.

width_cm = 17
height_cm = 6.4
load plots."/style.gp"

columns_n = 3
rows_n = 1
left_cm = 1.3
right_cm = 0.3
top_cm = 1.1
legend_sample = 0.3
legend_gap = 0.28
shown = "PathFinder HotSpot Cell"

set multiplot
set xlabel h_label
set ylabel "{/:Italic CostEffect}: useful operations of all"
do for [k = 1:3] {
    a = word(shown, k)
    eval panel(k, sprintf("%d-D, by block", k))
    if (has(apps, a)) {
        blocks = distinct_where("blk_len", "app", a)
        eval legend_at(panel_left(k) - 0.3, panel_top(k) - 0.25)
        do for [m = 1:words(blocks)] {
            eval with_line(word(blocks, m).(k > 1 ? sprintf("^%d", k) : ""), \
                shade(a, m, words(blocks)), 1.4, series_dash(m))
        }
        stats tsv using (only(strcol("app") eq a, column("h"))) nooutput
        step = STATS_max > 100 ? 64 : STATS_max > 40 ? 16 : STATS_max > 12 ? 8 : STATS_max > 5 ? 2 : 1
        set xtics step < 16 ? 1 : 0, step
        if (step >= 16) { set xtics add (1) }
        plot [1:STATS_max] [0:1] for [m = 1:words(blocks)] tsv \
            using (only(strcol("app") eq a && strcol("blk_len") eq word(blocks, m), \
                column("h"))):(column("CostEffect")) \
            with lines linecolor rgb shade(a, m, words(blocks)) linewidth 1.4 \
            dashtype series_dash(m)
    } else {
        @empty
    }
}
unset multiplot
