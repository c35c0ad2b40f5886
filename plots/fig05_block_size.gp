# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig05_block_size.gp - Fig. 5: cost of a loop over the block's size, a panel per benchmark.

width_cm = 17
height_cm = 10
load plots."/style.gp"

set multiplot
set xlabel "block length per dimension (elements)"
do for [k = 1:4] {
    a = word(all_apps, k)
    eval panel(k, a)
    if (has(apps, a)) {
        stats tsv using (only(strcol("app") eq a, column("CPL"))) nooutput
        e = exponent(STATS_max)
        step = word("64 2 2 1", k) + 0
        set ylabel cpl_label(e)
        set xtics step
        set label 2 "{/:Italic h} = ".distinct_where("h", "app", a) \
            at graph 0.97, graph 0.92 right
        stats tsv using (only(strcol("app") eq a, column("blk_len"))) nooutput
        alone = STATS_min == STATS_max
        plot [STATS_min - alone:STATS_max + alone] [0:*] tsv \
            using (only(strcol("app") eq a, column("blk_len"))):(column("CPL") / 10 ** e) \
            with linespoints linecolor rgb app_rgb(a) linewidth 1.2 pointtype filled(a)
    } else {
        @empty
    }
}
unset multiplot
