#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 905-equations - each of the paper's 32 equations is found by grep, on a line of code that computes
# it; and the table in README.md is the one that equations.sh makes.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
plan 4

# Lines of code (not only of comment) with the tag of equation $1.
lines_of() {
    grep -rhF "[Eq. $1]" --include='*.c' libgzmodel |
        grep -vE '^[[:space:]]*(/\*|\* |//)' | sed -E 's|/\*.*||' | grep -E '[=(;]'
}

missing() {
    for n in $(seq 1 32); do
        [ -n "$(lines_of "$n")" ] || echo "equation $n is on no line of code"
    done
}
nothing 'all 32 equations are on the lines that compute them' "$(missing)"
nothing 'and there are no others' "$(grep -rhoE '\[Eq\. [0-9]+\]' --include='*.[ch]' libgzmodel |
    sort -u | awk -F'[]. ]+' '$2 < 1 || $2 > 32')"
nothing 'the tags of code are in no other form' \
    "$(grep -rnE '\[Eqs?\.? ?[0-9]+ ?[,-]' --include='*.c' libgzmodel | grep -v ':[[:space:]]*/\?\*')"

sh libgzmodel/equations.sh > "$GZ_BUILD/t/equations.md"
sed -n '/<!-- equations -->/,/<!-- end -->/p' README.md | grep '^|' > "$GZ_BUILD/t/stated.md"
nothing 'the table in README.md is up to date (sh libgzmodel/equations.sh)' \
    "$(diff "$GZ_BUILD/t/stated.md" "$GZ_BUILD/t/equations.md" 2>&1)"
finish
