#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 842-gzrun-ranks - gzrun on a grid divided among ranks: the same bits as the serial reference, and
# the same sum, whatever the ranks; what is counted; what is refused before anything runs; and what
# becomes of the others when a rank dies.
# Options are several words.
# shellcheck disable=SC2086
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
compile_quickly
program='gzrun -d opencl:0'
sum() {
    sed -n 's/.*"checksum": "\(.*\)".*/\1/p' "$tmp/out"
}
number() {
    sed -n "s/.*\"$1\": \\([^,]*\\),*/\\1/p" "$tmp/out"
}

# same APP SIZE LOOPS LAYOUT DEPTH ARGUMENTS: that layout gives the reference's bits, whose sum is $want.
same() {
    app=$1 size=$2 loops=$3 layout=$4 depth=$5
    shift 5
    what="$app $size, ranks $layout, depth $depth, $*"
    ranks $(($(echo "$layout" | tr x '*'))) -a "$app" -s "$size" --loops "$loops" --runs 1 --contract off \
        --verify --checksum --ranks "$layout" --rank-depth "$depth" --json "$@"
    status=$?
    [ $status -eq 0 ] && grep -q '"verified": true' "$tmp/out" && [ "$(sum)" = "$want" ]
    verdict $? "$what" || note < "$tmp/err"
}
# reference APP SIZE LOOPS: the sum that the serial reference has.
reference() {
    "$GZ_BUILD/bin/gzrun" -a "$1" -s "$2" --loops "$3" --runs 1 --variant serial --checksum --json > "$tmp/out"
    want=$(sum)
}

