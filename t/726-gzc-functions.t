#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 726-gzc-functions - loops whose sweeps, elements and exchanges stand in functions and structures
# (t/gzc/functions.c): what gzc makes of them gives the same bits; and what looks like them and is
# something else is refused, in these words.
. "$(dirname "$0")/tap.sh"
host=both
. "$GZ_SOURCE/t/gzc/translate.sh"

translate functions style 1

same 1 23 31 5 0 8
same 3 37 18 8 1 8

# understood NAME FORM STATE HEAD BODY: a loop with HEAD before its function and BODY in each turn.
finish
