#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# evidence - everything that a device can tell in the time given, most valuable first. Runs in the
# folder that `make bundle` makes, on a machine where nothing can be installed: it needs a POSIX
# shell, awk, sed, grep and coreutils. Each step has a limit of its own, what a call does not reach
# the next one does, and the results are a folder of text files with a page, SUMMARY.md, that sums
# them up.
set -u
LC_ALL=C
export LC_ALL
root=$(cd "$(dirname "$0")" && pwd) || exit 1
self=$root/$(basename "$0")
programs=$root/libexec
# Once, though this script calls itself.
case :${LD_LIBRARY_PATH:-}: in
*":$root/lib:"*) ;;
*) LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$root/lib ;;
esac
export LD_LIBRARY_PATH

# The steps, most valuable first: name, limit in seconds, the least that is worth starting with, whether
# a step that was cut continues or restarts, what it is. While a call has time left after all of
# them, those that were cut or have a partial result get it; one that restarts gets twice the time after which it was
# cut, and is not begun with less. Function step_NAME does it: its status is 0 if it is done, 77 if the device or the
# machine lacks what it needs (the reason is the last line that it prints), 76 if it waits for another
# step, 75 if it has a result that more time would improve, anything else if it failed.
steps='
machine|30|5|anew|the machine: driver, clocks, power, throttling, permissions
correct|150|10|on|every stencil in every mode and variant, and gzmg, against the serial reference
calibrate|300|220|anew|the calibration
sweep|390|30|on|large grids over the height in every variant, then the validation sweep
tune|150|30|on|the tuner on four grids, and gzmg
verdict|60|5|anew|the model judged on the sweep
'

usage() {
    cat <<'END'
Usage: evidence [-d cuda:0] [-t 9m] [-o FOLDER] [-p FILE]

Collects what a device can tell: correctness, calibration, validation, benchmarks.

  -d DEVICE   cuda:INDEX or opencl:INDEX (default cuda:0)
  -t TIME     of this call: 90s, 9m, 1h (default 9m); call again to go on
  -o FOLDER   of the results (default evidence-DEVICE in the current folder)
  -p FILE     pack the folder into FILE, a .tgz, after every step and every 20 s, and put its page
              beside it, a .md, so that nothing is lost when the call is cut
  -s NAME,... only these steps
  --small     small grids, few stencils: to try the script itself
  --again     run again what failed or was skipped
  -l          list the steps
  -h          print this text

Exit status: 0 every step is done or does not apply, 1 a step failed, 2 the command line was wrong,
3 steps are left for a further call, 77 no such device here.
END
}

fail() {
    echo "evidence: $2" >&2
    exit "$1"
}

# seconds TIME: 90s, 9m, 1h or 540 in seconds; nothing if it is none.
seconds() {
    echo "$1" | awk '/^[0-9]+[smh]?$/ {
        n = $0 + 0; if (/m$/) n *= 60; if (/h$/) n *= 3600; if (n > 0 && n < 360000) print n }'
}

device=cuda:0 time=9m out='' only='' small='' again='' one='' packed=''
while [ $# -gt 0 ]; do
    case $1 in
    -d | -t | -o | -p | -s | --step) [ $# -gt 1 ] || fail 2 "$1: a value is missing" ;;
    esac
    case $1 in
    -d) device=$2 && shift ;;
    -t) time=$2 && shift ;;
    -o) out=$2 && shift ;;
    -p) packed=$2 && shift ;;
    -s) only=,$2, && shift ;;
    --small) small=1 ;;
    --again) again=1 ;;
    --step) one=$2 && shift ;;
    -l)
        echo "$steps" | awk -F'|' 'NF > 4 { printf "%-11s at most %3d s  %s\n", $1, $2, $5 }'
        exit 0
        ;;
    -h | --help) usage && exit 0 ;;
    *) fail 2 "$1: unknown option (see evidence -h)" ;;
    esac
    shift
done
case $device in
cuda:[0-9] | cuda:[0-9][0-9] | opencl:[0-9] | opencl:[0-9][0-9]) ;;
*) fail 2 "-d $device: must be cuda:INDEX or opencl:INDEX" ;;
esac
budget=$(seconds "$time")
[ -n "$budget" ] || fail 2 "-t $time: must be a time such as 90s, 9m or 1h"
for name in $(echo "$only" | tr , ' '); do
    echo "$steps" | grep -q "^$name|" || fail 2 "-s $name: no such step (evidence -l lists them)"
