#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 440-calibrate-cuda - calibrate on a CUDA device that a fake driver, NVRTC and CUPTI pretend to be
# (t/fakegpu): every quantity is found as fake.h states it; each refusal of the driver, and each of
# CUPTI's, is one clear line, and everything else is measured.
. "$(dirname "$0")/tap.sh"
calibrate=$GZ_BUILD/bin/calibrate
fake=$GZ_BUILD/t/fakegpu
scratch
[ -e "$fake/libcuda/libcuda.so.1" ] && [ -e "$fake/libcupti/libcupti.so.13" ] ||
    skip_all 'built without the CUDA headers'

# A sanitizer's run-time library must come before a library that is opened later.
fake_run() {
    LD_LIBRARY_PATH=$fake/libcuda:$fake/libnvrtc:$fake/libcupti "$@"
}
# All stencils with GZ_ALL=2.
only='-a hotspot'
[ "${GZ_ALL:-}" != 2 ] || only=
# shellcheck disable=SC2086
fake_run "$calibrate" -d 0 $only --quick -q --counters on --json -o "$work/gpu.json" > "$work/all.json" 2> "$work/err"
status=$?

# quick ARGUMENTS...: new files of the device and one stencil; what it finds is in them.
quick() {
    rm -f "$work"/*.json
    fake_run "$calibrate" -d cuda:0 -a hotspot --quick -q -o "$work/gpu.json" "$@" > /dev/null
}

# finds KEY VALUE FILE [OFF]: the quantity KEY of the file is VALUE, to one in a thousand or OFF.
finds() {
    got=$(sed -n "s/.*\"$1\": {\"value\": \([-+0-9.e]*\),.*/\1/p" "$work/$3")
    awk -v got="$got" -v want="$2" -v off="${4:-0.001}" 'BEGIN {
        d = got - want; if (d < 0) d = -d; exit !(got != "" && d <= off * want) }'
    verdict $? "$3: $1 is $2 (found $got)"
}

verdict $status 'a calibration ends well'
ok 'and says nothing' test ! -s "$work/err"
finds clock_rate 1.5e9 gpu.json
finds mem_bandwidth 400e9 gpu.json
finds uncontended_latency 750 gpu.json
finds sm_count 10 gpu.json
finds blocks_per_sm 5 gpu.json
finds cpi 0.25 gpu.json
finds launch_overhead 4200 gpu.json
finds graph_overhead 2100 gpu.json
finds fence_overhead 12 gpu.json
finds fence_intercept 1200 gpu.json
finds max_threads_per_block 1024 gpu.json
finds cache_bandwidth 1.5e12 gpu.json
finds clock_rate_nominal 1.98e9 gpu.json
finds memory_bus_width 640 gpu.json
finds registers_per_sm 65536 gpu.json
finds max_blocks_per_sm 32 gpu.json
# 640 and 280 warp instructions a trapezoid, over V = 400 and Q = 324 cells, times N = 6400 over M.
finds insts_per_sm_misc 1024 hotspot.json
finds insts_per_sm_iter 553.0864 hotspot.json
finds bank_conflict_rate 0.125 hotspot.json
for name in insts_per_sm_misc insts_per_sm_iter bank_conflict_rate; do
    grep "\"$name\"" "$work/hotspot.json"
done | grep -c '"origin": "counted"' | grep -qx 3
verdict $? 'the instructions were counted'
ok 'the note has the identity of the device' grep -q 'UUID abab' "$work/gpu.json"
grep -q '"insts_per_sm_iter".*timed over counted 3"\?' "$work/hotspot.json"
verdict $? 'the file says how often longer the instructions take than counts times CPI say'
grep -q '"launch_overhead".*all enqueued beforehand; 4 us each as the host' "$work/gpu.json"
verdict $? 'a restart is that of kernels which wait in the stream; what the host needs is noted'
ok '--json prints the device and the applications' grep -q '^{"device": {' "$work/all.json"
"$GZ_BUILD/bin/gzmodel" optimize -d "$work/gpu.json" -a "$work/hotspot.json" -s 2000 -b 20 --json |
    grep -q '"integer": *[1-9]'
verdict $? 'gzmodel optimize finds a height with them'

