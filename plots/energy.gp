# SPDX-License-Identifier: GPL-3.0-or-later
#
# energy.gp - Section 6.5: energy goes with time.

width_cm = 17
height_cm = 7.2
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
measured = has(distinct("kind"), "measured")

set multiplot
set logscale xy 10
set xlabel h_label
set ylabel "modelled energy per element and loop (nJ)"
stats tsv using (column("h")) nooutput
right = STATS_max * 1.1
stats tsv using (only(strcol("kind") eq "best" || column("h") == 1, column("energy") * 1e9)) \
    nooutput
eval panel(1, "solid: kernel restarts, dashed: memory fences")
eval legend_at(left_cm, 0.35)
do for [a in apps] { eval with_both(a, app_rgb(a), 1.4, 1, filled(a), 0.8) }
plot [0.9:right] [STATS_min / 1.5:STATS_max * 2] \
    for [a in apps] for [y in modes] tsv \
        using (only(of(a, y, "curve"), column("h"))):(column("energy") * 1e9) \
        with lines linecolor rgb app_rgb(a) linewidth 1.3 dashtype mode_dash(y), \
    for [a in apps] for [y in modes] tsv \
        using (only(of(a, y, "best"), column("h"))):(column("energy") * 1e9) \
        with points linecolor rgb app_rgb(a) linewidth 1.2 \
        pointtype (y eq "restart" ? filled(a) : open(a)) pointsize mark(0.9)

unset logscale
set xlabel ""
set ylabel "modelled energy saved at best height (%)"
eval panel(2, "light: fences".(measured ? "; +: from measured speedups" : ""))
set xtics scale 0 ()
do for [n = 1:words(apps)] {
    name = word(apps, n)
    set xtics add (name n)
}
set grid noxtics
slot(a) = sum [n = 1:words(apps)] (word(apps, n) eq a ? n : 0)
set style fill solid 1 border
set boxwidth 0.36
plot [0.4:words(apps) + 0.6] [0:100] \
    for [a in apps] tsv \
        using (only(of(a, "restart", "best"), slot(a) - 0.2)):(100 * column("saving")) \
        with boxes linecolor rgb app_rgb(a) fillstyle solid 1, \
    for [a in apps] tsv \
        using (only(of(a, "fence", "best"), slot(a) + 0.2)):(100 * column("saving")) \
        with boxes linecolor rgb app_rgb(a) fillstyle solid 0.3 border, \
    for [a in measured ? apps : ""] for [y in modes] tsv \
        using (only(of(a, y, "measured"), slot(a) + (y eq "restart" ? -0.2 : 0.2))) \
            :(100 * column("saving")) \
        with points linecolor rgb "black" linewidth 1.3 pointtype 1 pointsize mark(1.1)
unset multiplot
