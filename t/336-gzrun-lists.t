#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 336-gzrun-lists - gzrun with lists and ranges: every combination once, in one table that states
# its rows; what cannot run is left out with a reason; an interrupted or shorter table is taken up
# again without measuring what it holds.
. "$(dirname "$0")/tap.sh"
scratch
export XDG_DATA_HOME="$work/data"
gzrun=$GZ_BUILD/bin/gzrun
needs_device
never_optimise

run() { "$gzrun" -q -d opencl:0 -a hotspot -s 40x30 --loops 6 --runs 1 "$@" 2> "$work/err"; }
# rows: the table's columns that name a configuration, without the column names.
rows() { grep -v '^#' "$1" | tail -n +2 | cut -f 1,2,3,5; }
# row VARIANT SYNC BLOCK HEIGHT.
row() { printf '%s\t%s\t%s\t%s\n' "$@"; }

run -b 12x10,20 -H 2:4:2 -y restart,fence --verify -o "$work/table.tsv"
verdict $? 'two blocks, two heights, two modes'
for sync in restart fence; do
    for block in 12x10 20x20; do
        for height in 2 4; do row trapezoid $sync $block $height; done
    done
done > "$work/want"
rows "$work/table.tsv" | cmp -s - "$work/want"
verdict $? 'every combination once, in order'
ok 'the table states its rows' grep -qx '# rows: 8 of 8 configurations; 0 cannot run there' "$work/table.tsv"
nothing 'every result equals the reference' \
    "$(grep -v '^#' "$work/table.tsv" | tail -n +2 | awk -F '\t' '$14 != 1')"
nothing 'rates are cells, bytes and operations over the time' "$(grep -v '^#' "$work/table.tsv" |
    tail -n +2 | awk -F '\t' 'function off(a, b) { return a / b < 0.999999 || a / b > 1.000001 }
        off($11 * $7, 1200) || off($12, 12 * $11) || off($13, 15 * $11)')"
verdict "$([ -e "$work/table.tsv.partial" ]; echo $((1 - $?)))" 'no partial table is left'
if command -v gnuplot >/dev/null; then
    "$GZ_SOURCE/plots/draw.sh" gzrun_heights "$work/table.tsv" "$work" 2>"$work/err" &&
        [ -s "$work/gzrun_heights.svg" ]
    verdict $? 'the table is drawn over the height' || note <"$work/err"
else
    skip 'there is no gnuplot'
fi

run -b 20 -H 2 -y all --variant all -o "$work/all.tsv"
verdict $? 'all variants, all modes'
count=$(rows "$work/all.tsv" | wc -l)
stated=$(sed -n 's/^# rows: \([0-9]*\) of .*/\1/p' "$work/all.tsv")
[ "$count" -gt 0 ] && [ "$count" = "$stated" ]
verdict $? "the rows are as many as stated, $count"
left=$(sed -n 's/^# rows: .*; \([0-9]*\) cannot run there/\1/p' "$work/all.tsv")
[ "$left" -gt 0 ] && [ "$(sed -n 's/^# left out, \([0-9]*\): .*/\1/p' "$work/all.tsv" |
    awk '{ n += $1 } END { print n }')" = "$left" ]
verdict $? "the reasons add up to the $left that are left out"
ok 'a reason says what cannot run' grep -q '^# left out, [0-9]*: sync fence: variant naive' "$work/all.tsv"
ok 'a variant of one loop at a time has no heights' test "$(rows "$work/all.tsv" | grep -c '^naive.restart')" -eq 1

# Resuming: rows of before stay to the letter, others are added.
cp "$work/table.tsv" "$work/old.tsv"
sed -i '$d' "$work/table.tsv"
sed -i '$d' "$work/table.tsv"
mv "$work/table.tsv" "$work/table.tsv.partial"
run -b 12x10,20 -H 2:4:2 -y restart,fence --verify --resume -o "$work/table.tsv"
verdict $? 'a partial table is taken up again'
rows "$work/table.tsv" | cmp -s - "$work/want"
verdict $? 'all rows are there'
ok 'those of before as they were' test "$(grep -v '^#' "$work/old.tsv" | head -n 7)" = "$(grep -v '^#' "$work/table.tsv" | head -n 7)"
ok 'and the partial table is gone' test ! -e "$work/table.tsv.partial"

# refuses TEXT OPTIONS...: exit status 2, one line, no table.
refuses() {
    text=$1
    shift
    fails 2 "$text" "refused: $text" run "$@"
}
# A row has numbers, of which one is a time; the file's line is named.
options='-b 12x10,20 -H 2:4:2 -y restart,fence --verify'
cp "$work/table.tsv" "$work/whole.tsv"
# wrong COLUMN VALUE TEXT: the row of line 40 with another value.
wrong() {
    awk -F '\t' -v OFS='\t' -v column="$1" -v value="$2" 'NR == last { $column = value } { print }' \
        last="$(wc -l < "$work/whole.tsv")" "$work/whole.tsv" > "$work/table.tsv"
    # The options are meant to be split.
    # shellcheck disable=SC2086
    refuses "table.tsv:[1-9][0-9]*: $3" $options --resume -o "$work/table.tsv"
}
for seconds in -5 nan 0 inf 12s; do wrong 7 $seconds 'seconds_per_loop\|must have 16 columns'; done
mv "$work/whole.tsv" "$work/table.tsv"

# What lies at the place of the partial table stays, whatever it is.
cp "$work/table.tsv" "$work/new.tsv.partial"
# shellcheck disable=SC2086
refuses 'an interrupted run left .*new.tsv.partial: give --resume' $options -o "$work/new.tsv"
cmp -s "$work/table.tsv" "$work/new.tsv.partial" && [ ! -e "$work/new.tsv" ]
verdict $? 'and what an interrupted run left is still there'
echo precious > "$work/other"
ln -sf other "$work/new.tsv.partial"
# shellcheck disable=SC2086
refuses 'new.tsv.partial is no file of an interrupted run' $options --resume -o "$work/new.tsv"
[ "$(cat "$work/other")" = precious ] && [ -L "$work/new.tsv.partial" ] && [ ! -e "$work/new.tsv" ]
verdict $? 'a link is not followed'
rm "$work/new.tsv.partial"

refuses 'must begin with the app, device' -b 12x10,20 -H 2:4:2 -y restart,fence --resume \
    --seed 2 -o "$work/table.tsv"
finish
