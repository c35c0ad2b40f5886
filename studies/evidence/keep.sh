#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# keep.sh FOLDER NAME - files the results of `make evidence` into studies/results/NAME: tables and
# texts, and in device/ the calibrated device and its applications, for `-d FILE`. What is there
# already is not overwritten.
set -eu
fail() {
    echo "keep-evidence: $1" >&2
    exit 2
}
from=$1 name=$2
case $name in
'') fail 'give NAME=, such as h100' ;;
*[!A-Za-z0-9._-]* | [.-]*) fail "NAME=$name: must be letters, digits, dots, dashes and underscores, a letter or digit first" ;;
esac
[ -e "$from/SUMMARY.md" ] || fail "$from: has no SUMMARY.md; run make evidence first, or give EVIDENCE="
top=$(cd "$(dirname "$0")/../.." && pwd)
results=${GZ_KEEP_RESULTS:-$top/studies/results}/$name
for place in "$results/device" "$results/evidence"; do
    [ ! -e "$place" ] || fail "$place is there: give another NAME=, or remove it"
done
if [ -e "$from/calibrated/device.json" ]; then
    mkdir -p "$results/device"
    cp "$from"/calibrated/*.json "$results/device"
fi
mkdir -p "$results/evidence"
[ ! -e "$from/validation.tsv" ] || cp "$from/validation.tsv" "$results"
for file in SUMMARY.md machine.txt correctness.tsv multigrid.txt verdict.txt clocks.csv progress.tsv calls.tsv log.txt; do
    [ ! -e "$from/$file" ] || cp "$from/$file" "$results/evidence"
done
for folder in large tune; do
    [ ! -e "$from/$folder" ] || cp -r "$from/$folder" "$results/evidence"
done
echo "kept in $results"
