# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_size.gp - the paper's Fig. 6 with real points: measured over predicted.

kind = "size"
x_title = "elements of the grid"
load plots."/validate_panels.gp"
