# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_points.gp - predicted over measured time for both models, one point per configuration.

width_cm = 17
height_cm = 7.6
own_device = 1
load plots."/style.gp"

rows_n = 1
legend_cm = 0.9
models = distinct("model")
judged_rgb(m) = m eq "gz2" ? 0x0072B2 : 0xD55E00
title(m) = m eq "gz2" ? "gz2" : m eq "meng2011" ? "Meng and Skadron 2011" : m

stats tsv using (column("measured") * 1e3) nooutput
left = STATS_min / 1.3; right = STATS_max * 1.3
stats tsv using (column("predicted") / column("measured")) nooutput
low = STATS_min / 1.3; high = STATS_max * 1.3
low = low > 0.5 ? 0.5 : low; high = high < 2 ? 2 : high

set multiplot
set logscale xy 10
set xlabel "measured time per loop (ms)"
set ylabel "predicted / measured"
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
if (right / left < 200) { set xtics (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) } \
else { set format x "10^{%T}" }
do for [n = 1:words(models)] {
    m = word(models, n)
    eval panel(n, title(m))
    if (n == 1) {
        set label 90 device at screen 0.4 / width_cm, screen 1 - 0.35 / height_cm left
        eval legend_at(10.8, 0.35)
        eval with_mark("judged", grey, 6, 0.6)
        eval with_line("equal", grey, 1, 1)
        eval with_line("20 %", grey, 0.7, 2)
    }
    plot [left:right] [low:high] \
        tsv using (only(strcol("model") eq m, column("measured") * 1e3)) \
            :(column("predicted") / column("measured")) with points \
            linecolor rgb judged_rgb(m) linewidth 0.7 pointtype 6 pointsize mark(0.35), \
        1 with lines linecolor rgb grey linewidth 1, \
        1.2 with lines linecolor rgb grey linewidth 0.7 dashtype 2, \
        1 / 1.2 with lines linecolor rgb grey linewidth 0.7 dashtype 2
}
unset multiplot
