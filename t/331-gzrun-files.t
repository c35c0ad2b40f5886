#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 331-gzrun-files - what gzrun reads and writes: JSON, T4, and the Rodinia suite's formats; and how it
# ends when it is interrupted, when memory runs out, and when a kernel does not compile.
. "$(dirname "$0")/tap.sh"
gzrun=$GZ_BUILD/bin/gzrun
scratch
export XDG_DATA_HOME="$work/data"
command -v jq >/dev/null || skip_all 'there is no jq'
"$gzrun" --list | grep -q '^ *opencl:0' || skip_all 'there is no OpenCL device'
never_optimise

run() { timeout 120 "$gzrun" -q -d opencl:0 --runs 1 "$@"; }
# fails STATUS TEXT ARGUMENTS...: gzrun exits with STATUS and one line that holds TEXT.
fails() {
    want=$1 text=$2
    shift 2
    run "$@" >"$work/out" 2>"$work/err"
    [ $? -eq "$want" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -e "$text" "$work/err"
}
json() { jq -e "$1" "$work/result.json"; }
t4() { jq -e "$1" "$work/t4.json"; }

# JSON and T4.
ok 'JSON and T4 are written' run -s 40x30 -b 12x10 -H 2 --loops 5 --verify --json \
    -o "$work/result.json" --t4 "$work/t4.json"
ok 'every key of the interface is there' json \
    'has("app") and has("device") and has("sync") and has("size") and has("block") and has("height")
     and has("loops") and has("runs") and has("seconds_per_loop") and has("spread")
     and has("cells_per_second") and has("verified") and has("max_error")'
ok 'with the values given' json \
    '.app == "hotspot" and .device == "opencl:0" and .sync == "restart" and .size == [40, 30]
     and .block == [12, 10] and .height == 2 and .loops == 5 and .runs == 1 and .verified == true'
ok 'cells per second is cells over seconds per loop' json \
    '(.cells_per_second * .seconds_per_loop / 1200 - 1) | . < 1e-12 and . > -1e-12'
ok 'T4 has its version, metadata and one result' t4 \
    '.schema_version == "1.0.0" and (.metadata | type) == "object" and (.results | length) == 1'
ok 'the T4 result is complete' t4 \
    '.results[0] | .configuration.height == 2 and (.times.runtimes | length) == 1
     and .invalidity == "correct" and .correctness == 1
     and ([.measurements[] | has("name") and has("value") and has("unit")] | all)'
ok 'without --verify, verified and max_error are null' sh -c \
    "'$gzrun' -q -d opencl:0 -s 40 --loops 2 --runs 1 --json |
     jq -e '.verified == null and .max_error == null'"
ok 'a run is as long as its options say' sh -c \
    "'$gzrun' -q -d opencl:0 -s 40 --loops 2 --runs 7 --json | jq -e '.runs == 7'"
ok 'nothing else is left beside the files' sh -c \
    "! ls -A '$work' | grep -vx -e result.json -e t4.json"

ok 'more threads than cores do not make PoCL abort' env POCL_MAX_PTHREAD_COUNT=99 "$gzrun" -q \
    -d opencl:0 -s 8 -b 8 --loops 1 --runs 1

# Rodinia's files.
awk 'BEGIN { for (i = 0; i < 30; i++) print 320 + i / 7 }' >"$work/temp"
awk 'BEGIN { for (i = 0; i < 30; i++) print i / 10000 }' >"$work/power"
ok 'hotspot reads temperature and power' run -s 6x5 -b 6x5 --loops 3 --verify \
    --input "$work/temp" "$work/power" --output "$work/state"
ok 'and writes a line with index, tab and value for every cell' awk -F '\t' \
    'NF != 2 || $1 != NR - 1 || $2 < 310 || $2 > 330 { bad = 1 } END { exit bad || NR != 30 }' \
    "$work/state"
awk 'BEGIN { for (i = 0; i < 12; i++) print (i * 7) % 10 }' >"$work/wall"
ok 'pathfinder reads its grid of weights' run -a pathfinder -s 4 -b 8 -H 2 --loops 2 --verify \
    --input "$work/wall" --output "$work/path"
# By hand: rows 0 7 4 1, 8 5 2 9, 6 3 0 7; after two loops 8 5 3 10, then 11 6 3 10.
printf '11\n6\n3\n10\n' >"$work/expected"
ok 'and writes the costs, one per line' cmp "$work/path" "$work/expected"
ok 'the same run again writes the same' sh -c "'$gzrun' -q -d opencl:0 --runs 1 -s 6x5 -b 6x5 --loops 3 \
    --input '$work/temp' '$work/power' --output '$work/state2' >'$work/log2' &&
    cmp '$work/state' '$work/state2'"
# again APP OPTIONS...: five loops and then five more are ten, if no array changes with the loop.
again() {
    run -a "$@" --contract off --loops 10 --output "$work/ten" >"$work/out" &&
        run -a "$@" --contract off --loops 5 --output "$work/five" >"$work/out" &&
        run -a "$@" --contract off --loops 5 --input "$work/five" --output "$work/ten2" \
            >"$work/out" && cmp "$work/ten" "$work/ten2"
}
ok 'the output of one run is the input of the next: hotspot' again hotspot -s 31x20 -b 12 -H 2
ok 'the output of one run is the input of the next: star7' again star7 -s 9 -b 8 -H 1
ok 'a state alone: pathfinder' sh -c "'$gzrun' -q -d opencl:0 --runs 1 -a pathfinder -s 50 -b 20 \
    --loops 3 --output '$work/sum' >'$work/out' && '$gzrun' -q -d opencl:0 --runs 1 -a pathfinder \
    -s 50 -b 20 --loops 3 --input '$work/sum' --verify"
ok 'three files for hotspot are too many' fails 2 'takes 2 files' -s 6x5 \
    --input "$work/temp" "$work/power" "$work/power"
ok 'a file that is not there' fails 2 'none: No such file' -s 6x5 --input "$work/none" "$work/power"
ok 'too few values: file and line are named' fails 2 'temp:31:1: ' -s 7x5 --loops 1 \
    --input "$work/temp" "$work/power"
ok 'too many values' fails 2 'temp:26:1: ' -s 5x5 --loops 1 --input "$work/temp" "$work/power"
sed '4s/.*/warm/' "$work/temp" >"$work/words"
ok 'a word in place of a number' fails 2 'words:4:1: a finite number' -s 6x5 \
    --input "$work/words" "$work/power"
sed '5s/$/ 7/' "$work/temp" >"$work/two"
ok 'two values in a line' fails 2 'two:5:' -s 6x5 --input "$work/two" "$work/power"
sed '4s/.*/nan/' "$work/temp" >"$work/nan"
ok 'NaN is not a temperature' fails 2 'nan:4:1: ' -s 6x5 --input "$work/nan" "$work/power"
ok 'an output in a folder that is not there' fails 1 'cannot write .*none/state: No such file' -s 8 \
    -b 8 --loops 1 --output "$work/none/state"
mkfifo "$work/pipe"
through_a_pipe() {
    cat "$work/pipe" >"$work/piped" &
    reader=$!
    run -s 6x5 -b 6x5 --loops 3 --input "$work/temp" "$work/power" --output "$work/pipe" &&
        wait $reader && [ -p "$work/pipe" ] && cmp "$work/state" "$work/piped"
}
ok 'a pipe as an output is written to, not replaced' through_a_pipe
to_stdout() {
    run -s 8 -b 8 --loops 2 --json -o - >"$work/minus.json" &&
        [ "$(jq -r .app "$work/minus.json")" = hotspot ]
}
ok '-o - is the standard output' to_stdout

serial() {
    run -a jacobi -s 9x7 -b 5 --loops 4 --contract off --output "$work/device" &&
        "$gzrun" -q --variant serial -a jacobi -s 9x7 --loops 4 --output "$work/host" --json \
            -o "$work/result.json" &&
        cmp "$work/device" "$work/host" && json '.device == "host" and .variant == "serial"'
}
ok 'the serial variant writes what the device does' serial

# Failures at run time.
# PoCL's compiler counts its errors on stderr by itself; gzrun adds one line.
broken() {
    POCL_EXTRA_BUILD_FLAGS=-DGZ_RESTRICT=broken run -s 9 -b 9 --loops 1 \
        >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] && [ "$(grep -c ^gzrun "$work/err")" -eq 1 ] &&
        grep '^gzrun: .*building the kernel.*trapezoid.knl:' "$work/err"
}
ok 'a kernel that does not compile: one line' broken
short_of_memory() {
    run "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep 'the arrays need 4.00 PB of .* memory.*: .* has .*B; give a smaller --size' "$work/err"
}
ok 'more memory than the device has is refused with both figures' short_of_memory \
    -a pathfinder -s 1000000 --loops 1000000000
short_on_host() {
    timeout 120 "$gzrun" -q --variant serial "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep 'the arrays need 4.00 PB of host memory: .*B are available' "$work/err"
}
ok 'and more than the host has' short_on_host -a pathfinder -s 1000000 --loops 1000000000
interrupted() {
    "$gzrun" -q -d opencl:0 -s 1000 --loops 1000000 --output "$work/late" \
        >"$work/out" 2>"$work/err" &
    pid=$!
    sleep 1
    kill -INT $pid
    wait $pid
    [ $? -eq 130 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep interrupted "$work/err" &&
        [ ! -e "$work/late" ]
}
ok 'an interrupt ends it with one line and no file' interrupted
ok 'a result that cannot be written is a failure' sh -c \
    "! '$gzrun' -q -d opencl:0 -s 8 -b 8 --loops 1 --runs 1 >/dev/full"
finish
