#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 950-analysis - shellcheck reports nothing, nor does cppcheck, which takes longer.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL
if [ "$(bulk 0 1)" -eq 0 ]; then
    :
elif command -v cppcheck > /dev/null; then
    log=$(make -s cppcheck B="$GZ_BUILD" 2>&1)
    verdict $? 'cppcheck'
    [ -z "$log" ] || printf '%s\n' "$log" | head -n 20 | note
else
    skip 'there is no cppcheck'
fi
if command -v shellcheck > /dev/null; then
    nothing 'shellcheck' "$(shellcheck -x -P t -f gcc t/tap.sh t/9*.t t/641*.t studies/evidence/*.sh .ci/run 2>&1)"
else
    skip 'there is no shellcheck'
fi
finish
