# SPDX-License-Identifier: GPL-3.0-or-later
#
# gzrun_heights.gp - a table of gzrun's over the height: what was measured, and what the model
# predicts for the same, a curve for every variant, block and synchronisation. Drawn by
# plots/draw.sh gzrun_heights TABLE FOLDER.

width_cm = 8.5
height_cm = 7.5
own_device = 1
load plots."/style.gp"

comment(what) = system(sprintf("sed -n 's/^# %s: //p' '%s' | head -n 1 | sed 's|[^A-Za-z0-9 .,:()+/_-]| |g'", what, tsv))
list(column) = system(sprintf("awk -f '%s/distinct.awk' -v want=%s '%s'", plots, column, tsv))
variants = list("variant"); blocks = list("block"); syncs = list("sync")
curve(v, b, y) = strcol("variant") eq v && strcol("block") eq b && strcol("sync") eq y
rgb(b, v) = int(word("0x0072B2 0xD55E00 0x009E73 0xAA4499 0x56B4E9 0x8A3B00", \
    1 + (index_of(blocks, b) + 3 * index_of(variants, v)) % 6))
index_of(l, x) = sum [n = 1:words(l)] (word(l, n) eq x ? n - 1 : 0)

# Seconds in a unit in which the largest is no less than 1.
stats tsv using (column("seconds_per_loop")) nooutput
unit = STATS_max < 1e-3 ? 1e6 : STATS_max < 1 ? 1e3 : 1
unit_name = unit == 1e6 ? "µs" : unit == 1e3 ? "ms" : "s"
high = STATS_max * unit
low = STATS_min * unit
predicted = comment("predicted") ne "" # else no model describes any row
if (predicted) { stats tsv using (column("predicted_seconds_per_loop")) nooutput }
if (predicted && STATS_max * unit > high) { high = STATS_max * unit }
if (predicted && STATS_min * unit < low) { low = STATS_min * unit }
stats tsv using (column("height")) nooutput

set lmargin at screen 1.4 / width_cm
set rmargin at screen 1 - 0.3 / width_cm
set bmargin at screen 1.1 / height_cm
set label 90 comment("app").", ".comment("size").", ".comment("loops")." loops" noenhanced \
    at screen 0.3 / width_cm, screen 1 - 0.35 / height_cm left
# As many lines as it takes, of what fits the width.
lines = system(sprintf("printf '%%s' '%s' | fold -s -w 84", comment("device")))
more_cm = 0.26 * (words(system(sprintf("printf '%%s' '%s' | fold -s -w 84 | awk '{ print NR }'", comment("device")))) - 1)
set tmargin at screen 1 - (1.75 + more_cm) / height_cm
set label 92 lines noenhanced at screen 0.3 / width_cm, screen 1 - 0.7 / height_cm left \
    font ",5" textcolor rgb "#606060"
eval legend_at(0.3, 1.1 + more_cm)
eval with_mark("measured (restart)", grey, 7, 0.6)
if (predicted) { eval with_line("predicted", grey, 1.2, 1) }
if (has(syncs, "fence")) { eval with_both("fence", grey, 1.2, 2, 6, 0.6) }
eval legend_at(0.3, 1.45 + more_cm)
legend_n = 130
do for [b in blocks] { eval with_mark(b, rgb(b, word(variants, 1)), 5, 0.6) }
set xlabel h_label
set ylabel "time per loop (".unit_name.")"
set xtics STATS_max > 12 ? 4 : STATS_max > 6 ? 2 : 1
plot [STATS_min - 0.5:STATS_max + 0.5] [0:1.08 * high] \
    for [v in (predicted ? variants : "")] for [b in blocks] for [y in syncs] tsv using \
        (only(curve(v, b, y), column("height"))):(unit * column("predicted_seconds_per_loop")) \
        with lines linecolor rgb rgb(b, v) linewidth 1.2 dashtype mode_dash(y), \
    for [v in variants] for [b in blocks] for [y in syncs] tsv using \
        (only(curve(v, b, y), column("height"))):(unit * column("seconds_per_loop")): \
        (unit * column("seconds_per_loop") * (1 - column("spread") / 2)): \
        (unit * column("seconds_per_loop") * (1 + column("spread") / 2)) \
        with yerrorbars linecolor rgb rgb(b, v) linewidth 0.8 pointtype mode_mark(y) pointsize mark(0.6)
