# SPDX-License-Identifier: GPL-3.0-or-later
#
# insensitive.gp - Section 6.2: factors that hardly move the best height.

width_cm = 17
height_cm = 10.6
load plots."/style.gp"

legend_cm = 0.5
names = "UncontendedLat BlksPerSM sigma DataLength"
title(n) = n eq "sigma" ? "σ" : n eq "DataLength" ? "input size (elements)" : n

set multiplot
set logscale x 2
set logscale y 2
set ytics ("1/2" 0.5, "1" 1, "2" 2)
set xtics ("1/8" 0.125, "1/4" 0.25, "1/2" 0.5, "1" 1, "2" 2, "4" 4, "8" 8)
set ylabel "{/:Italic h}* over {/:Italic h}* at factor 1"
do for [k = 1:4] {
    n = word(names, k)
    eval panel(k, title(n))
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [a in apps] {
            eval with_line(a, app_rgb(a), 1.4, app_dash(a))
        }
        do for [y in modes] { eval with_mark(mode_name(y), grey, mode_mark(y), 0.6) }
    }
    set xlabel "factor on ".title(n)
    plot [0.12:8.4] [0.4:2.5] for [a in apps] for [y in modes] tsv \
        using (only(strcol("app") eq a && strcol("sync") eq y && strcol("parameter") eq n, \
            column("factor"))):(column("h_ratio")) \
        with linespoints linecolor rgb app_rgb(a) linewidth (y eq "restart" ? 1.6 : 0.8) dashtype app_dash(a) \
        pointtype mode_mark(y) pointsize mark(0.5) pointinterval 8
}
unset multiplot