done
: "${out:=evidence-$(echo "$device" | tr : -)}"
[ -d "$out" ] || mkdir "$out" 2>/dev/null || fail 2 "-o $out: the folder cannot be made"
out=$(cd "$out" && pwd) || exit 2
[ -w "$out" ] || fail 2 "-o $out: nothing can be written there"
case $packed in
'') ;;
*?.tgz)
    place=$(cd "$(dirname "$packed")" 2>/dev/null && pwd)
    if [ -z "$place" ] || [ ! -w "$place" ]; then fail 2 "-p $packed: cannot be written"; fi
    packed=$place/$(basename "$packed")
    case $packed in "$out"/*) fail 2 "-p $packed: must not be in the folder that it packs" ;; esac
    ;;
*) fail 2 "-p $packed: must be the name of a .tgz" ;;
esac
# A folder with other things in it is somebody else's.
[ -e "$out/progress.tsv" ] || [ -z "$(ls -A "$out")" ] ||
    fail 2 "-o $out: is not empty and holds no results of this program: give a new folder"

# ------------------------------------------------------------------------------------------- steps

# titled TITLE COMMAND...: the command's output below a title, or why there is none.
titled() {
    echo "== $1"
    shift
    if command -v "$1" >/dev/null 2>&1; then
        "$@" 2>&1 || echo "($1 ended with status $?)"
    else
        echo "($1 is not here)"
    fi
    echo
}

shown() {
    for file; do
        echo "== $file"
        if [ -r "$file" ]; then cat "$file"; elif [ -e "$file" ]; then echo '(may not be read)'; else
            echo '(is not here)'
        fi
        echo
    done
}

# The results of this step are what the others are judged by, so it is complete before it is there.
step_machine() {
    # Without the bundle's own folder, which is of one machine.
    libraries=${LD_LIBRARY_PATH%"$root/lib"}
    {
        titled 'date' date -u '+%Y-%m-%d %H:%M UTC'
        titled 'system' uname -srm
        titled 'processor' sh -c 'grep -m1 "model name" /proc/cpuinfo; nproc; grep MemTotal /proc/meminfo'
        titled 'devices' "$programs/calibrate" --list
        shown /proc/driver/nvidia/version
        titled 'counters are kept from users if 1' sh -c \
            'grep -h RmProfilingAdminOnly /proc/driver/nvidia/params || echo unknown'
        titled 'user and capabilities' sh -c 'id -u; grep CapEff /proc/self/status'
        titled 'devices as files' sh -c 'ls -l /dev/nvidia* /dev/dri/* 2>&1 | head -n 20'
        LD_LIBRARY_PATH=${libraries%:} titled 'environment' sh -c \
            'env | grep -E "^(CUDA|NVIDIA|OCL|POCL|LD_LIB|CONDA_PREFIX|VIRTUAL)[^=]*=." || echo none'
        titled 'GPU' nvidia-smi -q -d CLOCK,POWER,PERFORMANCE,TEMPERATURE,MEMORY,ECC,COMPUTE
        titled 'who uses the GPU' nvidia-smi pmon -c 1
    } >"$out/machine.txt.new" && mv "$out/machine.txt.new" "$out/machine.txt"
}

stencils() {
    if [ -n "$small" ]; then echo pathfinder poisson; fi
}
# It goes on behind the runs that its table has.
step_correct() {
    # The names are meant to be split.
    # shellcheck disable=SC2046
    "$programs/correct" "$device" "$out/correctness.tsv" $(stencils)
    status=$?
    multigrid multigrid.txt -s 64 --verify || return
    return $status
}
# multigrid FILE OPTION...: gzmg's report; what is wrong or does not converge is a failure.
multigrid() {
    file=$out/$1
    shift
    "$programs/gzmg" -q -d "$device" "$@" >"$file" 2>&1 || { cat "$file" && return 1; }
}

# Calibrate's parts have budgets, 210 s together for eleven stencils, but compiling and single runs
# take what they take: once it was cut, or with less time, it is the quick one, of both models.
step_calibrate() {
    options=--fit
    if [ -n "$small" ] || [ "$limit" -lt 220 ] || [ "$(state calibrate)" = cut ]; then options='--quick --model both'; fi
    mkdir -p "$out/calibrated" || return
    # Of few stencils one after the other. The options and names are meant to be split.
    # shellcheck disable=SC2046,SC2086
    for app in $(stencils) ''; do
        [ -n "$app" ] || [ -z "$small" ] || break
        "$programs/calibrate" -d "$device" $options ${app:+-a "$app"} --counters off --force -q -o "$out/calibrated/device.json" ||
            return
    done
}

# The large grids: name, stencil, blocks of trapezoids, options. Rows that are there are not measured again.
large='
hotspot-4096|hotspot|32x32,64x64,128x64|-s 4096 -H 1:8 -y restart,graph --loops 120
hotspot-8192|hotspot|32x32,64x64,128x64|-s 8192 -H 1:8 --loops 120
poisson-4096|poisson|32x32,64x64,128x64|-s 4096 -H 1:16 --loops 240
poisson-8192|poisson|32x32,64x64,128x64|-s 8192 -H 1:16 --loops 240
star7-256|star7|16x16x8,32x16x16|-s 256 -H 1:4 -y all --loops 60
star7-512|star7|16x16x8,32x16x16|-s 512 -H 1:4 --loops 24
star13-256|star13|16x16x8,32x16x16|-s 256 -H 1:3 --loops 24
star7vc-256|star7vc|16x16x8,32x16x16|-s 256 -H 1:5 --loops 60
box27-256|box27|16x16x8,32x16x16|-s 256 -H 1:3 --loops 24
cell-256|cell|16x16x8,32x16x16|-s 256 -H 1:3 --loops 24
'
[ -z "$small" ] || large='
poisson-64|poisson|16x16|-s 64 -H 1:2 --loops 4
'

# large NAME OPTION...: one table, or what became of it.
large() {
    table=$out/large/$1.tsv
    shift
    [ ! -e "$table" ] || return 0
    timeout -k 5 60 "$programs/gzrun" -q -d "$device" --runs 5 --resume -o "$table" "$@"
}
large_grids() {
    bad=0
    mkdir -p "$out/large" || return
    while IFS='|' read -r name app blocks options <&4; do
        [ -n "$name" ] || continue
        # The options are meant to be split.
        # shellcheck disable=SC2086
        for variant in stream naive "trapezoid -b $blocks"; do
            large "$name-${variant%% *}" -a "$app" --variant $variant $options || bad=1
        done
    done 4<<END
$large
END
    return $bad
}

# The tuner, which has the model's choice, and what it measures, in its report.
step_tune() {
    bad=0
    problems='hotspot-4096 poisson-8192 star7-256 star7-512'
    [ -z "$small" ] || problems=poisson-64
    mkdir -p "$out/tune" || return
    for problem in $problems; do
        [ ! -e "$out/tune/$problem.json" ] || continue
        on=$device
        [ ! -e "$out/calibrated/device.json" ] || on=$out/calibrated/device.json
        "$programs/gzrun" -q -d "$on" -a "${problem%-*}" -s "${problem#*-}" --tune=30s \
            --loops 60 -o "$out/tune/$problem.json" >"$out/tune/$problem.txt" 2>&1 ||
            { cat "$out/tune/$problem.txt" && bad=1; }
    done
    if [ -n "$small" ]; then problem=32; else problem=256; fi
    multigrid tune/multigrid.txt -s "$problem" || bad=1
    return $bad
}

# Goes on from where the last call was stopped.
validation() {
    [ -e "$out/calibrated/device.json" ] ||
        { echo 'there is no calibrated/device.json yet' && return 76; }
    resume=
    [ ! -e "$out/validation.tsv.partial" ] || resume=--resume
    total=$((limit - ($(date +%s) - begun) - 10))
    [ $total -gt 10 ] || total=10
    tries=
    [ "$limit" -ge 300 ] || tries=2
    # The names are meant to be split.
    # shellcheck disable=SC2046
    "$programs/measure" -d "$out/calibrated/device.json" --on "$device" ${small:+--small} \
        ${tries:+--tries $tries} --total "${total}s" -q $resume -o "$out/validation.tsv" $(stencils) || return
    # Points that were left for a further call.
    [ ! -e "$out/validation.tsv.partial" ] || return 75
}
step_sweep() {
    begun=$(date +%s)
    large_grids
    large=$?
    validation || return
    return $large
}
step_verdict() {
    [ -e "$out/validation.tsv" ] || { echo 'there is no validation.tsv yet' && return 76; }
    mkdir -p "$out/verdict" && "$programs/validate" "$out/validation.tsv" -o "$out/verdict" >"$out/verdict.txt"
}

# state NAME: what became of a step so far.
state() { awk -F'\t' -v name="$1" '$1 == name { s = $2 } END { print s }' "$out/progress.tsv"; }

if [ -n "$one" ]; then
    limit=${GZ_LIMIT:-60}
    # It ends with the script that called it: `timeout` made it a process group.
    (while kill -0 "$GZ_PARENT" 2>/dev/null; do sleep 1; done && kill -TERM 0) >/dev/null 2>&1 &
    watcher=$!
    trap 'kill $watcher 2>/dev/null' EXIT
    # The tables have the commands in them, which the folder's place says nothing in.
    cd "$out" || exit 1
    out=.
    "step_$one"
    exit
fi

# ---------------------------------------------------------------------------------- the summing up

# What was found out of the device, a line each, units of 1 left out.
quantities() {
    sed -n "s/^ *\"\([a-z_0-9]*\)\": {\"value\": \([-+0-9.e]*\), \"unit\": \"\([^\"]*\)\".* \"origin\": \"\([a-z]*\)\".*/- \1: \2 \3 (\4)/p" \
        "$1" | sed 's/ 1 (/ (/' | grep -v -e '(paper)$' -e '(default)$'
}

