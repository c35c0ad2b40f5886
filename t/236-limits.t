#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 236-limits - outputs that cannot be written: to a named pipe that nobody reads, beyond the limit
# on the size of files, to what is closed, full or no file. One line says so, and nothing is left.
. "$(dirname "$0")/tap.sh"
scratch
cd "$work" || exit 1

# says STATUS TEXT NAME: what the program said, and that nothing but $files is there.
says() {
    [ "$status" -eq "$1" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "$2" err && [ "$(echo *)" = "$files" ]
    verdict $? "$3" || { echo "status $status"; ls; head -n 5 err; } | note
}
gzmodel() {
    "$GZ_BUILD/bin/gzmodel" "$@" 2>err
}
predict='predict -d gtx280 -a hotspot -s 1000 -b 20 -H 2 --json'
cp "$GZ_SOURCE/kernels/translate/example/heat.c" .
mkfifo pipe
files='err heat.c pipe'
: >err

# small_stack PROGRAM ARGUMENTS: with 64 KiB of stack.
small_stack() {
    program=$1
    shift
    ! grep -qa __asan_init "$GZ_BUILD/bin/$program" || { skip 'a sanitizer needs more stack'; return; }
    (ulimit -s 64 && exec "$GZ_BUILD/bin/$program" "$@") 2>err
    status=$?
    [ $status -ne 0 ] || { rm out.c && verdict $? "$program: enough of a small stack" && return; }
    says 1 'the limit on the stack (ulimit -s) is below' "$program: a small stack"
}

# They wait for a reader, both at the same time.
for program in gzmodel gzc; do
    words=heat.c
    [ $program = gzc ] || words=$predict
    mkdir $program && cp heat.c err $program && mkfifo $program/pipe
    # shellcheck disable=SC2086 # several words
    (cd $program && "$GZ_BUILD/bin/$program" $words -o pipe 2>err; echo $? >../status.$program) &
done
wait
for program in gzmodel gzc; do
    [ -x "$GZ_BUILD/bin/$program" ] || { skip "$program was left out" && continue; }
    cd $program && status=$(cat ../status.$program)
    says 1 'cannot write pipe: nobody reads' "$program: nobody reads"
    cd ..
done
rm -r gzmodel gzc status.*
# shellcheck disable=SC2086
gzmodel $predict >whole
cat pipe >read &
# shellcheck disable=SC2086
gzmodel $predict -o pipe && wait $! && cmp -s whole read
verdict $? 'and if somebody does: all of it'
rm -f whole read
if [ -x "$GZ_BUILD/bin/gzc" ]; then
    "$GZ_BUILD/bin/gzc" heat.c -o whole 2>err
    cat pipe >read &
    "$GZ_BUILD/bin/gzc" heat.c -o pipe 2>err && wait $! && cmp -s whole read
    verdict $? 'and if somebody does: all of it'
    rm -f whole read
    (ulimit -f 1 && exec "$GZ_BUILD/bin/gzc" heat.c -o out.c) 2>err
    status=$?
    says 1 'cannot write out.c: File too large' 'gzc: beyond ulimit -f'
    (ulimit -f 1 && exec "$GZ_BUILD/bin/gzc" --row heat.c -o out.so) 2>err
    status=$?
    says 1 'File too large' 'gzc --row: beyond ulimit -f'
    small_stack gzc heat.c -o out.c
else
    for _ in 1 2 3 4; do skip 'gzc was left out'; done
fi
small_stack gzmodel tune -d h200 -a hotspot -s 1000

# Standard output that is closed or full, and places that are no file.
cannot() {
    status=0
    eval "gzmodel $1" >"${2:-/dev/null}" || status=$?
    says 1 "cannot write $3" "gzmodel $1, to ${2:-nothing}"
}
for words in "$predict" --help -V; do
    cannot "$words >&-" '' 'standard output: Bad file descriptor'
    [ ! -c /dev/full ] || cannot "$words" /dev/full 'standard output: No space left'
done
[ ! -c /dev/full ] || { cannot "$predict -o /dev/full" '' '/dev/full: No space left' && [ -c /dev/full ]; }
verdict $? 'and the device is still one'
cannot "$predict -o x/y" '' 'x/y: No such file or directory'
cannot "$predict -o /tmp" '' '/tmp: Is a directory'
cannot "$predict -o heat.c/x" '' 'heat.c/x: Not a directory'

# limited PROGRAM ARGUMENTS: into a file of a block at most.
limited() {
    program=$1
    shift
    (ulimit -f 1 && exec "$GZ_BUILD/bin/$program" "$@" -o out) 2>err
    status=$?
    says 1 'cannot write out: File too large' "$program $1: beyond ulimit -f"
}
# shellcheck disable=SC2086
limited gzmodel $predict
limited gzmodel tune -d h200 -a hotspot -s 1000 --json
limited gzmg -d host -s 8 --json
for program in gzmodel gzrun gzmg gzc calibrate measure validate; do
    [ -x "$GZ_BUILD/bin/$program" ] || { skip "$program was left out"; continue; }
    (ulimit -f 1 && exec "$GZ_BUILD/bin/$program" --help) >out 2>err
    status=$?
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -q 'cannot write standard output: File too large' err; }
    verdict $? "$program: standard output beyond ulimit -f: status $status"
    rm -f out
done
finish
