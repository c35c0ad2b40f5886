#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 737-gzc-dialects - what gzc writes compiles under what the original compiles under: C of 1989 (t/gzc/old.c), and
# flags that make warnings errors.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/gzc/translate.sh"
cd "$work" || exit 1
programs=$(bulk 'looks beside' 'alias beside counts fields forms looks styles')

# A compiler that is not there is left out.
# each COMMAND...: it, with $compiler in turn.
each() {
    for compiler in $(bulk gcc 'gcc clang'); do
        if command -v $compiler > /dev/null; then "$@"; else skip "there is no $compiler"; fi
    done
}
# strictly STANDARD FILE: the file compiles without a warning by gcc and clang. Flags are several words.
# shellcheck disable=SC2086
strictly() {
    $compiler $1 -Wno-unknown-pragmas -DUNUSED_=2 '-DAPPLY_(x)=x' -I"$lib" -c "$2" -o strict.o 2> err
    verdict $? "$compiler $1: ${2##*/}"
    head -n 5 err | note
}
"$gzc" -k "$GZ_SOURCE/t/gzc/old.c" -o made.c -- -std=c89 -DUNUSED_=2 '-DAPPLY_(x)=x' 2> err
[ "$(wc -l < err)" -le 2 ]
verdict $? 'gzc takes loops of C of 1989' || note < err
for standard in '-std=c89 -pedantic-errors' '-ansi -O2 -Wall -Wextra -Wpedantic -Wshadow -Wdeclaration-after-statement -Wconversion -Werror' \
    '-std=gnu89 -Werror' '-std=c11 -Wall -Wextra -Wshadow -Wdeclaration-after-statement -Wconversion -Werror'; do
    each strictly "$standard" "$GZ_SOURCE/t/gzc/old.c"
    each strictly "$standard" made.c
done
cp made.c old.c
old() {
    flags='-std=c89 -w -ffp-contract=off -DUNUSED_=2 -DAPPLY_(x)=x'
    # shellcheck disable=SC2086
    ${CC:-cc} $flags "$GZ_SOURCE/t/gzc/old.c" -o plain -lm && ${CC:-cc} $flags -I"$lib" -c old.c -o old.o &&
        ${CC:-cc} -std=gnu11 -w -I"$lib" -I"$GZ_SOURCE/t/gzc" old.o "$GZ_SOURCE/t/gzc/host/host.c" -o made -lm -ldl &&
        GZ_BODIES=print ./made 2> bodies.c > printed &&
        ${CC:-cc} -std=gnu11 -w -ffp-contract=off -fno-builtin -fPIC -shared -I"$GZ_SOURCE/t/gzc/host" bodies.c -o bodies.so -lm
    ./plain > expected
    GZ_BODIES=./bodies.so ./made > got 2> ran
}
old
cmp -s expected got
verdict $? 'as C of 1989, the same bits' || diff expected got | note
[ "$(sed -n 's/^\([0-9]*\) ran$/\1/p' ran | sort -u | wc -l)" -ge 8 ]
verdict $? 'by most of its loops' || note < ran

# Every warning of the original, and no other, though all are asked for.
warnings() {
    case $compiler in
    gcc) all='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdeclaration-after-statement -Wdouble-promotion -Wfloat-equal
        -Wcast-qual -Wcast-align -Wundef -Wvla -Wc++-compat -Wbad-function-cast -Wstrict-prototypes
        -Wmissing-prototypes -Wunused-macros -Wswitch-default -Wwrite-strings -Wlogical-op -Wnull-dereference -Winline -Wjump-misses-init' ;;
    *) all='-Weverything -Wno-conditional-uninitialized' ;;
    esac
    for file in "$GZ_SOURCE/t/gzc/$1.c" made.c; do
        # shellcheck disable=SC2086
        $compiler -std=c11 -O1 $all -I"$GZ_SOURCE/t/gzc" -isystem "$lib" -c "$file" -o strict.o 2>&1 | grep -E '(warning|error):' | sort -u > "$(basename "$file").said"
    done
    comm -13 "$1.c.said" made.c.said > new
    nothing "$compiler: nothing that it did not say of $1.c" "$(head -n 5 new)"
}
for name in $programs; do
    written "$name"
    each warnings "$name"
done
finish