# What the results are of, and how they came about.
summary_of_what() {
    echo "# Evidence of $device"
    echo
    sed -n "/^== devices/,/^\$/s/^$device  */- device (driver): /p" "$out/machine.txt" 2>/dev/null
    sed -n '/^== system/{n;s/^/- system: /p;}; /^== processor/{n;s/^model name[^:]*: /- processor: /p;}' \
        "$out/machine.txt" 2>/dev/null
    echo "- programs: $("$programs/gzmodel" --version)"
    awk -F'\t' '{ s += $3 } END { printf "- time in the steps: %d s\n", s }' "$out/progress.tsv"
    [ ! -e "$out/calls.tsv" ] || awk -F'\t' '{ printf "- call of %s: `%s`\n", $1, $2 }' "$out/calls.tsv"
    if [ -e "$out/calibrated/device.json" ]; then
        sed -n 's/^ *"note": "\(.*\)",*$/- calibration: \1/p' "$out/calibrated/device.json" | head -n 1
    fi
}

# What became of each step.
summary_of_steps() {
    echo "$steps" | awk '
        done_with_progress == 0 { split($0, f, "\t"); state[f[1]] = f[2]; s[f[1]] += f[3]; why[f[1]] = f[5] }
        done_with_progress && NF > 4 {
            if (!($1 in state)) state[$1] = "left"
            n[state[$1]]++; of[state[$1]] = of[state[$1]] " " $1; all++
            rows = rows sprintf("| %s | %s | %s | %s%s |\n", $1, state[$1], s[$1], $5,
                                why[$1] == "" ? "" : ": " why[$1]) }
        END {
            printf "%d of %d steps are done.", n["done"], all
            count = split("failed part cut waits left skipped", states, " ")
            for (k = 1; k <= count; k++) if (n[states[k]]) printf " %s:%s.", states[k], of[states[k]]
            printf "\n\n| step | state | s | what |\n|---|---|---|---|\n%s", rows
        }' "$out/progress.tsv" done_with_progress=1 FS='|' -
    echo
    echo 'States: done, and all was well; failed, see log.txt; part, with a result that another call'
    echo 'improves; cut, when its time was up; waits, for another step; left, not begun yet; skipped, since'
    echo 'it does not apply. Seconds are those of all tries.'
}

