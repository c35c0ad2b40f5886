#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# translated.sh - what gzc gains and costs, in ratios of one run: users' programs (translated.c) in two
# and three dimensions after gzc against the same programs with -O3 -march=native and OpenMP on all cores,
# copies to and from the device included; and the stencil that gzc makes of Poisson's loop against
# the hand-written one. The two of a pair run in turn, several times; medians, and in brackets the
# least and the largest ratio of a turn. Each program calls its loops six times; the first call, in
# which the device is opened and kernels are compiled or taken from the driver's cache, is not in
# the median but stands at the end of the line, before what the last call did and why. Both have
# OpenMP in the loops, which run as they stand where libgzstencil finds that
# faster. Part of `make bench`. Usage: translated.sh BUILD [DEVICE [TURNS]]; GZ_ORIGINAL,
# GZ_DEVICE_FILE, GZ_VARIANT and the others of libgzstencil(3) have effect.
set -eu

# fail STATUS TEXT: one line, and the end.
fail() {
    echo "translated: $2" >&2
    exit "$1"
}
[ $# -ge 1 ] && [ $# -le 3 ] || fail 2 'give [DEVICE [TURNS]]'
build=$1
device=${2:-opencl:0}
turns=${3:-5}
case $turns in
    '' | *[!0-9]* | 0*) fail 2 "TURNS: \"$turns\" must be a whole number, at least 1" ;;
esac
here=$(dirname "$0")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export POCL_AFFINITY=1 XDG_CACHE_HOME="$work/cache" GZ_DEVICE="$device"
mkdir "$work/cache"
[ -x "$build/bin/gzc" ] || fail 1 "$build/bin/gzc is not built"

# child WHAT COMMAND...: what fails ends all, with the last line that it said.
child() {
    what=$1
    shift
    "$@" 2> "$work/said" && return
    status=$?
    fail $((status == 2 || status == 77 ? status : 1)) \
        "$what: status $status: $(tail -n 1 "$work/said")"
}
# Programs after gzc run as they stand where there is no such device.
child "device $device" "$build/bin/gzrun" -q -d "$device" -a poisson -s 64 --loops 1 --runs 1 > "$work/out"

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# The program as it stands, with OpenMP, and after gzc.
begin=$(date +%s%N)
child 'gzc translated.c' "$build/bin/gzc" "$here/translated.c" -o "$work/translated_gz.c"
echo "gzc itself: $((($(date +%s%N) - begin) / 1000000)) ms"
child 'compiling translated.c' ${CC:-cc} -O3 -march=native -fopenmp -Wno-unknown-pragmas "$here/translated.c" \
    -o "$work/plain" -lm
child 'compiling translated.c after gzc' ${CC:-cc} -O3 -march=native -fopenmp -Wno-unknown-pragmas \
    -I"$here/../gzstencil" "$work/translated_gz.c" -o "$work/gz" -lm -L"$build/lib" -lgzstencil \
    -Wl,-rpath,"$(cd "$build/lib" && pwd)"

# compare KIND DIMENSIONS EDGE LOOPS: both in turn.
compare() {
    : > "$work/a"
    : > "$work/b"
    for turn in $(seq "$turns"); do
        child "$1" "$work/plain" "$1" "$3" "$4" >> "$work/a"
        child "$1 after gzc" env GZ_REPORT=1 "$work/gz" "$1" "$3" "$4" >> "$work/b"
    done
    # The last loop of several arrays is the program's own, in a report of its own.
    chosen=$(grep -v 'nothing to do$' "$work/said" |
        sed -nE 's/.*: ([a-z]+), block [0-9x]+, (height [0-9]+), [^;]*/\1, \2/p
            s/.*: (the original loops) run: /\1: /p' | tail -n 1)
    paste "$work/a" "$work/b" | awk '{ print $1 / $3 }' | sort -g > "$work/ratios"
    echo "$2 $3 $4 $(median < "$work/a") $(median < "$work/b") $(median < "$work/ratios")" \
        "$(head -n 1 "$work/ratios") $(tail -n 1 "$work/ratios")" \
        "$(head -n 1 "$work/a" | cut -d ' ' -f 2) $(head -n 1 "$work/b" | cut -d ' ' -f 2)" |
        awk -v kind="$1" -v chosen="$chosen" \
            '{ printf "%s %d^%d, %d loops a call: OpenMP %.3g, after gzc %.3g: %.2f times as fast [%.2f, %.2f]; ",
                   kind, $2, $1, $3, $4, $5, $6, $7, $8
               printf "first call %.3g and %.3g; %s\n", $9, $10, chosen }'
}

echo 'Seconds per loop: heat in a plate (float) and a cube (double), waves, fields, a reaction, a state that converges'
compare heat2 2 1024 96
compare heat2 2 2048 96
compare heat2 2 4096 96
compare heat3 3 100 96
compare heat3 3 256 48
compare wave2 2 4096 60
compare wave3 3 256 48
compare fdtd 2 4096 60
compare grayscott 2 2048 100
compare converge 2 2048 100

cat > "$work/poisson.c" << 'C'
void f(int n, int m, int T, float u[2][n][m], float rise, float quarter)
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++)
                u[(t + 1) % 2][y][x] = (u[t % 2][y > 0 ? y - 1 : y][x] + u[t % 2][y < n - 1 ? y + 1 : y][x]
                    + u[t % 2][y][x > 0 ? x - 1 : x] + u[t % 2][y][x < m - 1 ? x + 1 : x] + rise) * quarter;
#pragma endscop
}
C
child 'gzc --row' "$build/bin/gzc" --row "$work/poisson.c" -o "$work/made.so"
: > "$work/a"
: > "$work/b"
run() {
    child gzrun "$build/bin/gzrun" "$@" -d "$device" -s 4096 -b 258x66 -H 6 --loops 24 --runs 7 -q --json > "$work/out"
    sed -nE 's/.*"seconds_per_loop": ([0-9.e-]+).*/\1/p' "$work/out"
}
for turn in $(seq "$turns"); do
    run -a poisson >> "$work/a"
    run --stencil "$work/made.so" >> "$work/b"
done
echo "$(median < "$work/a") $(median < "$work/b")" |
    awk '{ printf "Poisson 4096x4096: hand-written %.3g, of gzc %.3g s per loop: %.3f times as long\n", $1, $2, $2 / $1 }'
