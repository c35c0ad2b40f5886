#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 651-fitted - the models fitted to a few runs of the kept tables themselves: what gz-validate writes of
# it, gz2's aims, what is kept of the verdicts, that each part of gz2 is needed, and each way in which the
# input can be bad.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
validate=$GZ_BUILD/bin/validate
gpu=studies/results/amd-w7800
cpu=studies/results/pocl-xeon-2core-fifth
scratch

# cell TABLE MODEL COLUMN: a number of a verdict.
cell() {
    awk -F'\t' -v model="$2" -v column="$3" '/^#/ { next }
        !at { for (k = 1; k <= NF; k++) if ($k == column) at = k; next }
        $1 == model { print $at; exit }' "$1"
}
# at_most NAME VALUE LIMIT: a number that is there and not larger.
at_most() {
    awk -v x="$2" -v limit="$3" 'BEGIN { exit !(x != "" && x + 0 <= limit) }'
    verdict $? "$1: $2, at most $3"
}
# same NAME FILE FILE: the same tables, numbers within a hundredth.
same() {
    awk -F'\t' 'NR == FNR { line[FNR] = $0; lines = FNR; next }
        { n = split(line[FNR], was, "\t"); if (n != NF) exit bad = 1
          for (k = 1; k <= NF; k++) {
              if ($k ~ /^[-+0-9.e]+$/) { d = $k - was[k]; if (d < 0) d = -d
                  size = was[k] < 0 ? -was[k] : was[k]; if (d > 1e-2 * size + 1e-3) exit bad = 1
              } else if ($k != was[k]) exit bad = 1 } }
        END { exit bad || FNR != lines }' "$2" "$3"
    verdict $? "$1"
}

for table in gpu cpu; do
    mkdir "$work/$table"
    eval folder=\$$table
    "$validate" "$folder/validation.tsv" --fit -o "$work/$table" >"$work/said" 2>"$work/err"
    verdict $? "$table: judged, and fitted"
    nothing "$table: without a word on stderr" "$(cat "$work/err")"
    for file in fitted fitted_points parameters; do
        awk -f plots/check.awk "$work/$table/$file.tsv" 2>&1
    done >"$work/shape"
    nothing "$table: all tables have the right shape" "$(cat "$work/shape")"
    same "$table: the verdict is the kept one" "$folder/fitted.tsv" "$work/$table/fitted.tsv"
    ok "$table: which is in the page beside the table" grep -q '^| gz2, h <= 3, judged at h >= 5 |' "$work/$table/verdict.md"
done

# Rows of one cell: requests of 32 rows, of which no other kernel has any.
v=$work/gpu/fitted.tsv
at_most 'W7800: median error from 12 points' "$(cell "$v" gz2 error)" 0.09
at_most '95th percentile' "$(cell "$v" gz2 error_95)" 0.30
at_most 'regret of tile and height, cross-fitted' "$(cell "$v" gz2 joint_cross)" 0.011
at_most 'left out of its intervals' "$(cell "$v" gz2 coverage | awk '{ print 1 - $1 }')" 0.07
at_most 'error at h >= 5 from h <= 3' "$(cell "$v" 'gz2, h <= 3, judged at h >= 5' error)" 0.15
ok 'twelve points are fitted to, by each model' test "$(grep -c '	fitted	' "$work/gpu/fitted_points.tsv")" -eq 24
for part in 'without occupancy' 'without the latency chain'; do
    awk -v whole="$(cell "$v" gz2 error_95)" -v less="$(cell "$v" "gz2 $part" error_95)" \
        'BEGIN { exit !(whole > 0 && less > 1.1 * whole) }'
    verdict $? "$part it errs more"
done
v=$work/cpu/fitted.tsv
at_most 'CPU: median error' "$(cell "$v" gz2 error)" 0.12
at_most 'regret of the joint choice, cross-fitted' "$(cell "$v" gz2 joint_cross)" 0.10
awk -v own="$(cell "$v" gz2 error_95)" -v other="$(cell "$v" meng2011 error_95)" \
    'BEGIN { exit !(own > 0 && own < 0.75 * other) }'
verdict $? 'the 95th percentile of its errors is less than three quarters of the 2011 model'"'"'s'

# What is too little to fit to is left out, and said; the rest is judged.
awk -F'\t' '/^# partial/ { next } /^#/ || !head { print; head = !/^#/; next } $5 == "sweep" && n++ < 12' \
    "$cpu/validation.tsv" | sed 's/^# rows: .* of/# rows: 12 of/' >"$work/few.tsv"
"$validate" "$work/few.tsv" --fit >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && grep -q 'gz2 is not fitted: [0-9]* runs for [0-9]* parameters of gz2, too few' "$work/err"
verdict $? 'too few runs of a CPU'
"$validate" studies/results/pocl-xeon-2core/validation.tsv --fit >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && grep -q 'nothing is fitted: the device file lacks effective_cache' "$work/err"
verdict $? 'a device file without a cache'
fails 2 '--cache' 'a cache that is not a number' "$validate" "$cpu/validation.tsv" --fit --cache 60q
finish
