#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 723-gzc-programs - whole programs, each of one file of t/gzc, whose first lines say what loops it has: what gzc makes
# of them compiles without a warning and gives the same bits in all arrays, variables and output, on the host, some
# by `make check-all` also on a device; from grids of one cell to several tiles, no loop and several.
. "$(dirname "$0")/tap.sh"
. "$GZ_SOURCE/t/gzc/translate.sh"

# take HOST NAME WHAT REFUSED RUN...: t/gzc/NAME.c, of whose loops so many may be refused; each RUN has the words of same.
take() {
    host=$1 name=$2
    translate "$2" "$3" "$4"
    shift 4
    for run in "$@"; do
        echo "# $name"
        # Words on purpose.
        # shellcheck disable=SC2086
        same $run
    done
}

take both styles style 0 '1 23 31 5 0 5' '3 37 18 8 1 5' '2 9 8 1 0 0' '2 9 8 0 0 0' '2 1 1 2 0 0' '2 2 3 3 1 0'
# How a time loop counts is the program's own business, not the device's.
take both counts 'way to count' 1 '1 5 7 9 0 6' '1 9 8 12 0 32' '1 3 4 1 0 3' '1 1 1 3 0 0'
take 1 beside 'thing beside the sweep' 1 '1 23 31 9 0 4' '3 12 7 23 1 4' '2 8 9 1 1 0' '2 8 9 0 0 0' '2 6 6 20 1 0' \
    '2 3 2 6 1 0' '2 2 3 6 0 0'

take 1 looks place 1 '1 23 31 5 0 5' '2 31 23 12 1 13' '2 3 3 4 1 0' '2 9 8 0 0 0'
on_a_device() {
    checks 7 9 8 7
    GZ_DEVICE=opencl:99 "$work/linked" 9 8 7 > "$work/got" 2> "$work/said"
    cmp -s "$work/expected" "$work/got" && [ "$(wc -l < "$work/said")" -le 6 ]
    verdict $? 'without a device the original loops run, which is told once a loop' || note < "$work/said"
}
rarely on_a_device

# Of what C does not ask for, nothing is asked, which the sanitizers see where a compiler has them: clang takes a
# quarter of gcc's time.
for compiler in clang "${CC:-cc}"; do
    echo 'int main(void) { return 0; }' | $compiler -fsanitize=address,undefined -x c - -o /dev/null 2> /dev/null || continue
    CC=$compiler sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
    break
done
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
take both nothing 'question that C does not ask' 0 '1 9 7 5 0 14' '1 9 7 0 0 0' '1 2 7 4 0 0' '1 1 7 3 0 0' \
    '1 5 6 1 0 0' '1 7 2 3 0 0'
finish
