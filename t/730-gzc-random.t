#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 730-gzc-random - sixty random loops: what gzc makes of each gives the same bits on the device.
# GZ_SEED=N takes other loops; GZ_LOOPS=N takes another number of them in each of the four programs.
. "$(dirname "$0")/tap.sh"
gzc=$GZ_BUILD/bin/gzc
[ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
lib=$GZ_SOURCE/kernels/gzstencil
cc=${CC:-cc}
flags='-std=c11 -O1 -w -ffp-contract=off'
loops=${GZ_LOOPS:-15}
first=${GZ_SEED:-1}
$cc -std=c11 -O1 "$GZ_SOURCE/t/gzc/generate.c" -o "$work/generate" || exit 1
plan 8

# Flags are several words on purpose.
# shellcheck disable=SC2086
for height in 0 1 2 3; do
    variant=
    [ $height -ne 2 ] || variant=stream
    seed=$((first + height))
    echo "# seed $seed, $loops loops"
    rm -f "$work/made"
    "$work/generate" $seed "$loops" > "$work/random.c"
    "$gzc" "$work/random.c" -o "$work/made.c" &&
        $cc $flags "$work/random.c" -o "$work/plain" -lm &&
        $cc $sanitize $flags -I"$lib" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" -lgzstencil -lm \
            -Wl,-rpath,"$GZ_BUILD/lib"
    verdict $? "seed $seed: gzc takes the program, and it compiles"
    wrong=
    for sizes in '9 8 7 4' '8 11 9 3'; do
        "$work/plain" $sizes > "$work/expected"
        GZ_HEIGHT=$height GZ_VARIANT=$variant GZ_BLOCK=16x15x14 GZ_DEVICE=opencl:0 GZ_REPORT=1 "$work/made" $sizes \
            > "$work/got" 2> "$work/reports"
        cmp -s "$work/expected" "$work/got" || wrong="$wrong [$sizes]"
        ran=$(grep -c ' on opencl:0: ' "$work/reports")
    done
    if [ "$ran" -gt 0 ] || ! grep -q 'opencl:0' "$work/reports"; then
        [ -z "$wrong" ]
        verdict $? "height $height${variant:+, $variant}: the same bits; $ran of $loops ran on a device$wrong"
        diff "$work/expected" "$work/got" | head -n 10 | note
    else
        skip 'there is no OpenCL device: only the original loops ran'
    fi
done
finish
