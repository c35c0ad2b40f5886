#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 725-gzc-styles - loops written in the many ways in which programs are (t/gzc/styles.c): what gzc
# makes of them compiles without a warning and gives the same bits as the loops.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
plan 11

translate styles style

# same HEIGHT N M T CHECK LOOPS: both programs print the same; with a device, LOOPS ran on it, and
# the original ones as well if CHECK is 1.
same() {
    "$work/plain" "$2" "$3" "$4" > "$work/expected"
    GZ_HEIGHT=$1 GZ_BLOCK=14x10x12 GZ_DEVICE=opencl:0 GZ_REPORT=1 GZ_CHECK=$5 \
        "$work/made" "$2" "$3" "$4" > "$work/got" 2> "$work/reports"
    cmp -s "$work/expected" "$work/got"
    equal=$?
    if grep -q 'opencl:0' "$work/reports"; then
        ran=$(grep -c ' on opencl:0: ' "$work/reports")
        [ $equal -eq 0 ] && [ "$ran" -eq "$6" ] && ! grep -q failed "$work/reports"
        verdict $? "height $1, ${2}x$3, $4 loops: the same bits, $ran of $6 on the device"
        diff "$work/expected" "$work/got" | cat - "$work/reports" | note
    elif [ "$6" -gt 0 ]; then
        skip 'there is no OpenCL device: only the original loops ran'
    else
        verdict $equal "${2}x$3, $4 loops: the same bits"
    fi
}
same 1 23 31 5 0 20
same 2 37 18 7 0 20
same 3 37 18 8 1 20
same 2 9 8 1 0 19
same 2 9 8 0 0 0
same 2 1 1 2 0 4
same 2 2 3 3 1 6
finish
