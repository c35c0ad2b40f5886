#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 815-idle - a device whose kernels do nothing, from the first launch on or from a later one, though the driver
# reports success: every program says so in one line, and fails.
. "$(dirname "$0")/tap.sh"
scratch
shim=$GZ_BUILD/t/idle-opencl.so
[ -e "$shim" ] || skip_all 'idle-opencl.so is not built (a sanitizer comes before what is preloaded)'
needs_device
compile_quickly
compile_inside

# idle PROGRAM ARGUMENTS...: on such a device.
idle() {
    program=$1
    shift
    LD_PRELOAD="$shim libOpenCL.so.1" timeout 60 "$GZ_BUILD/bin/$program" -d opencl:0 -q "$@"
}

# stops TEXT PROGRAM ARGUMENTS...: with status 1 and one line that has TEXT.
stops() {
    text=$1
    shift
    fails 1 "$text" "${GZ_IDLE_AFTER:-0}: $*" idle "$@"
}

export GZ_IDLE_AFTER=1000000
idle gzrun -a hotspot -s 64 -b 20x20 -H 2 --runs 2 --verify >"$work/out" 2>"$work/err" && grep -q '^verified *true' "$work/out"
verdict $? 'what is preloaded lets kernels run' || note <"$work/err"
unset GZ_IDLE_AFTER

nothing='a kernel ran without writing anything'
stops "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --runs 2
stops "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --loops 4 --runs 2 -y fence
rarely stops "$nothing" gzrun -a pathfinder -s 640 -b 64 --loops 20 --runs 2
rarely stops "$nothing" gzrun -a wave2d -s 40 -b 8 -H 1 --variant naive
rarely stops "$nothing" gzrun -a hotspot -s 64 -b 20x20 --adaptive
stops "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 1:2 --runs 2
rarely stops "$nothing" gzrun -a hotspot -s 64 --tune=1s
GZ_IDLE_AFTER=2 stops "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --loops 2 --runs 3

wrongly='writing anything\|computes wrongly or nothing: the residual of 0 is nan'
set -- --edges dirichlet --tail 600 --depth 2 --variant stream
stops "$wrongly" gzmg -s 16 "$@" --verify
GZ_IDLE_AFTER=2 stops "$wrongly" gzmg -s 16 "$@"
for launches in 6 14; do
    GZ_IDLE_AFTER=$launches stops 'not converged: stagnates' gzmg -s 16 "$@" -o "$work/all"
done

stops 'the kernel of the benchmark ".*" computes wrongly or nothing' calibrate --quick -o "$work/device.json"
ok '  and leaves no file' test ! -e "$work/device.json"

# What gzc makes of two programs, whose original loops run then.
cat >"$work/levels.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    enum { N = 40 };
    double (*a)[N] = calloc(N, sizeof *a), (*b)[N] = calloc(N, sizeof *b), (*c)[N] = calloc(N, sizeof *c);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            a[i][j] = b[i][j] = (i * 7 + j * 3) % 11;
#pragma scop
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                c[i][j] = 1.5 * b[i][j] - a[i][j] + 0.125 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
        double (*s)[N] = a;
        a = b;
        b = c;
        c = s;
    }
#pragma endscop
    for (int i = 0; i < N; i++)
        printf("%.17g %.17g\n", a[i][i], b[i][i]);
}
END
cp "$GZ_SOURCE/kernels/translate/example/heat.c" "$work"
for name in heat levels; do
    [ -x "$GZ_BUILD/bin/gzc" ] || { skip 'gzc is not built'; continue; }
    "$GZ_BUILD/bin/gzc" "$work/$name.c" -o "$work/made.c" 2>"$work/err" &&
        link_gzstencil -O1 -ffp-contract=off "$work/made.c" -o "$work/made"
    for way in stream:2 $(bulk '' naive:1); do
        export GZ_DEVICE=opencl:0 GZ_REPORT=1 GZ_VARIANT=${way%:*} GZ_HEIGHT=${way#*:}
        GZ_ORIGINAL=always "$work/made" 20 9 >"$work/expected" 2>"$work/err"
        GZ_ORIGINAL=never LD_PRELOAD="$shim libOpenCL.so.1" "$work/made" 20 9 >"$work/out" 2>"$work/err"
        cmp -s "$work/expected" "$work/out" && grep -q "original loops run: .*$nothing" "$work/err"
        verdict $? "libgzstencil, $name, ${way%:*}, height ${way#*:}" || note <"$work/err"
    done
done
finish
