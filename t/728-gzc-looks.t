#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 728-gzc-looks - time loops that print, change or stop something now and then (t/gzc/looks.c): what
# gzc makes of them prints the same, the loops in between computed at once, also with GZ_CHECK=1 and
# without a device.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate looks place 1

same 1 23 31 5 0 5
same 2 31 23 12 1 13
same 2 3 3 4 1 0
same 2 9 8 0 0 0

# With a device: GZ_CHECK=1, and a device that is not there.
library="-L$GZ_BUILD/lib -lgzstencil -lm -Wl,-rpath,$GZ_BUILD/lib"
# shellcheck disable=SC2086
${CC:-cc} -std=c11 "$optimised" -w -ffp-contract=off -I"$lib" -I"$GZ_SOURCE/t/gzc" "$work/made.c" -o "$work/linked" $library
"$work/plain" 9 8 7 > "$work/expected"
GZ_HEIGHT=2 GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 "$work/linked" 9 8 7 > "$work/got" 2> "$work/checks"
cmp -s "$work/expected" "$work/got" && ! grep -q failed "$work/checks" &&
    { grep -q 'opencl:0: no ' "$work/checks" || [ "$(grep -c 'check passed' "$work/checks")" -ge 7 ]; }
verdict $? 'GZ_CHECK=1 compares the loops up to each if, and finds no difference' || note < "$work/checks"
GZ_DEVICE=opencl:99 "$work/linked" 9 8 7 > "$work/got" 2> "$work/said"
cmp -s "$work/expected" "$work/got" && [ "$(wc -l < "$work/said")" -le 6 ]
verdict $? 'without a device the original loops run, which is told once a loop' || note < "$work/said"

finish
