# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate_block.gp - the paper's Fig. 5 with real points: measured over predicted.

kind = "block"
x_title = "elements of the starting tile"
load plots."/validate_panels.gp"
