#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 791-gzc-watched - what libgzstencil tells of cells that are watched is what each loop leaves there,
# to the bit: of two and three time levels, several fields, all edges and types, any height and tile,
# streamed or not, in one run and in pieces.
. "$(dirname "$0")/tap.sh"
scratch
compile_quickly
compile_inside

ok 'a program that watches cells compiles' link_gzstencil -std=c11 "$optimised" "$GZ_SOURCE/t/gzc/watched.c" -o "$work/watched"

# told HEIGHT ARGUMENTS...
told() {
    height=$1
    shift
    GZ_DEVICE=opencl:0 GZ_VARIANT=${variant:-stream} GZ_HEIGHT=$height GZ_BLOCK=18x14x9 "$work/watched" "$@" > "$work/out" 2>&1
    status=$?
    if [ $status -eq 77 ]; then
        skip "$(cat "$work/out")"
        return
    fi
    verdict $status "${variant:-stream}: $*, height $height"
    note < "$work/out"
}
for height in $(bulk 3 '1 3'); do
    rarely told $height plain 23 17 1 21 40 1
    told $height wave 40 33 1 13 40 2
    told $height pair 12 14 11 9 40 3
    rarely told $height whole 12 14 11 9 60 4
done
rarely told 2 plain 60 5 1 7 1 5
rarely told 2 pair 3 4 5 6 200 6
rarely told 3 wave 9 90 1 10 1000 7
variant=trapezoid
rarely told 3 plain 23 17 1 21 40 1
rarely told 2 wave 40 33 1 13 40 2
rarely told 1 pair 12 14 11 9 40 3
told 2 whole 12 14 11 9 60 4
told 4 line 90 1 1 23 20 5
rarely told 1 line 7 1 1 5 9 6
GZ_DEVICE=opencl:0 GZ_VARIANT=naive "$work/watched" plain 23 17 1 21 40 8 > "$work/out" 2>&1
status=$?
[ $status -eq 77 ] && skip "$(cat "$work/out")" || verdict $status 'where another variant is asked for, a tile'
finish