if has_device; then
    reference hotspot 33x29 10
    same hotspot 33x29 10 2x2 3 -b 20x20 -H 3
    verdict "$([ "$(number messages)" = 2.3999999999999999 ]; echo $?)" 'eight messages in each of three exchanges' ||
        note < "$tmp/out"
    rarely same hotspot 33x29 10 1x2 7 -b 20x20 -H 2 -y fence
    # Colours, and periodic ends where the extents are odd.
    reference gsrb 9x10x11 5
    rarely same gsrb 9x10x11 5 2x1x2 2 -b 8x8x8 -H 2
    # A new array in each loop, in one dimension.
    rarely reference pathfinder 101 9
    rarely same pathfinder 101 9 "$(bulk 2 3)" 4 -b 34 -H 4
    # Three time levels: both states travel, (3 x 29 + 3 x (16 + 3 + 17 + 3)) cells of each, to and fro, in two exchanges.
    reference wave2d 33x29 7
    same wave2d 33x29 7 2x2 3 --variant trapezoid -b 20x20 -H 2
    cells=$((2 * (3 * 29 + 3 * (33 + 2 * 3))))
    verdict "$([ "$(number bytes)" = "$(awk "BEGIN { printf \"%.17g\", $cells * 2 * 4 * 2 / 7 }")" ]; echo $?)" \
        'twice the bytes of one state' || note < "$tmp/out"
    rarely same wave2d 33x29 7 1x2 3 --variant stream -H 3
    rarely same wave2d 33x29 7 3x1 2 --variant naive
    rarely reference wave3d4 17x18x19 5
    rarely same wave3d4 17x18x19 5 1x2x1 2 --variant stream -H 2
    rarely same wave3d4 17x18x19 5 1x2x2 2 -b 20x20x20 -H 2
    # Of a stencil that does not fill parts, as what gzc makes of a loop, ranks cut theirs out of the grid.
    "$GZ_BUILD/bin/gzc" --row "$GZ_SOURCE/kernels/translate/example/heat.c" -o "$tmp/cut.c" 2> /dev/null
    ${CC:-cc} $sanitize -shared -fPIC -O1 -ffp-contract=off "$tmp/cut.c" -o "$tmp/cut.so" -lm
    "$GZ_BUILD/bin/gzrun" --stencil "$tmp/cut.so" -s 33x29 --loops 7 --runs 1 --variant serial --checksum --json > "$tmp/out"
    want=$(sum)
    ranks 2 --stencil "$tmp/cut.so" -s 33x29 --loops 7 --runs 1 --contract off --verify --checksum --variant naive \
        --ranks 1x2 --rank-depth 3 --json && [ -n "$want" ] && [ "$(sum)" = "$want" ]
    verdict $? 'a stencil that gzc made: the reference'"'"'s bits' || note < "$tmp/err"
    # A source that lies where it lies.
    rarely reference jacobi 21x26 7
    rarely same jacobi 21x26 7 2x1 3 --variant naive
    rarely same jacobi 21x26 7 1x2 3 --variant stream -H 3
    rarely same jacobi 21x26 7 1x3 5 --variant trapezoid -b 20x20 -H 4
    several() {
        reference star13 17x18x19 5
        in_full same star13 17x18x19 5 2x2x2 2 --variant stream -H 2
        same star13 17x18x19 5 1x1x3 3 -b 16x16x16 -H 1
        reference cell 17x18x19 5
        for variant in shared cell column; do
            same cell 17x18x19 5 2x1x1 2 --variant "$variant"
        done
        reference gsrb 9x10x11 5
        same gsrb 9x10x11 5 1x2x2 3 --variant stream -H 3
        # Messages beyond what goes eagerly: 4 x 3000 floats and more.
        reference hotspot 3000x96 12
        same hotspot 3000x96 12 1x2 12 -b 200x40 -H 3
    }
    rarely several
    # within LIMIT LAYOUT SIZE ARGUMENTS: with so much memory for each rank, as ulimit has it.
    within() {
        limit=$1 layout=$2 size=$3
        shift 3
        on_ranks $(($(echo "$layout" | tr x '*'))) sh -c "ulimit $limit && exec \"\$@\"" sh "$GZ_BUILD/bin/gzrun" -d opencl:0 \
            -a hotspot -s "$size" --variant naive --loops 2 --runs 1 --ranks "$layout" --rank-depth 1 --json "$@"
    }
    limited() {
        # Enough for what the ranks of a machine need on its device together, 403 MB, and a rank on the host, but not for
        # the whole grid and its reference.
        reference hotspot 4096x8192 2
        within '-d 450000' 2x4 4096x8192 --checksum && [ "$(sum)" = "$want" ] && ! within '-d 450000' 2x4 4096x8192 --verify
        verdict $? 'a rank needs memory for its own part only, unless it compares the whole' || note < "$tmp/err"
    }
    if ! sanitized "$GZ_BUILD/bin/gzrun"; then
        rarely limited
        ! within '-v 2000000' 2x2 12000x12000 && grep -q 'of all ranks on this machine' "$tmp/err"
        verdict $? 'the parts of all ranks on a machine must fit it together' || note < "$tmp/err"
    fi
    # What the model chooses: deeper, if messages are slow.
    reference hotspot 48x40 16
    auto() {
        ranks 4 -a hotspot -s 48x40 --loops 16 --runs 1 --checksum --ranks auto --json --contract off -b 20x20 -H 3 "$@"
    }
    slow_network infiniband-ndr
    auto && [ "$(sum)" = "$want" ] && soon=$(number rank_depth) && auto --network "$tmp/slow.json" && [ "$(sum)" = "$want" ] && [ "$(number rank_depth)" -gt "$soon" ] &&
        grep -q '^gzrun: chose ranks .* network InfiniBand NDR$' "$tmp/err"
    verdict $? "auto chooses depth $soon, and deeper with slow messages: $(number rank_depth)" || note < "$tmp/err"
else
    skip 'there is no opencl:0'
fi

refused 2 'rank depth 9: the halo would be wider .* at most 8' 4 -a hotspot -s 33x16 --ranks 2x2 --rank-depth 9
refused 2 '2x2 are 4 ranks, and 2 were started' 2 -a hotspot -s 32 --ranks 2x2
refused 2 'height 4: must be at most the rank depth, 2' 2 -a hotspot -s 64 --ranks 2x1 --rank-depth 2 -b 34 -H 4
refused 77 'rank 1: .*opencl:9' 2 -a hotspot -s 64 --ranks 2x1 -d opencl:9

