#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 736-gzc-exchanges - pointers of one array or two that are exchanged in blocks, macros, by and by
# (t/gzc/exchanges.c): the same bits, behind the same names, after even and odd numbers of loops; and
# GZ_CHECK tells where pointers that lead elsewhere than C's.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate exchanges exchange 2

same 1 40 1 6 0 7
same 1 40 1 5 0 7
same 1 40 1 2 0 0
same 1 40 1 1 0 0
same 1 40 1 0 0 0
same 1 3 1 7 0 0

finish
