#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 723-gzc-points - time loops that set or change single cells beside their sweep (t/gzc/points.c): the
# same bits in all cells.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate points place 3

same 1 23 31 9 0 5
same 3 12 7 23 1 5
same 2 8 9 1 1 0
same 2 8 9 0 0 0
same 2 3 9 4 0 0

finish
