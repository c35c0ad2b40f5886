# SPDX-License-Identifier: GPL-3.0-or-later
#
# memory_latency.gp - Sections 6.2, 6.4: the uncontended latency hardly matters.

width_cm = 17
height_cm = 10.6
value = "UncontendedLat"
value_label = "{/:Italic UncontendedLat} (cycles)"
value_unit = 1.0
base = 10
tick_format = "%g"
shared = 1
load plots."/sweep.gp"
