# SPDX-License-Identifier: GPL-3.0-or-later
#
# elasticity.gp - all parameters, ranked by how much they move the optimum.

width_cm = 17
height_cm = 14
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
left_cm = 3.9
right_cm = 0.2
stats tsv using (column("rank")) nooutput
last = STATS_max

set multiplot
set grid ytics xtics
set ylabel ""
set ytics noenhanced
# The two synchronisations and the benchmarks stand one above the other in a parameter's row.
row(a, y) = column("rank") + 0.09 * (app_index(a) - 2.5) + (y eq "restart" ? -0.18 : 0.18)
do for [k = 1:2] {
    result = k == 1 ? "cpl" : "height"
    eval panel(k, k == 1 ? "cost of a loop at the optimum" : "optimal height")
    set xlabel k == 1 ? "{/:Italic ∂} ln {/:Italic CPL} / {/:Italic ∂} ln {/:Italic p}" \
        : "d ln {/:Italic h}* / d ln {/:Italic p}"
    step = k == 1 ? 1 : 0.4
    set xtics step
    if (k == 1) {
        eval legend_at(2, 0.35)
        do for [a in apps] { eval with_mark(a, app_rgb(a), filled(a), 0.8) }
        eval with_mark("open: memory fences", grey, 6, 0.8)
    }
    set arrow 50 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb grey linewidth 0.7 back
    plot [] [last + 0.7:0.3] \
        tsv using (0):"rank":ytic(1) with points pointtype -1, \
        for [a in apps] for [y in modes] tsv \
        using (only(strcol("app") eq a && strcol("sync") eq y, column(result))):(row(a, y)) \
        with points linecolor rgb app_rgb(a) pointtype (y eq "restart" ? filled(a) : open(a)) \
        pointsize mark(0.7)
}
unset multiplot
