#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# ranks_measured.sh BIN FOLDER [small] - a loop's time over the loops between two exchanges, on two ranks of this
# machine with a core each, measured and predicted, with messages as they are and with slower ones: FOLDER/ranks_measured.tsv.
# Device and network are calibrated first, unless FOLDER/ranks holds their files. Exit status 77: there is no MPI;
# 75: the machine was too busy to be calibrated, three times.
set -eu
export LC_ALL=C.UTF-8
bin=$1 folder=$2 small=${3:-}
here=$(dirname "$0")
mpirun="$here/../kernels/ranks/mpirun.sh"
work=$folder/ranks
mkdir -p "$work"
# A rank is a core's, also where the driver would take all.
export POCL_MAX_PTHREAD_COUNT=1
depths='1 2 3 4 6 8 12 16 24 32 48' delays='0s 300us 3ms' grids='hotspot:512 star7:64' runs=5 quick=
if [ "$small" ]; then
    depths='1 4' delays='0s 3ms' grids='hotspot:64' runs=1 quick=--quick
fi
if ! command -v mpirun > /dev/null || [ ! -e "$bin/../lib/gzmodel/exchange_mpi.so" ]; then
    echo 'ranks_measured.sh: there is no mpirun, or no MPI in this build: make deps' >&2
    exit 77
fi
# thrice COMMAND...: once, and twice more if it fails: something else may use the machine for a while.
thrice() {
    "$@" > "$work/log" || "$@" > "$work/log" || "$@" > "$work/log" || exit 75
}
[ -e "$work/device.json" ] || {
    for grid in $grids; do
        thrice "$bin/calibrate" -q -d opencl:0 -a "${grid%:*}" --model gz2 $quick --force -o "$work/calibrated.json"
    done
    mv "$work/calibrated.json" "$work/device.json"
}
[ -e "$work/network.json" ] || thrice "$mpirun" -n 2 "$bin/calibrate" -d opencl:0 --network $quick -o "$work/network.json"

# number KEY: its value in the last answer.
number() {
    sed -n "s/.*\"$1\": \\([^,]*\\),*/\\1/p" "$work/answer"
}
# row GRID DELAY DEPTH: one run, as a row; none where the halo would be wider than a box.
row() {
    "$mpirun" -n 2 "$bin/gzrun" -d "$work/device.json" -a "${1%:*}" -s "${1#*:}" --ranks auto --rank-depth "$3" --overlap off \
        --network "$work/network.json" --message-delay "$2" --variant stream --loops 97 --runs $runs --json \
        > "$work/answer" 2> "$work/said" < /dev/null || {
        grep -q 'no layout leaves each a box as wide as its halo' "$work/said" && return
        cat "$work/said" >&2 && exit 1
    }
    predicted=$(sed -n 's/.* predicted \([^ ]*\) s a loop.*/\1/p' "$work/said")
    case $3 in auto) kind=chosen ;; *) kind=given ;; esac
    case $2 in *us) exponent=e-6 ;; *ms) exponent=e-3 ;; *) exponent= ;; esac
    amount=${2%s}
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(awk "BEGIN { print ${amount%[um]}$exponent }")" "$kind" "$(number rank_depth)" \
        "$(number seconds_per_loop)" "$(number spread)" "$predicted" "$(number interior_seconds)" "$(number exchange_seconds)"
}

table=$work/table.$$
trap 'rm -f "$table"' EXIT
trap 'exit 1' HUP INT TERM
quantity() {
    sed -n "/\"$1\"/,/}/s/.*\"value\": \\([^,]*\\),*/\\1/p" "$work/network.json"
}
{
    cat << END
# ranks_measured: a loop's time over the loops between two exchanges, on two ranks of one machine
# device: $("$bin/gzrun" --list | sed -n 's/^  opencl:0 *\(.*\) (.*/\1/p')
# source: gzrun --ranks, gz_ranks_optimize (libgzmodel/search/ranks.md)
# column grid: text, stencil and cells a side
# column delay: s, added to each message
# column kind: text, depth given, or chosen by the model
# column depth: loops, between two exchanges
# column seconds: s, a loop, median of $runs runs
# column spread: 1, (most - least) / median of these
# column predicted: s, a loop
# column interior: s, of a loop, computing, the longest rank's
# column exchange: s, of a loop, waiting for messages, the longest rank's
# date: $(date -u '+%Y-%m-%d %H:%M UTC')
# command: ranks_measured.sh
# note: network: latency $(quantity latency) s, message $(quantity message_cost) s, $(quantity bandwidth) B/s, packing $(quantity pack_bandwidth) B/s
END
    printf 'grid\tdelay\tkind\tdepth\tseconds\tspread\tpredicted\tinterior\texchange\n'
    for grid in $grids; do
        for delay in $delays; do
            for depth in $depths auto; do
                row "$grid" "$delay" "$depth"
            done
        done
    done
} > "$table"
mv "$table" "$folder/ranks_measured.tsv"