# Ranks that were asked for different things say so once, before they open a device.
unequal() {
    program=$1 common=$2 second=$3
    timeout -k 5 60 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n 1 "$GZ_BUILD/bin/$program" $common -o "$tmp/none.json" : \
        -n 1 "$GZ_BUILD/bin/$program" $second -o "$tmp/other.json" > "$tmp/out" 2> "$tmp/err" < /dev/null
    status=$?
    [ $status -eq 2 ] && [ "$(grep -c "^$program: $says" "$tmp/err")" -eq 1 ] &&
        [ ! -e "$tmp/none.json" ] && [ ! -e "$tmp/other.json" ]
    verdict $? "$program: $second and $common" || note < "$tmp/err"
}
says='the ranks were started with different arguments'
common='-d opencl:0 -a hotspot -s 64 -b 34x18 -H 2 --loops 7 --runs 1 --ranks 2x1'
for second in '-s 64/-s 80' '--runs 1/--runs 1 --checksum' '--ranks 2x1/--ranks 1x2'; do
    unequal gzrun "$common" "$(echo "$common" | sed "s/$second/")"
done
common='-d opencl:0 -s 32 --ranks 2x1x1 --lambda 1'
unequal gzmg "$common" "$(echo "$common" | sed 's/--lambda 1//')"
# One that was not told so would compute alone or only answer, and the others wait for it.
says='--ranks: must be given'
unequal gzrun '-s 64 --ranks 2x1' '-s 64'
unequal gzmg '-s 32' '-s 32 --ranks 2x1x1'
unequal gzrun '-s 64 --ranks 2x1' '--ranks 2x1 --version'
unequal gzrun '--list' '-s 64 --ranks 2x1'
unequal gzmg '-s 32 --ranks 2x1x1' '--completion'
# What is of each rank's own may differ. With the first kernel of this test.
tiles='--contract off -b 20x20 -H 3'
timeout -k 5 60 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n 1 "$GZ_BUILD/bin/gzrun" -a hotspot -s 64 $tiles --loops 3 --runs 1 --ranks 2x1 \
    -d opencl:0 --json -o "$tmp/one.json" : -n 1 "$GZ_BUILD/bin/gzrun" -q -a hotspot -s 64 $tiles --loops 3 --runs 1 \
    --ranks 2x1 > "$tmp/out" 2> "$tmp/err" < /dev/null && grep -q '"rank_depth"' "$tmp/one.json"
verdict $? 'but for devices, output and what is shown' || note < "$tmp/err"

# A rank that dies: all end soon, not well, and nothing is written.
unset OMPI_MCA_odls_base_sigkill_timeout
timeout -k 5 60 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n 2 sh -c 'echo $$ > "$0/pid.$$"; exec "$@"' "$tmp" \
    "$GZ_BUILD/bin/gzrun" -d opencl:0 -a hotspot -s 64 $tiles --ranks 2x1 --rank-depth 4 --loops 100000000 --runs 1 \
    -o "$tmp/none.json" > /dev/null 2> "$tmp/err" < /dev/null &
launcher=$!
tries=0
until [ "$(find "$tmp" -name 'pid.*' | wc -l)" -eq 2 ] || [ $tries -eq 300 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
# Well into the loops: what comes before takes no second of the processor.
for rank in $(cat "$tmp"/pid.*); do
    until [ "$(cut -d ' ' -f 14 "/proc/$rank/stat" 2> /dev/null || echo 100)" -ge 100 ] || [ $tries -eq 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
done
kill -KILL "$(cat "$tmp"/pid.* | head -n 1)"
killed=$?
begin=$(date +%s)
wait $launcher
status=$?
seconds=$(($(date +%s) - begin))
[ $killed -eq 0 ] && [ $status -ne 0 ] && [ $seconds -le 10 ] && [ ! -e "$tmp/none.json" ]
verdict $? "when a rank is killed, all end within 10 s: $seconds s, status $status"
finish
