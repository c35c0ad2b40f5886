# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_fits.gp - gz2, less one part at a time, beside the 2011 model: errors on
# points that were not fitted to.

width_cm = 12
height_cm = 8
own_device = 1
load plots."/style.gp"

set lmargin at screen 5.2 / width_cm
set rmargin at screen 1 - 0.5 / width_cm
set tmargin at screen 1 - 1.3 / height_cm
set bmargin at screen 1.2 / height_cm
# The verdict has one row per model for its first choice of points; others repeat a name.
rows = int(system(sprintf("awk -F'\\t' '/^#/ || /^model/ { next } !seen[$1]++ { n++ } END { print n }' '%s'", tsv)))
set label 1 device at screen 0.4 / width_cm, screen 1 - 0.35 / height_cm left
eval legend_at(5.2, 0.85)
eval with_mark("median", 0x0072B2, 7, 0.9)
eval with_mark("95th percentile", 0xD55E00, 6, 0.9)
set logscale x 10
set xtics (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
set grid noytics
set xlabel "|predicted / measured - 1|"
at(r) = rows - r
set ytics scale 0
seen = 0
stats tsv every ::0::rows - 1 using (column("error")) nooutput
least = STATS_min
stats tsv every ::0::rows - 1 using (column("error_95")) nooutput
plot [least / 1.4:1.4 * STATS_max] [0.3:rows + 0.7] \
    tsv every ::0::rows - 1 using (column("error")):(at(column(0))):ytic(1) with points \
        linecolor rgb 0x0072B2 pointtype 7 pointsize mark(0.9), \
    tsv every ::0::rows - 1 using (column("error_95")):(at(column(0))) with points \
        linecolor rgb 0xD55E00 linewidth 1.4 pointtype 6 pointsize mark(0.9)
