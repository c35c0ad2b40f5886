#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 450-calibrate-errors - a calibration whose files cannot be written is refused before anything is compiled; and
# calibrate built without the CUDA headers.
. "$(dirname "$0")/tap.sh"
calibrate=$GZ_BUILD/bin/calibrate
scratch

# The same program without the CUDA headers, of what was built but the objects that include these.
if [ "$(bulk 0 1)" -eq 1 ]; then
    nocuda=$work/nocuda
    mkdir "$nocuda"
    for part in calibrate kernels lib libgzmodel; do cp -a "$GZ_BUILD/$part" "$nocuda/"; done
    (
        unset MAKEFLAGS MFLAGS MAKELEVEL
        make -s -C "$GZ_SOURCE" B="$nocuda" CUDA_INCLUDE= SANITIZE="${SANITIZE-}" "$nocuda/bin/calibrate"
    ) > "$work/log" 2>&1
    verdict $? 'it builds without the CUDA headers'
    [ ! -s "$work/log" ] || note < "$work/log"
    fails 77 'built without the CUDA headers' 'and says so' "$nocuda/bin/calibrate" -d 0 -o "$work/new.json"
fi

if ! has_device; then
    skip 'there is no OpenCL device'
    finish
fi

# Where nothing can be written: before anything is compiled and measured.
cache=${POCL_CACHE_DIR:-}
export POCL_CACHE_DIR="$work/cache"
mkdir "$work/cache"
fails 1 'cannot write' 'a device file' "$calibrate" -d opencl:0 --fit -o /proc/new.json
fails 1 'cannot write' 'an application file' "$calibrate" -d opencl:0 --fit -a hotspot -o "$work/new.json" --apps /proc
nothing 'both before a kernel is compiled' "$(find "$work/cache" -name '*.so')"
[ -n "$cache" ] && POCL_CACHE_DIR=$cache || unset POCL_CACHE_DIR

finish
