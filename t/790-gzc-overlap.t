#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 790-gzc-overlap - pointers of a program that share memory, where one of them is written: the original
# loops run, and the results are theirs; where nothing is shared, or only what is read, the device computes.
. "$(dirname "$0")/tap.sh"
needs_gzc
compile_quickly
compile_inside
"$gzc" "$GZ_SOURCE/t/gzc/alias.c" -o "$work/made.c" 2> "$work/err" &&
    ${CC:-cc} -std=c11 "$optimised" -ffp-contract=off -Wno-unknown-pragmas "$GZ_SOURCE/t/gzc/alias.c" -o "$work/plain" -lm &&
    link_gzstencil -std=c11 "$optimised" -ffp-contract=off "$work/made.c" -o "$work/made" 2>> "$work/err"
verdict $? 'gzc takes a loop of every array with rows of its own' || note < "$work/err"

# shares WAY OVERLAP: both programs print the same for it, and whether the device computed.
shares() {
    "$work/plain" "$1" > "$work/expected"
    GZ_DEVICE=opencl:0 GZ_REPORT=1 "$work/made" "$1" > "$work/got" 2> "$work/err"
    diff "$work/expected" "$work/got" | head -n 4 >> "$work/err"
    cmp -s "$work/expected" "$work/got" && grep -q "$2" "$work/err"
    on_device "$work/err" "$1: the same bits, $2"
}
device=' loops on opencl:0: ' loops='the original loops run: arrays overlap, or rows of theirs that are shorter than the loops'
shares apart "$device"
shares 'one piece' "$device"
shares edge "$device"
shares 'coefficient in the border' "$device"
# A plan has the device run four turns or more but the last: fewer are the program's.
for loops_run in 2 3; do
    shares "border $loops_run" 'the original loops run'
done
for loops_run in 4 5 6 7; do
    shares "border $loops_run" "$device"
    GZ_HEIGHT=3 GZ_VARIANT=trapezoid shares "border $loops_run" "$device"
    GZ_CHECK=1 shares "border $loops_run" 'check passed'
done
shares periodic "$loops"
shares coefficient "$loops"
shares series "$loops"
shares 'last of the series' "$loops"
shares constant "$loops"
shares value "$loops"
shares lines "$device"
shares 'lines that share' "$loops"
shares rows "$loops"
shares 'half a row' "$loops"
finish
