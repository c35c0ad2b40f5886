#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 450-calibrate-errors - what calibrate refuses, and how: one line on stderr, the right exit status,
# nothing written. A missing driver, a build without the CUDA headers, an interrupt.
. "$(dirname "$0")/tap.sh"
calibrate=$GZ_BUILD/bin/calibrate
scratch

# fails STATUS TEXT ARGUMENTS...: calibrate with these arguments does so.
fails() {
    want=$1 text=$2
    shift 2
    timeout 120 "$calibrate" "$@" > "$work/out" 2> "$work/err"
    status=$?
    [ $status -eq "$want" ] && [ "$(wc -l < "$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
        grep -q '^gz-calibrate: ' "$work/err" && grep -q -e "$text" "$work/err" &&
        [ -z "$(find "$work" -name 'new*')" ]
    verdict $? "$want: $*" || { echo "exit $status"; cat "$work/err"; } | note
}

"$calibrate" --help | grep -q '^Usage: gz-calibrate'
verdict $? '--help'
"$calibrate" -V | grep -q '^gz-calibrate [0-9]'
verdict $? '-V'
"$calibrate" --list > "$work/list"
verdict $? '--list'
grep -q '^cuda' "$work/list"
verdict $? '--list speaks of CUDA, devices or why there are none'

fails 2 'unknown option' --bogus
fails 2 'unknown word' cuda:0
fails 2 'needs an argument' -d
fails 2 'path is empty' --apps=
fails 2 'no such stencil' -a nothing
fails 2 'cuda:INDEX' -d gtx280 -o "$work/new.json"
fails 2 'cuda:INDEX' -d opencl: -o "$work/new.json"
fails 2 'both write to standard output' -o - --json
fails 77 'no such device' -d opencl:99 -o "$work/new.json"
if grep -q '^cuda .*libcuda.so.1 is not found' "$work/list"; then
    fails 77 'libcuda.so.1 is not found; install' -d 0 -o "$work/new.json"
    fails 77 'libcuda.so.1 is not found; install' -d cuda:7 -o "$work/new.json"
else
    skip 'there is a CUDA driver'
fi

# The same program without the CUDA headers.
if [ "$(bulk 0 1)" -eq 1 ]; then
    (
        unset MAKEFLAGS MFLAGS MAKELEVEL
        make -s -C "$GZ_SOURCE" B="$GZ_BUILD/nocuda" CUDA_INCLUDE= SANITIZE= \
            "$GZ_BUILD/nocuda/bin/calibrate"
    ) > "$work/log" 2>&1
    verdict $? 'it builds without the CUDA headers'
    [ ! -s "$work/log" ] || note < "$work/log"
    calibrate=$GZ_BUILD/nocuda/bin/calibrate
    fails 77 'built without the CUDA headers' -d 0 -o "$work/new.json"
    calibrate=$GZ_BUILD/bin/calibrate
fi

if ! grep -q '^opencl:0' "$work/list"; then
    skip 'there is no OpenCL device'
    finish
fi

fails 2 'there is no folder' -d opencl:0 -o "$work/none/new.json"
fails 2 'there is no folder' -d opencl:0 -o "$work/new.json" --apps "$work/none"
fails 2 'path of the application file of hotspot' -d opencl:0 -o "$work/hotspot.json"
mkdir "$work/here"
cd "$work/here" || exit 1
fails 2 'path of the application file of hotspot: give another' -d opencl:0 -a hotspot -o hotspot.json
cd "$GZ_SOURCE" || exit 1
fails 2 'is a folder: give the name of a file in it' -d opencl:0 -o "$work/here"
# Where nothing can be written: before anything is compiled and measured.
cache=${POCL_CACHE_DIR:-}
export POCL_CACHE_DIR="$work/cache"
mkdir "$work/cache"
fails 1 'cannot write' -d opencl:0 --fit -o /proc/new.json
fails 1 'cannot write' -d opencl:0 --fit -a hotspot -o "$work/new.json" --apps /proc
nothing 'both before a kernel is compiled' "$(find "$work/cache" -name '*.so')"
[ -n "$cache" ] && POCL_CACHE_DIR=$cache || unset POCL_CACHE_DIR

cp "$GZ_SOURCE/libgzmodel/data/devices/gtx280.json" "$work/old.json"
fails 2 'is for GeForce GTX 280' -d opencl:0 -o "$work/old.json"
cp "$GZ_SOURCE/libgzmodel/data/apps/cell.json" "$work/cell.json"
fails 2 'cell.json is there and is for GeForce GTX 280' -d opencl:0 -o "$work/new.json"
cmp -s "$work/old.json" "$GZ_SOURCE/libgzmodel/data/devices/gtx280.json" &&
    cmp -s "$work/cell.json" "$GZ_SOURCE/libgzmodel/data/apps/cell.json"
verdict $? 'what was there is as it was'
rm "$work/cell.json"

# Interrupted: a line, and no file, half or whole, under any name.
mkdir "$work/empty"
"$calibrate" -d opencl:0 -o "$work/empty/new.json" > "$work/out" 2> "$work/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
status=$?
# What PoCL's compiler says of a kernel is not calibrate's.
[ $status -eq 130 ] && [ "$(grep -vc '^[0-9]* warnings* generated[.]$' "$work/err")" -eq 1 ]
verdict $? "interrupted: exit $status" || note < "$work/err"
# Without the second half if it did not end by itself soon enough.
grep -Eq ': interrupted(; nothing was written)?$' "$work/err"
verdict $? 'interrupted: it says so'
[ -z "$(ls "$work/empty")" ]
verdict $? 'interrupted: nothing is there'
finish
