# SPDX-License-Identifier: GPL-3.0-or-later
#
# levels.gp - stacks of a V-cycle's levels, a panel for each smoother, with the depth in each level. Expects
# `ways`, words with _ for blanks, and columns app, way, extent, depth, from, to.

columns_n = 3
legend_cm = 0.6
left_cm = 1.35
right_cm = 0.35
bottom_cm = words(ways) > 3 ? 1.05 : 0.8
listed = distinct("app")
rows_n = words(listed) > 3 ? 2 : 1
title(w) = system("echo '".w."' | tr _ ' '")
array titles[words(ways)] # once: each is a process, and way_at() is called for every row and curve
do for [n = 1:words(ways)] { titles[n] = title(word(ways, n)) }
way_at(w) = sum [n = 1:words(ways)] (titles[n] eq w ? n : 0)
extents = distinct("extent")
level_at(e) = sum [n = 1:words(extents)] (word(extents, n) + 0 == e ? n : 0)
level_rgb(e, d) = d == 0 ? 0xb0b0b0 : int(word("0x0072B2 0x56B4E9 0x009E73 0xE69F00 0xAA4499 0xD55E00", level_at(e)))
at(a) = strcol("app") eq a && way_at(strcol("way")) > 0

set multiplot
set grid noxtics
set xtics scale 0 font ",6.5" ()
# Four names stand side by side in two lines.
in_lines(w) = words(ways) > 3 ? system("echo '".w."' | tr _ '\n'") : title(w)
do for [n = 1:words(ways)] { set xtics add (in_lines(word(ways, n)) n) }
set style fill solid 0.9 border rgb "#ffffff"
do for [k = 1:words(listed)] {
    a = word(listed, k)
    stats tsv using (only(at(a), 1e3 * (predicted && column("predicted") > column("to") ? column("predicted") : column("to")))) nooutput
    top = STATS_max
    set ylabel k % columns_n == 1 ? "time in a cycle (ms)" : ""
    eval panel(k, a)
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [n = 1:words(extents) - 1] {
            eval box_item(word(extents, n)."^3", level_rgb(word(extents, n) + 0, 1))
        }
        eval box_item("the tail", 0xb0b0b0)
        eval item_text("numbers: depth (loops)")
        if (exists("legend_more")) { eval legend_more }
    }
    plot [0.4:words(ways) + 0.6] [0:1.12 * top] \
        tsv using (only(at(a), way_at(strcol("way")))):(0):(way_at(strcol("way")) - 0.36):(way_at(strcol("way")) + 0.36): \
            (column("from") * 1e3):(column("to") * 1e3):(level_rgb(column("extent"), column("depth"))) \
            with boxxyerror linecolor rgb variable, \
        tsv using (only(at(a) && column("depth") > 0 && column("to") - column("from") > 0.05e-3 * top, way_at(strcol("way")))): \
            (0.5e3 * (column("from") + column("to"))):(sprintf("%d", column("depth"))) \
            with labels textcolor rgb "#ffffff" font ",6.5", \
        tsv using (only(predicted && at(a) && column("depth") == 0, way_at(strcol("way")))):(predicted ? column("predicted") * 1e3 : 0) \
            with points linecolor rgb "#000000" linewidth 1.4 pointtype 2 pointsize mark(1)
}
unset multiplot
