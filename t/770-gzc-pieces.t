#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 770-gzc-pieces - an open run of libgzstencil gives the same bits in pieces as at once, with borders,
# as a serial computation; also after a second put, and at any height.
. "$(dirname "$0")/tap.sh"
scratch
compile_quickly
compile_inside

ok 'a program with an open run compiles' \
    link_gzstencil -std=c11 "$optimised" -ffp-contract=off "$GZ_SOURCE/t/gzc/pieces.c" -o "$work/pieces"

# same NAME HEIGHT ARGUMENTS...: both ways print the same.
same() {
    name=$1 height=$2
    shift 2
    "$work/pieces" serial "$@" > "$work/expected"
    GZ_DEVICE=opencl:0 GZ_HEIGHT=$height GZ_BLOCK=14x10 "$work/pieces" open "$@" > "$work/got" 2> "$work/err"
    if [ $? -eq 77 ]; then
        skip "$(cat "$work/err")"
        return
    fi
    [ -s "$work/expected" ] && cmp -s "$work/expected" "$work/got"
    verdict $? "$name"
    diff "$work/expected" "$work/got" | head -n 6 | cat "$work/err" - | note
}
# Few heights, so that few kernels have to be compiled.
low=$(bulk 3 1) high=$(bulk 3 4) other=$(bulk 3 2)
same '21 loops at once' 3 23 17 21
same '3 pieces of 7 loops, height 3' 3 23 17 7 7 7
same "3 pieces of 7 loops on another grid, height $low" "$low" 17 23 7 7 7
same '3 pieces of 7 loops, height chosen' 0 23 17 7 7 7
same "pieces of 0, 1, 2, 5 and 13 loops, height $high" "$high" 9 31 0 1 2 5 13
same 'put again, with another coefficient' "$other" 12 12 5 -1 4 3
same 'one cell' "$other" 1 1 1 1 3
export GZ_VARIANT=stream
same 'streamed: 21 loops at once' 3 23 17 21
same 'streamed: pieces of 0, 1, 2, 5 and 13 loops' "$high" 9 31 0 1 2 5 13
same 'streamed: put again, with another coefficient' "$other" 12 12 5 -1 4 3
same 'streamed: one cell, height chosen' 0 1 1 1 1 3
GZ_VARIANT=naive
same 'without tiles: 3 pieces of 7 loops' 0 23 17 7 7 7
unset GZ_VARIANT
GZ_DEVICE=opencl:0 "$work/pieces" open 5 5 30 11 > "$work/got" 2> "$work/err"
if [ $? -eq 77 ]; then
    skip "$(cat "$work/err")"
else
    [ "$(tail -n 1 "$work/got")" = '11 loops after 30: must be at least 0, and at most 40 in all' ]
    verdict $? 'more loops than were announced are refused'
fi
GZ_DEVICE=opencl:99 "$work/pieces" open 5 5 1 > "$work/got" 2> "$work/err"
[ $? -eq 77 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && [ ! -s "$work/got" ]
verdict $? 'without a device it says why'
finish
