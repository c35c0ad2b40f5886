# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_models.gp - errors and regrets of all models on the same points, and the noise floor: what
# a perfect model would have.

width_cm = 14
height_cm = 8.5
load plots."/validate.gp"

measures = "error error_95 height height_95 constant_95 joint joint_95 joint_five joint_five_95"
array shown[9] = ["error of the time, median", "95th percentile", "regret of the height, median", \
    "95th percentile", "of the best constant height, 95th", "of tile, height and mode, median", \
    "95th percentile", "best of the first five, median", "95th percentile"]
# One table alone states no 95th percentile of regrets: such rows are left out.
stated = " ".distinct("measure")." "
is_stated(k) = strstrt(stated, " ".word(measures, k)." ") > 0
array row[9]
last = 0
do for [k = 1:9] {
    if (is_stated(k)) { last = last + 1 }
    row[k] = last
}
models = distinct("model")
rgb_model(m) = m eq "gz2" ? 0x0072B2 : 0xD55E00
least = 0.001; most = 10
place(x) = x < least ? least : x > most ? most : x
lift(i) = 0.3 * ((words(models) + 1) / 2.0 - i)
is_cell(m, k) = strcol("model") eq m && strcol("app") eq "all" && strcol("measure") eq word(measures, k)
number(text) = text eq "-" ? NaN : text + 0

set lmargin at screen 6.6 / width_cm
set rmargin at screen 1 - 0.5 / width_cm
set tmargin at screen 1 - 1.3 / height_cm
set bmargin at screen 1.2 / height_cm
set label 1 device.", ".date at screen 0.4 / width_cm, screen 1 - 0.3 / height_cm left
eval legend_at(6.6, 0.8)
do for [k = 1:words(models)] {
    m = word(models, k)
    eval with_mark(m eq "meng2011" ? "2011" : m, rgb_model(m), 7, 0.9)
}
eval with_mark("noise floor", grey, 2, 0.9)
set logscale x 10
set xlabel "share; values under 0.001 or over 10 stand at the edges"
set xtics (0.001, 0.01, 0.1, 1, 10)
set grid noytics
set ytics scale 0
do for [k = 1:9] { if (is_stated(k)) { set ytics add (shown[k] -row[k]) } }
plot [least / 1.3:most * 1.3] [-last - 0.6:-0.4] \
    for [i = 1:words(models)] for [k = 1:9] tsv using \
        (only(is_cell(word(models, i), k), place(column("value")))):(-row[k] + lift(i)) with points \
        linecolor rgb rgb_model(word(models, i)) pointtype 7 pointsize mark(0.9), \
    for [i = 1:words(models)] for [k = 1:9] tsv using \
        (only(is_cell(word(models, i), k), place(number(strcol("floor"))))):(-row[k]) with points \
        linecolor rgb grey linewidth 1.4 pointtype 2 pointsize mark(0.9)
