# SPDX-License-Identifier: GPL-3.0-or-later
#
# multigrid_residual.gp - the residual over the time of a solution, by depths, sweeps and start.

width_cm = 8.5
height_cm = 6.9
load plots."/style.gp"

methods = system("grep -v '^#' '".tsv."' | awk -F'\\t' 'NR > 1 && !seen[$1]++ { gsub(/ /, \"_\", $1); print $1 }'")
named(k) = system("echo '".word(methods, k)."' | tr _ ' '")
rgb(k) = int(word("0x808080 0x0072B2 0x56B4E9 0x009E73 0xD55E00", k))
type(k) = int(word("6 7 5 9 13", k))

rows_n = 1
columns_n = 1
legend_cm = 1.4
left_cm = 1.75
set multiplot
set logscale y 10
set format y "10^{%T}"
set xlabel "time (s)"
set ylabel "residual over the first"
stats tsv using (column("seconds")) nooutput
eval panel(1, "")
unset label 1
eval legend_at(left_cm - 1, 0.3)
do for [k = 1:words(methods)] {
    if (k == 3 || k == 5) { legend_x = left_cm - 1; legend_y = legend_y + 0.45 }
    eval with_both(named(k), rgb(k), 1.2, 1, type(k), 0.7)
}
plot [0:1.05 * STATS_max] [1e-12:2] \
    for [k = 1:words(methods)] tsv using (only(strcol("method") eq named(k), column("seconds"))):(column("residual")) \
        with linespoints linecolor rgb rgb(k) linewidth 1.2 pointtype type(k) pointsize mark(0.7)
unset multiplot
