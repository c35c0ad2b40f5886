#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 340-oclgrind - under Oclgrind, which executes every kernel instruction by instruction: no data race,
# and exactly the accesses to device memory that the model counts. `gzrun-counts` prints what is expected.
#
# Oclgrind 21.10 supports neither what inlining restrict leaves in the code nor `freeze`, hence the
# options.
. "$(dirname "$0")/tap.sh"
needs_oclgrind
scratch

simulate() {
    oclgrind --build-options "-O1 -DGZ_RESTRICT= -DGZ_NO_PREFETCH $more" "$@"
}
ran() {
    verdict "$1" "$2"
    [ "$1" -eq 0 ] || head -n 20 "$work/log" | note
}

# NAME SIZE BLOCK HEIGHT THREADS LOOPS [VARIANT [LAYOUT or - [gpu]]]; trapezoids with one thread per cell and with
# few threads. `gpu`: with what GPUs do inside the grid, where cells are computed that are not needed, so that
# arithmetic and local memory are not the model's.
cat >"$work/cases" <<'END'
pathfinder 50 12 2 5 5
hotspot 21x17 9x8 2 4x3 3
gsrb 8x8x8 8x8x8 2 4x4x4 2
hotspot 21x17 8x6 1 8x6 2 shared
hotspot 21x17 11x13 2 7x1 3 stream
star7vc 7x5x6 7x6x7 2 4x6x1 2 stream columns
hotspot 35x27 13x15 2 7x1 3 stream columns gpu
box27 13x14x13 7x8x8 1 7x2x1 2 stream ring gpu
wave3d 9x5x7 7x6x7 2 3x2x1 3 stream
fdtd2d 35x27 13x15 2 7x1 2 stream columns gpu
star7 8x8x8 6x6x6 1 6x6x6 2
jacobi 21x17 11x13 2 6x1 2 stream columns
star7 14x13x13 7x8x8 1 7x4x1 2 stream columns gpu
hotspot 35x27 13x15 2 7x1 3 trapezoid - gpu
wave2d 21x17 9x8 2 4x3 3
wave2d 35x27 13x15 2 7x1 2 stream columns gpu
star7 9x5x7 9x8x8 2 3x2x1 3 stream
pathfinder 96 16 3 16 6
star7vc 8x8x8 6x6x6 1 3x3x3 2
cell 9x5x7 7x6x5 2 3x2x2 3
poisson 21x17 9x11 3 4x1 5 stream columns
star7vc 14x13x13 7x8x8 1 7x4x1 2 trapezoid - gpu
hotspot 24x24 10x10 2 10x10 4
poisson 24x24 10x10 2 10x10 4
poisson 21x17 9x8 3 4x3 4
cell 8x8x8 6x6x6 1 6x6x6 2
jacobi 21x17 9x8 2 4x3 3
star7 9x5x7 7x6x5 2 3x2x2 2
star13 6x3x4 10x9x9 2 5x3x2 2
box27 6x6x6 6x6x5 1 3x2x2 1
box125 4x4x4 6x7x6 1 3x7x2 1
jacobi 21x17 8x6 1 8x6 2 shared
star13 9x5x7 4x3x2 1 4x3x2 2 shared
poisson 21x17 9x11 3 4x1 4 stream
jacobi 21x17 9x13 3 4x1 4 stream
cell 9x5x7 7x6x7 2 3x2x1 3 stream
star13 6x5x7 11x10x12 2 5x3x1 2 stream
gsrb 8x7x8 8x8x7 2 8x8x1 2 stream
poisson 21x17 9x11 3 4x1 6 stream columns
hotspot 21x17 11x13 2 11x1 3 stream columns
jacobi 21x17 9x13 3 4x1 4 stream columns
star7 9x5x7 9x8x8 2 5x3x1 3 stream columns
star7 9x5x7 9x8x8 2 5x3x1 2 stream columns
star13 6x5x7 11x10x12 2 6x5x1 2 stream columns
jacobi 35x27 13x15 2 13x1 3 stream columns gpu
star7vc 13x13x15 8x7x8 1 4x4x1 2 stream columns gpu
gsrb 10x9x11 8x8x9 2 8x3x1 2 stream columns gpu
star13 13x14x16 8x9x11 1 8x2x1 2 stream columns gpu
cell 13x14x13 9x8x11 2 4x3x1 2 stream ring gpu
star7vc 13x13x15 8x7x8 1 4x4x1 2 stream ring gpu
hotspot 35x27 13x15 2 7x1 3 stream ring gpu
wave2d 21x17 8x6 1 8x6 2 shared
wave3d 13x14x13 7x8x8 1 7x2x1 2 stream ring gpu
wave3d4 6x5x3 10x9x9 2 5x3x2 2
wave3d4 13x14x16 8x9x11 1 8x2x1 2 stream ring gpu
wave2d 35x27 13x15 2 7x1 3 trapezoid - gpu
grayscott 21x17 11x13 2 6x1 3 stream columns
fdtd2d 35x27 13x15 2 7x1 2 stream ring gpu
grayscott 35x27 13x15 2 7x1 3 trapezoid - gpu
fdtd2d 21x17 8x6 1 8x6 2 shared
fdtd3d 13x14x13 7x8x8 1 7x2x1 2 stream ring gpu
END

