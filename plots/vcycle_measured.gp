# SPDX-License-Identifier: GPL-3.0-or-later
#
# vcycle_measured.gp - a V-cycle's time by level, measured, beside what the model expected.

width_cm = 17
height_cm = 6.6
load plots."/style.gp"
ways = "depth_1 one_depth model fastest"
predicted = 1
legend_more = "eval mark_item('expected', 0, 2, 1).item_text('expected')"
load plots."/levels.gp"
