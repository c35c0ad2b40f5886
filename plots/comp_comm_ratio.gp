# SPDX-License-Identifier: GPL-3.0-or-later
#
# comp_comm_ratio.gp - Section 6.3: less computation per communication, a larger gain.

width_cm = 17
height_cm = 10.6
value = "ratio"
value_label = "computation / communication at {/:Italic h} = 1"
value_unit = 1.0
base = 10
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
