#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 960-valgrind - a short run of valgrind; `make check-valgrind` is the long one.
. "$(dirname "$0")/tap.sh"
command -v valgrind > /dev/null || skip_all 'there is no valgrind'
! sanitized "$GZ_BUILD/lib/libgzmodel.a" || skip_all 'valgrind and sanitizers exclude each other'
for name in 040-texts 170-choose 190-adapt; do
    log=$(valgrind -q --error-exitcode=9 --leak-check=full "$GZ_BUILD/t/$name.t" 2>&1)
    verdict $? "$name"
    printf '%s\n' "$log" | grep -E '^(==|not ok)' | head -n 20 | note
done
finish
