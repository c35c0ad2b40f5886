# SPDX-License-Identifier: GPL-3.0-or-later
#
# devices.gp - the best height by stencil over GPUs of different years, and why it moves.

width_cm = 17
height_cm = 14
own_device = 1
load plots."/style.gp"

columns_n = 1
rows_n = 2
legend_cm = 1.2
legend_gap = 0.3
bottom_cm = 2.2
gpus = distinct("gpu")
slot(g) = sum [n = 1:words(gpus)] (word(gpus, n) eq g ? n : 0)
year_of(g) = system(sprintf("awk -F'\\t' '$1 == \"%s\" { print $5; exit }' '%s'", g, tsv))
kinds = "own launch memory local"
kind_title(k) = k eq "own" ? "as it is" : k eq "launch" ? "free launch" : \
    k eq "memory" ? "memory x 100" : "16 KB local"
kind_rgb(k) = k eq "own" ? 0x000000 : k eq "launch" ? 0x0072B2 : k eq "memory" ? 0xD55E00 : 0x009E73
kind_at(k) = k eq "own" ? -0.27 : k eq "launch" ? -0.09 : k eq "memory" ? 0.09 : 0.27
row(a, m, k) = strcol("app") eq a && strcol("model") eq m && strcol("kind") eq k

# Stencils with the same height stand side by side.
aside(a) = a eq "HotSpot" ? -0.07 : a eq "Poisson" ? 0.07 : 0

set multiplot
set logscale y 2
set ylabel "best height (loops)"
set grid noxtics
set xtics scale 0 rotate by 50 right ()
do for [n = 1:words(gpus)] {
    set xtics add (sprintf("%s, %s", word(gpus, n), year_of(word(gpus, n))) n)
}
eval panel(1, "all stencils; filled: gz2, open: the 2011 model")
eval legend_at(0.9, 0.3)
do for [a in apps] { eval with_mark(a, app_rgb(a), filled(a), 0.9) }
eval legend_at(0.9, 0.8)
legend_n = 130
do for [k in kinds] { eval box_item(kind_title(k), kind_rgb(k)) }
plot [0.5:words(gpus) + 0.5] [0.9:128] \
    for [a in apps] tsv \
        using (only(row(a, "gz2", "own"), slot(strcol("gpu")) - 0.15 + aside(a))):(column("h")) \
        with points linecolor rgb app_rgb(a) linewidth 1 pointtype filled(a) \
        pointsize mark(0.8), \
    for [a in apps] tsv \
        using (only(row(a, "meng2011", "own"), slot(strcol("gpu")) + 0.15 + aside(a))):(column("h")) \
        with points linecolor rgb app_rgb(a) linewidth 1 pointtype open(a) pointsize mark(0.8)
unset logscale
eval panel(2, "HotSpot, by gz2: what moves it")
set label 3 "not by\ngz2" at first 1, first 1.1 center font ",5" textcolor rgb "#606060"
set style fill solid 1 border
set boxwidth 0.16
stats tsv using (only(strcol("app") eq "HotSpot" && strcol("model") eq "gz2", column("h"))) nooutput
plot [0.5:words(gpus) + 0.5] [0:STATS_max + 1] \
    for [k in kinds] tsv using (only(row("HotSpot", "gz2", k), slot(strcol("gpu")) + kind_at(k))) \
        :(column("h")) with boxes linecolor rgb kind_rgb(k) linewidth 0.5
unset multiplot
