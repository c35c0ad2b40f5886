# SPDX-License-Identifier: GPL-3.0-or-later
#
# second_both_models.gp - the paper's sensitivity studies under both models.

width_cm = 17
height_cm = 12
load plots."/style.gp"

legend_cm = 0.9
studies = "dimension halo block cpi"
heading(k) = k eq "dimension" ? "dimensions" : k eq "halo" ? "halo width" : k eq "block" ? \
    "block size" : "cost of an instruction"
x_title(k) = k eq "dimension" ? "dimensions" : k eq "halo" ? "halo width (elements)" : \
    k eq "block" ? "elements of the block" : "cost of an instruction over the device's own"
is(k, m, a) = strcol("study") eq k && strcol("model") eq m && strcol("app") eq a

set multiplot
set ylabel "speedup at the best height"
do for [n = 1:4] {
    k = word(studies, n)
    eval panel(n, heading(k))
    if (n == 1) {
        eval legend_at(4.4, 0.35)
        do for [a in apps] { eval with_both(a, app_rgb(a), 1.3, 1, filled(a), 0.7) }
        eval with_line("2011 model (open)", grey, 1.2, 2)
        set label 90 device at screen 0.4 / width_cm, screen 1 - 0.35 / height_cm left
    }
    set xlabel x_title(k)
    unset logscale
    set xtics auto
    stats tsv using (only(strcol("study") eq k, column("value"))) nooutput
    low = STATS_min; high = STATS_max
    if (k eq "block") { set logscale x 2; set xtics (128, 512, 2048, 8192, 32768); low = low / 1.2; high = high * 1.2 }
    if (k eq "cpi") { set logscale x 2; set xtics (0.0625, 0.25, 1, 4, 16); low = low / 1.1; high = high * 1.1 }
    if (k eq "dimension") { set xtics 1, 1, 3; low = 0.8; high = 3.2 }
    if (k eq "halo") { set xtics 2, 2, 8; low = 1.6; high = 8.4 }
    stats tsv using (only(strcol("study") eq k, column("speedup"))) nooutput
    plot [low:high] [0.9:STATS_max * 1.1] \
        for [a in apps] tsv using (only(is(k, "gz2", a), column("value"))):(column("speedup")) \
            with linespoints linecolor rgb app_rgb(a) linewidth 1.3 pointtype filled(a) \
            pointsize mark(0.6), \
        for [a in apps] tsv using (only(is(k, "meng2011", a), column("value"))):(column("speedup")) \
            with linespoints linecolor rgb app_rgb(a) linewidth 1 dashtype 2 pointtype open(a) \
            pointsize mark(0.6)
}
unset multiplot
