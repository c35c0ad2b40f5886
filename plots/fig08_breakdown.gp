# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig08_breakdown.gp - Fig. 8: PathFinder's cost of a loop, stacked from its components.

width_cm = 17
height_cm = 7
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
terms = "IterComp IterMem LoadSten Commit MiscComp GlbSync"
colours = "0xD55E00 0xE69F00 0x0072B2 0x56B4E9 0x009E73 0x404040"
# The stack up to the n-th term, from the bottom.
stack(n) = sum [k = 1:n] column(word(terms, k))

stats tsv using (column("CPL")) nooutput
e = exponent(STATS_max)
top = STATS_max / 10 ** e

set multiplot
set xlabel h_label
set ylabel cpl_label(e)
set style fill solid 1 noborder
set boxwidth 1
set grid noxtics
do for [k = 1:2] {
    y = word(modes, k)
    eval panel(k, "PathFinder, ".mode_name(y).(y eq "fence" ? " (no MiscComp*)" : ""))
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [n = 6:1:-1] { eval box_item(word(terms, n)."*", int(word(colours, n))) }
    }
    plot [0:49] [0:top * 1.03] for [n = 6:1:-1] tsv \
        using (only(strcol("sync") eq y, column("h"))):(stack(n) / 10 ** e) \
        with boxes linecolor rgb int(word(colours, n)) linewidth 0.4
}
unset multiplot
