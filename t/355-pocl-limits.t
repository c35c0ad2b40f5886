#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 355-pocl-limits - if PoCL would end the program, one line says what is missing instead: the
# linker, or address space or stack for its compiler. Only GPUs get what PoCL gets wrong. And a build that
# another process's build disturbed is tried again.
. "$(dirname "$0")/tap.sh"
scratch
gzrun=$GZ_BUILD/bin/gzrun
# run [COMMAND...]: gzrun, by that command; limited LIMIT VALUE COMMAND...: by ulimit.
run() { "$@" "$gzrun" -q -d opencl:0 -a poisson -s 64 -b 16 --loops 2 --runs 1; }
limited() { (ulimit "$1" "$2" && shift 2 && "$@"); }
"$gzrun" --list | grep -q '^ *opencl:0 .*PoCL' || skip_all 'no PoCL'
! grep -qa __asan_init "$gzrun" || skip_all 'a sanitizer needs terabytes of address space'
POCL_CACHE_DIR=$work/cache
export POCL_CACHE_DIR
never_optimise
mkdir "$work/cache" "$work/other" "$work/bin"

# A kernel without barriers, as a GPU and as what it is.
${CC:-cc} -shared -fPIC -w "$GZ_SOURCE/t/gzc/driver.c" -o "$work/driver.so" -ldl
POCL_CACHE_DIR=$work/other GZ_DRIVER_GPU=1 GZ_DRIVER_OPTIONS=1 LD_PRELOAD=$work/driver.so "$gzrun" -q -d opencl:0 -a poisson -s 64 --variant naive \
    --loops 2 --runs 1 --verify >"$work/out" 2>"$work/err" &&
    grep -q '^verified *true' "$work/out" && grep -q 'options: .*GZ_BARRIER_IN_LOOPS_BRANCH=1' "$work/err"
verdict $? 'on a GPU barriers may stand in both branches'
POCL_CACHE_DIR=$work/other GZ_DRIVER_OPTIONS=1 LD_PRELOAD=$work/driver.so "$gzrun" -q -d opencl:0 -a poisson -s 64 --variant naive \
    --loops 2 --runs 1 >"$work/out" 2>"$work/err" && grep -q 'options: ' "$work/err" &&
    ! grep -q BRANCH "$work/err"
verdict $? 'on a CPU they may not'
run env GZ_DRIVER_BUILDS=3 LD_PRELOAD="$work/driver.so" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ]
verdict $? 'builds that fail without an error in the log are tried again'
fails 1 'building the kernel: error -11' 'but not for ever: status 1, one line' \
    run env GZ_DRIVER_BUILDS=4 LD_PRELOAD="$work/driver.so"
rm -rf "$work/cache" && mkdir "$work/cache"
fails 1 'ld, which is not in PATH; install binutils' 'no linker: status 1, one line' run env PATH="$work/bin"
ok 'and nothing was compiled' test -z "$(find "$work/cache" -name '*.so')"
if (ulimit -v 4000000) 2>/dev/null; then
    fails 1 'ulimit -v' 'little address space: status 1, one line' limited -v 400000 run
    fails 77 'does not load\|no OpenCL' 'too little for the driver itself: status 77, one line' limited -v 150000 run
else
    skip 'no limit of address space can be set'
fi
fails 1 'ulimit -f' 'small files: status 1, one line' limited -f 8 run
fails 77 'ulimit -s' 'a small stack: status 77, one line' limited -s 64 run
(ulimit -s 64 && "$gzrun" --list >"$work/out" 2>"$work/err") && grep -q '^ *opencl *none: .*ulimit -s' "$work/out"
verdict $? 'and the list of devices says so'
ok 'it runs on one of 256 KiB' limited -s 256 run
ok 'and if nothing is limited' run

# With little address space threads keep the usual stacks, which a block of 4096 threads overflows.
XDG_CACHE_HOME=$work/known
export XDG_CACHE_HOME
many() { "$gzrun" -q -d opencl:0 -a fdtd3d -s 32 -b 16x16x16 -H 2 --threads 16x16x16 --loops 2 --runs 1 --verify; }
if (ulimit -v 9000000) 2>/dev/null; then
    for when in 'found out in another process' 'and known the next time'; do
        fails 1 'opencl:0 dies of its kernel' "a block that overflows the driver's stack: $when" \
            limited -s 1024 limited -v 9000000 many
    done
else
    skip 'no limit of address space can be set'
fi
many >"$work/out" 2>"$work/err" && grep -q '^verified *true' "$work/out"
verdict $? 'which it does not where stacks may be larger'
finish
