# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig06_input_size.gp - Fig. 6: cost of a loop over the grid's size, a panel per benchmark.

width_cm = 17
height_cm = 10
load plots."/style.gp"

set multiplot
do for [k = 1:4] {
    a = word(all_apps, k)
    eval panel(k, a)
    set xlabel k == 1 ? "grid length (10^3 elements)" : "grid length per dimension (elements)"
    if (has(apps, a)) {
        scale = k == 1 ? 1e3 : 1
        step = word("100 250 250 10", k) + 0
        set xtics step
        stats tsv using (only(strcol("app") eq a, column("CPL"))) nooutput
        e = exponent(STATS_max)
        set ylabel cpl_label(e)
        set label 2 sprintf("block length %s, {/:Italic h} = %s", \
            distinct_where("blk_len", "app", a), distinct_where("h", "app", a)) \
            at graph 0.04, graph 0.92 left
        plot [] [0:*] tsv \
            using (only(strcol("app") eq a, column("DataLength") / scale)) \
            :(column("CPL") / 10 ** e) \
            with lines linecolor rgb app_rgb(a) linewidth 1.5
    } else {
        @empty
    }
}
unset multiplot
