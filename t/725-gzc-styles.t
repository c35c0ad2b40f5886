#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 725-gzc-styles - loops written in the many ways in which programs are (t/gzc/styles.c): what gzc
# makes of them compiles without a warning and gives the same bits as the loops.
. "$(dirname "$0")/tap.sh"
host=both
. "$GZ_SOURCE/t/gzc/translate.sh"

translate styles style 2

same 1 23 31 5 0 20
same 3 37 18 8 1 20
same 2 9 8 1 0 0
same 2 9 8 0 0 0
same 2 1 1 2 0 0
same 2 2 3 3 1 0

# How a time loop counts is the program's own business, not the device's.
translate counts "way to count" 2
same 1 5 7 9 0 25
same 1 3 4 1 0 3
same 1 1 1 3 0 0
finish
