#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The CUDA backend's calls to the driver, without a GPU: a stand-in for libcuda.so.1 (fake-cuda.c)
# checks and prints them. What the kernels compute is not tested here.
build=${B:-build}
fake=$build/t/fake
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
mkdir "$XDG_CACHE_HOME"
n=0

skip() {
    if [ -n "$GZ_NO_SKIP" ]; then
        echo "1..1"
        echo "not ok 1 - $1"
        exit 1
    fi
    echo "1..0 # SKIP $1"
    exit 0
}
[ -e "$fake/libcuda.so.1" ] || skip "built without the CUDA headers"

# cuda ARGUMENTS...: gzrun on the fake device.
cuda() {
    LD_LIBRARY_PATH="$fake:$LD_LIBRARY_PATH" timeout 60 "$build/bin/gzrun" -q -d cuda:0 \
        --runs 2 "$@" >"$work/out" 2>"$work/err"
}
cuda -s 40 -b 20
case $(cat "$work/err") in
*libnvrtc*) skip "no NVRTC" ;;
esac
echo "1..17"

# ok WHAT: passes where the last command succeeded.
ok() {
    status=$?
    n=$((n + 1))
    if [ $status -eq 0 ]; then
        echo "ok $n - $1"
    else
        echo "not ok $n - $1"
        sed 's/^/# /' "$work/err"
    fi
}
# calls PATTERN COUNT: the driver was called so often.
calls() { [ "$(grep -c "^fake: $1" "$work/err")" -eq "$2" ]; }
# fails STATUS TEXT: gzrun, last run, said one line with TEXT. To be called with its status in $got.
fails() {
    [ "$got" -eq "$1" ] && [ "$(grep -vc '^fake' "$work/err")" -eq 1 ] &&
        grep -q "$2" "$work/err"
}

cuda -s 40 -b 20 -H 2 --loops 5
[ $? -eq 0 ] && calls 'launch 9x400' 9 && calls 'closed, 0 live, 0 open' 1
ok 'restart: a launch per stage, three runs with the warm-up, all given back'
cuda -s 40 -b 20 -H 2 --loops 5 -y graph
[ $? -eq 0 ] && calls 'captured 9x400' 9 && calls 'graph of 3 launches' 3 &&
    calls 'closed, 0 live, 0 open' 1
ok 'graph: one graph of all stages per run'
cuda -s 400 -b 20 -H 2 --loops 5 -y fence
[ $? -eq 0 ] && calls 'kernel gz_stages' 1 && calls 'cooperative 6x400' 3 && calls 'launch' 0
ok 'fence: one cooperative launch per run, of as many blocks as are resident'
cuda -s 40 -b 20 -H 1 --loops 5 --variant naive
[ $? -eq 0 ] && calls 'kernel gz_naive' 1 && calls 'launch 4x400' 15
ok 'naive: one launch per loop'
cuda -s 40 -b 20 --loops 5 --variant shared
[ $? -eq 0 ] && calls 'kernel gz_shared_loop' 1 && calls 'launch 4x400' 15
ok 'shared: a thread per cell, one launch per loop'
cuda -s 40 -b 40x20 --loops 5 --variant column
[ $? -eq 0 ] && calls 'kernel gz_naive' 1 && calls 'launch 2x20' 15
ok 'column: a thread per line'
graphs=0
for app in jacobi star7 star13 box27 box125 star7vc gsrb; do
    cuda -a $app -s 24 -b 12 --loops 5 -y graph && calls 'graph of 5 launches' 3 &&
        calls 'closed, 0 live, 0 open' 1 && graphs=$((graphs + 1))
done
cuda -a jacobi -s 24 -b 12 --loops 5 -y graph --variant shared && calls 'graph of 5 launches' 3 &&
    [ $graphs -eq 7 ]
ok 'graph: every stencil, and one loop per launch'
cuda -a cell -s 40 -b 16 --loops 1
[ $? -eq 0 ] && calls 'launch 27x1024' 3
ok 'a tile of more cells than a block may have threads'
[ "$(find "$XDG_CACHE_HOME/gzmodel" -name '*.cubin' | wc -l)" -eq 15 ] &&
    [ -z "$(find "$XDG_CACHE_HOME" -name '*.[0-9]*')" ]
ok 'compiled kernels are kept on disk, one for each specialisation'
for file in "$XDG_CACHE_HOME"/gzmodel/*.cubin; do : >"$file"; done
cuda -s 40 -b 20 -H 2 --loops 5
ok 'a damaged cache does no harm'
cuda -s 40 -b 20 -H 2 --loops 5 --verify
got=$?
fails 1 'differ from the reference'
ok 'a result that is not computed does not pass --verify'
cuda -s 40 -b 400
got=$?
fails 2 'local memory'
ok 'too large a tile is refused'

for fault in 'noinit 77 no usable CUDA driver' 'none 77 there are 0' 'oom 1 out of memory' \
    'lost 1 running the kernel'; do
    # The three words are meant to be split.
    # shellcheck disable=SC2086
    set -- $fault
    FAKE_CUDA=$1
    status=$2
    shift 2
    export FAKE_CUDA
    cuda -s 40 -b 20
    got=$?
    fails "$status" "$*"
    ok "$FAKE_CUDA: status $status, one line"
    unset FAKE_CUDA
done
build_empty=$(LD_LIBRARY_PATH="$fake" "$build/bin/gzrun" --list 2>"$work/err" | grep -c 'cuda:0')
[ "$build_empty" -eq 1 ]
ok 'the list names the device'
