#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 331-gzrun-files - what gzrun reads and writes: JSON, T4, and the Rodinia suite's formats, a file of which that is not
# one value a line is refused with the place; seeds keep every bit; and how it ends when memory runs out, and when a
# kernel does not compile.
# Options are several words.
# shellcheck disable=SC2086
. "$(dirname "$0")/tap.sh"
gzrun=$GZ_BUILD/bin/gzrun
scratch
export XDG_DATA_HOME="$work/data"
command -v jq >/dev/null || skip_all 'there is no jq'
needs_device
never_optimise

# One kernel for most runs.
tiles='-b 12x10 -H 2'
run() { timeout 120 "$gzrun" -q -d opencl:0 --runs 1 "$@"; }
json() { jq -e "$1" "$work/result.json"; }
t4() { jq -e "$1" "$work/t4.json"; }

# JSON and T4.
ok 'JSON and T4 are written' run -s 40x30 $tiles --loops 5 --verify --json \
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
    "'$gzrun' -q -d opencl:0 -s 40 $tiles --loops 2 --runs 1 --json |
     jq -e '.verified == null and .max_error == null'"
ok 'a run is as long as its options say' sh -c \
    "'$gzrun' -q -d opencl:0 -s 40 $tiles --loops 2 --runs 7 --json | jq -e '.runs == 7'"
ok 'nothing else is left beside the files' sh -c \
    "! ls -A '$work' | grep -vx -e result.json -e t4.json"

ok 'more threads than cores do not make PoCL abort' env POCL_MAX_PTHREAD_COUNT=99 "$gzrun" -q \
    -d opencl:0 -s 8 $tiles --loops 1 --runs 1

# Rodinia's files.
awk 'BEGIN { for (i = 0; i < 30; i++) print 320 + i / 7 }' >"$work/temp"
awk 'BEGIN { for (i = 0; i < 30; i++) print i / 10000 }' >"$work/power"
ok 'hotspot reads temperature and power' run -s 6x5 $tiles --loops 3 --verify \
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
ok 'the same run again writes the same' sh -c "'$gzrun' -q -d opencl:0 --runs 1 -s 6x5 $tiles --loops 3 \
    --input '$work/temp' '$work/power' --output '$work/state2' >'$work/log2' &&
    cmp '$work/state' '$work/state2'"
# again APP OPTIONS...: five loops and then five more are ten, if no array changes with the loop.
again() {
    run -a "$@" --contract off --loops 10 --output "$work/ten" >"$work/out" &&
        run -a "$@" --contract off --loops 5 --output "$work/five" >"$work/out" &&
        run -a "$@" --contract off --loops 5 --input "$work/five" --output "$work/ten2" \
            >"$work/out" && cmp "$work/ten" "$work/ten2"
}
ok 'the output of one run is the input of the next: hotspot' again hotspot -s 31x20 $tiles
rarely ok 'the output of one run is the input of the next: star7' again star7 -s 9 -b 8 -H 1
ok 'a state alone: pathfinder' sh -c "'$gzrun' -q -d opencl:0 --runs 1 -a pathfinder -s 50 -b 8 -H 2 \
    --loops 3 --output '$work/sum' >'$work/out' && '$gzrun' -q -d opencl:0 --runs 1 -a pathfinder \
    -s 50 -b 8 -H 2 --loops 3 --input '$work/sum' --verify"
# bad NAME TEXT SCRIPT: the temperatures, of sixteen cells, changed by awk.
bad() {
    awk "$3" "$work/cells" >"$work/bad"
    fails 2 "$2" "$1" run -s 4 $tiles --loops 1 --input "$work/bad" "$work/power"
}
head -n 16 "$work/temp" >"$work/cells"
bad 'too few values' 'bad:16:1: the file ends here, but more values are expected' 'NR < 16'
bad 'too many values' 'bad:17:1: ' '{ print } END { print }'
bad 'a word in place of a number' 'bad:4:1: a finite number' 'NR == 4 { $0 = "warm" } { print }'
bad 'NaN is not a temperature' 'bad:4:1: ' 'NR == 4 { $0 = "nan" } { print }'
bad 'two values in a line, 199 blanks between them' 'bad:5:203: one value per line' \
    'NR == 5 { printf "301%199s302\n", ""; next } { print }'
bad 'a cell of another number' 'bad:3:3: one value per line' '{ print (NR == 3 ? 3 : NR - 1) "\t" $1 }'
bad 'a zero byte' 'bad:3:2: a zero byte: a text file is expected' 'NR == 3 { printf "3%c3\n", 0; next } { print }'
bad 'a byte-order mark' 'bad:1:1: a byte-order mark' 'BEGIN { printf "\357\273\277" } { print }'
fails 2 'is a folder: a file is expected' 'a folder' run -s 4 $tiles --loops 1 --input "$work" "$work/power"
# reads NAME SCRIPT: and what is read though it is changed.
reads() {
    awk "$2" "$work/cells" >"$work/good"
    head -n 16 "$work/power" >"$work/power16"
    ok "$1" run -s 4 $tiles --loops 1 --input "$work/good" "$work/power16"
}
reads '5000 blanks before a value are none of its business' 'NR == 5 { printf "%5000s", "" } { print }'
reads 'lines that end as on Windows are read' '{ print $0 "\r" }'
# A state that is infinite after some loops can be compared with nothing.
awk 'BEGIN { for (k = 0; k < 16; k++) print 3e38 }' >"$work/large"
overflows() {
    run -a poisson -s 4 -b 4 --loops 9 --verify --input "$work/large" 2>"$work/err"
    [ $? -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep '16 of 16 elements are NaN or infinite in the reference itself, so that nothing can be compared' "$work/err"
}
ok '--verify of a state that overflows says so' overflows
seeds() {
    for seed in 2 3; do run -s 4 $tiles --loops 1 --seed 900719925474099$seed --output "$work/seed$seed" || return; done
    ! cmp -s "$work/seed2" "$work/seed3"
}
ok 'seeds beyond 2^53 keep their last bit' seeds
mkfifo "$work/pipe"
through_a_pipe() {
    cat "$work/pipe" >"$work/piped" &
    reader=$!
    run -s 6x5 $tiles --loops 3 --input "$work/temp" "$work/power" --output "$work/pipe" &&
        wait $reader && [ -p "$work/pipe" ] && cmp "$work/state" "$work/piped"
}
ok 'a pipe as an output is written to, not replaced' through_a_pipe
to_stdout() {
    run -s 8 $tiles --loops 2 --json -o - >"$work/minus.json" &&
        [ "$(jq -r .app "$work/minus.json")" = hotspot ]
}
ok '-o - is the standard output' to_stdout

serial() {
    run -s 9x7 $tiles --loops 4 --contract off --output "$work/device" &&
        "$gzrun" -q --variant serial -s 9x7 --loops 4 --output "$work/host" --json \
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
fails 2 'the arrays need 4.00 PB of .* memory.*: .* has .*B; give a smaller --size' \
    'more memory than the device has is refused with both figures' run -a pathfinder -s 1000000 --loops 1000000000
fails 2 'the arrays need 4.00 PB of host memory: .*B are available' 'and more than the host has' \
    "$gzrun" -q --variant serial -a pathfinder -s 1000000 --loops 1000000000
ok 'a result that cannot be written is a failure' sh -c \
    "! '$gzrun' -q -d opencl:0 -s 8 $tiles --loops 1 --runs 1 >/dev/full"
finish
