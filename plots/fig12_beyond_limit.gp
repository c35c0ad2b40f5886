# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig12_beyond_limit.gp - Fig. 12: larger blocks raise the peak (marked) and move it to taller h.

width_cm = 17
height_cm = 11.4
value = "blk_len"
value_name = "block"
value_title(v) = k == 1 ? v : k == 4 ? v."^3" : v."^2"
result = "gain"
load plots."/curves.gp"
