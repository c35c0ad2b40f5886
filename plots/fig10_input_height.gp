# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig10_input_height.gp - Fig. 10: the best height (marked) does not depend on the grid's size.

width_cm = 17
height_cm = 11.4
value = "DataLength"
value_name = "grid"
value_title(v) = k == 1 ? sprintf("%g k", v / 1000.0) : k == 4 ? v."^3" : v."^2"
result = "CPL"
load plots."/curves.gp"
