# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranks_measured.gp - a loop's time over the loops between two exchanges, measured on two ranks and
# predicted, with messages that are delayed; a panel for each grid.

width_cm = 17
height_cm = 7.2
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
top_cm = 0.75
grids = distinct("grid")
delays = distinct("delay")
rgb(k) = int(word("0x0072B2 0x009E73 0xD55E00 0xAA4499", k))
type(k) = int(word("7 5 9 13", k))
row(g, k, kind) = strcol("grid") eq word(grids, g) && strcol("delay") eq word(delays, k) && strcol("kind") eq kind
given(g, k, what) = only(row(g, k, "given"), column(what))
chosen(g, k, what) = only(row(g, k, "chosen"), column(what))
name(g) = system("echo '".word(grids, g)."' | sed 's/:/, /'")
amount(s) = s + 0 == 0 ? "as they are" : s >= 1e-3 ? sprintf("%g ms slower", s * 1e3) : sprintf("%g µs slower", s * 1e6)

set multiplot
set logscale xy 2
set xlabel "loops between exchanges"
do for [g = 1:words(grids)] {
    set ylabel g == 1 ? "time per loop (µs)" : ""
    eval panel(g, name(g)." cells a side, two ranks")
    if (g == 1) {
        eval legend_at(left_cm, 0.35)
        legend_x = legend_x - legend_sample
        eval item_text("messages:")
        do for [k = 1:words(delays)] {
            eval with_mark(amount(word(delays, k) + 0), rgb(k), type(k), 0.8)
        }
        eval with_line("predicted", grey, 1.2, 2)
        eval with_mark("chosen", grey, 6, 1.5)
    }
    plot for [k = 1:words(delays)] tsv using (given(g, k, "depth")):(column("predicted") * 1e6) \
            with lines linecolor rgb rgb(k) linewidth 1.2 dashtype 2, \
        for [k = 1:words(delays)] tsv using (given(g, k, "depth")):(column("seconds") * 1e6) \
            with points linecolor rgb rgb(k) pointtype type(k) pointsize mark(0.8), \
        for [k = 1:words(delays)] tsv using (chosen(g, k, "depth")):(column("seconds") * 1e6) \
            with points linecolor rgb rgb(k) pointtype 6 pointsize mark(1.5) linewidth 1.2
}
unset multiplot
