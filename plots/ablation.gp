# SPDX-License-Identifier: GPL-3.0-or-later
#
# ablation.gp - gz2 less one term at a time: how much the time of a loop changes,
# and where leaving the term out makes the choice of block and height more than 2 % slower.

width_cm = 17
height_cm = 12
load plots."/style.gp"

legend_cm = 1.2
legend_gap = 0.35
legend_sample = 0.55
all_terms = "launch latency issue memory cache l2 occupancy norm"
rgb_of(t) = int(word("0x0072B2 0xD55E00 0x009E73 0xAA4499 0x56B4E9 0x8C6D00 0x666666 0x000000", \
    sum [n = 1:words(all_terms)] (word(all_terms, n) eq t ? n : 0)))
# Terms that change the time by less than this nowhere are left out, and named.
least = 0.01
terms = system(sprintf("awk -F'\t' -v all='%s' -v least=%g '/^#/ { next } !header { for (i = 1; i <= NF; i++) at[$i] = i; header = 1; next } " \
    ."{ c = $at[\"change\"]; if (c > least || c < -least) moves[$at[\"without\"]] = 1 } " \
    ."END { n = split(all, t, \" \"); for (k = 1; k <= n; k++) if (t[k] in moves) { list = list (list == \"\" ? \"\" : \" \") t[k] }; print list }' '%s'", all_terms, least, tsv))
still = ""
do for [t in all_terms] { if (!has(terms, t)) { still = still." ".t } }
title(n) = word(terms, n) eq "l2" ? "L2" : word(terms, n)
term_rgb(n) = rgb_of(word(terms, n))
is(a, n) = strcol("app") eq a && strcol("without") eq word(terms, n)

set multiplot
set logscale x 10
set format x "10^{%T}"
set xlabel "elements of the grid"
set ylabel "change of time (%)"
stats tsv using (column("elements")) nooutput
first = STATS_min; last = STATS_max
stats tsv using (100 * column("change")) nooutput
low = STATS_min < -100 ? -100 : STATS_min; high = STATS_max > 100 ? 100 : STATS_max
do for [k = 1:words(apps)] {
    a = word(apps, k)
    eval panel(k, a)
    if (k == 1) {
        set label 90 "without".(still eq "" ? "" : " (less than 1 %:".still.")") at screen 0.4 / width_cm, screen 1 - 0.3 / height_cm left
        eval legend_at(0.4, 0.8)
        do for [n = 1:words(terms)] { eval with_line(title(n), term_rgb(n), 1.3, 1) }
        set label 89 "" at screen 9.2 / width_cm, screen 1 - 0.3 / height_cm point pointtype 7 pointsize mark(0.6) \
            linecolor rgb "#404040"
        set label 88 "the choice without it is more than 2 % slower" \
            at screen 9.45 / width_cm, screen 1 - 0.3 / height_cm left
    }
    plot [first:last] [low - 5:high + 5] \
        for [n = 1:words(terms)] tsv using (only(is(a, n), column("elements"))):(100 * column("change")) \
            with lines linecolor rgb term_rgb(n) linewidth 1.3, \
        for [n = 1:words(terms)] tsv using \
            (only(is(a, n) && column("regret") > 0.02, column("elements"))):(100 * column("change")) \
            with points linecolor rgb term_rgb(n) pointtype 7 pointsize mark(0.5)
}
unset multiplot
