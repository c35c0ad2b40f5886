# SPDX-License-Identifier: GPL-3.0-or-later
#
# block_size.gp - Sections 5.4.1, 6.4: a larger block, a taller trapezoid and a larger gain.

width_cm = 17
height_cm = 10.6
value = "threads"
value_label = "threads per block"
value_unit = 1.0
base = 2
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
