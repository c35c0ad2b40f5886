#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 792-gzc-stops - original loops that are told to stop after the first few, as libgzstencil tells them
# to time them: what they have left is computed in their place from there, to the bit, of every form that
# the programs of the other tests have. It counts loops; 787 tests when they are told to.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"
host=1

# stops NAME N M T LEAST: after 1, 2 and 3 loops, of LEAST places at least.
stops() {
    "$work/plain" "$2" "$3" "$4" > "$work/expected"
    for first in 1 2 3; do
        GZ_FIRST=$first GZ_BODIES=$work/bodies.so "$work/made" "$2" "$3" "$4" > "$work/got" 2> "$work/reports"
        stopped=$(grep ' stopped after ' "$work/reports" | sort -u | cut -d ' ' -f 1 | uniq | wc -l)
        cmp -s "$work/expected" "$work/got" && [ "$stopped" -ge "$5" ] && grep -q ' ran$' "$work/reports"
        verdict $? "$1: the same bits, where $stopped of $5 at least stop after $first of their loops"
        diff "$work/expected" "$work/got" | head -n 20 | cat - "$work/reports" | head -n 40 | note
    done
}

while read -r always name n m T least; do
    [ -n "$(bulk "$always" yes | tr -d -)" ] || continue
    translate "$name" loop 9
    stops "$name" "$n" "$m" "$T" "$least"
done << end
yes forms 12 9 9 5
- styles 23 31 9 5
yes counts 5 7 9 4
yes beside 31 23 12 4
- looks 31 23 12 1
yes measure 40 37 60 3
yes fields 31 23 12 4
end
finish
