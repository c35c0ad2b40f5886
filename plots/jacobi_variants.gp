# SPDX-License-Identifier: GPL-3.0-or-later
#
# jacobi_variants.gp - Jacobi's sweeps computed in five ways: cells per second over the grid's size,
# measured and predicted; and what the model makes of one loop on the largest grid, part by part.

width_cm = 17
height_cm = 9.6
own_device = 1
load plots."/style.gp"

columns_n = 2
rows_n = 1
legend_cm = 2.6
right_cm = 0.35
bottom_cm = 1.15

# Series, in the order of the legend; of the trapezoids the lowest, the highest and one between.
versions = "serial column cell shared"
version_rgb(v) = v eq "serial" ? 0x666666 : v eq "column" ? 0xAA4499 : v eq "cell" ? 0x0072B2 : 0xD55E00
version_mark(v) = v eq "serial" ? 2 : v eq "column" ? 9 : v eq "cell" ? 7 : 5
all_heights = distinct_where("h", "version", "trapezoid")
heights = word(all_heights, 1)." ".word(all_heights, (words(all_heights) + 1) / 2)." " \
    .word(all_heights, words(all_heights))
height_rgb(k) = int(word("0x55B594 0x009E73 0x00543D", k))
height_mark(k) = int(word("12 13 11", k))
height_dash(k) = int(word("3 2 1", k))
# The model's parts from the bottom of a bar; colours as in the figure of the paper's breakdown.
parts = "IterMem LoadSten-own LoadSten-ghost Commit MiscComp IterComp GlbSync"
part_title(k) = word("IterMem* \"LoadSten*, own cells\" \"LoadSten*, ghost cells\" Commit* MiscComp* " \
    ."IterComp* GlbSync*", k)
part_rgb(k) = int(word("0xE69F00 0x0072B2 0x003A66 0x56B4E9 0x009E73 0xD55E00 0x404040", k))

# The rows of one series alone, since those of others between them would break its line.
series(v, kind, h) = sprintf("< awk -F'\\t' '$1 == \"%s\" && $2 == \"%s\" && $3 == \"all\" && $5 == %s " \
    ."{ print $4 \"\\t\" $6 \"\\t\" $7 \"\\t\" $8 }' '%s'", v, kind, h, tsv)
rate(k) = 1e-9 * column(1) ** 2 / column(k)
edge = distinct_where("edge", "kind", "component")
best = system(sprintf("awk -F'\\t' '$1 == \"trapezoid\" && $2 == \"component\" { print $5; exit }' '%s'", \
    tsv))
part(v, k) = system(sprintf("awk -F'\\t' '$1 == \"%s\" && $3 == \"%s\" { print $6; exit }' '%s'", \
    v, word(parts, k), tsv)) * 1e9 / edge ** 2
date = system(sprintf("sed -n 's/^# date: //p' '%s'", tsv))
stats tsv using (only(strcol("part") eq "all", column("edge"))) nooutput
first = STATS_min
last = STATS_max
set datafile nocolumnheaders

set multiplot
eval panel(1, "cells per second")
set label 90 device.", ".date at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
eval legend_at(0.6, 0.8)
eval with_mark("serial", version_rgb("serial"), version_mark("serial"), 0.7)
eval with_mark("column", version_rgb("column"), version_mark("column"), 0.7)
eval with_both("cell", version_rgb("cell"), 1.3, 1, version_mark("cell"), 0.7)
eval with_both("shared", version_rgb("shared"), 1.3, 1, version_mark("shared"), 0.7)
do for [k = 1:3] { eval with_both((k == 1 ? "trapezoid, " : "")."{/:Italic h} = ".word(heights, k), \
    height_rgb(k), 1.3, height_dash(k), height_mark(k), 0.7); legend_x = legend_x - 0.85 }
legend_x = 0.6; legend_y = 1.25
eval with_line("cell, uncached", version_rgb("cell"), 1.3, 2)
legend_x = legend_x - 0.8
eval item_text("marks: measured, with quartiles; lines: the model; below, its parts")
legend_x = 0.6; legend_y = 1.75
do for [k = 1:7] { eval box_item(part_title(k), part_rgb(k)); \
    if (k == 4) { legend_x = 0.6; legend_y = 2.2 } }
set logscale x 2
set logscale y
set format y "%g"
set xlabel "cells along an edge of the grid"
set ylabel "cells per second (10^{9})"
plot [0.8 * first:1.25 * last] \
    series("cell", "model", "1") using 1:(rate(2)) with lines linecolor rgb version_rgb("cell") \
        linewidth 1.3, \
    series("cell", "uncached", "1") using 1:(rate(2)) with lines linecolor rgb version_rgb("cell") \
        linewidth 1.3 dashtype 2, \
    series("shared", "model", "1") using 1:(rate(2)) with lines linecolor rgb version_rgb("shared") \
        linewidth 1.3, \
    for [k = 1:3] series("trapezoid", "model", word(heights, k)) using 1:(rate(2)) with lines \
        linecolor rgb height_rgb(k) linewidth 1.3 dashtype height_dash(k), \
    for [v in versions] series(v, "measured", "1") using 1:(rate(2)):(rate(4)):(rate(3)) \
        with yerrorbars linecolor rgb version_rgb(v) linewidth 0.8 pointtype version_mark(v) \
        pointsize mark(0.6), \
    for [k = 1:3] series("trapezoid", "measured", word(heights, k)) \
        using 1:(rate(2)):(rate(4)):(rate(3)) with yerrorbars linecolor rgb height_rgb(k) \
        linewidth 0.8 pointtype height_mark(k) pointsize mark(0.6)

eval panel(2, "the model of one loop, ".edge." x ".edge." cells")
unset logscale
set format y "%g"
set grid noxtics
set xlabel " "
set ylabel "time per cell (ns)"
set xtics ("cell,\ncached" 1, "cell,\nuncached" 2, "shared" 3, \
    "trapezoid,\n{/:Italic h} = ".best 4) scale 0
top = 0
n = 0
do for [v in "cell cell-uncached shared trapezoid"] {
    n = n + 1
    sum_up = 0
    do for [k = 1:7] {
        set object 10 * n + k rectangle from n - 0.3, sum_up to n + 0.3, sum_up + part(v, k) \
            fillcolor rgb part_rgb(k) fillstyle solid noborder
        sum_up = sum_up + part(v, k)
    }
    top = sum_up > top ? sum_up : top
}
plot [0.4:4.6] [0:1.05 * top] -1
unset multiplot
