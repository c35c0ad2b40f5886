# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_scatter.gp - the whole: predicted and measured time, one point per configuration.

width_cm = 14
height_cm = 12
load plots."/validate.gp"

set lmargin at screen 2.0 / width_cm
set rmargin at screen 1 - 0.4 / width_cm
set tmargin at screen 1 - 1.3 / height_cm
set bmargin at screen 1.2 / height_cm
set logscale xy
set xlabel "measured time per loop"
set ylabel "predicted time per loop"
set label 1 device.", ".date at screen 0.4 / width_cm, screen 1 - 0.3 / height_cm left
eval legend_at(0.4, 0.8)
do for [k = 1:words(apps)] { eval with_mark(word(apps, k), rgb_of(k), solid(k), 0.7) }
eval with_mark("noisy", noisy_rgb, 2, 0.6)
eval with_line("equal", grey, 1, 1)
eval with_line("factor 2", grey, 0.7, 2)
stats tsv using (column("measured")) nooutput
a = STATS_min; b = STATS_max
stats tsv using (column("predicted")) nooutput
a = 0.7 * (STATS_min < a ? STATS_min : a)
b = 1.4 * (STATS_max > b ? STATS_max : b)
set samples 100
eval time_tics("x", a, b)
eval time_tics("y", a, b)
plot [a:b] [a:b] \
    tsv using (noisy(column("measured"))):(column("predicted")) \
        with points linecolor rgb noisy_rgb linewidth 0.6 pointtype 2 pointsize mark(0.3), \
    for [k = 1:words(apps)] tsv using \
        (only(strcol("app") eq word(apps, k), sound(column("measured")))):(column("predicted")): \
        (column("low")):(column("high")) with xerrorbars linecolor rgb rgb_of(k) linewidth 0.6 \
        pointtype solid(k) pointsize mark(0.4), \
    x with lines linecolor rgb grey linewidth 1, \
    2 * x with lines linecolor rgb grey linewidth 0.7 dashtype 2, \
    x / 2 with lines linecolor rgb grey linewidth 0.7 dashtype 2
