# SPDX-License-Identifier: GPL-3.0-or-later
#
# gzc_measured.gp - time of a cell in a time step over the size of the grid: programs as they stand, with OpenMP, and
# after gzc; and a stencil of gzrun as the best plain loop and in streamed tiles. A panel for each.

width_cm = 17
height_cm = 10.2
own_device = 1
load plots."/style.gp"

columns_n = 2
rows_n = 2
legend_cm = 1.0
left_cm = 1.3
right_cm = 0.35
programs = distinct("program")
title(p) = p eq "heat" ? "heat equation, 2-D" : p eq "fdtd" ? "FDTD, 2-D" : \
    p eq "grayscott" ? "Gray-Scott" : p eq "poisson" ? "Poisson, 2-D, by gzrun" : p
date = system(sprintf("sed -n 's/^# date: //p' '%s'", tsv))
ns(seconds) = 1e9 * column(seconds) / column("extent") ** 2
at(p) = only(strcol("program") eq p, column("extent"))

set multiplot
set logscale x 2
do for [k = 1:words(programs)] {
    p = word(programs, k)
    set xlabel k > 2 ? "cells along an edge" : ""
    set ylabel k % 2 ? "ns per cell and time step" : ""
    eval panel(k, title(p))
    if (k == 1) {
        set label 90 device.", ".date noenhanced at screen 0.4 / width_cm, screen 1 - 0.3 / height_cm left \
            font ",6" textcolor rgb "#606060"
        eval legend_at(0.4, 0.75)
        eval with_both("OpenMP; (d) best plain loop", 0xD55E00, 1.4, 2, 5, 0.8)
        eval with_both("after gzc; (d) streamed tile", 0x0072B2, 1.4, 1, 7, 0.8)
        eval with_mark("after gzc, original loops ran", 0x0072B2, 6, 0.8)
    }
    stats tsv using (at(p)) nooutput
    left = STATS_min / 1.2; right = STATS_max * 1.2
    stats tsv using (only(strcol("program") eq p, ns("openmp_most"))) nooutput
    top = STATS_max
    stats tsv using (only(strcol("program") eq p, ns("gzc_most"))) nooutput
    top = 1.08 * (STATS_max > top ? STATS_max : top)
    plot [left:right] [0:top] \
        tsv using (at(p)):(ns("openmp")) with lines linecolor rgb 0xD55E00 linewidth 1.4 dashtype 2, \
        tsv using (at(p)):(ns("gzc")) with lines linecolor rgb 0x0072B2 linewidth 1.4, \
        tsv using (at(p)):(ns("openmp")):(ns("openmp_least")):(ns("openmp_most")) \
            with yerrorbars linecolor rgb 0xD55E00 linewidth 0.8 pointtype 5 pointsize mark(0.8), \
        tsv using (only(strcol("ran") ne "original", at(p))):(ns("gzc")):(ns("gzc_least")):(ns("gzc_most")) \
            with yerrorbars linecolor rgb 0x0072B2 linewidth 0.8 pointtype 7 pointsize mark(0.8), \
        tsv using (only(strcol("ran") eq "original", at(p))):(ns("gzc")):(ns("gzc_least")):(ns("gzc_most")) \
            with yerrorbars linecolor rgb 0x0072B2 linewidth 0.8 pointtype 6 pointsize mark(0.8)
}
unset multiplot
