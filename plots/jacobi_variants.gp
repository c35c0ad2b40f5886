# SPDX-License-Identifier: GPL-3.0-or-later
#
# jacobi_variants.gp - time per loop of Jacobi sweeps over the grid's size.

width_cm = 8.5
height_cm = 7
load plots."/style.gp"

set logscale xy
set xlabel "cells along an edge of the grid"
set ylabel "time per loop (s)"
set format y "10^{%T}"
row(v, k) = strcol("version") eq v && strcol("kind") eq k
plot tsv using (only(row("trapezoid", "measured"), column("edge"))):(column("seconds")) with points, \
     tsv using (only(row("trapezoid", "model"), column("edge"))):(column("seconds")) with lines
