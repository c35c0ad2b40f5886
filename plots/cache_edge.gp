# SPDX-License-Identifier: GPL-3.0-or-later
#
# cache_edge.gp - time of an element and best height over the grid's size.

width_cm = 17
height_cm = 7.3
load plots."/style.gp"

rows_n = 1
legend_cm = 1.1
legend_gap = 0.3
legend_sample = 0.5
kinds = "h1 h2 h4 h8"
kind_rgb(n) = word("0x0072B2 0x009E73 0xD55E00 0xAA4499", n) + 0
is(a, k) = strcol("app") eq a && strcol("kind") eq k

set multiplot
set logscale x 10
set format x "10^{%T}"
set xlabel "bytes that a stage touches at {/:Italic h} = 1"
set ylabel "time per element and loop (ps)"
eval panel(1, "HotSpot, by height")
eval legend_at(left_cm, 0.85)
do for [n = 1:words(kinds)] {
    eval with_line("h = ".word("1 2 4 8", n), kind_rgb(n), 1.4, 1)
}
stats tsv using (only(is("HotSpot", "h1"), column("bytes"))) nooutput
first = STATS_min; last = STATS_max
set logscale y 10
stats tsv using (only(strcol("app") eq "HotSpot" && strcol("kind") ne "best", column("element_time") * 1e12)) nooutput
set format y "%g"
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
unset mytics
plot [first:last] [0.8 * STATS_min:1.2 * STATS_max] for [n = 1:words(kinds)] tsv \
    using (only(is("HotSpot", word(kinds, n)), column("bytes"))):(column("element_time") * 1e12) \
    with lines linecolor rgb kind_rgb(n) linewidth 1.4
unset logscale y
set ytics auto
set ylabel "best height (loops)"
eval panel(2, "best height in one block")
eval legend_at(9.4, 0.85)
do for [a in apps] { eval with_line(a, app_rgb(a), 1.3, app_dash(a)) }
set logscale y 2
stats tsv using (only(strcol("kind") eq "best", column("h"))) nooutput
plot [first:last] [0.9:1.3 * STATS_max] for [a in apps] tsv using (only(is(a, "best"), column("bytes"))) \
    :(column("h")) with steps linecolor rgb app_rgb(a) linewidth 1.3 dashtype app_dash(a)
unset multiplot
