# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# translate.sh - what tests of whole translated programs share, sourced after tap.sh: a folder
# $work, and `translate`. Skips the file if gzc was left out.

# shellcheck disable=SC2034
gzc=$GZ_BUILD/bin/gzc
[ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
lib=$GZ_SOURCE/kernels/translate/lib

# translate NAME WHAT: four checks. gzc makes $work/made.c of t/gzc/NAME.c, a loop of every WHAT,
# which compiles without a warning; $work/plain and $work/made are both programs.
translate() {
    source=$GZ_SOURCE/t/gzc/$1.c
    what=$2
    set -- -std=c11 -O1 -ffp-contract=off -Wno-unknown-pragmas
    "$gzc" "$source" -o "$work/made.c" 2> "$work/err"
    verdict $? "gzc takes a loop of every $what"
    note < "$work/err"
    for compiler in gcc clang; do
        if command -v $compiler > /dev/null; then
            $compiler "$@" -Wall -Wextra -Werror -I"$lib" -c "$work/made.c" -o "$work/made.o" 2> "$work/err"
            verdict $? "$compiler compiles the result without a warning"
            head -n 20 "$work/err" | note
        else
            skip "there is no $compiler"
        fi
    done
    cc=${CC:-cc}
    # Options of a sanitizer are several words.
    # shellcheck disable=SC2086,SC2154
    $cc "$@" "$source" -o "$work/plain" -lm &&
        $cc $sanitize "$@" -I"$lib" "$work/made.c" -o "$work/made" -L"$GZ_BUILD/lib" -lgzstencil -lm \
            -Wl,-rpath,"$GZ_BUILD/lib"
    verdict $? 'both compile and link'
}
