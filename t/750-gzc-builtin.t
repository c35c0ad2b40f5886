#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 750-gzc-builtin - the built-in stencils' arithmetic, written as annotated loops: gzc takes
# them, and gzrun verifies what it makes.
. "$(dirname "$0")/tap.sh"
needs_gzc
gzrun=$GZ_BUILD/bin/gzrun
compile_quickly
# Of how many one is verified, since that takes a kernel.
every=$(bulk 7 1) count=0

# member FILE MEMBER: what the stencil states.
member() {
    tr '\n' ' ' < "$1" |
        sed -E 's/GZK_SMOOTHER\(/GZK_STENCIL(GZK_TYPE(GZK_DOUBLE), .edge = GZK_EDGES(PERIODIC), /; s/GZK_EDGES\(([A-Z]+)\)/{GZ_EDGE_\1, GZ_EDGE_\1, GZ_EDGE_\1}/; s/GZK_TYPE\((GZK_[A-Z]+)\)/.type = \1/g' |
        sed -nE "s/.*GZK_STENCIL\(.*\.$2 = (\{[^}]*\}|[A-Za-z0-9_]+).*/\1/p"
}

# agrees NAME SIZE: the loop on standard input has that stencil's facts, and verifies if it is its turn.
agrees() {
    cat > "$work/$1.c"
    "$gzc" --row "$work/$1.c" -o "$work/made.c" 2> "$work/err" &&
        ${CC:-cc} -std=c11 -O0 -ffp-contract=off -fPIC -shared "$work/made.c" -o "$work/$1.so" -lm 2>> "$work/err"
    verdict $? "$1: gzc takes the loop" || note < "$work/err"
    sed '1,/default_size/!d; s/.*GZ_FACTS/GZK_STENCIL(/' "$work/made.c" > "$work/facts.c"
    different=
    for fact in type step_arrays radius edge; do
        theirs=$(member "$GZ_SOURCE/kernels/stencils/$1.c" $fact)
        ours=$(member "$work/facts.c" $fact)
        case $theirs in *_ZERO*) continue ;; esac # a condition in the program's text
        [ "${theirs:-0}" = "$ours" ] || different="$different $fact: $theirs, not $ours;"
    done
    nothing "$1: the facts of the hand-written stencil" "$different"
    count=$((count + 1))
    [ $((count % every)) -eq 1 ] || [ "$every" -eq 1 ] || return
    if POCL_AFFINITY=1 "$gzrun" --stencil "$work/$1.so" -d opencl:0 -s "$2" --loops 5 -H 2 --runs 1 \
        --contract off --verify > "$work/log" 2>&1; then
        verdict 0 "$1: verified"
    else
        grep -q 'no such device\|no OpenCL' "$work/log" || verdict 1 "$1: verified" || note < "$work/log"
    fi
}

agrees hotspot 45x37 << 'C'
void f(int n, int m, int T, float *t, float *next, const float *power, const float c[5])
{
    float *swap;
#pragma scop
    for (int loop = 0; loop < T; loop++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++)
                next[y * m + x] = t[y * m + x] + c[0] * (power[y * m + x]
                    + (t[(y < n - 1 ? y + 1 : y) * m + x] + t[(y > 0 ? y - 1 : y) * m + x] - 2.0F * t[y * m + x]) * c[2]
                    + (t[y * m + (x < m - 1 ? x + 1 : x)] + t[y * m + (x > 0 ? x - 1 : x)] - 2.0F * t[y * m + x]) * c[1]
                    + (c[4] - t[y * m + x]) * c[3]);
        swap = t; t = next; next = swap;
    }
#pragma endscop
}
C
agrees pathfinder 3000 << 'C'
static int least(int a, int b) { return a < b ? a : b; }
void f(int n, int T, int *below, int *cost, int **wall)
{
    int *swap;
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int x = 0; x < n; x++)
            cost[x] = least(least(below[x > 0 ? x - 1 : 0], below[x]), below[x < n - 1 ? x + 1 : x]) + wall[t][x];
        swap = below; below = cost; cost = swap;
    }
#pragma endscop
}
C
agrees poisson 45x37 << 'C'
void f(int n, int m, int T, float A[2][n][m], float rise, float quarter)
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++)
                A[(t + 1) % 2][y][x] = (A[t % 2][y > 0 ? y - 1 : 0][x] + A[t % 2][y < n - 1 ? y + 1 : y][x] +
                    A[t % 2][y][x > 0 ? x - 1 : 0] + A[t % 2][y][x < m - 1 ? x + 1 : x] + rise) * quarter;
#pragma endscop
}
C
# Zero beyond the edges, and all coefficients read for each cell.
agrees jacobi 45x37 << 'C'
void f(int n, int m, int T, float A[2][n][m], const float c[7])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < m; x++)
                A[(t + 1) % 2][y][x] = ((((float)y >= c[5]) & ((float)y <= c[6]) & ((float)x >= c[3]) & ((float)x <= c[4]) ? 1.0F : 0.0F) +
                    c[0] * ((x > 0 ? A[t % 2][y][x - 1] : 0.0F) + (x < m - 1 ? A[t % 2][y][x + 1] : 0.0F)) +
                    c[1] * ((y > 0 ? A[t % 2][y - 1][x] : 0.0F) + (y < n - 1 ? A[t % 2][y + 1][x] : 0.0F))) * c[2];
