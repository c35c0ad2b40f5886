# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig09_components.gp - Fig. 9: how each component reacts to the height.

width_cm = 17
height_cm = 7.5
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
terms = "LoadSten IterComp GlbSync IterMem MiscComp Commit"
# Several components are proportional to each other: wide pale lines lie under thin dark dashes.
colours = "0x9ecbe8 0xf4b183 0x909090 0x8a3d00 0x004a75 0x007050"
widths = "5 5 2.6 1.2 1.2 1.4"
dashes = "1 1 1 2 2 4"

set multiplot
set xlabel h_label
set ylabel "component relative to {/:Italic h} = 1"
set logscale y 2
set ytics ("1/16" 0.0625, "1/8" 0.125, "1/4" 0.25, "1/2" 0.5, "1" 1, "2" 2, "4" 4, "8" 8, "16" 16)
set xtics 1
do for [k = 1:2] {
    y = word(modes, k)
    eval panel(k, "HotSpot, ".mode_name(y).(y eq "fence" ? " (no MiscComp*)" : ""))
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [n = 1:6] {
            eval with_line(word(terms, n)."*", int(word(colours, n)), \
                word(widths, n) + 0, word(dashes, n) + 0)
        }
    }
    present = distinct_where("component", "sync", y)
    set arrow 50 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#909090" \
        linewidth 0.7 back
    plot [1:*] [1. / 16:16] for [n = 1:6] tsv \
        using (only(strcol("sync") eq y && strcol("component") eq word(terms, n) \
            && has(present, word(terms, n)), column("h"))):(column("ratio")) \
        with lines linecolor rgb int(word(colours, n)) linewidth word(widths, n) + 0 \
        dashtype 0 + word(dashes, n)
}
unset multiplot
