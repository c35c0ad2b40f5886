# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_scatter.gp - the whole: predicted and measured time, one point per configuration; a panel
# for each model.

width_cm = 17
height_cm = 9.6
load plots."/validate.gp"

rows_n = 1
legend_cm = 1.2
left_cm = 1.9
name(m) = m == 1 ? "meng2011" : "gz2"
of_model(m, v) = only(strcol("model") eq name(m), v)

stats tsv using (column("measured")) nooutput
a = STATS_min; b = STATS_max
stats tsv using (column("predicted")) nooutput
a = 0.7 * (STATS_min < a ? STATS_min : a)
b = 1.4 * (STATS_max > b ? STATS_max : b)

set multiplot
set logscale xy
set xlabel "measured time per loop"
set ylabel "predicted time per loop"
set samples 100
do for [m = 1:2] {
    eval panel(m, m == 1 ? "Meng and Skadron 2011" : "gz2")
    if (m == 1) {
        set label 90 device.", ".date at screen 0.4 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.4, 0.8)
        do for [k = 1:words(apps)] { eval with_mark(word(apps, k), rgb_of(k), solid(k), 0.7) }
        eval with_mark("noisy", noisy_rgb, 2, 0.6)
        eval with_line("equal", grey, 1, 1)
        eval with_line("factor 2", grey, 0.7, 2)
    }
    if (!has(distinct("model"), name(m))) {
        unset logscale
        unset xlabel
        eval empty_since("the files lack what it needs")
        continue
    }
    eval time_tics("x", a, b)
    eval time_tics("y", a, b)
    plot [a:b] [a:b] \
        tsv using (of_model(m, noisy(column("measured")))):(column("predicted")) \
            with points linecolor rgb noisy_rgb linewidth 0.6 pointtype 2 pointsize mark(0.3), \
        for [k = 1:words(apps)] tsv using \
            (only(strcol("app") eq word(apps, k), of_model(m, sound(column("measured"))))) \
            :(column("predicted")):(column("low")):(column("high")) with xerrorbars \
            linecolor rgb rgb_of(k) linewidth 0.6 pointtype solid(k) pointsize mark(0.4), \
        x with lines linecolor rgb grey linewidth 1, \
        2 * x with lines linecolor rgb grey linewidth 0.7 dashtype 2, \
        x / 2 with lines linecolor rgb grey linewidth 0.7 dashtype 2
}
unset multiplot
