# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranks_levels.gp - a visit to each of multigrid's levels on ranks, predicted: computing and exchanging, with halos exchanged
# in every loop and after the best number of loops, which is above; a panel for each number of ranks.

width_cm = 17
height_cm = 12
load plots."/style.gp"

top_cm = 0.75
legend_cm = 0.6
legend_gap = 0.3
legend_sample = 0.6
ranks = distinct("ranks")
extents = distinct("extent")
level_at(e) = sum [n = 1:words(extents)] (word(extents, n) + 0 == e ? n : 0)
way(w, r) = strcol("way") eq w && column("ranks") == word(ranks, r) + 0
left_of(w) = level_at(column("extent")) + (w eq "best" ? 0.02 : -0.38)
ways = "every best"
of_way(w, r) = way(w eq "best" ? w : "every loop", r)
compute_rgb(w) = w eq "best" ? 0x0072B2 : tint(0x0072B2, 0.5)
exchange_rgb(w) = w eq "best" ? 0xD55E00 : tint(0xD55E00, 0.5)
network = system(sprintf("sed -n 's/^# note: predicted for \\([^,]*\\),.*/\\1/p' '%s'", tsv))
us(x) = 1e6 * x

set multiplot
set grid noxtics
set style fill solid 0.9 border rgb "#ffffff"
set xtics scale 0 ()
do for [n = 1:words(extents)] { set xtics add (word(extents, n)."^3" n) }
do for [r = 1:words(ranks)] {
    do for [w in ways] {
        stats tsv using (only(of_way(w, r), us(column("to")))) nooutput
        if (w eq "best") { best = STATS_max } else { every = STATS_max }
    }
    # The panels of a row share their scale.
    row_first = r % 2 == 1 ? r : r - 1
    stats tsv using (only(column("ranks") >= word(ranks, row_first) + 0 && column("ranks") <= word(ranks, row_first + 1 > words(ranks) ? row_first : row_first + 1) + 0, \
        us(column("to") - column("from")))) nooutput
    set xlabel (r > 2 ? "cells of the level (gsrb, ".network.")" : "")
    set ylabel (r % columns_n == 1 ? "predicted time of a visit (µs)" : "")
    eval panel(r, sprintf("%s ranks: a cycle takes %.0f µs, not %.0f", word(ranks, r), best, every))
    if (r == 1) {
        eval legend_at(left_cm, 0.35)
        eval box_item("computing", compute_rgb("best"))
        eval box_item("exchanging", exchange_rgb("best"))
        eval box_item("every loop", exchange_rgb("every"))
        eval item_text("numbers: loops between exchanges, 0: gathered")
    }
    plot [0.4:words(extents) + 0.6] [0:1.12 * STATS_max] \
        for [w in ways] tsv using (only(of_way(w, r), left_of(w))):(0):(left_of(w)):(left_of(w) + 0.36): \
            (0):(us(column("compute"))) with boxxyerror linecolor rgb compute_rgb(w), \
        for [w in ways] tsv using (only(of_way(w, r), left_of(w))):(0):(left_of(w)):(left_of(w) + 0.36): \
            (us(column("compute"))):(us(column("compute") + column("exchange"))) \
            with boxxyerror linecolor rgb exchange_rgb(w), \
        tsv using (only(way("best", r), left_of("best") + 0.18)): \
            (us(column("compute") + column("exchange")) + 0.05 * STATS_max):(sprintf("%d", column("depth"))) \
            with labels font ",6.5"
}
unset multiplot
