#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 546-lists - what is made of the files in a folder is made again when one is taken away, or put back
# as old as it was; and two makes in one folder get on with each other.
. "$(dirname "$0")/tap.sh"
scratch

# The sources with a build of their own, everything as old as it is.
cd "$GZ_SOURCE" || exit 1
cp -a Makefile libgzmodel kernels calibrate studies plots t "$work/"
mkdir "$work/build"
for part in bin calibrate kernels lib libgzmodel share studies t; do
    cp -a "$GZ_BUILD/$part" "$work/build/" 2>/dev/null
done
rm -rf "$work/build/t"/*.t
cd "$work" || exit 1
make_here() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s B=build CC="${CC:-cc}" SANITIZE="${SANITIZE-}" "$@" \
        >"$work/said" 2>"$work/err"
}
check() {
    verdict $? "$1" || head -n 5 "$work/err" | note
}
make_here all && make_here -q all
check 'what is built is built'

mkdir -p build/fuzz/table.d
make_here -q build/bin/gzrun
check 'where a folder is called as lists of dependencies are, as a corpus of the fuzzers'

mkdir kept
mv kernels/stencils/wave3d4.c kernels/stencils/wave3d4.knl kept/
make_here build/bin/gzrun && ! build/bin/gzrun --list | grep -q '^ *wave3d4 '
check 'a stencil taken away'
! ar t build/kernels/libkernels.a | grep -q wave3d4
check 'is in no archive'
mv kept/* kernels/stencils/
make_here build/bin/gzrun && build/bin/gzrun --list | grep -q '^ *wave3d4 '
check 'and put back as old as it was'

bench=$(ls calibrate/bench/*.c | tail -n 1)
name=$(basename "$bench" .c)
touch -r calibrate/bench "$work/when"
mv "$bench" kept/
touch -r "$work/when" calibrate/bench
make_here build/calibrate/benches.c && ! grep -q "gzc_bench_$name\>" build/calibrate/benches.c
check 'a microbenchmark taken away, in a folder that is as old as it was'
mv kept/* calibrate/bench/
make_here build/calibrate/benches.c && grep -q "gzc_bench_$name\>" build/calibrate/benches.c
check 'and put back'

mv libgzmodel/data/devices/v100.json kept/
make_here build/libgzmodel/builtin_data.c && ! grep -q '"v100' build/libgzmodel/builtin_data.c
check 'a built-in device taken away'
mv kept/* libgzmodel/data/devices/
make_here -q build/libgzmodel/builtin_data.c
[ $? -eq 1 ]
check 'what is not the list any more is not up to date'
make_here build/libgzmodel/builtin_data.c build/bin/gzrun build/bin/calibrate &&
    make_here -q build/bin/gzrun build/bin/calibrate
check 'and is, once it is made'

# Each program is met by the other make while it is linked.
failed=0
rm -rf build/studies build/lib/libgzmodel.a build/libgzmodel/libfront.a build/libgzmodel/names.o
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s B=build CC="${CC:-cc}" SANITIZE="${SANITIZE-}" \
    study-programs >"$work/first" 2>&1 &
make_here study-programs || failed=1
wait $! || failed=1
for program in build/studies/bin/*; do
    "$program" --help >/dev/null 2>&1 || [ $? -eq 2 ] || failed=1
done
[ $failed -eq 0 ]
check 'two makes at once in one folder'
[ -z "$(find build -name '*.o.[0-9]*' -o -name '*.a.[0-9]*')" ]
check 'leave nothing else'
finish
