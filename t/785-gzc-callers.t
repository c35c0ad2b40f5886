#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 785-gzc-callers - libgzstencil in programs that do what programs do: fork, round otherwise, run
# threads, keep stencils on the stack, call with nonsense, get signals, set variables wrong, lose the device,
# and have a driver whose compiler dies. Results are the loops' to the bit, or the call says why not.
. "$(dirname "$0")/tap.sh"
needs_device
scratch
never_optimise

XDG_CACHE_HOME=$work/cache GZ_DEVICE=opencl:0
export XDG_CACHE_HOME GZ_DEVICE
set -- -std=gnu11 "$optimised" -g -ffp-contract=off -frounding-math -Wall -Wextra -Werror -I"$GZ_SOURCE/kernels/gzstencil"
build() { # NAME FLAG...: the program
    name=$1
    shift
    ${CC:-cc} $sanitize "$@" "$GZ_SOURCE/t/gzc/callers.c" -o "$work/$name" -L"$GZ_BUILD/lib" -lgzstencil \
        -Wl,-rpath,"$GZ_BUILD/lib" -lm -pthread 2> "$work/err"
}
build callers "$@" -Wno-unknown-pragmas
verdict $? 'the program compiles' || note < "$work/err"

# says WHAT WAY LINE...: these lines come out, in that order, on a stop within two minutes.
says() {
    what=$1 way=$2
    shift 2
    printf '%s\n' "$@" > "$work/expected"
    timeout 120 "$work/${program:-callers}" "$way" > "$work/out" 2> "$work/err"
    status=$?
    [ $status -eq "${expect:-0}" ] && cmp -s "$work/expected" "$work/out"
    verdict $? "$what"
    [ $status -eq "${expect:-0}" ] || echo "status $status" | note
    diff "$work/expected" "$work/out" | note
}
# told COUNT PATTERN: so many lines of standard error have it.
told() {
    [ "$(grep -c "$2" "$work/err")" -eq "$1" ]
    verdict $? "told $1 time(s): $2" || note < "$work/err"
}
# has WHAT WAY COUNT PATTERN [VARIABLE=VALUE]...: so many lines that come out have it.
has() {
    what=$1 way=$2 count=$3 pattern=$4
    shift 4
    timeout 120 env "$@" "$work/callers" "$way" > "$work/out" 2> "$work/err" && [ "$(grep -c "$pattern" "$work/out")" -eq "$count" ]
    verdict $? "$what" || sort "$work/out" | uniq -c | cat - "$work/err" | note
}
child='this process is a child of the one that uses the device'
says 'the device computes' usual 'same device' 'same device'
told 0 .
says 'a child runs the loops, its parent the device' fork 'same device' "same loops: $child" "put: 0 $child" \
    'child ended with 0' 'same device'
told 1 'the original loops run: .*(said once'
odd='this thread rounds otherwise than to nearest, flushes small numbers to 0 (-ffast-math does), or stops at exceptions'
for way in upward 'toward zero' trap FTZ DAZ; do
    case $way$(uname -m) in
    FTZx86_64 | DAZx86_64 | trapx86_64 | up* | to*) says "a thread with $way" "$way" "same loops: $odd" 'same device' ;;
    *) skip 'no such register' ;;
    esac
done
if build parallel "$@" -fopenmp; then
    program=parallel says 'in a parallel region the loops run' parallel \
        'same loops: it is called in a parallel region of OpenMP' 'same device'
else
    skip 'the compiler has no OpenMP'
fi
says 'stencils at one address are told apart by text and facts' 'one address' 'same device' 'same device' \
    'same device' 'same device' 'same device' 'same device' 'same device' 'same device'
says 'two threads in one run are told so' 'two threads' 'refused: two threads used the run at the same time'
says 'a run for each thread' 'own threads' 'same device' 'same device' 'same device' 'same device'
has '43 absurd facts are refused by name' facts 43 '^loops [a-z].*: must '
nothing 'and none is accepted' "$(grep accepted "$work/out")"
says 'no run, and numbers out of range, do no harm' nothing 'nothing happened'
GZ_ORIGINAL=always
says 'nor where the original loops run because they are faster' nothing 'nothing happened'
says 'which they then do' usual 'same loops: GZ_ORIGINAL is always' 'same loops: GZ_ORIGINAL is always'
GZ_ORIGINAL=auto
loops='same loops: they are expected to be faster'
says 'each thread times its own' 'own threads' "$loops" "$loops" "$loops" "$loops"
told 0 .
GZ_ORIGINAL=never
if [ -n "$sanitize" ]; then
    skip 'sanitizers take address space of their own'
    skip 'likewise'
else
    timeout 60 "$work/callers" memory > "$work/out" 2> "$work/err"
    [ $? -eq 0 ] && [ "$(head -n 1 "$work/out")" = 'ready ' ] &&
        grep -q '^not ready its arrays need 6[.]66 GB of memory: .* are available$' "$work/out"
    verdict $? 'a number a loop takes a number a loop; what is not there is not taken' || note < "$work/out"
    GZ_CHECK=1 timeout 60 "$work/callers" memory > "$work/out" 2> "$work/err"
    grep -q '^not ready its arrays need 6[.]79 GB of memory: .* are available$' "$work/out"
    verdict $? 'with GZ_CHECK the copy counts' || note < "$work/out"
fi
has 'signals with handlers change nothing, 20 times, and came' signals 21 '^same device\|^signals came'

# Whoever runs this in the background may have it ignore interrupts.
perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$work/callers" "for ever" > "$work/out" 2> "$work/err" &
victim=$!
i=0
while [ ! -s "$work/out" ] && [ $i -lt 600 ]; do
    sleep 0.1
    i=$((i + 1))
