#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 723-gzc-programs - time loops as programs have them (t/gzc/loops.sh): what gzc makes of them gives the same bits in all
# arrays, variables and output, on the host, those of every form, by `make check-all` all, also on a device; from grids of
# one cell to several tiles, no step and several. And original loops that are told to stop after the first few, as
# libgzstencil tells them to time them: what they have left is computed in their place from there; 787 tests when they are
# told to.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"
. "$GZ_SOURCE/t/gzc/loops.sh"
compile_quickly
compile_inside
height=2
in_full height=3

# run_on_device RAN: what was compared last, with libgzstencil, whose own checks agree; so many runs at least are the device's.
run_on_device() {
    link_gzstencil -std=gnu11 $optimised -ffp-contract=off made.c -o linked
    export GZ_ONE_PROCESS=1 GZ_REPORT=1
    : > all_reports
    for variant in '' $(rarely echo stream); do
        GZ_VARIANT=$variant GZ_HEIGHT=$height GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 ./linked > got 2> reports
        cat reports >> all_reports
        cmp -s expected got && ! grep -q failed reports &&
            { grep -q 'opencl:0: no ' reports || [ "$(grep -c ' on opencl:0: ' reports)" -ge "$1" ]; }
        verdict $? "the same bits on the device, in $(grep -c ' on opencl:0: ' reports) runs" || diff expected got | cat - reports | note
    done
    GZ_DEVICE=opencl:99 ./linked > got 2> reports
    cmp -s expected got && [ "$(grep -c 'original loops run' reports)" -ge "$1" ]
    verdict $? 'without a device the original loops run' || note < reports
    unset GZ_ONE_PROCESS GZ_REPORT
}

# stops LEAST: so many of the loops that were compared last stop after a few of their steps.
stops() {
    for first in $(bulk '1 3' '1 2 3'); do
        GZ_FIRST=$first GZ_BODIES=$work/bodies.so ./made > got 2> reports
        stopped=$(grep ' stopped after ' reports | sort -u | cut -d ' ' -f 1 | uniq | wc -l)
        cmp -s expected got && [ "$stopped" -ge "$1" ] && grep -q ' ran$' reports
        verdict $? "the same bits where $stopped loops, $1 at least, stop after $first of their steps"
        diff expected got | head -n 20 | note
    done
}

export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
sizes='{23, 31, 0, 5}, {37, 18, 1, 7}, {12, 9, 1, 9}, {3, 3, 1, 4}, {37, 18, 0, 1}, {37, 18, 0, 0}, {1, 1, 1, 2}' shown=40
forms && compare '' ''
[ ! -s said ]
verdict $? 'gzc takes all of them' || note < said
# Of what gzc wrote, a line that closes a brace begins where the line began that opened it, and what is
# in between further in.
awk '/^#line/ { next } /gz_body\[\]/ { depth = 1; margin[1] = -1 } !depth || /^#/ || /^ *"/ { next }
    { match($0, /[^ ]/); at = RSTART; text = $0; closed = 0; line = FNR ": " $0 }
    /^ *}/ { closed = 1; if (at != margin[depth] && margin[depth] > 0) print line }
    !closed && at <= margin[depth] { print line }
    { opens = gsub(/{/, "", text); closes = gsub(/}/, "", text)
      for (opens -= closes; opens > 0; opens--) margin[++depth] = at
      depth += opens < 0 ? opens : 0
      if (/gz_stencil_original/) depth = 0 }' made.c > ragged
nothing 'what gzc writes is indented by its braces' "$(head -n 5 ragged)"
stops 10
run_on_device 36

sizes='{23, 31, 0, 5}, {12, 7, 1, 23}, {8, 9, 2, 1}, {8, 9, 0, 0}, {9, 8, 1, 12}, {3, 4, 2, 1}, {1, 1, 1, 3}, {2, 7, 1, 4}'
few && any && looks && found && hostile && compare '' ''
! grep -A 3 'long gz_p' made.c | grep -q '&changed'
verdict $? 'no condition of a run reads a variable that each time step sets first'
stops 36
all_on_device() {
    run_on_device 60
    grep -q 'opencl:0: no ' all_reports || [ "$(grep -c 'is not a number\|the largest change is zero' all_reports)" -ge 2 ]
    verdict $? 'a cell that is not a number and a zero of either sign are left to the original loops' || note < all_reports
}
rarely all_on_device
# What C does not ask for is not asked, which the sanitizers see where a compiler has them: clang takes a quarter of gcc's time.
checked=
echo 'int main(void) { return 0; }' > x.c
for compiler in clang $cc; do
    $compiler -fsanitize=address,undefined x.c -o x 2> err || continue
    cc=$compiler checked='-fsanitize=address,undefined -fno-sanitize-recover=all'
    break
done
asked && compare '' "$checked"
stops 10
finish
