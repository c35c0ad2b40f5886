#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 815-idle - a device whose kernels do nothing, from the first launch on or from a later one, though the driver
# reports success: every program says so in one line, and fails.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
shim=$GZ_BUILD/t/idle-opencl.so
[ -e "$shim" ] || skip_all 'idle-opencl.so is not built (a sanitizer comes before what is preloaded)'
"$GZ_BUILD/bin/gzrun" --list | grep -q '^ *opencl:0' || skip_all 'there is no OpenCL device'
compile_quickly

# idle PROGRAM ARGUMENTS...: on such a device.
idle() {
    program=$1
    shift
    LD_PRELOAD="$shim libOpenCL.so.1" timeout 60 "$GZ_BUILD/bin/$program" -d opencl:0 -q "$@" \
        >"$work/out" 2>"$work/err"
}

# fails TEXT PROGRAM ARGUMENTS...: with status 1 and one line that has TEXT.
fails() {
    text=$1
    shift
    idle "$@"
    [ $? -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -e "$text" "$work/err" &&
        [ ! -e "$work/device.json" ]
    result=$?
    verdict $result "${GZ_IDLE_AFTER:-0}: $*"
    [ $result -eq 0 ] || note <"$work/err"
}

export GZ_IDLE_AFTER=1000000
idle gzrun -a hotspot -s 64 -b 20x20 -H 2 --runs 2 --verify && grep -q '^verified *true' "$work/out"
verdict $? 'what is preloaded lets kernels run'
note <"$work/err"
unset GZ_IDLE_AFTER

nothing='a kernel ran without writing anything'
fails "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --runs 2
[ ! -s "$work/out" ]
verdict $? '  and prints nothing'
fails "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --loops 4 --runs 2 -y fence
fails "$nothing" gzrun -a pathfinder -s 640 -b 64 --loops 20 --runs 2
fails "$nothing" gzrun -a gsrb -s 16 -b 8x8x8 -H 1 --runs 2 --verify
fails "$nothing" gzrun -a poisson -s 64 --variant stream -b 20x20 -H 2 --runs 2
fails "$nothing" gzrun -a hotspot -s 64 -b 20x20 --adaptive
fails "$nothing" gzrun -a hotspot -s 64 -b 16x16,20x20 -H 1 --runs 2
fails "$nothing" gzrun -a hotspot -s 64 --tune=1s
GZ_IDLE_AFTER=2 fails "$nothing" gzrun -a hotspot -s 64 -b 20x20 -H 2 --loops 2 --runs 3

wrongly='writing anything\|computes wrongly or nothing: the residual of 0 is nan'
set -- --edges dirichlet --tail 600 --depth 2 --variant stream
fails "$wrongly" gzmg -s 16 "$@" --verify
fails "$wrongly" gzmg -s 16 "$@" --type float
fails "$wrongly" gzmg -s 16 "$@" --type mixed
fails "$nothing" gzmg -s 16 "$@" --variant trapezoid
GZ_IDLE_AFTER=2 fails "$wrongly" gzmg -s 16 "$@"
for launches in 6 9 14; do
    GZ_IDLE_AFTER=$launches fails 'not converged: stagnates' gzmg -s 16 "$@"
done

fails 'the kernel of the benchmark ".*" computes wrongly or nothing' calibrate --quick -o "$work/device.json"
finish
