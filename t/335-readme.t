#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The table in the README of gzrun of stencils is the program's.
gzrun=${B:-build}/bin/gzrun
readme=kernels/gzrun/README.md
listed=$(mktemp) || exit 1
trap 'rm -f "$listed"' EXIT
"$gzrun" --list | sed -n '/^stencils:/,/^devices:/{/:$/!s/^/    /p;}' >"$listed"
echo "1..$(wc -l <"$listed")"
n=0
while IFS= read -r line; do
    n=$((n + 1))
    if grep -qxF "$line" $readme; then
        echo "ok $n -$line"
    else
        echo "not ok $n - not in $readme:$line"
    fi
done <"$listed"
[ $n -gt 1 ]
