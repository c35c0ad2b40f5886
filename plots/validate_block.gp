# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_block.gp - the paper's Fig. 5 with real points: measured over predicted.

kind = "block"
x_title = "elements of the starting tile"
x_log = 1
load plots."/validate_panels.gp"