summary() {
    summary_of_what
    echo
    echo '## Steps'
    echo
    summary_of_steps
    if [ -e "$out/correctness.tsv" ]; then
        echo
        echo '## Correctness'
        echo
        awk -F'\t' '$10 == "right" || $10 == "wrong" || $10 == "failed" || $10 == "absent" {
                n[$10]++; if ($10 != "right" && $10 != "absent" && ++listed <= 20)
                    bad = bad "- " $1 ", " $2 ", " $3 ", height " $7 ", contraction " $9 ": " $10 \
                        ", off by " $11 " " $13 "\n" }
            END { printf "%d right, %d wrong, %d failed, %d that the device does not have.\n\n%s",
                         n["right"], n["wrong"], n["failed"], n["absent"], bad
                  if (listed > 20) printf "- and %d more\n", listed - 20 }' "$out/correctness.tsv"
    fi
    if [ -e "$out/calibrated/device.json" ]; then
        echo
        echo '## Calibration'
        echo
        quantities "$out/calibrated/device.json"
    fi
    if [ -e "$out/verdict.txt" ]; then
        echo
        echo '## The model'
        echo
        sed 1,2d "$out/verdict.txt"
    fi
    echo
    echo 'The files: machine.txt, correctness.tsv, multigrid.txt, calibrated/ (device and application files), large/, tune/,'
    echo 'validation.tsv with verdict/, clocks.csv, calls.tsv, progress.tsv, log.txt. make keep-evidence NAME=... files them.'
}

