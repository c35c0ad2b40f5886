#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 651-second-model - the second model on the kept tables: what the programs write, its aims and what is
# kept of the verdicts, that each part of it is needed, and each way in which the input can be bad.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
bin=$GZ_BUILD/studies/bin
gpu=studies/results/amd-w7800
cpu=studies/results/pocl-xeon-2core-fifth
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plan 26

# cell TABLE MODEL COLUMN [FITTED]: a number of a verdict.
cell() {
    awk -F'\t' -v model="$2" -v column="$3" -v fitted="${4:-}" '/^#/ { next }
        !at { for (k = 1; k <= NF; k++) if ($k == column) at = k; next }
        $1 == model && (fitted == "" || $2 == fitted) { print $at; exit }' "$1"
}
# at_most NAME VALUE LIMIT: a number that is there and not larger.
at_most() {
    awk -v x="$2" -v limit="$3" 'BEGIN { exit !(x != "" && x + 0 <= limit) }'
    verdict $? "$1: $2, at most $3"
}
# same NAME FILE FILE: the same tables, numbers within a thousandth.
same() {
    awk -F'\t' 'NR == FNR { line[FNR] = $0; lines = FNR; next }
        { n = split(line[FNR], was, "\t"); if (n != NF) exit bad = 1
          for (k = 1; k <= NF; k++) {
              if ($k ~ /^[-+0-9.e]+$/) { d = $k - was[k]; if (d < 0) d = -d
                  size = was[k] < 0 ? -was[k] : was[k]; if (d > 1e-3 * size + 1e-15) exit bad = 1
              } else if ($k != was[k]) exit bad = 1 } }
        END { exit bad || FNR != lines }' "$2" "$3"
    verdict $? "$1"
}

mkdir "$work/gpu" "$work/cpu"
"$bin/w7800" "$gpu/hotspot.csv" "$work/gpu" 2>"$work/err"
verdict $? 'the table of the W7800 is judged'
"$bin/kept" "$cpu/validation.tsv" - "$work/cpu" 2>>"$work/err"
verdict $? 'and so is that of the two-core CPU'
nothing 'without a word on stderr' "$(cat "$work/err")"
for table in "$work"/[cg]pu/*.tsv; do
    awk -f plots/check.awk "$table" 2>&1
done >"$work/shape"
nothing 'all tables have the right shape' "$(cat "$work/shape")"
same 'the verdict on the W7800 is the kept one' "$gpu/gz2/verdict.tsv" "$work/gpu/verdict.tsv"
same 'and that on the CPU' "$cpu/gz2/verdict.tsv" "$work/cpu/verdict.tsv"

v=$work/gpu/verdict.tsv
at_most 'W7800: median error from 12 points' "$(cell "$v" gz2 error '12 points')" 0.08
at_most '95th percentile' "$(cell "$v" gz2 error_95 '12 points')" 0.22
at_most 'regret of tile and height' "$(cell "$v" gz2 joint '12 points')" 0.01
at_most 'regret of the height, 95th percentile' "$(cell "$v" gz2 height_95 '12 points')" 0.10
at_most 'left out of its intervals' \
    "$(cell "$v" gz2 coverage '12 points' | awk '{ print 1 - $1 }')" 0.07
at_most 'error at h >= 5 from h <= 3' "$(cell "$v" gz2 error 'h <= 3')" 0.10
for part in occupancy 'the latency chain' issue 'cache lines'; do
    awk -v whole="$(cell "$v" gz2 error_95 '12 points')" \
        -v less="$(cell "$v" "without $part" error_95)" 'BEGIN { exit !(whole > 0 && less > 1.1 * whole) }'
    verdict $? "without $part it errs more"
done
v=$work/cpu/verdict.tsv
at_most 'CPU: median error' "$(cell "$v" gz2 error)" 0.12
at_most 'regret of mode and height, median' "$(cell "$v" gz2 pair)" 0.01
awk -v second="$(cell "$v" gz2 error_95)" -v first="$(cell "$v" meng2011 error_95)" \
    'BEGIN { exit !(second > 0 && second < first / 4) }'
verdict $? 'the 95th percentile of its errors is less than a quarter of the 2011 model'"'"'s'

# refuses NAME PATTERN COMMAND...
refuses() {
    name=$1 pattern=$2
    shift 2
    mkdir -p "$work/none"
    "$@" "$work/none" >"$work/said" 2>"$work/err"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$work/said" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q "$pattern" "$work/err" && [ -z "$(ls "$work/none")" ]
    verdict $? "refuses $name"
    [ $status -eq 2 ] || note <"$work/err"
}
refuses 'a table that is not there' 'none.csv: cannot be read' "$bin/w7800" "$work/none.csv"
echo 'height,ms' >"$work/header.csv"
refuses 'another header' ':1: the header must begin with' "$bin/w7800" "$work/header.csv"
sed '3s/,1,1,1,/,1,one,1,/' "$gpu/hotspot.csv" >"$work/word.csv"
refuses 'a word for a number' ':3: expected eight numbers' "$bin/w7800" "$work/word.csv"
refuses 'a cache that is not a number' '"60q": expected a number of bytes' \
    "$bin/kept" "$cpu/validation.tsv" 60q
refuses 'a table that is none' 'hotspot.csv:1' "$bin/kept" "$gpu/hotspot.csv" 60e6
head -4 "$gpu/hotspot.csv" >"$work/few.csv"
refuses 'too few points of the GPU' 'few.csv: .* too few to tell' "$bin/w7800" "$work/few.csv"
fresh=studies/results/pocl-epyc-2core/validation.tsv
awk -F'\t' '/^# partial/ { next } /^#/ || !head { print; head = !/^#/; next } $5 == "sweep" && n++ < 12' \
    "$fresh" | sed 's/^# rows: .* of/# rows: 12 of/' >"$work/few.tsv"
refuses 'too few of a CPU' 'few.tsv: [0-9]* runs for [0-9]* parameters of gz2, too few' "$bin/kept" "$work/few.tsv" -
finish
