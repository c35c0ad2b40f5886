#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# translated.sh - what gzc gains and costs, in ratios of one run: a user's program after gzc against
# the same program with -O3 -march=native and OpenMP, copies to and from the device included; and the
# stencil that gzc makes of Poisson's loop against the hand-written one. The two of a pair run in
# turn, several times; medians. Usage: translated.sh BUILD [DEVICE]
set -eu
build=$1
device=${2:-opencl:0}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_AFFINITY=1 XDG_CACHE_HOME="$work/cache" GZ_DEVICE="$device"
mkdir "$work/cache"
[ -x "$build/bin/gzc" ] || { echo 'gzc was left out'; exit 0; }

median() {
    sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

echo 'A program of the heat equation, float; seconds per loop'
begin=$(date +%s%N)
"$build/bin/gzc" "$here/translated.c" -o "$work/heat_gz.c"
echo "gzc itself: $((($(date +%s%N) - begin) / 1000000)) ms"
${CC:-cc} -O3 -march=native -ffp-contract=off -fopenmp -Wno-unknown-pragmas \
    -DPARALLEL='_Pragma("omp parallel for")' "$here/translated.c" -o "$work/plain"
${CC:-cc} -O2 -I"$here/../translate/lib" "$work/heat_gz.c" -o "$work/heat_gz" \
    -L"$build/lib" -lgzstencil -Wl,-rpath,"$(cd "$build/lib" && pwd)"
for edge in 1024 2048 4096; do
    : > "$work/a"
    : > "$work/b"
    for turn in 1 2 3; do
        "$work/plain" $edge 96 >> "$work/a"
        "$work/heat_gz" $edge 96 >> "$work/b"
    done
    echo "$edge $(median < "$work/a") $(median < "$work/b")" |
        awk '{ printf "%dx%-6d OpenMP %.3g   after gzc %.3g   %.2f times as fast\n", $1, $1, $2, $3, $2 / $3 }'
done

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
"$build/bin/gzc" --row "$work/poisson.c" -o "$work/made.so"
: > "$work/a"
: > "$work/b"
run() {
    "$build/bin/gzrun" "$@" -d "$device" -s 4096 -b 258x66 -H 6 --loops 24 --runs 7 -q --json |
        sed -nE 's/.*"seconds_per_loop": ([0-9.e-]+).*/\1/p'
}
for turn in 1 2 3 4 5; do
    run -a poisson >> "$work/a"
    run --stencil "$work/made.so" >> "$work/b"
done
echo "$(median < "$work/a") $(median < "$work/b")" |
    awk '{ printf "Poisson 4096x4096: hand-written %.3g, of gzc %.3g s per loop: %.3f times as long\n", $1, $2, $2 / $1 }'
