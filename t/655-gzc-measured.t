#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 655-gzc-measured - the study of users' programs on small grids: a whole table, which can be drawn. Times are not judged.
. "$(dirname "$0")/tap.sh"
scratch
needs_device
[ -x "$GZ_BUILD/bin/gzc" ] || skip_all 'gzc was left out'
never_optimise
"$GZ_SOURCE/studies/gzc_measured.sh" "$GZ_BUILD" "$work" small > "$work/out" 2> "$work/err"
verdict $? 'three programs are timed, with OpenMP and after gzc' || note < "$work/err"
[ "$(grep -v '^#' "$work/gzc_measured.tsv" | awk -F '\t' 'NR > 1 && NF == 10 && $4 > 0 && $7 > 0' | wc -l)" -eq 6 ]
verdict $? 'each on two grids'
"$GZ_SOURCE/plots/draw.sh" gzc_measured "$work/gzc_measured.tsv" "$work" 2> "$work/err" && [ -s "$work/gzc_measured.svg" ]
verdict $? 'it is drawn' || note < "$work/err"
finish
