# SPDX-License-Identifier: GPL-3.0-or-later
#
# halo_width.gp - Section 6.3: a wider halo, a shorter trapezoid and a smaller gain.

width_cm = 17
height_cm = 10.6
value = "HaloWidth"
value_label = "halo width per dimension, both sides (elements)"
value_unit = 1.0
base = 2
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
