# SPDX-License-Identifier: GPL-3.0-or-later
#
# fence_or_restart.gp - Eqs. 21-23: on which side of the boundary the benchmarks stand.

width_cm = 8.5
height_cm = 7
load plots."/style.gp"

columns_n = 1
rows_n = 1
legend_cm = -0.3
boundary = has(distinct("kind"), "boundary") ? "boundary" : ""
stats tsv using (column("T")) nooutput
left = STATS_min < 10 ? STATS_min / 2 : 10
right = STATS_max < 1e7 ? 10 * STATS_max : 1e7
stats tsv using (only(strcol("kind") eq "benchmark", column("MiscComp_M"))) nooutput
bottom = STATS_min / 10
if (boundary ne "") {
    # The boundary ends at the axis.
    stats tsv using (only(strcol("kind") eq boundary, column("MiscComp_M"))) nooutput
    bottom = STATS_min < bottom ? bottom : STATS_min
    stats tsv using (only(strcol("kind") eq "benchmark", column("MiscComp_M"))) nooutput
}
top = STATS_max * 10
floor_at(y) = y > bottom ? y : bottom

set multiplot
set logscale xy 10
set format "10^{%T}"
set xlabel "trapezoids per stage {/:Italic T}"
set ylabel "{/:Italic MiscComp/M} (cycles per trapezoid)"
eval panel(1, "")
unset label 1
if (boundary ne "") {
    stats tsv using (only(strcol("kind") eq boundary, column("MiscComp_M"))) nooutput
    set label 2 "memory fences" at graph 0.04, graph 0.94 left front textcolor rgb "#9c4400"
    set label 3 "kernel restarts" at graph 0.96, graph 0.06 right front textcolor rgb "#00507d"
    set label 4 "{/:Italic Overhead_{MemFence}} = 0" at graph 0.97, first 1.35 * STATS_max \
        right front textcolor rgb "#404040"
    set object 1 rectangle from graph 0, graph 0 to graph 1, graph 1 behind \
        fillcolor rgb "#fbe9dc" fillstyle solid noborder
}
plot [left:right] [bottom:top] \
    for [b in boundary] tsv \
        using (only(strcol("kind") eq b, column("T"))):(bottom):(floor_at(column("MiscComp_M"))) \
        with filledcurves fillcolor rgb "#dcebf5" fillstyle solid noborder, \
    for [b in boundary] tsv \
        using (only(strcol("kind") eq b, column("T"))):(column("MiscComp_M")) \
        with lines linecolor rgb grey linewidth 1.4, \
    for [a in apps] tsv \
        using (only(strcol("app") eq a && strcol("kind") eq "benchmark", column("T"))) \
            :(column("MiscComp_M")) \
        with points linecolor rgb app_rgb(a) pointtype filled(a) pointsize mark(1), \
    for [a in apps] tsv \
        using (only(strcol("app") eq a && strcol("kind") eq "benchmark", column("T"))) \
            :(column("MiscComp_M")):(sprintf("%s, δ = %.1f", a, column("delta"))) \
        with labels left offset 1, (a eq "HotSpot" ? -0.5 : a eq "Poisson" ? -1.5 : 0)
unset multiplot
