# SPDX-License-Identifier: GPL-3.0-or-later
#
# draw.gp - draws one figure in all three formats: gnuplot -c draw.gp PLOTS NAME TSV STEM.
# A figure's script sets width_cm and height_cm, loads style.gp and plots `tsv`.

plots = ARG1
figure = ARG2
tsv = ARG3
stem = ARG4

do for [format in "svg png pdf"] {
    reset
    load plots."/".figure.".gp"
    unset output
}
