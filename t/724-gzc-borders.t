#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 724-gzc-borders - time loops that set cells beyond the domain beside their sweep (t/gzc/borders.c):
# the same bits in all cells.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate borders place 2

same 1 23 31 9 0 4
same 2 31 23 12 1 4
same 2 23 31 0 0 0
same 2 23 31 1 0 0
same 2 6 6 20 1 0
same 2 3 2 6 1 0
same 2 2 3 6 0 0

finish
