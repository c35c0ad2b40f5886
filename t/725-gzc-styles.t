#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 725-gzc-styles - loops written in the many ways in which programs are (t/gzc/styles.c): what gzc
# makes of them compiles without a warning and gives the same bits as the loops.
. "$(dirname "$0")/tap.sh"
gzc=$GZ_BUILD/bin/gzc
[ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
lib=$GZ_SOURCE/kernels/translate/lib
set -- -std=c11 -O1 -ffp-contract=off -Wno-unknown-pragmas
plan 11

"$gzc" "$GZ_SOURCE/t/gzc/styles.c" -o "$work/made.c" 2> "$work/err"
verdict $? 'gzc takes a loop of every style'
note < "$work/err"
for compiler in gcc clang; do
    if command -v $compiler > /dev/null; then
        $compiler "$@" -Wall -Wextra -Werror -I"$lib" -c "$work/made.c" -o "$work/made.o" 2> "$work/err"
        verdict $? "$compiler compiles the result without a warning"
        head -n 20 "$work/err" | note
    else
        skip "there is no $compiler"
    fi
done
cc=${CC:-cc}
$cc "$@" "$GZ_SOURCE/t/gzc/styles.c" -o "$work/plain" -lm &&
    $cc $sanitize "$@" -I"$lib" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" -lgzstencil -lm \
        -Wl,-rpath,"$GZ_BUILD/lib"
verdict $? 'both compile and link'

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
