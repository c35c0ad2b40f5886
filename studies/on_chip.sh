#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# on_chip.sh - the most that tiles which stay on the chip between fences could save [Zhang et al., PERKS, ICS 2023], by
# the model: trapezoids by fences as they are, and without the instructions, traffic and latency of loads, on built-in
# GPUs, for grids whose state and arrays all multiprocessors' shared memory holds; then the best of all ways.
# gzmodel has to be in PATH.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# seconds DEVICE STENCIL SIZE OPTION...: of the best candidate's loop
seconds() {
    device=$1 app=$2 size=$3
    shift 3
    gzmodel tune -d "$device" -a "$app" -s "$size" "$@" --top 1 --json |
        sed -n 's/.*"seconds_per_loop": \([0-9.e-]*\).*/\1/p' | head -n 1
}
while read -r device grids; do
    gzmodel list -d "$device" | sed -E 's/("(cache|mem|effective)_bandwidth": \{"value": )[0-9.e+]+/\11e18/
        s/("load_latency": \{"value": )[0-9.e-]+/\11e-12/' >"$work/chip.json"
    for grid in $grids; do
        app=${grid%:*} size=${grid#*:}
        gzmodel list -a "$app" | sed -E 's/^( *"load_insts": \{"value": )[0-9.]+/\10/' >"$work/kept.json"
        echo "$device $app $size $(seconds "$device" "$app" "$size" -y fence --variant trapezoid)" \
            "$(seconds "$work/chip.json" "$work/kept.json" "$size" -y fence --variant trapezoid)" \
            "$(seconds "$device" "$app" "$size")"
    done
done <<'END' | awk '{ printf "%s\t%s\t%s\t%.2f\t%.2f\t%.2f\n", $1, $2, $3, $4 * 1e6, $5 * 1e6, $6 * 1e6 }'
h200 hotspot:512 hotspot:1024 poisson:1024 wave2d:1024 star7:64 star7:96 star7vc:64
a100-80 hotspot:512 hotspot:1024 poisson:1024 wave2d:1024 star7:64 star7:96 star7vc:64
v100 hotspot:512 star7:64
END
