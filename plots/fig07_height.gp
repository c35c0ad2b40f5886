# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig07_height.gp - Fig. 7: cost of a loop over the height, both synchronisations.

width_cm = 17
height_cm = 10.6
load plots."/style.gp"

legend_cm = 0.5
legend_sample = 0.5
legend_gap = 0.35
measured = has(distinct("kind"), "measured")

# Open circles are wide, so that what lies on the same height shows within.
best_size(y) = y eq "restart" ? 0.9 : 1.5

set multiplot
set xlabel h_label
do for [k = 1:4] {
    a = word(all_apps, k)
    c = app_rgb(a)
    eval panel(k, a)
    if (k == 1) {
        eval legend_at(0.5, 0.35)
        do for [y in modes] { eval with_line(mode_name(y), grey, 1.5, mode_dash(y)) }
        do for [y in modes] { eval with_mark("best, ".y, grey, mode_mark(y), best_size(y)) }
        if (measured) {
            do for [y in modes] { eval with_mark("paper, ".y, 0, measured_mark(y), 1.1) }
        }
    }
    if (has(apps, a)) {
        # Past the minimum CPL only rises to the pole; heights 1 and 2 are always shown.
        stats tsv using (only(strcol("app") eq a && strcol("kind") eq "whole" \
            && column("h") <= 2, column("CPL"))) nooutput
        top = 1.1 * STATS_max
        stats tsv using (only(strcol("app") eq a && strcol("kind") ne "curve" \
            && strcol("kind") ne "whole", column("CPL"))) nooutput
        bottom = 0.85 * STATS_min
        e = exponent(top)
        set ylabel cpl_label(e)
        stats tsv using (only(strcol("app") eq a && strcol("kind") eq "best", column("h"))) nooutput
        right = 2.5 * STATS_max
        step = right > 12 ? 10 : 1
        set xtics 0, step
        if (k == 1 && measured) {
            set label 3 "paper: its measured speedup\nat its best height" at graph 0.98, graph 0.9 right \
                font ",6" textcolor rgb "#606060"
        }
        plot [right > 12 ? 0 : 0.8:right] [bottom / 10 ** e:top / 10 ** e] \
            tsv using (only(of(a, "restart", "curve"), column("h"))):(column("CPL") / 10 ** e) \
                with lines linecolor rgb c linewidth 1.5, \
            tsv using (only(of(a, "fence", "curve"), column("h"))):(column("CPL") / 10 ** e) \
                with lines linecolor rgb c linewidth 1.5 dashtype 2, \
            for [y in modes] tsv \
                using (only(of(a, y, "best"), column("h"))):(column("CPL") / 10 ** e) \
                with points linecolor rgb c linewidth 1.2 pointtype mode_mark(y) \
                pointsize mark(best_size(y)), \
            for [y in measured ? modes : ""] tsv \
                using (only(of(a, y, "measured"), column("h"))):(column("CPL") / 10 ** e) \
                with points linecolor rgb "black" pointtype measured_mark(y) \
                pointsize mark(1.1) linewidth 1.3
    } else {
        @empty
    }
}
unset multiplot
