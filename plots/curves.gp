# SPDX-License-Identifier: GPL-3.0-or-later
#
# curves.gp - a panel per benchmark: curves over the height, one for each value of a column.
# Expects, besides what style.gp does: value (the column), value_name and value_title(v) (its
# legend), and result: "CPL", "speedup" (over h = 1 of the same curve) or "gain" (over h = 1 of the
# first curve).

load plots."/style.gp"

top_cm = 1.1
legend_sample = 0.47
legend_gap = 0.3
value_of(v) = strcol(value) eq v

set multiplot
set xlabel h_label
set logscale x 2
do for [k = 1:4] {
    a = word(all_apps, k)
    eval panel(k, a.", by ".value_name)
    if (has(apps, a)) {
        values = distinct_where(value, "app", a)
        n = words(values)
        stats tsv using (only(strcol("app") eq a && column("h") == 1 \
            && value_of(word(values, 1)), column("CPL"))) nooutput
        base = STATS_max
        stats tsv using (only(strcol("app") eq a && strcol("kind") eq "best", column("CPL"))) \
            nooutput
        if (result eq "CPL") {
            e = exponent(STATS_max)
            set ylabel cpl_label(e)
            set logscale y 10
            set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
            bottom = STATS_min / 10 ** e / 1.5
            top = STATS_max / 10 ** e * 5
        } else {
            set ytics auto
            set ylabel result eq "gain" ? "speedup over ".value_title(word(values, 1)).", {/:Italic h} = 1" \
                : "speedup over {/:Italic h} = 1"
            stats tsv using (only(strcol("app") eq a && strcol("kind") eq "curve", \
                result eq "gain" ? base / column("CPL") : column("speedup"))) nooutput
            bottom = 0
            top = 1.08 * STATS_max
        }
        y_of(h) = result eq "CPL" ? column("CPL") / 10 ** e \
            : result eq "gain" ? base / column("CPL") : column("speedup")
        stats tsv using (only(strcol("app") eq a, column("h"))) nooutput
        right = STATS_max
        eval legend_at(panel_left(k) + 0.1, panel_top(k) - 0.25)
        do for [m = 1:n] {
            eval with_line(value_title(word(values, m)), shade(a, m, n), 1.4, series_dash(m))
        }
        plot [1:right] [bottom:top] \
            for [m = 1:n] tsv \
                using (only(strcol("app") eq a && strcol("kind") eq "curve" \
                    && value_of(word(values, m)), column("h"))):(y_of(0)) \
                with lines linecolor rgb shade(a, m, n) linewidth 1.4 dashtype series_dash(m), \
            for [m = 1:n] tsv \
                using (only(strcol("app") eq a && strcol("kind") eq "best" \
                    && value_of(word(values, m)), column("h"))):(y_of(0)) \
                with points linecolor rgb shade(a, m, n) pointtype filled(a) pointsize mark(0.8)
    } else {
        @empty
    }
}
unset multiplot
