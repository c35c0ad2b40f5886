#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 333-gzrun-inputs - files that gzrun reads: a file that is not text, or not one value per line, is
# refused with the place; the output of one run is the input of the next; seeds keep every bit.
. "$(dirname "$0")/tap.sh"
gzrun=$GZ_BUILD/bin/gzrun
"$gzrun" --list 2>/dev/null | grep -q '^ *opencl:0' || skip_all 'there is no OpenCL device'
scratch
never_optimise
cd "$work" || exit 1

run() {
    timeout 120 "$gzrun" -q -d opencl:0 -a hotspot -s 4 -b 4 --loops 1 --runs 1 "$@" \
        >"$work/said" 2>"$work/err"
}
# refuses WHAT TEXT ARGUMENTS...
refuses() {
    what=$1 text=$2
    shift 2
    run "$@"
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q -e "$text" "$work/err"
    verdict $? "$what: status 2, one line"
    grep -q -e "$text" "$work/err" || note <"$work/err"
}
numbers() {
    awk 'BEGIN { for (k = 0; k < 16; k++) print 300 + k }'
}
numbers >state
numbers | sed 's/^3/0./' >power
run --input state power
verdict $? 'two files of sixteen values are read'
numbers | sed '3s/30/3\x000/' >bad
refuses 'a zero byte' 'bad:3:2: a zero byte: a text file is expected' --input bad power
awk 'NR == 5 { printf "301%199s302\n", ""; next } { print }' state >bad
refuses 'two values in a line, 199 blanks between them' 'bad:5:203: one value per line' \
    --input bad power
awk 'NR == 5 { printf "%5000s", "" } { print }' state >blanks
run --input blanks power
verdict $? '5000 blanks before a value are none of its business'
printf '\357\273\277' | cat - state >bad
refuses 'a byte-order mark' 'bad:1:1: a byte-order mark' --input bad power
mkdir folder
refuses 'a folder' 'folder: is a folder: a file is expected' --input folder power
head -n 15 state >bad
refuses 'a value too few' 'bad:16:1: the file ends here, but more values are expected' --input bad power
sed 's/$/\r/' state >dos
run --input dos power
verdict $? 'lines that end as on Windows are read'

# One run's output is the next one's input.
run --loops 3 --input state power --output whole &&
    run --loops 1 --input state power --output first &&
    run --loops 2 --input first power --output second && cmp -s whole second
verdict $? 'three loops are one, written and read again, and two'
sed 's/^2\t/3\t/' first >bad
refuses 'a cell of another number' 'bad:3:3: one value per line' --input bad power

# A state that is infinite after some loops can be compared with nothing.
awk 'BEGIN { for (k = 0; k < 16; k++) print 3e38 }' >large
run -a poisson --loops 9 --verify --input large
[ $? -eq 1 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
    grep -q '16 of 16 elements are NaN or infinite in the reference itself, so that nothing can be compared' "$work/err"
verdict $? '--verify of a state that overflows says so'
! grep -q 'more than 0' "$work/err"
verdict $? 'and not that it differs by more than 0'

run --seed 9007199254740992 --output even && run --seed 9007199254740993 --output odd && ! cmp -s even odd
verdict $? 'seeds beyond 2^53 keep their last bit'
finish
