# SPDX-License-Identifier: GPL-3.0-or-later
#
# multigrid_error.gp - the error of a known solution over the unknowns, by order.

width_cm = 8.5
height_cm = 6.9
own_device = 1 # rounding apart, the errors are the same on every device
load plots."/style.gp"

operators = system("grep -v '^#' '".tsv."' | awk -F'\\t' 'NR > 1 && !seen[$1]++ { gsub(/ /, \"_\", $1); print $1 }'")
named(k) = system("echo '".word(operators, k)."' | tr _ ' '")
rgb(k) = int(word("0x0072B2 0xD55E00 0x009E73 0xAA4499", k))
type(k) = int(word("7 5 9 13", k))
digits(w) = w[1:strlen(w) - 1] # without the colon
order(k) = digits(word(named(k), 2)) + 0

rows_n = 1
columns_n = 1
legend_cm = 1.2
left_cm = 1.75
set multiplot
set logscale xy 10
set format x "10^{%T}"
set format y "10^{%T}"
set xlabel "unknowns"
set ylabel "largest error"
stats tsv using (column("unknowns")) nooutput
first = STATS_min; last = STATS_max
stats tsv using (column("error")) nooutput
least = STATS_min; most = STATS_max
eval panel(1, "")
unset label 1
eval legend_at(left_cm - 1, 0.3)
do for [k = 1:words(operators)] {
    if (k == 3) { legend_x = left_cm - 1; legend_y = 0.75 }
    eval with_both(named(k), rgb(k), 1.2, 1, type(k), 0.8)
}
legend_x = left_cm - 1 - legend_sample; legend_y = 1.2
eval item_text("dotted: the slope of that order")
# A slope of order p falls by 2^p while the unknowns grow eightfold; each from its first error.
at_first(k) = real(system(sprintf("awk -F'\\t' '$1 == \"%s\" { print $4; exit }' '%s'", named(k), tsv)))
array start[4]
do for [k = 1:words(operators)] { start[k] = at_first(k) }
set samples 100
slope(k, x) = start[k] * (x / first) ** (-order(k) / 3.0)
plot [0.7 * first:1.4 * last] [0.3 * least:3 * most] \
    for [k = 1:words(operators)] slope(k, x) \
        with lines linecolor rgb tint(rgb(k), 0.5) linewidth 0.8 dashtype 3, \
    for [k = 1:words(operators)] tsv using (only(strcol("operator") eq named(k), column("unknowns"))):(column("error")) \
        with linespoints linecolor rgb rgb(k) linewidth 1.2 pointtype type(k) pointsize mark(0.8)
unset multiplot
