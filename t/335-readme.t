#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 335-readme - the tables of stencils and of variants in the README of gzrun are the program's. (A new
# stencil need not be in it.)
. "$(dirname "$0")/tap.sh"
readme=$GZ_SOURCE/kernels/gzrun/README.md
scratch
"$GZ_BUILD/bin/gzrun" --list > "$work/list"

# table FIRST: the indented lines of the page that follow a line that begins with FIRST, and that line.
table() {
    awk -v first="$1" '/^      [^ ]/ { if ($1 == first) inside = 1; if (inside) print; next }
        { inside = 0 }' "$readme" | sed 's/^    //'
}
table stencil > "$work/stencils"
table trapezoid > "$work/variants"
for what in stencils variants; do
    ok "there is a table of $what" test "$(wc -l < "$work/$what")" -gt 4
    while IFS= read -r line; do
        ok "$line" grep -qxF -e "$line" "$work/list"
    done < "$work/$what"
done
finish
