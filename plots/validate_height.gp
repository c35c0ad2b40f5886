# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_height.gp - the paper's Fig. 7 with real points: measured over predicted.

kind = "height"
x_title = "trapezoid height {/:Italic h} (loops)"
load plots."/validate_panels.gp"
