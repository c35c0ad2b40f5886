# SPDX-License-Identifier: GPL-3.0-or-later
#
# memory_bandwidth.gp - Section 6.4: slower memory, a larger gain.

width_cm = 17
height_cm = 10.6
value = "MemBandwidth"
value_label = "{/:Italic MemBandwidth} (GB/s)"
value_unit = 1e9
base = 10
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
