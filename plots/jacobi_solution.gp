# SPDX-License-Identifier: GPL-3.0-or-later
#
# jacobi_solution.gp - the solution of Poisson's equation with a square source, as the kernels
# computed it.

x_title = "{/:Italic x}"
y_title = "{/:Italic y}"
z_title = "{/:Italic u}"
low = -1
high = 1
step = 0.5
first = 1.0
column = 1
# Dashes outline the source.
set object 1 rectangle from -0.5, -0.5 to 0.5, 0.5 front fillstyle empty border linecolor rgb "#ffffff" \
    dashtype 2
load plots."/image.gp"
