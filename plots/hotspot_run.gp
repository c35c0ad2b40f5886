# SPDX-License-Identifier: GPL-3.0-or-later
#
# hotspot_run.gp - the temperature of a die after a run of HotSpot, as the kernels computed it.

x_title = "{/:Italic x} (mm)"
y_title = "{/:Italic y} (mm)"
z_title = "temperature (°C)"
low = 0
high = 16
step = 4
first = 0.5
column = 2
load plots."/image.gp"
