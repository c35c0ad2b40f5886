# SPDX-License-Identifier: GPL-3.0-or-later
#
# cpi.gp - Section 6.4: a smaller CPI, a larger gain.

width_cm = 17
height_cm = 10.6
value = "CPI"
value_label = "{/:Italic CPI} (cycles per warp instruction)"
value_unit = 1.0
base = 10
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
