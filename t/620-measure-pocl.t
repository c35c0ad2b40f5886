#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 620-measure-pocl - a small sweep of one stencil on a CPU, with the kept device file, judged. Only
# what cannot flicker is asserted: which rows there are, not what they took.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
measure=$GZ_BUILD/studies/bin/measure
device=calibrate/devices/pocl-xeon-2core/device.json
work=$(mktemp -d)
tab=$(printf '\t')
trap 'rm -rf "$work"' EXIT

"$GZ_BUILD/bin/calibrate" --list 2>/dev/null | grep -q '^opencl:0 ' || skip_all 'no OpenCL device'
plan 20

sweep() {
    POCL_MAX_PTHREAD_COUNT=2 "$measure" -d $device --on opencl:0 --small --budget 0.002 \
        --max-height 2 --seed "$1" -q -o "$work/$1.tsv" poisson >"$work/said" 2>"$work/err"
}
sweep 1
verdict $? 'a small sweep runs'
nothing 'without a word' "$(cat "$work/said" "$work/err")"
# Four grids, two modes, two heights; five counts of tiles in both modes; adaptive runs.
count=$(grep -v '^#' "$work/1.tsv" | cut -f 5 | sort | uniq -c | tr -s ' \n' ' ')
[ "$count" = ' 4 from_model 4 from_one 1 kind 16 sweep 10 sync ' ]
verdict $? "the rows are those of the rules:$count"
for key in 'measured: 1' device: driver: 'grids of poisson:' rules: clocks: date: command: seed: 'device file:' \
    'app poisson:'; do
    grep -q "^# $key" "$work/1.tsv" || echo "$key"
done >"$work/missing"
nothing 'all that is needed to run it again is inside' "$(cat "$work/missing")"
awk -f plots/check.awk "$work/1.tsv" 2>"$work/err"
verdict $? 'the table has the right shape'
mkdir "$work/out"
"$GZ_BUILD/studies/bin/validate" "$work/1.tsv" -o "$work/out" >"$work/said" 2>"$work/err"
verdict $? 'the table is judged'
[ "$(grep -c '^poisson' "$work/out/points.tsv")" -eq 16 ]
verdict $? 'every point is beside its prediction'
[ ! -e "$work/1.tsv.partial" ] && ! grep -q '^# partial' "$work/1.tsv"
verdict $? 'a whole table leaves no partial one, and is not marked'

# What an interrupted sweep leaves: here the first six points of the one above, as
# quiet ones, since others are tried again.
{
    grep '^#' "$work/1.tsv" | grep -v '^# column'
    echo '# partial: 6 of 16 points of the sweep'
    grep -e '^# column' -e "^app" "$work/1.tsv"
    grep "${tab}sweep${tab}" "$work/1.tsv" | head -n 6 | sed -E "s/${tab}(noisy|averaged)${tab}/${tab}quiet${tab}/"
} >"$work/1.tsv.partial"
cp "$work/1.tsv.partial" "$work/partial"
mkdir "$work/part"
"$GZ_BUILD/studies/bin/validate" "$work/partial" -o "$work/part" >"$work/said" 2>"$work/err"
verdict $? 'a partial table is judged like any other'
resume() { # SEED
    POCL_MAX_PTHREAD_COUNT=2 "$measure" -d $device --on opencl:0 --small --budget 0.002 \
        --max-height 2 --seed "$1" -q -o "$work/1.tsv" --resume poisson >"$work/said" 2>"$work/err"
}
resume 2
[ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
    grep -q 'of another sweep: it lacks the line "# seed: 2' "$work/err"
verdict $? 'another seed is another sweep: status 2, one line'
cmp -s "$work/1.tsv.partial" "$work/partial"
verdict $? 'and the partial table is left as it was'
resume 1
verdict $? 'the same sweep is taken up'
taken=$(grep "${tab}sweep${tab}" "$work/partial" | while IFS= read -r row; do
    grep -qxF "$row" "$work/1.tsv" || echo "$row"
done)
nothing 'with the rows that were there' "$taken"
count=$(grep -v '^#' "$work/1.tsv" | cut -f 5 | sort | uniq -c | tr -s ' \n' ' ')
[ "$count" = ' 4 from_model 4 from_one 1 kind 16 sweep 10 sync ' ] && [ ! -e "$work/1.tsv.partial" ]
verdict $? "and those that were missing:$count"
grep -q '^# resumed: ' "$work/1.tsv" && awk -f plots/check.awk "$work/1.tsv" 2>"$work/err"
verdict $? 'which the table says'

"$measure" -d $device --on opencl:99 -o "$work/none.tsv" poisson >"$work/said" 2>"$work/err"
[ $? -eq 77 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/none.tsv" ]
verdict $? 'no such device: status 77, one line, no table'
"$measure" -d gtx280 -o "$work/none.tsv" >"$work/said" 2>"$work/err"
[ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/none.tsv" ]
verdict $? 'a device that is no file: status 2, one line'
"$measure" -d $device -o "$work/none.tsv" nothing >"$work/said" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'nothing: no stencil of that name' "$work/err"
verdict $? 'no such stencil: status 2'
"$measure" -d $device --budget 0 -o "$work/none.tsv" >"$work/said" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'budget 0: must be a number from 0.001' "$work/err"
verdict $? 'a budget out of range: status 2'
"$measure" -d $device --total 1d -o "$work/none.tsv" >"$work/said" 2>"$work/err"
[ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/none.tsv" ]
verdict $? 'a time of no such unit: status 2'
finish
