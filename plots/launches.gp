# SPDX-License-Identifier: GPL-3.0-or-later
#
# launches.gp - restarts, graphs and fences over the grid's size.

width_cm = 17
height_cm = 11.5
load plots."/style.gp"

legend_cm = 0.6
syncs = "restart graph fence"
sync_rgb(y) = y eq "restart" ? 0x0072B2 : y eq "graph" ? 0x009E73 : 0xD55E00
sync_title(y) = y eq "restart" ? "kernel restarts" : y eq "graph" ? "graph" : "fences"
is(a, y) = strcol("app") eq a && strcol("sync") eq y

set multiplot
set logscale x 10
set format x "10^{%T}"
set xlabel "elements of the grid"
set ylabel "time over that of restarts"
set y2label "share of synchronisation (%)" offset 1, 0
set y2tics 0, 25
set y2range [0:115]
right_cm = 1.7
stats tsv using (column("elements")) nooutput
first = STATS_min; last = STATS_max
do for [k = 1:words(apps)] {
    a = word(apps, k)
    eval panel(k, a)
    if (k == 1) {
        eval legend_at(left_cm, 0.3)
        do for [y in syncs] { eval with_line(sync_title(y), sync_rgb(y), 1.4, 1) }
        eval with_line("share of synchronisation", grey, 1, 3)
    }
    plot [first:last] [0:1.15] \
        for [y in syncs] tsv using (only(is(a, y), column("elements"))):(column("over_restart")) \
            with lines linecolor rgb sync_rgb(y) linewidth 1.4, \
        for [y in syncs] tsv using (only(is(a, y), column("elements"))):(100 * column("share")) \
            axes x1y2 with lines linecolor rgb sync_rgb(y) linewidth 1 dashtype 3
}
unset multiplot
