#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# 476-second-pocl - calibrate for both models on the CPU: files that gz2 takes, tries in processes of
# their own, and refusals of what the options take.
. "$GZ_SOURCE/t/tap.sh"
calibrate=$GZ_BUILD/bin/calibrate
needs_device
scratch

"$calibrate" -d opencl:0 -a poisson --quick -q --model both -o "$work/cpu.json" \
    > "$work/table" 2> "$work/err"
status=$?
verdict $status 'calibrate --model both'
note < "$work/err"
if grep -q 'left out' "$work/err"; then
    skip "this machine is too busy for gz2"
else
    for key in effective_cache stage_launch copy_cell effective_bandwidth; do
        ok "the device file has $key" grep -q "\"$key\": {\"value\": [0-9]" "$work/cpu.json"
    done
    for variant in '' ', variant stream' ', variant naive'; do
        ok "its note has the runs of gz2$variant" grep -q "; gz2$variant: [0-9]* parameters fitted to [0-9]* runs" "$work/cpu.json"
    done
fi
if grep -q 'left out' "$work/err"; then
    skip "no quantities of gz2"
else
    grep -q '"cell_time": {"value": [0-9].*processes of their own' "$work/poisson.json"
    verdict $? 'the application file has cell_time, from tries in processes of their own'
    "$GZ_BUILD/bin/gzmodel" predict -d "$work/cpu.json" -a "$work/poisson.json" --model gz2 -s 1000 -b 64 -H 2 \
        > "$work/said" 2>&1
    verdict $? 'gz2 predicts with both files'
    "$GZ_BUILD/bin/gzmodel" optimize -d "$work/cpu.json" -a "$work/poisson.json" -s 1000 -b 64 > "$work/said" 2>&1
    verdict $? 'and they optimise without --model'
fi

mkdir "$work/gz2"
"$calibrate" -d opencl:0 -a poisson --quick --model gz2 --json -o "$work/gz2/cpu.json" > "$work/json" 2> "$work/err"
verdict $? 'calibrate --model gz2' || note < "$work/err"
# A cache's size that moved meanwhile leaves its sharpness out.
for model in both gz2; do
    folder=$work/$([ $model = both ] || echo $model)
    sed -nE 's/^ *"([a-z_0-9]+)": *\{"value".*/\1/p' "$folder/cpu.json" "$folder/poisson.json" |
        grep -v '^cache_sharpness$' | sort > "$work/keys.$model"
done
if [ "$(grep -c 'left out' "$work/err")" -eq 0 ] && grep -q stage_launch "$work/keys.both"; then
    diff "$work/keys.both" "$work/keys.gz2" > "$work/said"
    verdict $? 'its files have the quantities that those of --model both have' || note < "$work/said"
    "$GZ_BUILD/bin/gzmodel" predict -d "$work/gz2/cpu.json" -a "$work/gz2/poisson.json" --model gz2 -s 1000 -b 64 -H 2 \
        > "$work/said" 2>&1
    verdict $? 'gz2 predicts with them'
else
    skip 'this machine is too busy for gz2'
fi
"$calibrate" -d opencl:0 -a poisson --quick -q --model meng2011 > "$work/table" 2> "$work/err"
! grep -q gz2 "$work/table" && grep -q '^  cpi' "$work/table"
verdict $? '--model meng2011 measures nothing of gz2'

finish
