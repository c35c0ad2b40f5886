# SPDX-License-Identifier: GPL-3.0-or-later
#
# multigrid_rate.gp - unknowns solved for a second over the size of the grid: gzmg, a plain multigrid, HPGMG-FV.

width_cm = 8.5
height_cm = 6.6
load plots."/style.gp"

methods = "depth_1,_V model,_V model,_F_start plain,_V plain,_F_start HPGMG-FV,_V HPGMG-FV,_F"
named(k) = system("echo '".word(methods, int(k))."' | tr _ ' '")
rgb(k) = int(word("0x56B4E9 0x0072B2 0x009E73 0x777777 0x333333 0xD55E00 0xAA4499", int(k)))
type(k) = int(word("6 7 5 4 11 9 13", int(k)))
is(k) = strcol("method") eq named(k)

rows_n = 1
columns_n = 1
legend_cm = 1.4
present = ""
do for [k = 1:words(methods)] {
    stats tsv using (is(k)) nooutput
    if (STATS_max > 0) { present = present.k." " }
}
set datafile missing NaN # lines go on between the rows of other methods
set multiplot
set logscale x 2
set xlabel "cells a side of the grid"
set ylabel "10^6 unknowns a second"
set xtics (32, 64, 128, 256)
stats tsv using (column("high") / 1e6) nooutput
eval panel(1, "")
unset label 1
eval legend_at(left_cm - 1, 0.3)
do for [k in present] {
    if (int(k) == 4) { legend_x = left_cm - 1; legend_y = 0.75 }
    if (int(k) == 6) { legend_x = left_cm - 1; legend_y = 1.2 }
    eval with_both(named(k), rgb(k), 1.2, 1, type(k), 0.8)
}
plot [26:315] [0:1.1 * STATS_max] \
    for [k in present] tsv using (only(is(k), column("extent"))):(column("rate") / 1e6):(column("low") / 1e6):(column("high") / 1e6) \
        with yerrorbars linecolor rgb rgb(k) linewidth 0.9 pointtype -1, \
    for [k in present] tsv using (only(is(k), column("extent"))):(column("rate") / 1e6) \
        with linespoints linecolor rgb rgb(k) linewidth 1.2 pointtype type(k) pointsize mark(0.8)
unset multiplot