# Stencils with other edges along each axis, if gzc is there to make them: z clamped, y zero, x
# periodic; and z periodic, y kept, x clamped. Loads are not counted: gzc's bodies load bounds, too.
for edge in mixed kept; do
    [ -x "$GZ_BUILD/bin/gzc" ] || break
    z='A[t % 2][k < l - 1 ? k + 1 : l - 1][j][i]' x='A[t % 2][k][j][(i + 1) % n]'
    y='(j > 0 ? A[t % 2][k][j - 1][i] : 0)' low=0
    if [ $edge = kept ]; then
        z='A[t % 2][(k + 1) % l][j][i]' x='A[t % 2][k][j][i < n - 1 ? i + 1 : n - 1]'
        y='A[t % 2][k][j - 1][i] - A[t % 2][k][j + 1][i]' low=1
    fi
    cat >"$work/$edge.c" <<END
void f(int n, int m, int l, int T, int A[2][l][m][n])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int k = 0; k < l; k++)
            for (int j = $low; j < m - $low; j++)
                for (int i = 0; i < n; i++)
                    A[(t + 1) % 2][k][j][i] = $z + $y + $x;
#pragma endscop
}
END
    "$GZ_BUILD/bin/gzc" --row "$work/$edge.c" -o "$work/$edge.so" || exit 1
    cat >>"$work/cases" <<END
$work/$edge.so 9x5x7 7x6x5 2 3x2x2 3
$work/$edge.so 9x5x7 7x6x7 2 3x2x1 3 stream
$work/$edge.so 9x5x7 7x6x7 2 4x3x1 3 stream columns
$work/$edge.so 13x14x13 8x7x8 1 4x4x1 2 stream columns gpu
$work/$edge.so 9x5x7 4x3x2 1 4x3x2 2 shared
END
done

cases=0
while read -r app size block height threads loops variant layout path; do
    [ "$layout" != - ] || layout=
    more=${path:+-DGZ_BARRIER_IN_LOOPS_BRANCH=1}
    option=-a name=${app##*/}
    [ "$name" = "$app" ] || option=--stencil
    set -- -q -d opencl:0 $option "$app" -s "$size" -b "$block" -H "$height" --threads "$threads" \
        --loops "$loops" --runs 1 --contract off --verify --variant "${variant:-trapezoid}"
    [ -n "$layout" ] && set -- "$@" --layout "$layout"
    # The last run is the one whose instructions are counted. Fences are in every third case, by turns.
    syncs=restart
    cases=$((cases + 1))
    if [ "$variant" != shared ] && { [ $((cases % 3)) -eq 1 ] || [ "${GZ_ALL:-}" = 2 ]; }; then
        syncs='fence restart'
    fi
    for sync in $syncs; do
        simulate --data-races --inst-counts "$GZ_BUILD/bin/gzrun" "$@" -y $sync >"$work/log" 2>&1
        grep -q '^verified *true' "$work/log" && ! grep -qi 'data race\|invalid' "$work/log"
        ran $? "$name $size block $block height $height threads $threads $sync $variant $layout $path: right, without a race"
    done

    [ "$option" = -a ] || continue
    # Every launch counts by itself; gzrun runs all of them once to warm up and once to time them.
    awk '/- load global/ { l += $1 } /- store global/ { s += $1 } END { print l / 2, s / 2 }' \
        "$work/log" >"$work/counted"
    "$GZ_BUILD/t/gzrun-counts" "$app" "$size" "$block" "$height" "$loops" ${variant:+"$variant"} ${layout:+"$layout" "$threads"} \
        >"$work/expected"
    # Inside the grid columns leave out the older state of planes that no level computes: up to 1 % of the loads.
    sed -n 's/^accesses //p' "$work/expected" |
        awk -v path="$path" '{ getline counted < "'"$work/counted"'"; split(counted, n)
            exit !(n[2] == $2 && n[1] <= $1 && n[1] >= (path ? 0.99 : 1) * $1) }'
    status=$?
    sed -n 's/^# //p' "$work/expected" | sed 's/^/# /'
    # The smoothers' flops are those of their table, whatever the compiler makes of them.
    flops=$([ -n "$path" ] || sed -n 's/^flops //p' "$work/expected")
    if [ -n "$flops" ] && [ "$flops" != "$(awk '/- f(add|sub|mul)$/ { n += $1 } END { print n / 2 }' \
        "$work/log")" ]; then
        status=1
    fi
    # Local memory and barriers of columns in registers, as gz2 counts them.
    local=$([ -n "$path" ] || sed -n 's/^local //p' "$work/expected")
    if [ -n "$local" ] && [ "$local" != "$(awk '/- (load|store) local/ { a += $1 } /- call .*barrier/ { b += $1 }
        END { print a / 2, b / 2 }' "$work/log")" ]; then
        status=1
    fi
    cat "$work/expected" >>"$work/log"
    ran $status "$name $variant${layout:+ }$layout: loads and stores of device memory${flops:+, and $flops flops,}${local:+ and $local accesses of local memory and barriers,} are the model's: $(cat "$work/counted")"
done <"$work/cases"
simulate --data-races "$GZ_BUILD/t/315-found.t" >"$work/log" 2>&1 && ! grep -qi 'data race\|invalid' "$work/log"
ran $? 'what the cells of a loop measure together: right, without a race'
finish
