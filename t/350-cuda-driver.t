#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 350-cuda-driver - the CUDA backend's calls to the driver, without a GPU: a stand-in for libcuda.so.1
# (fakegpu/) checks and prints them, and one for NVRTC compiles nothing. What the kernels compute is not tested here.
. "$(dirname "$0")/tap.sh"
fake=$GZ_BUILD/t/fakegpu/libcuda
path=$fake:$GZ_BUILD/t/fakegpu/libnvrtc:$LD_LIBRARY_PATH
[ -e "$fake/libcuda.so.1" ] || skip_all 'built without the CUDA headers'
scratch
export XDG_CACHE_HOME="$work/cache"
mkdir "$XDG_CACHE_HOME"

# gzrun ARGUMENTS...: on the fake device; cuda ARGUMENTS...: likewise, with the driver's calls among what it says.
gzrun() { LD_LIBRARY_PATH="$path" timeout 60 "$GZ_BUILD/bin/gzrun" -q -d cuda:0 --runs 2 "$@"; }
cuda() { GZ_FAKE_LOG=1 gzrun "$@" >"$work/out" 2>"$work/err"; }

# passed WHAT: passes if the last command succeeded.
passed() {
    verdict $? "$1" || note <"$work/err"
}
# calls PATTERN COUNT: the driver was called so often.
calls() { [ "$(grep -c "^fake: $1" "$work/err")" -eq "$2" ]; }

cuda -s 40 -b 20 -H 2 --loops 5
[ $? -eq 0 ] && calls 'launch 9x400' 9 && calls 'closed, 0 live, 0 open' 1
passed 'restart: a launch per stage, three runs with the warm-up, all given back'
cuda -s 40 -b 20 -H 2 --loops 5 -y graph
[ $? -eq 0 ] && calls 'captured 9x400' 9 && calls 'graph of 3 launches' 3 &&
    calls 'closed, 0 live, 0 open' 1
passed 'graph: one graph of all stages per run'
cuda -s 400 -b 20 -H 2 --loops 5 -y fence
[ $? -eq 0 ] && calls 'kernel gz_stages' 1 && calls 'cooperative 50x400' 3 && calls 'launch' 0
passed 'fence: one cooperative launch per run, of as many blocks as are resident'
cuda -s 40 -b 20 -H 1 --loops 5 --variant naive
[ $? -eq 0 ] && calls 'kernel gz_naive' 1 && calls 'launch 4x200' 15
passed 'naive: one launch per loop'
cuda -s 40 -b 20 --loops 5 --variant shared
[ $? -eq 0 ] && calls 'kernel gz_shared_loop' 1 && calls 'launch 4x400' 15
passed 'shared: a thread per cell, one launch per loop'
cuda -s 40 -b 40x20 --loops 5 --variant column
[ $? -eq 0 ] && calls 'kernel gz_naive' 1 && calls 'launch 2x20' 15
passed 'column: a thread per line'
cuda -a star13 -s 24 --loops 5 --variant cell
[ $? -eq 0 ] && calls 'launch 16x864' 15
passed 'cell: no more threads than a block may have'
graphs=0
apps=$(bulk 'jacobi star7vc' 'jacobi star7 star13 box27 box125 star7vc gsrb')
for app in $apps; do
    cuda -a $app -s 24 -b 12 --loops 5 -y graph && calls 'graph of 5 launches' 3 &&
        calls 'closed, 0 live, 0 open' 1 && graphs=$((graphs + 1))
done
cuda -a jacobi -s 24 -b 12 --loops 5 -y graph --variant shared && calls 'graph of 5 launches' 3 &&
    [ $graphs -eq "$(echo "$apps" | wc -w)" ]
passed "graph: $apps, and one loop per launch"
cuda -a cell -s 40 -b 16 --loops 1
[ $? -eq 0 ] && calls 'launch 27x1024' 3
passed 'a tile of more cells than a block may have threads'
[ "$(find "$XDG_CACHE_HOME/gzmodel" -name '*.cubin' | wc -l)" -eq $((9 + graphs)) ] &&
    [ -z "$(find "$XDG_CACHE_HOME" -name 'writing-*')" ]
