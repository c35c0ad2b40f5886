#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 734-gzc-receivers - time loops that hand on what each loop leaves in single cells (t/gzc/receivers.c), add it up
# and compare it (t/gzc/probes.c): the same bits there, in all arrays, variables and output.
. "$(dirname "$0")/tap.sh"
host=1
. "$GZ_SOURCE/t/gzc/translate.sh"

translate receivers form
same 1 23 31 9 0 8
same 3 12 7 23 1 8
same 2 5 6 1 0 0
same 2 4 4 0 0 0

translate probes probe 1
same 1 23 31 9 0 6
same 2 6 6 1 0 0

finish