# ------------------------------------------------------------------------------------ the running

begin=$(date +%s)
touch "$out/progress.tsv" "$out/log.txt"

# A small run, which also says why there is no device.
first_run() {
    why=$(timeout -k 5 60 "$programs/gzrun" -q -d "$device" -a poisson -s 64 -b 16 --loops 2 --runs 1 2>&1 >/dev/null)
    status=$?
}
first_run
# The compiler may be anywhere.
case $status,$why in
77,*libnvrtc*)
    found=$(timeout 60 find / \( -path /proc -o -path /sys \) -prune -o -name 'libnvrtc.so.1[123]*' -print 2>/dev/null |
        sort -r | head -n 1)
    if [ -n "$found" ]; then
        LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "$found")
        first_run
    fi
    ;;
esac
if [ $status -eq 77 ]; then
    rmdir "$out" 2>/dev/null || rm -f "$out/log.txt" "$out/progress.tsv" && rmdir "$out" 2>/dev/null
    fail 77 "${why#gzrun: }"
fi
[ $status -eq 0 ] || echo "evidence: a first run fails with status $status: $why" | tee -a "$out/log.txt" >&2

# Clocks, power and throttling the whole time, if they can be queried.
sampler=
if command -v nvidia-smi >/dev/null 2>&1; then
    nvidia-smi --query-gpu=timestamp,index,clocks.sm,clocks.mem,power.draw,temperature.gpu,clocks_throttle_reasons.active \
        --format=csv -l 2 >>"$out/clocks.csv" 2>&1 &
    sampler=$!
fi
# pack WHO: the folder as one file, and its page; a file is whole or not there.
pack() {
    [ -n "$packed" ] || return 0
    page=${packed%.tgz}.md
    tar czf "$packed.$1" -C "$(dirname "$out")" "$(basename "$out")" 2>/dev/null
    mv "$packed.$1" "$packed"
    summary >"$page.$1" && mv "$page.$1" "$page"
}
packer=
if [ -n "$packed" ]; then
    (while sleep 20 && kill -0 $$ 2>/dev/null; do pack new; done) &
    packer=$!
fi
child=
stop() {
    trap '' INT TERM HUP
    [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
    [ -z "$child" ] || wait "$child" 2>/dev/null
    finish_up
    echo "evidence: interrupted; call again to go on" >&2
    exit "$1"
}
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP

# is_due NAME PASS: first what has no result yet or was cut; then, in what time remains, what has a partial
# one, was cut, or waited for a step that has come since.
is_due() {
    case " $tired " in *" $1 "*) return 1 ;; esac
    case $(state "$1"),$again,$2 in
    # A table that has grown is judged again.
    done,*) [ "$1" = verdict ] && find "$out/validation.tsv" -newer "$out/verdict.txt" 2>/dev/null | grep -q . ;;
    skipped,,* | failed,,* | part,*,1) false ;;
    *,1 | part,* | cut,* | waits,*,2) true ;;
    *) false ;;
    esac
}

# cut_after NAME: the longest time, s, after which a step was cut; 0 if it never was.
cut_after() {
    awk -F'\t' -v name="$1" '$1 == name && $2 == "cut" && $3 > s { s = $3 } END { print s + 0 }' "$out/progress.tsv"
}

