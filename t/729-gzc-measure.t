#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 729-gzc-measure - time loops that find a number of all cells and end by it, on a device: how many loops a run is expected
# to take, and sums that are not whole. 723 has such loops of every form.
. "$(dirname "$0")/tap.sh"
needs_gzc
compile_quickly
compile_inside

# By a calibrated file, so that it chooses alike on every machine: the first call knows the most that the loop allows, the
# next one what the first took.
cat > "$work/calls.c" << 'C'
#include <math.h>
#include <stdio.h>
static double u[300][300], v[300][300];
int main(void)
{
    for (int call = 0; call < 2; call++) {
        double err = 1;
        int t = 0;
        for (int i = 0; i < 300; i++)
            for (int j = 0; j < 300; j++)
                u[i][j] = (i * 7 + j * 13) % 11;
#pragma scop
        while (err > 0.1 && t < 100000) {
            err = 0;
            t++;
            for (int i = 1; i < 299; i++)
                for (int j = 1; j < 299; j++) {
                    v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                    err = fmax(err, fabs(v[i][j] - u[i][j]));
                }
            for (int i = 1; i < 299; i++)
                for (int j = 1; j < 299; j++)
                    u[i][j] = v[i][j];
        }
#pragma endscop
        printf("%d %a %a\n", t, err, u[150][77]);
    }
}
C
"$gzc" "$work/calls.c" -o "$work/calls_made.c" 2> "$work/err"
${CC:-cc} -std=c11 "$optimised" -w -ffp-contract=off "$work/calls.c" -o "$work/plain" -lm &&
    link_gzstencil -std=c11 "$optimised" "$work/calls_made.c" -o "$work/calls"
"$work/plain" > "$work/expected"
GZ_DEVICE=opencl:0 GZ_ORIGINAL=never GZ_REPORT=1 GZ_DEVICE_FILE=$GZ_SOURCE/calibrate/devices/pocl-xeon-2core/device.json \
    "$work/calls" > "$work/got" 2> "$work/said"
cmp -s "$work/expected" "$work/got" && { grep -q 'opencl:0: no ' "$work/said" ||
    sed -n 's/.* loops on .* height \([0-9]*\),.*/\1/p' "$work/said" | tr '\n' ' ' |
    awk '{ exit !(NF == 2 && $2 >= 1 && $2 < $1) }'; }
verdict $? 'a run is expected to take as many loops as the one before, for which lower tiles suffice' || cat "$work/err" "$work/said" | note

# Sums that are not whole, by --contract: of data for which C's are exact, so that there are as many loops.
cat > "$work/sums.c" << 'C'
#include <math.h>
#include <stdio.h>
static double u[40][50], v[40][50];
static float a[40][50], b[40][50];
int main(void)
{
    double error = 1, mean = 0;
    float diff;
    int t = 0, done = 0, k = 0, loud = 0;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            u[i][j] = a[i][j] = b[i][j] = (i * 7 + j * 13) % 11;
#pragma scop
    while (error > 0.001 && t < 5) {
        error = 0;
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++) {
                double d = v[i][j] - u[i][j];
                error = d * d + error;
                u[i][j] = v[i][j];
            }
        t++;
        error = sqrt(error) / (38 * 48);
    }
#pragma endscop
#pragma scop
    while (!done) {
        diff = 0.0;
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++) {
                b[i][j] = 0.25f * (a[i][j + 1] + a[i][j - 1] + a[i - 1][j] + a[i + 1][j]);
                if (b[i][j] > a[i][j])
                    diff -= a[i][j] - b[i][j];
            }
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                a[i][j] = b[i][j];
        k++;
        if (diff / (40 * 50) < 0.25) done = 1;
    }
#pragma endscop
#pragma scop
    for (int s = 0; s < 3; s++) {
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                v[i][j] = 0.5 * (u[i - 1][j] + u[i + 1][j]);
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                u[i][j] = v[i][j];
        for (int i = 1; i < 39; i++)
            for (int j = 1; j < 49; j++)
                mean += u[i][j];
        if (mean > 1e5)
            loud++;
    }
#pragma endscop
    printf("%d %a %a %d %a %a %a %d\n", t, error, u[20][30], k, (double)diff, (double)a[20][30], mean, loud);
}
C
"$gzc" --contract "$work/sums.c" -o "$work/sums_made.c" 2> "$work/err"
${CC:-cc} -std=c11 "$optimised" -w -ffp-contract=off "$work/sums.c" -o "$work/plain" -lm &&
    link_gzstencil -std=c11 "$optimised" "$work/sums_made.c" -o "$work/sums"
"$work/plain" > "$work/expected"
for check in 0 1; do
    GZ_HEIGHT=3 GZ_BLOCK=32x18 GZ_CHECK=$check GZ_DEVICE=opencl:0 GZ_ORIGINAL=never GZ_REPORT=1 "$work/sums" > "$work/got" 2> "$work/said"
    cmp -s "$work/expected" "$work/got" && { grep -q 'opencl:0: no ' "$work/said" ||
        { [ "$(grep -c 'a loop; sums are added in another order' "$work/said")" -eq 3 ] && ! grep -q failed "$work/said"; }; }
    verdict $? "sums that are exact, with --contract: the same, GZ_CHECK=$check"
    diff "$work/expected" "$work/got" | cat "$work/err" - "$work/said" | note
done

finish
