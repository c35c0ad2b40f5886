#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 905-equations - each of the paper's 32 equations, and each on the page of gz2, is found by grep, on a
# line of code that computes it; and the table on the page of the 2011 model is what equations.sh prints.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1

# Lines of code (not only of comment) with the tag "[$1]".
lines_of() {
    grep -rhF "[$1]" --include='*.c' libgzmodel |
        grep -vE '^[[:space:]]*(/\*|\* |//)' | sed -E 's|/\*.*||' | grep -E '[=(;]'
}

missing() {
    for n in $(seq 1 32); do
        [ -n "$(lines_of "Eq. $n")" ] || echo "equation $n is on no line of code"
    done
}
nothing 'all 32 equations are on the lines that compute them' "$(missing)"
nothing 'and there are no others' "$(grep -rhoE '\[Eq\. [0-9]+\]' --include='*.[ch]' libgzmodel |
    sort -u | awk -F'[]. ]+' '$2 < 1 || $2 > 32')"
nothing 'the tags of code are in no other form' \
    "$(grep -rnE '\[Eqs?\.? ?[0-9]+ ?[,-]' --include='*.c' libgzmodel | grep -v ':[[:space:]]*/\?\*')"

sh libgzmodel/equations.sh > "$GZ_BUILD/t/equations.md"
sed -n '/<!-- equations -->/,/<!-- end -->/p' libgzmodel/models/meng2011/README.md |
    grep "^|" > "$GZ_BUILD/t/stated.md"
nothing 'the table on the page of the model is up to date (sh libgzmodel/equations.sh)' \
    "$(diff "$GZ_BUILD/t/stated.md" "$GZ_BUILD/t/equations.md" 2>&1)"
# The page of gz2 numbers its equations at the ends of their lines, in order.
page=libgzmodel/models/gz2/README.md
sed -nE 's/^    .* \(([0-9]+)\)$/\1/p' "$page" > "$GZ_BUILD/t/numbers"
last=$(tail -n 1 "$GZ_BUILD/t/numbers")
seq 1 "${last:-0}" | cmp -s - "$GZ_BUILD/t/numbers" && [ "${last:-0}" -gt 30 ]
verdict $? "the page of gz2 numbers equations 1 to $last"
nothing 'each of them is on a line that computes it' "$(while read -r n; do
    [ -n "$(lines_of "gz2 $n")" ] || echo "equation $n is on no line of code"
done < "$GZ_BUILD/t/numbers")"
nothing "and there are no others" "$(grep -rhoE '\[gz2 [0-9]+\]' --include='*.[ch]' libgzmodel |
    awk -v last="$last" -F'[] ]' '$2 < 1 || $2 > last')"
finish