done
# One that comes while PoCL's LLVM sets handlers of its own may be lost in them.
i=0
while kill -INT $victim 2> /dev/null && [ $i -lt 10 ]; do
    sleep 0.5
    i=$((i + 1))
done
kill -KILL $victim 2> /dev/null
wait $victim
[ $? -eq 130 ]
verdict $? 'an interrupt ends a program without a handler, as it would without the library'
nothing 'and leaves no temporary file' "$(find "$work/cache" -name 'writing-*')"

# Variables: each word of garbage is told once, and does as much as if it were not set.
for setting in GZ_HEIGHT=x GZ_HEIGHT=-3 GZ_HEIGHT=99999999999999999999 GZ_HEIGHT=4x4 GZ_BLOCK=12q GZ_BLOCK=x \
    GZ_BLOCK=1x2x3x4 GZ_BLOCK=16x GZ_TRY=maybe GZ_CHECK=yes GZ_REPORT=2 GZ_VARIANT=streams 'GZ_VARIANT= '; do
    case $setting in
    GZ_BLOCK*) height=4 ;;
    *) height= ;;
    esac
    env ${height:+GZ_HEIGHT=$height} "$setting" "$work/callers" usual > "$work/out" 2> "$work/err"
    [ $? -eq 0 ] && [ "$(grep -c '^same device$' "$work/out")" -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] &&
        grep -q "^gzstencil: ${setting%%=*}=.* is ignored: must be " "$work/err"
    verdict $? "$setting is told once" || note < "$work/err"
done
for setting in GZ_HEIGHT= GZ_HEIGHT=0 GZ_BLOCK=64x16 GZ_TRY=0 GZ_CHECK=0 GZ_REPORT=0 GZ_VARIANT=naive; do
    env "$setting" "$work/callers" usual > "$work/out" 2> "$work/err"
    [ $? -eq 0 ] && [ ! -s "$work/err" ]
    verdict $? "$setting is right" || note < "$work/err"
done
GZ_DEVICE=opencl:99 says 'without a device the loops run' usual \
    'same loops: opencl:99: no such device: this machine has 1; `gzrun --list` names them' \
    'same loops: opencl:99: no such device: this machine has 1; `gzrun --list` names them'
told 1 'the original loops run'

# Files.
for variable in GZ_DEVICE_FILE GZ_PLAN; do
    echo garbage > "$work/garbage"
    has "three grids, and $variable is no such file: the device computes" sizes 3 '^device$' $variable="$work/garbage"
    told 1 "^gzstencil: $variable: .*garbage"
done

# Checks.
GZ_CHECK=1 says 'a check that passes' usual 'same loops' 'same loops'
told 2 'check passed: 576 elements are equal'
SPOIL=3e-16 GZ_CHECK=1 expect=1 says 'a check that fails gives the program status 1' usual 'different loops' 'different loops'
told 2 'check failed: 1 of 576 elements differ, by up to [12] units in the last place; .* -ffp-contract=off'
SPOIL=0.5 GZ_CHECK=1 expect=1 says 'so does one that fails by much' usual 'different loops' 'different loops'
told 2 'check failed: .* likely cause: not rounding'
SPOIL_VARIABLE=1 GZ_CHECK=1 expect=1 says 'so does one of a loop variable' usual 'same loops' 'same loops'
told 2 'check failed: x ends with another value'
SPOIL=3e-16 GZ_CHECK=warn says 'unless GZ_CHECK is warn' usual 'different loops' 'different loops'

# A driver that goes wrong.
${CC:-cc} -shared -fPIC -w "$GZ_SOURCE/t/gzc/driver.c" -o "$work/driver.so" -ldl
verdict $? 'a driver that goes wrong compiles'
if [ -n "$sanitize" ]; then
    skip 'a sanitizer must be loaded first'
    skip 'likewise'
else
    wrong=0
    for calls in 0 1 2 3 4 5 6 7 9 12 15; do
        GZ_DRIVER_LOST=$calls LD_PRELOAD=$work/driver.so timeout 60 "$work/callers" usual > "$work/out" 2> "$work/err"
        [ $? -eq 0 ] && [ "$(grep -c '^same ' "$work/out")" -eq 2 ] && [ "$(grep -c . "$work/err")" -le 1 ] || {
            wrong=$((wrong + 1))
            cat "$work/out" "$work/err" | note
        }
    done
    [ $wrong -eq 0 ] && GZ_DRIVER_LOST=5 LD_PRELOAD=$work/driver.so "$work/callers" usual 2> "$work/err" | grep -q 'same loops: .'
    verdict $? 'a device that is lost, early or late: the loops run'
    rm -rf "$work/cache"
    dies='^same loops: the compiler of opencl:0 dies' preload=LD_PRELOAD=$work/driver.so
    has 'a compiler that dies does so in another process, and the loops run' usual 2 "$dies" GZ_DRIVER_DIES=compile "$preload"
    told 1 'the original loops run: the compiler of opencl:0 dies of its kernel'
    has 'which is remembered: the next process does not try' usual 2 "$dies" GZ_DRIVER_DIES=callers "$preload"
    rm -rf "$work/cache"
    has 'the clock ends one that hangs, though the program blocks and ignores that signal' 'alarm blocked' 1 "$dies" \
        GZ_DRIVER_SIGNAL=14 GZ_DRIVER_DIES=compile "$preload"
    rm -rf "$work/cache"
    says 'a kernel that compiles elsewhere does here' usual 'same device' 'same device'
fi
finish
