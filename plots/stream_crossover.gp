# SPDX-License-Identifier: GPL-3.0-or-later
#
# stream_crossover.gp - elements that trapezoids compute over those that streamed tiles compute: above
# 1, streamed tiles compute less.

width_cm = 17
height_cm = 6.6
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
right_cm = 0.9
heights = "2 4 8"
height_rgb(h) = h eq "2" ? 0x0072B2 : h eq "4" ? 0xD55E00 : 0x009E73
row_of(kind, d, r, h) = strcol("kind") eq kind && column("D") == d && column("radius") == r \
    && strcol("h") eq h

set multiplot
set logscale x 4
set xlabel "local memory of a block"
set xtics ("16 KiB" 16, "64 KiB" 64, "256 KiB" 256, "1 MiB" 1024, "4 MiB" 4096, "16 MiB" 16384)
set ylabel "computed: trapezoid / streamed"
do for [k = 1:2] {
    eval panel(k, k == 1 ? "two dimensions" : "three dimensions (teeth: tiles of whole cells)")
    if (k == 1) {
        eval legend_at(left_cm, 0.35)
        do for [h in heights] { eval with_line("height ".h, height_rgb(h), 1.5, 1) }
        eval with_line("radius 2", grey, 1.5, 2)
        eval with_mark("crossover", grey, 7, 0.8)
    }
    if (k == 2) { set logscale y 2 }
    set arrow 50 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#808080" linewidth 0.7
    plot [15.5:17000] [k == 1 ? 0.9 : 0.8:k == 1 ? 1.5 : 16] for [h in heights] for [r = 1:2] tsv \
        using (only(row_of("curve", k + 1, r, h), column("local_memory") / 1024)):(column("gain")) \
        with lines linecolor rgb height_rgb(h) linewidth 1.5 dashtype r, \
        for [h in heights] for [r = 1:2] tsv \
        using (only(row_of("crossover", k + 1, r, h), column("local_memory") / 1024)):(column("gain")) \
        with points linecolor rgb height_rgb(h) pointtype (r == 1 ? 7 : 6) pointsize mark(0.8)
}
unset multiplot
