#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 786-gzc-unload - a program that loads objects with translated loops, each where another was before,
# and unloads them: each call gets the results of its own loop, from the device.
. "$(dirname "$0")/tap.sh"
needs_gzc
compile_quickly
compile_inside
lib=$GZ_SOURCE/kernels/gzstencil
unset LD_PRELOAD
[ -z "$sanitize" ] || skip_all 'a sanitizer must be loaded first'

# object NAME FACTOR SOURCE OPTIONS...: a shared object of the loop with that factor.
object() {
    name=$1 factor=$2 source=$3
    shift 3
    ${CC:-cc} -std=c11 -O2 -ffp-contract=off -Wno-unknown-pragmas -shared -fPIC -DFACTOR="$factor" \
        -I"$lib" "$source" -o "$work/$name.so" "$@"
}
made=0
for factor in 0.25 0.2 0.125; do
    object "plain$factor" "$factor" "$GZ_SOURCE/t/gzc/plugin.c" &&
        "$gzc" "$GZ_SOURCE/t/gzc/plugin.c" -o "$work/made.c" -- -DFACTOR="$factor" &&
        object "made$factor" "$factor" "$work/made.c" -L"$GZ_BUILD/lib" -lgzstencil -Wl,-rpath,"$GZ_BUILD/lib" &&
        made=$((made + 1))
done 2> "$work/err"
[ $made -eq 3 ] && ${CC:-cc} -std=c11 -Wall -Wextra "$GZ_SOURCE/t/gzc/unload.c" -o "$work/unload" -ldl 2>> "$work/err"
verdict $? 'three objects and a program that loads them' || note < "$work/err"
"$work/unload" "$work/plain0.25.so" "$work/plain0.2.so" "$work/plain0.125.so" | cut -d' ' -f1 > "$work/expected"

# same WHAT REPORTS: the same sums, and so many lines that the device computed.
same() {
    GZ_DEVICE=opencl:0 GZ_REPORT=1 "$work/unload" "$work/made0.25.so" "$work/made0.2.so" "$work/made0.125.so" \
        > "$work/got" 2> "$work/err"
    [ $? -eq 0 ] && cut -d' ' -f1 "$work/got" | cmp -s - "$work/expected" &&
        [ "$(grep -c "$2" "$work/err")" -eq 6 ]
    on_device "$work/err" "$1"
}
same 'six calls of three loops, unloaded after each' ' loops on opencl:0: '
sed 's/.* //' "$work/got" | sort | uniq -c | awk '$1 > 1 { shared = 1 } END { exit !shared }'
verdict $? 'some were where others had been'
GZ_CHECK=1 same 'with checks' 'check passed'
finish
