# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_components.gp - component by component, where each stands out: measured time, the whole
# prediction, and the share of that component in it; kernel restarts.

width_cm = 17
height_cm = 7.2
load plots."/validate.gp"

columns_n = 3
rows_n = 1
legend_cm = 1.0
titles = "memory computation synchronisation"
kinds = "memory computation sync"
set multiplot
set logscale xy
set format power
set ylabel "time per loop (s)"
do for [k = 1:3] {
    kind = word(kinds, k)
    eval panel(k, word(titles, k))
    if (k == 1) {
        set label 90 device.", ".date at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.6, 0.8)
        do for [i = 1:words(apps)] { eval with_mark(word(apps, i), rgb_of(i), solid(i), 0.7) }
        eval with_line("predicted", grey, 1.2, 1)
        eval with_line("the component alone", grey, 1.2, 2)
    }
    if (k == 2) { set format x "%g" } else { set format x power }
    set xlabel k == 1 ? "elements of the grid, {/:Italic h} = 1" : k == 2 ? \
        "height on the smallest grid (loops)" : "blocks of nearly empty kernels"
    if (has(distinct("kind"), kind)) {
        stats tsv using (only(strcol("kind") eq kind, column("x"))) nooutput
        plot [0.8 * STATS_min:1.25 * STATS_max] for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), column("x"))):(column("predicted")) \
                with lines linecolor rgb rgb_of(i) linewidth 1.2, \
            for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), column("x"))):(column("part")) \
                with lines linecolor rgb rgb_of(i) linewidth 1.2 dashtype 2, \
            for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), sound(column("x")))): \
                (column("measured")) \
                with points linecolor rgb rgb_of(i) pointtype solid(i) pointsize mark(0.6)
    } else {
        @empty
    }
}
unset multiplot
