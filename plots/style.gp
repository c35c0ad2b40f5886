# SPDX-License-Identifier: GPL-3.0-or-later
#
# style.gp - what all figures share: size and font on paper, colours and markers of the benchmarks,
# and access to a study's TSV by column name. Expects width_cm, height_cm (8.5 cm is one column of a
# journal, 17 cm the page), and from draw.gp: format, stem, tsv, plots.

# The bitmap has 300 pixels an inch and SVG 96 units; cairo scales fonts as if from 96.
font_pt = "7.5"
face = "DejaVu Sans"
if (format eq "pdf") {
    set terminal pdfcairo size width_cm cm, height_cm cm font face.",".font_pt \
        fontscale 72 / 96. linewidth 1.5 butt
}
if (format eq "png") {
    set terminal pngcairo size width_cm / 2.54 * 300, height_cm / 2.54 * 300 \
        font face.",".font_pt fontscale 300 / 96. linewidth 3 \
        pointscale 300 / 72. butt
}
if (format eq "svg") {
    set terminal svg size width_cm / 2.54 * 96, height_cm / 2.54 * 96 name figure \
        font face.",".font_pt fontscale 96 / 72. linewidth 1 butt \
        background "#ffffff"
}
# Markers and dashes: SVG has another unit for each than cairo; a marker of 1 is about 1.5 mm in all.
svg = format eq "svg"
mark(x) = x * (svg ? 1.18 : 0.8)
dash(x) = x * (svg ? 0.4 : 1)
set pointsize mark(0.6)
set output stem.".".format

set encoding utf8
set datafile separator "\t"
set datafile columnheaders
set samples 2

set border 3 linewidth 0.6 linecolor rgb "#404040"
set tics out nomirror scale 0.6, 0.3
set format "%g"
set grid xtics ytics linetype 1 linecolor rgb "#e4e4e4" linewidth 0.5
unset key
set dashtype 2 (dash(12), dash(7))
set dashtype 3 (svg ? 1.8 : 3, svg ? 2.8 : 6)
set dashtype 4 (dash(14), dash(6), dash(3), dash(6))
set dashtype 5 (dash(14), dash(6), dash(3), dash(6), dash(3), dash(6))
set xlabel offset 0, 0.4
# SVG takes the digits of tick labels for narrower than they are.
set ylabel offset svg ? -0.8 : 0.3, 0

# The benchmarks: colours that the colour-blind tell apart (Okabe and Ito's, purple darkened),
# and a marker each, filled for kernel restarts and open for memory fences.
all_apps = "PathFinder HotSpot Poisson Cell"
app_index(a) = a eq "PathFinder" ? 1 : a eq "HotSpot" ? 2 : a eq "Poisson" ? 3 : 4
app_rgb(a) = int(word("0x0072B2 0xD55E00 0x009E73 0xAA4499", app_index(a)))
filled(a) = int(word("7 5 9 13", app_index(a)))
open(a) = int(word("6 4 8 12", app_index(a)))
app_dash(a) = int(word("1 2 4 5", app_index(a)))
# HotSpot's line shows on both sides of Poisson's, which lies on it in many figures.
app_width(a) = a eq "HotSpot" ? 2.6 : a eq "Poisson" ? 1 : 1.5

# The dissertation's smoothers: likewise; filled if the tile is a box, open for thread blocks.
smoothers = "Star7 Star13 Box27 Box125 Star7vc Gsrb"
# (6 for what is none, since gnuplot looks at the style of a plot over an empty list, too.)
smoother_at(a) = sum [n = 1:6] (word(smoothers, n) eq a ? n : 0)
smoother_index(a) = smoother_at(a) > 0 ? smoother_at(a) : 6
smoother_rgb(a) = int(word("0x0072B2 0x56B4E9 0xD55E00 0x8A3B00 0x009E73 0xAA4499", smoother_index(a)))
smoother_filled(a) = int(word("7 9 5 11 13 15", smoother_index(a)))
smoother_open(a) = int(word("6 8 4 10 12 14", smoother_index(a)))

# The dashes of other series, in order.
series_dash(k) = 1 + (k - 1) % 5

