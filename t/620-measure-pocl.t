#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 620-measure-pocl - a small sweep of one stencil on a CPU, with the kept device file, judged. Only
# what does not vary from run to run is asserted: which rows there are, not what they took.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
measure=$GZ_BUILD/bin/measure
device=calibrate/devices/pocl-xeon-2core/device.json
scratch
tab=$(printf '\t')

needs_device

sweep() {
    POCL_MAX_PTHREAD_COUNT=2 "$measure" -d $device --on opencl:0 --small --total 3h --budget 0.002 \
        --max-height 2 --seed "$1" -q -o "$work/$1.tsv" poisson >"$work/said" 2>"$work/err"
}
sweep 1
verdict $? 'a small sweep runs'
nothing 'without a word' "$(cat "$work/said" "$work/err")"
# Four grids, two modes, two heights; on one grid a streamed tile and a block without local memory;
# five counts of tiles in both modes.
count=$(grep -v '^#' "$work/1.tsv" | cut -f 5 | sort | uniq -c | tr -s ' \n' ' ')
ok "the rows are those of the rules:$count" test "$count" = ' 1 kind 1 naive 1 stream 16 sweep 10 sync '
for key in 'measured: 3' cache: device: driver: rules: clocks: date: command: seed: 'device file:' \
    'app poisson:'; do
    grep -q "^# $key" "$work/1.tsv" || echo "$key"
done >"$work/missing"
nothing 'all that is needed to run it again is inside' "$(cat "$work/missing")"
awk -f plots/check.awk "$work/1.tsv" 2>"$work/err"
verdict $? 'the table has the right shape'
mkdir "$work/judged"
"$GZ_BUILD/bin/validate" "$work/1.tsv" -o "$work/judged" >"$work/said" 2>"$work/err"
verdict $? 'the table is judged'
ok 'every point is beside its prediction' test "$(grep -c '^meng2011' "$work/judged/points.tsv")" -eq 16
[ ! -e "$work/1.tsv.partial" ] && ! grep -q '^# partial' "$work/1.tsv"
verdict $? 'a whole table leaves no partial one, and is not marked'

# Five tries of each point, all with the same loops on a curve.
awk -F"$tab" '$5 == "sweep" && split($12, tries, ",") != 5 { exit bad = 1 }
    $5 == "sweep" { curve = $1 " " $2 " " $3 " " $4
        if (curve in loops && loops[curve] != $8) exit bad = 1
        loops[curve] = $8 } END { exit bad }' "$work/1.tsv"
verdict $? 'every point has five tries, and all heights of a curve the same loops'

# What an interrupted sweep leaves: here the first six points of the one above, with two tries.
{
    grep '^#' "$work/1.tsv" | grep -v -e '^# column' -e '^# rows'
    echo "# partial: 6 of 18 points of the sweep"
    echo "# rows: 6 of 12 columns"
    grep -e '^# column' -e "^app" "$work/1.tsv"
    grep "${tab}sweep${tab}" "$work/1.tsv" | head -n 6 |
        awk -F"$tab" -v OFS="$tab" '{ $6 = "quiet"; $11 = "0.01"; $12 = $10 "," $10; print }'
} >"$work/1.tsv.partial"
cp "$work/1.tsv.partial" "$work/partial"
mkdir "$work/part"
"$GZ_BUILD/bin/validate" "$work/partial" -o "$work/part" >"$work/said" 2>"$work/err"
verdict $? 'a partial table is judged like any other'
resume() { # SEED
    POCL_MAX_PTHREAD_COUNT=2 "$measure" -d $device --on opencl:0 --small --total 3h --budget 0.002 \
        --max-height 2 --seed "$1" -q -o "$work/1.tsv" --resume poisson
}
fails 2 'of another sweep: it lacks the line "# seed: 2' 'another seed is another sweep' resume 2
ok 'and the partial table is left as it was' cmp -s "$work/1.tsv.partial" "$work/partial"
resume 1
verdict $? 'the same sweep is taken up'
taken=$(grep "${tab}sweep${tab}" "$work/partial" | cut -f 1-5,7,8,12 | while IFS= read -r row; do
    cut -f 1-5,7,8,12 "$work/1.tsv" | grep -qF "$row," || echo "$row"
done)
nothing 'with the tries that were there, and one more' "$taken"
count=$(grep -v '^#' "$work/1.tsv" | cut -f 5 | sort | uniq -c | tr -s ' \n' ' ')
[ "$count" = ' 1 kind 1 naive 1 stream 16 sweep 10 sync ' ] && [ ! -e "$work/1.tsv.partial" ]
verdict $? "and those that were missing:$count"
grep -q '^# resumed: ' "$work/1.tsv" && awk -f plots/check.awk "$work/1.tsv" 2>"$work/err"
verdict $? 'which the table says'
rm -f "$work/1.tsv.partial"

# Nothing that was measured is lost, and no input.
cp "$work/1.tsv" "$work/whole.tsv"
refuses() { # WHAT PATTERN ARGUMENTS...
    what=$1 pattern=$2
    shift 2
    fails 2 "$pattern" "$what" "$measure" --on opencl:0 --small --total 1s "$@"
}
refuses 'a table is there' 'the file exists: give another name, or --force' \
    -d $device -o "$work/1.tsv" poisson
cp "$work/partial" "$work/new.tsv.partial"
refuses 'what an interrupted sweep left is there' 'give --resume to go on with it, or --force' \
    -d $device -o "$work/new.tsv" poisson
cmp -s "$work/1.tsv" "$work/whole.tsv" && cmp -s "$work/new.tsv.partial" "$work/partial"
verdict $? 'and both are as they were'
# Compiling, which nothing is kept of here, ends long before all 250 points' kernels are compiled.
mkdir "$work/cache"
POCL_CACHE_DIR=$work/cache POCL_MAX_PTHREAD_COUNT=2 "$measure" -d $device --on opencl:0 --total 1s --budget 0.002 \
    -q -o "$work/short.tsv" poisson >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && grep -q '^# partial: ' "$work/short.tsv" && [ -e "$work/short.tsv.partial" ] &&
    [ "$(find "$work/cache" -name '*.so' | wc -l)" -lt 50 ]
verdict $? 'the time for everything ends what compiles, too'

# By a path longer than the 1199 characters that a buffer once held.
long=$work/$(printf '%01000d' 0 | sed 's,0,./,g')/name.tsv
"$measure" -d pocl-xeon-2core --on opencl:0 --small --total 3h --budget 0.002 --max-height 2 -q -o "$long" poisson \
    >"$work/said" 2>"$work/err"
verdict $? "a kept device by its name, and a table whose path has ${#long} characters" || note <"$work/err"
[ ! -e "$work/name.tsv.partial" ] &&
    [ "$(grep -E '^# (device file|app)' "$work/name.tsv")" = "$(grep -E '^# (device file|app)' "$work/1.tsv")" ]
verdict $? 'its table has the same description of device and application as with its file'
finish