# The page and the archive, when nothing runs any more.
finish_up() {
    [ -z "$sampler" ] || kill "$sampler" 2>/dev/null
    [ -z "$packer" ] || kill "$packer" 2>/dev/null
    summary >"$out/SUMMARY.md.new" && mv "$out/SUMMARY.md.new" "$out/SUMMARY.md"
    pack last
}

# How long a step may take, and the least that it is begun with.
give_time() {
    [ "$least" -le $((budget / 2)) ] || least=$((budget / 2))
    # With something left to judge what was measured.
    [ $pass -eq 1 ] || [ "$kind" = anew ] || limit=$((left > 90 ? left - 30 : left))
    longest=$(cut_after "$name")
    if [ "$kind" = anew ] && [ "$longest" -gt 0 ]; then
        least=$((longest + 1))
        [ "$limit" -gt $((2 * longest)) ] || limit=$((2 * longest))
    fi
    [ "$limit" -lt $left ] || limit=$left
}

# run_step: the step of that name, within its limit; its result is a line of progress.tsv.
run_step() {
    echo "$name: $what (at most $limit s)"
    started=$(date +%s)
    echo "==== $name, $(date -u '+%Y-%m-%d %H:%M:%S')" >>"$out/log.txt"
    GZ_PARENT=$$ GZ_LIMIT=$limit timeout -k 5 "$limit" "$self" -d "$device" -o "$out" ${small:+--small} --step "$name" \
        >"$out/step.log" 2>&1 3<&- &
    child=$!
    wait $child
    status=$?
    child=
    took=$(($(date +%s) - started))
    cat "$out/step.log" >>"$out/log.txt"
    last=$(tail -n 1 "$out/step.log" | tr '\t' ' ')
    rm -f "$out/step.log"
    case $status in
    0) result='done' last='' ;;
    75) result=part ;;
    76) result=waits ;;
    77) result=skipped ;;
    124 | 129 | 130 | 137 | 143)
        result=cut last='goes on from there'
        [ "$kind" = on ] || last="begins anew, needs more than $took s"
        ;;
    *) result=failed ;;
    esac
    printf '%s\t%s\t%d\t%s\t%s\n' "$name" $result $took "$(date -u '+%Y-%m-%d %H:%M:%S')" "$last" >>"$out/progress.tsv"
    echo "  $result${last:+: $last}"
    pack step
    # What ends at once, although there is more to do, would do so again.
    if [ $result = part ] && [ $took -lt 3 ]; then tired="$tired $name"; fi
}

printf '%s\tevidence -d %s -t %s%s\n' "$(date -u '+%Y-%m-%d %H:%M UTC')" "$device" "$time" \
    "${only:+ -s $(echo "$only" | sed 's/^,//; s/,$//')}${small:+ --small}${again:+ --again}" >>"$out/calls.tsv"
tired='' pass=1 ran=1
while [ $ran -eq 1 ]; do
    ran=0
    while IFS='|' read -r name limit least kind what <&3; do
        [ -n "$name" ] || continue
        case ${only:-,$name,} in *",$name,"*) ;; *) continue ;; esac
        is_due "$name" $pass || continue
        left=$((begin + budget - $(date +%s)))
        give_time
        if [ $left -ge "$least" ] && [ $left -gt 0 ]; then
            run_step
            ran=1
        fi
    done 3<<END
$steps
END
    pass=$((pass + 1))
    # The second pass is made in any case, for what was cut or is partial.
    if [ $pass -eq 2 ]; then ran=1 again=''; fi
done

trap '' INT TERM HUP
rm -f "$out"/*.new
finish_up
left='' failed=''
for name in $(echo "$steps" | sed -n 's/|.*//p'); do
    case ${only:-,$name,} in *",$name,"*) ;; *) continue ;; esac
    case $(state "$name") in
    done | skipped) ;;
    failed) failed="$failed $name" ;;
    *)
        left="$left $name"
        least=$(cut_after "$name")
        case $(echo "$steps" | grep "^$name|") in *'|on|'*) least=0 ;; esac
        [ "$least" -lt "$budget" ] || echo "$name needs a call of more than $least s: give -t"
        ;;
    esac
done
echo "$out/SUMMARY.md sums it up"
[ -z "$failed" ] || echo "failed:$failed"
if [ -n "$left" ]; then
    echo "left:$left; call again to go on"
    exit 3
fi
[ -z "$failed" ]