# A colour mixed with black (f < 0) or with white (f > 0).
channel(c, f, shift) = int(((c >> shift) & 255) * (1 - abs(f)) + (f > 0 ? 255 * f : 0))
tint(c, f) = (channel(c, f, 16) << 16) + (channel(c, f, 8) << 8) + channel(c, f, 0)
# The k-th of n shades of a benchmark's colour, from dark to light.
shade(a, k, n) = tint(app_rgb(a), n == 1 ? 0 : -0.45 + 0.8 * (k - 1) / (n - 1.0))

# Colours of an image, of even perceived steps and for every eye (viridis, by Smith and van der Walt).
image_palette = "set palette defined (0 '0x440154', 1 '0x472c7a', 2 '0x3b518b', 3 '0x2c718e', " \
    ."4 '0x21908d', 5 '0x27ad81', 6 '0x5cc863', 7 '0xaadc32', 8 '0xfde725')"

# Distinct values of a column of the TSV: of all rows, or of those with a given value in another column.
distinct(column) = system(sprintf("awk -f '%s/distinct.awk' -v want=%s '%s'", plots, column, tsv))
distinct_where(column, where, value) = system(sprintf( \
    "awk -f '%s/distinct.awk' -v want=%s -v where=%s -v is='%s' '%s'", \
    plots, column, where, value, tsv))
has(list, value) = strstrt(" ".list." ", " ".value." ") > 0
# The device's name, without what would end the text of a label.
is_table = tsv[strlen(tsv) - 3:] eq ".tsv" # a field has neither device nor columns
device = is_table ? system(sprintf("sed -n 's/^# device: //p' '%s' " \
    ."| sed 's|[^A-Za-z0-9 .,:()+/_-]| |g'", tsv)) : ""
# Which device the figure is for, by which model and with whose counts, along the right edge, unless the
# figure says it by itself.
if (!exists("own_device")) { own_device = 0 }
model = is_table ? system(sprintf("sed -n 's/^# model: /, by /p' '%s'", tsv)) : ""
converted = is_table ? system(sprintf("awk -f '%s/converted.awk' '%s'", plots, tsv)) : ""
geometry = is_table && device eq "" && system(sprintf("grep -c '^# note: of geometry alone' '%s'; true", tsv)) eq "1"
about = own_device ? converted : geometry ? "the same for every device" : device[:strstrt(device.",", ",") - 1].model.(device ne "" && converted ne "" ? "; " : "").converted
# It begins above the labels of the last tick, if the figure is high enough for it.
about_cm = height_cm - 0.125 * strlen(about)
say_device = about eq "" ? "" : sprintf("set label 91 '%s' noenhanced at screen %.4f, screen %.4f " \
    ."rotate by 90 left front font ',5.5' textcolor rgb '#707070'; ", about, 1 - 0.16 / width_cm, \
    (about_cm < 0.1 ? 0.1 : about_cm > 1.2 ? 1.2 : about_cm) / height_cm)
eval say_device
listed = is_table ? distinct("app") : ""
apps = ""
do for [a in all_apps] { if (has(listed, a)) { apps = apps.(apps eq "" ? "" : " ").a } }

# Rows of one benchmark, synchronisation and kind; NaN leaves a row out of a plot.
of(a, y, k) = strcol("app") eq a && strcol("sync") eq y && strcol("kind") eq k
only(condition, value) = condition ? value : NaN

# Panels, in rows from the top left: `eval panel(k, heading)` places the k-th of columns_n times
# rows_n below a strip of legend_cm, sizes in cm.
columns_n = 2
rows_n = 2
legend_cm = 0
left_cm = 1.5
right_cm = 0.5
top_cm = 0.6
bottom_cm = 1.05
cell_width(n) = width_cm / (n + 0.0)
cell_height(n) = (height_cm - legend_cm) / (n + 0.0)
panel_left(k) = ((k - 1) % columns_n) * cell_width(columns_n) + left_cm
panel_top(k) = legend_cm + ((k - 1) / columns_n) * cell_height(rows_n) + top_cm
panel(k, heading) = sprintf("set lmargin at screen %.6f; set rmargin at screen %.6f; " \
    ."set tmargin at screen %.6f; set bmargin at screen %.6f; ", \
        panel_left(k) / width_cm, \
        (panel_left(k) - left_cm + cell_width(columns_n) - right_cm) / width_cm, \
        1 - panel_top(k) / height_cm, \
        1 - (panel_top(k) - top_cm + cell_height(rows_n) - bottom_cm) / height_cm) \
    ."unset label; unset arrow; unset object; ".(k == 1 ? say_device : "") \
    .sprintf("set label 1 '{/:Bold (%s)} %s' at screen %.6f, screen %.6f left", \
        word("a b c d e f g h", k), heading, panel_left(k) / width_cm, \
        1 - (panel_top(k) - top_cm + 0.35) / height_cm)

