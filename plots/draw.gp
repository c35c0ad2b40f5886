# SPDX-License-Identifier: GPL-3.0-or-later
#
# draw.gp - draws one figure in each of some formats: gnuplot -c draw.gp PLOTS NAME TSV STEM FORMATS.
# A figure's script sets width_cm and height_cm, loads style.gp and plots `tsv`.

plots = ARG1
figure = ARG2
tsv = ARG3
stem = ARG4
formats = ARG5

do for [format in formats] {
    reset
    load plots."/".figure.".gp"
    unset output
}