#pragma endscop
}
C
# Neighbours in a periodic grid.
cat > "$work/near.h" << 'C'
#define O A[t % 2][z][y][x]
#define P(i, d) ((i + n + (d)) % n)
#define U(dx, dy, dz) A[t % 2][P(z, dz)][P(y, dy)][P(x, dx)]
#define AXES(d) (U(-(d), 0, 0) + U(d, 0, 0) + U(0, -(d), 0) + U(0, d, 0) + U(0, 0, -(d)) + U(0, 0, d))
#define XY(a, b, c) (U(-(a), -(b), c) + U(a, -(b), c) + U(-(a), b, c) + U(a, b, c))
#define XZ(a, c) (U(-(a), 0, -(c)) + U(a, 0, -(c)) + U(-(a), 0, c) + U(a, 0, c))
#define YZ(b, c) (U(0, -(b), -(c)) + U(0, b, -(c)) + U(0, -(b), c) + U(0, b, c))
#define XYZ(a, b, c) (XY(a, b, -(c)) + XY(a, b, c))
#define DIAGONAL(a) (XY(a, a, 0) + XZ(a, a) + YZ(a, a))
#define KNIGHTS (XY(1, 2, 0) + XY(2, 1, 0) + XZ(1, 2) + XZ(2, 1) + YZ(1, 2) + YZ(2, 1))
#define TWO_AND_ONE(a, b) (XYZ(a, a, b) + XYZ(a, b, a) + XYZ(b, a, a))
C

# cube NAME SIZE PARAMETERS VALUE [BEFORE]: a stencil of three dimensions, with these parameters beside its planes, which
# sets a cell to that value; what stands before the function.
cube() {
    cat > "$work/in" << C
#include "near.h"
$5
void f(int n, int T, ${type:-double} A[2][n][n][n]$3)
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int z = 0; z < n; z++)
            for (int y = 0; y < n; y++)
                for (int x = 0; x < n; x++)
                    A[(t + 1) % 2][z][y][x] = $4;
#pragma endscop
}
C
    agrees "$1" "$2" < "$work/in"
}
cube star7 14x15x16 ', const double c[2]' 'c[0] * A[t % 2][z][y][x] + c[1] * (
    A[t % 2][z][y][(x + n - 1) % n] + A[t % 2][z][y][(x + 1) % n] +
    A[t % 2][z][(y + n - 1) % n][x] + A[t % 2][z][(y + 1) % n][x] +
    A[t % 2][(z + n - 1) % n][y][x] + A[t % 2][(z + 1) % n][y][x])'
coefficients=', double a[n][n][n], double b[n][n][n], double c[n][n][n]'
cube star7vc 14x15x16 "$coefficients" \
    'a[z][y][(x + 1) % n] * (A[t % 2][z][y][(x + 1) % n] - O) - a[z][y][x] * (O - A[t % 2][z][y][x == 0 ? n - 1 : x - 1]) +
    b[z][(y + 1) % n][x] * (A[t % 2][z][(y + 1) % n][x] - O) - b[z][y][x] * (O - A[t % 2][z][y == 0 ? n - 1 : y - 1][x]) +
    c[(z + 1) % n][y][x] * (A[t % 2][(z + 1) % n][y][x] - O) - c[z][y][x] * (O - A[t % 2][z == 0 ? n - 1 : z - 1][y][x])'
cube star13 14x15x16 ', const double c[3]' 'c[0] * U(0, 0, 0) + c[1] * AXES(1) + c[2] * AXES(2)'
cube box27 14x15x16 ', const double c[4]' 'c[0] * U(0, 0, 0) + c[1] * AXES(1) + c[2] * DIAGONAL(1) + c[3] * XYZ(1, 1, 1)'
rarely cube box125 12x13x14 ', const double c[10]' 'c[0] * U(0, 0, 0) + c[1] * AXES(1) + c[2] * DIAGONAL(1) + c[3] * XYZ(1, 1, 1) +
    c[4] * AXES(2) + c[5] * KNIGHTS + c[6] * TWO_AND_ONE(1, 2) + c[7] * DIAGONAL(2) +
    c[8] * TWO_AND_ONE(2, 1) + c[9] * XYZ(2, 2, 2)'
type=int cube cell 9x10x11 '' 'next(A[t % 2][z][y][x], PLANE(L(z)) + PLANE(z) + PLANE(H(z)))' '#define L(i) (i > 0 ? i - 1 : 0)
#define H(i) (i < n - 1 ? i + 1 : i)
#define ROW(z, y) A[t % 2][z][y][L(x)] + A[t % 2][z][y][x] + A[t % 2][z][y][H(x)]
#define PLANE(z) ROW(z, L(y)) + ROW(z, y) + ROW(z, H(y))
static int next(int alive, int sum)
{
    int neighbours = sum - alive;
    return (neighbours == 5) | ((neighbours == 4) & alive);
}'
cube gsrb 14x16x18 "$coefficients" '(x + y + z + t) % 2 != 0 ? O :
    a[z][y][P(x, 1)] * (U(1, 0, 0) - O) - a[z][y][x] * (O - U(-1, 0, 0)) +
    b[z][P(y, 1)][x] * (U(0, 1, 0) - O) - b[z][y][x] * (O - U(0, -1, 0)) +
    c[P(z, 1)][y][x] * (U(0, 0, 1) - O) - c[z][y][x] * (O - U(0, 0, -1))'
cd "$GZ_SOURCE" || exit 1
"$gzc" --explain kernels/translate/example/heat.c > "$work/heat.txt"
sed -n '/gzc --explain/,/as C does/s/^    //p' kernels/translate/README.md | sed 1d | cmp -s - "$work/heat.txt"
verdict $? 'README.md shows what gzc says of its example'
finish
