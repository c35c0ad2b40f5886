# SPDX-License-Identifier: GPL-3.0-or-later
#
# tuner_regret.gp - what is lost against the best measured after so many runs: the tuner, the model's
# ranking alone, the process without a model, and random choice. Trapezoids alone and all variants.

width_cm = 17
height_cm = 7
own_device = 1
load plots."/style.gp"

ways = "tuner model process random"
names(w) = w eq "tuner" ? "tuner" : w eq "model" ? "gz2 alone" : \
    w eq "process" ? "process alone" : "random"
rgb(w) = int(word("0x0072B2 0xD55E00 0x009E73 0x808080", w eq "tuner" ? 1 : w eq "model" ? 2 : w eq "process" ? 3 : 4))
row(p, w) = strcol("points") eq p && strcol("way") eq w
stops(p) = real(system(sprintf("awk -F'\\t' '$1 == \"%s\" && $2 == \"tuner\" { print $6; exit }' '%s'", p, tsv)))

set xlabel "measured runs"
set xtics 4
rows_n = 1
legend_cm = 0.7
set multiplot
do for [n = 1:2] {
    p = word("trapezoids all", n)
    eval panel(n, n == 1 ? "trapezoids" : "all variants, most streams without a prediction")
    if (n == 1) {
        eval legend_at(1.5, 0.35)
        do for [w in ways] { eval with_line(names(w), rgb(w), 1.6, 1) }
        eval with_line("median", grey, 1.2, 3)
    }
    set label 3 sprintf("the tuner stops: %.1f in the mean", stops(p)) \
        at stops(p) + 0.3, 150 left font ",6" textcolor rgb "#606060"
    set arrow 1 from stops(p), 160 to stops(p), 0 nohead linecolor rgb "#606060" linewidth 0.6 dashtype 3
    set ylabel n == 1 ? "time over the best (%), 95th percentile" : ""
    plot [0.5:20.5] [0:160] \
        for [w in ways] tsv using (only(row(p, w), column("runs"))):(100 * column("high")) with lines \
            linecolor rgb rgb(w) linewidth 1.6, \
        for [w in ways] tsv using (only(row(p, w), column("runs"))):(100 * column("median")) with lines \
            linecolor rgb rgb(w) linewidth 1.2 dashtype 3
}
unset multiplot
