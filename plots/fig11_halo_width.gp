# SPDX-License-Identifier: GPL-3.0-or-later
#
# fig11_halo_width.gp - Fig. 11: a wider halo lowers the peak (marked) and moves it to lower h.

width_cm = 17
height_cm = 11.4
value = "HaloWidth"
value_name = "halo width"
value_title(v) = v
result = "speedup"
load plots."/curves.gp"
