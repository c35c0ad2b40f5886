#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 732-gzc-systems - time loops that set several arrays: programs of several shapes (t/gzc/fields.c),
# on the host and with GZ_CHECK=1 on a device, and random ones (t/gzc/systems.c) give the bytes of
# gcc -O2 -ffp-contract=off. GZ_SEED=N takes others of these.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
plan "$(bulk 10 12)"
host=1
export GZ_BUILD GZ_SOURCE

translate fields shape

same 1 23 31 5 0 9
same 2 31 23 12 1 11
same 2 9 8 1 0 0
same 2 5 6 2 0 8

# Of FDTD, the magnetic field asks 4 times for its own cell, and 3 times for the parts that it is made of.
tests=$(sed "/^ *0};/q" "$work/made.c" | grep -o "CELL_[XY] +" | wc -l)
[ "$tests" -eq 19 ]
verdict $? "a cell is compared with bounds only where it may lie beyond them: $tests times"

moved=$("$gzc" --explain "$source" | sed -n '/^bytes/{s/  */ /gp;q;}')
[ "$moved" = 'bytes 48 per cell and loop: 3 read, 3 written' ]
verdict $? "a loop of FDTD moves its three fields: $moved"

# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 -w -ffp-contract=off -I"$lib" -I"$GZ_SOURCE/t/gzc" "$work/made.c" -o "$work/linked" \
    -L"$GZ_BUILD/lib" -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
"$work/plain" 9 8 7 > "$work/expected"
GZ_ORIGINAL=never GZ_HEIGHT=2 GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 \
    "$work/linked" 9 8 7 > "$work/got" 2> "$work/checks"
cmp -s "$work/expected" "$work/got" && ! grep -q failed "$work/checks" &&
    { grep -q 'opencl:0: no ' "$work/checks" || [ "$(grep -c 'check passed' "$work/checks")" -eq 9 ]; }
verdict $? 'GZ_CHECK=1 compares all fields, and finds no difference'
note < "$work/checks"

result=$(GZ_PROGRAMS=systems GZ_EVERY=50 sh "$GZ_SOURCE/t/gzc/differ.sh" "${GZ_SEED:-1}" "$(bulk 50 200)" 2>&1)
verdict $? "random programs: $(echo "$result" | grep "programs, to seed")"
echo "$result" | note
finish
