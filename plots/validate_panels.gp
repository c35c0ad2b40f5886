# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_panels.gp - measured over predicted, a panel per application; `kind` says which rows and
# `x_title` what is along.

width_cm = 17
rows_wanted = 2
height_cm = 11
load plots."/validate.gp"

legend_cm = 1.0
array_count = words(apps) > 4 ? 4 : words(apps)
shown(c) = only(strcol("app") eq a && strcol("kind") eq kind, column(c))
shown_gz2(c) = only(strcol("app") eq a && strcol("kind") eq kind, \
    strcol("gz2") eq "nan" ? column("predicted") : column("gz2"))
set multiplot
set xlabel x_title
set ylabel "time per loop"
set logscale y
if (kind eq "block") { set logscale x 2; set format x "%.0f" }
if (kind eq "size") { set logscale x; set format x power }
if (kind eq "height") { set format x "%g" }
do for [k = 1:array_count] {
    a = word(apps, k)
    eval panel(k, a)
    if (k == 1) {
        set label 90 device.", ".date at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.6, 0.8)
        do for [y in syncs] { eval with_mark(y.", measured", sync_rgb(y), sync_mark(y), 0.7) }
        if (two_models) { eval with_line("gz2", grey, 1.3, 1) }
        eval with_line("2011 model", grey, 1.1, 3)
        eval with_mark("noisy", noisy_rgb, 2, 0.7)
    }
    if (has(distinct_where("kind", "app", a), kind)) {
        stats tsv using (shown("measured")) nooutput
        low = STATS_min; high = STATS_max
        stats tsv using (shown("predicted")) nooutput
        low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high
        stats tsv using (shown_gz2(0)) nooutput
        low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high
        low = 0.7 * low; high = 1.4 * high
        stats tsv using (shown("x")) nooutput
        left = kind eq "height" ? 0.5 : 0.8 * STATS_min
        right = kind eq "height" ? STATS_max + 0.5 : 1.25 * STATS_max
        if (kind eq "height") { set xtics STATS_max > 12 ? 4 : STATS_max > 6 ? 2 : 1 }
        eval time_tics("y", low, high)
        plot [left:right] [low:high] for [y in syncs] tsv using \
                (only(of(a, y, kind), column("x"))):(column("predicted")) \
                with lines linecolor rgb sync_rgb(y) linewidth 1.1 dashtype 3, \
            for [y in (two_models ? syncs : "")] tsv using \
                (only(of(a, y, kind), column("x"))):(column("gz2")) \
                with lines linecolor rgb sync_rgb(y) linewidth 1.3, \
            for [y in syncs] tsv using \
                (only(of(a, y, kind), noisy(column("x")))):(column("measured")) \
                with points linecolor rgb noisy_rgb pointtype 2 pointsize mark(0.5), \
            for [y in syncs] tsv using \
                (only(of(a, y, kind), sound(column("x")))):(column("measured")):(column("low")): \
                (column("high")) with yerrorbars linecolor rgb sync_rgb(y) linewidth 0.8 \
                pointtype sync_mark(y) pointsize mark(0.5)
    } else {
        @empty
    }
}
unset multiplot
