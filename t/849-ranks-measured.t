#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 849-ranks-measured - the study of ranks on this machine: a whole table, which can be drawn, and in which
# slow messages cost what they are said to take. Other times are not judged.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
"$GZ_BUILD/bin/gzrun" -d opencl:0 -a pathfinder -s 100 --loops 1 --runs 1 > /dev/null 2>&1 || skip_all 'there is no opencl:0'

"$GZ_SOURCE/studies/ranks_measured.sh" "$GZ_BUILD/bin" "$tmp" small > "$tmp/out" 2> "$tmp/err"
measured=$?
[ $measured -ne 75 ] || skip_all "this machine is too busy: $(tail -n 1 "$tmp/err")"
plan 4
verdict $measured 'two ranks are measured'
note < "$tmp/err"
table=$tmp/ranks_measured.tsv
rows=$(grep -v '^#' "$table" | awk -F '\t' 'NR > 1 && NF == 9 && $7 > 0 && $5 > 0' | wc -l)
[ "$rows" -eq 6 ]
verdict $? "two depths and the model's, with fast and slow messages: $rows rows"
# A message to a neighbour takes 3 ms, so an exchange, and a loop an H-th of it, unless the other rank was late, too.
awk -F '\t' '$2 == "0.003" && $3 == "given" { print ($5 > 0.95 * 0.003 / $4 && $7 > 0.95 * 0.003 / $4) ? "slow" : $0 }' \
    "$table" > "$tmp/slow"
[ "$(grep -c '^slow$' "$tmp/slow")" -eq 2 ] && [ "$(wc -l < "$tmp/slow")" -eq 2 ]
verdict $? 'slow messages are waited for, and predicted'
note < "$tmp/slow"
"$GZ_SOURCE/plots/draw.sh" ranks_measured "$table" "$tmp" 2> "$tmp/err" && [ -s "$tmp/ranks_measured.svg" ]
verdict $? 'it is drawn'
note < "$tmp/err"
finish