# Legends, item by item from a place in cm: `eval legend_at(x, y)`, then `eval` of the items, after
# the panel that carries them. gnuplot's own keys cannot be placed outside a panel of a multiplot.
at_cm(x, y) = sprintf("screen %.6f, screen %.6f", x / width_cm, 1 - y / height_cm)
legend_at(x, y) = sprintf("legend_x = %.3f; legend_y = %.3f; legend_n = 100", x, y)
legend_sample = 0.8
legend_gap = 0.4
# The width of a text: em's hundredths of the face's characters, by kind.
em_cm = 0.2646
char_em(c) = strstrt("^{}", c) > 0 ? 0 : strstrt("iljI.,:;'| ", c) > 0 ? 0.31 : strstrt("frt()-[]/", c) > 0 ? 0.39 \
    : strstrt("mwMW%", c) > 0 ? 0.92 : strstrt("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c) > 0 ? 0.71 : 0.63
text_cm(title) = em_cm * (strlen(title) == 0 ? 0 : sum [i = 1:strlen(title)] char_em(title[i:i]))
item_text(title) = sprintf("set label legend_n '%s' at %s left front; " \
    ."legend_x = %.3f; legend_n = legend_n + 2", \
    title, at_cm(legend_x + legend_sample + 0.12, legend_y), \
    legend_x + legend_sample + legend_gap + text_cm(title))
# (SVG joins lines of one colour and width into one path, whatever their dashes: no two widths are equal.)
line_item(title, rgb, width, dash) = sprintf("set arrow legend_n from %s to %s nohead " \
    ."linecolor rgb %d linewidth %g dashtype %d; ", at_cm(legend_x, legend_y), \
    at_cm(legend_x + legend_sample, legend_y), rgb, width + 1e-4 * legend_n, dash)
mark_item(title, rgb, type, size) = sprintf("set label legend_n + 1 '' at %s " \
    ."point pointtype %d pointsize %g linewidth 1.2 linecolor rgb %d; ", \
    at_cm(legend_x + legend_sample / 2, legend_y), type, mark(size), rgb)
box_item(title, rgb) = sprintf("set object legend_n rectangle from %s to %s " \
    ."fillcolor rgb %d fillstyle solid noborder; ", at_cm(legend_x + legend_sample - 0.5, legend_y + 0.12), \
    at_cm(legend_x + legend_sample, legend_y - 0.12), rgb).item_text(title)
with_line(title, rgb, width, dash) = line_item(title, rgb, width, dash).item_text(title)
with_mark(title, rgb, type, size) = mark_item(title, rgb, type, size).item_text(title)
with_both(title, rgb, width, dash, type, size) = line_item(title, rgb, width, dash) \
    .mark_item(title, rgb, type, size).item_text(title)

# A panel without data says why; its axes suit logarithms too.
empty_since(why) = "unset xtics; unset ytics; set ylabel; set label 2 '".why."' at graph 0.5, " \
    ."graph 0.5 center textcolor rgb '#606060'; plot [1:2] [1:2] 3; " \
    ."set xtics out nomirror; set ytics out nomirror"
empty = empty_since("does not apply to this device")

# Cycles in thousands, millions, ...: the exponent for a largest value, and the axis label.
exponent(x) = 3 * int(log10(x) / 3)
cpl_label(e) = sprintf("{/:Italic CPL} (10^{%d} cycles)", e)
h_label = "trapezoid height {/:Italic h} (loops)"

# Kernel restarts are solid lines and filled markers, memory fences dashed and open.
modes = "restart fence"
mode_name(y) = y eq "restart" ? "kernel restarts" : "memory fences"
mode_mark(y) = y eq "restart" ? 7 : 6
mode_dash(y) = y eq "restart" ? 1 : 2
measured_mark(y) = y eq "restart" ? 1 : 2
grey = 0x404040
