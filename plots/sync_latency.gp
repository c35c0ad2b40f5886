# SPDX-License-Identifier: GPL-3.0-or-later
#
# sync_latency.gp - Section 6.4: longer synchronisation, a larger gain.

width_cm = 17
height_cm = 10.6
value = "GlbSync"
value_label = "{/:Italic GlbSync} at {/:Italic h} = 1 (cycles)"
value_unit = 1.0
base = 10
tick_format = "10^{%T}"
shared = 0
load plots."/sweep.gp"
