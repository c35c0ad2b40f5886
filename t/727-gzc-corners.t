#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 727-gzc-corners - loops whose corners and sides are written out, with indices that are right only
# there (t/gzc/corners.c): what gzc makes of them gives the same bits, also on grids on which a side
# is the other one, too.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

translate corners branch 2

same 1 23 31 5 0 0
same 3 31 23 7 1 0
same 2 2 3 4 1 0
same 2 1 5 2 0 0
same 2 6 1 2 0 0
finish
