# SPDX-License-Identifier: GPL-3.0-or-later
#
# image.gp - what the images share: one square field of gzrun's --output, with its colour box. Expects
# x_title, y_title, z_title, low, high and step of both axes, how far inside `low` the first cell
# lies, in cells, and the `column` of the values.

width_cm = 8.5
height_cm = 7.1
load plots."/style.gp"

set datafile nocolumnheaders
set lmargin at screen 1.45 / width_cm
set rmargin at screen 6.85 / width_cm
set bmargin at screen 1.1 / height_cm
set tmargin at screen 6.5 / height_cm
unset grid
set border 15 linewidth 0.6 linecolor rgb "#404040"
set xlabel x_title
set ylabel y_title
set xtics step
set ytics step
eval image_palette
set colorbox user origin screen 7.05 / width_cm, screen 1.1 / height_cm \
    size screen 0.25 / width_cm, screen 5.4 / height_cm noborder
set label 1 z_title at screen 1 - 0.2 / width_cm, screen 1 - 0.3 / height_cm right
stats tsv using column nooutput
n = int(sqrt(STATS_records) + 0.5)
at(i) = low + (high - low) * (i + first) / (n - 1 + 2 * first)
plot [low:high] [low:high] tsv using (at(int($0) % n)):(at(int($0) / n)):column with image
