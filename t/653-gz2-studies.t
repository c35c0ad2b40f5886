#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 653-gz2-studies - gz2's studies: tables of the right shape, figures, and what they
# show.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
bin=$GZ_BUILD/studies/bin
studies='ablation devices occupancy cache_edge launches vcycle ranks ranks_levels'
sweeps='block_size cpi dimensionality halo_width memory_bandwidth memory_latency'
formats=$(bulk svg 'svg png pdf')
scratch

for study in $studies $sweeps; do
    case " $sweeps " in
    *" $study "*) set -- sweep "$study" --model gz2 ;;
    *) set -- "$study" ;;
    esac
    program=$1
    shift
    cp "$GZ_BUILD/t/h200/$study.tsv" "$work" 2>"$work/err" ||
        "$bin/$program" "$@" --device h200 -o "$work/$study.tsv" 2>"$work/err"
    verdict $? "$study: computed for the H200"
    awk -f plots/check.awk "$work/$study.tsv" >"$work/log" 2>&1
    verdict $? "$study: the table has the right shape"
    plots/draw.sh "$study" "$work/$study.tsv" "$work" "$formats" >"$work/log" 2>&1
    verdict $? "$study: drawn" || note <"$work/log"
done
for table in amd-w7800 pocl-xeon-2core-fifth; do
    mkdir "$work/$table"
    plots/draw.sh validate_fits "studies/results/$table/fitted.tsv" "$work/$table" "$formats" >"$work/log" 2>&1
    verdict $? "$table: the verdict is drawn"
done

# rows TABLE CONDITION: the condition, an awk expression over the columns by name, holds in every row.
rows() {
    awk -F'\t' '/^#/ { next } !header { for (k = 1; k <= NF; k++) at[$k] = k; header = 1; next }
        { n++; if (!('"$2"')) bad = 1 } END { exit bad || n == 0 }' "$1"
}
# trends SWEEP: benchmarks and modes whose speedup over the sweep rises by 2 % in one model and falls by as
# much in the other.
trends() {
    "$bin/sweep" "$1" --device h200 -o "$work/$1.2011.tsv"
    for model in "$work/$1.tsv" "$work/$1.2011.tsv"; do
        awk -F'\t' '/^#/ || /^app/ || $3 != "sweep" { next } !($1 " " $2 in first) { first[$1 " " $2] = $7 } { last[$1 " " $2] = $7 }
            END { for (k in first) print k, (last[k] > 1.02 * first[k] ? 1 : last[k] < 0.98 * first[k] ? -1 : 0) }' "$model" | sort
    done | sort | awk '{ k = $1 " " $2 } k == before && $3 * sign < 0 { print k } { before = k; sign = $3 }'
}
[ -z "$(trends block_size)$(trends cpi)$(trends halo_width)" ]
verdict $? 'no gain rises in one model and falls in the other over block, CPI or halo'
for sweep in memory_bandwidth memory_latency; do
    [ "$(trends "$sweep" | tr '\n' ' ')" = 'PathFinder fence PathFinder restart ' ]
    verdict $? "over $sweep PathFinder's does, as studies/README.md says"
done
rows "$work/ablation.tsv" '$at["regret"] >= -1e-12 &&
    ($at["without"] == "cache" ? $at["change"] >= -1e-12 : $at["change"] <= 1e-12 && $at["change"] >= -1)'
verdict $? 'no choice without a term beats that with all; less cost takes less time, less cache more'
rows "$work/ablation.tsv" '$at["without"] != "launch" || $at["app"] != "HotSpot" || $at["elements"] < 2e7 || $at["change"] > -0.01'
verdict $? 'launches do not matter on large grids'
rows "$work/devices.tsv" '$at["h"] >= 1 && $at["speedup"] >= 1 - 1e-12'
verdict $? 'the best height is never slower than height 1'
rows "$work/devices.tsv" '$at["kind"] != "memory" || $at["app"] == "PathFinder" || $at["h"] <= 8'
verdict $? 'with memory a hundred times as fast, no 2-D or 3-D stencil is best at more than 8 loops'
rows "$work/occupancy.tsv" '$at["resident"] >= 1 && $at["unlimited"] <= $at["seconds"] * (1 + 1e-12)'
verdict $? 'room for more blocks never costs time'
awk -F'\t' '/^#/ || /^app/ { next } $2 == tile && $4 > last { bad = 1 } { tile = $2; last = $4 }
    END { exit bad }' "$work/occupancy.tsv"
verdict $? 'resident blocks never rise with the height'
rows "$work/vcycle.tsv" '$at["to"] >= $at["from"] && ($at["depth"] > 0 ? $at["smooth"] > 0 : $at["rest"] > 0) && $at["depth"] <= 4'
verdict $? 'a V-cycle: levels follow each other'
awk -F'\t' '/^#/ || /^app/ { next } $4 == 0 { whole[$1 " " $2] = $9; app[$1] }
    END { for (a in app) { n++; one = whole[a " one depth"]; best = whole[a " model"]
        if (one > whole[a " depth 1"] * (1 + 1e-12) || best > one * (1 + 1e-12)) bad = 1 } exit bad || n != 6 }' \
    "$work/vcycle.tsv"