# By default what was timed enters the files, and what is counted is beside it; or nothing is counted.
# The fit's runs come before CUPTI, after which everything takes longer.
by() {
    rm -f "$work"/*.json
    fake_run "$calibrate" -d cuda:0 --quick -q --fit $only "$@" -o "$work/gpu.json" > /dev/null 2> "$work/err"
    status=$?
    [ $status -eq 0 ] && [ ! -s "$work/err" ]
    verdict $? "calibrate --fit $*"
    [ $status -eq 0 ] && [ ! -s "$work/err" ] || note < "$work/err"
    grep '"fitted"' "$work/gpu.json" > "$work/fitted.$#"
}
by
grep -q '"insts_per_sm_iter": {"value": 1659.2.*"measured".*inst_executed.sum counts 553.1, timed over counted 3"' \
    "$work/hotspot.json" && grep -q 'bank_conflict_rate.*counts 0.125' "$work/hotspot.json"
verdict $? 'the times with the counts beside'
by --counters off
grep -q '"insts_per_sm_iter": {"value": 1659.2' "$work/hotspot.json" &&
    ! grep -q 'counts' "$work/hotspot.json"
verdict $? '--counters off: nothing is counted'
[ -s "$work/fitted.0" ] && cmp -s "$work/fitted.0" "$work/fitted.2"
verdict $? 'the same factors are fitted with counters and without'

# A library of another major version that has the same name, with structures of other sizes.
GZ_FAKE_CUPTI_VERSION=28 fails 0 '^gz-calibrate: .*has version 28' 'an older CUPTI under the same name is not used' quick

# What a GPU cannot be is kept, and said to be doubtful.
GZ_FAKE_FAULT=wide fails 0 \
    '^gz-calibrate: .*mem_bandwidth is doubtful: 0.119 of what bus and memory clock allow, where a GPU has 0.6 to 1;' \
    'a copy far below what the bus allows is doubtful' quick --counters off

# Refusals of CUPTI, wherever they come: one line, with the remedy, and times instead of counts.
refused() {
    GZ_FAKE_CUPTI_CALL=$1 GZ_FAKE_CUPTI_STATUS=$2 fails 0 "^gz-calibrate: .*$3" "$1 returns $2: one line says so" \
        quick --counters on
    [ "$(grep -c '"origin": "measured"' "$work/hotspot.json")" -eq 2 ] &&
        grep -q '"insts_per_sm_iter": {"value": 1659.2' "$work/hotspot.json"
    verdict $? "$1 returns $2: the rest is measured, instructions in time"
}
refused cuptiProfilerInitialize 35 'NVreg_RestrictProfilingToAdminUsers=0'
rarely refused cuptiRangeProfilerEnable 35 'CAP_SYS_ADMIN'
rarely refused cuptiRangeProfilerSetConfig 40 'virtual GPU.*NVreg_RestrictProfilingToAdminUsers=0'
refused cuptiProfilerGetCounterAvailability 41 'confidential.*NVreg_RestrictProfilingToAdminUsers=0'
rarely refused cuptiRangeProfilerEnable 43 'MIG.*NVreg_RestrictProfilingToAdminUsers=0'
rarely refused cuptiRangeProfilerStart 26 'in use by another profiler.*CAP_SYS_ADMIN'
refused cuptiRangeProfilerStop 999 'cuptiRangeProfilerStop: error 999'

# gz2: the cache's edge, whatever the driver says of the cache; and what is left out.
# What the fake GPU's stencils take follows no model, which their trapezoids show less.
fails 0 'variant stream is not fitted: .* did not converge; variant naive is not' 'what does not fit is said' quick --model gz2
finds effective_cache 24e6 gpu.json
# An exponent, of a curve through 16 sizes that double.
finds cache_sharpness 8 gpu.json 0.01
# A barrier of 8 warps: 21 cycles and 4.5 for each more.
finds barrier_latency 35e-9 gpu.json
# 128 bytes in 1.25 cycles; and double precision, which this GPU has at the rate of single.
finds shared_bandwidth 153.6e9 gpu.json
finds fp64_rate 6e9 gpu.json
grep -q '"run_launch".*"fitted"' "$work/gpu.json" && grep -q '"compute_insts".*"fitted"' "$work/hotspot.json"
verdict $? 'what is fitted to runs is in the files, of trapezoids if not of all variants'
# They say little of launches, whose microbenchmark's 2.8 us are kept.
finds stage_launch 2.8e-6 gpu.json
ok 'which its note says' grep -q '"stage_launch".*"measured".*kept, since the runs do not determine it' "$work/gpu.json"

# For gz2 alone nothing is counted unless it is asked for; what files cannot lack is measured all the same.
! grep -q 'counts' "$work/hotspot.json"
verdict $? '--model gz2 counts nothing'
finds insts_per_sm_iter 1659.26 hotspot.json
counted() {
    quick --model gz2 --counters on 2> "$work/err"
    finds insts_per_sm_iter 553.0864 hotspot.json
}
rarely counted

# Refusals of the driver: no such device, one line, no file.
rm -f "$work"/*.json
for pair in 100:'no NVIDIA GPU is visible' 34:'stub' 3:'see CUresult' 304:'/dev/nvidia' \
    800:'not permitted' 803:'restart the machine' 804:'update the driver' 802:'fabricmanager' \
    999:'nvidia-uvm'; do
    GZ_FAKE_CUINIT=${pair%%:*} fails 77 "^gz-calibrate: .*error ${pair%%:*}: .*${pair#*:}" \
        "cuInit returns ${pair%%:*}: one line says why" fake_run "$calibrate" -d 0 -o "$work/gpu.json"
done
GZ_FAKE_FAULT=idle fails 1 '^gz-calibrate: .*the kernel of the benchmark "memory bandwidth" computes wrongly or nothing' \
    'kernels that do nothing are found' fake_run "$calibrate" -d 0 --quick -q -o "$work/gpu.json"
GZ_FAKE_FAULT=idle fails 1 '^gzrun: cuda:0: a kernel ran without writing anything$' '  by gzrun, too' \
    fake_run "$GZ_BUILD/bin/gzrun" -d 0 -q -a hotspot -s 64 -b 20x20 -H 2 --runs 2
ok 'none of these leaves a file' test -z "$(find "$work" -name '*.json')"
finish
