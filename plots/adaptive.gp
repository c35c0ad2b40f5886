# SPDX-License-Identifier: GPL-3.0-or-later
#
# adaptive.gp - Section 5.4.2: heights that adaptive selection tries, from two starts.

width_cm = 17
height_cm = 10.6
load plots."/style.gp"

legend_cm = 0.5
measured = has(distinct("kind"), "measured")
start(a, s, k) = strcol("app") eq a && strcol("start") eq s && strcol("kind") eq k

set multiplot
set xlabel "loops done"
set ylabel "height {/:Italic h} (loops)"
set xtics 5
do for [k = 1:4] {
    a = word(all_apps, k)
    eval panel(k, a)
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        eval with_both("from the height of the model", grey, 1.5, 1, 7, 0.8)
        eval with_both("from 1", grey, 1.5, 2, 6, 0.8)
    }
    if (has(apps, a)) {
        stats tsv using (only(strcol("app") eq a, column("h"))) nooutput
        top = STATS_max * 1.6 + 0.5
        do for [n = 1:2] {
            s = word("model one", n)
            stats tsv using (only(start(a, s, "total"), column("speedup"))) nooutput
            summary = sprintf("from %s: speedup %.2f", n == 1 ? "model" : "1", STATS_max)
            if (measured) {
                stats tsv using (only(start(a, s, "measured"), column("speedup"))) nooutput
                summary = summary.sprintf(" (paper: %.2f)", STATS_max)
            }
            set label 1 + n summary at graph 0.98, graph 1.02 - 0.1 * n right
        }
        step = top > 12 ? 4 : 1
        set ytics 0, step
        plot [0:30] [0:top] for [n = 2:1:-1] tsv \
                using (only(start(a, word("model one", n), "stage") \
                    || start(a, word("model one", n), "total"), column("loop"))):(column("h")) \
                with steps linecolor rgb tint(app_rgb(a), n == 1 ? 0 : -0.4) linewidth 1.4 \
                dashtype n, \
            for [n = 2:1:-1] tsv \
                using (only(start(a, word("model one", n), "stage"), column("loop"))):(column("h")) \
                with points linecolor rgb tint(app_rgb(a), n == 1 ? 0 : -0.4) \
                pointtype (n == 1 ? 7 : 6) pointsize mark(n == 1 ? 0.5 : 0.8)
    } else {
        @empty
    }
}
unset multiplot