verdict $? 'one depth is no slower than depth 1, and depths by level no slower than that'
awk -F'\t' '/^#/ || /^app/ { next } $1 == "Gsrb" && $2 == "model" && $4 == 0 { model = $9 }
    $1 == "Gsrb" && $2 == "depth 1" && $4 == 0 { one = $9 } END { exit !(model < 0.9 * one) }' "$work/vcycle.tsv"
verdict $? 'and gain a tenth with gsrb on the H200'
rows "$work/launches.tsv" '$at["share"] >= 0 && $at["share"] < 1 && $at["h"] >= 1'
verdict $? 'a share of the synchronisation is a share'
rows "$work/ranks.tsv" '$at["seconds"] <= $at["every_loop"] * (1 + 1e-12) || $at["kind"] == "depth"'
verdict $? 'ranks: the best depth is never slower than an exchange in every loop'
rows "$work/ranks.tsv" '($at["useful"] + $at["redundant"] + $at["exchange"]) / $at["seconds"] - 1 < 1e-9 &&
    ($at["useful"] + $at["redundant"] + $at["exchange"]) / $at["seconds"] - 1 > -1e-9 && $at["redundant"] >= 0'
verdict $? 'ranks: its parts make a loop'
awk -F'\t' '/^#/ || /^kind/ || $3 == 1 { next } $1 != "depth" { if ($4 in seconds && ($5 != depth[$4] || $10 != seconds[$4])) bad = 1
    depth[$4] = $5; seconds[$4] = $10; n++ } END { exit bad || n < 50 }' "$work/ranks.tsv"
verdict $? 'ranks: boxes of one size take one time and depth on any number of ranks: weak scaling is flat'
awk -F'\t' '/^#/ || /^kind/ || $3 == 1 { next } $1 == "depth" && (!least || $10 < least) { least = $10; at = $5; box = $4 }
    $1 == "weak" { seconds = $10; depth = $5; weak = $4 } END { exit !(box == weak && seconds == least && depth == at && depth > 1) }' \
    "$work/ranks.tsv"
verdict $? 'ranks: the depth chosen is the least of the curve'
awk -F'\t' '/^#/ || /^kind/ { next } $1 == "strong" && $2 == 4096 { if (last && $10 >= last) bad = 1; last = $10; n++ }
    END { exit bad || n != 11 }' "$work/ranks.tsv"
verdict $? 'ranks: a grid of 4096^3 gains up to 110592 ranks'
rows "$work/ranks_levels.tsv" '$at["depth"] <= 5 && $at["depth"] <= $at["box"] && ($at["way"] == "best" || $at["depth"] <= 1) &&
    $at["to"] - $at["from"] > 0.999999 * ($at["compute"] + $at["exchange"]) && $at["exchange"] > 0'
verdict $? 'levels on ranks: halos are no deeper than a visit has loops, nor than a box'
awk -F'\t' '/^#/ || /^way/ { next } { level = $2 " " $3; seconds = $7 + $8 } $1 == "best" { n++; bad = bad || seconds > every[level] * (1 + 1e-12) }
    $1 != "best" { every[level] = seconds } END { exit bad || n < 20 }' "$work/ranks_levels.tsv"
verdict $? 'levels on ranks: no level is slower at its best depth than at depth 1'
awk -F'\t' '/^#/ || /^way/ { next } { to[$1 " " $2] = $10 } END { for (n in to) if (sub(/^best /, "", n) && to["every loop " n] > 1.5 * to["best " n])
    gain++; exit gain < 3 }' "$work/ranks_levels.tsv"
verdict $? 'levels on ranks: from 512 ranks on a cycle gains 1.5 times'
awk -F'\t' '/^#/ || /^app/ { next } $3 > 5e7 && ($7 < 0.98 || $7 > 1.02) { bad = 1 } END { exit bad }' \
    "$work/launches.tsv"
verdict $? 'on the largest grids the mode does not matter'
for study in $sweeps; do
    rows "$work/$study.tsv" '$at["kind"] == "curve" || $at["speedup"] >= 1 - 1e-12' || echo "$study"
done >"$work/slower"
nothing 'nothing that the paper varies makes the best height slower than 1' "$(cat "$work/slower")"
awk -F'\t' '/^#/ || /^app/ || $3 != "sweep" { next } { k = $1 " " $2
    if (k in last && $7 > last[k] + 1e-9) bad = 1; last[k] = $7; n++ }
    END { exit bad || n < 60 }' "$work/halo_width.tsv"
verdict $? 'wider halos never gain more'

finish
