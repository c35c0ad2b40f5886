# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_variants.gp - streamed tiles, trapezoids and blocks without local memory: time per loop over
# the height, measured beside predicted by gz2, on the largest grid of each stencil.

width_cm = 17
rows_wanted = 2
height_cm = 11
load plots."/validate.gp"

legend_cm = 0.9
rows_n = words(apps) > 2 ? 2 : 1
if (rows_n == 1) { height_cm = 11 }
variants = "trapezoid stream naive"
variant_rgb(v) = v eq "trapezoid" ? 0x0072B2 : v eq "stream" ? 0xD55E00 : 0x009E73
variant_mark(v) = v eq "trapezoid" ? 7 : v eq "stream" ? 5 : 9
variant_dash(v) = v eq "trapezoid" ? 1 : v eq "stream" ? 2 : 4
array_count = words(apps) > 4 ? 4 : words(apps)

count_of(n) = n < 1e6 ? sprintf("%.3g", n) : sprintf("%.3g million", n / 1e6)
set multiplot
set xlabel "height {/:Italic h} (loops)"
set ylabel "time per loop"
set logscale y
do for [k = 1:array_count] {
    a = word(apps, k)
    stats tsv using (only(strcol("app") eq a, column("cells"))) nooutput
    cells = STATS_max
    is(v) = strcol("app") eq a && column("cells") == cells && strcol("variant") eq v
    shown(c) = only(strcol("app") eq a && column("cells") == cells, column(c))
    eval panel(k, a.", ".count_of(cells)." elements")
    if (k == 1) {
        set label 90 device.", ".date at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.6, 0.75)
        do for [v in variants] { eval with_both(v, variant_rgb(v), 1.3, variant_dash(v), variant_mark(v), 0.7) }
        set label 89 "marks: measured; lines and rings: predicted" at screen 0.62, screen 1 - 0.75 / height_cm left
    }
    stats tsv using (shown("measured")) nooutput
    low = STATS_min; high = STATS_max
    stats tsv using (shown("predicted")) nooutput
    if (STATS_records > 0) { low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high }
    low = 0.7 * low; high = 1.4 * high
    stats tsv using (shown("h")) nooutput
    right = STATS_max + 0.5
    set xtics STATS_max > 12 ? 4 : STATS_max > 6 ? 2 : 1
    eval time_tics("y", low, high)
    plot [0.5:right] [low:high] \
        for [v in variants] tsv using (only(is(v), column("h"))):(column("predicted")) \
            with lines linecolor rgb variant_rgb(v) linewidth 1.3 dashtype variant_dash(v), \
        for [v in variants] tsv using (only(is(v), column("h"))):(column("predicted")) \
            with points linecolor rgb variant_rgb(v) linewidth 0.8 pointtype 6 pointsize mark(0.9), \
        for [v in variants] tsv using (only(is(v), column("h"))):(column("measured")) \
            with points linecolor rgb variant_rgb(v) pointtype variant_mark(v) pointsize mark(0.6)
}
unset multiplot
