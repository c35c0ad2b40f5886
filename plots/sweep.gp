# SPDX-License-Identifier: GPL-3.0-or-later
#
# sweep.gp - best height and peak speedup over one parameter, all benchmarks, both modes.

# Expects, besides what style.gp does: value (the column), value_label, value_unit (a divisor), base
# (of the logarithmic axis), tick_format, and shared (0: each mode has its own scales).

load plots."/style.gp"
if (model ne "" && value eq "threads") { value_label = "elements of the block" }

legend_cm = 0.5
right_cm = 0.75
set multiplot
set format x tick_format
set xlabel value_label
stats tsv using (column("h")) nooutput
h_top = 1.6 * STATS_max
do for [k = 1:4] {
    y = word(modes, 1 + (k - 1) % 2)
    eval panel(k, mode_name(y))
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [a in apps] { eval with_line(a, app_rgb(a), app_width(a), app_dash(a)) }
        eval with_mark("as on ".device, grey, 7, 0.9)
    }
    # A range of y would keep rows from `stats`.
    set yrange [*:*]
    unset logscale
    if (has(distinct("sync"), y)) {
        stats tsv using (only(shared || strcol("sync") eq y, column("speedup"))) nooutput
        s_top = 1 + 1.08 * (STATS_max - 1)
        stats tsv using (only(shared || strcol("sync") eq y, column(value))) nooutput
        x_left = STATS_min / value_unit
        x_right = STATS_max / value_unit
        if (x_left == x_right) { x_left = x_left / 2; x_right = x_right * 2 }
        set logscale x base
        if (k <= 2) {
            result = "h"
            set ylabel "best height {/:Italic h}* (loops)"
            set logscale y 2
            set yrange [0.9:h_top]
        } else {
            result = "speedup"
            set ylabel "speedup over {/:Italic h} = 1"
            set yrange [0.95:s_top]
            # Where one benchmark gains ten times what the others do.
            if (s_top > 10) { set logscale y 2 }
        }
        plot [x_left:x_right] for [a in apps] tsv \
                using (only(of(a, y, "sweep"), column(value) / value_unit)):(column(result)) \
                with lines linecolor rgb app_rgb(a) linewidth app_width(a) dashtype app_dash(a), \
            for [a in apps] tsv \
                using (only(of(a, y, "own"), column(value) / value_unit)):(column(result)) \
                with points linecolor rgb app_rgb(a) pointtype filled(a) pointsize mark(a eq "HotSpot" ? 1.2 : 0.8)
    } else {
        @empty
    }
}
unset multiplot
