#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 640-evidence - the script that collects what a device can tell, on PoCL with small limits:
# interrupted and taken up again, out of time, done; what it refuses; and how the results are filed.
. "$(dirname "$0")/tap.sh"
scratch
evidence=$GZ_BUILD/bundle/evidence
[ -x "$evidence" ] || skip_all 'make bundle was not run'
needs_device
never_optimise
POCL_MAX_PTHREAD_COUNT=2
export POCL_MAX_PTHREAD_COUNT
ev=$work/ev

"$evidence" -d opencl:7 -o "$ev" >"$work/out" 2>&1
[ $? -eq 77 ] && grep -q 'opencl:7: no such device' "$work/out" && [ ! -e "$ev" ]
verdict $? 'no such device: status 77, nothing is left'

# Interrupted in the middle of the comparisons. No clock decides: some lines of the table have to be
# there first, of some fifty.
steps=machine,correct
"$evidence" -d opencl:0 -t 10m -o "$ev" --small -s $steps >"$work/out" 2>"$work/err" &
pid=$!
lines() { cat "$ev/correctness.tsv" 2>/dev/null | grep -c right; }
while kill -0 $pid 2>/dev/null && [ "$(lines)" -lt 3 ]; do sleep 0.05; done
kill -TERM $pid 2>/dev/null
wait $pid
status=$?
cp "$ev/correctness.tsv" "$work/before"
if grep -q '^correct.*done' "$ev/progress.tsv"; then
    skip 'the comparisons were faster than the interruption'
else
    [ $status -eq 143 ] && grep -q 'interrupted; call again to go on' "$work/err" &&
        grep -q '^| correct | left' "$ev/SUMMARY.md"
    verdict $? "interrupted: status $status, one line, and the page"
fi
ok 'nothing goes on running' test -z "$(pgrep -f "libexec/correct opencl:0 $ev" 2>/dev/null)"

"$evidence" -d opencl:0 -t 1s -o "$ev" --small -s $steps >"$work/out" 2>&1
[ $? -eq 3 ] && grep -q 'left: correct' "$work/out" && grep -q '^machine.*done' "$ev/progress.tsv"
verdict $? 'without time: status 3, and what is left'

"$evidence" -d opencl:0 -t 10m -o "$ev" --small -s $steps >"$work/out" 2>&1
verdict $? 'the next call goes on and is done' || note <"$work/out"
grep -q '^correct' "$work/out" && ! grep -q '^machine: ' "$work/out"
verdict $? 'what was done is not done again'
whole=$(awk 'END { print NR - 1 }' "$work/before")
head -n "$whole" "$ev/correctness.tsv" >"$work/after"
head -n "$whole" "$work/before" | cmp -s - "$work/after"
verdict $? 'the lines that were there stay'
[ -z "$(awk '/\tright\t/' "$ev/correctness.tsv" | cut -f1-9 | sort | uniq -d)" ] &&
    [ "$(awk -F'\t' '$10 == "right"' "$ev/correctness.tsv" | wc -l)" -ge 35 ] &&
    ! awk -F'\t' '$10 == "wrong" || $10 == "failed" { print }' "$ev/correctness.tsv" | grep -q .
verdict $? 'each run is there once, and right'
grep -q '^# against the serial reference, on .* (.*)$' "$ev/correctness.tsv" && grep -q '^# date: 20' "$ev/correctness.tsv" &&
    grep -q '^# command: correct opencl:0 ./correctness.tsv pathfinder poisson$' "$ev/correctness.tsv"
verdict $? 'the table says device, driver, date and command'
ok 'the page counts them' grep -q '^[0-9]* right, 0 wrong, 0 failed' "$ev/SUMMARY.md"

# Filing.
export GZ_KEEP_RESULTS="$work/results"
keep=$GZ_SOURCE/studies/evidence/keep.sh
for name in '' ../up a/b .hidden -rf 'a b'; do
    fails 2 . "refused as a name: '$name'" "$keep" "$ev" "$name"
done
ok 'which leaves nothing' test ! -e "$work/results"
"$keep" "$ev" some-device >/dev/null && cmp -s "$ev/SUMMARY.md" "$work/results/some-device/evidence/SUMMARY.md" &&
    [ ! -e "$GZ_SOURCE/calibrate/devices/some-device" ]
verdict $? 'the results are filed under a name'
! "$keep" "$ev" some-device >/dev/null 2>&1
verdict $? 'and not overwritten'
finish
