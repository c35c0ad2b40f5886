# SPDX-License-Identifier: GPL-3.0-or-later
#
# dimensionality.gp - Section 6.3: more dimensions, more replicated work and a smaller gain.

width_cm = 17
height_cm = 6.6
load plots."/style.gp"

columns_n = 3
rows_n = 1
legend_cm = 0.5
left_cm = 1.3
right_cm = 0.3
dim_of(d) = strcol("D") eq d
# Replication depends on the tile alone, so one benchmark is enough.
one = word(apps, 1)
dims = distinct_where("D", "app", one)
most = 30

set multiplot
set logscale x 4
set logscale y 10
set xlabel h_label
set ylabel "operations per needed one"
set ytics (1, 2, 5, 10, 20)
eval panel(1, "replication")
eval legend_at(left_cm, 0.35)
do for [a in apps] { eval with_mark(a, app_rgb(a), filled(a), 0.8) }
eval with_mark("open: memory fences", grey, 6, 0.8)
do for [d in dims] {
    stats tsv using (only(of(one, "restart", "curve") && dim_of(d) && column("replication") < most, \
        column("h"))) nooutput
    set label 10 + int(d) d."-D" at STATS_max * 0.9, 20 right
}
stats tsv using (only(of(one, "restart", "curve"), column("h"))) nooutput
set xtics 1, STATS_max > 500 ? 16 : 4
plot [1:*] [1:most] for [d in dims] tsv \
    using (only(of(one, "restart", "curve") && dim_of(d), column("h"))):(column("replication")) \
    with lines linecolor rgb grey linewidth 1.5 dashtype int(d)

unset logscale
set xtics 1
set ytics auto
set xlabel "dimensions {/:Italic D}"
do for [k = 2:3] {
    eval panel(k, k == 2 ? "best height" : "peak speedup")
    set ylabel k == 2 ? "best whole height (loops)" : "speedup over {/:Italic h} = 1"
    result = k == 2 ? "h" : "speedup"
    if (k == 2) { set logscale y 2 } else { unset logscale y }
    stats tsv using (only(strcol("kind") eq "best", column(result))) nooutput
    plot [0.5:3.5] [k == 2 ? 0.8 : 0:1.2 * STATS_max] for [a in apps] for [y in modes] tsv \
        using (only(of(a, y, "best"), column("D") + 0.12 * (app_index(a) - 2.5) + (y eq "restart" ? -0.025 : 0.025))) \
            :(column(result)) \
        with points linecolor rgb app_rgb(a) linewidth 1.2 \
        pointtype (y eq "restart" ? filled(a) : open(a)) pointsize mark(0.8)
}
unset multiplot
