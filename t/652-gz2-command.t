#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 652-gz2-command - gz2 from the command line: the default if the files have what it
# needs, as on every built-in device of today; otherwise the missing quantities are named.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
gzmodel=$GZ_BUILD/bin/gzmodel
devices='v100 a100-40 a100-80 h100-pcie h200 l40 a40 mi210'
scratch

# value KEY FILE: a number of the JSON.
value() {
    sed -n "s/^ *\"$1\": \([-+0-9.e]*\),*$/\1/p" "$2" | head -n 1
}

for device in $devices; do
    grep -q '"note": "from published measurements' "libgzmodel/data/devices/$device.json" &&
        grep -q 'missing: ' "libgzmodel/data/devices/$device.json"
    verdict $? "$device: the file says where it comes from and what is missing"
    "$gzmodel" predict -d "$device" -a hotspot -s 4096 -b 32x16 -H 2 --json >"$work/usual" 2>/dev/null
    ok "$device: gz2 predicts by default" grep -q '"model": "gz2"' "$work/usual"
done
"$gzmodel" predict -d h200 -a hotspot -s 4096 -b 32x16 -H 2 --json --model meng2011 2>/dev/null |
    grep -q '"model": "meng2011"'
verdict $? 'and the 2011 model, with --model'
# Answers beyond what anybody has measured.
"$gzmodel" tune -d rtx4090 -a jacobi -s 16384 >"$work/tall" 2>/dev/null && grep -q 'nobody has measured' "$work/tall"
verdict $? 'a gain or a height beyond all measurements is called so'
"$gzmodel" tune -d rtx4090 -a jacobi -s 16384 --json 2>/dev/null | grep -q '"beyond_measured": "nobody'
verdict $? 'in JSON, too'
"$gzmodel" tune -d h200 -a pathfinder -s 2000000 2>/dev/null | grep -q '^beyond_measured .*nobody has measured'
verdict $? 'and of a grid that the last cache holds'
"$gzmodel" tune -d h200 -a star7 -s 512 >"$work/usual" 2>/dev/null && ! grep -q 'nobody has measured' "$work/usual"
verdict $? 'others are not'
"$gzmodel" choose -d pocl-xeon-2core -a hotspot -s 1760 -b 64x64 --json >"$work/choice" 2>"$work/err"
verdict $? 'the kept CPU chooses a mode'
"$gzmodel" optimize -d pocl-xeon-2core -a hotspot -s 1760 -b 64x64 >"$work/best" 2>"$work/err"
ok 'and its optimum is told in the terms of gz2' grep -q '^Copy\*' "$work/best"
"$gzmodel" sensitivity -d h200 -a hotspot -s 4096 -b 32x16 >"$work/rank" 2>/dev/null
ok 'its parameters are ranked' grep -q '^effective_bandwidth\|^mem_bandwidth' "$work/rank"
for loops in 2 30 3000; do
    "$gzmodel" predict -d pocl-xeon-2core -a pathfinder -s 2000000 -b 4096 -H 2 --loops $loops --json >"$work/run.$loops" \
        2>"$work/err"
done
"$gzmodel" predict -d pocl-xeon-2core -a pathfinder -s 2000000 -b 4096 -H 2 --json >"$work/run" 2>"$work/err"
# Without it, arrays are as long as 30 loops', and what a run takes once does not count.
awk -v a="$(value CPL "$work/run.2")" -v b="$(value CPL "$work/run.30")" -v c="$(value CPL "$work/run.3000")" \
    -v d="$(value CPL "$work/run")" 'BEGIN { exit !(a > 0 && a < b && b < c && d > 0.98 * b && d < 1.02 * b) }'
verdict $? '--loops: what PathFinder reads anew leaves the cache in a long run'
"$gzmodel" tune -d h200 -a hotspot -s 4096 --step 16 --max-threads 512 --local-memory 48000 \
    >"$work/tuned" 2>/dev/null
verdict $? 'blocks, heights and modes are tuned'
grep -q '^roofline .* by bandwidth alone$' "$work/tuned" && grep -q '^gain over naive  *3\.[0-9]' "$work/tuned" &&
    "$gzmodel" tune -d h200 -a box27 -s 256 2>/dev/null | grep -q '^gain over naive  *1 '
verdict $? 'what is gained over the best naive block is stated'
"$gzmodel" optimize -d h200 -a hotspot -s 1760 >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && grep -q '^block' "$work/said"
verdict $? 'more blocks than can be tried one by one are searched'
mkdir "$work/own"
cp calibrate/devices/pocl-xeon-2core/*.json "$work/own"
sed '/"[a-z_]*cell_time"/d; /"[a-z_]*rest_time"/d; /"bank_conflict_rate"/s/},$/}/' \
    "$work/own/hotspot.json" >"$work/own/mine.json"
"$gzmodel" predict -d "$work/own/device.json" -a mine -s 1760 -b 64x64 -H 2 --json >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && grep -q '"why": .* by what it reads' "$work/said" && [ ! -s "$work/err" ] && grep -q '"model": "gz2"' "$work/said"
verdict $? 'a stencil that is not calibrated is predicted by its reads, and the answer says so' || note <"$work/err"
# An older folder, whose files do not say what a stencil reads: the built-in one of its name does.
mkdir "$work/old"
cp studies/results/pocl-epyc-2core/device/*.json "$work/old"
sed '/"[a-z_]*cell_time"/d; /"[a-z_]*rest_time"/d; /"bank_conflict_rate"/s/},$/}/' \
    studies/results/pocl-epyc-2core/device/box27.json >"$work/old/box27.json"
cp "$work/old/box27.json" "$work/old/mine.json"
for app in box27 mine; do
    "$gzmodel" predict -d "$work/old/device.json" -a $app -s 256 -b 40 -H 2 --json >"$work/$app" 2>"$work/err"
done
awk -v box="$(value CPL "$work/box27")" -v star="$(value CPL "$work/mine")" \
    'BEGIN { exit !(star > 0 && box > 1.5 * star) }'
verdict $? 'by its name, a box reads 27 elements, though its file does not say so' || note <"$work/err"
finish
