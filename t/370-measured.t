#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 370-measured - the studies that need a device, small, on a CPU with the kept device file; and the
# images of what gzrun computed. Only what does not vary from run to run is asserted: which rows there
# are and that they can be drawn, not what kernels took.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
device=calibrate/devices/pocl-xeon-2core/device.json
scratch

needs_device
# 570 runs those of multigrid.
studies=$(grep -l '"device_study[.]h"' studies/*.c | sed 's|.*/||; s|[.]c$||' | grep -vx device_study)
never_optimise

# small STUDY OPTIONS...: runs a study as small as it can be.
small() {
    study=$1
    shift
    POCL_MAX_PTHREAD_COUNT=2 "$GZ_BUILD/studies/bin/$study" -d $device --small \
        --budget 0.002 -o "$work/$study.tsv" "$@" >"$work/said" 2>"$work/err"
}
for study in $studies; do
    small "$study" --on opencl:0
    verdict $? "$study runs small"
    [ ! -s "$work/said" ] && [ ! -s "$work/err" ] && awk -f plots/check.awk "$work/$study.tsv"
    verdict $? "$study: without a word, a table of the right shape"
    for key in device: address: driver: date: "command: $study"; do
        grep -q "^# $key" "$work/$study.tsv" || echo "$key"
    done >"$work/missing"
    nothing "$study: where and how it was measured is inside" "$(cat "$work/missing")"
    plots/draw.sh "$study" "$work/$study.tsv" "$work" 2>"$work/err"
    verdict $? "$study is drawn" || note <"$work/err"
done

# The rows of jacobi_variants: two sizes, nine ways to compute, each with its prediction.
tab=$(printf '\t')
count=$(grep -v '^#' "$work/jacobi_variants.tsv" | cut -f 1,2 | sort | uniq -c | tr -s " $tab\n" ' ')
[ "$count" = " 7 cell component 2 cell measured 2 cell model 2 cell uncached 7 cell-uncached \
component 2 column measured 2 serial measured 7 shared component 2 shared measured 2 shared model \
7 trapezoid component 10 trapezoid measured 10 trapezoid model 1 version kind " ]
verdict $? "jacobi_variants has the rows of its rules:$count"
# The parts are all of the model's time.
awk -F"$tab" '$2 == "component" { sum[$1] += $6; edge = $4; if ($1 == "trapezoid") h = $5 }
    $2 == "model" || $2 == "uncached" { all[$1 " " $2 " " $4 " " $5] = $6 }
    function off(a, b) { return a > b * 1.000001 || b > a * 1.000001 }
    END { exit off(sum["cell"], all["cell model " edge " 1"]) ||
               off(sum["cell-uncached"], all["cell uncached " edge " 1"]) ||
               off(sum["shared"], all["shared model " edge " 1"]) ||
               off(sum["trapezoid"], all["trapezoid model " edge " " h]) }' \
    "$work/jacobi_variants.tsv"
verdict $? 'and the parts of a prediction are all of it'
awk -F"$tab" '$1 == "shared" && $2 == "component" && ($3 == "LoadSten-own" || $3 == "IterComp") && $6 > 0 { n++ }
    END { exit n != 2 }' "$work/jacobi_variants.tsv"
verdict $? 'and are those of the 2011 model'
# Ghost cells that two blocks of 32 x 32 in each direction load on 64 x 64, of which the half lies
# beyond the edge and is not loaded: 4 (33 x 33 - 32 x 32) of 4096.
grep -q '^# note: 64 x 64, loads .*: shared 1 of its own and 0.0635 of ghost cells' \
    "$work/jacobi_variants.tsv"
verdict $? 'and counts the ghost cells'

# Images.
"$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a jacobi -s 31 -b 15 -H 4 --loops 400 --runs 1 \
    -o "$work/log" --output "$work/jacobi_solution.field" &&
    plots/draw.sh jacobi_solution "$work/jacobi_solution.field" "$work" 2>"$work/err"
verdict $? 'a solution of jacobi is drawn' || note <"$work/err"
awk -v cells=32 -v power="$work/power" -v temperature="$work/temperature" -f studies/floorplan.awk &&
    "$GZ_BUILD/bin/gzrun" -q -d opencl:0 -a hotspot -s 32 -b 16 -H 2 --loops 200 --runs 1 \
        --input "$work/temperature" "$work/power" -o "$work/log" \
        --output "$work/hotspot_run.field" &&
    plots/draw.sh hotspot_run "$work/hotspot_run.field" "$work" 2>"$work/err"
verdict $? 'and so is a run of hotspot' || note <"$work/err"

# Stored tables, without a device.
mkdir "$work/stored"
cp "$work/jacobi_variants.tsv" "$work/jacobi_solution.field" "$work/stored"
make -s measured B="$work/build" TABLE="$work/stored" >"$work/said" 2>"$work/err"
[ $? -eq 0 ] && [ "$(find "$work/build" -type f | wc -l)" -eq 6 ]
verdict $? 'make measured TABLE=FOLDER draws what is stored, and builds nothing' || note <"$work/err"
make -s measured B="$work/build" TABLE="$work/none.tsv" >"$work/said" 2>"$work/err"
[ $? -ne 0 ] && grep -q 'none.tsv' "$work/err"
verdict $? 'and fails if there is none'
finish
