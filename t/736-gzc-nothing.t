#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 736-gzc-nothing - loops of which C evaluates nothing (t/gzc/nothing.c), since the time does not run or there are no
# cells: nor does what gzc writes, under AddressSanitizer and UndefinedBehaviorSanitizer, too, where the compiler has them.
. "$(dirname "$0")/tap.sh"
host=both
echo 'int main(void) { return 0; }' | ${CC:-cc} -fsanitize=address,undefined -x c - -o /dev/null 2> /dev/null &&
    sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS"
. "$GZ_SOURCE/t/gzc/translate.sh"

translate nothing 'question that C does not ask' 7
same 1 9 7 5 0 20
same 1 9 7 0 0 0
same 1 2 7 4 0 0
same 1 1 7 3 0 0
same 1 5 6 1 0 0
same 1 7 2 3 0 0
finish
