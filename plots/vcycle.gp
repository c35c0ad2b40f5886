# SPDX-License-Identifier: GPL-3.0-or-later
#
# vcycle.gp - a V-cycle's time by level as the model has it.

width_cm = 17
height_cm = 10.5
load plots."/style.gp"
ways = "depth_1 one_depth model"
predicted = 0
load plots."/levels.gp"
