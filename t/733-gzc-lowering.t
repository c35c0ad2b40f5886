#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 733-gzc-lowering - the intermediate representation of gzc's regions, printed back as C
# (t/gzc/unlower.c), does what the programs do: the same bytes in all arrays and scalars for random
# programs, those that gzc refuses included, and the same output of programs in many styles.
# GZ_SEED=N takes others, GZ_PROGRAMS=N so many of each of the three generators.
. "$(dirname "$0")/tap.sh"
unlower=$GZ_BUILD/t/gzc/unlower
[ -x "$unlower" ] || skip_all 'gzc was left out: libclang or isl is missing'
scratch
t=$GZ_SOURCE/t/gzc
cc=${CC:-cc}
seed=${GZ_SEED:-1}
unset GZ_DEVICE
styles='counts fields forms looks measure nothing styles'

count=${GZ_PROGRAMS:-$(bulk 10 300)}
for generator in programs systems guards; do
    random_programs $generator "$seed" "$count" GZ_UNLOWER=1 GZ_PROGRAMS=$generator
done

# same SOURCE SIZES...: both programs print the same. In counts.c, "in the array" has objects that share memory, which
# the representation takes to be apart.
same() {
    source=$1
    shift
    "$unlower" "$source" > "$work/made.c" 2> "$work/said" &&
        $cc -std=gnu11 "$optimised" -w -ffp-contract=off -I"$t" "$source" -o "$work/plain" -lm 2>> "$work/said" &&
        $cc -std=gnu11 "$optimised" -w -ffp-contract=off "$work/made.c" -o "$work/made" -lm 2>> "$work/said" || return 1
    for sizes in "$@"; do
        # Sizes are several words.
        # shellcheck disable=SC2086
        "$work/plain" $sizes | grep -v '^in the array' > "$work/expected" &&
            "$work/made" $sizes | grep -v '^in the array' > "$work/got"
        diff "$work/expected" "$work/got" >> "$work/said" || return 1
    done
}
for style in $styles; do
    same "$t/$style.c" '23 31 5' '9 8 1'
    verdict $? "$style.c prints the same"
    head -n 5 "$work/said" | note
done
finish
