#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 422-cupti-search - CUPTI, with the library that it opens by itself, is found where the loader does
# not look: in a toolkit's extras and in the folder of a package manager's. The loader's cache is
# hidden, which takes a name space of its own; the test of the counters (420) then runs with it.
. "$(dirname "$0")/tap.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
test=$GZ_BUILD/t/420-cupti.t
cupti=$(find -L /usr/local/cuda/lib64 /usr/local/cuda/lib /usr/local/cuda/extras/CUPTI/lib64 \
    -name libcupti.so.13 2>/dev/null | head -n 1)
if [ ! -x "$test" ] || [ -z "$cupti" ]; then skip_all 'no CUPTI below /usr/local/cuda'; fi
case $("$test" | head -n 1) in *SKIP*) skip_all 'CUPTI does not work here' ;; esac
hidden() { unshare -m sh -c 'mount --bind /dev/null /etc/ld.so.cache && exec "$@"' sh "$@"; }
hidden true 2>/dev/null || skip_all 'no name spaces'
plan 6
for place in CUDA_PATH:extras/CUPTI/lib64 CUDA_HOME:lib64 CONDA_PREFIX:lib/py3/site-packages/nvidia/cu13/lib; do
    mkdir -p "$work/kit/${place#*:}"
    ln -s "$cupti" "$(dirname "$cupti")"/libnvperf_*.so "$work/kit/${place#*:}"
    hidden env -u LD_LIBRARY_PATH CUDA_HOME=/nowhere "${place%%:*}=$work/kit" LD_DEBUG=libs "$test" \
        >"$work/out" 2>"$work/err"
    status=$?
    verdict $status "\$${place%%:*}/${place#*:}: the counters are found"
    [ $status -eq 0 ] || note <"$work/out"
    grep -q "calling init: $work/kit/.*libcupti" "$work/err" &&
        grep -q "calling init: $work/kit/.*libnvperf_host" "$work/err"
    verdict $? "\$${place%%:*}/${place#*:}: by that library and its companion"
    rm -r "$work/kit"
done
finish
