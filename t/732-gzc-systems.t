#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 732-gzc-systems - time loops that set several arrays: as stencils they give the bits of their reference, and random ones
# (t/gzc/systems.c, guards.c) the bytes of gcc -O2 -ffp-contract=off. GZ_SEED=N takes others of these.
. "$(dirname "$0")/tap.sh"
needs_gzc
compile_quickly
compile_inside
# As stencils, in all variants by `make check-all`, bits are those of a reference on the host.
bench=$GZ_SOURCE/kernels/bench/translated.c
for function in fdtd gray_scott; do
    sed -n "/^static void $function(/,/^}/p" "$bench" > "$work/$function.c"
done
cat > "$work/tube.c" << 'C'
void f(int n, int m, int l, int T, float a[n][m][l], float b[n][m][l], float c[n][m][l], float k[n][m][l], float s)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int z = 0; z < n; z++)
            for (int y = 0; y < m; y++)
                for (int x = 0; x < l; x++)
                    a[z][y][x] = a[z][y][x] * k[z][y][x] - s * (c[z][y][x] - c[z][(y + m - 1) % m][x]);
        for (int z = 1; z < n; z++)
            for (int y = 0; y < m; y++)
                for (int x = 1; x < l - 1; x++)
                    b[z][y][x] -= s * (c[z][y][x] - c[z - 1][y][x + 1]);
        for (int z = 0; z < n - 1; z++)
            for (int y = 0; y < m; y++)
                for (int x = 0; x < l; x++)
                    c[z][y][x] -= s * (a[z][(y + 1) % m][x] - a[z][y][x] + b[z + 1][y][x] - b[z][y][x]);
        for (int y = 0; y < m; y++)
            for (int x = 0; x < l; x++)
                c[n - 1][y][x] = 0.5f * a[n - 1][y][x];
    }
#pragma endscop
}
C
# row NAME VARIANT ARGUMENTS...: the stencil of $work/NAME.c gives the bits of its reference, in that variant by `make check`.
row() {
    name=$1
    printf '%s\n' "$2" "$(rarely printf '%s\n' 'stream -H 3' 'trapezoid -H 2' 'naive -H 1')" | grep . | sort -u > "$work/variants"
    shift 2
    "$gzc" --row "$work/$name.c" -o "$work/$name.so" 2> "$work/said"
    made=$?
    while read -r variant; do
        # A variant and its height are several words.
        # shellcheck disable=SC2086
        "$GZ_BUILD/bin/gzrun" --stencil "$work/$name.so" -d opencl:0 --contract off --loops 7 --runs 1 --verify "$@" \
            --variant $variant >> "$work/said" 2>&1 < /dev/null
    done < "$work/variants"
    if grep -q 'no OpenCL' "$work/said"; then
        skip 'there is no OpenCL device'
        return
    fi
    variants=$(wc -l < "$work/variants")
    [ $made -eq 0 ] && [ "$(grep -c '^verified  *true, max_error 0 ' "$work/said")" -eq "$variants" ] &&
        ! grep -q warning "$work/said"
    verdict $? "$name as a stencil: $variants variants give the bits of the reference, and the driver is silent" || note < "$work/said"
}
row fdtd 'naive -H 1' -s 50x43 -b 18x16
row gray_scott 'trapezoid -H 2' -s 50x43 -b 18x16
row tube 'stream -H 3' -s 20x23x25 -b 14x14x14

"$gzc" --predict -d generic-cpu -s 4096x4096 "$work/gray_scott.c" > "$work/said" 2>&1 &&
    grep -q '^variant  *stream' "$work/said" && grep -q 'from 25 operations and 10 reads' "$work/said"
verdict $? "its time is predicted" || note < "$work/said"

cat > "$work/line.c" << 'C'
void f(int n, int T, double *x, double *y, double *w)
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < n; i++)
            x[i] = x[i] - (y[i] - y[i - 1]);
        x[n / 2] += w[t];
        for (int i = 0; i < n - 1; i++)
            y[i] = y[i] - (x[i + 1] - x[i]);
    }
#pragma endscop
}
C
(cd "$work" && "$gzc" --row line.c -o line.so > said 2>&1)
[ $? -eq 2 ] && [ ! -e "$work/line.so" ] && [ "$(cat "$work/said")" = "line.c:4:5: which cells it sets does not follow \
from the extents of the grid, which are all that gzrun knows" ]
verdict $? 'no stencil is made of what sets a cell in the middle' || note < "$work/said"

# Loops that run beyond their arrays touch under conditions only what lies in them: exactly that is read and written, since
# pages around arrays and rows may not be touched.
random_programs 'random programs with guards' "${GZ_SEED:-1}" "$(bulk 12 60)" GZ_PROGRAMS=guards GZ_EVERY=60
rarely random_programs 'random systems' "${GZ_SEED:-1}" 50 GZ_PROGRAMS=systems GZ_EVERY=50
finish
