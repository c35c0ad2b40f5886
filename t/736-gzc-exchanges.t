#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 736-gzc-exchanges - pointers of one array or two that are exchanged in blocks, macros, by and by
# (t/gzc/exchanges.c): the same bits, behind the same names, after even and odd numbers of loops; and
# GZ_CHECK tells where pointers that lead elsewhere than C's.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

translate exchanges exchange

same 1 40 1 6 0 10
same 1 40 1 5 0 10
same 1 40 1 2 0 10
same 1 40 1 1 0 3
same 1 40 1 0 0 0
same 1 3 1 7 0 10

# What gzc writes of the first loop, with one exchange left out.
grep -q '^ *vn = a_vn;$' "$work/made.c" && sed -i 's/^ *vn = a_vn;$/(void)a_vn;/' "$work/made.c"
verdict $? 'the exchange is there'
host=
compiles "${CC:-cc}" "$work/made" -L"$GZ_BUILD/lib" -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
GZ_HEIGHT=1 GZ_BLOCK=14x1x1 GZ_ORIGINAL=never GZ_DEVICE=opencl:0 GZ_CHECK=1 "$work/made" 40 1 5 > "$work/got" 2> "$work/err"
status=$?
if grep -q 'opencl:0: no ' "$work/err"; then
    skip 'there is no OpenCL device'
else
    [ $status -eq 1 ] && [ "$(grep -c 'check failed: v*n* ends with another value' "$work/err")" -ge 1 ]
    verdict $? 'GZ_CHECK names a pointer that leads elsewhere than in C' || note < "$work/err"
fi
finish
