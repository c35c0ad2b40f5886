#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 422-cupti-search - CUPTI, with the library that it opens by itself, is found in places that the loader does
# not search: in a toolkit's extras and in the folder of a package manager's. The loader's cache is
# hidden, which takes a name space of its own; the test of the counters (420) then runs with it. And its
# headers are found there at build time, unless they are another major version's.
. "$(dirname "$0")/tap.sh"
scratch
test=$GZ_BUILD/t/420-cupti.t
cupti=$(find -L /usr/local/cuda/lib64 /usr/local/cuda/lib /usr/local/cuda/extras/CUPTI/lib64 \
    -name libcupti.so.13 2>/dev/null | head -n 1)
if [ ! -x "$test" ] || [ -z "$cupti" ]; then skip_all 'no CUPTI below /usr/local/cuda'; fi
case $("$test" | head -n 1) in *SKIP*) skip_all 'CUPTI does not work here' ;; esac
hidden() { unshare -m sh -c 'mount --bind /dev/null /etc/ld.so.cache && exec "$@"' sh "$@"; }
hidden true 2>/dev/null || skip_all 'no name spaces'
for place in CUDA_PATH:extras/CUPTI/lib64 CUDA_HOME:lib64 CONDA_PREFIX:lib/py3/site-packages/nvidia/cu13/lib; do
    mkdir -p "$work/kit/${place#*:}"
    ln -s "$cupti" "$(dirname "$cupti")"/libnvperf_*.so "$work/kit/${place#*:}"
    hidden env -u LD_LIBRARY_PATH CUDA_HOME=/nowhere "${place%%:*}=$work/kit" LD_DEBUG=libs "$test" \
        >"$work/out" 2>"$work/err"
    verdict $? "\$${place%%:*}/${place#*:}: the counters are found" || note <"$work/out"
    grep -q "calling init: $work/kit/.*libcupti" "$work/err" &&
        grep -q "calling init: $work/kit/.*libnvperf_host" "$work/err"
    verdict $? "\$${place%%:*}/${place#*:}: by that library and its companion"
    rm -r "$work/kit"
done

# What the Makefile makes of a toolkit: the variable of the folder, and whether the counters are built.
mkdir -p "$work/kit/include" "$work/kit/extras/CUPTI/include"
touch "$work/kit/include/cuda.h" "$work/kit/extras/CUPTI/include/cupti_range_profiler.h"
headers() {
    echo "#define CUPTI_API_VERSION $1" >"$work/kit/extras/CUPTI/include/cupti_version.h"
    make -C "$GZ_SOURCE" -pn B="$work/build" CUDA_INCLUDE="$work/kit/include" help >"$work/out" 2>/dev/null
}
headers 130001
grep -q "^CUPTI_INCLUDE.*extras/CUPTI/include" "$work/out" &&
    grep -q '^CALIBRATE_CUDA .*cupti/counters$' "$work/out"
verdict $? 'headers in extras/CUPTI/include are found'
headers 28
grep -q '^CALIBRATE_CUDA .*cupti/counters_absent' "$work/out" && grep -q 'note: no headers of CUPTI 13' "$work/out"
verdict $? 'those of CUDA 12 are not used, and that is said'
finish
