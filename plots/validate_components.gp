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
set format x power
set ylabel "time per loop"
do for [k = 1:3] {
    kind = word(kinds, k)
    eval panel(k, word(titles, k))
    if (k == 1) {
        set label 90 device.", ".date at screen 0.6 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.6, 0.8)
        do for [i = 1:words(apps)] { eval with_mark(word(apps, i), rgb_of(i), solid(i), 0.7) }
        eval with_mark("noisy", noisy_rgb, 2, 0.6)
        eval with_line("2011 model", grey, 1.2, 1)
        eval with_line("its component alone", grey, 1.2, 2)
    }
    if (k == 2) { set format x "%g"; set xtics (1, 2, 4, 8, 16, 32, 64); unset mxtics } \
    else { set format x power; set xtics autofreq; set mxtics default }
    set xlabel k == 1 ? "elements of the grid, {/:Italic h} = 1" : k == 2 ? \
        "height on the smallest grid (loops)" : "blocks of nearly empty kernels"
    if (has(distinct("kind"), kind)) {
        stats tsv using (only(strcol("kind") eq kind, column("measured"))) nooutput
        low = STATS_min; high = STATS_max
        stats tsv using (only(strcol("kind") eq kind, column("predicted"))) nooutput
        low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high
        stats tsv using (only(strcol("kind") eq kind, column("part"))) nooutput
        low = 0.7 * (STATS_min < low && STATS_min > 1e-3 * high ? STATS_min : low); high = 1.4 * high
        eval time_tics("y", low, high)
        stats tsv using (only(strcol("kind") eq kind, column("x"))) nooutput
        plot [0.8 * STATS_min:1.25 * STATS_max] [low:high] for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), column("x"))):(column("predicted")) \
                with lines linecolor rgb rgb_of(i) linewidth 1.2, \
            for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), column("x"))):(column("part")) \
                with lines linecolor rgb rgb_of(i) linewidth 1.2 dashtype 2, \
            for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), noisy(column("x")))): \
                (column("measured")) \
                with points linecolor rgb noisy_rgb pointtype 2 pointsize mark(0.5), \
            for [i = 1:words(apps)] tsv using \
                (only(of(word(apps, i), "restart", kind), sound(column("x")))): \
                (column("measured")):(column("low")):(column("high")) \
                with yerrorbars linewidth 0.8 linecolor rgb rgb_of(i) pointtype solid(i) pointsize mark(0.6)
    } else {
        @empty
    }
}
unset multiplot