passed 'compiled kernels are kept on disk, one for each specialisation'
for file in "$XDG_CACHE_HOME"/gzmodel/*.cubin; do : >"$file"; done
cuda -s 40 -b 20 -H 2 --loops 5
passed 'a damaged cache does no harm'
fails 1 'differ from the reference' 'a result that is not computed does not pass --verify' \
    gzrun -s 40 -b 20 -H 2 --loops 5 --verify -o "$work/result"
fails 2 'local memory' 'too large a tile is refused' gzrun -s 40 -b 400

# Without -b naive has blocks of eight cells a thread.
cuda -s 300x200 --variant naive --loops 5 && grep -q '^block  *256x8$' "$work/out" &&
    grep -q '^threads  *256x1$' "$work/out" && calls 'launch 50x256' 15
passed 'naive has blocks of eight cells a thread, unless given'

# Streamed tiles in every mode, and their refusals.
for sync in restart graph fence; do
    cuda -a star7 -s 40 --variant stream -H 2 --loops 5 -y $sync && grep -q '^layout  *columns$' "$work/out" &&
        case $sync in
        restart) calls 'launch .*' 9 ;;
        graph) calls 'graph of 3 launches' 3 ;;
        fence) calls 'cooperative .*' 3 ;;
        esac
    passed "stream, $sync: a launch per stage, or one of all"
done
fails 2 'local memory: cuda:0 has 232448; at most height [2-7]$' \
    'a streamed tile that exceeds local memory is refused, with the height that does not' \
    gzrun -a star7 -s 64 --variant stream -b 60x50x70 -H 8 --loops 8
fails 2 '1024 threads needs about [0-9]* registers: cuda:0 has 64 for it; use ring, or at most height 2$' \
    'so are columns that exceed the registers' \
    gzrun -a star7 -s 64 --variant stream -b 32x32x70 -H 8 --loops 8 --threads 32x32x1 --layout columns
fails 2 'a block of 1600 threads: cuda:0 takes at most 1024; give fewer --threads$' \
    'and threads that exceed a block' \
    gzrun -a star7 -s 64 --variant stream -b 40x40x70 -H 4 --loops 8 --threads 40x40x1

# The largest tile with the fence: 232448 bytes are 3 arrays of 19370 floats; nothing is kept besides.
cuda -s 40 -b 149x130 -H 1 --loops 1 -y fence --threads 32x32
[ $? -eq 0 ] && calls 'cooperative 1x1024' 3
passed 'the fence leaves all of shared memory to the tile'
GZ_FAKE_FAULT=image cuda -s 40 -b 20 -H 2 --loops 5
passed 'kept machine code that the driver refuses is compiled anew'
LD_LIBRARY_PATH="$GZ_BUILD/t/fakegpu/old:$path" "$GZ_BUILD/bin/gzrun" -q -d cuda:0 --runs 2 -s 40 \
    -b 20 >"$work/out" 2>"$work/err"
passed 'a driver before 12.8, without cuEventElapsedTime_v2, will do'

# One launch of one stage: 3 (640 + 2 280) instructions in one wave of 50 blocks on 10 multiprocessors
# at 0.25 cycles and an idle clock of 0.6 GHz, and 2.8 us of launch; 5 us more on an idle stream.
cuda -s 40 -b 20 -H 2 --loops 2 --json
awk -F'[:,]' '{ for (i = 1; i < NF; i++) if ($i ~ /seconds_per_loop/) t = 2 * $(i + 1) }
    END { exit !(t > 10.29e-6 && t < 10.31e-6) }' "$work/out"
passed 'a single launch is timed behind a kernel that keeps the stream busy'

# fault VARIABLE=VALUE STATUS TEXT
fault() {
    export "${1?}"
    fails "$2" "$3" "$1: status $2, one line" gzrun -s 40 -b 20
    unset "${1%%=*}"
}
fault GZ_FAKE_CUINIT=100 77 'no NVIDIA GPU is visible'
fault GZ_FAKE_CUINIT=803 77 'restart the machine'
fault GZ_FAKE_DEVICES=0 77 'has no device'
fault GZ_FAKE_FAULT=oom 1 'out of memory'
fault GZ_FAKE_FAULT=lost 1 'running the kernel'
# A device that is lost in the middle of a run, wherever that is: one line, status 1, no result. Of a
# list, what was measured before stays in the partial table, which the line names.
bad= lost=0 kept=0
for mode in '-y restart' '-y graph' '-y fence' '--variant naive' '-H 1:3 -y restart,graph'; do
    for calls in $(bulk '4 26 50 160' '0 4 14 26 38 50 100 160 200'); do
        rm -f "$work/result" "$work/result.partial"
        # The options are meant to be split.
        # shellcheck disable=SC2086
        GZ_FAKE_LOST=$calls gzrun -s 40 -b 20 --loops 7 $mode -o "$work/result" >"$work/out" 2>"$work/err"
        got=$?
        [ $got -ne 0 ] || continue
        lost=$((lost + 1))
        [ $got -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/result" ] ||
            bad="$bad $mode after $calls calls: $got;"
        if [ -e "$work/result.partial" ]; then
            kept=$((kept + 1))
            grep -q '[1-5] of 6 configurations are in .*result.partial; --resume continues' "$work/err" ||
                bad="$bad $mode after $calls calls: no word of the rows;"
        fi
    done
done
[ -z "$bad" ] && [ $lost -ge "$(bulk 14 30)" ] && [ $kept -ge "$(bulk 1 2)" ]
passed "a device that is lost during a run, $lost times: one line, status 1, no result$bad"
# A kernel that uses a wrong address makes all that follows in its process fail: the comparisons and the
# sweep end there, and go on behind it in another.
wrong() {
    threads=$1
    shift
    GZ_FAKE_WRONG=$threads LD_LIBRARY_PATH="$path" timeout 300 "$@" >"$work/out" 2>"$work/err"
}
comparisons() {
    wrong 576 "$GZ_BUILD/bench/correct" cuda:0 "$work/correct.tsv" box125
    status=$?
    lines=$(wc -l <"$work/correct.tsv")
    wrong 576 "$GZ_BUILD/bench/correct" cuda:0 "$work/correct.tsv" box125
    [ $status -eq 1 ] && awk -F'\t' '$10 == "failed" { n[$2]++ } END { exit !(n["trapezoid"] >= 1 && !n["naive"]) }' "$work/correct.tsv" &&
        [ "$(wc -l <"$work/correct.tsv")" -eq "$lines" ]
    passed "comparisons: a group of runs ends with the run that lost the device (status $status)"
}
rarely comparisons
wrong 256 "$GZ_BUILD/bin/measure" -d h200 --on cuda:0 --small --total 5m --tries 1 -q -o "$work/sweep.tsv" poisson
status=$?
left=$(grep -c '^gz-measure: poisson, grid [0-9]*, trapezoid, [a-z]*, height [0-9]*: .*error 700' "$work/err")
[ $status -eq 0 ] && [ "$left" -ge 10 ] && awk -F'\t' '$4 == "3x3" { sync++ } $4 == "16x16" { bad = 1 }
    END { exit bad || sync < 10 }' "$work/sweep.tsv"
passed "a sweep leaves out $left points, and has the others"
GZ_FAKE_CUINIT=304 LD_LIBRARY_PATH="$fake" "$GZ_BUILD/bin/gzrun" --list 2>&1 |
    grep -q 'cuda  *none: .*the operating system refused'
passed 'the list says why there is no device'
mkdir "$work/broken"
echo 'not a library' >"$work/broken/libcuda.so.1"
LD_LIBRARY_PATH="$work/broken" "$GZ_BUILD/bin/gzrun" --list 2>&1 | grep -q 'cuda  *none: .*cannot be loaded'
passed 'and why a driver that is there is not loaded'

# NVRTC in a toolkit that the loader does not search, with the library that it opens by itself: the
# loader's cache is hidden, which takes a name space of its own.
nvrtc=$(find -L /usr/local/cuda/lib64 /usr/local/cuda/lib -name 'libnvrtc.so.1[23]' 2>/dev/null | head -n 1)
hidden() { unshare -m sh -c 'mount --bind /dev/null /etc/ld.so.cache && exec "$@"' sh "$@" 2>"$work/err"; }
for place in $(bulk '' 'CUDA_PATH:lib64 VIRTUAL_ENV:lib/py3.11/site-packages/nvidia/cu13/lib') \
    CUDA_HOME:targets/x86_64-linux/lib PATH:lib/py3.11/site-packages/nvidia/cu13/lib; do
    if [ -z "$nvrtc" ] || ! hidden true; then
        skip "${place#*:}: no NVRTC below /usr/local/cuda, or no name spaces"
        continue
    fi
    mkdir -p "$work/kit/${place#*:}"
    ln -s "$nvrtc" "$(dirname "$nvrtc")"/libnvrtc-builtins.so.1* "$work/kit/${place#*:}"
    rm -rf "$XDG_CACHE_HOME/gzmodel"
    root=$work/kit
    if [ "${place%%:*}" = PATH ]; then
        mkdir -p "$work/kit/bin" && ln -s /bin/true "$work/kit/bin/python3"
        root=$work/kit/bin:$PATH
    fi
    hidden env CUDA_HOME=/nowhere "${place%%:*}=$root" LD_DEBUG=libs LD_LIBRARY_PATH="$fake" \
        "$GZ_BUILD/bin/gzrun" -q -d cuda:0 --runs 1 -s 40 -b 20 >"$work/out"
    [ $? -eq 0 ] && grep -q "calling init: $work/kit/.*libnvrtc.so" "$work/err" &&
        grep -q "calling init: $work/kit/.*libnvrtc-builtins" "$work/err"
    status=$?
    # What the loader says is long.
    grep -v '^ *[0-9]*:' "$work/err" >"$work/short"
    mv "$work/short" "$work/err"
    (exit $status)
    passed "NVRTC and its companion are found in \$${place%%:*}/${place#*:}"
    rm -r "$work/kit"
done
# height_of APP RATIO: the default height of streamed tiles where an operation in double takes as long
# as so many in float.
height_of() {
    GZ_FAKE_DOUBLE_RATIO=$2 LD_LIBRARY_PATH="$path" "$GZ_BUILD/bin/gzrun" -q -d cuda:0 --runs 1 \
        -a "$1" -s 48 --variant stream --loops 8 2>"$work/err" | sed -n 's/^height *//p'
}
[ "$(height_of star7 64)" -lt "$(height_of star7 2)" ] && [ "$(height_of star7 2)" -eq "$(height_of star7 '')" ]
passed 'where double precision is slow, streamed tiles in double are lower by default'
[ "$(height_of poisson 64)" -eq "$(height_of poisson 2)" ]
passed 'and those in float are not'
# A GPU that a built-in file answers to: without a request its file is taken, and its key finds it.
named() { # NAME DEVICE: what a GPU of that name does if DEVICE is asked for
    GZ_FAKE_NAME=$1 LD_LIBRARY_PATH="$path" "$GZ_BUILD/bin/gzrun" -d "$2" \
        --runs 1 -a star7 -s 48 --loops 4 --variant stream >"$work/out" 2>"$work/err"
}
h100='NVIDIA H100 80GB HBM3'
named "$h100" cuda:0 && grep -q 'by the built-in file h100-sxm' "$work/err"
passed 'a GPU whose name a built-in file lists is predicted by that file'
named "$h100" h100-sxm && grep -q "$h100" "$work/out"
passed 'and is found by the key of that file'
fails 77 'no device here is called' 'another key does not find it' named "$h100" h200
named '' cuda:0 && grep -q 'by the built-in file generic-gpu' "$work/err"
passed 'others are predicted by generic-gpu'
build_empty=$(LD_LIBRARY_PATH="$fake" "$GZ_BUILD/bin/gzrun" --list 2>"$work/err" | grep -c 'cuda:0')
[ "$build_empty" -eq 1 ]
passed 'the list names the device'

# Of a tuned stencil the likely next kernels are compiled by other processes, where there are cores for them.
rm -rf "$XDG_CACHE_HOME/gzmodel"
cuda -a hotspot -s 256 --tune=4s && measured=$(sed -n 's/^\([0-9]*\) measured of.*/\1/p' "$work/out")
# One more keeps the device busy before what is timed.
kernels=$(find "$XDG_CACHE_HOME/gzmodel" -name '*.cubin' | wc -l)
[ "$kernels" -gt $((measured + 1)) ] || [ "$(nproc)" -lt 2 ]
passed "kernels are compiled ahead: $kernels for $measured"
# Nominally 1.98 GHz; this one has not been busy for long.
cuda -s 40 -b 20 --json && grep -q '"clock_hz": 600000000' "$work/out"
passed 'the clock of a run is stated'
finish
