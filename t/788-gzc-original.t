#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 788-gzc-original - who computes what gzc has translated: with GZ_ORIGINAL=always the original loops, with
# never the device, without it the loops where a run is short; with the same results. Of a time loop that does
# something now and then the loops up to each time are one run either way. 787 tests the decision itself.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/behave.sh"
. "$GZ_SOURCE/t/gzc/loops.sh"
compile_quickly
compile_inside

"$gzc" "$GZ_SOURCE/kernels/translate/example/heat.c" -o "$work/heat.c"
link_gzstencil -std=c11 "$optimised" "$work/heat.c" -o "$work/heat"
sizes='{9, 8, 1, 7}'
looks && main_function $count >> all.c && mv all.c plain.c && "$gzc" -k plain.c -o looks.c 2> err
link_gzstencil -std=gnu11 "$optimised" -ffp-contract=off "$work/looks.c" -o "$work/looks"
export GZ_DEVICE=opencl:0
GZ_ORIGINAL=never GZ_REPORT=1 "$work/heat" 20 9 > "$work/expected" 2> "$work/report"

# way WHAT PATTERN VARIABLE=VALUE...: heat prints the same, and one report, which has the pattern.
way() {
    what=$1 pattern=$2
    shift 2
    env GZ_REPORT=1 "$@" "$work/heat" 20 9 > "$work/got" 2> "$work/err"
    cmp -s "$work/expected" "$work/got" && [ "$(grep -cE "$pattern" "$work/err")" -eq 1 ] &&
        [ "$(grep -c '8 loops on\|original loops run' "$work/err")" -eq 1 ]
    on_device "$work/err" "$what"
}
guess='they were not timed$'
way 'never: the device, without a word more' ' 8 loops on opencl:0: .* a loop$' GZ_ORIGINAL=never
way 'always: the loops' ': the original loops run: GZ_ORIGINAL is always$' GZ_ORIGINAL=always
way 'auto: a short run stays in the loops' ": the original loops run: $guess" GZ_ORIGINAL=auto
way 'which is the default' ": the original loops run: $guess" GZ_ORIGINAL=
way 'whatever the device' ": the original loops run: $guess" GZ_ORIGINAL= GZ_DEVICE=opencl:99
way 'a word that is none is told, and ignored' \
    '^gzstencil: GZ_ORIGINAL=on is ignored: must be auto, never or always$' GZ_ORIGINAL=on
way 'GZ_CHECK asks for the device' ' 8 loops on opencl:0: ' GZ_ORIGINAL= GZ_CHECK=1
way 'even if always' ' 8 loops on opencl:0: ' GZ_ORIGINAL=always GZ_CHECK=1
way 'so does a height' ' 8 loops on opencl:0: .*height 2' GZ_ORIGINAL= GZ_HEIGHT=2
GZ_ORIGINAL='' "$work/heat" 20 9 > "$work/got" 2> "$work/err"
cmp -s "$work/expected" "$work/got" && [ ! -s "$work/err" ]
verdict $? 'a run that stays in the loops because they are faster needs no word' || note < "$work/err"

# pieces ORIGINAL HEIGHT: prints how many runs each loop of looks has.
pieces() {
    GZ_ORIGINAL=$1 GZ_REPORT=1 GZ_HEIGHT=$2 "$work/looks" > "$work/got" 2> "$work/err"
    cmp -s "$work/expected" "$work/got" || echo 'other bits'
    sed -nE 's/^gzstencil: ([^:]*:[0-9]+): .*/\1/p' "$work/err" | sort | uniq -c
}
${CC:-cc} -std=gnu11 "$optimised" -w -ffp-contract=off plain.c -o plain -lm
./plain > expected
pieces never 2 > "$work/device"
pieces always '' > "$work/loops"
cmp -s "$work/device" "$work/loops" && [ "$(grep -c plain.c "$work/loops")" -gt 3 ] && grep -q 'GZ_ORIGINAL is always' "$work/err"
on_device "$work/report" 'the loops up to each look are one run of the original loops where that is asked for, as on the device'
pieces '' '' > "$work/loops"
! grep -q 'other bits' "$work/loops"
verdict $? 'nor does that change a bit'
# kept WHAT PATTERN VARIABLE=VALUE...: heat on a grid and for loops that take more than a tenth of a second anywhere
# says so; once it has, the next process of this build knows.
kept() {
    what=$1 pattern=$2
    shift 2
    env GZ_ORIGINAL= GZ_REPORT=1 XDG_CACHE_HOME="$work/cache" "$@" "$work/slow" 250 400 2>&1 > "$work/got" | grep -q "$pattern"
    verdict $? "$what"
}
mkdir "$work/cache"
# A slow machine tries the device behind the first few.
nothing='loops run: they were not timed\|original loops took .*: the device is tried'
link_gzstencil -std=c11 -O0 "$work/heat.c" -o "$work/slow"
kept 'the first process knows nothing' "$nothing"
kept 'the second knows what the first has measured' ' took [^,]* a loop, the device was not timed'
kept 'unless it may use nothing that is kept' "$nothing" GZ_TRY=0
touch -d '2001-01-01' "$work/slow"
kept 'and not of a program that was built anew' "$nothing"
finish
